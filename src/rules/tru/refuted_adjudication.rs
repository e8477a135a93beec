//! TRU01: adjudications by tablebases that the tablebases refute.

use super::{described, final_position, is_adjudicated_by_tables, locate_at_end, recorded};
use crate::rules::prelude::*;
use crate::rules::stated_result::Stated;

pub static RULE: Rule = Rule {
    code: code!("TRU01"),
    name: "refuted-adjudication",
    severity: Severity::Error,
    summary: "Tablebases refute an adjudication by tablebases",
    what: "The Termination tag, the TerminationDetails tag or the last comment says that tablebases \
           decided the game (`SyzygyTB`, `TB position`, `Draw by tablebase`). But by the tablebases, the final position \
           has another result, both with the fifty-move rule and without it. The halfmove clock of a FEN \
           tag counts unless it is a placeholder.",
    why: "The result or the moves were changed after the adjudication, or moves are missing.",
    fix: "Compare the result and the last moves with the source.",
    source: "FIDE Laws 9.3; Syzygy tablebases",
    repairs: Some(Certainty::Likely),
    needs: &[Need::Tables],
    fires: &[
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\
                   [Termination \"adjudication\"]",
            moves: "1. a8=Q+ {Draw by adjudication: SyzygyTB} ⟦1/2-1/2⟧",
        },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\
                   [Termination \"adjudication\"]",
            moves: "1. a8=Q+ {6-men tablebase} ⟦1/2-1/2⟧",
        },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]",
            moves: "1. a8=Q+ {Draw by tablebase} ⟦1/2-1/2⟧",
        },
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/8/KQ6 w - - 3 90\"]",
            moves: "90. Kb2 {Draw by adjudication: SyzygyTB} ⟦1/2-1/2⟧",
        },
    ],
    silent: &[
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\
                   [Termination \"adjudication\"]",
            moves: "1. a8=Q+ {White wins by adjudication: SyzygyTB} 1-0",
        },
        // The clock of the FEN is a placeholder, so the game may be drawn.
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"7k/8/8/8/8/8/8/KQ6 w - - 0 1\"]\n\
                   [Termination \"adjudication\"]",
            moves: "1. Kb2 {Draw by adjudication: SyzygyTB} 1/2-1/2",
        },
    ],
    check: Check::AskedGame(check),
    ..Rule::DEFAULTS
};

fn check(game: &AskedGame<'_>, findings: &mut Findings) {
    let ending = game.ending;
    let (Some((place, claim)), Some(last)) = (recorded(ending), final_position(game)) else { return };
    if !is_adjudicated_by_tables(ending, claim) {
        return;
    }
    let Some(verdict) = last.verdict(game.inquiry) else { return };
    let turn = shakmaty::Position::turn(&last.position);
    let winner = verdict.certain_winner(turn);
    let is_refuted = match claim.winner() {
        Some(claimed) => verdict.excludes_win_of(claimed, turn),
        None => winner.is_some(),
    };
    if !is_refuted {
        return;
    }
    let finding = findings.add(&RULE, place).found(claim.as_str());
    if claim.winner().is_none() {
        finding.only_if(last.clock.condition());
    }
    finding.message(format!("adjudicated by tablebases as `{claim}`, but by the tablebases {}", described(&verdict, turn)));
    if let Some(right) = super::outcome(&verdict, turn) {
        finding.expected(right.as_str());
        Stated::of(ending).replace_by(right, ending.text, finding);
    }
    locate_at_end(finding, ending, &last);
}
