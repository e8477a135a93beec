//! `king-count`.

use shakmaty::{Bitboard, Color};

use crate::{
    chess::color_name,
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS01: a side has not exactly one king.
pub static RULE: Rule = Rule {
    code: code!("POS01"),
    name: "king-count",
    severity: Severity::Error,
    summary: "A side has not exactly one king",
    what: "Each side has one king, always.",
    why: "Nothing can be said about checks or legal moves.",
    fix: "Correct the placement, or say by a Variant tag that this is another game.",
    source: "Laws of Chess, articles 1.4 and 2.2",
    fires: &[Sample::Positions("⟦8/2K5/8/8/2K5/4NB2/8/k7⟧ w - - 0 1"), Sample::Positions("⟦8/8/8/8/8/8/8/4K3⟧ w - - 0 1")],
    silent: &[Sample::Positions("8/2K5/8/8/8/4NB2/8/k7 w - - 0 1")],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(board) = &facts.board else { return };
    let of = |color: Color| board.kings() & board.by_color(color);
    let (white, black) = (of(Color::White), of(Color::Black));
    if (white.count(), black.count()) != (1, 1) {
        findings
            .add(&RULE, facts.placement_place())
            .found(format!("{} white, {} black", white.count(), black.count()))
            .expected("1 white, 1 black")
            .message(
                [told(Color::White, white), told(Color::Black, black)].into_iter().flatten().collect::<Vec<_>>().join(" and "),
            );
    }
}

/// What is wrong with the kings of a side, if anything is.
fn told(color: Color, kings: Bitboard) -> Option<String> {
    let color = color_name(color);
    match kings.count() {
        0 => Some(format!("{color} has no king")),
        1 => None,
        count => {
            let squares: Vec<String> = kings.into_iter().map(|square| square.to_string()).collect();
            Some(format!("{color} has {count} kings ({})", squares.join(", ")))
        }
    }
}
