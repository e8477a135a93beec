//! CAS01: the king has castling rights away from its starting square.

use shakmaty::{Bitboard, Color, File, Rank, Square};

use super::{Exception, exception};
use crate::chess::fen::RightReading;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CAS01"),
    name: "king-not-home",
    severity: Severity::Error,
    summary: "The king has castling rights away from its starting square",
    what: "In standard chess, a king with castling rights is on e1 or e8. In Chess960 and double \
        Chess960, it is on its back rank between the a-file and the h-file, with at most one \
        castling rook on each side. Rights that fit none of these are an error. Rights that fit \
        only Chess960 are a warning, unless tags, `--variant chess960` or most positions of the input show \
        that it is Chess960. With `--variant standard`, they are an error. If 20 or more records have such rights, this is reported once per \
        input. Sides without exactly one king are not checked.",
    why: "The king has moved, so the castling rights are lost. Programs drop them, or castle with \
        a king on another square.",
    fix: "Remove the castling letters of that side.",
    source: "FIDE Laws 3.8.2; FIDE Guidelines for Chess960",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Positions("r3k2r/8/4p3/8/8/8/4K3/R6R w ⟦KQ⟧kq - 0 1"),
        Sample::Positions("4k3/8/8/8/8/8/8/3K3R w ⟦K⟧ - 0 1"),
        // One field, one finding: no rook for White's `K`, and Black's king is away.
        Sample::Positions("4Q3/8/8/8/1k1N4/1P6/8/R3K1B1 w ⟦KQkq⟧ - 0 1"),
        Sample::Positions("r3k2r/4p3/8/8/8/5N2/4P3/R3K2R b KQkq - 0 40\n4k3/4p3/8/8/8/5N2/4P3/2K4R b ⟦K⟧ - 0 40"),
    ],
    silent: &[
        // Most positions are Chess960.
        Sample::Positions("r2k3r/8/4p3/8/8/8/8/R2K3R w KQkq - 0 1\nr1k4r/8/4p3/8/8/8/8/R1K4R w KQkq - 0 1"),
        Sample::Positions("r3k2r/8/4p3/8/8/8/4K3/R6R w kq - 0 1"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    report(facts, findings, &RULE);
    if let Some(exception) = exception(facts, |king| king != File::E) {
        let Exception { color, king, letters, .. } = &exception;
        let (rights, are) =
            if letters.len() == 1 { ("the castling right", "it is") } else { ("the castling rights", "they are") };
        let home = color.fold_wb(Square::E1, Square::E8);
        let fault = format!("{} has {rights} `{letters}` with its king on {king}, not on {home}", color_name(*color));
        exception.report(&RULE, fault, &format!("{are} stale"), findings);
    }
}

/// Reports the rights that fit no starting position, once for the whole field: under this rule if a
/// king is not at home, otherwise under CAS02. Marks the kings, and the squares of missing rooks.
pub(super) fn report(facts: &PositionFacts<'_>, findings: &mut Findings, rule: &'static Rule) {
    let away = facts.rights().any(|right| right.reading == RightReading::KingNotHome);
    let wrong = || facts.rights().filter(|right| right.reading.rook().is_none());
    let (Some(first), Some(last)) = (wrong().next(), wrong().last()) else { return };
    if (rule.code == RULE.code) != away {
        return;
    }
    let place = Span::new(facts.letter_place(first.letter).start, facts.letter_place(last.letter).end);
    let field = facts.fen.castling().unwrap_or(place);
    let finding = findings.add(rule, place);
    let mut parts = Vec::new();
    for color in [Color::White, Color::Black] {
        for reading in [RightReading::KingNotHome, RightReading::RookMissing] {
            let of_color = || wrong().filter(|right| right.letter.color() == color && right.reading == reading);
            let letters: String = of_color().map(|right| char::from(right.letter.letter)).collect();
            let Some(king) = facts.kings.get(color).filter(|_| !letters.is_empty()) else { continue };
            parts.push(reason(color, king, reading, &letters));
            finding.squares(king);
            if reading == RightReading::RookMissing {
                finding.squares(of_color().map(|right| right.letter.standard_rook()).collect::<Bitboard>());
            }
        }
    }
    let allowed = facts.allowed_castling();
    finding.repair(Certainty::Likely, Patch::replace(facts.text, field, allowed.as_str()));
    finding.found(shown(field.of(facts.text))).expected(allowed).message(parts.join("; "));
}

/// What is wrong with these rights.
fn reason(color: Color, king: Square, reading: RightReading, letters: &str) -> String {
    let side = color_name(color);
    let can_be_home = king.rank() == color.fold_wb(Rank::First, Rank::Eighth) && !matches!(king.file(), File::A | File::H);
    if reading == RightReading::RookMissing {
        format!("{side}'s king on {king} has no rook for `{letters}`")
    } else if can_be_home {
        format!("two of the rooks for `{letters}` are on one side of {side}'s king on {king}")
    } else {
        format!("{side}'s king on {king} is not on a starting square for `{letters}`")
    }
}
