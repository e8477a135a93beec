//! Draws by repetition and without captures and pawn moves: those that need no claim, and claims.

use std::ops::Range;

use rustc_hash::FxHashMap;
use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

use crate::{
    pgn::KnownTag,
    rules::{facts::Ending, main_line::ClockSource},
};

/// Minimum number of plies without capture or pawn move after which a position can occur for the
/// fifth time.
const MIN_FIVEFOLD_PLIES: usize = 16;

/// Number of plies without capture or pawn move that end a game: 75 moves of each side.
const SEVENTY_FIVE_MOVES: usize = 150;

/// Number of plies without capture or pawn move after which a player can claim a draw, by writing
/// down the next move without making it.
const FIFTY_MOVES_CLAIM: usize = 99;

/// Minimum number of plies without capture or pawn move after which the next move can lead to a
/// position for the third time.
const MIN_THREEFOLD_PLIES: usize = 7;

/// The first year in which positions need not be two moves apart to count for FIDE Laws 9.6.1.
/// Since July 2014 they had to.
const FIRST_YEAR_OF_ANY_FIVE: u32 = 2018;

/// A draw that needs no claim (FIDE Laws 9.6).
pub(super) struct AutomaticDraw {
    /// The number of plies before it.
    pub plies: usize,
    /// Why the game is drawn.
    pub reason: &'static str,
    /// What it depends on.
    pub clock: ClockSource,
}

/// The first automatic draw of a game dated July 2014 or later. Positions are the same if the same
/// moves are legal in them. The clock of a FEN tag counts.
pub(super) fn automatic_draw(facts: &Ending<'_>) -> Option<AutomaticDraw> {
    let clock_at_start = facts.start.halfmoves() as usize;
    facts.position?;
    if !has_quiet_run(facts.line, MIN_FIVEFOLD_PLIES) && clock_at_start + facts.line.len() < SEVENTY_FIVE_MOVES {
        return None;
    }
    let date = facts.tags.value(KnownTag::Date).filter(|date| is_under_seventy_five_move_rule(date))?;
    find_automatic_draw(facts, number(date, 0, 4) < Some(FIRST_YEAR_OF_ANY_FIVE))
}

/// Whether the value of a Date tag is July 2014 or later. Since then, 75 moves of each side without
/// a capture or a pawn move end a game (FIDE Laws 9.6).
pub(crate) fn is_under_seventy_five_move_rule(date: &[u8]) -> bool {
    match (number(date, 0, 4), number(date, 5, 7)) {
        (Some(2015..), _) => true,
        (Some(2014), Some(month)) => month >= 7,
        _ => false,
    }
}

fn number(date: &[u8], from: usize, to: usize) -> Option<u32> {
    std::str::from_utf8(date.get(from..to)?).ok()?.parse().ok()
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

/// Replays the game up to the first automatic draw. If `apart`, the same positions have to be two
/// moves apart.
#[cold]
fn find_automatic_draw(facts: &Ending<'_>, apart: bool) -> Option<AutomaticDraw> {
    let mut position = facts.start.clone();
    // How often a position occurred, and after which ply it did last.
    let mut seen: FxHashMap<u64, (u32, usize)> = FxHashMap::default();
    let mut quiet = 0;
    seen.insert(key(&position), (1, 0));
    for (played, plies) in facts.line.iter().zip(1..) {
        let played = (*played)?;
        position.play_unchecked(played);
        quiet += 1;
        if played.is_zeroing() {
            seen.clear();
            quiet = 0;
        }
        let (count, last) = seen.entry(key(&position)).or_default();
        *count = if apart && *last + 4 != plies { 1 } else { *count + 1 };
        *last = plies;
        if *count >= 5 {
            return Some(AutomaticDraw { plies, reason: "the position occurred for the fifth time", clock: ClockSource::Moves });
        }
        if position.halfmoves() as usize >= SEVENTY_FIVE_MOVES {
            let clock = if quiet >= SEVENTY_FIVE_MOVES { ClockSource::Moves } else { ClockSource::of_start(facts) };
            let reason = "each side had made 75 moves without a capture or a pawn move";
            return Some(AutomaticDraw { plies, reason, clock });
        }
    }
    None
}

fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

/// A draw that a player can claim (FIDE Laws 9.2 and 9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DrawClaim {
    Threefold,
    FiftyMoves,
}

/// Maximum length of words that are read as a claim.
const MAX_CLAIM: usize = 60;

