//! A row of a table: checks its position, and plays its game or its moves.

use shakmaty::{Chess, Move, Position};

use super::{
    Examined, RecordChecks, RecordOutcome, Window, check_line_bytes, examine_line_to,
    game::{GameMemory, not_checked_note},
    position::changes_side,
    row_game::RowGame,
};
use crate::{
    chess::{History, Variant, WrittenSan, checkers_after, explain_illegal_move, fen_of, pass_turn, variant_played_elsewhere},
    epd::{WordInLine, word_in_line},
    rules::{
        ActiveRules, Declared, Family, Finding, Findings, Patch, Severity, apply_yields,
        facts::{Ply, RecordBytes, SyntaxFault, SyntaxFaultKind, Unplayable},
        fen::counter_syntax,
        report_no_position, report_open_cell, report_short_row, shown,
    },
    table::{CellContent, Column, RowEnd, RowReader, Table, is_empty_value},
    text::{Span, wording::thousands},
};

/// Memory that is reused from row to row.
#[derive(Debug)]
pub(super) struct RowMemory {
    reader: RowReader,
    line: Vec<Option<Move>>,
}

impl RowMemory {
    pub fn of(table: &Table) -> RowMemory {
        RowMemory { reader: RowReader::new(table.delimiter), line: Vec::new() }
    }
}

/// Audits the row that begins at `start`.
pub(super) fn read_row(
    window: Window<'_>,
    start: usize,
    table: &Table,
    rows: &mut RowMemory,
    games: &mut GameMemory,
    checks: &RecordChecks,
    findings: &mut Findings,
) -> RecordOutcome {
    let text = window.text;
    let row = rows.reader.read(text, start);
    let mut record = RecordOutcome { next: row.next, end: row.next, touched_end: row.touched_end, ..RecordOutcome::default() };
    if let Some(quote) = row.open_quote {
        report_open_cell(findings, Span::new(quote, quote + 1));
    }
    if !window.is_before_rows(start, table) && (row.open_quote.is_some() || has_content(text, rows.reader.cells())) {
        let since = findings.len();
        let cell = |column: Option<Column>| column.and_then(|column| rows.reader.content(text, column));
        // The column may have another meaning, such as the variation of an opening.
        let is_variant = |name: &Vec<u8>| Variant::named(name) != Variant::Unknown || variant_played_elsewhere(name);
        let variant = cell(table.variant).map(|name| name.bytes(text).to_vec()).filter(is_variant);
        let declared = variant.as_ref().map_or(checks.games.declared(), |name| Declared::by_user(Some(Variant::named(name))));
        let game = cell(table.game).filter(|game| !is_empty_value(game.bytes(text)));
        let fen = cell(table.fen).filter(|fen| !(game.is_some() && is_empty_value(fen.bytes(text))));
        let has_position = table.fen.is_some() && (fen.is_some() || game.is_none());
        let examined = if has_position { position(text, row, table, &rows.reader, declared, checks, findings) } else { None };
        (record.evidence.is_chess, record.evidence.is_mostly_chess) = (true, true);
        record.evidence.position = examined.as_ref().map(|examined| examined.evidence);
        let at_fault = findings.since(since).iter().position(can_explain_illegal_move).map(|index| since + index);
        if let Some(game) = game.filter(|_| row.open_quote.is_none()) {
            let game = RowGame {
                content: &game,
                fen: fen.as_ref().map(|fen| fen.bytes(text)),
                start: examined.as_ref().and_then(|examined| examined.start.as_ref()),
                variant: variant.as_deref(),
            };
            with_cell(text, game.content, table.delimiter, findings, |text, place, findings| {
                game.audit(text, place, checks, games, &mut record, findings);
            });
        } else if let Some(moves) = cell(table.moves).filter(|_| row.open_quote.is_none() || examined.is_some()) {
            let default = Chess::default();
            let start = match (table.fen, &examined) {
                (None, _) if !declared.other_variant => Some(&default),
                (_, examined) => examined.as_ref().and_then(|examined| examined.start.as_ref()),
            };
            let (plies, plies_not_examined) = with_cell(text, &moves, table.delimiter, findings, |text, place, findings| {
                let line = Line { text, place, rules: &checks.games.rules, was_requested: table.moves_asked, at_fault };
                line.play(start, &mut rows.line, findings)
            });
            record.counts.plies = plies;
            record.counts.plies_not_examined = plies_not_examined;
            record.counts.games = u64::from(table.fen.is_none() && plies > 0);
        }
        if record.counts.games == 0 {
            record.counts.positions = 1;
        }
    }
    let bytes = RecordBytes { text, start, end: row.end, at_input_start: start == 0 && window.base == 0 };
    check_line_bytes(&bytes, &checks.games.rules, findings);
    if !findings.is_empty() {
        record.label = table.label.and_then(|column| rows.reader.content(text, column));
    }
    record
}

