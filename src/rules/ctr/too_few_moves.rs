//! CTR06: the position needs more moves than the fullmove number allows.

use shakmaty::{Bitboard, Board, Color, Rank};

use crate::rules::placeholders;
use crate::rules::placeholders::{FULLMOVE_NUMBER_REAL, HALFMOVE_CLOCK_REAL};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CTR06"),
    name: "too-few-moves",
    severity: Severity::Warning,
    summary: "The position needs more moves than the fullmove number allows",
    what: "A side has made at least as many moves as its pawns and promoted pieces need, and at \
        least one for each piece that it captured. The plies that the halfmove clock counts come \
        on top of that. Checked only if the numbers of this input are real values, and the clocks \
        where they matter. Default counters (`0 1`, `1 0`, `0 0`, `1 1`) are ignored. If half of the \
        positions are like that, the input probably counts from positions that were set up, \
        and one finding says so.",
    why: "The fullmove number was reset or typed in by hand.",
    fix: "Correct the fullmove number. If the two counters are swapped, write the halfmove clock \
        first.",
    source: "PGN standard 16.1.3.6; FIDE Laws 3.7",
    reachability: true,
    yields: &in_record([code!("CTR04"), code!("POS06"), code!("POS07"), code!("POS08")]),
    fires: &[
        Sample::Positions("4k3/3P4/8/8/8/8/8/4K3 b - - 0 ⟦2⟧"),
        Sample::Positions("4k3/3P4/8/8/8/8/8/4K3 b - - fmvn ⟦2⟧; hmvc 0;"),
        // Each side has made 14 moves, 11 of them in the last 22 plies, and White has captured
        // seven pieces.
        Sample::Positions("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 22 ⟦15⟧"),
    ],
    silent: &[
        Sample::Positions("4k3/3P4/8/8/8/8/8/4K3 b - - 0 15"),
        Sample::Positions("4k3/3P4/8/8/8/8/8/4K3 b - - 0 1"),
        Sample::Positions("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 22 19"),
    ],
    check: Check::Counter(check),
    note: Some(&placeholders::NOTE),
    ..Rule::DEFAULTS
};

/// Maximum number of moves that a side can be proven to have made, those of the clock excluded:
/// eight pawns need at most five each.
const MAX_MOVES: u64 = 40;

/// Each step is a lower bound for a game that White begins at move 1 from a starting position of 32
/// pieces and pawns (Chess960 included):
///
/// 1. A pawn on rank r, seen from its own side, has made no move if r is 2, at least one if r is 3
///    or 4, and at least r - 3 beyond that: a move takes a pawn one rank ahead, its first move
///    perhaps two. A promoted pawn has made 5 moves. All pieces of a kind beyond those of the
///    starting position are promoted pawns (as in POS08). These are moves of different pawns, so
///    they add up: Z.
/// 2. The pieces that one side lacks were captured by the other, one with each move: C. A capture
///    can be a pawn move counted in Z, so Z and C do not add up, but a side has made at least the
///    greater of the two.
/// 3. All of these moves set the clock to 0, so none of them is among the last plies, which the
///    clock counts. The sides took turns in these: of h plies, the side that has just moved made h
///    / 2 rounded up, the other h / 2 rounded down.
///
/// So each side has made at least max(Z, C) moves and its share of the clock.
fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(board), Some(place), Some(turn)) = (&facts.board, facts.number_place(), facts.turn) else { return };
    let Some(moves) = facts.moves_made() else { return };
    let clock = facts.halfmove_clock.unwrap_or(0);
    // A number beyond every bound needs no calculation.
    if moves.black >= MAX_MOVES.saturating_add(clock / 2 + 1) || facts.has_default_counters() {
        return;
    }
    for color in [Color::White, Color::Black] {
        let minimum = Minimum::of(board, color);
        let of_clock = if color == turn { clock / 2 } else { clock.div_ceil(2) };
        let made = *moves.get(color);
        let (needed, share) = if made < minimum.moves() { (minimum.moves(), 0) } else { (minimum.moves() + of_clock, of_clock) };
        if made >= needed {
            continue;
        }
        // The number that is enough for both sides, and for the clock if that counts here.
        let room = |color: Color| {
            let of_clock = if share == 0 {
                0
            } else if color == turn {
                clock / 2
            } else {
                clock.div_ceil(2)
            };
            Minimum::of(board, color).moves() + of_clock + 1 - u64::from(color == Color::White && turn == Color::Black)
        };
        let number = room(Color::White).max(room(Color::Black));
        let reason = if minimum.pawns >= minimum.captures {
            format!("its pawns need at least {}", quantity(minimum.pawns, "move", "moves"))
        } else {
            format!("has captured {}", quantity(minimum.captures, "piece", "pieces"))
        };
        let then = match share {
            0 => String::new(),
            _ => format!(", and it made {share} of the last {}", quantity(clock, "ply", "plies")),
        };
        // Play from a set-up position at move 1 leaves enough of them.
        let finding = findings.add(&RULE, place).once_if_usual("");
        finding.only_if(FULLMOVE_NUMBER_REAL);
        if share > 0 {
            finding.only_if(HALFMOVE_CLOCK_REAL);
        }
        finding.found(shown(place.of(facts.text))).expected(format!("at least {number}")).message(format!(
            "{} has made {}, but {reason}{then}",
            color_name(color),
            quantity(made, "move", "moves")
        ));
        return;
    }
}

