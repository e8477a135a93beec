//! Games of chess variants: where they start, what a written move means, and how they end.
//!
//! `shakmaty` implements the laws. Nothing here is optimised, because such games are rare.

use std::fmt;

use shakmaty::{
    Bitboard, CastlingMode, File, KnownOutcome, Move, Outcome, Position, PositionError, Rank, Role, Square, attacks,
    fen::Fen,
    variant::{Variant as Laws, VariantPosition},
};

use super::{Variant, WrittenMove, WrittenSan, color_name, role_name};
use crate::text::wording::join_and;

/// The laws of `variant`. `None` if those of chess apply, or if they are not known.
pub const fn laws(variant: Variant) -> Option<Laws> {
    match variant {
        Variant::Crazyhouse => Some(Laws::Crazyhouse),
        Variant::Atomic => Some(Laws::Atomic),
        Variant::Antichess | Variant::Suicide => Some(Laws::Antichess),
        Variant::Horde => Some(Laws::Horde),
        Variant::ThreeCheck => Some(Laws::ThreeCheck),
        Variant::KingOfTheHill => Some(Laws::KingOfTheHill),
        Variant::RacingKings => Some(Laws::RacingKings),
        Variant::Standard | Variant::Chess960 | Variant::FromPosition | Variant::Shuffle | Variant::Unknown => None,
    }
}

/// The position in which a game starts: `fen`, or the starting position of the variant.
///
/// Extra pieces, impossible checks, and unfounded castling rights and en passant squares are
/// ignored.
/// `None` if the position still cannot be played.
pub fn variant_start(laws: Laws, fen: Option<&[u8]>) -> Option<VariantPosition> {
    let Some(fen) = fen else { return Some(VariantPosition::new(laws)) };
    let setup = Fen::from_ascii(fen).ok()?.into_setup();
    let mode = CastlingMode::detect(&setup);
    VariantPosition::from_setup(laws, setup, mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// Why a move cannot be played in a variant game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalVariantMove {
    /// The game is over: how it ended.
    GameOver(&'static str),
    /// Castling is not legal here.
    Castling,
    /// More than one piece can make the move.
    Ambiguous {
        /// The kind of piece.
        role: Role,
        /// Where these pieces are.
        from: Bitboard,
        /// Where they can go.
        to: Square,
    },
    /// A pawn reaches the last rank, but no promotion piece is given.
    PromotionMissing,
    /// The move cannot be a promotion, or the piece cannot be promoted to in this variant.
    PromotionImpossible,
    /// The piece to drop is not in hand.
    NotInHand(Role),
    /// The piece cannot be dropped on this square.
    NoDrop(Role, Square),
    /// No such piece reaches the target square: the reason in words.
    CannotReach(String),
    /// A piece could make the move, but the laws of the variant forbid it: the reason in words.
    Forbidden(&'static str),
    /// The turn cannot be passed.
    Null,
}

impl IllegalVariantMove {
    /// Whether this reason holds on every server that offers the variant. Servers differ on what
    /// check means in atomic chess, and on castling in antichess.
    pub fn is_proven(&self, laws: Laws) -> bool {
        match self {
            IllegalVariantMove::CannotReach(_) | IllegalVariantMove::Ambiguous { .. } | IllegalVariantMove::PromotionMissing => {
                true
            }
            _ => !matches!(laws, Laws::Atomic | Laws::Antichess),
        }
    }
}

impl fmt::Display for IllegalVariantMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalVariantMove::GameOver(how) => f.write_str(how),
            IllegalVariantMove::Castling => f.write_str("castling is not possible in this position"),
            IllegalVariantMove::Ambiguous { role, from, .. } => {
                let squares: Vec<String> = from.into_iter().map(|square| square.to_string()).collect();
                let all = if squares.len() == 2 { "both" } else { "all" };
                write!(f, "the {}s on {} can {all} go there", role_name(*role), join_and(&squares))
            }
            IllegalVariantMove::PromotionMissing => {
                f.write_str("the pawn reaches the last rank, but no promotion piece is given")
            }
            IllegalVariantMove::PromotionImpossible => f.write_str("this promotion is not allowed here"),
            IllegalVariantMove::NotInHand(role) => write!(f, "there is no {} in hand to drop", role_name(*role)),
            IllegalVariantMove::NoDrop(role, to) => write!(f, "a {} cannot be dropped on {to}", role_name(*role)),
            IllegalVariantMove::CannotReach(who) => f.write_str(who),
            IllegalVariantMove::Forbidden(why) => f.write_str(why),
            IllegalVariantMove::Null => f.write_str("the turn cannot be passed"),
        }
    }
}

