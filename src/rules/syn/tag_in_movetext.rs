//! SYN04: tag pairs inside movetext.

use crate::{
    pgn::{begins_line, follows_blank_line, line_end},
    rules::{
        Check, Findings, Rule, Sample, Severity, Yield,
        facts::{SyntaxFault, SyntaxFaultKind},
        shown,
    },
};

pub static RULE: Rule = Rule {
    code: code!("SYN04"),
    name: "tag-in-movetext",
    severity: Severity::Error,
    summary: "A tag pair begins before the game has ended",
    what: "A tag pair follows movetext that has no game termination marker, without a blank line \
           in between. After a blank line, only the marker is missing: see RES01. Tag pairs in the \
           middle of a game are also reported. A header on the same line as the end of the \
           previous game is a warning, reported once per input.",
    why: "Readers merge two games into one, drop the second game, or lose the tag pair. The game \
           may also have been cut off.",
    fix: "Find out where the first game ends, and put its termination marker and a blank line \
           there.",
    source: "PGN standard 8, 8.2.6",
    yields: &[Yield::InRecord(code!("SYN05")), Yield::InRecord(code!("SYN07"))],
    fires: &[Sample::Pgn(concat!(game!("First", "1-0", "1. e4 e5 2. Nf3⟦⟧"), game!("Second", "0-1", "1. d4 Nf6 2. c4 0-1")))],
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
        SyntaxFaultKind::TagInMovetext { next } => {
            let blank = begins_line(facts.text, next) && follows_blank_line(facts.text, next);
            if next >= facts.text.len() || blank {
                return;
            }
            let pair = shown(&facts.text[next..line_end(facts.text, next)]);
            findings
                .add(&RULE, facts.place)
                .message(format!("`{pair}` begins, but the game before it has no termination marker"))
                .found(pair);
        }
        SyntaxFaultKind::TagsInside => {
            let pairs = shown(facts.place.of(facts.text));
            findings.add(&RULE, facts.place).message("there are tag pairs in the middle of the movetext").found(pairs);
        }
        SyntaxFaultKind::LostLineBreak => {
            let pair = shown(&facts.text[facts.place.start..line_end(facts.text, facts.place.start)]);
            findings
                .add(&RULE, facts.place)
                .severity(Severity::Warning)
                .message("the header begins on the line on which the previous game ends")
                .found(pair)
                .once_per_input();
        }
        _ => {}
    }
}
