//! Games that run into each other.

use crate::{
    pgn::{begins_line, follows_blank_line, line_end},
    rules::{
        Check, Findings, Rule, Sample, Severity, Yield,
        facts::{SyntaxFault, SyntaxFaultKind},
        shown,
    },
};

/// `SYN04`
pub static RULE: Rule = Rule {
    code: code!("SYN04"),
    name: "tag-in-movetext",
    severity: Severity::Error,
    summary: "A tag pair begins before the game has ended",
    what: "A tag pair stands at the start of the line right behind movetext that has no game termination marker. Where a \
           blank line stands between the two, the sections are kept apart and only the marker is missing: that is RES01. \
           Tag pairs behind which the game goes on, and its header repeated in its midst, are reported where they stand. \
           A header that begins in the line of the marker before it is a warning, counted once per input.",
    why: "Readers take two games for one, drop the second, or lose the tag pair; a game may also have been cut in its \
           middle.",
    fix: "Find out where the first game ends, and put its termination marker and a blank line there.",
    source: "PGN standard 8.2.6 and 8",
    yields: &[Yield::InRecord(code!("SYN05")), Yield::InRecord(code!("SYN07"))],
    fires: &[Sample::Pgn(concat!(game!("First", "1-0", "1. e4 e5 2. Nf3⟦⟧"), game!("Second", "0-1", "1. d4 Nf6 2. c4 0-1")))],
    silent: &[
        Sample::Pgn(game!("First", "1-0", "1. e4 {\n[%emt 0:01:00] } 1... e5 2. Nf3 1-0")),
        // A form feed begins a page.
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
            findings.add(&RULE, facts.place).message(format!("the game has not ended when {pair} begins")).found(pair);
        }
        SyntaxFaultKind::TagsInside => {
            let pairs = shown(facts.place.of(facts.text));
            findings
                .add(&RULE, facts.place)
                .message("tag pairs stand in the movetext, and the game goes on behind them")
                .found(pairs);
        }
        SyntaxFaultKind::LostLineBreak => {
            let pair = shown(&facts.text[facts.place.start..line_end(facts.text, facts.place.start)]);
            findings
                .add(&RULE, facts.place)
                .severity(Severity::Warning)
                .message("the header begins in the line in which the game before it ends")
                .found(pair)
                .once_per_input();
        }
        _ => {}
    }
}