/// Whether any cell has content. Spreadsheets leave rows of empty cells at the end, and crashes
/// leave NULs.
fn has_content(text: &[u8], cells: &[Span]) -> bool {
    cells.iter().any(|cell| cell.of(text).iter().any(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | 0)))
}

/// Whether the finding can be the reason why a move is illegal: the position is certainly wrong,
/// not only its counters.
fn can_explain_illegal_move(finding: &Finding) -> bool {
    finding.severity == Severity::Error
        && finding.conditions.is_empty()
        && finding.rule.code.family() != Family::Ctr
        && finding.rule.code != counter_syntax::RULE.code
}

fn position(
    text: &[u8],
    row: RowEnd,
    table: &Table,
    reader: &RowReader,
    declared: Declared,
    checks: &RecordChecks,
    findings: &mut Findings,
) -> Option<Examined> {
    let column = table.fen?;
    let Some(content) = reader.content(text, column) else {
        // An unclosed cell was reported already.
        if row.open_quote.is_none() {
            report_short_row(findings, Span::new(row.end, row.end), column.0 + 1);
        }
        return None;
    };
    let since = findings.len();
    let examined = with_cell(text, &content, table.delimiter, findings, |text, place, findings| {
        if is_empty_value(place.of(text)) {
            report_no_position(findings, place, b"");
            return None;
        }
        let examined = examine_line_to(text, place, declared, checks.positions, None, findings);
        if examined.is_none() {
            report_no_position(findings, place, place.of(text));
        }
        examined
    });
    if table.moves.is_some() || table.game.is_some() {
        // The moves show which side is to move.
        findings.since(since).iter_mut().filter(|finding| changes_side(finding)).for_each(|finding| finding.repair = None);
    }
    examined
}

/// Checks the content of a cell. Places and repairs of findings become those of the text.
pub(super) fn with_cell<T>(
    text: &[u8],
    content: &CellContent,
    delimiter: u8,
    findings: &mut Findings,
    check: impl FnOnce(&[u8], Span, &mut Findings) -> T,
) -> T {
    match content {
        CellContent::Plain(place) => {
            let since = findings.len();
            let result = check(text, *place, findings);
            let is_quoted = place.start > 0 && text[place.start - 1] == b'"';
            let special: &[u8] = if is_quoted { b"\"" } else { &[b'"', b'\r', b'\n', delimiter] };
            let is_special = |patch: &Patch| patch.new.iter().any(|byte| special.contains(byte));
            for finding in findings.since(since).iter_mut().filter(|finding| finding.patches().iter().any(is_special)) {
                rewrite(finding, |patch| is_quoted.then(|| Patch { new: in_quotes(&patch.new), ..patch.clone() }));
            }
            result
        }
        CellContent::Unquoted(content) => {
            let since = findings.len();
            let result = check(&content.bytes, content.whole(), findings);
            let found = findings.since(since);
            let is_exact = !found.is_empty() && content.is_in_one_pair_of_quotes(text);
            for finding in found {
                finding.place = content.place(finding.place);
                rewrite(finding, |patch| {
                    let place = content.place_with_quotes(patch.place).filter(|_| is_exact)?;
                    Some(Patch::replace(text, place, in_quotes(&patch.new)))
                });
            }
            result
        }
    }
}

