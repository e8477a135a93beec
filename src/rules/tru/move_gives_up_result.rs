//! TRU08: moves that give up a win or a draw.

use super::{Reached, given_up, with_few_pieces};
use crate::oracle::TableVerdict;
use crate::rules::main_line;
use crate::rules::placeholders::HALFMOVE_CLOCK_REAL;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU08"),
    name: "move-gives-up-result",
    severity: Severity::Info,
    summary: "A move gives up a win or a draw",
    what: "By the tablebases, a position was won or drawn for the side to move, but not any more \
           after the move. This holds both with the fifty-move rule and without it. The first \
           such move of a game is reported, with the number of later ones.",
    why: "Players make mistakes. But where the players are engines, the moves may be wrong.",
    fix: "Nothing has to be changed, unless the moves differ from the source.",
    source: "Syzygy tablebases",
    needs: &[Need::Tables, Need::EveryPosition],
    fires: &[
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"7k/P7/8/6K1/8/8/8/8 w - - 0 1\"]", moves: "1. a8=Q+ Kh7 2. ⟦Qg8+⟧ 1/2-1/2"
        },
        // The clock of the FEN tag leaves enough moves to win.
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"Q7/7k/8/6K1/8/8/8/8 w - - 9 60\"]", moves: "60. ⟦Qg8+⟧ 1/2-1/2" },
    ],
    silent: &[Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"7k/P7/8/6K1/8/8/8/8 w - - 0 1\"]", moves: "1. a8=Q+ Kh7 2. Qf3 *" }],
    check: Check::AskedGame(check),
    ..Rule::DEFAULTS
};

fn check(game: &AskedGame<'_>, findings: &mut Findings) {
    if !game.every_position {
        return;
    }
    // Those that need the clock of a FEN tag, and those that are certain without it.
    let (mut likely, mut certain) = (Vec::new(), Vec::new());
    let mut before: Option<(Reached, TableVerdict)> = None;
    for reached in with_few_pieces(game) {
        let verdict = reached.verdict(game.inquiry);
        if let (Some((before, verdict_before)), Some(after)) = (&before, verdict)
            && verdict_before.is_given_up(&after) == Some(true)
        {
            let verdicts = before.certain_verdict(game.inquiry).zip(reached.certain_verdict(game.inquiry));
            let is_certain = verdicts.is_some_and(|(before, after)| before.is_given_up(&after) == Some(true));
            let mistakes = if is_certain { &mut certain } else { &mut likely };
            mistakes.push((reached.ply, *verdict_before));
        }
        before = verdict.map(|verdict| (reached, verdict));
    }
    let (mistakes, condition) = if certain.is_empty() { (likely, Some(HALFMOVE_CLOCK_REAL)) } else { (certain, None) };
    let Some((ply, before)) = mistakes.first() else { return };
    let place = main_line::place_of_ply(game.ending, *ply);
    let more = match mistakes.len() - 1 {
        0 => String::new(),
        1 => "; 1 later move does too".to_owned(),
        more => format!("; {} do too", quantity(more, "later move", "later moves")),
    };
    let finding = findings.add(&RULE, place).message(format!("by the tablebases, this move gives up {}{more}", given_up(before)));
    finding.only_if(condition);
    main_line::locate(finding, game.ending, *ply);
}
