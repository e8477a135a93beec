//! RES09: wins by a side that cannot mate.

use shakmaty::Position;

use super::{Stated, Termination, final_fen, side};
use crate::rules::{Check, Findings, Repair, Rule, Sample, Severity, Yield, facts::Ending};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES09"),
    name: "unwinnable-win",
    severity: Severity::Warning,
    summary: "A side is said to have won that cannot mate with what it has left",
    what: "In the final position the winner has a bare king; or the Termination tag says that time ran out, and no sequence of legal moves lets the winner mate with the men on the board \
           (a knight against a queen, say; what the men that are left block does not count). Spared where the Termination tag speaks of forfeit, adjudication or the like. Where neither side can mate it is RES08.",
    why: "By the Laws the game was drawn when the flag fell; servers have other rules, and forfeits happen, which is why it is no error.",
    fix: "Look the game up: colours or result may be exchanged.",
    source: "Laws of Chess 6.9",
    yields: &[Yield::InRecord(code!("RES08"))],
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n\
             [FEN \"8/8/8/8/3k2p1/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 ⟦1-0⟧\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n\
             [FEN \"8/8/8/8/3kq3/8/N7/4K3 w - - 0 1\"]\n[Termination \"Time forfeit\"]\n\n1. Kf2 ⟦1-0⟧\n",
        ),
    ],
    silent: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n\
             [FEN \"8/8/8/8/3k2p1/8/4p3/4K3 w - - 0 1\"]\n[Termination \"rules infraction\"]\n\n1. Kxe2 1-0\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n\
             [FEN \"8/8/8/8/3k2p1/8/N7/4K3 w - - 0 1\"]\n[Termination \"Time forfeit\"]\n\n1. Kf2 1-0\n",
        ),
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(position) = facts.position.filter(|_| facts.plies > 0) else { return };
    let stated = Stated::of(facts);
    let Some((place, claim, winner)) =
        stated.each().find_map(|(place, kind)| kind.outcome()?.known().and_then(|claim| Some((place, claim, claim.winner()?))))
    else {
        return;
    };
    // A tag and a marker that contradict each other are another matter.
    if stated.each().any(|(_, kind)| kind.outcome().and_then(|outcome| outcome.known()) != Some(claim)) {
        return;
    }
    if !position.has_insufficient_material(winner) || position.is_insufficient_material() {
        return;
    }
    let termination = Termination::of(facts.tags);
    let bare = position.board().by_color(winner).count() == 1;
    let reason = match termination {
        Termination::Decided => return,
        Termination::Time => "could not have mated when the flag fell",
        Termination::Unsaid if bare => "has a bare king in the final position",
        Termination::Unsaid => return,
    };
    let finding = findings.add(&RULE, place);
    finding.ply(facts.plies).found(claim.as_str()).expected("1/2-1/2").fen(final_fen(facts));
    finding.message(format!("the result is `{claim}`, but {} {reason}", side(winner)));
    finding.move_text = facts.last_move.to_owned();
    finding.repair = Some(Repair::Likely);
}
