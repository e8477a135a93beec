//! `too-few-moves`.

use shakmaty::{Bitboard, Board, Color, Rank};

use crate::{
    chess::color_name,
    rules::{Check, Condition, Findings, Rule, Sample, Severity, Yield, facts::PositionFacts, shown},
};

/// CTR06: the position takes more moves than the fullmove number allows.
///
/// Each step is a lower bound for a game from an array of 32 men (of Chess960 as well) that White begins at move 1:
///
/// 1. A pawn on rank r, seen from its own side, has made no move if r is 2, one at least if r is 3 or 4, and at least r - 3 beyond:
///    a move takes a pawn one rank on, its first move perhaps two. A man that is a promoted pawn has taken 5. Of each kind of
///    men, all beyond those of the array are promoted pawns (the formula of promotion-count). These are moves of different
///    pawns, so that they add up: Z.
/// 2. The men that one side lacks have been captured by the other, one with each move: C. A capture may be a pawn move counted
///    in Z, so that Z and C do not add up, but a side has made at least the greater of the two.
/// 3. All of these moves set the clock to 0, so that none of them is among the last plies, which the clock counts. The sides
///    took turns in these: of h plies the side that has just moved made h / 2 rounded up, the other h / 2 rounded down.
///
/// So each side has made at least max(Z, C) moves and its share of the clock. What the number says of both sides together follows.
pub static RULE: Rule = Rule {
    code: code!("CTR06"),
    name: "too-few-moves",
    severity: Severity::Warning,
    summary: "The position takes more moves than the fullmove number allows",
    what: "A side has moved each pawn as often at least as its rank wants, five times for each promoted man, and has made a move for each man that it captured; moves of pawns may be captures, so that the greater of the two sums counts. None of these moves is among the last ones, which the halfmove clock counts. Judged where the numbers of the input (and, where it matters, the clocks) are no fillers; `0 1`, `1 0`, `0 0` and `1 1` say nothing, so that games at odds are spared at their start.",
    why: "The number was reset or typed in.",
    fix: "Correct the number; look whether the two counters are exchanged.",
    source: "PGN standard 1994, section 16.1.3.6; Laws of Chess, article 3.7",
    reachability: true,
    yields: &[
        Yield::InRecord(code!("CTR04")),
        Yield::InRecord(code!("POS06")),
        Yield::InRecord(code!("POS07")),
        Yield::InRecord(code!("POS08")),
    ],
    fires: &[
        Sample::Positions("4k3/3P4/8/8/8/8/8/4K3 b - - 0 ⟦2⟧"),
        // Both sides have made 14 moves, 11 of them each in the last 22 plies, and White has captured seven men.
        Sample::Positions("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 22 ⟦15⟧"),
    ],
    silent: &[
        Sample::Positions("4k3/3P4/8/8/8/8/8/4K3 b - - 0 15"),
        Sample::Positions("4k3/3P4/8/8/8/8/8/4K3 b - - 0 1"),
        Sample::Positions("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 22 19"),
    ],
    check: Check::Counter(check),
    ..Rule::DEFAULTS
};

