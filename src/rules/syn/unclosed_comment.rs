//! SYN05: comments that are not closed.

use memchr::memmem;

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN05"),
    name: "unclosed-comment",
    severity: Severity::Error,
    summary: "A brace comment is not closed",
    what: "A `{` has no matching `}`, or the header of another game comes before the first `}`. \
           Comments do not nest: a comment ends at its first `}`. A comment that quotes a game \
           header and is then closed is allowed.",
    why: "The rest of the game is lost. Most readers also lose all games up to the next closing \
           brace.",
    fix: "Add `}` where the comment ends.",
    source: "PGN standard 5",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Moves("1. e4 e5 ⟦{⟧ the open game 2. Nf3 *"),
        Sample::Pgn(concat!(
            game!("First", "1-0", "1. e4 e5 2. Nf3 ⟦{⟧ the open game 1-0"),
            "\n",
            game!("Second", "0-1", "1. d4 Nf6 2. c4 {a fair move} 0-1")
        )),
    ],
    silent: &[Sample::Moves("1. e4 e5 { the open game } 2. Nf3 *"), Sample::Moves("1. e4 e5 ; { the open game\n2. Nf3 *")],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    let (consequence, end) = match facts.kind {
        SyntaxFaultKind::UnclosedComment { at_header: true, end } => {
            ("reading continues at the header of the next game", end_before_marker(facts, end))
        }
        SyntaxFaultKind::UnclosedComment { at_header: false, end } => {
            ("the rest of the text is lost in it", end_before_marker(facts, end))
        }
        SyntaxFaultKind::Brace(BraceFault::Unclosed { end }) => ("the moves after it were read as moves of the game", Some(end)),
        SyntaxFaultKind::Brace(BraceFault::MeantBrace) => {
            let found = shown(facts.place.of(facts.text));
            return report_bracket(facts, "}", format!("the comment ends with `{found}` instead of `}}`"), findings);
        }
        SyntaxFaultKind::Brace(BraceFault::MeantParenthesis) => {
            return report_bracket(facts, "(", "the variation begins with `{` instead of `(`".to_owned(), findings);
        }
        _ => return,
    };
    let rest = facts.text.get(facts.place.start..).unwrap_or_default();
    let line = rest.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let mut message = format!("the comment is not closed; {consequence}");
    let finding = findings.add(&RULE, facts.place).once_if_usual(consequence).found(shown(line));
    if let Some(end) = end {
        let after = facts.text.get(end..).unwrap_or_default().trim_ascii_start();
        let line = after.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
        let next: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(2).collect();
        message.push_str(&format!("; `}}` probably belongs before `{}`", shown(&next.join(&b' '))));
        finding.repair(Certainty::Likely, Patch::insert(end, *b"}"));
    }
    finding.message(message);
}

/// Where a comment ends that swallowed the termination marker of its game: before that marker.
/// Reading continues at `end`.
fn end_before_marker(facts: &SyntaxFault<'_>, end: usize) -> Option<usize> {
    let inside = facts.text.get(facts.place.end..end)?.trim_ascii_end();
    // Another game may begin inside the comment.
    if memmem::find(inside, b"[Event ").is_some() {
        return None;
    }
    let marker = ["1-0", "0-1", "1/2-1/2", "*"].into_iter().find(|marker| inside.ends_with(marker.as_bytes()))?;
    let before = &inside[..inside.len() - marker.len()];
    let remark = before.trim_ascii_end();
    (remark.len() < before.len()).then_some(facts.place.end + remark.len())
}

fn report_bracket(facts: &SyntaxFault<'_>, expected: &str, message: String, findings: &mut Findings) {
    let found = shown(facts.place.of(facts.text));
    let patch = Patch::replace(facts.text, facts.place, expected);
    let finding = findings.add(&RULE, facts.place).once_if_usual(expected).found(found).expected(expected);
    finding.message(message).repair(Certainty::Likely, patch);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Finding;

    fn finding(text: &str) -> Finding {
        let all = crate::Auditor::new().audit_pgn(text).expect("the text is checked");
        let mut found: Vec<Finding> = all.into_iter().filter(|finding| finding.rule.code == RULE.code).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    #[test]
    fn the_place_of_the_missing_brace_is_found() {
        for (text, before, repaired) in [
            ("1. e4 e5 { the open game 2. Nf3 Nc6 *\n", "2. Nf3", "1. e4 e5 { the open game} 2. Nf3 Nc6 *\n"),
            ("1. e4 e5 { the open game 1-0\n", "1-0", "1. e4 e5 { the open game} 1-0\n"),
            (
                "[Event \"a\"]\n\n1. e4 { the open\ngame *\n\n[Event \"b\"]\n\n1. d4 *\n",
                "*",
                "[Event \"a\"]\n\n1. e4 { the open\ngame} *\n\n[Event \"b\"]\n\n1. d4 *\n",
            ),
        ] {
            let finding = finding(text);
            assert!(finding.message.contains(&format!("probably belongs before `{before}`")), "{}", finding.message);
            let [patch] = finding.patches() else { panic!("one replacement: {finding:?}") };
            let mut bytes = text.as_bytes().to_vec();
            bytes.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
            assert_eq!(String::from_utf8_lossy(&bytes), repaired);
        }
        assert!(finding("1. e4 e5 { the open game\n").repair.is_none());
    }
}
