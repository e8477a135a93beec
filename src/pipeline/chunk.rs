//! A chunk: the records that begin in a range of a text, audited one after the other.

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
};

use memchr::{memchr, memchr_iter, memchr2_iter, memrchr};
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::Xxh3;

use super::{
    Counts,
    game::{Buffers, Questions, audit_game},
    ids::ChunkIds,
    players::{Sighting, sightings},
    repeated::Repeated,
    table::{Rows, read_row},
    totals::Totals,
};
use crate::{
    corpus::{CellContent, Encoding, Format, Table},
    pgn::{BOM, guess_start, line_end, read_tag},
    rules::{
        Checks, CleanGames, Closeness, Code, Finding, Findings, Identified, PositionEvidence, Scope, Selection, apply_yields,
        clean_lines, enc::line_format::LineEnds, examine_line_to, examine_perft_line, facts::RecordBytes,
    },
    text::Span,
};

/// How near the end of a text that goes on a record may end without being read again with more text.
const MARGIN: usize = 1024;

/// What every chunk of an input is read with.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub format: Format,
    /// How its rows are read, if the input is a table.
    pub table: Option<Table>,
    pub selection: Selection,
    pub questions: Questions,
    /// How closely position lines are looked at.
    pub closeness: Closeness,
    /// Whether ids of positions are compared.
    pub ids: bool,
    /// Whether players are compared.
    pub players: bool,
    /// Whether games that are proven clean are passed over.
    pub clean_games: bool,
}

/// A text, or the part of it that is in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'a> {
    pub text: &'a [u8],
    /// Where the text begins in the input.
    pub base: u64,
    /// Where, in the input, the line begins that holds the first record to be audited.
    pub line_start: u64,
    /// Whether the input ends with the text.
    pub complete: bool,
}

/// What came of a chunk. Lines and games are counted from the beginning of the chunk.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// Where its first record begins, in the window.
    pub start: usize,
    /// Where the first record begins that is not in it, in the window.
    pub next: usize,
    /// Whether more text is needed to tell what is in it; nothing else is said then.
    pub needs_more: bool,
    /// Findings at their places, in the order of their places, each with the bytes of its record in the input.
    pub findings: Vec<(Finding, Span)>,
    /// Findings that are written once per input, each with the bytes of its first record and how often it was made.
    pub repeated: Repeated<Span>,
    pub counts: Counts,
    /// Line breaks.
    pub lines: u64,
    /// Where, in the input, the line begins that holds `next`.
    pub line_start: u64,
    pub totals: Totals,
    pub ids: ChunkIds,
    /// The players that bear ids, in order.
    pub players: Vec<Sighting>,
    /// Where the auditor itself failed, in the input, and why.
    pub failures: Vec<(u64, String)>,
}

/// Guesses where the first record begins in `range`, from the text around each place alone.
pub(super) fn guess(text: &[u8], range: Range<usize>, format: Format) -> Option<usize> {
    match format {
        Format::Pgn => guess_start(text, range.start, range.end),
        Format::Epd => (range.start..range.end.min(text.len()))
            .find(|&at| at == 0 || text[at - 1] == b'\n' || (text[at - 1] == b'\r' && text[at] != b'\n')),
    }
}

