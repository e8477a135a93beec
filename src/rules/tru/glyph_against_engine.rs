//! TRU14: judgements of moves that an engine does not share.

use shakmaty::Chess;

use super::{hundredths, opinion};
use crate::chess::san_of;
use crate::rules::main_line;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU14"),
    name: "glyph-against-engine",
    severity: Severity::Info,
    summary: "An engine disagrees with `??` or `!!`",
    what: "A move is marked `??`, but by an engine it is the best move or at most half a pawn worse. Or \
           it is marked `!!`, but it is at least two pawns worse than the best move. This is an opinion.",
    why: "The mark may belong to another move, or the moves were changed after they were judged.",
    fix: "Compare the moves and the marks with the source.",
    source: "PGN standard 10, NAG 3 and 4",
    yields: &in_record([code!("CLK15")]),
    needs: &[Need::Engine],
    fires: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1\"]", moves: "1. Qxd5⟦??⟧ *" },
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1\"]", moves: "1. Kf1⟦!!⟧ *" },
    ],
    silent: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1\"]", moves: "1. Qxd5!! *" },
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1\"]", moves: "1. Kf1?? *" },
    ],
    check: Check::AskedGame(check),
    wakes: Wakes::Signs(&[Sign::Remarks]),
    ..Rule::DEFAULTS
};

/// Glyphs of the PGN standard.
const BRILLIANT: u32 = 3;
const BLUNDER: u32 = 4;
/// Maximum loss, in hundredths of a pawn, of a move that is no blunder.
const MAX_LOSS: i64 = 50;
/// Minimum loss, in hundredths of a pawn, of a move that is not brilliant.
const MIN_LOSS: i64 = 200;

/// The moves marked as brilliant or as blunders, in their order: by a suffix, or by a glyph of its
/// own.
fn judgements(ending: &Ending<'_>) -> Vec<JudgingGlyph> {
    let suffixed = (1..).zip(main_line::places(ending)).filter_map(|(ply, place)| {
        let token = place.of(ending.text);
        let start = token.iter().rposition(|byte| !matches!(byte, b'!' | b'?')).map_or(0, |at| at + 1);
        let number = match &token[start..] {
            b"!!" => BRILLIANT,
            b"??" => BLUNDER,
            _ => return None,
        };
        Some(JudgingGlyph { ply, number, place: Span::new(place.start + start, place.end) })
    });
    let extreme = |judgement: &&JudgingGlyph| matches!(judgement.number, BRILLIANT | BLUNDER);
    let mut judged: Vec<JudgingGlyph> = suffixed.chain(ending.annotations.judgements.iter().filter(extreme).copied()).collect();
    judged.sort_by_key(|judgement| judgement.ply);
    judged.dedup_by_key(|judgement| judgement.ply);
    judged
}

fn check(game: &AskedGame<'_>, findings: &mut Findings) {
    let ending = game.ending;
    if !game.inquiry.has_engine() {
        return;
    }
    let judged = judgements(ending);
    if judged.is_empty() {
        return;
    }
    let positions: Vec<Chess> = main_line::positions(ending).collect();
    for judgement in judged {
        let before = judgement.ply.checked_sub(1).and_then(|ply| positions.get(ply as usize));
        let (Some(position), Some(played)) = (before, main_line::played(ending, judgement.ply)) else { continue };
        let Some((best, preferred)) = opinion(game.inquiry, position, Vec::new()) else { continue };
        let Some((score, _)) = opinion(game.inquiry, position, vec![played]) else { continue };
        let loss = if preferred == Some(played) { 0 } else { hundredths(best) - hundredths(score) };
        let is_contradicted = if judgement.number == BLUNDER { loss <= MAX_LOSS } else { loss >= MIN_LOSS };
        if !is_contradicted {
            continue;
        }
        let san = preferred.map(|preferred| san_of(position, preferred)).unwrap_or_default();
        let found = shown(judgement.place.of(ending.text));
        let nodes = quantity(game.inquiry.nodes(), "node", "nodes");
        let opinion = if preferred == Some(played) {
            format!("an engine finds it best: `{}` at {nodes}", best)
        } else {
            format!("by an engine, {san} is worth `{}` and this move `{}` at {nodes}", best, score)
        };
        let message = format!("the move is marked `{found}`, but {opinion}");
        let finding = findings.add(&RULE, judgement.place).found(found).message(message);
        main_line::locate(finding, ending, judgement.ply);
    }
}
