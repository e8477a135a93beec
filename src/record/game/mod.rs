//! One game: read, replayed, and held against the rules in one walk over its bytes.
//!
//! The walk itself allocates nothing and explains nothing. Whatever is out of the ordinary is handed to a cold path, which
//! gathers the facts and asks the rules.

mod annotations;
mod ending;
mod exhaustive;
mod header;
mod line;
mod movetext;
mod noncanonical;
mod number;
mod opening;
mod reading;
mod reinterpretation;
mod repair;
mod unbalanced;
mod variant;
mod variation;

use std::sync::Arc;

use shakmaty::Position;

use self::{
    opening::Opening,
    reading::{MovetextReading, ReadingMemory},
};
use super::PositionEvidence;
use crate::{
    pgn::{EcoBook, Lexer, Limits, TagFault, TagPair, TagSection, plies_seen},
    rules::{
        ActiveRules, Declared, Family, Finding, Findings, RULES, Rule, Scope, Selection, ann, apply_yields, clk, enc,
        facts::{Layout, RecordBytes},
        mov, num, tag,
    },
    text::Span,
};

/// What a game is asked beside what every game is asked: things that only rules nobody has selected would report are not
/// looked at.
#[derive(Clone, Debug)]
pub(crate) struct GameChecks {
    pub rules: ActiveRules,
    check_marks_missing: bool,
    capture_marks_missing: bool,
    disambiguation: bool,
    /// Commands in comments.
    commands: bool,
    /// Times used for moves, held against the clocks.
    elapsed: bool,
    /// Variations that begin with the move they replace.
    echoes: bool,
    number_style: bool,
    start_number: bool,
    /// The classification of openings, if there is one and the rule about it is asked.
    eco: Option<Arc<EcoBook>>,
    /// How lines end is counted.
    pub line_ends: bool,
    /// The rules about positions are asked about every position that the replay reaches.
    every_position: bool,
    chess960: bool,
    /// The ratings and days that are taken as possible.
    pub limits: Limits,
}

impl GameChecks {
    /// What is known of every position beside its own record.
    pub(super) fn declared(&self) -> Declared {
        Declared { chess960: self.chess960, double_chess960: self.chess960, ..Declared::default() }
    }

    /// What `selection` shows; all of that are infos. With `every_position`, the rules about positions are asked about every
    /// position that is reached; with `chess960` every game is Chess960, whatever its tags say; `eco` is the classification of openings.
    pub(crate) fn of(selection: &Selection, every_position: bool, chess960: bool, eco: Option<&Arc<EcoBook>>) -> GameChecks {
        let infos = |rule: &Rule| selection.shows_infos(rule);
        GameChecks {
            rules: ActiveRules::of(selection),
            check_marks_missing: infos(&mov::check_mark_missing::RULE) || infos(&mov::mate_mark_missing::RULE),
            capture_marks_missing: infos(&mov::capture_mark_missing::RULE),
            disambiguation: infos(&mov::disambiguation_form::RULE),
            commands: RULES.iter().any(|rule| rule.code.family() == Family::Clk && selection.runs(rule)),
            elapsed: infos(&clk::emt_mismatch::RULE),
            echoes: infos(&ann::rav_repeats_move::RULE),
            number_style: infos(&num::number_style::RULE),
            start_number: infos(&num::start_number::RULE),
            eco: eco.filter(|_| infos(&tag::eco_mismatch::RULE)).cloned(),
            line_ends: infos(&enc::line_format::RULE),
            every_position,
            chess960,
            limits: Limits::DEFAULT,
        }
    }

    /// The same, with other limits.
    pub(crate) fn within(self, limits: Limits) -> GameChecks {
        GameChecks { limits, ..self }
    }
}

/// Memory that is used again from game to game.
#[derive(Debug, Default)]
pub(super) struct GameMemory {
    pairs: Vec<TagPair>,
    names: Vec<Span>,
    reading: ReadingMemory,
}

/// What came of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameOutcome {
    /// Where the next record begins, or the text ends.
    pub next: usize,
    /// Where the game ends: one past its marker, or, without one, where the next record begins.
    pub end: usize,
    /// Whether there was a game at all, rather than blank lines, comments and stray text.
    pub is_game: bool,
    /// Plies replayed.
    pub plies: u64,
    /// Plies read but not replayed.
    pub plies_not_examined: u64,
    /// Whether the end of the text had a part in what was read.
    pub touched_end: bool,
    /// What its start position tells about the input.
    pub evidence: PositionEvidence,
    /// Whether it has no termination marker.
    pub marker_missing: bool,
    /// Whether it holds UTF-8 beyond ASCII.
    pub multibyte: bool,
    /// Whether it holds bytes that are not UTF-8.
    pub not_utf8: bool,
}

/// A game that is being read: what belongs to the record, and the current reading of its movetext.
struct GameReplay<'a, 'w> {
    text: &'a [u8],
    lexer: Lexer<'a>,
    findings: &'w mut Findings,
    checks: &'w GameChecks,
    memory: &'w mut GameMemory,
    /// How the movetext can begin, as the tags say.
    opening: Opening,
    /// The reading of the movetext. A movetext that is read again gets a new one.
    reading: MovetextReading,
    /// Whether there is a tag section, even a damaged one.
    has_tags: bool,
    /// Whether the text ends inside a tag pair.
    cut_in_tags: bool,
    /// Where the movetext begins; without one, where the next record begins.
    movetext_at: usize,
    /// How many findings there were where the movetext begins. A new reading keeps these.
    findings_before: usize,
    /// The FEN tag, if the game begins in its position.
    fen_tag: Option<Span>,
    /// Whether other notations have been tried.
    notation_tried: bool,
    /// The last fault of a tag pair, the index of its finding, and how many more tag pairs have it.
    tag_fault: Option<(TagFault, usize, u32)>,
}

