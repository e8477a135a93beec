//! `inner-rook-ambiguous`.

use shakmaty::{Bitboard, Rank, Square, attacks};

use crate::{
    chess::{
        color_name,
        fen::{CastlingLetter, RightReading},
    },
    rules::{
        Check, Findings, Rule, Sample, Severity,
        facts::{ClaimedRight, Origin, PositionFacts},
        shown,
    },
};

/// CAS04: a castling letter that means the outermost of two rooks.
///
/// In X-FEN `K` and `Q` mean the outermost rook on that side of the king, so that nothing is ambiguous in itself; in the standard
/// array the outermost rook is the right one. Two things remain to be said of Chess960. Readers that know no X-FEN take another
/// rook perhaps, which is an info. And where the game has one array for both sides, the rights of the other side may show that the
/// rook of the array is an inner one: then the letter says one thing and the array another, which is a warning.
pub static RULE: Rule = Rule {
    code: code!("CAS04"),
    name: "inner-rook-ambiguous",
    severity: Severity::Warning,
    summary: "Two rooks stand on the side of the king that a castling letter names",
    what: "Only in Chess960, and never where king and rook stand as in the standard array. `K` and `Q` mean the outermost rook on that side (X-FEN). Where a game of Chess960 (not double Chess960) has the other king on the same file with a right that fits an inner rook, the file of that rook is meant, and has to be written: a warning. Elsewhere an info, once per input: readers without X-FEN may take the other rook.",
    why: "Readers castle with different rooks.",
    fix: "Write the file of the rook.",
    source: "X-FEN, Shredder-FEN",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"3k1r2/8/8/4p3/8/8/4P3/3K1R1R w ⟦K⟧k - 0 30\"]\n[Variant \"Chess960\"]\n\n*\n",
        ),
        Sample::Positions("3k4/8/8/4p3/8/8/4P3/3K1R1R w ⟦K⟧ - 0 30"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/4p3/8/8/4P3/4K1RR w K - 0 30"),
        Sample::Positions("3k4/8/8/4p3/8/8/4P3/3K1R1R w F - 0 30"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    if !facts.only_chess960 {
        return;
    }
    for right in facts.rights() {
        let RightReading::Chess960(rook) = right.reading else { continue };
        let inner = inner_rooks(facts, right.letter, rook);
        if inner.is_empty() {
            continue;
        }
        let meant = array_rook(facts, right).filter(|meant| inner.contains(*meant));
        let place = facts.letter_place(right.letter);
        let finding = findings.add(&RULE, place).found(shown(place.of(facts.text)));
        let color = right.letter.color();
        let file_letter = |square: Square| {
            let letter = square.file().char();
            color.fold_wb(letter.to_ascii_uppercase(), letter).to_string()
        };
        match meant {
            Some(meant) => {
                finding.expected(file_letter(meant)).message(format!(
                    "the letter means the rook on {rook}, the outermost; the rights of {} show that the rook on {meant} is meant",
                    color_name(!color)
                ));
            }
            None => {
                finding.severity(Severity::Info).once_per_input().expected(file_letter(rook)).message(format!(
                    "the letter means the rook on {rook}, the outermost; readers that know no X-FEN may take {}",
                    facts.names_of(inner)
                ));
            }
        }
    }
}

/// The rooks between the king and the one that `K` or `Q` means.
fn inner_rooks(facts: &PositionFacts<'_>, letter: CastlingLetter, outermost: Square) -> Bitboard {
    let (Some(board), Some(king)) = (&facts.board, *facts.kings.get(letter.color())) else { return Bitboard::EMPTY };
    if letter.rook_file().is_some() {
        return Bitboard::EMPTY;
    }
    let back = Bitboard::from_rank(letter.color().fold_wb(Rank::First, Rank::Eighth));
    board.rooks() & board.by_color(letter.color()) & back & attacks::between(king, outermost)
}

/// Where the array has the rook of a right, as the rights of the other side show it in a game with one array for both.
fn array_rook(facts: &PositionFacts<'_>, right: ClaimedRight) -> Option<Square> {
    if facts.origin != Origin::FenTag || !facts.declared.chess960 || facts.declared.double_chess960 {
        return None;
    }
    let color = right.letter.color();
    let (king, other_king) = ((*facts.kings.get(color))?, (*facts.kings.get(!color))?);
    let rook = right.reading.rook()?;
    let same_side = |other: &Square| (other.file() < other_king.file()) == (rook.file() < king.file());
    let other =
        facts.rights().filter(|other| other.letter.color() != color).filter_map(|other| other.reading.rook()).find(same_side)?;
    (king.file() == other_king.file()).then(|| Square::from_coords(other.file(), rook.rank()))
}