/// The minimum that a side has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Minimum {
    /// Moves of its pawns, promoted ones included.
    pawns: u64,
    /// Pieces that it has captured.
    captures: u64,
}

impl Minimum {
    fn of(board: &Board, color: Color) -> Minimum {
        let ours = board.by_color(color);
        let pawns = board.pawns() & ours;
        // Each of these sets includes the next one: a pawn on rank 6 is in three of them.
        let beyond = |rank: Rank| pawns & color.fold_wb(above(rank), below(rank.flip_vertical()));
        let mut advanced = beyond(Rank::Second).count();
        if beyond(Rank::Fourth).any() {
            advanced += beyond(Rank::Fourth).count() + beyond(Rank::Fifth).count() + beyond(Rank::Sixth).count();
        }
        let promoted = surplus(board.queens() & ours, 1)
            + surplus(board.rooks() & ours, 2)
            + surplus(board.knights() & ours, 2)
            + surplus(board.bishops() & ours & Bitboard::LIGHT_SQUARES, 1)
            + surplus(board.bishops() & ours & Bitboard::DARK_SQUARES, 1);
        let captures = 16usize.saturating_sub(board.by_color(!color).count());
        Minimum { pawns: (advanced + 5 * promoted) as u64, captures: captures as u64 }
    }

    fn moves(self) -> u64 {
        self.pawns.max(self.captures)
    }
}

/// The number of pieces beyond the first `originals`. It is usually 0, which needs no counting.
fn surplus(pieces: Bitboard, originals: u32) -> usize {
    let rest = (0..originals).fold(pieces.0, |rest, _| rest & rest.wrapping_sub(1));
    if rest == 0 { 0 } else { Bitboard(rest).count() }
}

/// The squares above a rank, from White's side.
const fn above(rank: Rank) -> Bitboard {
    Bitboard(u64::MAX << 8 << (8 * rank as u32))
}

/// The squares below a rank, from White's side.
const fn below(rank: Rank) -> Bitboard {
    Bitboard((1 << (8 * rank as u32)) - 1)
}

#[cfg(test)]
mod tests {
    use shakmaty::ByColor;

    use super::*;

    fn minimum(placement: &str) -> ByColor<(u64, u64)> {
        let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("a board");
        ByColor::new_with(|color| {
            let minimum = Minimum::of(&board, color);
            (minimum.pawns, minimum.captures)
        })
    }

    #[test]
    fn pawns_need_moves_for_their_rank() {
        assert_eq!(minimum("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), ByColor { white: (0, 0), black: (0, 0) });
        for (placement, white, black) in [
            ("4k3/8/8/8/8/P7/8/4K3", 1, 0),
            ("4k3/8/8/8/P7/8/8/4K3", 1, 0),
            ("4k3/8/8/P7/8/8/8/4K3", 2, 0),
            ("4k3/8/P7/8/8/8/8/4K3", 3, 0),
            ("4k3/P7/8/8/8/8/8/4K3", 4, 0),
            ("4k3/8/8/8/8/8/p7/4K3", 0, 4),
            ("4k3/8/8/p7/8/8/8/4K3", 0, 1),
            ("4k3/8/8/8/8/8/8/QQ2K3", 5, 0),
            ("4k3/8/8/8/8/8/8/BB2K3", 0, 0),
            ("4k3/8/8/8/8/8/8/B1B1K3", 5, 0),
            ("nnnnk3/8/8/8/8/8/8/4K3", 0, 10),
        ] {
            let found = minimum(placement);
            assert_eq!((found.white.0, found.black.0), (white, black), "{placement}");
        }
    }

    #[test]
    fn missing_pieces_were_captured() {
        let found = minimum("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        assert_eq!((found.white.1, found.black.1), (7, 0));
    }
}
