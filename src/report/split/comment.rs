//! The findings of a game as a comment in it.

use crate::{pipeline::BadFinding, rules::rule};

/// A comment with a line for each finding, without a line break at its end.
///
/// Nothing in it can end the comment or mean something else to a program that reads it: no braces,
/// no brackets of tags and commands, no semicolons, no `%` at the start of a line, and only ASCII,
/// so that the encoding of the game does not matter.
pub(super) fn comment(findings: &[BadFinding], line_break: &[u8]) -> Vec<u8> {
    let mut comment = b"{ ".to_vec();
    for (finding, number) in findings.iter().zip(0..) {
        if number > 0 {
            comment.extend_from_slice(line_break);
            comment.extend_from_slice(b"  ");
        }
        let name = rule(finding.rule).map_or("", |rule| rule.name);
        let text = format!("{} {name} ({}): {}", finding.rule, finding.severity.as_str(), finding.message);
        text.chars().for_each(|character| push(&mut comment, character));
    }
    comment.extend_from_slice(b" }");
    comment
}

fn push(comment: &mut Vec<u8>, character: char) {
    match character {
        '{' | '[' => comment.push(b'('),
        '}' | ']' => comment.push(b')'),
        ';' => comment.push(b','),
        ' '..='~' => comment.push(character as u8),
        character if character.is_whitespace() => comment.push(b' '),
        character => comment.extend_from_slice(format!("U+{:04X}", u32::from(character)).as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Severity;

    #[test]
    fn nothing_in_a_comment_means_anything() {
        let finding = |message: &str| BadFinding {
            line: 1,
            column: 1,
            rule: code!("MOV01"),
            severity: Severity::Error,
            message: message.to_owned(),
        };
        let findings = [finding("`} [%clk 1]; {`\n% x"), finding("caf\u{e9}")];
        let expected = "{ MOV01 illegal-move (error): `) (%clk 1), (` % x\r\n  MOV01 illegal-move (error): cafU+00E9 }";
        assert_eq!(comment(&findings, b"\r\n"), expected.as_bytes());
    }
}
