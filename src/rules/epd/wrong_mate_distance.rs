//! EPD13: numbers of moves to mate that are wrong.

use super::invalid_mate_score::has_mate_score;
use shakmaty::{Chess, Color, Position};

use crate::epd::{Mate, Opcode, integer, is_mated_in, search_mate};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("EPD13"),
    name: "wrong-mate-distance",
    severity: Severity::Error,
    summary: "`dm` gives the wrong number of moves to mate",
    what: "`dm` is the number of moves in which the side to move can force mate. Up to 3 moves, \
           every move and every reply is tried. If there is no such mate, this is an error, and \
           if there is a shorter one, a warning. `bm #3` is read like `dm 3`. `bm #-3` means \
           that the side to move is mated, or that Black mates. Only if neither is so, it is an \
           error. Searches that would take too long are given up.",
    why: "The position or the number is wrong, so a correct solver seems to fail.",
    fix: "Compare the position and the number with the source.",
    source: "PGN standard 16.2.5.7",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Positions("6k1/5pp1/8/8/8/8/8/K3R3 w - - bm Re8+; dm ⟦1⟧;"),
        Sample::Positions("6k1/5ppp/8/8/8/8/8/K3R3 w - - dm ⟦2⟧;"),
    ],
    silent: &[
        Sample::Positions("6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; dm 1;"),
        Sample::Positions("6k1/5pp1/8/8/8/8/8/K3R3 w - - bm Re8+; dm 4;"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// Maximum number of moves of a mate that is searched for.
const MAX_MOVES: u32 = 3;
/// Maximum number of positions in a search.
const MAX_NODES: u64 = 200_000;

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    // The same distance can be written thousands of times in a line, and a search takes long.
    let mut searches = Searches::default();
    for operation in &facts.operations.list {
        match operation.kind {
            Opcode::Dm => {
                if let Some(moves) = facts.integer(operation) {
                    check_distance(facts, operation.operands, moves, &mut searches, findings);
                }
            }
            Opcode::Bm => {
                for operand in operation.operands(facts.text) {
                    let [b'#', digits @ ..] = operand.place.of(facts.text) else { continue };
                    match integer(digits) {
                        Some(moves @ ..0) => {
                            check_other_side(facts, operand.place, moves.saturating_neg(), &mut searches, findings)
                        }
                        Some(moves) => check_distance(facts, operand.place, moves, &mut searches, findings),
                        None => {}
                    }
                }
            }
            _ => {}
        }
    }
}

/// The results of searches for the distances from 1.
#[derive(Default)]
struct Searches {
    mates: [Option<Mate>; MAX_MOVES as usize],
    mated: [Option<Option<bool>>; MAX_MOVES as usize],
}

impl Searches {
    fn mate(&mut self, start: &Chess, moves: u32) -> Mate {
        *self.mates[moves as usize - 1].get_or_insert_with(|| search_mate(start, moves, MAX_NODES))
    }

    fn is_mated(&mut self, start: &Chess, moves: u32) -> Option<bool> {
        *self.mated[moves as usize - 1].get_or_insert_with(|| is_mated_in(start, moves, MAX_NODES))
    }
}

/// A distance that is searched for.
fn searched(moves: i64) -> Option<u32> {
    u32::try_from(moves).ok().filter(|moves| (1..=MAX_MOVES).contains(moves))
}

/// Checks the distance `moves` at `place` of a mate by the other side, or by Black: programs differ
/// in what a negative number means.
fn check_other_side(facts: &OperationFacts<'_>, place: Span, moves: i64, searches: &mut Searches, findings: &mut Findings) {
    let (Some(start), Some(moves)) = (facts.start, searched(moves)) else { return };
    if searches.is_mated(start, moves) == Some(false)
        && (start.turn() == Color::White || searches.mate(start, moves) == Mate::None)
    {
        let message = format!("the side to move is not mated in {}", quantity(moves, "move", "moves"));
        findings.add(&RULE, place).message(message).found(shown(place.of(facts.text)));
    }
}

/// Checks the distance `moves` at `place`.
fn check_distance(facts: &OperationFacts<'_>, place: Span, moves: i64, searches: &mut Searches, findings: &mut Findings) {
    let (Some(start), Some(moves)) = (facts.start, searched(moves)) else { return };
    let found = shown(place.of(facts.text));
    match searches.mate(start, moves) {
        Mate::In(shortest) if shortest < moves => {
            let finding = findings
                .add(&RULE, place)
                .severity(Severity::Warning)
                .expected(shortest.to_string())
                .message(format!("there is already a mate in {}", quantity(shortest, "move", "moves")));
            // With another number, the score would contradict it.
            if !has_mate_score(facts) {
                let digits = place.end - place.of(facts.text).iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
                let number = Span::new(digits, place.end);
                finding.repair(Certainty::Likely, Patch::replace(facts.text, number, shortest.to_string()));
            }
            finding.found = found;
        }
        Mate::None => {
            let message = format!("there is no mate in {}", quantity(moves, "move", "moves"));
            findings.add(&RULE, place).message(message).found(found);
        }
        Mate::In(_) | Mate::Unknown => {}
    }
}
