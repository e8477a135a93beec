//! `king-not-home`.

use shakmaty::{Color, Square};

use crate::{
    chess::{color_name, fen::RightReading},
    rules::{Check, Findings, Repair, Rule, Sample, Severity, Span, facts::PositionFacts, shown},
};

/// CAS01: castling is claimed for a king that cannot be unmoved.
pub static RULE: Rule = Rule {
    code: code!("CAS01"),
    name: "king-not-home",
    severity: Severity::Error,
    summary: "Castling is claimed for a king that cannot be unmoved",
    what: "A side that may castle has its king on e1 or e8 in standard chess; in Chess960 and double Chess960 it stands on its back rank, between the a- and the h-file and between its rooks. Only what fits none of these is reported. Sides without exactly one king are not judged.",
    why: "The king has moved, so that the right is lost for ever. Readers drop the right or castle with a king that is elsewhere.",
    fix: "Take the letters out.",
    source: "Laws of Chess, article 3.8.2; FIDE Guidelines for Chess960",
    fires: &[Sample::Positions("r3k2r/8/4p3/8/8/8/4K3/R6R w ⟦KQ⟧kq - 0 1")],
    silent: &[
        Sample::Positions("r2k3r/8/4p3/8/8/8/8/R2K3R w KQkq - 0 1"),
        Sample::Positions("r3k2r/8/4p3/8/8/8/4K3/R6R w kq - 0 1"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    report(facts, findings, &RULE, RightReading::KingNotHome, |color, king, _| {
        format!("{} claims castling, but its king on {king} cannot be unmoved between two rooks of any array", color_name(color))
    });
}

/// Adds a finding for each colour that has a right with this reading. The message is given the king and the squares or files
/// that the letters name.
pub(super) fn report(
    facts: &PositionFacts<'_>,
    findings: &mut Findings,
    rule: &'static Rule,
    reading: RightReading,
    message: impl Fn(Color, Square, &str) -> String,
) {
    if !facts.rights().any(|right| right.reading == reading) {
        return;
    }
    for color in [Color::White, Color::Black] {
        let wrong = || facts.rights().filter(|right| right.letter.color() == color && right.reading == reading);
        let (Some(first), Some(last)) = (wrong().next(), wrong().last()) else { continue };
        let Some(king) = *facts.kings.get(color) else { continue };
        let letters: String = wrong().map(|right| char::from(right.letter.letter)).collect();
        let place = Span::new(facts.letter_place(first.letter).start, facts.letter_place(last.letter).end);
        let field = facts.fen.castling().unwrap_or(place);
        let finding = findings.add(rule, place).message(message(color, king, &letters));
        finding.found(shown(field.of(facts.text))).expected(facts.allowed_castling());
        finding.repair = Some(Repair::Likely);
    }
}