/// Audits the records that begin in `range`, the first of them at its start.
pub(super) fn audit_chunk(window: Window<'_>, range: Range<usize>, reading: &Reading) -> Chunk {
    let mut chunk = Chunk { start: range.start, next: range.start, ..Chunk::default() };
    let mut buffers = Buffers::default();
    let mut clean_games = CleanGames::within(&reading.questions.limits);
    let mut rows = reading.table.as_ref().map(Rows::of);
    let mut findings = Findings::new();
    let mut lines = Lines { at: range.start, base: window.base, line: 0, line_start: window.line_start };
    while chunk.next < range.end {
        if reading.format == Format::Epd && reading.table.is_none() && !reading.closeness.infos {
            // Should it ever panic, the line at which it did is read like any other.
            let _ = catch_unwind(AssertUnwindSafe(|| pass_clean_lines(window, range.end, &mut chunk)));
            if chunk.next >= range.end {
                break;
            }
        }
        if reading.clean_games {
            let checks = &reading.questions.checks;
            let _ = catch_unwind(AssertUnwindSafe(|| pass_clean_games(window, range.end, checks, &mut clean_games, &mut chunk)));
            if chunk.next >= range.end {
                break;
            }
        }
        let start = chunk.next;
        let read = catch_unwind(AssertUnwindSafe(|| match reading.format {
            Format::Pgn => read_game(window, start, reading, &mut buffers, &mut findings),
            Format::Epd => match (&reading.table, &mut rows) {
                (Some(table), Some(rows)) => read_row(window, start, table, rows, reading, &mut findings),
                _ => read_line(window, start, reading, &mut findings),
            },
        }));
        let record = match read {
            Ok(record) => record,
            Err(panic) => {
                // The record is lost, its neighbours are not.
                buffers = Buffers::default();
                findings.all().clear();
                chunk.failures.push((window.base + start as u64, panic_message(panic.as_ref())));
                let next = guess(window.text, start + 1..window.text.len(), reading.format).unwrap_or(window.text.len());
                Record { next, end: next, touched_end: next == window.text.len(), ..Record::default() }
            }
        };
        if !window.complete && (record.touched_end || record.next + MARGIN > window.text.len()) {
            chunk.needs_more = true;
            return chunk;
        }
        chunk.counts.add(record.counts);
        chunk.totals.add(record.totals);
        if reading.players && record.counts.games > 0 {
            note_players(window, start, record.end, &lines, &mut chunk);
        }
        if let Some(identified) = record.identified.filter(|_| reading.ids) {
            lines.advance(window.text, identified.id.start);
            let game = chunk.counts.records();
            chunk.ids.note(window.text, window.base, identified, lines.line + 1, lines.line_start, game);
        }
        if !findings.is_empty() {
            note_findings(window, start, &record, reading, &mut findings, &mut lines, &mut chunk);
        }
        chunk.next = record.next;
    }
    lines.advance(window.text, chunk.next);
    chunk.lines = lines.line;
    chunk.line_start = lines.line_start;
    chunk.counts.bytes = (chunk.next - chunk.start) as u64;
    chunk
}

/// What came of a record, findings apart.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// Where the next record begins.
    pub next: usize,
    /// One past the record itself; what follows up to the next one is not its own.
    pub end: usize,
    /// Whether the end of the text had a part in what was read.
    pub touched_end: bool,
    pub counts: Counts,
    pub totals: Totals,
    /// What a person recognises a row of a table by.
    pub label: Option<CellContent>,
    pub identified: Option<Identified>,
    /// The line of the position that the record is about, where it stands in an earlier record.
    pub continues: Option<Span>,
}

/// Notes the players of the game from `start` to `end`, the last that was counted.
#[cold]
fn note_players(window: Window<'_>, start: usize, end: usize, lines: &Lines, chunk: &mut Chunk) {
    let record = &window.text[start..end];
    let mut lines = lines.clone();
    for mut sighting in sightings(record, start) {
        lines.advance(window.text, sighting.place.start);
        sighting.line = lines.line + 1;
        sighting.column = window.base + sighting.place.start as u64 - lines.line_start + 1;
        sighting.game = chunk.counts.records();
        sighting.label = game_label(record, Encoding::of(record));
        sighting.place = sighting.place.shifted(usize::try_from(window.base).unwrap_or(usize::MAX));
        chunk.players.push(sighting);
    }
}

/// Stands for the last record before a chunk.
pub(super) const RECORD_BEFORE: u64 = u64::MAX;

fn read_game(window: Window<'_>, start: usize, reading: &Reading, buffers: &mut Buffers, findings: &mut Findings) -> Record {
    let outcome = audit_game(window.text, start, window.complete, &reading.questions, buffers, findings);
    let mut totals = Totals::default();
    totals.note(outcome.evidence);
    totals.markers_missing = u64::from(outcome.marker_missing);
    totals.multibyte = outcome.multibyte;
    totals.not_utf8 = outcome.not_utf8;
    if reading.questions.line_ends {
        totals.line_ends = LineEnds::of(&window.text[start..outcome.next]);
    }
    let counts = Counts {
        games: u64::from(outcome.is_game),
        plies: outcome.plies,
        plies_not_examined: outcome.plies_not_examined,
        ..Counts::default()
    };
    Record { next: outcome.next, end: outcome.end, touched_end: outcome.touched_end, counts, totals, ..Record::default() }
}