/// Reads the game that begins at `start` of `text`, and what follows it up to the next record.
pub(super) fn audit_game(
    text: &[u8],
    start: usize,
    complete: bool,
    checks: &GameChecks,
    memory: &mut GameMemory,
    findings: &mut Findings,
) -> GameOutcome {
    let since = findings.len();
    memory.pairs.clear();
    memory.names.clear();
    let opening = Opening { last_token: Span::new(start, start), ..Opening::default() };
    let reading = MovetextReading::before(&opening, std::mem::take(&mut memory.reading));
    let mut replay = GameReplay {
        text,
        lexer: Lexer::new(text, start),
        findings,
        checks,
        memory,
        opening,
        reading,
        has_tags: false,
        cut_in_tags: false,
        movetext_at: start,
        findings_before: since,
        fen_tag: None,
        notation_tried: false,
        tag_fault: None,
    };
    let mut outcome = replay.game(start, complete);
    let GameReplay { findings, memory, movetext_at, mut reading, .. } = replay;
    drop_folded(findings, &mut reading.folded);
    let turn = reading.start.turn();
    memory.reading = reading.take_memory();
    let odd = has_odd_bytes(&text[start..outcome.next]);
    if odd {
        let bytes = RecordBytes { text, start, end: outcome.next, at_input_start: start == 0 };
        checks.rules.bytes(&bytes, findings);
        (outcome.multibyte, outcome.not_utf8) = bytes.encoding();
    }
    let layout = Layout {
        text,
        pairs: &memory.pairs,
        game: Span::new(start, outcome.end),
        movetext: movetext_at,
        next: outcome.next,
        turn,
        has_special_bytes: odd,
        is_game: outcome.is_game,
    };
    checks.rules.layout(&layout, findings);
    apply_yields(findings, since);
    if findings.since(since).iter().any(concerns_tolerant_parsers) {
        describe_tolerant_parsers(text, start, &outcome, findings.since(since));
    }
    outcome
}

/// Whether there is anything beside printable ASCII, tabs and line breaks. Without branches, so that many bytes are looked at
/// at once.
fn has_odd_bytes(text: &[u8]) -> bool {
    let odd = |byte: u8| u8::from(byte.wrapping_sub(b' ') > b'~' - b' ') & u8::from(byte.wrapping_sub(b'\t') > b'\r' - b'\t');
    text.chunks(256).any(|part| part.iter().fold(0, |any, &byte| any | odd(byte)) != 0)
}

/// Takes out the findings that have become part of others.
fn drop_folded(findings: &mut Findings, folded: &mut [usize]) {
    if folded.is_empty() {
        return;
    }
    folded.sort_unstable();
    let mut index = 0;
    findings.all().retain(|_| {
        index += 1;
        folded.binary_search(&(index - 1)).is_err()
    });
}

/// Whether a lenient reader may make something else of what the finding is about.
fn concerns_tolerant_parsers(finding: &Finding) -> bool {
    finding.rule.code.family() == Family::Syn && !finding.rule.layout && finding.scope == Scope::Place
}

/// Adds to the syntax findings of a record what a lenient reader makes of it.
#[cold]
fn describe_tolerant_parsers(text: &[u8], start: usize, outcome: &GameOutcome, findings: &mut [Finding]) {
    if !outcome.is_game {
        return;
    }
    let seen = match plies_seen(&text[start..outcome.next]) {
        Some(1) => "; a lenient reader sees 1 ply of the game".to_owned(),
        Some(plies) => format!("; a lenient reader sees {plies} plies of the game"),
        None => "; a lenient reader gives up on the game".to_owned(),
    };
    for finding in findings.iter_mut().filter(|finding| concerns_tolerant_parsers(finding)) {
        finding.message.push_str(&seen);
    }
}

impl<'a> GameReplay<'a, '_> {
    fn game(&mut self, start: usize, complete: bool) -> GameOutcome {
        let next_game = self.tag_section();
        let header = self.memory.pairs.first().zip(self.memory.pairs.last());
        let place = match header {
            Some((first, last)) => Span::new(first.place.start, last.place.end),
            None => Span::new(self.lexer.at, self.lexer.at),
        };
        let pairs = std::mem::take(&mut self.memory.pairs);
        let names = std::mem::take(&mut self.memory.names);
        self.movetext_at = next_game.unwrap_or(self.lexer.at);
        let tags = TagSection::new(self.text, &pairs, &names, place).within(self.checks.limits);
        let mut outcome = match next_game {
            Some(next) => {
                let evidence = self.set_up(&tags).0;
                self.end_game(&tags, None, next, evidence, complete)
            }
            None => self.movetext(&tags, complete),
        };
        outcome.touched_end = self.lexer.touched_end || outcome.next == self.text.len();
        self.memory.pairs = pairs;
        self.memory.names = names;
        debug_assert!(outcome.next > start || self.text.len() == start);
        outcome
    }
}

/// Says how many plies behind one that cannot be played were read but not replayed; nothing where there are none.
pub(super) fn not_checked_note(plies: u64) -> String {
    match plies {
        0 => String::new(),
        1 => "; 1 ply after it was not examined".to_owned(),
        plies => format!("; {plies} plies after it were not examined"),
    }
}
