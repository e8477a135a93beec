//! Moves of variant games: the rules of this family that also apply there.
//!
//! Check means different things in different variants, and servers use `#` differently. Therefore
//! fewer rules apply than to moves of chess.

use shakmaty::{
    Bitboard, Move, Position,
    variant::{Variant as Laws, VariantPosition},
};

use super::{
    ambiguous_move, annotation, capture_mark_false, capture_mark_missing, captured_square, castling_letters, check_mark_false,
    check_mark_missing, illegal_castling, illegal_in_variation, illegal_move, lowercase_piece, mate_mark_false, move_after_end,
    mover, null_move, promotion_impossible, promotion_missing, suffix_form, target,
};
use crate::chess::{Arrow, CheckMark, IllegalVariantMove, Quirks, VariantEnd, WrittenMove, fen_of, role_name};
use crate::rules::prelude::*;

/// Reports that a move of a variant game cannot be played, and why.
pub fn refused_in_variant(facts: &VariantMove<'_>, reason: &IllegalVariantMove, findings: &mut Findings) {
    let token = shown(facts.place.of(facts.text));
    let laws = facts.before.variant();
    let (rule, message): (&'static Rule, String) = match reason {
        IllegalVariantMove::Null if facts.in_variation => return,
        IllegalVariantMove::Null => {
            (&null_move::RULE, format!("`{token}` passes {}'s turn, which is not allowed", color_name(facts.before.turn())))
        }
        _ if facts.in_variation => (
            &illegal_in_variation::RULE,
            format!("{}'s {token} cannot be played in this variation: {reason}", color_name(facts.before.turn())),
        ),
        IllegalVariantMove::GameOver(_) => (&move_after_end::RULE, format!("{token} comes after the end of the game: {reason}")),
        IllegalVariantMove::Castling => (&illegal_castling::RULE, format!("{token} is not legal here: {reason}")),
        IllegalVariantMove::Ambiguous { .. } => (&ambiguous_move::RULE, format!("{token} is ambiguous: {reason}")),
        IllegalVariantMove::PromotionMissing => {
            (&promotion_missing::RULE, format!("{token} does not say which piece the pawn promotes to"))
        }
        IllegalVariantMove::PromotionImpossible => {
            (&promotion_impossible::RULE, format!("{token} is not a possible promotion: {reason}"))
        }
        IllegalVariantMove::NotInHand(_)
        | IllegalVariantMove::NoDrop(..)
        | IllegalVariantMove::CannotReach(_)
        | IllegalVariantMove::Forbidden(_) => (&illegal_move::RULE, format!("{token} is not legal here: {reason}")),
    };
    let meant: Vec<Move> = match reason {
        IllegalVariantMove::Ambiguous { role, from, to } => legal_moves(facts, |played| {
            played.role() == *role && played.to() == *to && played.from().is_some_and(|square| from.contains(square))
        }),
        _ => Vec::new(),
    };
    let written = match reason {
        IllegalVariantMove::Ambiguous { .. } => meant.iter().filter_map(|&played| Arrow::of(played)).collect(),
        _ => Arrow::of_illegal(facts.before.board(), facts.before.turn(), facts.written),
    };
    let expected: Vec<String> = meant.iter().map(|&played| facts.spelling(played)).collect();
    let is_proven = reason.is_proven(laws);
    let finding = findings.add(rule, facts.place);
    if !is_proven {
        finding.severity(rule.severity.min(Severity::Warning));
    }
    finding
        .message(format!("{message} ({})", name(laws)))
        .found(token)
        .alternatives(expected)
        .fen(fen_of(facts.before))
        .squares(squares_at_fault(facts, reason))
        .written(written);
}

/// The pieces that make the move ambiguous, and the target square.
fn squares_at_fault(facts: &VariantMove<'_>, reason: &IllegalVariantMove) -> Bitboard {
    let pieces = match reason {
        IllegalVariantMove::Ambiguous { from, .. } => *from,
        _ => Bitboard::EMPTY,
    };
    match facts.written.what {
        WrittenMove::Normal { to, .. } | WrittenMove::Coordinates { to, .. } | WrittenMove::Drop { to, .. } => pieces.with(to),
        WrittenMove::Castle(_) | WrittenMove::Null => pieces,
    }
}

