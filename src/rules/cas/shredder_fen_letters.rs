//! CAS03: standard castling rights are written as rook files.

use shakmaty::File;

use crate::chess::fen::RightReading;
use crate::rules::prelude::*;
use crate::rules::variant_shown::STANDARD_CHESS;

pub static RULE: Rule = Rule {
    code: code!("CAS03"),
    name: "shredder-fen-letters",
    severity: Severity::Info,
    summary: "Standard castling rights are written as rook files",
    what: "`HAha` (Shredder-FEN) means the same as `KQkq` if kings and rooks are on their standard \
        starting squares. Reported once per input, and only if nothing in the input is Chess960.",
    why: "Parsers for standard chess reject these letters.",
    fix: "Write the letters of `KQkq`.",
    source: "Shredder-FEN, X-FEN",
    repairs: Some(Certainty::Certain),
    fires: &[Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w ⟦HAha⟧ - 0 1")],
    silent: &[
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w KQkq - 0 1"),
        Sample::Positions("r2k3r/8/4p3/8/8/8/8/R2K3R w HAha - 0 1"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(place) = facts.fen.castling().filter(|_| !facts.declared.chess960) else { return };
    let letters = facts.castling.letters().filter(|letter| letter.rook_file().is_some()).count();
    if letters == 0
        || !facts.rights().all(|right| matches!(right.reading, RightReading::Standard(_)))
        || facts.rights().count() < letters
    {
        return;
    }
    let mut expected: Vec<char> = facts
        .rights()
        .filter_map(|right| {
            let letter = if right.reading.rook()?.file() == File::H { 'k' } else { 'q' };
            Some(right.letter.color().fold_wb(letter.to_ascii_uppercase(), letter))
        })
        .collect();
    expected.sort_by_key(|letter| "KQkq".find(*letter));
    expected.dedup();
    let expected: String = expected.into_iter().collect();
    let finding = findings.add(&RULE, place);
    if facts.rights().count() == facts.castling.letters().count() {
        finding.repair(Certainty::Certain, Patch::replace(facts.text, place, expected.as_str()));
    }
    finding
        .only_if(STANDARD_CHESS)
        .once_per_input()
        .found(shown(place.of(facts.text)))
        .expected(expected)
        .message("castling rights are written as rook files, but `KQkq` means the same here");
}
