//! The findings of a game as a comment in it.

use crate::{pipeline::BadFinding, rules::rule};

/// Maximum length of a line in bytes. Longer ones than 255 are a finding themselves.
const MAX_LINE: usize = 250;

/// The findings of a game as a comment before its movetext, and what separates it from what is
/// around it. It is on lines of its own if the movetext begins a line.
pub(crate) fn annotation(findings: &[BadFinding], line_break: &[u8], is_at_line_start: bool, has_movetext: bool) -> Vec<u8> {
    let mut text = Vec::new();
    if !is_at_line_start && !has_movetext {
        text.extend_from_slice(line_break);
    }
    text.extend(comment(findings, line_break));
    text.extend_from_slice(if is_at_line_start || !has_movetext { line_break } else { b" " });
    // Without movetext, only a blank line separates the comment from the next game.
    if !has_movetext {
        text.extend_from_slice(line_break);
    }
    text
}

/// A comment with a line for each finding, or more if it is long, without a line break at its end.
///
/// Nothing in it can end the comment or mean something else to a program that reads it: no braces,
/// no brackets of tags and commands, no semicolons, no `%` at the start of a line, and only ASCII,
/// so that the encoding of the game does not matter.
pub(super) fn comment(findings: &[BadFinding], line_break: &[u8]) -> Vec<u8> {
    let mut comment = b"{ ".to_vec();
    for (finding, number) in findings.iter().zip(0..) {
        let mut line = comment.len() - b"{ ".len();
        if number > 0 {
            line = begin_line(&mut comment, line_break);
        }
        let name = rule(finding.rule).map_or("", |rule| rule.name);
        let text = format!("{} {name} ({}): {}", finding.rule, finding.severity.as_str(), finding.message);
        for (word, number) in text.split(' ').zip(0..) {
            let space = comment.len();
            comment.extend_from_slice(if number > 0 { b" " } else { b"" });
            word.chars().for_each(|character| push(&mut comment, character));
            if number > 0 && comment.len() - line > MAX_LINE {
                let word = comment.split_off(space + 1);
                comment.truncate(space);
                line = begin_line(&mut comment, line_break);
                comment.extend_from_slice(&word);
            }
        }
    }
    comment.extend_from_slice(b" }");
    comment
}

/// Begins another line of the comment, and returns where.
fn begin_line(comment: &mut Vec<u8>, line_break: &[u8]) -> usize {
    comment.extend_from_slice(line_break);
    comment.extend_from_slice(b"  ");
    comment.len() - b"  ".len()
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
        let long = String::from_utf8(comment(&[finding(&"abcdefg ".repeat(100))], b"\n")).unwrap();
        assert!(long.lines().count() == 4 && long.lines().all(|line| line.len() <= 255), "{long}");
        assert!(long.lines().all(|line| line.starts_with("{ MOV01") || line.starts_with("  abcdefg")), "{long}");
    }
}
