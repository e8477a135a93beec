//! Proves of a position line that no rule has anything against it, without gathering facts, explaining or allocating.
//!
//! What is proven here is that [`examine_line`](super::examine_line) would find nothing of severity warning or error, whatever the rest
//! of the input turns out to be. Where the proof fails, for whatever reason, the line is examined: this path gives up early and often, and
//! never says what is wrong. A test holds the two against each other.

mod game;
mod last_move;
mod line;
mod men;
mod structure;
mod wide;

pub use game::{CleanGame, CleanGames};
use shakmaty::{Color, Square};

use self::men::Seen;
use super::{Check, PositionEvidence, RULES, Selection};
use crate::chess::Men;

/// A position that is spelt as it should be. Nothing is known of what it means.
#[derive(Clone, Copy, Debug)]
struct Position {
    men: Men,
    turn: Color,
    /// The castling rights `KQkq`, a bit each, `K` the lowest.
    rights: u8,
    /// The files of the rooks that may castle, a bit each, of White and of Black, where these are written instead.
    rook_files: [u8; 2],
    en_passant: Option<Square>,
    /// Halfmove clock and fullmove number; less than 1000 each.
    counters: Option<(u32, u32)>,
}

/// A line that no rule has anything against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CleanLine {
    /// Where the next line begins.
    pub next: usize,
    /// Castling rights are claimed that fit an array of Chess960 or double Chess960 and not the standard one.
    pub chess960: bool,
    /// Castling rights are claimed that fit the standard array.
    pub standard: bool,
    /// Halfmove clock and fullmove number.
    pub counters: Option<(u32, u32)>,
}

impl CleanLine {
    /// What the position tells about the whole input, but for the convention of its en passant square, which is the business of infos.
    pub fn evidence(&self) -> PositionEvidence {
        let counters = self.counters.map(|(clock, number)| (u64::from(clock), u64::from(number)));
        PositionEvidence { chess960: self.chess960, standard: self.standard, counters, ..PositionEvidence::default() }
    }
}

/// Whether the findings that `selection` shows are those that [`clean_lines`] rules out.
pub fn clean_lines_suffice(selection: &Selection) -> bool {
    RULES.iter().all(|rule| match rule.check {
        Check::Position(_) | Check::Structure(_) | Check::LastMove(_) | Check::Operations(_) => !selection.shows_infos(rule),
        Check::Bytes(_) | Check::Syntax(_) | Check::Tags(_) | Check::Ply(_) | Check::Unplayable(_) => true,
        Check::Command(_) | Check::Clock(_) | Check::Remark(_) => true,
        Check::Number(_) | Check::Layout(_) | Check::Ending(_) | Check::Hint | Check::Input => true,
    })
}

/// Whether the findings that `selection` shows are those that [`CleanGames`] rules out.
pub fn clean_games_suffice(selection: &Selection) -> bool {
    RULES.iter().all(|rule| match rule.check {
        Check::Position(_) | Check::Structure(_) | Check::LastMove(_) | Check::Operations(_) | Check::Input => true,
        _ => !selection.shows_infos(rule),
    })
}

/// Reads the lines from the one that begins at `start` on, as long as each holds a position that no rule has anything against, neither an
/// error nor a warning, under no condition; and nothing else. Each is shown to `take`, which says whether to go on. That a line is not
/// shown proves nothing.
pub fn clean_lines(text: &[u8], start: usize, take: impl FnMut(CleanLine) -> bool) {
    wide::clean_lines(text, start, take);
}

/// The line that begins at `start`, if it is one of [`clean_lines`].
pub fn clean_line(text: &[u8], start: usize) -> Option<CleanLine> {
    let mut first = None;
    clean_lines(text, start, |line| {
        first = Some(line);
        false
    });
    first
}

/// As [`clean_lines`], compiled for whatever processor the caller is compiled for; `read` reads placements as [`Men::read`] does.
#[inline(always)]
fn clean_lines_here(
    text: &[u8],
    mut start: usize,
    read: impl Fn(&[u8]) -> Option<(Men, usize)>,
    mut take: impl FnMut(CleanLine) -> bool,
) {
    while let Some(line) = text.get(start..).and_then(|rest| clean_line_here(rest, start, &read)) {
        if !take(line) {
            return;
        }
        start = line.next;
    }
}

/// The line with which `text` begins, which stands at `start`.
#[inline(always)]
fn clean_line_here(text: &[u8], start: usize, read: impl Fn(&[u8]) -> Option<(Men, usize)>) -> Option<CleanLine> {
    let (position, length) = line::read(text, read)?;
    let rest = line::behind(text.get(length..)?)?;
    let seen = prove(&position)?;
    let standard = position.rights != 0 && !seen.chess960;
    let next = start + text.len() - rest.len();
    Some(CleanLine { next, chess960: seen.chess960, standard, counters: position.counters })
}

/// Whether these fields hold a position that no rule about positions has anything against. `false` proves nothing.
pub(super) fn fields_are_clean(fields: &[u8]) -> bool {
    line::read(fields, Men::read).is_some_and(|(position, length)| length == fields.len() && prove(&position).is_some())
}

/// Proves that no rule about positions has anything against `position`; what was seen on the way.
#[inline(always)]
fn prove(position: &Position) -> Option<Seen> {
    let seen = men::look(position)?;
    let is_clean = if structure::is_untouched(&position.men) {
        last_move::is_opening(position, &seen)
    } else {
        let pawns = structure::look(position, &seen).or_else(|| structure::look_closer(position, &seen));
        pawns.is_some_and(|pawns| last_move::is_explained(position, &seen, pawns))
    };
    is_clean.then_some(seen)
}
