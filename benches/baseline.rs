//! The baseline as a program of its own, for `benches/peers`, and the inputs that are made rather than found.
//!
//!     baseline games THREADS FILE          replays games; more than one thread read chunks
//!     baseline positions THREADS FILE      sets positions up
//!     baseline make games|clocked|positions|broken BYTES > FILE

#[path = "common/mod.rs"]
mod audit;
#[path = "../tests/suite/common/mod.rs"]
mod common;

use std::{
    env,
    io::{self, BufWriter, Write},
    path::PathBuf,
};

use audit::{bare, made};
use chess_audit::corpus::{Bytes, Content, Input, Source};

/// A file, mapped as `chess-audit` maps it.
fn map(path: &str) -> Bytes {
    let input = Input { name: path.to_owned(), source: Source::File(PathBuf::from(path)), format: None, scanned: false };
    match input.open(true) {
        Ok(Content::Whole(text)) => text,
        Ok(_) => panic!("{path} cannot be mapped"),
        Err(error) => panic!("{path}: {error}"),
    }
}

/// Runs `work` with so many threads to share it.
fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had");
    pool.install(work)
}

fn make(kind: &str, bytes: usize) -> io::Result<()> {
    let part = match kind {
        "games" => made::games(bytes.min(made::MOST)),
        "clocked" => made::clocked_games(bytes.min(made::MOST)),
        "positions" => made::positions(bytes.min(made::MOST)),
        "broken" => made::broken_games(bytes.min(made::MOST)),
        _ => panic!("`{kind}` cannot be made"),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..bytes.div_ceil(part.len().max(1)) {
        out.write_all(part.as_bytes())?;
    }
    out.flush()
}

fn main() -> io::Result<()> {
    // `cargo bench` and `cargo test` give options of their own.
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<usize>().unwrap_or_else(|_| panic!("`{word}` is no number"));
    match words[..] {
        ["games", "1", file] => {
            let (games, plies) = bare::games(&map(file));
            println!("{games} games, {plies} plies");
        }
        ["games", threads, file] => {
            let text = map(file);
            let (games, plies) = with_threads(number(threads), || bare::games_in_chunks(&text));
            println!("{games} games, {plies} plies");
        }
        ["positions", "1", file] => println!("{} positions", bare::positions(&map(file))),
        ["positions", threads, file] => {
            let text = map(file);
            println!("{} positions", with_threads(number(threads), || bare::positions_in_chunks(&text)));
        }
        ["make", kind, bytes] => make(kind, number(bytes))?,
        _ => {
            // Nothing is asked for: both ways of reading find the same.
            let text = made::games(1 << 20);
            assert_eq!(bare::games(text.as_bytes()), with_threads(2, || bare::games_in_chunks(text.as_bytes())));
            let text = made::positions(1 << 20);
            assert_eq!(bare::positions(text.as_bytes()), with_threads(2, || bare::positions_in_chunks(text.as_bytes())));
        }
    }
    Ok(())
}
