//! Compares evaluations with each other and with the end of the game.

use super::header::Header;
use crate::{chess::Board, pgn};

/// Minimum number of plies with the same evaluation for a finding.
const MAX_RUN: u32 = 10;
/// From this many hundredths of a pawn on, the same evaluation is not a finding.
const TABLEBASE_WIN: u32 = 5000;
/// From this many hundredths of a pawn on, an evaluation can contradict the material.
const DECISIVE: u32 = 300;
/// From this many hundredths of a pawn on, an evaluation can contradict the result.
const CONTRARY: u32 = 500;

/// An evaluation from White's point of view: hundredths of a pawn, or [`Evaluation::MATE`] and the
/// moves to mate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Evaluation(i32);

impl Evaluation {
    /// More than any number of hundredths.
    const MATE: i32 = 1 << 30;

    /// Hundredths of a pawn.
    #[inline(always)]
    pub(super) const fn centipawns(value: i32) -> Evaluation {
        Evaluation(value)
    }

    /// A mate in this number of moves.
    pub(super) const fn mate(black: bool, moves: i32) -> Evaluation {
        Evaluation(if black { -Evaluation::MATE - moves } else { Evaluation::MATE + moves })
    }

    /// The same value. `None` for numbers that nobody writes.
    pub(super) fn of(value: pgn::Evaluation) -> Option<Evaluation> {
        let within = |value: i64| i32::try_from(value).ok().filter(|value| value.unsigned_abs() < Evaluation::MATE as u32 / 2);
        match value {
            pgn::Evaluation::Centipawns(value) => within(value).map(Evaluation::centipawns),
            pgn::Evaluation::Mate(moves) => {
                within(moves).filter(|moves| *moves != 0).map(|moves| Evaluation::mate(moves < 0, moves.abs()))
            }
        }
    }

    #[inline(always)]
    const fn is_mate(self) -> bool {
        self.0.unsigned_abs() >= Evaluation::MATE as u32
    }

    /// The side that it favours, if it is not 0.
    #[inline(always)]
    const fn favoured(self) -> usize {
        (self.0 < 0) as usize
    }
}

/// The evaluations of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Evaluations {
    /// The ply of the last one; 0 before the first one.
    ply: u32,
    last: Evaluation,
    /// Number of plies in a row with this value.
    run: u32,
    /// Number of such rows.
    runs: u32,
    /// Whether it is a mate for the side that had just moved.
    announced: bool,
}

impl Evaluations {
    /// Whether an evaluation after ply `ply`, a move of `side`, agrees with the earlier ones.
    #[inline(always)]
    pub(super) fn accept(&mut self, side: usize, ply: u32, value: Evaluation) -> bool {
        if ply == self.ply {
            return false;
        }
        if value == self.last {
            self.run += 1;
        } else {
            (self.run, self.runs) = (1, self.runs + 1);
        }
        let fits = !self.announced || (value.0 != 0 && value.favoured() == self.last.favoured());
        self.announced = value.is_mate() && value.favoured() == side;
        self.ply = ply;
        self.last = value;
        fits && (self.run < MAX_RUN || value.0 == 0 || value.0.unsigned_abs() >= TABLEBASE_WIN)
    }

    /// Whether the last evaluation agrees with the end of the game after `plies` plies. With
    /// `by_players`, the engines that played wrote them.
    #[inline(always)]
    pub(super) fn fit_end(&self, text: &[u8], header: &Header, board: &Board, plies: u32, by_players: bool) -> bool {
        self.last.0 == 0 || self.last_fits_end(text, header, board, plies, by_players)
    }

    #[inline(never)]
    fn last_fits_end(&self, text: &[u8], header: &Header, board: &Board, plies: u32, by_players: bool) -> bool {
        let (size, favoured) = (self.last.0.unsigned_abs(), self.last.favoured());
        let loses = header.winner().is_some_and(|winner| winner != favoured);
        let contrary = if by_players { DECISIVE } else { CONTRARY };
        let against_result = size >= contrary && loses && !header.is_time_forfeit(text);
        let for_bare_king = size >= DECISIVE && board.has_bare_king(favoured);
        let black_to_move = header.is_black_to_move(plies);
        let against_board = self.last.is_mate() && favoured == usize::from(black_to_move) && !board.can_move(black_to_move);
        let is_stuck = self.last.is_mate() && self.runs == 1 && self.run >= MAX_RUN;
        !against_result && !for_bare_king && !against_board && !is_stuck
    }
}
