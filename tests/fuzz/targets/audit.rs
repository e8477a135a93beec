//! A whole audit of any bytes: no failure, everything in its place, and the same result however it
//! is read and cut.

use std::io::Write;

use chess_audit::Variant;
use xxhash_rust::xxh3::xxh3_64;

use crate::common::{AuditResult, audit, audit_as_it_is, everything, invariants};
use chess_audit::internals::{
    corpus::{Input, Recognised, Source, recognise},
    pipeline::{Options, Settings},
    rules::{Profile, Selection},
    table::Columns,
    text::Format,
};

/// Numbers that depend on the text only, so that a text is a whole case.
struct Dice(u64);

impl Dice {
    fn one_of<T: Copy, const N: usize>(&mut self, all: [T; N]) -> T {
        let chosen = all[(self.0 % N as u64) as usize];
        self.0 /= N as u64;
        chosen
    }
}

/// Audits any bytes with settings that depend on them.
pub fn run(text: &[u8]) {
    let mut dice = Dice(xxh3_64(text));
    let format = dice.one_of([Some(Format::Pgn), Some(Format::Epd), None]);
    let settings = Settings {
        selection: Selection::of(dice.one_of([Profile::Standard, Profile::Strict, Profile::Export, Profile::Problem])),
        variant: dice.one_of([None, None, None, None, Some(Variant::Chess960), Some(Variant::Atomic), Some(Variant::Crazyhouse)]),
        options: Options { exhaustive: dice.one_of([false, false, true]), ..Options::default() },
        examples: dice.one_of([0, 3]),
        ..everything()
    };
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    file.write_all(text).expect("it can be written");
    let bytes = Source::Bytes(text.into());
    let path = Source::File(file.path().to_owned());
    let of = |source: &Source, settings: Settings| {
        let input = Input { name: "input".to_owned(), source: source.clone(), format, scanned: false };
        audit(vec![input], settings)
    };
    let uncut = of(&bytes, Settings { chunk_bytes: usize::MAX, ..settings.clone() });
    let expected = invariants::lines(&uncut);
    // Other text is unpacked or converted, so that places are in another text.
    let is_text = matches!(recognise(text, "input", true, &Columns::default()), Recognised::Text(_));
    if is_text && uncut.inputs.iter().all(|input| input.format.is_some() && !input.is_not_chess) {
        invariants::places(text, &uncut);
    }
    invariants::totals(&uncut);
    let panicked = uncut.failures.iter().find(|failure| failure.message.contains("the auditor failed"));
    assert!(panicked.is_none(), "{panicked:?}");

    let chunk_bytes = dice.one_of([1, 2, 3, 7, 20, 64, 300]);
    let threads = dice.one_of([1, 2, 3]);
    let cut = |how: &str, source: &Source, map: bool, thorough: bool| {
        let settings = Settings { chunk_bytes, threads, map, thorough, ..settings.clone() };
        invariants::same(&invariants::lines(&of(source, settings)), &expected, &format!("{how}, chunks of {chunk_bytes} bytes"));
    };
    cut("in memory", &bytes, true, false);
    cut("mapped", &path, true, false);
    cut("streamed", &path, false, false);
    cut("thorough", &bytes, true, true);
    let is_converted = text.starts_with(b"\xFF\xFE") || text.starts_with(b"\xFE\xFF");
    if let Some(format) = format.filter(|_| !is_converted) {
        on_text(text, format, settings, &uncut);
    }
}

/// What the calling thread finds in a text in memory. It reads the text as it is, without unpacking
/// or converting it.
fn on_text(text: &[u8], format: Format, settings: Settings, uncut: &AuditResult) {
    let result = audit_as_it_is(text, format, settings);
    if uncut.failures.is_empty() && result.failures.is_empty() && result.summary.counts == uncut.summary.counts {
        invariants::same(&result.lines(), &uncut.lines(), "on this thread");
    }
    invariants::places(text, &result);
    invariants::totals(&result);
}
