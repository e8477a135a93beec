//! SYN04: tag pairs inside movetext.

use crate::pgn::{begins_line, follows_blank_line, nearby_line_end};
use crate::rules::patches::line_break;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN04"),
    name: "tag-in-movetext",
    severity: Severity::Error,
    summary: "A tag pair begins before the game has ended",
    what: "A tag pair follows movetext that has no game termination marker, without a blank line \
           in between. After a blank line, only the marker is missing: see RES01. Tag pairs in the \
           middle of a game are also reported. A header on the same line as the end of the \
           previous game is a warning. If 20 or more headers are like that, they are reported \
           once. If a header cuts off a token, as in `10. Qe[Event \"Next\"]`, that token is \
           marked.",
    why: "Readers merge two games into one, drop the second game, or lose the tag pair. The game \
           may also have been cut off.",
    fix: "Find out where the first game ends, and put its termination marker and a blank line \
           there. `chess-audit fix` inserts missing line breaks. With `--likely`, it also adds the \
           result of the game, in place of a cut-off token if there is one.",
    source: "PGN standard 8, 8.2.6",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("SYN05"), code!("SYN07")]),
    fires: &[
        Sample::Pgn(concat!(game!("First", "1-0", "1. e4 e5 2. Nf3⟦⟧"), game!("Second", "0-1", "1. d4 Nf6 2. c4 0-1"))),
        Sample::Pgn(
            "[Event \"First\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n\
             1. e4 e5 2. Nf3 Nc6 3. ⟦Qe⟧[Event \"Second\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
             [Result \"*\"]\n\n1. e4 e5 *\n",
        ),
    ],
    silent: &[
        Sample::Pgn(game!("First", "1-0", "1. e4 {\n[%emt 0:01:00] } 1... e5 2. Nf3 1-0")),
        // A form feed before the header starts a new page.
        Sample::Pgn(concat!(
            game!("First", "1-0", "1. e4 e5 2. Nf3 1-0"),
            "\n\x0C",
            game!("Second", "0-1", "1. d4 Nf6 2. c4 0-1")
        )),
    ],
    check: Check::Syntax(check),
    ..Rule::DEFAULTS
};

fn check(facts: &SyntaxFault<'_>, findings: &mut Findings) {
    match facts.kind {
        SyntaxFaultKind::TagInMovetext { next, torn, result } => {
            let blank = begins_line(facts.text, next) && follows_blank_line(facts.text, next);
            if next >= facts.text.len() || blank {
                return;
            }
            let pair = shown(&facts.text[next..nearby_line_end(facts.text, next)]);
            let finding = findings.add(&RULE, facts.place);
            if let Some(torn) = torn {
                let token = shown(torn.of(facts.text));
                finding.message(format!("the game is cut off at `{token}`, and `{pair}` begins on the same line")).found(token);
                let start = start_of_number(facts.text, torn.start);
                finding.expected(result.as_str());
                finding.repair(Certainty::Likely, boundary(facts.text, start, next, result.as_str()));
            } else {
                finding.once_if_usual("marker");
                finding.message(format!("`{pair}` begins, but the game before it has no termination marker")).found(pair);
                finding.repair(Certainty::Likely, marker_before(facts.text, facts.place.end, next, result.as_str()));
            }
        }
        SyntaxFaultKind::TagsInside => {
            let pairs = shown(facts.place.of(facts.text));
            let finding = findings.add(&RULE, facts.place).once_if_usual("inside");
            finding.message("there are tag pairs in the middle of the movetext").found(pairs);
        }
        SyntaxFaultKind::LostLineBreak => {
            let next = facts.place.start;
            // NULs on a line of their own are reported by ENC06.
            let before = facts.text[..next].trim_ascii_end();
            let nuls = before.iter().rev().take_while(|byte| **byte == 0).count();
            if nuls > 0 && begins_line(facts.text, before.len() - nuls) {
                return;
            }
            let pair = shown(&facts.text[next..nearby_line_end(facts.text, next)]);
            let finding = findings
                .add(&RULE, facts.place)
                .severity(Severity::Warning)
                .grouped("header")
                .message("the header begins on the line on which the previous game ends")
                .found(pair);
            let before = &facts.text[..next];
            let spaces = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            // Another tag pair may belong to the header before it.
            let is_first = facts.text[next..].starts_with(b"[Event ");
            // What comes before it may be a part of it.
            let end = before.trim_ascii_end();
            let follows_marker = [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*", b"}"].iter().any(|last| end.ends_with(last));
            let certainty = if is_first && follows_marker { Certainty::Certain } else { Certainty::Likely };
            finding.repair(certainty, boundary(facts.text, next - spaces, next, ""));
        }
        _ => {}
    }
}