/// The rule by which a game was drawn, if a last comment or a tag says only that, perhaps after the
/// values of an engine. And whether it names the rule, as `3-fold repetition` does. People also
/// call it `draw by repetition` if they avoid to play it out.
pub(crate) fn draw_claim(mut words: &[u8]) -> Option<(DrawClaim, bool)> {
    while let Some(command) = words.trim_ascii_start().strip_prefix(b"[%") {
        words = &command[memchr::memchr(b']', command)? + 1..];
    }
    let (values, words) = match memchr::memrchr(b',', words) {
        Some(comma) => (&words[..comma], &words[comma + 1..]),
        None => (&[][..], words),
    };
    let is_value = |value: &[u8]| {
        let first = value.trim_ascii_start().first();
        value.contains(&b'=') || first.is_none_or(|first| first.is_ascii_digit() || matches!(first, b'+' | b'-'))
    };
    let contains = |word: &[u8]| words.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    let may_be_claim = words.len() <= MAX_CLAIM && (contains(b"rep") || contains(b"fold") || contains(b"move"));
    if !may_be_claim || !values.split(|byte| *byte == b',').all(is_value) {
        return None;
    }
    let words = std::str::from_utf8(words).ok()?.to_ascii_lowercase().replace('-', " ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = words.trim_end_matches(['.', '!', ' ']);
    let strip = |words: &'static [&str], rest| {
        let stripped = words.iter().find_map(|word| str::strip_prefix(rest, word));
        (stripped.unwrap_or(rest), stripped.is_some())
    };
    let (words, is_formal) =
        strip(&["game drawn by ", "the game is drawn by ", "game is drawn by ", "draw claim: ", "draw claimed by "], words);
    let (words, _) = strip(&["draw by ", "drawn by ", "draw: "], words);
    let (words, _) = strip(&["the ", "a "], words);
    let is_one_of = |names: &[&str]| names.contains(&words);
    if is_one_of(&[
        "3 fold repetition",
        "3 fold rep",
        "3 fold",
        "3fold repetition",
        "three fold repetition",
        "threefold repetition",
        "threefold",
        "triple repetition",
        "3 fold repetition rule",
        "threefold repetition rule",
        "threefold repetition of position",
        "three fold repetition of position",
    ]) {
        Some((DrawClaim::Threefold, true))
    } else if is_one_of(&[
        "repetition",
        "position repetition",
        "repetition of position",
        "repetition of moves",
        "move repetition",
    ]) {
        Some((DrawClaim::Threefold, is_formal))
    } else if is_one_of(&["50 move rule", "50 moves rule", "fifty move rule", "fifty moves rule"]) {
        Some((DrawClaim::FiftyMoves, true))
    } else if is_one_of(&["50 moves", "fifty moves"]) {
        Some((DrawClaim::FiftyMoves, is_formal))
    } else {
        None
    }
}

/// Whether moves from `start` show what a player needs for the claim. The claim may be about the
/// next move, and it may come late.
pub(crate) fn is_shown(start: &Chess, moves: &[Move], claim: DrawClaim) -> bool {
    let mut quiet_runs = Vec::new();
    let mut from = 0;
    for run in moves.split_inclusive(|played| played.is_zeroing()) {
        quiet_runs.push(from..from + run.iter().filter(|played| !played.is_zeroing()).count());
        from += run.len();
    }
    match claim {
        DrawClaim::FiftyMoves => {
            let clock = |run: &Range<usize>| run.len() + if run.start == 0 { start.halfmoves() as usize } else { 0 };
            quiet_runs.iter().any(|run| clock(run) >= FIFTY_MOVES_CLAIM)
        }
        DrawClaim::Threefold => {
            quiet_runs.retain(|run| run.len() >= MIN_THREEFOLD_PLIES);
            occurs_three_times(start, moves, &quiet_runs)
        }
    }
}

/// Whether a position occurs three times within one of `runs`, plies without capture or pawn move,
/// or would with one more move.
fn occurs_three_times(start: &Chess, moves: &[Move], runs: &[Range<usize>]) -> bool {
    let mut position = start.clone();
    let mut at = 0;
    for run in runs {
        moves[at..run.start].iter().for_each(|played| position.play_unchecked(*played));
        at = run.end;
        let mut seen = FxHashMap::from_iter([(key(&position), 1_u32)]);
        for played in &moves[run.clone()] {
            position.play_unchecked(*played);
            let count = seen.entry(key(&position)).or_default();
            *count += 1;
            if *count >= 3 {
                return true;
            }
        }
        let occurs_next = |next: &Move| {
            let mut after = position.clone();
            after.play_unchecked(*next);
            seen.get(&key(&after)).is_some_and(|count| *count >= 2)
        };
        if run.end == moves.len() && position.legal_moves().iter().any(occurs_next) {
            return true;
        }
    }
    false
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

    #[test]
    fn only_claims_are_claims() {
        use DrawClaim::{FiftyMoves, Threefold};
        for (words, claim) in [
            ("3-fold repetition", Some((Threefold, true))),
            ("3-fold rep", Some((Threefold, true))),
            (" Draw by 3-fold repetition. ", Some((Threefold, true))),
            ("Game drawn by repetition", Some((Threefold, true))),
            ("Draw by repetition", Some((Threefold, false))),
            ("+0.00/40 1.0s, Draw by 3-fold repetition", Some((Threefold, true))),
            ("d=7, sd=26, pv=Qd1+ Kg7, mb=+2+0, 3-Fold repetition", Some((Threefold, true))),
            ("Draw claim: 50-move rule", Some((FiftyMoves, true))),
            ("50 moves rule", Some((FiftyMoves, true))),
            ("Game drawn by the 50 move rule", Some((FiftyMoves, true))),
            ("Fifty moves", Some((FiftyMoves, false))),
            ("[%clk 0:00:09] [%eval 0.0] Threefold repetition", Some((Threefold, true))),
            ("no threefold repetition", None),
            ("White avoids a threefold repetition", None),
            ("White could claim a draw by threefold repetition", None),
            ("White could claim, draw by threefold repetition", None),
            ("Threefold repetition?", None),
            ("a draw by repetition was near", None),
            ("Black to move, and now 3-fold repetition", None),
            ("50 moves later", None),
            ("Draw by agreement", None),
            ("Game drawn by repetition of errors", None),
            ("", None),
        ] {
            assert_eq!(draw_claim(words.as_bytes()), claim, "{words}");
        }
    }
}