/// The only legal move that `written` can mean. The marks `x`, `+` and `#` are ignored.
pub fn resolve_in_variant(position: &VariantPosition, written: &WrittenSan) -> Result<Move, IllegalVariantMove> {
    let legal = position.legal_moves();
    let meant: Vec<Move> = legal.iter().copied().filter(|&played| means(written.what, played)).collect();
    match meant.as_slice() {
        [played] => Ok(*played),
        [] => Err(explain(position, written)),
        [first, ..] => {
            let from = meant.iter().filter_map(|played| played.from()).collect();
            Err(IllegalVariantMove::Ambiguous { role: first.role(), from, to: first.to() })
        }
    }
}

/// Whether `played` can be what is written.
fn means(what: WrittenMove, played: Move) -> bool {
    match (what, played) {
        (WrittenMove::Drop { role, to }, Move::Put { role: put, to: on }) => role == put && to == on,
        (WrittenMove::Castle(side), Move::Castle { .. }) => played.castling_side() == Some(side),
        (WrittenMove::Coordinates { from, to, .. }, Move::Castle { king, rook }) => {
            let target = if rook.file() > king.file() { File::G } else { File::C };
            king == from && (to == rook || to == Square::from_coords(target, king.rank()))
        }
        (_, Move::Put { .. } | Move::Castle { .. }) => false,
        (WrittenMove::Coordinates { from, to, promotion }, _) => {
            played.from() == Some(from) && played.to() == to && played.promotion() == promotion
        }
        (WrittenMove::Normal { role, file, rank, to, promotion }, _) => {
            let Some(from) = played.from() else { return false };
            let straight = role == Role::Pawn && file.is_none() && from.file() != to.file();
            played.role() == role
                && played.to() == to
                && played.promotion() == promotion
                && !straight
                && file.is_none_or(|file| file == from.file())
                && rank.is_none_or(|rank| rank == from.rank())
        }
        _ => false,
    }
}

/// Finds the reason why no legal move is what is written.
fn explain(position: &VariantPosition, written: &WrittenSan) -> IllegalVariantMove {
    if let Some(end) = VariantEnd::of(position) {
        return IllegalVariantMove::GameOver(end.how);
    }
    let (role, from, to, promotion) = match written.what {
        WrittenMove::Null => return IllegalVariantMove::Null,
        WrittenMove::Castle(_) => return IllegalVariantMove::Castling,
        WrittenMove::Drop { role, to } => {
            let in_hand = position.pockets().is_some_and(|pockets| *pockets[position.turn()].get(role) > 0);
            return if in_hand { IllegalVariantMove::NoDrop(role, to) } else { IllegalVariantMove::NotInHand(role) };
        }
        WrittenMove::Normal { role, file, rank, to, promotion } => {
            let files = file.map_or(Bitboard::FULL, Bitboard::from_file);
            let ranks = rank.map_or(Bitboard::FULL, Bitboard::from_rank);
            let straight = if role == Role::Pawn && file.is_none() { Bitboard::from_file(to.file()) } else { Bitboard::FULL };
            (role, position.our(role) & files & ranks & straight, to, promotion)
        }
        WrittenMove::Coordinates { from, to, promotion } => {
            let role = position.us().contains(from).then(|| position.board().role_at(from)).flatten();
            let Some(role) = role else {
                let whose = color_name(position.turn());
                return IllegalVariantMove::CannotReach(format!("{whose} has no piece on {from}"));
            };
            (role, Bitboard::from_square(from), to, promotion)
        }
    };
    let reaching: Bitboard = from.into_iter().filter(|&from| reaches(position, role, from, to)).collect();
    if reaching.is_empty() {
        return IllegalVariantMove::CannotReach(cannot_reach(written, role, to));
    }
    let fits =
        |played: &Move| played.to() == to && played.from().is_some_and(|from| reaching.contains(from)) && !played.is_castle();
    let others: Vec<Move> = position.legal_moves().iter().copied().filter(fits).collect();
    if others.iter().any(|played| played.promotion().is_some()) {
        return if promotion.is_none() { IllegalVariantMove::PromotionMissing } else { IllegalVariantMove::PromotionImpossible };
    }
    if !others.is_empty() {
        return IllegalVariantMove::PromotionImpossible;
    }
    IllegalVariantMove::Forbidden(forbidden(position, role, to))
}

