//! Endgame tablebases: what is proven about positions with few pieces.

use std::{
    cmp::Ordering,
    io,
    path::{Path, PathBuf},
};

use shakmaty::{Chess, Color, Position};
use shakmaty_syzygy::{AmbiguousWdl, Dtz, MaybeRounded, ProbeError, SyzygyError, Tablebase, Wdl};

/// How a position ends if both sides play as well as possible, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Prospect {
    /// The side to move loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Prospect {
    /// The prospect of the other side.
    #[must_use]
    pub const fn reversed(self) -> Prospect {
        match self {
            Prospect::Loss => Prospect::Win,
            Prospect::Draw => Prospect::Draw,
            Prospect::Win => Prospect::Loss,
        }
    }
}

/// What a tablebase says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableVerdict {
    /// The prospect without the fifty-move rule.
    pub unlimited: Prospect,
    /// The prospect under the fifty-move rule (FIDE Laws 9.3). `None` if it depends on a halfmove
    /// clock that is not known, on the rounding of the tables, or on a table that is missing.
    pub limited: Option<Prospect>,
    /// Plies until the next mate, capture or pawn move that the winner can force. The true number
    /// may be one higher. `None` in a drawn position, in one that is drawn by the fifty-move rule
    /// whatever the clock is, or if it is not known.
    pub zeroing_plies: Option<u32>,
}

impl TableVerdict {
    /// The verdict on a draw that nothing can change.
    pub const DRAW: TableVerdict = TableVerdict { unlimited: Prospect::Draw, limited: Some(Prospect::Draw), zeroing_plies: None };

    /// The side that wins with the fifty-move rule and without it.
    pub fn certain_winner(&self, turn: Color) -> Option<Color> {
        match (self.unlimited, self.limited) {
            (Prospect::Win, Some(Prospect::Win)) => Some(turn),
            (Prospect::Loss, Some(Prospect::Loss)) => Some(!turn),
            _ => None,
        }
    }

    /// The side that wins without the fifty-move rule. The other one does not win with it either.
    pub fn winner(&self, turn: Color) -> Option<Color> {
        match self.unlimited {
            Prospect::Win => Some(turn),
            Prospect::Loss => Some(!turn),
            Prospect::Draw => None,
        }
    }

    /// Whether the winner needs more moves than the fifty-move rule allows, even after a clock of
    /// 0.
    pub fn is_win_too_long(&self) -> bool {
        self.unlimited != Prospect::Draw && self.limited == Some(Prospect::Draw) && self.zeroing_plies.is_none()
    }

    /// Whether `color` wins neither with the fifty-move rule nor without it. `turn` is the side to
    /// move.
    pub fn excludes_win_of(&self, color: Color, turn: Color) -> bool {
        self.winner(turn) != Some(color)
    }

    /// Whether a move that leads from a position with this verdict to one with the verdict `after`,
    /// for the other side, gives up a win or a draw, both with the fifty-move rule and without it.
    /// `None` if that is not certain.
    pub fn is_given_up(&self, after: &TableVerdict) -> Option<bool> {
        let unlimited = after.unlimited.reversed().cmp(&self.unlimited);
        let limited = after.limited?.reversed().cmp(&self.limited?);
        match (unlimited, limited) {
            (Ordering::Less, Ordering::Less) => Some(true),
            (Ordering::Equal, Ordering::Equal) => Some(false),
            _ => None,
        }
    }
}

/// Why a tablebase has no verdict on a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoVerdict {
    /// No tablebase contains such positions: too many pieces, or castling rights.
    #[error("the tables do not contain positions with this number of pieces or with castling rights")]
    NotAsked,
    /// The table is not there.
    #[error("the table for this material is missing")]
    MissingTable,
    /// The table cannot be read.
    #[error("{0}")]
    Failed(String),
}

/// Tables of positions with few pieces.
pub trait Tables: Send + Sync {
    /// Maximum number of pieces, kings and pawns included, in positions that may have a verdict.
    fn max_pieces(&self) -> usize;

    /// The verdict on `position`. `clock` is its halfmove clock, if that is known.
    fn verdict(&self, position: &Chess, clock: Option<u32>) -> Result<TableVerdict, NoVerdict>;
}