/// Passes over the clean lines that come next, as long as they begin before `end`.
fn pass_clean_lines(window: Window<'_>, end: usize, chunk: &mut Chunk) {
    let text = window.text;
    // What stands near the end of a text that goes on is read with more of it.
    let last = if window.complete { text.len() } else { text.len().saturating_sub(MARGIN) };
    clean_lines(text, chunk.next, |line| {
        let takes = chunk.next < end && line.next <= last;
        if takes {
            chunk.counts.positions += 1;
            chunk.totals.note_clean(line);
            chunk.next = line.next;
        }
        takes
    });
}

/// Passes over the clean games that come next, as long as they begin before `end`.
fn pass_clean_games(window: Window<'_>, end: usize, checks: &Checks, games: &mut CleanGames, chunk: &mut Chunk) {
    let text = window.text;
    let last = if window.complete { text.len() } else { text.len().saturating_sub(MARGIN) };
    while chunk.next < end {
        let Some(game) = games.read(text, chunk.next, checks).filter(|game| game.next <= last) else { return };
        chunk.counts.games += 1;
        chunk.counts.plies += u64::from(game.plies);
        chunk.totals.note(PositionEvidence::default());
        chunk.totals.multibyte |= game.multibyte;
        chunk.next = game.next;
    }
}

fn read_line(window: Window<'_>, start: usize, reading: &Reading, findings: &mut Findings) -> Record {
    let text = window.text;
    let end = line_end(text, start);
    let next = match text.get(end) {
        None => end,
        Some(b'\r') if text.get(end + 1) == Some(&b'\n') => end + 2,
        Some(_) => end + 1,
    };
    let mut record = Record { next, end: next, touched_end: next >= text.len(), ..Record::default() };
    let content = if text[start..end].starts_with(BOM) { start + BOM.len() } else { start };
    let line = Span::new(content, end);
    if let Some(examined) = examine_line_to(text, line, reading.questions.declared(), reading.closeness, findings) {
        record.counts.positions = 1;
        record.totals.note(examined.evidence);
        record.identified = examined.identified;
    } else {
        record.continues = examine_perft_line(text, line, reading.closeness, findings);
    }
    let bytes = RecordBytes { text, start, end, at_input_start: start == 0 && window.base == 0 };
    (record.totals.multibyte, record.totals.not_utf8) = ask_about_line_bytes(&bytes, &reading.questions.checks, findings);
    record
}

/// Asks the rules about the bytes of a line or row, if they are out of the ordinary. Whether there is UTF-8 beyond ASCII among
/// them, and whether there are bytes that are not UTF-8.
pub(super) fn ask_about_line_bytes(bytes: &RecordBytes<'_>, checks: &Checks, findings: &mut Findings) -> (bool, bool) {
    if bytes.record().iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')) {
        return (false, false);
    }
    checks.bytes(bytes, findings);
    apply_yields(findings, 0);
    bytes.encoding()
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let reason = panic
        .downcast_ref::<&str>()
        .map(|reason| (*reason).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "for a reason it did not say".to_owned());
    format!("the auditor failed on the record that begins here: {reason}; please report it with the record")
}

