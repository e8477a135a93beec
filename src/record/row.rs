//! A row of a table: checks its position, and plays its game or its moves.

use shakmaty::{Chess, Move};

use super::{
    Examined, GameProperties, examine_line_to,
    game::GameMemory,
    line_bytes::check_line_bytes,
    line_of_moves::{Line, can_explain_illegal_move},
    position::changes_side,
    record_checks::RecordChecks,
    record_counts::UnsupportedCounts,
    record_outcome::RecordOutcome,
    row_game::{RowGame, TagCell},
    window::Window,
};
use crate::{
    chess::Variant,
    rules::{
        Declared, Finding, Findings, Patch, facts::RecordBytes, report_extra_cells, report_no_position, report_open_cell,
        report_short_cells, report_short_row, report_split_cells,
    },
    table::{CellContent, Column, LastCell, MAX_ROW, RowEnd, RowReader, Table, is_empty_value, names_variant},
    text::Span,
};

/// Memory that is reused from row to row.
#[derive(Debug)]
pub(super) struct RowMemory {
    table: Table,
    reader: RowReader,
    line: Vec<Option<Move>>,
}

impl RowMemory {
    pub fn of(table: &Table) -> RowMemory {
        RowMemory { table: *table, reader: RowReader::new(table.delimiter), line: Vec::new() }
    }
}

/// Audits the row that begins at `start`.
pub(super) fn read_row(
    window: Window<'_>,
    start: usize,
    rows: &mut RowMemory,
    games: &mut GameMemory,
    checks: &RecordChecks,
    findings: &mut Findings,
) -> RecordOutcome {
    let text = window.text;
    let table = &rows.table;
    let row = rows.reader.read(text, start);
    let mut record = RecordOutcome { next: row.next, end: row.next, touched_end: row.touched_end, ..RecordOutcome::default() };
    if let Some(quote) = row.open_quote {
        report_open_cell(findings, Span::new(quote, quote + 1));
    }
    let is_row = row.open_quote.is_some() || has_content(text, &rows.reader);
    if is_row && !window.is_before_rows(start, table) {
        let since = findings.len();
        let cells = Cells { text, row, table, reader: &rows.reader };
        cells.check_width(start, findings);
        let cell = |column: Option<Column>| {
            column.and_then(|column| rows.reader.content(text, table.column_in(column, &rows.reader, text)))
        };
        let named = cell(table.variant);
        let is_tag = table.has_variants && table.game.is_some();
        // The column may have another meaning, such as the variation of an opening.
        let variant = named.as_ref().map(|name| name.bytes(text).to_vec()).filter(|name| is_tag || names_variant(name));
        let declared = declared_beside(variant.as_deref(), checks);
        let game = cell(table.game).filter(|game| !is_empty_value(game.bytes(text)));
        let fen = rows.reader.position(text, table).filter(|fen| !(game.is_some() && is_empty_value(fen.bytes(text))));
        let has_position = table.fen.is_some() && (fen.is_some() || game.is_none());
        let examined = if has_position { cells.position(declared, checks, findings) } else { None };
        (record.evidence.is_chess, record.evidence.is_mostly_chess) = (true, true);
        record.evidence.position = examined.as_ref().map(|examined| examined.evidence.clone());
        let at_fault = findings.since(since).iter().position(can_explain_illegal_move).map(|index| since + index);
        if let Some(game) = game.filter(|_| row.open_quote.is_none()) {
            let game = RowGame {
                content: &game,
                fen: fen.as_ref().map(|fen| fen.bytes(text)),
                start: examined.as_ref().and_then(|examined| examined.start.as_ref()),
                variant: variant.as_deref().zip(named.as_ref()).map(|(name, cell)| (name, place_beside(cell, &game))),
                tags: &cells.tags(&game),
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
            if declared.other_variant && plies_not_examined > 0 {
                record.counts.unsupported = UnsupportedCounts { games: 1, plies: plies_not_examined };
            }
            record.counts.games = u64::from(table.fen.is_none() && plies > 0);
            if checks.games.draws_portrait && record.counts.games > 0 {
                let plies = u32::try_from(plies).ok().filter(|_| plies_not_examined == 0);
                record.properties.push(GameProperties::of(|_| &[], plies, &[]));
            }
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

/// What is declared of a position that has the name of a variant beside it, or has not.
pub(super) fn declared_beside(variant: Option<&[u8]>, checks: &RecordChecks) -> Declared {
    let declared = checks.games.declared();
    variant.map_or(declared, |name| Declared { effort: declared.effort, ..Declared::by_user(Some(Variant::named(name))) })
}

/// Whether any cell has content. Spreadsheets leave rows of empty cells at the end, and crashes
/// leave NULs.
fn has_content(text: &[u8], row: &RowReader) -> bool {
    let is_content = |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | 0);
    row.cells().iter().any(|cell| cell.of(text).iter().any(is_content)) && !row.is_rule_of_markdown(text)
}

/// The place of a cell, if a finding about `game` can be there: in a cell with doubled quotes,
/// places are not those of the text.
fn place_beside(cell: &CellContent, game: &CellContent) -> Option<Span> {
    match (cell, game) {
        (CellContent::Plain(place), CellContent::Plain(_)) => Some(*place),
        _ => None,
    }
}

/// The cells of a row.
struct Cells<'a> {
    text: &'a [u8],
    row: RowEnd,
    table: &'a Table,
    reader: &'a RowReader,
}

impl Cells<'_> {
    /// Checks whether the row has as many cells as the header. Empty cells at its end do not count.
    fn check_width(&self, start: usize, findings: &mut Findings) {
        let &Cells { text, row, table, reader } = self;
        let Some(width) = table.width.filter(|_| row.open_quote.is_none() && row.end - start < MAX_ROW) else { return };
        let cells = reader.cells();
        if table.last == LastCell::MovesOfSplitRows {
            if cells.len() != width {
                report_split_cells(findings, Span::new(start, row.end), (cells.len(), width));
            }
            return;
        }
        let is_comment = cells.len() == 1 && cells.iter().any(|cell| cell.of(text).starts_with(b"#"));
        // A row without a position is reported anyway.
        if cells.len() < width && !is_comment && table.fen.is_none_or(|fen| fen.0 < cells.len()) {
            report_short_cells(findings, Span::new(row.end, row.end), (cells.len(), width));
        }
        let has_content = |cell: &&Span| !matches!(cell.of(text).trim_ascii(), b"" | b"\"\"");
        if let Some(extra) = cells.iter().skip(width).find(has_content) {
            report_extra_cells(findings, *extra, (cells.len(), width));
        }
    }

    /// The tags that cells stand for, each with its value and its place.
    fn tags(&self, game: &CellContent) -> Vec<TagCell> {
        let &Cells { text, table, reader, .. } = self;
        let tags = table.tags.iter().filter_map(|(tag, column)| Some((tag, reader.content(text, column)?)));
        tags.map(|(tag, cell)| TagCell { tag, value: cell.bytes(text).to_vec(), place: place_beside(&cell, game) }).collect()
    }

    /// Examines the position of the row.
    fn position(&self, declared: Declared, checks: &RecordChecks, findings: &mut Findings) -> Option<Examined> {
        let &Cells { text, row, table, reader } = self;
        let column = table.fen?;
        let Some(content) = reader.position(text, table) else {
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