/// Replaces the patches of a finding. Without one of them, it has no repair.
fn rewrite(finding: &mut Finding, new: impl Fn(&Patch) -> Option<Patch>) {
    let Some(repair) = &mut finding.repair else { return };
    match repair.patches.iter().map(new).collect() {
        Some(patches) => repair.patches = patches,
        None => finding.repair = None,
    }
}

/// The bytes as they are written in a quoted cell.
fn in_quotes(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|byte| std::iter::repeat_n(*byte, if *byte == b'"' { 2 } else { 1 })).collect()
}

/// The moves of a row.
#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a [u8],
    place: Span,
    rules: &'a ActiveRules,
    /// Whether the user named the column of moves, rather than its header.
    was_requested: bool,
    /// Index of the first finding that says that the position itself is wrong.
    at_fault: Option<usize>,
}

/// The words of a line: moves and other tokens. Programs write lists with brackets and quotes.
fn words(text: &[u8], place: Span) -> impl Iterator<Item = Span> + '_ {
    let separates = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0 | b',' | b';' | b'|' | b'[' | b']' | b'\'' | b'"');
    let mut at = place.start;
    std::iter::from_fn(move || {
        at += text[at..place.end].iter().take_while(|byte| separates(byte)).count();
        let length = text[at..place.end].iter().take_while(|byte| !separates(byte)).count();
        at += length;
        (length > 0).then(|| Span::new(at - length, at))
    })
}

/// Termination markers and NAGs are not moves.
fn is_not_a_move(word: &[u8]) -> bool {
    matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*" | [b'$', ..])
}

