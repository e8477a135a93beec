//! Proves of a position line that no rule has anything against it, without gathering facts, explaining or allocating.
//!
//! What is proven here is that [`examine_line`](super::examine_line) would find nothing of severity warning or error, whatever the rest
//! of the input turns out to be. Where the proof fails, for whatever reason, the line is examined: this path gives up early and often, and
//! never says what is wrong. A test holds the two against each other.

mod avx2;
mod game;
mod last_move;
mod line;
mod material;
mod structure;

pub use game::{AcceptedGame, FastGames};
use shakmaty::{Color, Square};

use self::material::Seen;
use super::PositionEvidence;
use crate::{
    chess::Men,
    rules::{RULES, Rule, Selection},
};

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
pub struct AcceptedLine {
    /// Where the next line begins.
    pub next: usize,
    /// Castling rights are claimed that fit an array of Chess960 or double Chess960 and not the standard one.
    pub chess960: bool,
    /// Castling rights are claimed that fit the standard array.
    pub standard: bool,
    /// Halfmove clock and fullmove number.
    pub counters: Option<(u32, u32)>,
}

impl AcceptedLine {
    /// What the position tells about the whole input, but for the convention of its en passant square, which is the business of infos.
    pub fn evidence(&self) -> PositionEvidence {
        let counters = self.counters.map(|(clock, number)| (u64::from(clock), u64::from(number)));
        PositionEvidence { chess960: self.chess960, standard: self.standard, counters, ..PositionEvidence::default() }
    }
}

/// Whether the findings that `selection` shows are those that [`accept_lines`] rules out.
pub fn fast_lines_suffice(selection: &Selection) -> bool {
    RULES.iter().all(|rule| !rule.check.is_about_positions() || !selection.shows_infos(rule))
}

/// Whether the findings that `selection` shows are those that [`FastGames`] rules out.
pub fn fast_games_suffice(selection: &Selection) -> bool {
    let is_about_games = |rule: &Rule| !rule.check.is_about_positions() && !rule.check.is_about_inputs();
    RULES.iter().all(|rule| !is_about_games(rule) || !selection.shows_infos(rule))
}

/// Reads the lines from the one that begins at `start` on, as long as each holds a position that no rule has anything against, neither an
/// error nor a warning, under no condition; and nothing else. Each is shown to `take`, which says whether to go on. That a line is not
/// shown proves nothing.
pub fn accept_lines(text: &[u8], start: usize, take: impl FnMut(AcceptedLine) -> bool) {
    avx2::accept_lines(text, start, take);
}

/// The line that begins at `start`, if it is one of [`accept_lines`].
pub fn accept_line(text: &[u8], start: usize) -> Option<AcceptedLine> {
    let mut first = None;
    accept_lines(text, start, |line| {
        first = Some(line);
        false
    });
    first
}

/// As [`accept_lines`], compiled for whatever processor the caller is compiled for; `read` reads placements as [`Men::read`] does.
#[inline(always)]
fn accept_lines_generic(
    text: &[u8],
    mut start: usize,
    read: impl Fn(&[u8]) -> Option<(Men, usize)>,
    mut take: impl FnMut(AcceptedLine) -> bool,
) {
    while let Some(line) = text.get(start..).and_then(|rest| accept_line_generic(rest, start, &read)) {
        if !take(line) {
            return;
        }
        start = line.next;
    }
}

/// The line with which `text` begins, which stands at `start`.
#[inline(always)]
fn accept_line_generic(text: &[u8], start: usize, read: impl Fn(&[u8]) -> Option<(Men, usize)>) -> Option<AcceptedLine> {
    let (position, length) = line::read(text, read)?;
    let rest = line::behind(text.get(length..)?)?;
    let seen = prove(&position)?;
    let standard = position.rights != 0 && !seen.chess960;
    let next = start + text.len() - rest.len();
    Some(AcceptedLine { next, chess960: seen.chess960, standard, counters: position.counters })
}

/// Whether these fields hold a position that no rule about positions has anything against. `false` proves nothing.
pub(super) fn accepts_fields(fields: &[u8]) -> bool {
    line::read(fields, Men::read).is_some_and(|(position, length)| length == fields.len() && prove(&position).is_some())
}

/// Proves that no rule about positions has anything against `position`; what was seen on the way.
#[inline(always)]
fn prove(position: &Position) -> Option<Seen> {
    let seen = material::look(position)?;
    let is_clean = if structure::is_untouched(&position.men) {
        last_move::is_opening(position, &seen)
    } else {
        let pawns = structure::look(position, &seen).or_else(|| structure::look_closer(position, &seen));
        pawns.is_some_and(|pawns| last_move::is_explained(position, &seen, pawns))
    };
    is_clean.then_some(seen)
}