/// Where the move number indication before the token at `at` begins, or `at` itself.
fn start_of_number(text: &[u8], at: usize) -> usize {
    let before = text[..at].trim_ascii_end();
    let without_dots = &before[..before.iter().rposition(|byte| *byte != b'.').map_or(0, |last| last + 1)];
    let digits = without_dots.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || without_dots.len() == before.len() { at } else { without_dots.len() - digits }
}

/// Replaces the bytes from `start` to `next`, where a header begins, by `marker` and the end of a
/// game.
fn boundary(text: &[u8], start: usize, next: usize, marker: &str) -> Patch {
    let line_break = line_break(text, next);
    Patch::replace(text, Span::new(start, next), [marker, line_break, line_break].concat())
}

/// Adds `marker` and a blank line before the header at `next`. The last token of the game ends at
/// `end`; only comments follow it.
fn marker_before(text: &[u8], end: usize, next: usize, marker: &str) -> Patch {
    let after = text[end..next].trim_ascii_end();
    let number = start_of_number(text, end);
    if number < end && after.is_empty() {
        return boundary(text, number, next, marker);
    }
    let line = after.rsplit(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    // The marker must not become part of a line comment.
    let before = if line.contains(&b';') { line_break(text, next) } else { " " };
    boundary(text, end + after.len(), next, &[before, marker].concat())
}

#[cfg(test)]
mod tests {
    use crate::{
        Auditor,
        rules::{Certainty, Finding},
    };

    /// The text after the repairs of SYN04, and how certain they are.
    fn repaired(text: &str) -> (String, Vec<Certainty>) {
        let findings = Auditor::new().audit_pgn(text).expect("the text is checked");
        let mut found: Vec<_> = findings.into_iter().filter(|finding| finding.rule.code.to_string() == "SYN04").collect();
        found.reverse();
        let mut bytes = text.as_bytes().to_vec();
        for finding in &found {
            for patch in finding.patches() {
                bytes.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
            }
        }
        let certainty = found.iter().filter_map(Finding::certainty).collect();
        (String::from_utf8_lossy(&bytes).into_owned(), certainty)
    }

    #[test]
    fn torn_boundaries_are_repaired() {
        let first = "[Event \"A\"]\n[Result \"0-1\"]\n\n";
        let second = "[Event \"B\"]\n[Result \"*\"]\n\n1. e4 *\n";
        for (end, repaired_end, certainty) in [
            ("1. e4 e5 0-1", "1. e4 e5 0-1\n\n", Certainty::Certain),
            ("1. e4 e5 0-1 ", "1. e4 e5 0-1\n\n", Certainty::Certain),
            ("1. e4 e5 2. Nf3 Nc6 3. Qe", "1. e4 e5 2. Nf3 Nc6 0-1\n\n", Certainty::Likely),
            ("1. e4 e5 2. Nf3 N", "1. e4 e5 2. Nf3 0-1\n\n", Certainty::Likely),
            ("1. e4 e5 2. Nf3", "1. e4 e5 2. Nf3 0-1\n\n", Certainty::Likely),
            ("1. e4 e5 2.", "1. e4 e5 0-1\n\n", Certainty::Likely),
            ("1. e4 e5 2. Nf3\n", "1. e4 e5 2. Nf3 0-1\n\n", Certainty::Likely),
            ("1. e4 e5 {open}\n", "1. e4 e5 {open} 0-1\n\n", Certainty::Likely),
            ("1. e4 e5 ; open\n", "1. e4 e5 ; open\n0-1\n\n", Certainty::Likely),
        ] {
            let (text, repairs) = repaired(&format!("{first}{end}{second}"));
            assert_eq!((text, repairs), (format!("{first}{repaired_end}{second}"), vec![certainty]));
        }
        let (text, _) = repaired("[Event \"A\"]\r\n\r\n1. e4 *[Event \"B\"]\r\n\r\n*\r\n");
        assert_eq!(text, "[Event \"A\"]\r\n\r\n1. e4 *\r\n\r\n[Event \"B\"]\r\n\r\n*\r\n");
    }
}
