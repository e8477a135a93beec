//! TRU11: best moves that an engine finds bad, and moves to avoid that it finds best.

use shakmaty::Move;

use super::{hundredths, moves, opinion};
use crate::chess::{Arrow, san_of};
use crate::epd::Opcode;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TRU11"),
    name: "move-against-engine",
    severity: Severity::Info,
    summary: "An engine disagrees with `bm` or `am`",
    what: "An engine prefers another move to those in `bm` by at least one pawn, or its best move is in \
           `am`. This is an opinion: it depends on the engine and on the number of nodes.",
    why: "The position or the solution may be wrong. Or the engine needs more nodes.",
    fix: "Analyse the position, and compare it with the source.",
    source: "PGN standard 16.2.5.3 and 16.2.5.4",
    yields: &in_record([code!("TRU04"), code!("TRU05"), code!("EPD10")]),
    needs: &[Need::Engine],
    fires: &[
        Sample::Positions("4k3/8/8/3q4/8/8/8/3QK3 w - - bm ⟦Kf1⟧;"),
        Sample::Positions("4k3/8/8/3q4/8/8/8/3QK3 w - - am ⟦Qxd5⟧;"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/3q4/8/8/8/3QK3 w - - bm Qxd5;"),
        Sample::Positions("4k3/8/8/3q4/8/8/8/3QK3 w - - am Kf1;"),
    ],
    check: Check::AskedLine(check),
    ..Rule::DEFAULTS
};

/// Smaller differences, in hundredths of a pawn, are a matter of taste.
const MIN_LOSS: i64 = 100;

fn check(line: &AskedLine<'_>, findings: &mut Findings) {
    let Some(start) = line.operations.start.filter(|_| line.inquiry.has_engine()) else { return };
    let of = |kind| moves(line, kind).filter(|(word, _)| word.ply == 1).map(|(_, played)| played).collect::<Vec<Move>>();
    let (best, avoided) = (of(Opcode::Bm), of(Opcode::Am));
    if best.is_empty() && avoided.is_empty() {
        return;
    }
    let Some((score, Some(preferred))) = opinion(line.inquiry, start, Vec::new()) else { return };
    let san = san_of(start, preferred);
    let nodes = quantity(line.inquiry.nodes(), "node", "nodes");
    if let Some((word, _)) = moves(line, Opcode::Am).find(|(_, played)| *played == preferred) {
        let found = shown(word.place.of(line.operations.text));
        let message = format!("`{found}` is to be avoided, but an engine finds it best ({} at {nodes})", score);
        findings.add(&RULE, word.place).message(message).found(found).written(Arrow::of(preferred));
    }
    let Some((word, played)) = moves(line, Opcode::Bm).next().filter(|_| !best.contains(&preferred)) else { return };
    let Some((given, _)) = opinion(line.inquiry, start, best) else { return };
    if hundredths(score) - hundredths(given) < MIN_LOSS {
        return;
    }
    let found = shown(word.place.of(line.operations.text));
    let message = format!("an engine prefers {san} to `bm`: `{score}` instead of `{given}` at {nodes}");
    let finding = findings.add(&RULE, word.place).message(message).found(found);
    finding.written(Arrow::of(played)).repaired(Arrow::of(preferred));
}
