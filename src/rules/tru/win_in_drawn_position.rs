//! TRU15: wins in positions that are drawn.

use super::{final_position, is_adjudicated_by_tables, locate_at_end, may_be_decided_off_board, recorded};
use crate::oracle::Prospect;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU15"),
    name: "win-in-drawn-position",
    severity: Severity::Info,
    summary: "A win is recorded, but the final position is drawn",
    what: "A side won, but by the tablebases neither side wins the final position, even without the fifty-move \
           rule. Games whose tags or last comment mention time, a resignation, a lost connection or an illegal \
           move are not reported.",
    why: "The result may be wrong, or the last moves may be missing. A player can also lose on time or resign in \
          a drawn position.",
    fix: "Compare the result and the last moves with the source.",
    source: "Syzygy tablebases",
    yields: &in_record([code!("TRU01"), code!("RES08"), code!("RES09"), code!("RES16")]),
    needs: &[Need::Tables],
    fires: &[Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/8/7P/8/8/8/8/K7 w - - 0 1\"]", moves: "1. Kb2 Kh7 ⟦1-0⟧" }],
    silent: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/8/7P/8/8/8/8/K7 w - - 0 1\"]", moves: "1. Kb2 Kh7 1/2-1/2" },
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/8/7P/8/8/8/8/K7 w - - 0 1\"]", moves: "1. Kb2 Kh7 {Black resigns} 1-0" },
    ],
    check: Check::AskedGame(check),
    ..Rule::DEFAULTS
};

fn check(game: &AskedGame<'_>, findings: &mut Findings) {
    let ending = game.ending;
    let (Some((place, claim)), Some(last)) = (recorded(ending), final_position(game)) else { return };
    if claim.winner().is_none() || may_be_decided_off_board(ending) || is_adjudicated_by_tables(ending, claim) {
        return;
    }
    if last.verdict(game.inquiry).is_none_or(|verdict| verdict.unlimited != Prospect::Draw) {
        return;
    }
    let finding = findings.add(&RULE, place).found(claim.as_str());
    finding.message(format!("the result is `{claim}`, but by the tablebases the position is drawn"));
    locate_at_end(finding, ending, &last);
}
