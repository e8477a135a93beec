//! RES08: wins in positions in which neither side can checkmate.

use shakmaty::KnownOutcome;

use super::{Finished, Stated, Termination, final_fen, outcome_if, squares_of_end, why_dead};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES08"),
    name: "win-in-dead-position",
    severity: Severity::Warning,
    summary: "A win is recorded, but neither side can checkmate",
    what: "A win is recorded, but no sequence of legal moves leads from the final position to \
           checkmate. Pieces are missing, or pawns block the position, or all moves are forced. \
           Only proven cases are reported. Games whose Termination tag \
           mentions a forfeit, an illegal move, an adjudication or the like are not reported. A \
           loss on time is reported, because the game was drawn before the flag fell. If the tag \
           or the marker says draw, see RES04.",
    why: "The game was drawn as soon as this position arose. A forfeit may explain the win, so \
           this is not an error.",
    fix: "Compare with another source. If the moves are right, write `1/2-1/2`.",
    source: "FIDE Laws 5.2.2",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"8/8/8/8/3k4/8/4p3/4K3 w - - 0 1\"]", moves: "1. Kxe2 ⟦1-0⟧" },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"8/2k5/7p/1p1p1p2/1P1P1P1P/4B3/2K5/8 b - - 0 1\"]", moves: "1... h5 ⟦1-0⟧"
        },
    ],
    silent: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"8/8/8/8/3k4/8/4p3/4K3 w - - 0 1\"]", moves: "1. Kxe2 1/2-1/2" },
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"8/8/8/8/3k1n2/8/4p3/4K1N1 w - - 0 1\"]", moves: "1. Nxe2+ 1-0" },
        // The h-pawn has not moved: the bishop gets out over the h-file.
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"8/2k5/7p/1p1p1p2/1P1P1P1P/4B3/2K5/8 b - - 0 1\"]", moves: "1... Kd6 1-0" },
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    // The board comes last, because it costs most.
    let stated = Stated::of(facts);
    let Some((place, claim)) = stated.contradicting(KnownOutcome::Draw) else { return };
    if Termination::of(facts.tags) == Termination::Decision {
        return;
    }
    let (Some(right), Some(position)) = (outcome_if(facts, Finished::Dead), facts.position) else { return };
    let finding = findings.add(&RULE, place);
    finding.ply(facts.plies).found(claim.as_str()).expected(right.as_str()).fen(final_fen(facts));
    finding.squares(squares_of_end(facts, Finished::Dead));
    finding.message(format!("{}, but the result is `{claim}`", why_dead(position)));
    finding.move_text = facts.last_move.to_owned();
    stated.replace_by(right, facts.text, finding);
}
