//! The baseline that `chess-audit` is compared with: `pgn-reader` and `shakmaty`, which check
//! nothing but that moves can be played and positions set up.
//!
//!     baseline games THREADS FILE [TIMES]      replays games; several threads read chunks
//!     baseline positions THREADS FILE [TIMES]  sets positions up
//!
//! It prints the number of plies or positions. `benches/peers.py` builds and runs it.

#[path = "../../common/bare.rs"]
mod bare;
mod mmap;

use std::{env, error::Error};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let (kind, threads, file, times) = match &words[..] {
        [kind, threads, file] => (kind, threads, file, 1),
        [kind, threads, file, times] => (kind, threads, file, times.parse()?),
        _ => return Err("usage: baseline games|positions THREADS FILE [TIMES]".into()),
    };
    let read = match (kind.as_str(), threads.as_str()) {
        ("games", "1") => bare::plies,
        ("games", _) => bare::plies_in_chunks,
        ("positions", "1") => bare::positions,
        ("positions", _) => bare::positions_in_chunks,
        _ => return Err(format!("`{kind}` is neither `games` nor `positions`").into()),
    };
    let text = mmap::map(file)?;
    let again = || (0..times).fold(0, |_, _| read(&text));
    let units = if threads == "1" {
        again()
    } else {
        rayon::ThreadPoolBuilder::new().num_threads(threads.parse()?).build()?.install(again)
    };
    println!("{units}");
    Ok(())
}