/// Puts the findings of a record in order and says whose they are; those that nobody asked for are dropped.
#[cold]
fn note_findings(
    window: Window<'_>,
    start: usize,
    record: &Record,
    reading: &Reading,
    findings: &mut Findings,
    lines: &mut Lines,
    chunk: &mut Chunk,
) {
    let mut list = std::mem::take(findings.all());
    let beyond = findings.take_beyond();
    if let Some(last) = list.last_mut().filter(|_| beyond > 0) {
        last.message.push_str(&format!("; {beyond} findings more in this record are not listed"));
    }
    list.retain_mut(|finding| reading.selection.admits(finding));
    if list.is_empty() {
        return;
    }
    list.sort_by(|a, b| (a.place, a.rule.code, &a.variation, &a.message).cmp(&(b.place, b.rule.code, &b.variation, &b.message)));
    let ordinal = match (record.counts.records(), record.continues) {
        (0, None) => 0,
        (0, Some(_)) if chunk.counts.records() == 0 => RECORD_BEFORE,
        _ => chunk.counts.records(),
    };
    let base = usize::try_from(window.base).unwrap_or(usize::MAX);
    let bytes = Span::new(start, record.next).shifted(base);
    let text = &window.text[start..record.next];
    let encoding = Encoding::of(text);
    let label = match reading.format {
        Format::Pgn => game_label(text, encoding),
        Format::Epd => match &record.label {
            Some(CellContent::Plain(place)) => decoded(place.of(window.text), encoding),
            Some(CellContent::Unquoted(content)) => decoded(&content.bytes, encoding),
            None => line_label(record.continues.map_or(text, |line| line.of(window.text)), encoding),
        },
    };
    // Stray text behind a game is not its own, and changes no identity but that of what is found in it.
    let (own, whole) = match record.continues {
        None => (digest([&window.text[start..record.end]]), digest([text])),
        Some(line) => {
            let both = digest([line.of(window.text), text]);
            (both, both)
        }
    };
    // How many findings of a rule there were at each ply about the same words: the ordinal tells them apart. Those about other
    // words do not count, for they may not have been asked for.
    let mut alike: FxHashMap<(Code, Option<u32>, String, u64), usize> = FxHashMap::default();
    for mut finding in list {
        let field = digest([window.text.get(finding.place.start..finding.place.end).unwrap_or_default()]);
        let alike = alike.entry((finding.rule.code, finding.ply, finding.variation.clone(), field)).or_insert(0);
        let earlier = std::mem::replace(alike, *alike + 1);
        lines.advance(window.text, finding.place.start);
        finding.line = lines.line + 1;
        finding.column = window.base + finding.place.start as u64 - lines.line_start + 1;
        finding.game = ordinal;
        finding.game_label.clone_from(&label);
        let digest = if finding.place.start < record.end { own } else { whole };
        let fingerprint = fingerprint(&finding, digest, field, earlier);
        finding.fingerprint = fingerprint;
        finding.place = finding.place.shifted(base);
        if let Some(patch) = &mut finding.patch {
            patch.place = patch.place.shifted(base);
        }
        match &finding.scope {
            Scope::Place => chunk.findings.push((finding, bytes)),
            Scope::Input { .. } => chunk.repeated.add(finding, || bytes, 1),
        }
    }
}

/// Identity of a finding: the rule, the record's own content, the ply, the words that are marked, and which of several it is.
///
/// The content is hashed (XXH3, 64 bits) with every run of white space taken as one blank, so that line ends and wrapping
/// do not matter; where the record stands does not matter either.
fn fingerprint(finding: &Finding, digest: u64, field: u64, ordinal: usize) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(finding.rule.code.to_string().as_bytes());
    if let Scope::Input { value } = &finding.scope {
        hasher.update(value.as_bytes());
        return hasher.digest();
    }
    hasher.update(&digest.to_le_bytes());
    hasher.update(&finding.ply.unwrap_or(0).to_le_bytes());
    hasher.update(finding.variation.as_bytes());
    hasher.update(&field.to_le_bytes());
    hasher.update(&(ordinal as u64).to_le_bytes());
    hasher.digest()
}

/// The fingerprint of a finding about what bears the hash `subject`, wherever that stands.
pub(super) fn fingerprint_of(finding: &Finding, subject: u64) -> u64 {
    fingerprint(finding, subject, 0, 0)
}

/// Hashes a record, given in one part or several.
fn digest<const N: usize>(parts: [&[u8]; N]) -> u64 {
    let mut hasher = Xxh3::new();
    let parts = parts.map(|part| part.strip_prefix(BOM).unwrap_or(part));
    let mut words = parts.into_iter().flat_map(|part| part.split(u8::is_ascii_whitespace)).filter(|word| !word.is_empty());
    if let Some(first) = words.next() {
        hasher.update(first);
    }
    for word in words {
        hasher.update(b" ");
        hasher.update(word);
    }
    hasher.digest()
}

