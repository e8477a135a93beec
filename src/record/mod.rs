//! One record in, findings out.
//!
//! A record is a game, a position line or a row of a table. There are two paths. The fast path
//! (`fastpath`) accepts records that it can prove to have no findings, and declines when in
//! doubt. The thorough path (`RecordReader::read`) checks everything and explains what it finds.
//! Nothing here knows threads, files or chunks.

mod card;
mod certificate;
mod diagram;
mod enclosed;
mod enclosed_game;
mod evidence;
mod excerpt;
mod explain;
pub(crate) mod fastpath;
mod fingerprint;
mod game;
mod label;
mod line_bytes;
mod line_of_moves;
mod oracle_opinions;
mod portrait;
mod position;
mod record_checks;
mod record_counts;
mod record_outcome;
mod remark_digest;
mod row;
mod row_game;
mod window;

use self::{
    card::{write_card, write_position_card},
    enclosed::read_enclosed,
    enclosed_game::read_enclosed_game,
    game::{GameMemory, GameText, audit_game},
    line_bytes::{check_line_bytes, has_text, lines, next_line},
    line_of_moves::{play_command, play_solution},
    position::{has_no_findings, join_broken_string},
    row::{RowMemory, read_row},
};
use shakmaty::Chess;

use crate::{
    chess::fen::is_placement,
    epd::moves_from_startpos,
    identity::{CardBatch, CardUse},
    pgn::{BOM, is_mostly_moves, is_movetext, line_end},
    rules::{
        Finding, Findings, Noted, Severity, Sign, StartShown,
        enc::line_format::RecordLines,
        epd::bad_string,
        facts::{NamedPosition, RecordBytes},
        res::{mate_result_mismatch, placeholder_marker::note_marker},
        tag::tag_name,
    },
    table::{Layout, Table},
    text::{Span, wording::quantity},
};

pub use certificate::Certificate;
pub use diagram::Diagram;
pub use evidence::{Evidence, PositionEvidence, RecordEvidence};
pub use excerpt::Excerpt;
pub use explain::{Capture, End, Explanation, SidePieces, explain_line, explain_line_with};
pub use fastpath::{FastGames, Infos, accept_lines, accept_rows, fast_lines_suffice, least_severe_about_games};
pub(crate) use fingerprint::{digest, fingerprint, fingerprint_of, is_reported_once, kind_fingerprint};
pub(crate) use game::{GameChecks, ReachedChecks};
pub(crate) use label::{card_label, game_label, line_label};
pub use oracle_opinions::{Consulted, Opinion};
pub use portrait::{Counted, GameProperties, PackedPortrait, Portrait, Property, Results};
pub use position::{Examined, LineOracles, examine_line_to, examine_perft_line, examine_position, facts_of_line};
pub(crate) use record_checks::{MAX_RECORD, RecordChecks};
pub use record_counts::{CertificateCounts, Consequences, Counts, UnsupportedCounts};
pub(crate) use record_outcome::RecordOutcome;
pub(crate) use window::Window;

/// A record on the fast path.
#[derive(Debug)]
pub(crate) struct AcceptedRecord<'a> {
    /// The record, without what follows up to the next one.
    pub place: Span,
    /// Its ordinal in what was read, from 1.
    pub ordinal: u64,
    /// Whether rules about the whole input need it.
    pub is_noted: bool,
    /// The position that it names.
    pub named: Option<NamedPosition>,
    /// The cards, and their end before that of the record.
    pub card: Option<(&'a mut CardBatch, usize)>,
}

/// What was read of consecutive records, without their findings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Start of the first record that was not read.
    pub next: usize,
    /// What was read.
    pub counts: Counts,
    /// What the records show about their input.
    pub evidence: Evidence,
    /// Its games by their properties, if they are counted.
    pub portrait: Portrait,
    /// Whether further positions that fit only Chess960 are accepted: there are many before them.
    accepts_exceptions: bool,
}

impl Tally {
    /// Nothing was read; reading begins at `start`.
    pub fn from(start: usize) -> Tally {
        Tally { next: start, ..Tally::default() }
    }

    /// Whether there are so many positions that fit only Chess960 that only the first is reported.
    pub fn has_many_exceptions(&self) -> bool {
        self.evidence.has_many_exceptions()
    }

    /// Accepts further positions that fit only Chess960: there are many before them.
    pub const fn accept_exceptions(&mut self) {
        self.accepts_exceptions = true;
    }
}