/// No side has to have made more moves than these, those of the clock apart: eight pawns take at most five each.
const MOST: u64 = 40;

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let (Some(board), Some(place), Some(turn)) = (&facts.board, facts.fen.fullmove_number(), facts.turn) else { return };
    let Some(moves) = facts.moves_made() else { return };
    let clock = facts.halfmove_clock.unwrap_or(0);
    // A number beyond every bound is not looked at twice.
    if moves.black >= MOST.saturating_add(clock / 2 + 1) || facts.has_default_counters() {
        return;
    }
    for color in [Color::White, Color::Black] {
        let least = Least::of(board, color);
        let of_clock = if color == turn { clock / 2 } else { clock.div_ceil(2) };
        let made = *moves.get(color);
        let (needed, share) = if made < least.moves() { (least.moves(), 0) } else { (least.moves() + of_clock, of_clock) };
        if made >= needed {
            continue;
        }
        // The number that leaves room for both sides, and for the clock if that is to be believed.
        let room = |color: Color| {
            let of_clock = if share == 0 {
                0
            } else if color == turn {
                clock / 2
            } else {
                clock.div_ceil(2)
            };
            Least::of(board, color).moves() + of_clock + 1 - u64::from(color == Color::White && turn == Color::Black)
        };
        let number = room(Color::White).max(room(Color::Black));
        let reason = if least.pawns >= least.captures {
            format!("its pawns have made {} at least", least.pawns)
        } else {
            format!("it has captured {}", men(least.captures))
        };
        let then = if share == 0 { String::new() } else { format!(", and made {share} more of the last {clock} plies") };
        let finding = findings.add(&RULE, place);
        finding.only_if(Condition::NumberTrusted);
        if share > 0 {
            finding.only_if(Condition::ClockTrusted);
        }
        finding.found(shown(place.of(facts.text))).expected(format!("at least {number}")).message(format!(
            "{} has made {} so far, but {reason}{then}",
            color_name(color),
            if made == 1 { "1 move".to_owned() } else { format!("{made} moves") }
        ));
        return;
    }
}

fn men(count: u64) -> String {
    if count == 1 { "a man".to_owned() } else { format!("{count} men") }
}

/// What a side has done at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Least {
    /// Moves of its pawns.
    pawns: u64,
    /// Men that it has captured.
    captures: u64,
}

impl Least {
    fn of(board: &Board, color: Color) -> Least {
        let ours = board.by_color(color);
        let pawns = board.pawns() & ours;
        // Each of these sets lies within the one before it: a pawn on rank 6 is in three of them.
        let beyond = |rank: Rank| pawns & color.fold_wb(above(rank), below(rank.flip_vertical()));
        let mut advanced = beyond(Rank::Second).count();
        if beyond(Rank::Fourth).any() {
            advanced += beyond(Rank::Fourth).count() + beyond(Rank::Fifth).count() + beyond(Rank::Sixth).count();
        }
        let promoted = more(board.queens() & ours, 1)
            + more(board.rooks() & ours, 2)
            + more(board.knights() & ours, 2)
            + more(board.bishops() & ours & Bitboard::LIGHT_SQUARES, 1)
            + more(board.bishops() & ours & Bitboard::DARK_SQUARES, 1);
        let captures = 16usize.saturating_sub(board.by_color(!color).count());
        Least { pawns: (advanced + 5 * promoted) as u64, captures: captures as u64 }
    }

    fn moves(self) -> u64 {
        self.pawns.max(self.captures)
    }
}

/// How many there are beyond the first few. There are seldom any, which is seen without counting.
fn more(men: Bitboard, originals: u32) -> usize {
    let rest = (0..originals).fold(men.0, |men, _| men & men.wrapping_sub(1));
    if rest == 0 { 0 } else { Bitboard(rest).count() }
}

/// The squares above a rank, as White sees them.
const fn above(rank: Rank) -> Bitboard {
    Bitboard(u64::MAX << 8 << (8 * rank as u32))
}

/// The squares below a rank, as White sees them.
const fn below(rank: Rank) -> Bitboard {
    Bitboard((1 << (8 * rank as u32)) - 1)
}

#[cfg(test)]
mod tests {
    use shakmaty::ByColor;

    use super::*;

    fn least(placement: &str) -> ByColor<(u64, u64)> {
        let board = Board::from_ascii_board_fen(placement.as_bytes()).expect("a board");
        ByColor::new_with(|color| {
            let least = Least::of(&board, color);
            (least.pawns, least.captures)
        })
    }

    #[test]
    fn pawns_take_as_many_moves_as_their_rank_wants() {
        assert_eq!(least("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), ByColor { white: (0, 0), black: (0, 0) });
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
            let found = least(placement);
            assert_eq!((found.white.0, found.black.0), (white, black), "{placement}");
        }
    }

    #[test]
    fn men_that_one_side_lacks_the_other_has_captured() {
        let found = least("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        assert_eq!((found.white.1, found.black.1), (7, 0));
    }
}
