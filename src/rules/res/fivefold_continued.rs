//! RES10: games that go on after the laws have ended them as drawn.

use std::collections::HashMap;

use shakmaty::{EnPassantMode, KnownOutcome, Move, Position, zobrist::Zobrist64};

use super::{Stated, Termination, place_of_ply};
use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::Ending},
};

/// A position can stand for the fifth time after so many plies without capture or pawn move.
const SHORTEST_FIVEFOLD: usize = 16;

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES10"),
    name: "fivefold-continued",
    severity: Severity::Warning,
    summary: "The game went on after a fivefold repetition or 75 moves without capture or pawn move",
    what: "The same position stood on the board for the fifth time, or 75 moves of each side were made without capture or pawn move, and moves follow, in a game from July 2014 or later. \
           A warning where a win is stated and FIDE ids show that the Laws of Chess governed the game, unless the Termination tag speaks of an adjudication, a forfeit or the like; otherwise an info: servers and engine matches have rules of their own. \
           Positions are the same where the same moves are legal. Games with null moves are spared.",
    why: "Under the Laws of Chess such a game is drawn without a claim.",
    fix: "Compare the moves with the source: one may have been entered twice. Otherwise the game was drawn.",
    source: "Laws of Chess 9.6, in force since 1 July 2014",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[WhiteFideId \"1503014\"]\n[BlackFideId \"5000017\"]\n\n\
             1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n8. Ng1 Ng8 9. ⟦e4⟧ e5 1-0\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n\
             1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n8. Ng1 Ng8 9. ⟦e4⟧ e5 *\n",
        ),
    ],
    silent: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n\n\
             1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n8. Ng1 Ng8 1/2-1/2\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2014.06.30\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
             1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n8. Ng1 Ng8 9. e4 e5 1-0\n",
        ),
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

/// What ended the game, and after how many plies.
enum End {
    Fivefold(usize),
    SeventyFive(usize),
}

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let carried = facts.start.halfmoves() as usize;
    let line = facts.line;
    if facts.position.is_none() || !has_quiet_run(line, SHORTEST_FIVEFOLD) && carried + line.len() <= 150 {
        return;
    }
    if !facts.tags.value(KnownTag::Date).is_some_and(super::is_under_seventy_five_move_rule) {
        return;
    }
    let Some(end) = end_by_law(facts).filter(|end| match end {
        End::Fivefold(plies) | End::SeventyFive(plies) => *plies < line.len(),
    }) else {
        return;
    };
    let (plies, what) = match end {
        End::Fivefold(plies) => (plies, "the position stood on the board for the fifth time"),
        End::SeventyFive(plies) => (plies, "75 moves of each side were made without capture or pawn move"),
    };
    let governed = [KnownTag::WhiteFideId, KnownTag::BlackFideId].into_iter().any(|tag| facts.tags.pair(tag).is_some());
    let decisive = Stated::of(facts).against(KnownOutcome::Draw).is_some() && Termination::of(facts.tags) == Termination::Unsaid;
    let finding = findings.add(&RULE, place_of_ply(facts, plies as u32 + 1)).ply(plies as u32 + 1);
    if !(governed && decisive) {
        finding.severity(Severity::Info);
    }
    let more = line.len() - plies;
    let went_on = if more == 1 { "1 ply follows".to_owned() } else { format!("{more} plies follow") };
    finding.message(format!("after ply {plies} {what}, which ends a game as drawn, but {went_on}"));
}

/// Whether there are so many plies in a row without capture or pawn move. Looks at few of the plies.
fn has_quiet_run(line: &[Option<Move>], run: usize) -> bool {
    let mut from = 0;
    while let Some(window) = line.get(from..from + run) {
        match window.iter().rposition(|played| played.is_none_or(|played| played.is_zeroing())) {
            Some(at) => from += at + 1,
            None => return true,
        }
    }
    false
}

/// Plays the game again, up to where the laws end it.
#[cold]
fn end_by_law(facts: &Ending<'_>) -> Option<End> {
    let mut position = facts.start.clone();
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut note = |position: &shakmaty::Chess, fresh: bool| {
        if fresh {
            seen.clear();
        }
        let count = seen.entry(position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0).or_default();
        *count += 1;
        *count >= 5
    };
    note(&position, true);
    for (played, plies) in facts.line.iter().zip(1..) {
        let played = (*played)?;
        position.play_unchecked(played);
        if note(&position, played.is_zeroing()) {
            return Some(End::Fivefold(plies));
        }
        if position.halfmoves() >= 150 {
            return Some(End::SeventyFive(plies));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    #[test]
    fn quiet_runs_are_found_wherever_they_stand() {
        let quiet = Some(Move::Normal { role: Role::Knight, from: Square::G1, capture: None, to: Square::F3, promotion: None });
        let pawn = Some(Move::Normal { role: Role::Pawn, from: Square::E2, capture: None, to: Square::E3, promotion: None });
        for length in 0..12 {
            for mask in 0..1u32 << length {
                let line: Vec<Option<Move>> = (0..length).map(|at| if mask >> at & 1 == 1 { pawn } else { quiet }).collect();
                let plain = line.windows(3).any(|window| window.iter().all(|played| *played == quiet));
                assert_eq!(has_quiet_run(&line, 3), plain, "{mask:b} {length}");
            }
        }
    }
}
