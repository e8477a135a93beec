//! MOV03: moves that more than one piece can make.

use shakmaty::{Move, Position};

use super::{canonical_of, legal_move, refused, suggest};
use crate::chess::{CheckMark, IllegalMove, WrittenMove};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV03"),
    name: "ambiguous-move",
    severity: Severity::Error,
    summary: "More than one piece can make the move",
    what: "Two or more pieces of the same kind can legally move to the target square, and the move \
           does not say which. Pinned pieces do not count. If only one of the moves gives the check \
           or the checkmate that is written, that move is probably meant.",
    why: "Some readers reject the game. Others silently pick a piece, and the rest of the game may \
          be wrong without any sign of it.",
    fix: "Add the file of the piece that moved, or its rank if the file is not enough. Compare \
          with another source.",
    source: "PGN standard 8.2.3.4",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Moves("1. Nf3 Nf6 2. d3 d5 3. ⟦Nd2⟧ *"),
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"5rk1/4R2R/5r2/8/8/8/5PPP/6K1 w - - 0 1\"]", moves: "1. ⟦Rg7+⟧ *" },
    ],
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
    let mut marked = moves.iter().zip(&spellings).filter(|(played, _)| fits_mark(facts, **played));
    if let (Some((played, spelling)), None) = (marked.next(), marked.next()) {
        let what = if facts.written.mark == CheckMark::Mate { "is checkmate" } else { "gives check without checkmate" };
        finding.message.push_str(&format!("; only {spelling} {what}"));
        let token = facts.place.of(facts.text);
        let glyphs = token.iter().rev().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        let new = [spelling.as_bytes(), &token[token.len() - glyphs..]].concat();
        finding.repair(Certainty::Likely, Patch::replace(facts.text, facts.place, new));
        suggest(finding.expected(spelling.as_str()), [*played]);
        return;
    }
    suggest(finding.alternatives(spellings), moves);
}

/// Whether the move gives the check or checkmate that is written. People write `++` for three
/// different things, so that it says nothing.
fn fits_mark(facts: &Unplayable<'_>, played: Move) -> bool {
    let mut after = facts.before.clone();
    after.play_unchecked(played);
    match facts.written.mark {
        CheckMark::Check => after.is_check() && !after.is_checkmate(),
        CheckMark::Mate => after.is_checkmate(),
        CheckMark::None | CheckMark::Double => false,
    }
}
