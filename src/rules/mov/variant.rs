//! Moves of games of variants: the rules of this family that hold there, too.
//!
//! What check means differs from variant to variant, and what `#` marks from server to server, so that fewer rules are asked
//! than about moves of chess.

use shakmaty::{Bitboard, Move, Position, variant::VariantPosition};

use super::{
    ambiguous_move, capture_mark_false, capture_mark_missing, castling_letters, check_mark_false, check_mark_missing,
    illegal_castling, illegal_in_variation, illegal_move, lowercase_piece, mate_mark_false, move_after_end, mover, null_move,
    promotion_impossible, promotion_missing, suffix_form,
};
use crate::{
    chess::{CheckMark, Quirks, VariantEnd, VariantRefusal, WrittenMove, side, variant_fen, word},
    rules::{Finding, Findings, Repair, Rule, Severity, facts::VariantMove, shown},
};

/// Says that a move of a variant cannot be played, and why.
pub fn refused_in_variant(facts: &VariantMove<'_>, refusal: &VariantRefusal, findings: &mut Findings) {
    let token = shown(facts.place.of(facts.text));
    let laws = facts.before.variant();
    let (rule, message): (&'static Rule, String) = match refusal {
        VariantRefusal::Null if facts.in_variation => return,
        VariantRefusal::Null => (&null_move::RULE, format!("{} passes the turn where nobody may", side(facts.before.turn()))),
        _ if facts.in_variation => {
            (&illegal_in_variation::RULE, format!("{token} cannot be played in this variation: {refusal}"))
        }
        VariantRefusal::GameOver(_) => (&move_after_end::RULE, format!("{token} follows the end of the game: {refusal}")),
        VariantRefusal::Castling => {
            (&illegal_castling::RULE, format!("{token} is not legal in the recorded position: {refusal}"))
        }
        VariantRefusal::Ambiguous { .. } => (&ambiguous_move::RULE, format!("{token} means more than one move: {refusal}")),
        VariantRefusal::PromotionMissing => (&promotion_missing::RULE, format!("{token} does not say what the pawn becomes")),
        VariantRefusal::PromotionImpossible => (&promotion_impossible::RULE, format!("{token} is not possible: {refusal}")),
        VariantRefusal::NotInHand(_)
        | VariantRefusal::NoDrop(..)
        | VariantRefusal::NobodyReaches(_)
        | VariantRefusal::Forbidden(_) => {
            (&illegal_move::RULE, format!("{token} is not legal in the recorded position: {refusal}"))
        }
    };
    let expected = match refusal {
        VariantRefusal::Ambiguous { role, from, to } => spellings(facts, |played| {
            played.role() == *role && played.to() == *to && played.from().is_some_and(|square| from.contains(square))
        }),
        _ => String::new(),
    };
    let proven = refusal.is_proven(laws);
    let finding = findings.add(rule, facts.place);
    if !proven {
        finding.severity(rule.severity.min(Severity::Warning));
    }
    finding.message(format!("{message} ({laws})")).found(token).expected(expected).fen(variant_fen(facts.before));
}

/// The canonical spellings of the legal moves that `wanted` picks.
fn spellings(facts: &VariantMove<'_>, wanted: impl Fn(&Move) -> bool) -> String {
    let moves: Vec<String> =
        facts.before.legal_moves().iter().filter(|played| wanted(played)).map(|&played| facts.spelling(played)).collect();
    moves.join(" or ")
}

/// Asks about the spelling of a move of a variant that was played and led to `after`.
pub fn played_in_variant(facts: &VariantMove<'_>, played: Move, after: &VariantPosition, findings: &mut Findings) {
    let written = facts.written;
    let coordinates = matches!(written.what, WrittenMove::Coordinates { .. });
    if written.quirks.has(Quirks::CASTLING_LETTERS) {
        misspelt(&castling_letters::RULE, facts, played, findings)
            .message("castling is written with capital letters O and dashes")
            .once_per_input();
    }
    if written.quirks.has(Quirks::LOWERCASE_PIECE) {
        misspelt(&lowercase_piece::RULE, facts, played, findings)
            .message(format!("the letter of the {} is a capital", word(played.role())));
    }
    if written.capture && !played.is_capture() {
        misspelt(&capture_mark_false::RULE, facts, played, findings).message(format!("{} captures nothing", mover(played)));
    }
    if let Some(captured) = played.capture().filter(|_| !written.capture && !coordinates) {
        misspelt(&capture_mark_missing::RULE, facts, played, findings)
            .message(format!("the move captures a {}, and no x says so", word(captured)))
            .once_per_input();
    }
    let marks_said = judge_marks(facts, played, after, coordinates, findings);
    if !marks_said && written.quirks.has(Quirks::SUFFIX_FORM) {
        misspelt(&suffix_form::RULE, facts, played, findings).message("SAN has no such suffix");
    }
}

/// Asks about `+` and `#`. Gives whether one of them is false.
fn judge_marks(
    facts: &VariantMove<'_>,
    played: Move,
    after: &VariantPosition,
    coordinates: bool,
    findings: &mut Findings,
) -> bool {
    let check_is_check = matches!(
        after,
        VariantPosition::Crazyhouse(_)
            | VariantPosition::KingOfTheHill(_)
            | VariantPosition::ThreeCheck(_)
            | VariantPosition::Horde(_)
    );
    if !check_is_check {
        return false;
    }
    let checkers: Bitboard = after.checkers();
    let decided = VariantEnd::of(after).is_some_and(|end| end.outcome.winner().is_some());
    match facts.written.mark {
        CheckMark::Check | CheckMark::Double if checkers.is_empty() => {
            misspelt(&check_mark_false::RULE, facts, played, findings).message(format!("{} gives no check", mover(played)));
            true
        }
        CheckMark::Mate if !decided => {
            misspelt(&mate_mark_false::RULE, facts, played, findings).message(format!("{} does not end the game", mover(played)));
            true
        }
        CheckMark::None if !coordinates && !decided => {
            if let Some((square, role)) = checkers.first().and_then(|square| Some((square, after.board().role_at(square)?))) {
                misspelt(&check_mark_missing::RULE, facts, played, findings)
                    .message(format!("the {} on {square} gives check, and no + says so", word(role)))
                    .once_per_input();
            }
            false
        }
        _ => false,
    }
}

fn misspelt<'f>(rule: &'static Rule, facts: &VariantMove<'_>, played: Move, findings: &'f mut Findings) -> &'f mut Finding {
    let finding = findings.add(rule, facts.place);
    finding.found(shown(facts.place.of(facts.text))).expected(facts.spelling(played)).fen(variant_fen(facts.before));
    finding.repair = Some(Repair::Likely);
    finding
}