/// Reads the records of an input, one after the other.
#[derive(Debug)]
pub(crate) struct RecordReader<'c> {
    checks: &'c RecordChecks,
    /// In a box, because it is large.
    fast_games: Box<FastGames>,
    /// The infos of the input, if they are shown.
    infos: Option<Infos>,
    games: GameMemory,
    rows: Option<RowMemory>,
}

/// The memory of a reader that has finished, for another reader with the same settings.
#[derive(Debug, Default)]
pub(crate) struct ReaderMemory {
    fast_games: Option<Box<FastGames>>,
    games: GameMemory,
}

impl<'c> RecordReader<'c> {
    /// A reader that checks records for `checks`.
    pub fn new(checks: &'c RecordChecks) -> RecordReader<'c> {
        RecordReader::in_memory(checks, ReaderMemory::default())
    }

    /// The same in the memory of another one.
    pub fn in_memory(checks: &'c RecordChecks, memory: ReaderMemory) -> RecordReader<'c> {
        let ReaderMemory { fast_games, mut games } = memory;
        games.cards = std::mem::take(&mut games.cards).begin(checks.games.cards.unwrap_or_default());
        let mut fast_games = fast_games.unwrap_or_default();
        fast_games.begin(checks.fast_games.unwrap_or(Severity::Warning), &checks.games.limits);
        RecordReader {
            checks,
            fast_games,
            infos: checks.fast_games.filter(|severity| *severity == Severity::Info).map(|_| Infos::new(checks.games.repairs)),
            games,
            rows: match &checks.layout {
                Layout::Table(table) => Some(RowMemory::of(table)),
                Layout::Games | Layout::EnclosedGames(_) | Layout::Positions | Layout::Enclosed { .. } => None,
            },
        }
    }

    /// The cards of the records read so far, if they are kept. Their places are not known yet.
    pub const fn cards(&mut self) -> &mut CardBatch {
        &mut self.games.cards
    }

    /// The memory of a reader that has finished.
    pub fn into_memory(self) -> ReaderMemory {
        ReaderMemory { fast_games: Some(self.fast_games), games: self.games }
    }

    /// Notes that records before had these findings, each of which is reported once per input.
    pub fn note_known(&mut self, findings: impl FnOnce() -> Vec<Finding>) {
        if let Some(infos) = &mut self.infos {
            infos.note(&findings());
        }
    }

    /// Findings that are reported once per input, and that this reader would only count.
    pub fn known(&self) -> impl Iterator<Item = &Finding> {
        self.infos.iter().flat_map(Infos::known)
    }

    /// Clears the state that an interrupted record may have left. The cards of games stay.
    pub fn reset(&mut self) {
        let cards = std::mem::take(&mut self.games.cards);
        *self = RecordReader::new(self.checks);
        self.games.cards = cards;
    }

    /// The fast path: accepts records from `tally.next` on, as long as they begin before `end` and
    /// are proven to have no findings. `note` is shown each record that rules about the whole input
    /// need: games with FIDE ids, and positions with names; and each record of which a card is
    /// kept. Returns the number of line breaks in what was accepted, if they were counted.
    pub fn accept(
        &mut self,
        window: Window<'_>,
        end: usize,
        tally: &mut Tally,
        note: impl FnMut(AcceptedRecord<'_>),
    ) -> Option<u64> {
        if self.checks.fast_positions() {
            match &self.checks.layout {
                Layout::Table(table) => accept_table_rows(window, end, self.checks.max_accepted(), table, tally),
                _ => accept_position_lines(window, end, self.checks, tally, &mut self.games.cards, note),
            }
            return None;
        }
        let mut line_breaks = 0;
        if self.checks.fast_games.is_some() {
            self.accept_games(window, end, tally, &mut line_breaks, note);
        }
        Some(line_breaks)
    }

    fn accept_games(
        &mut self,
        window: Window<'_>,
        end: usize,
        tally: &mut Tally,
        line_breaks: &mut u64,
        mut note: impl FnMut(AcceptedRecord<'_>),
    ) {
        let last = window.last_end();
        while tally.next < end {
            let last = last.min(tally.next.saturating_add(self.checks.max_accepted()));
            let checks = &self.checks.games;
            let accept = |games: &mut FastGames, text: &[u8], start: usize| {
                if checks.reached.is_any() {
                    games.accept_with_positions(text, start, &checks.rules, has_no_findings)
                } else {
                    games.accept(text, start, &checks.rules)
                }
            };
            let mut game = accept(&mut self.fast_games, window.text, tally.next);
            if game.is_none() && window.complete {
                game = self.fast_games.accept_last(window.text, tally.next, accept);
            }
            let Some(game) = game.filter(|game| game.next <= last) else { return };
            // Tables may have something to say about positions with few pieces.
            if self.fast_games.piece_count() <= self.checks.games.max_table_pieces {
                return;
            }
            let record = Span::new(tally.next, game.end);
            if checks.cards.is_some() && !self.fast_games.main_line(window.text, &game, &mut self.games.main_line) {
                return;
            }
            if let Some(infos) = &mut self.infos {
                let Some(ends) = infos.accept(window.text, tally.next, &game, &checks.rules, checks.limits) else { return };
                tally.evidence.note_line_ends(ends);
            } else {
                self.fast_games.count(game);
            }
            *line_breaks += game.line_breaks as u64;
            if checks.cards.is_some() || game.has_fide_ids() {
                let GameMemory { main_line, cards, .. } = &mut self.games;
                let since = cards.end();
                if checks.cards.is_some() {
                    let tags = self.fast_games.tags(&game, record.start);
                    write_card(record.of(window.text), tags, game.movetext - record.start, main_line, true, cards);
                }
                let (place, ordinal, is_noted) = (record, tally.counts.records() + 1, game.has_fide_ids());
                note(AcceptedRecord { place, ordinal, is_noted, named: None, card: Some((cards, since)) });
            }
            if checks.draws_portrait {
                tally.portrait.add_game(&self.fast_games.properties(window.text, &game));
            }
            tally.counts.games += 1;
            tally.counts.plies += u64::from(game.plies);
            tally.evidence.note_accepted_game(game.first, game.age, window.text[game.end - 1]);
            if game.multibyte {
                tally.evidence.note_accepted_text(&window.text[tally.next..game.next]);
            }
            tally.next = game.next;
        }
    }

    /// The misspelled names of tags in accepted games, which the thorough path has reported once,
    /// and how often each came up since this was asked last.
    pub fn take_counted_tags(&mut self) -> impl Iterator<Item = (&[u8], u64)> {
        self.fast_games.take_counted_tags()
    }

    /// The findings that are reported once per input and that accepted games have, and how often
    /// each came up since this was asked last. The thorough path has found each before.
    pub fn take_counted(&mut self) -> impl Iterator<Item = (&Finding, u64)> {
        self.infos.iter_mut().flat_map(Infos::take_counted)
    }

    /// The thorough path: reads the record at `start` and adds its faults to `findings`. If the
    /// record is too large, there are none, and the next record begins after the part that was
    /// read.
    pub fn read(&mut self, window: Window<'_>, start: usize, findings: &mut Findings) -> RecordOutcome {
        let max_bytes = self.checks.max_bytes;
        let part = window.up_to(start.saturating_add(max_bytes));
        let mut outcome = self.read_part(part, start, findings);
        outcome.counts.positions_left_open = findings.take_left_open();
        outcome.too_large = findings.take_too_large();
        outcome.oracle_failure = findings.take_oracle_failure();
        let end = part.text.len();
        if end < window.text.len() && outcome.needs_more(&part) {
            let reason = format!("it is longer than {}", quantity(max_bytes, "byte", "bytes"));
            outcome = RecordOutcome { next: end, end, goes_on: true, too_large: Some(reason.into()), ..RecordOutcome::default() };
        }
        if outcome.too_large.is_some() {
            *findings = Findings::new();
        } else if let Some(infos) = &mut self.infos {
            infos.note(findings.all());
        }
        outcome
    }

    fn read_part(&mut self, window: Window<'_>, start: usize, findings: &mut Findings) -> RecordOutcome {
        match (&self.checks.layout, &mut self.rows) {
            (Layout::Games, _) => self.read_game(window, start, findings),
            (&Layout::EnclosedGames(delimiter), _) => {
                read_enclosed_game(window, start, delimiter, &mut self.games, self.checks, findings)
            }
            (Layout::Table(_), Some(rows)) => read_row(window, start, rows, &mut self.games, self.checks, findings),
            (&Layout::Enclosed { are_json }, _) => read_enclosed(window, start, are_json, self.checks, findings),
            (Layout::Positions | Layout::Table(_), _) => read_line(window, start, self.checks, &mut self.games.cards, findings),
        }
    }

    fn read_game(&mut self, window: Window<'_>, start: usize, findings: &mut Findings) -> RecordOutcome {
        let (checks, games) = (&self.checks.games, &mut self.games);
        let game = GameText { text: window.text, start, complete: window.complete };
        let outcome = audit_game(game, checks, games, findings);
        if checks.cards.is_some() && outcome.is_game {
            games.write_card(window.text, start, outcome.end, true);
        }
        let is_counted = checks.draws_portrait && outcome.is_game;
        let properties = is_counted.then(|| games.properties(window.text, &outcome)).into_iter().collect();
        let is_counted = |finding: &&Finding| checks.counts_names && finding.rule.code == tag_name::RULE.code;
        for finding in findings.all().iter().filter(is_counted) {
            self.fast_games.count_tag(finding.place.of(window.text));
        }
        let bytes = &window.text[start..outcome.next];
        let is_chess = outcome.has_tags || outcome.plies > 0 || lines(bytes).any(is_movetext);
        let is_mostly_chess = outcome.has_tags || (is_chess && is_mostly_moves(bytes));
        let mut noted = Noted::default();
        if checks.look_for(Sign::LineEnds) {
            RecordLines::of(window.text, start, outcome.next).ends.note(&mut noted);
        }
        if outcome.is_game {
            note_marker(&mut noted, outcome.marker, findings.all().iter().any(is_denied_mate));
        }
        let is_foreign = !is_mostly_chess && has_text(bytes, b"%;");
        let unsupported = outcome.unsupported();
        let evidence = RecordEvidence { position: Some(outcome.evidence), noted, is_chess, is_mostly_chess, is_foreign };
        let counts = Counts {
            games: u64::from(outcome.is_game),
            plies: outcome.plies,
            plies_not_examined: outcome.plies_not_examined,
            unsupported,
            oracles: outcome.oracles,
            consequences: outcome.consequences,
            ..Counts::default()
        };
        RecordOutcome {
            next: outcome.next,
            end: outcome.end,
            movetext: outcome.movetext,
            touched_end: outcome.touched_end,
            counts,
            evidence,
            properties,
            ..RecordOutcome::default()
        }
    }
}

/// Whether the finding is about a mate that the result contradicts.
fn is_denied_mate(finding: &Finding) -> bool {
    finding.rule.code == mate_result_mismatch::RULE.code
}

/// Accepts position lines from `tally.next` on, apart from exceptions that may have to be reported:
/// positions that fit only Chess960, until there are many. `note` is as for
/// [`RecordReader::accept`].
fn accept_position_lines(
    window: Window<'_>,
    end: usize,
    checks: &RecordChecks,
    tally: &mut Tally,
    cards: &mut CardBatch,
    mut note: impl FnMut(AcceptedRecord<'_>),
) {
    // Lists of games have no positions.
    let keeps_cards = checks.games.cards == Some(CardUse::Copies);
    let (last, max_bytes, accepts_operations) = (window.last_end(), checks.max_accepted(), checks.games.oracles.is_empty());
    // In standard chess, each exception is an error.
    let reports_exceptions = checks.reports_all || checks.games.declared().standard;
    accept_lines(window.text, tally.next, |line| {
        if tally.next >= end || line.next > last || line.next - tally.next > max_bytes {
            return false;
        }
        let are_accepted = || !reports_exceptions && (tally.accepts_exceptions || tally.has_many_exceptions());
        if line.start == StartShown::OnlyChess960 && !are_accepted() {
            return false;
        }
        if line.operations.is_some() && !accepts_operations {
            return false;
        }
        tally.counts.positions += 1;
        let named = line.operations.as_ref().and_then(|operations| operations.named);
        if let Some(operations) = &line.operations {
            tally.evidence.note_accepted_operations(operations.moves);
            if operations.multibyte {
                tally.evidence.note_accepted_text(&window.text[tally.next..line.next]);
            }
        }
        if keeps_cards || named.is_some() {
            let (place, ordinal) = (Span::new(tally.next, line.next), tally.counts.records());
            let since = cards.end();
            if keeps_cards {
                write_position_card(place.of(window.text), cards);
            }
            let card = keeps_cards.then_some((&mut *cards, since));
            note(AcceptedRecord { place, ordinal, is_noted: named.is_some(), named, card });
        }
        tally.evidence.note_accepted_position(line.start, line.counters);
        tally.next = line.next;
        true
    });
}

/// Accepts rows of `table` of at most `max_bytes` from `tally.next` on, those before its header
/// excepted.
fn accept_table_rows(window: Window<'_>, end: usize, max_bytes: usize, table: &Table, tally: &mut Tally) {
    if window.is_before_rows(tally.next, table) {
        return;
    }
    let last = window.last_end();
    accept_rows(window.text, tally.next, table, |row| {
        if tally.next >= end || row.next > last || row.next - tally.next > max_bytes {
            return false;
        }
        tally.counts.positions += 1;
        tally.counts.plies += u64::from(row.plies);
        tally.evidence.note_accepted_position(row.shown, row.counters);
        tally.next = row.next;
        true
    });
}

fn read_line(
    window: Window<'_>,
    start: usize,
    checks: &RecordChecks,
    cards: &mut CardBatch,
    findings: &mut Findings,
) -> RecordOutcome {
    let text = window.text;
    let end = line_end(text, start);
    let next = next_line(text, end);
    let mut outcome = RecordOutcome { next, end: next, touched_end: next >= text.len(), ..RecordOutcome::default() };
    let content = if text[start..end].starts_with(BOM) { start + BOM.len() } else { start };
    let line = Span::new(content, end);
    outcome.evidence.is_chess = line.of(text).split(|byte| byte.is_ascii_whitespace() || *byte == 0).any(is_placement);
    outcome.evidence.is_mostly_chess = outcome.evidence.is_chess;
    outcome.evidence.is_foreign = !outcome.evidence.is_chess && has_text(line.of(text), b"%;#");
    let declared = checks.games.declared();
    let since = findings.len();
    let mut bytes = RecordBytes { text, start, end, at_input_start: start == 0 && window.base == 0 };
    if let Some((position, (plies, plies_not_examined))) = play_solution(text, line, &checks.games, findings) {
        outcome.continues = Some(position);
        (outcome.counts.plies, outcome.counts.plies_not_examined) = (plies, plies_not_examined);
        (outcome.evidence.is_chess, outcome.evidence.is_mostly_chess, outcome.evidence.is_foreign) = (true, true, false);
    } else if let Some(examined) =
        examine_line_to(text, line, declared, checks.positions, Some(checks.games.asking_about_lines()), findings)
    {
        if findings.since(since).iter().any(bad_string::is_unclosed) {
            let (rest, looked_to) = rest_of_string(text, next);
            outcome.touched_end |= looked_to >= text.len();
            if let Some(last) = rest.last() {
                let lines = [&[line], &rest[..]].concat();
                join_broken_string(text, &lines, declared, checks.positions, findings.since(since));
                outcome.next = next_line(text, last.end);
                outcome.end = outcome.next;
                bytes.end = last.end;
            }
        }
        let start = examined.start.as_ref().zip(examined.moves);
        let default = Chess::default();
        if let Some(command) = start.or_else(|| Some((&default, moves_from_startpos(text, line)?))) {
            (outcome.counts.plies, outcome.counts.plies_not_examined) =
                play_command(text, command, &checks.games, findings, since);
            outcome.evidence.is_chess = true;
        }
        outcome.counts.positions = 1;
        outcome.counts.oracles = examined.oracles;
        outcome.evidence.position = Some(examined.evidence);
        outcome.named = examined.named;
        if checks.games.cards == Some(CardUse::Copies) {
            write_position_card(line.of(text), cards);
        }
    } else {
        outcome.continues = examine_perft_line(text, line, findings);
    }
    check_line_bytes(&bytes, &checks.games.rules, findings);
    outcome
}

/// Maximum number of bytes that the rest of a broken string is looked for in.
const MAX_REST: usize = 1024;

/// The lines from `next` on that continue a string without a closing quote, up to the one with its
/// quote, and where the text was looked at to. No lines if there is no such quote before the next
/// position.
fn rest_of_string(text: &[u8], next: usize) -> (Vec<Span>, usize) {
    let mut rest = Vec::new();
    let mut start = next;
    while start < text.len() && start - next < MAX_REST {
        let line = Span::new(start, line_end(text, start));
        let mut words = line.of(text).split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let begins_record = words.next().is_none_or(|first| is_placement(first) || matches!(first[0], b'%' | b'#' | b';'));
        if begins_record {
            return (Vec::new(), line.end);
        }
        rest.push(line);
        if line.of(text).contains(&b'"') {
            return (rest, line.end);
        }
        start = next_line(text, line.end);
    }
    (Vec::new(), start)
}
