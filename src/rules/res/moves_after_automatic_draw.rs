//! RES10: games that continue after an automatic draw.

use std::collections::HashMap;

use shakmaty::{EnPassantMode, KnownOutcome, Move, Position, zobrist::Zobrist64};

use super::{Stated, Termination, plies_follow};
use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::Ending, main_line::place_of_ply},
};

/// Minimum number of plies without capture or pawn move after which a position can occur for the
/// fifth time.
const MIN_FIVEFOLD_PLIES: usize = 16;

/// Number of plies without capture or pawn move that end a game: 75 moves of each side.
const SEVENTY_FIVE_MOVES: usize = 150;

pub static RULE: Rule = Rule {
    code: code!("RES10"),
    name: "moves-after-automatic-draw",
    severity: Severity::Warning,
    summary: "The game continued after an automatic draw",
    what: "The same position occurred for the fifth time, or each side made 75 moves without a \
           capture or a pawn move, and the game continued. Only games dated July 2014 or later \
           and without null moves are checked. This is a warning if a player has a FIDE id and a \
           win is recorded that the Termination tag does not explain. Otherwise it is an info, \
           because servers and engine matches have their own rules.",
    why: "Under the FIDE Laws such a game is drawn without a claim.",
    fix: "Compare the moves with another source, because some may have been entered twice. If the \
           moves are right and the FIDE Laws apply, write `1/2-1/2`.",
    source: "FIDE Laws 9.6, in force since 1 July 2014",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[WhiteFideId \"1503014\"]\n[BlackFideId \"5000017\"]\n\n\
             1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n8. Ng1 Ng8 9. ⟦e4⟧ e5 1-0\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n\
             1. Nf3 (1. e4 e5) 1... Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n8. Ng1 Ng8 9. ⟦e4⟧ e5 *\n",
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

/// The automatic draw, and the number of plies before it.
enum AutomaticDraw {
    Fivefold(usize),
    SeventyFive(usize),
}

/// Positions are the same if the same moves are legal in them. The clock of a FEN tag counts.
fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let clock_at_start = facts.start.halfmoves() as usize;
    let line = facts.line;
    if facts.position.is_none() || !has_quiet_run(line, MIN_FIVEFOLD_PLIES) && clock_at_start + line.len() <= SEVENTY_FIVE_MOVES {
        return;
    }
    if !facts.tags.value(KnownTag::Date).is_some_and(super::is_under_seventy_five_move_rule) {
        return;
    }
    let Some(draw) = find_automatic_draw(facts).filter(|draw| match draw {
        AutomaticDraw::Fivefold(plies) | AutomaticDraw::SeventyFive(plies) => *plies < line.len(),
    }) else {
        return;
    };
    let (plies, what) = match draw {
        AutomaticDraw::Fivefold(plies) => (plies, "the position occurred for the fifth time"),
        AutomaticDraw::SeventyFive(plies) => (plies, "each side had made 75 moves without a capture or a pawn move"),
    };
    let has_fide_id = [KnownTag::WhiteFideId, KnownTag::BlackFideId].into_iter().any(|tag| facts.tags.pair(tag).is_some());
    let is_unexplained_win =
        Stated::of(facts).contradicting(KnownOutcome::Draw).is_some() && Termination::of(facts.tags) == Termination::Unexplained;
    let finding = findings.add(&RULE, place_of_ply(facts, plies as u32 + 1)).ply(plies as u32 + 1);
    if !(has_fide_id && is_unexplained_win) {
        finding.severity(Severity::Info);
    }
    let follow = plies_follow(line.len() - plies);
    finding.message(format!("after ply {plies} {what}, an automatic draw, but {follow}"));
}

/// Whether `run` plies in a row are without capture or pawn move. Looks at few of the plies.
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

/// Replays the game up to the first automatic draw.
#[cold]
fn find_automatic_draw(facts: &Ending<'_>) -> Option<AutomaticDraw> {
    let mut position = facts.start.clone();
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut is_fifth = |position: &shakmaty::Chess, irreversible: bool| {
        if irreversible {
            seen.clear();
        }
        let count = seen.entry(position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0).or_default();
        *count += 1;
        *count >= 5
    };
    is_fifth(&position, true);
    for (played, plies) in facts.line.iter().zip(1..) {
        let played = (*played)?;
        position.play_unchecked(played);
        if is_fifth(&position, played.is_zeroing()) {
            return Some(AutomaticDraw::Fivefold(plies));
        }
        if position.halfmoves() as usize >= SEVENTY_FIVE_MOVES {
            return Some(AutomaticDraw::SeventyFive(plies));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    #[test]
    fn quiet_runs_are_found_at_every_place_of_the_line() {
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
