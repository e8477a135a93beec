//! TRU06: announced mates in positions that are not won.

use shakmaty::{Color, Position};

use super::{described, with_few_pieces};
use crate::pgn::Evaluation;
use crate::rules::main_line;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU06"),
    name: "announced-mate-refuted",
    severity: Severity::Warning,
    summary: "An announced mate cannot be forced",
    what: "An evaluation in a comment is a mate, such as `#7`, but by the tablebases that side does not win, \
           even without the fifty-move rule. It is an info if that side won before the move, because some \
           programs write the evaluation of the position before it.",
    why: "The evaluation belongs to another position, or the moves were changed after it was made.",
    fix: "Evaluate the position again.",
    source: "PGN supplement of 2001; Syzygy tablebases",
    yields: &in_record([code!("CLK07"), code!("CLK12"), code!("CLK13")]),
    needs: &[Need::Tables],
    fires: &[Sample::Game {
        tags: "[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"]",
        moves: "1. Kd3 {⟦[%eval #12]⟧} *",
    }],
    silent: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"]", moves: "1. Kd3 {[%eval 0.00]} *" },
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]", moves: "1. a8=Q+ {[%eval #7]} *" },
    ],
    check: Check::AskedGame(check),
    ..Rule::DEFAULTS
};

fn check(game: &AskedGame<'_>, findings: &mut Findings) {
    let ending = game.ending;
    let announced = |reading: &EvaluationReading| match reading.value {
        Evaluation::Mate(moves) if moves != 0 => Some(Color::from_white(moves > 0)),
        _ => None,
    };
    let readings = ending.annotations.evaluations;
    if !readings.iter().any(|reading| announced(reading).is_some()) {
        return;
    }
    let mut before = None;
    for reached in with_few_pieces(game) {
        let reading = readings.binary_search_by_key(&reached.ply, |reading| reading.ply).ok().map(|index| readings[index]);
        let claim = reading.and_then(|reading| Some((reading, announced(&reading)?)));
        let turn = reached.position.turn();
        let Some((reading, winner)) = claim.filter(|_| !reached.position.is_checkmate()) else {
            before = Some(reached);
            continue;
        };
        let Some(verdict) = reached.verdict(game.inquiry).filter(|verdict| verdict.excludes_win_of(winner, turn)) else {
            before = Some(reached);
            continue;
        };
        let won_before = before.is_none_or(|before| {
            let verdict = before.verdict(game.inquiry);
            verdict.is_none_or(|verdict| !verdict.excludes_win_of(winner, before.position.turn()))
        });
        let value = main_line::shown_value(reading.value);
        let finding = findings.add(&RULE, reading.place);
        if won_before {
            finding.severity(Severity::Info);
        }
        let message = format!(
            "the evaluation `{value}` announces a mate by {}, but by the tablebases {}",
            color_name(winner),
            described(&verdict, turn)
        );
        finding.message(message).found(value);
        main_line::locate(finding, ending, reached.ply);
        // One cause: the evaluations after it come from the same program.
        return;
    }
}
