//! Games of variants of chess: where they begin, what a written move means, and how they end. `shakmaty` knows the laws.
//!
//! Nothing here is fast: games of variants are few, and are replayed beside the walk over games of chess.

use std::fmt;

use shakmaty::{
    Bitboard, CastlingMode, EnPassantMode, File, KnownOutcome, Move, Outcome, Position, PositionError, Rank, Role, Square,
    attacks,
    fen::Fen,
    variant::{Variant as Laws, VariantPosition},
};

use super::{Variant, WrittenMove, WrittenSan, side, word};

/// The laws under which games of `variant` are played; `None` where those of chess hold, or none are known.
pub const fn laws(variant: Variant) -> Option<Laws> {
    match variant {
        Variant::Crazyhouse => Some(Laws::Crazyhouse),
        Variant::Atomic => Some(Laws::Atomic),
        Variant::Antichess | Variant::Suicide => Some(Laws::Antichess),
        Variant::Horde => Some(Laws::Horde),
        Variant::ThreeCheck => Some(Laws::ThreeCheck),
        Variant::KingOfTheHill => Some(Laws::KingOfTheHill),
        Variant::RacingKings => Some(Laws::RacingKings),
        Variant::Standard | Variant::Chess960 | Variant::FromPosition | Variant::Unknown => None,
    }
}

/// Where a game begins: in the array of the variant, or as `fen` says. Too many men, checks that cannot be, and castling rights
/// and en passant squares without foundation are passed over; `None` where the position cannot be played from all the same.
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

/// The position as a FEN, with what the variant adds to it.
pub fn variant_fen(position: &VariantPosition) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Why a move cannot be played in a game of a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantRefusal {
    /// The game was over.
    GameOver(&'static str),
    /// Castling is not legal here.
    Castling,
    /// Several men can make the move.
    Ambiguous {
        /// The men.
        role: Role,
        /// Where they stand.
        from: Bitboard,
        /// Where they can go.
        to: Square,
    },
    /// A pawn reaches the last rank, and what it becomes is not written.
    PromotionMissing,
    /// The piece named is none that a pawn can become here, or nothing can become anything.
    PromotionImpossible,
    /// The man to be dropped is not in hand, or nobody has men in hand.
    NotInHand(Role),
    /// The square on which a man is to be dropped is taken, or not one where it may be dropped.
    NoDrop(Role, Square),
    /// No man of the kind, or from where it is written, reaches the square.
    NobodyReaches(String),
    /// A man reaches the square, but the laws of the variant forbid it.
    Forbidden(&'static str),
    /// The turn cannot be passed.
    Null,
}

impl VariantRefusal {
    /// Whether the laws are the same wherever the variant is played, as far as this reason goes. What check means in atomic
    /// chess, and whether one castles in giveaway, differs from server to server.
    pub fn is_proven(&self, laws: Laws) -> bool {
        match self {
            VariantRefusal::NobodyReaches(_) | VariantRefusal::Ambiguous { .. } | VariantRefusal::PromotionMissing => true,
            _ => !matches!(laws, Laws::Atomic | Laws::Antichess),
        }
    }
}

impl fmt::Display for VariantRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VariantRefusal::GameOver(how) => f.write_str(how),
            VariantRefusal::Castling => f.write_str("castling is not legal here"),
            VariantRefusal::Ambiguous { role, from, to } => {
                let squares: Vec<String> = from.into_iter().map(|square| square.to_string()).collect();
                write!(f, "the {}s on {} can go to {to}", word(*role), squares.join(" and "))
            }
            VariantRefusal::PromotionMissing => f.write_str("it does not say what the pawn becomes"),
            VariantRefusal::PromotionImpossible => f.write_str("nothing can become that piece here"),
            VariantRefusal::NotInHand(role) => write!(f, "no {} is in hand", word(*role)),
            VariantRefusal::NoDrop(role, to) => write!(f, "no {} can be dropped on {to}", word(*role)),
            VariantRefusal::NobodyReaches(who) => f.write_str(who),
            VariantRefusal::Forbidden(why) => f.write_str(why),
            VariantRefusal::Null => f.write_str("the turn cannot be passed here"),
        }
    }
}

/// The one legal move that `written` means. Marks (`x`, `+`, `#`) are not looked at.
///
/// # Errors
/// Where it means none, or more than one: why.
pub fn resolve_in_variant(position: &VariantPosition, written: &WrittenSan) -> Result<Move, VariantRefusal> {
    let legal = position.legal_moves();
    let meant: Vec<Move> = legal.iter().copied().filter(|&played| means(written.what, played)).collect();
    match meant.as_slice() {
        [played] => Ok(*played),
        [] => Err(refusal(position, written)),
        [first, ..] => {
            let from = meant.iter().filter_map(|played| played.from()).collect();
            Err(VariantRefusal::Ambiguous { role: first.role(), from, to: first.to() })
        }
    }
}

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

