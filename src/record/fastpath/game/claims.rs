//! What the end of a game, its marker and its tags claim, and whether the board may contradict.

use shakmaty::{Chess, Move};

use crate::{
    chess::{Board, winnability::is_dead},
    rules::res::draws::{DrawClaim, draw_claim, is_shown},
};

/// Whether a tag or the last comment may name a draw by a rule that the moves do not show. `plies`
/// is the number of plies from the starting position, if the game begins there.
#[cold]
pub(super) fn may_claim_wrongly(words: &[u8], board: &Board, plies: Option<u32>) -> bool {
    draw_claim(words).is_some_and(|(claim, _)| !shows(board, plies, claim))
}

/// Whether the moves are known and show the claim.
#[cold]
pub(super) fn shows(board: &Board, plies: Option<u32>, claim: DrawClaim) -> bool {
    let Some(plies) = plies.map(|plies| plies as usize) else { return false };
    let moves: Vec<Move> = board.first_moves(plies).collect();
    moves.len() == plies && is_shown(&Chess::default(), &moves, claim)
}

/// Whether a glance shows that the game may go on: that some side may mate at some time, with Black
/// (`black_to_move`) or White to move.
pub(super) fn looks_alive(board: &Board, black_to_move: bool) -> bool {
    board.looks_winnable(0, black_to_move) || board.looks_winnable(1, black_to_move)
}

/// Whether it is proven that neither side can ever mate, with Black (`black_to_move`) or White to
/// move.
pub(super) fn is_dead_on(board: &Board, black_to_move: bool) -> bool {
    !looks_alive(board, black_to_move) && board.position(black_to_move).is_none_or(|position| is_dead(&position))
}

/// Whether a glance shows that some side may mate at some time, after a move of `side`.
#[cold]
pub(super) fn somebody_may_mate(board: &Board, side: usize) -> bool {
    looks_alive(board, side == 0)
}

/// Whether the next move, at `at` after whitespace and a number, is marked as mate. The board
/// decides whether it is, as for all moves.
#[cold]
pub(super) fn is_mate_written(text: &[u8], at: usize) -> bool {
    let next = text.get(at..).unwrap_or_default().trim_ascii_start();
    let after_number = next.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.').unwrap_or(0);
    let mut words = next[after_number..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| word[0].is_ascii_alphabetic() && word.ends_with(b"#"))
}

/// Whether either side can mate with its next move, after a move of `side`. Probably Black
/// (`by_black`) or White can. If so, a wrong mate in one is at most an info.
#[cold]
pub(super) fn somebody_mates_next(board: &mut Board, side: usize, by_black: bool) -> bool {
    let black = side == 0;
    board.mates_next(black, by_black) || board.mates_next(black, !by_black)
}

/// Whether the words of the last comment may state another result than the marker.
#[cold]
pub(super) fn may_contradict(words: &[u8], marker: u64) -> bool {
    let words = words.trim_ascii_start();
    let after = |word: &[u8]| {
        let (first, rest) = words.split_at_checked(word.len())?;
        first.eq_ignore_ascii_case(word).then_some(rest)
    };
    let begins = |rest: &[u8], phrases: &[&[u8]]| phrases.iter().any(|phrase| rest.starts_with(phrase));
    let loses = |rest: &[u8]| begins(rest, &[b" resign", b" lost on time", b" loses on time", b" forfeits", b" is checkmated"]);
    let wins = |rest: &[u8]| begins(rest, &[b" wins on time", b" won on time", b" wins by", b" won by", b" mates"]);
    let (white, black) = (marker_word(b"1-0"), marker_word(b"0-1"));
    let stated = match (after(b"white"), after(b"black")) {
        (Some(rest), _) if wins(rest) => Some(white),
        (Some(rest), _) if loses(rest) => Some(black),
        (_, Some(rest)) if wins(rest) => Some(black),
        (_, Some(rest)) if loses(rest) => Some(white),
        _ => None,
    };
    match stated {
        Some(stated) => stated != marker,
        None => [&b"white"[..], b"black", b"game", b"draw"].into_iter().any(|word| after(word).is_some()),
    }
}

/// A marker as a word, first byte lowest.
pub(super) const fn marker_word(marker: &[u8]) -> u64 {
    let mut word = 0;
    let mut index = marker.len();
    while index > 0 {
        index -= 1;
        word = word << 8 | marker[index] as u64;
    }
    word
}
