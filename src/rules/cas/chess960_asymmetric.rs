//! CAS05: the castling rights of White and Black imply different starting positions.

use shakmaty::Bitboard;

use crate::rules::prelude::*;
use crate::rules::{Note, Notes, Origin, sums_of};

pub static RULE: Rule = Rule {
    code: code!("CAS05"),
    name: "chess960-asymmetric",
    severity: Severity::Warning,
    summary: "The castling rights of White and Black imply different starting positions",
    what: "In Chess960 both sides have the same starting position. The kings and rooks that can \
        still castle must therefore be on the same files for both sides. Only games with a \
        Chess960 Variant tag are checked. If most of these games in an input are asymmetric, they \
        are double Chess960 and are not reported.",
    why: "A castling right is wrong, or the game is double Chess960.",
    fix: "Correct the castling rights or the piece placement. If the game is double Chess960, write \
        so in the Variant tag.",
    source: "FIDE Guidelines for Chess960",
    yields: &in_record([code!("CAS04"), code!("VAR03")]),
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"1rk3r1/8/8/4p3/8/8/4P3/1R1K2R1 w ⟦GBgb⟧ - 0 30\"]\n[Variant \"Chess960\"]\n\n*\n\n\
             [Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"1rk3r1/8/8/4p3/8/8/4P3/1RK3R1 w GBgb - 0 30\"]\n[Variant \"Chess960\"]\n\n*\n",
    )],
    silent: &[
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"1rk3r1/8/8/4p3/8/8/4P3/1R1K2R1 w GBgb - 0 30\"]\n\
                   [Variant \"Chess960\"]",
            moves: "*",
        },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"1rk3r1/8/8/4p3/8/8/4P3/1R1K2R1 w GBgb - 0 30\"]\n\
                   [Variant \"DFRC\"]",
            moves: "*",
        },
        Sample::Positions("1rk3r1/8/8/4p3/8/8/4P3/1R1K2R1 w GBgb - 0 30"),
    ],
    check: Check::Position(check),
    note: Some(&Note { sums: 2, of_position: Some(of_position), holds, ..Note::DEFAULTS }),
    ..Rule::DEFAULTS
};

/// Where the sums of the rule begin.
const AT: usize = sums_of(RULE.code);

/// At least half of the Chess960 games whose castling rights allow a decision have the same
/// starting position for both sides.
const SHARED_START_USUAL: Condition = Condition::new(RULE.code, 0);

/// Counts games declared to be Chess960 in which the rights of both colours fit one starting
/// position, and games in which they do not.
fn of_position(facts: &PositionFacts<'_>, count: &mut dyn FnMut(usize)) {
    if facts.origin == Origin::FenTag && facts.declared.chess960 {
        facts.shared_start().into_iter().for_each(|is_shared| count(usize::from(!is_shared)));
    }
}

fn holds(notes: &Notes, _: Condition) -> bool {
    let &[shared, different] = notes.sums(AT);
    shared >= different
}

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if !facts.has_one_start() || facts.shared_start() != Some(false) {
        return;
    }
    let Some(place) = facts.fen.castling() else { return };
    let found = shown(place.of(facts.text));
    let rooks = facts.rights().filter_map(|right| right.reading.rook());
    let kings = facts.rights().filter_map(|right| *facts.kings.get(right.letter.color()));
    let castling: Bitboard = rooks.chain(kings).collect();
    findings
        .add(&RULE, place)
        .only_if(SHARED_START_USUAL)
        .message(format!("`{found}` needs kings and rooks on the same files for White and Black, but they differ"))
        .found(found)
        .squares(castling);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Sums;

    #[test]
    fn half_of_the_games_are_usual() {
        let holds = |shared, different| {
            let mut notes = Notes::default();
            notes.count(AT, shared);
            notes.count(AT + 1, different);
            notes.hold(SHARED_START_USUAL)
        };
        assert_eq!([holds(0, 0), holds(1, 1), holds(1, 2)], [true, true, false]);
    }
}