/// A directory of tables cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// The directory or one of its tables cannot be read.
    #[error("cannot read the tables in `{}`: {source}", path.display())]
    Unreadable {
        /// The directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// There are no tables in the directory.
    #[error("there are no Syzygy tables (.rtbw, .rtbz) in `{}`; give the directory that contains the files", path.display())]
    Empty {
        /// The directory.
        path: PathBuf,
    },
}

/// Syzygy tables in directories. A table is opened when it is first needed.
#[derive(Debug)]
pub struct Syzygy(Tablebase<Chess>);

impl Syzygy {
    /// Finds the tables in `directories`.
    pub fn open<P: AsRef<Path>>(directories: &[P]) -> Result<Syzygy, TablebaseError> {
        let mut tables = Tablebase::new();
        for path in directories.iter().map(AsRef::as_ref) {
            let unreadable = |source| TablebaseError::Unreadable { path: path.to_owned(), source };
            if tables.add_directory(path).map_err(unreadable)? == 0 {
                return Err(TablebaseError::Empty { path: path.to_owned() });
            }
        }
        Ok(Syzygy(tables))
    }
}

impl Tables for Syzygy {
    fn max_pieces(&self) -> usize {
        self.0.max_pieces()
    }

    fn verdict(&self, position: &Chess, clock: Option<u32>) -> Result<TableVerdict, NoVerdict> {
        // Positions with one piece more are resolved by captures, if all moves are captures.
        if position.board().occupied().count() > self.max_pieces() || position.castles().any() {
            return Err(NoVerdict::NotAsked);
        }
        let wdl = self.0.probe_wdl_after_zeroing(position).map_err(no_verdict)?;
        let unlimited = match wdl {
            Wdl::Win | Wdl::CursedWin => Prospect::Win,
            Wdl::Draw => return Ok(TableVerdict::DRAW),
            Wdl::Loss | Wdl::BlessedLoss => Prospect::Loss,
        };
        // Tables with the distances are often missing where those with the results are there.
        let dtz = match self.0.probe_dtz(position) {
            Ok(dtz) => Some(dtz),
            Err(error) => match no_verdict(error) {
                NoVerdict::MissingTable => None,
                other => return Err(other),
            },
        };
        let limited = match wdl {
            // Not even a clock of 0 leaves enough moves.
            Wdl::CursedWin | Wdl::BlessedLoss => Some(Prospect::Draw),
            _ => dtz.zip(clock).and_then(|(dtz, clock)| match AmbiguousWdl::from_dtz_and_halfmoves(dtz, clock) {
                AmbiguousWdl::Win => Some(Prospect::Win),
                AmbiguousWdl::Loss => Some(Prospect::Loss),
                AmbiguousWdl::CursedWin | AmbiguousWdl::Draw | AmbiguousWdl::BlessedLoss => Some(Prospect::Draw),
                AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => None,
            }),
        };
        let zeroing_plies = match wdl {
            // Tables add 100 plies to mark such positions, and these cannot be told from plies that
            // are played.
            Wdl::CursedWin | Wdl::BlessedLoss => None,
            _ => dtz.map(plies),
        };
        Ok(TableVerdict { unlimited, limited, zeroing_plies })
    }
}

fn plies(dtz: MaybeRounded<Dtz>) -> u32 {
    let (MaybeRounded::Rounded(dtz) | MaybeRounded::Precise(dtz)) = dtz;
    dtz.0.unsigned_abs()
}

fn no_verdict(error: SyzygyError) -> NoVerdict {
    match error {
        SyzygyError::Castling | SyzygyError::TooManyPieces => NoVerdict::NotAsked,
        SyzygyError::MissingTable { .. } => NoVerdict::MissingTable,
        SyzygyError::ProbeFailed { metric, material, error } => {
            let reason = match *error {
                ProbeError::Read { error } => error.to_string(),
                ProbeError::Magic { .. } => "it is not a Syzygy table".to_owned(),
                // The error contains a backtrace.
                ProbeError::CorruptedTable { .. } => "it is damaged".to_owned(),
            };
            NoVerdict::Failed(format!("the {metric} table {material} cannot be used: {reason}"))
        }
    }
}