/// The name of a variant in messages.
const fn name(laws: Laws) -> &'static str {
    match laws {
        Laws::Chess => "chess",
        Laws::Atomic => "atomic chess",
        Laws::Antichess => "antichess",
        Laws::KingOfTheHill => "king of the hill",
        Laws::ThreeCheck => "three-check",
        Laws::Crazyhouse => "crazyhouse",
        Laws::RacingKings => "racing kings",
        Laws::Horde => "horde",
    }
}

/// The legal moves that `wanted` accepts.
fn legal_moves(facts: &VariantMove<'_>, wanted: impl Fn(&Move) -> bool) -> Vec<Move> {
    facts.before.legal_moves().into_iter().filter(wanted).collect()
}

/// Checks the spelling of a move of a variant game that was played and led to `after`.
pub fn played_in_variant(facts: &VariantMove<'_>, played: Move, after: &VariantPosition, findings: &mut Findings) {
    let written = facts.written;
    let is_coordinates = matches!(written.what, WrittenMove::Coordinates { .. });
    if written.quirks.has(Quirks::CASTLING_LETTERS) {
        misspelled(&castling_letters::RULE, facts, played, findings)
            .message("castling is not written with capital letters O and hyphens")
            .once_per_input();
    }
    if written.quirks.has(Quirks::LOWERCASE_PIECE) {
        misspelled(&lowercase_piece::RULE, facts, played, findings)
            .message(format!("the letter of the {} is lowercase", role_name(played.role())));
    }
    if written.capture && !played.is_capture() {
        misspelled(&capture_mark_false::RULE, facts, played, findings)
            .message(format!("the move contains `x`, but {} captures nothing", mover(played)))
            .squares(target(played));
    }
    if let Some(captured) = played.capture().filter(|_| !written.capture && !is_coordinates) {
        misspelled(&capture_mark_missing::RULE, facts, played, findings)
            .message(format!("the move captures a {}, but `x` is missing", role_name(captured)))
            .squares(captured_square(played))
            .once_per_input();
    }
    let is_mark_false = check_marks(facts, played, after, is_coordinates, findings);
    if !is_mark_false && written.quirks.has(Quirks::SUFFIX_FORM) {
        misspelled(&suffix_form::RULE, facts, played, findings).message("the suffix is not part of SAN");
    }
}

/// Checks `+` and `#`. Returns whether one of them is wrong.
fn check_marks(
    facts: &VariantMove<'_>,
    played: Move,
    after: &VariantPosition,
    is_coordinates: bool,
    findings: &mut Findings,
) -> bool {
    let has_usual_check = matches!(
        after,
        VariantPosition::Crazyhouse(_)
            | VariantPosition::KingOfTheHill(_)
            | VariantPosition::ThreeCheck(_)
            | VariantPosition::Horde(_)
    );
    if !has_usual_check {
        return false;
    }
    let checkers: Bitboard = after.checkers();
    let decided = VariantEnd::of(after).is_some_and(|end| end.outcome.winner().is_some());
    match facts.written.mark {
        CheckMark::Check | CheckMark::Double if checkers.is_empty() => {
            misspelled(&check_mark_false::RULE, facts, played, findings)
                .message(format!("the move is marked as check, but {} does not give check", mover(played)))
                .squares(target(played));
            true
        }
        CheckMark::Mate if !decided => {
            misspelled(&mate_mark_false::RULE, facts, played, findings)
                .message(format!("the move is marked as checkmate, but {} does not end the game", mover(played)))
                .squares(target(played));
            true
        }
        CheckMark::None if !is_coordinates && !decided => {
            if let Some((square, role)) = checkers.first().and_then(|square| Some((square, after.board().role_at(square)?))) {
                misspelled(&check_mark_missing::RULE, facts, played, findings)
                    .message(format!("the {} on {square} gives check, but `+` is missing", role_name(role)))
                    .squares(checkers)
                    .once_per_input();
            }
            false
        }
        _ => false,
    }
}

fn misspelled<'f>(rule: &'static Rule, facts: &VariantMove<'_>, played: Move, findings: &'f mut Findings) -> &'f mut Finding {
    let finding = findings.add(rule, facts.place);
    let token = facts.place.of(facts.text);
    let (spelling, (marks, _)) = (facts.spelling(played), annotation(token));
    finding
        .found(shown(token))
        .repair(Certainty::Likely, Patch::replace(facts.text, facts.place, format!("{spelling}{marks}")))
        .expected(spelling)
        .fen(fen_of(facts.before))
        .written(Arrow::of(played));
    finding
}
