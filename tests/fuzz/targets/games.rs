//! A whole audit of a game: legal moves are never accused, and moves that shakmaty refuses are
//! never played.

use chess_audit::internals::{chess::WrittenSan, rules::Severity, text::Format};
use shakmaty::san::SanPlus;

use super::moves::written;
use crate::{
    common::{audit_as_it_is, everything, invariants},
    differential::second_reader,
    fast_path_games,
};

/// Writes a game as the target for moves, and audits it.
pub fn run(bytes: &[u8]) {
    let Some((game, refused)) = written(bytes) else { return };
    let text = game.text.as_bytes();
    let result = audit_as_it_is(text, Format::Pgn, everything());
    invariants::check(text, &result);
    let plies = result.summary.counts.plies;
    let moves = |code: &str| code.starts_with("MOV") || code.starts_with("SYN") || code.starts_with("NUM");
    if game.is_canonical {
        assert_eq!((plies, result.summary.counts.games), (game.plies, 1), "{}", game.text);
        let accused: Vec<String> = invariants::accusations(&result.findings)
            .filter(|finding| moves(&finding.rule.code.to_string()))
            .map(ToString::to_string)
            .collect();
        assert!(accused.is_empty(), "{accused:?}\n{}", game.text);
        let seen: u64 = second_reader(text).iter().map(|seen| seen.plies).sum();
        assert_eq!(seen, game.plies, "{}", game.text);
    } else {
        assert!(plies >= game.plies || !result.findings.is_empty(), "{plies} of {} plies: {}", game.plies, game.text);
    }
    // What SAN can say and shakmaty refuses is not played silently. Annotations such as `!` are
    // not SAN for it.
    let is_san = |word: &&str| WrittenSan::canonical(word.as_bytes()).is_some() && SanPlus::from_ascii(word.as_bytes()).is_ok();
    if let Some(word) = refused.as_deref().filter(|word| is_san(word) && *word != "--") {
        let is_said = result.findings.iter().any(|(_, finding)| finding.severity >= Severity::Info);
        assert!(is_said, "{word} is accepted silently: {}", game.text);
    }
    fast_path_games::compare_once(text);
}
