//! Moves as written.

pub mod ambiguous_move;
pub mod capture_mark_false;
pub mod capture_mark_missing;
pub mod castling_letters;
pub mod check_mark_false;
pub mod check_mark_missing;
pub mod disambiguation_form;
pub mod ep_suffix;
pub mod illegal_castling;
pub mod illegal_in_variation;
pub mod illegal_move;
pub mod lowercase_piece;
pub mod mate_mark_false;
pub mod mate_mark_missing;
pub mod move_after_end;
pub mod null_move;
pub mod promotion_impossible;
pub mod promotion_missing;
pub mod suffix_form;

use shakmaty::{Move, Position, san::SanPlus};

use super::{
    Code, Family, Finding, Findings, Repair, Rule, Severity,
    facts::{Ply, Unplayable},
    shown,
};
use crate::chess::{CheckMark, Quirks, Refusal, WrittenMove, WrittenSan, resolve, word};

/// The code of the rule about null moves.
const NULL_MOVE: Code = Code::new(Family::Mov, 7);

/// Notes that the spelling of a move breaks `rule`: how it is written and how it is spelt canonically.
fn misspelt<'f>(rule: &'static Rule, facts: &Ply<'_>, findings: &'f mut Findings, repair: Repair) -> &'f mut Finding {
    let finding = findings.add(rule, facts.place);
    finding.found(shown(facts.place.of(facts.text))).expected(facts.canonical()).repair = Some(repair);
    finding
}

/// Notes that a move cannot be played; `message` is given the move as written, and the reason.
///
/// Behind a null move nobody knows the position of the game, so that nothing is proven: the finding goes one severity down.
fn refused<'f>(
    rule: &'static Rule,
    facts: &Unplayable<'_>,
    findings: &'f mut Findings,
    message: impl Fn(&str, &Refusal) -> String,
) -> &'f mut Finding {
    let token = shown(facts.place.of(facts.text));
    let message = message(&token, facts.refusal);
    let finding = findings.add(rule, facts.place);
    let behind_null = facts.history.line.iter().any(Option::is_none);
    if !behind_null {
        finding.message(message);
    } else if facts.in_variation {
        finding.severity(Severity::Info).message(format!("{message}; a null move stands before it"));
    } else {
        finding.severity(Severity::Warning).message(format!("{message}; a null move before it leaves the position unknown"));
        finding.cause = Some(NULL_MOVE);
    }
    finding.found(token)
}

/// The canonical spelling of what `what` means in the position of the refused move.
fn canonical_of(facts: &Unplayable<'_>, what: WrittenMove) -> Option<String> {
    let written = WrittenSan { what, capture: false, mark: CheckMark::None, quirks: Quirks::NONE };
    let played = resolve(facts.before, facts.before.checkers(), &written)?.played;
    Some(SanPlus::from_move(facts.before.clone(), played).to_string())
}

/// What moves, and where: `the queen on h5`, `castling`.
fn mover(played: Move) -> String {
    match played {
        Move::Castle { .. } => "castling".to_owned(),
        other => format!("the {} on {}", word(other.promotion().unwrap_or(other.role())), other.to()),
    }
}