impl Line<'_> {
    fn read(&self, position: &Chess, checkers: shakmaty::Bitboard, word: Span) -> WordInLine {
        let word = word.of(self.text);
        if is_not_a_move(word) { WordInLine::Aside } else { word_in_line(position, checkers, word) }
    }

    /// Plays the moves from `start`. Returns the number of plies played, and of plies not checked.
    fn play(self, start: Option<&Chess>, line: &mut Vec<Option<Move>>, findings: &mut Findings) -> (u64, u64) {
        line.clear();
        if is_empty_value(self.place.of(self.text)) {
            return (0, 0);
        }
        let Some(start) = start else { return (0, self.not_played(findings)) };
        let mut position = start.clone();
        let mut checkers = position.checkers();
        let mut words = words(self.text, self.place);
        while let Some(place) = words.next() {
            let since = findings.len();
            match self.read(&position, checkers, place) {
                WordInLine::Aside => continue,
                WordInLine::Move(played) => {
                    position.play_unchecked(played);
                    checkers = checkers_after(&position, played);
                    line.push(Some(played));
                    continue;
                }
                WordInLine::Null(written) => {
                    let passed = if checkers.is_empty() { pass_turn(&position) } else { None };
                    self.check_null_move(place, &written, &position, passed.as_ref(), line.len(), findings);
                    if let Some(passed) = passed {
                        position = passed;
                        checkers = position.checkers();
                        line.push(None);
                        continue;
                    }
                }
                WordInLine::Refused(_) | WordInLine::Unreadable if self.is_not_a_line(start) => {
                    return (self.moves().count() as u64, 0);
                }
                WordInLine::Refused(written) => self.refused(place, &written, &position, History { start, line }, findings),
                WordInLine::Unreadable => self.unreadable(place, &position, line.len(), findings),
            }
            let after = words.filter(|word| !self.is_aside(*word)).count() as u64;
            let reported = if findings.len() > since { Some(since) } else { self.at_fault };
            if let Some(finding) = reported.and_then(|index| findings.all().get_mut(index)) {
                finding.message.push_str(&not_checked_note(after));
            }
            apply_yields(findings, since);
            return (line.len() as u64, after + 1);
        }
        (line.len() as u64, 0)
    }

    /// Whether a word is not a move in any position.
    fn is_aside(&self, word: Span) -> bool {
        self.read(&Chess::default(), shakmaty::Bitboard::EMPTY, word) == WordInLine::Aside
    }

    fn moves(&self) -> impl Iterator<Item = Span> {
        words(self.text, self.place).filter(|word| !self.is_aside(*word))
    }

    /// Reports that there is no position to play the moves from. Returns the number of moves.
    #[cold]
    fn not_played(self, findings: &mut Findings) -> u64 {
        let plies = self.moves().count() as u64;
        if let Some(finding) = self.at_fault.and_then(|index| findings.all().get_mut(index)).filter(|_| plies > 0) {
            let moves = if plies == 1 {
                "the move of this row was".to_owned()
            } else {
                format!("the {} moves of this row were", thousands(plies))
            };
            finding.message.push_str(&format!("; {moves} not checked"));
        }
        plies
    }

    /// Whether the moves are not a line from the position. Tables of openings have the game that
    /// leads to it. A column that the user did not name may list several moves for the same
    /// position.
    #[cold]
    fn is_not_a_line(self, start: &Chess) -> bool {
        let mut game = Chess::default();
        let leads_there = self.moves().all(|word| match self.read(&game, game.checkers(), word) {
            WordInLine::Move(played) => {
                game.play_unchecked(played);
                true
            }
            _ => false,
        });
        if leads_there && game.board() == start.board() && game.turn() == start.turn() {
            return true;
        }
        let can_be_played = |word| matches!(self.read(start, start.checkers(), word), WordInLine::Move(_));
        !self.was_requested && self.moves().count() > 2 && self.moves().all(can_be_played)
    }

    #[cold]
    fn refused(self, place: Span, written: &WrittenSan, position: &Chess, history: History<'_>, findings: &mut Findings) {
        let reason = explain_illegal_move(position, written, history);
        if let Some(finding) = self.at_fault.and_then(|index| findings.all().get_mut(index)) {
            // One cause, one finding: the position itself is wrong.
            let (token, ply) = (shown(place.of(self.text)), history.line.len() + 1);
            finding.message.push_str(&format!("; {token} at ply {ply} cannot be played ({reason})"));
            return;
        }
        let since = findings.len();
        let facts =
            Unplayable { text: self.text, place, written, before: position, reason: &reason, history, in_variation: false };
        self.rules.unplayable(&facts, findings);
        self.locate(since, place, position, history.line.len(), findings);
    }

    #[cold]
    fn unreadable(self, place: Span, position: &Chess, played: usize, findings: &mut Findings) {
        let since = findings.len();
        let kind = SyntaxFaultKind::UnknownToken { meant: None };
        let fault = SyntaxFault { text: self.text, place, kind, in_variation: false };
        self.rules.syntax(&fault, findings);
        // A column that the user did not name may contain anything, unless it contains a move.
        let holds_moves =
            self.was_requested || words(self.text, self.place).any(|word| WrittenSan::read(word.of(self.text)).is_some());
        if !holds_moves {
            findings.since(since).iter_mut().for_each(|finding| finding.severity = Severity::Warning);
        }
        self.locate(since, place, position, played, findings);
    }

    #[cold]
    fn check_null_move(
        self,
        place: Span,
        written: &WrittenSan,
        position: &Chess,
        passed: Option<&Chess>,
        played: usize,
        findings: &mut Findings,
    ) {
        let since = findings.len();
        let after = passed.unwrap_or(position);
        let facts = Ply { text: self.text, place, written, before: position, after, resolved: None, in_variation: false };
        self.rules.ply(&facts, findings);
        self.locate(since, place, position, played, findings);
    }

    /// Fills in the ply that the findings since `since` are about, and the position before it.
    fn locate(self, since: usize, place: Span, position: &Chess, played: usize, findings: &mut Findings) {
        for finding in findings.since(since) {
            finding.ply = u32::try_from(played + 1).ok();
            finding.move_text = shown(place.of(self.text));
            finding.fen = fen_of(position);
        }
    }
}
