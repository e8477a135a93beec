//! The whole audit of games against the baseline: `pgn-reader` and shakmaty, bare replay, on the
//! same bytes and one thread. Beside them the audit on two threads, the proof that games are clean
//! by itself, and the thorough path, which reads those that are not proven clean.

#[path = "common/mod.rs"]
mod audit;
#[path = "../tests/suite/common/mod.rs"]
mod common;

use std::sync::Arc;

use audit::{bare, corpus, made, ours, ours_with, timed, timing::Group};
use chess_audit::internals::{
    pipeline::Settings,
    record::FastGames,
    rules::{ActiveRules, Selection},
    text::Format,
};

/// Plies of the games that are proven clean; those that are not are left out.
fn proven(text: &[u8]) -> u64 {
    let checks = ActiveRules::of(&Selection::default());
    let mut clean = FastGames::default();
    let (mut plies, mut at) = (0, 0);
    while at < text.len() {
        at = match clean.accept(text, at, &checks) {
            Some(game) => {
                plies += u64::from(game.plies);
                game.next
            }
            None => memchr::memmem::find(&text[at + 1..], b"\n[Event ").map_or(text.len(), |found| at + found + 2),
        };
    }
    plies
}

fn main() {
    let made = made::games(if timed() { 2_000_000 } else { 100_000 });
    let mut texts = vec![("made".to_owned(), made.into_bytes())];
    for name in ["twic1599_1000k.pgn", "gnuchess_book_1.02.pgn", "lichess_db_1000k.pgn"] {
        let Some(mut text) = corpus(&format!("pgn/{name}")) else { continue };
        text.truncate(10_000_000);
        text.push(b'\n');
        // Opening an input and starting threads is not what is measured here.
        let times = 10_000_000 / text.len();
        texts.push((name.to_owned(), text.repeat(times.max(1))));
    }
    for (name, text) in texts {
        let text: Arc<[u8]> = Arc::from(text);
        let games = ours(Arc::clone(&text), Format::Pgn).games;
        let (plies, proven_plies) = (bare::plies(&text), proven(&text));
        println!("{name}: {games} games, {proven_plies} of {plies} plies are in games that are proven clean");
        let group = Group::new(&format!("replay/{name}"), text.len(), "bytes");
        group.time("baseline: pgn-reader and shakmaty", || assert_eq!(bare::plies(&text), plies));
        group.time("chess-audit", || assert_eq!(ours(Arc::clone(&text), Format::Pgn).games, games));
        for (kind, threads, thorough) in [("chess-audit, two threads", 2, false), ("chess-audit, thorough path", 1, true)] {
            let settings = || Settings { threads, thorough, ..Settings::default() };
            group.time(kind, || assert_eq!(ours_with(Arc::clone(&text), Format::Pgn, settings()).games, games));
        }
        group.time("proof alone", || assert_eq!(proven(&text), proven_plies));
    }
}