fn refusal(position: &VariantPosition, written: &WrittenSan) -> VariantRefusal {
    if let Some(end) = VariantEnd::of(position) {
        return VariantRefusal::GameOver(end.how);
    }
    let (role, from, to, promotion) = match written.what {
        WrittenMove::Null => return VariantRefusal::Null,
        WrittenMove::Castle(_) => return VariantRefusal::Castling,
        WrittenMove::Drop { role, to } => {
            let in_hand = position.pockets().is_some_and(|pockets| *pockets[position.turn()].get(role) > 0);
            return if in_hand { VariantRefusal::NoDrop(role, to) } else { VariantRefusal::NotInHand(role) };
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
                let whose = side(position.turn());
                return VariantRefusal::NobodyReaches(format!("no man of {whose} stands on {from}"));
            };
            (role, Bitboard::from_square(from), to, promotion)
        }
    };
    let reaching: Bitboard = from.into_iter().filter(|&from| reaches(position, role, from, to)).collect();
    if reaching.is_empty() {
        return VariantRefusal::NobodyReaches(format!("no {} of {} reaches {to} from there", word(role), side(position.turn())))
            .without_origin(written);
    }
    let fits =
        |played: &Move| played.to() == to && played.from().is_some_and(|from| reaching.contains(from)) && !played.is_castle();
    let others: Vec<Move> = position.legal_moves().iter().copied().filter(fits).collect();
    if others.iter().any(|played| played.promotion().is_some()) {
        return if promotion.is_none() { VariantRefusal::PromotionMissing } else { VariantRefusal::PromotionImpossible };
    }
    if !others.is_empty() {
        return VariantRefusal::PromotionImpossible;
    }
    VariantRefusal::Forbidden(forbidden(position, role, to))
}

impl VariantRefusal {
    /// Says `reaches e3` rather than `reaches e3 from there` where no origin is written.
    fn without_origin(self, written: &WrittenSan) -> VariantRefusal {
        match (self, written.what) {
            (VariantRefusal::NobodyReaches(who), WrittenMove::Normal { file: None, rank: None, .. }) => {
                VariantRefusal::NobodyReaches(who.trim_end_matches(" from there").to_owned())
            }
            (refusal, _) => refusal,
        }
    }
}

/// Whether a man goes from one square to the other as the men move, whatever the laws of the variant say of it.
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

/// Why the laws of the variant forbid a move that the men could make.
fn forbidden(position: &VariantPosition, role: Role, to: Square) -> &'static str {
    let captures = position.board().occupied().contains(to);
    match position {
        VariantPosition::Antichess(_) if !captures && position.legal_moves().iter().any(|played| played.is_capture()) => {
            "a capture can be made, and who can capture must"
        }
        VariantPosition::Atomic(_) if captures && role == Role::King => "the king may not capture: it would explode",
        VariantPosition::Atomic(_) if captures && (attacks::king_attacks(to) & position.our(Role::King)).any() => {
            "the capture would explode the side's own king"
        }
        VariantPosition::RacingKings(_) => "the move gives check or leaves the king in check, and nobody may",
        _ => "the king would be in check",
    }
}

/// How a game of a variant has ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariantEnd {
    /// Who has won.
    pub outcome: KnownOutcome,
    /// What has happened: a clause for messages.
    pub how: &'static str,
    /// Whether it ends the game wherever the variant is played.
    pub proven: bool,
}

impl VariantEnd {
    /// The end that `position` is, if it is one.
    pub fn of(position: &VariantPosition) -> Option<VariantEnd> {
        let outcome = match position.outcome() {
            Outcome::Known(outcome) if position.is_variant_end() || position.legal_moves().is_empty() => outcome,
            _ => return None,
        };
        let mates = position.is_check();
        let (how, proven) = match (position, outcome.winner()) {
            (_, None) if position.is_variant_end() => ("both kings have reached the eighth rank", true),
            (_, None) => ("the side to move is stalemated, a draw", !matches!(position, VariantPosition::Atomic(_))),
            (VariantPosition::Atomic(_), Some(_)) if position.is_variant_end() => ("a king has exploded", true),
            (VariantPosition::Atomic(_), Some(_)) => ("the king is mated", false),
            (VariantPosition::Antichess(_), Some(_)) if position.us().is_empty() => ("one side has lost all its men", true),
            (VariantPosition::Antichess(_), Some(_)) => ("the side to move is stalemated and has won", false),
            (VariantPosition::KingOfTheHill(_), Some(_)) if position.is_variant_end() => ("a king has reached the hill", true),
            (VariantPosition::ThreeCheck(_), Some(_)) if position.is_variant_end() => ("the third check has been given", true),
            (VariantPosition::RacingKings(_), Some(_)) => ("a king has reached the eighth rank", true),
            (VariantPosition::Horde(_), Some(_)) if position.is_variant_end() => ("one side has lost all its men", true),
            (_, Some(_)) if mates => ("the king is mated", true),
            (_, Some(_)) => ("the game is decided", false),
        };
        Some(VariantEnd { outcome, how, proven })
    }
}