/// What a person recognises a game by: players, event, date and round, or the link to it.
fn game_label(record: &[u8], encoding: Encoding) -> String {
    let mut label = Label { encoding, ..Label::default() };
    let mut at = 0;
    let mut seen = false;
    for _ in 0..200 {
        let line = line_end(record, at);
        let text = record[at..line].trim_ascii_start();
        let text = text.strip_prefix(BOM).unwrap_or(text);
        if text.first() == Some(&b'[') {
            let open = line - text.len();
            if let Some(pair) = read_tag(record, open).pair {
                label.take(pair.name.of(record), pair.value.of(record));
                seen = true;
            }
        } else if seen && !text.is_empty() {
            break;
        }
        at = line + 1;
        if at >= record.len() {
            break;
        }
    }
    label.to_string()
}

/// The tags that a label is made of.
#[derive(Default)]
struct Label {
    encoding: Encoding,
    white: String,
    black: String,
    event: String,
    date: String,
    round: String,
    site: String,
}

impl Label {
    fn take(&mut self, name: &[u8], value: &[u8]) {
        let field = match name {
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Event" => &mut self.event,
            b"Date" => &mut self.date,
            b"Round" => &mut self.round,
            b"Site" => &mut self.site,
            _ => return,
        };
        if field.is_empty() {
            *field = decoded(value, self.encoding);
        }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = |value: &str| !matches!(value, "" | "?" | "-" | "????.??.??");
        let mut parts = Vec::new();
        if known(&self.white) || known(&self.black) {
            let name = |value: &str| if known(value) { value.to_owned() } else { "?".to_owned() };
            parts.push(format!("{} - {}", name(&self.white), name(&self.black)));
        }
        if known(&self.event) {
            parts.push(self.event.clone());
        }
        if known(&self.date) {
            parts.push(self.date.clone());
        }
        if known(&self.round) {
            parts.push(format!("round {}", self.round));
        }
        if self.site.starts_with("http") {
            parts.push(self.site.clone());
        }
        f.write_str(&parts.join(", "))
    }
}

/// What a person recognises a position by: its `id` operation.
fn line_label(line: &[u8], encoding: Encoding) -> String {
    let Some(id) = memchr::memmem::find(line, b"id \"") else { return String::new() };
    let rest = &line[id + 4..];
    decoded(&rest[..memchr(b'"', rest).unwrap_or(0)], encoding)
}

/// Text as a person reads it, control characters dropped.
pub(super) fn decoded(bytes: &[u8], encoding: Encoding) -> String {
    const MOST: usize = 200;
    let text = encoding.decode(bytes);
    text.replace("\\\"", "\"").chars().filter(|character| !character.is_control()).take(MOST).collect()
}

/// Where the line that holds `at` begins.
pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |line_break| line_break + 1)
}

/// Counts lines, going forward. A line ends with LF, CR LF, or a CR on its own.
#[derive(Clone, Debug)]
struct Lines {
    at: usize,
    /// Where the text begins in the input.
    base: u64,
    /// Line breaks before `at`.
    line: u64,
    /// Where the line of `at` begins in the input.
    line_start: u64,
}

impl Lines {
    fn advance(&mut self, text: &[u8], to: usize) {
        let Some(part) = text.get(self.at..to) else { return };
        if memchr(b'\r', part).is_none() {
            // Only LF: they can be counted many at a time.
            self.line += memchr_iter(b'\n', part).count() as u64;
            if let Some(last) = memrchr(b'\n', part) {
                self.line_start = self.base + (self.at + last) as u64 + 1;
            }
            self.at = to;
            return;
        }
        for found in memchr2_iter(b'\n', b'\r', part) {
            let at = self.at + found;
            if text[at] == b'\r' && text.get(at + 1) == Some(&b'\n') {
                continue;
            }
            self.line += 1;
            self.line_start = self.base + at as u64 + 1;
        }
        self.at = to;
    }
}