/// Says that none of the pieces that `written` can mean reaches `to`.
fn cannot_reach(written: &WrittenSan, role: Role, to: Square) -> String {
    let name = role_name(role);
    match written.what {
        WrittenMove::Coordinates { from, .. } => format!("the {name} on {from} cannot reach {to}"),
        WrittenMove::Normal { file: Some(file), rank: Some(rank), .. } => {
            format!("no {name} on {} can reach {to}", Square::from_coords(file, rank))
        }
        WrittenMove::Normal { file: Some(file), .. } => format!("no {name} on the {}-file can reach {to}", file.char()),
        WrittenMove::Normal { rank: Some(rank), .. } => format!("no {name} on rank {} can reach {to}", rank.char()),
        _ => format!("no {name} can reach {to}"),
    }
}

/// Whether a piece can go from one square to the other by the way it moves, without the other
/// laws of the variant.
fn reaches(position: &VariantPosition, role: Role, from: Square, to: Square) -> bool {
    let (board, turn) = (position.board(), position.turn());
    if board.by_color(turn).contains(to) {
        return false;
    }
    if role != Role::Pawn {
        return attacks::attacks(from, role.of(turn), board.occupied()).contains(to);
    }
    if from.file() != to.file() {
        let takes = board.occupied().contains(to) || position.maybe_ep_square() == Some(to);
        return takes && attacks::pawn_attacks(turn, from).contains(to);
    }
    let forward = turn.fold_wb(8, -8);
    let Some(one) = from.offset(forward).filter(|&one| !board.occupied().contains(one)) else { return false };
    let doubles = from.rank() == turn.fold_wb(Rank::Second, Rank::Seventh)
        || (matches!(position, VariantPosition::Horde(_)) && from.rank() == turn.fold_wb(Rank::First, Rank::Eighth));
    one == to || (doubles && one.offset(forward) == Some(to) && !board.occupied().contains(to))
}

/// Why the laws of the variant forbid a move that a piece could make.
fn forbidden(position: &VariantPosition, role: Role, to: Square) -> &'static str {
    let captures = position.board().occupied().contains(to);
    match position {
        VariantPosition::Antichess(_) if !captures && position.legal_moves().iter().any(|played| played.is_capture()) => {
            "a capture is possible, and capturing is mandatory"
        }
        VariantPosition::Atomic(_) if captures && role == Role::King => "the king cannot capture, because it would explode",
        VariantPosition::Atomic(_) if captures && (attacks::king_attacks(to) & position.our(Role::King)).any() => {
            "the capture would explode the king of the side to move"
        }
        VariantPosition::RacingKings(_) => "the move gives check or leaves the king in check, and neither is allowed",
        _ => "the king would be in check",
    }
}

/// How a variant game ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantEnd {
    /// The outcome.
    pub outcome: KnownOutcome,
    /// What happened: a clause for messages.
    pub how: &'static str,
    /// Whether this ends the game on every server that offers the variant.
    pub proven: bool,
}

impl VariantEnd {
    /// The end of the game that `position` shows, if the game is over.
    pub fn of(position: &VariantPosition) -> Option<VariantEnd> {
        let outcome = match position.outcome() {
            Outcome::Known(outcome) if position.is_variant_end() || position.legal_moves().is_empty() => outcome,
            _ => return None,
        };
        let mates = position.is_check();
        let (how, proven) = match (position, outcome.winner()) {
            (_, None) if position.is_variant_end() => ("both kings have reached the eighth rank", true),
            (_, None) => ("the side to move is stalemated (a draw)", !matches!(position, VariantPosition::Atomic(_))),
            (VariantPosition::Atomic(_), Some(_)) if position.is_variant_end() => ("a king has exploded", true),
            (VariantPosition::Atomic(_), Some(_)) => ("the king is checkmated", false),
            (VariantPosition::Antichess(_), Some(_)) if position.us().is_empty() => ("one side has no pieces left", true),
            (VariantPosition::Antichess(_), Some(_)) => ("the side to move is stalemated (a win)", false),
            (VariantPosition::KingOfTheHill(_), Some(_)) if position.is_variant_end() => ("a king has reached the hill", true),
            (VariantPosition::ThreeCheck(_), Some(_)) if position.is_variant_end() => ("the third check has been given", true),
            (VariantPosition::RacingKings(_), Some(_)) => ("a king has reached the eighth rank", true),
            (VariantPosition::Horde(_), Some(_)) if position.is_variant_end() => ("one side has no pieces left", true),
            (_, Some(_)) if mates => ("the king is checkmated", true),
            (_, Some(_)) => ("the game is decided", false),
        };
        Some(VariantEnd { outcome, how, proven })
    }
}
