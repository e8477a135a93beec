//! MOV03: moves that more than one piece can make.

use shakmaty::Move;

use super::{canonical_of, legal_move, refused, suggest};
use crate::{
    chess::{IllegalMove, WrittenMove},
    rules::{Check, Findings, Rule, Sample, Severity, facts::Unplayable},
};

pub static RULE: Rule = Rule {
    code: code!("MOV03"),
    name: "ambiguous-move",
    severity: Severity::Error,
    summary: "More than one piece can make the move",
    what: "Two or more pieces of the same kind can legally move to the target square, and the move \
           does not say which. Pinned pieces do not count.",
    why: "Some readers reject the game. Others silently pick a piece, and the rest of the game may \
          be wrong without any sign of it.",
    fix: "Add the file of the piece that moved, or its rank if the file is not enough. Compare \
          with another source.",
    source: "PGN standard 8.2.3.4",
    fires: &[Sample::Moves("1. Nf3 Nf6 2. d3 d5 3. ⟦Nd2⟧ *")],
    silent: &[Sample::Moves("1. Nf3 Nf6 2. d3 d5 3. Nbd2 *"), Sample::Moves("1. d4 Nf6 2. Nc3 e6 3. e4 Bb4 4. Ne2 *")],
    check: Check::Unplayable(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Unplayable<'_>, findings: &mut Findings) {
    let (false, &IllegalMove::Ambiguous { role, from, to }) = (facts.in_variation, facts.reason) else { return };
    let moves: Vec<Move> = from
        .into_iter()
        .filter_map(|from| {
            let (file, rank) = (Some(from.file()), Some(from.rank()));
            legal_move(facts, WrittenMove::Normal { role, file, rank, to, promotion: None })
        })
        .collect();
    let spellings: Vec<String> = moves.iter().map(|played| canonical_of(facts, *played)).collect();
    let finding = refused(&RULE, facts, findings, |token, reason| format!("{token} is ambiguous: {reason}"));
    suggest(finding.expected(spellings.join(" or ")), moves);
}
