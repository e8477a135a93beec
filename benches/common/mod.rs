//! What the benches share: an audit of which nothing is kept, the baseline it is held against, and
//! inputs.
#![allow(dead_code, reason = "each bench uses a part of it")]

pub mod bare;
pub mod made;
pub mod timing;

use std::{
    env, fs,
    hint::black_box,
    io,
    sync::{Arc, atomic::AtomicBool},
};

use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::{Audit, Failure, InputSummary, Settings, Sink},
    record::Counts,
    rules::Finding,
    text::Format,
};

use crate::common;

/// Whether anything is timed: `cargo test` runs everything once, on little.
pub fn timed() -> bool {
    env::args().any(|word| word == "--bench")
}

/// A file of the corpora, for what is timed.
pub fn corpus(path: &str) -> Option<Vec<u8>> {
    let file = timed().then(common::corpora).flatten()?.join(path);
    fs::read(file).ok()
}

/// Takes everything and keeps nothing.
struct Dropped;

impl Sink for Dropped {
    fn finding(&mut self, _: &str, finding: &Finding) -> io::Result<()> {
        black_box(finding);
        Ok(())
    }

    fn input(&mut self, _: &InputSummary) -> io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        panic!("{failure:?}");
    }
}

/// What was read in an audit by the standard profile, in one thread.
pub fn ours(text: Arc<[u8]>, format: Format) -> Counts {
    ours_with(text, format, Settings { threads: 1, ..Settings::default() })
}

/// What was read in an audit with these settings.
pub fn ours_with(text: Arc<[u8]>, format: Format, settings: Settings) -> Counts {
    let input = Input { name: "input".to_owned(), source: Source::Bytes(text.into()), format: Some(format), scanned: false };
    let run = Audit::new(settings).run(vec![input], &mut Dropped, &(), &AtomicBool::new(false));
    run.expect("this sink takes everything").counts
}
