//! Detects the format of an input from its first bytes.

use std::{borrow::Cow, path::Path};

use memchr::{memchr, memchr2_iter};
use shakmaty::{Chess, Position};

use super::{ByteOrder, Packing, has_chess_name, packing::without_packing, utf16::byte_order};
use crate::{
    chess::{WrittenSan, fen::is_placement, resolve},
    pgn::{WordCounts, count_words, is_movetext, marker_of_token, movetext_after_label},
    table::{
        Columns, Enclosed, FoundTable, Layout, NoColumn, Table, delimiter_of_games, find_table, json_fault, next_enclosed,
        table_with_columns,
    },
    text::{Format, is_plain_ascii},
};

/// Number of bytes from which the format of an input is recognised.
pub const HEAD: usize = 1 << 14;

/// The detected kind of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// Text whose records are laid out like this.
    Text(Layout),
    /// UTF-16, which is converted to UTF-8.
    Utf16(ByteOrder),
    /// UTF-32.
    WideText(&'static str),
    /// A compressed file or archive that is supported.
    Packed(Packing),
    /// A compressed file or archive that is not supported.
    Archive(&'static str),
    /// A table without a column given by the user.
    NoColumn(NoColumn),
    /// A text that is not that of games: what it is, and what to do.
    Document(&'static str),
    /// A database that is not text: what it is, and what to do.
    Database(&'static str),
    /// Not text.
    NotText,
}

/// Detects the kind of an input from `head`, its first bytes (up to 64 KiB), or else from the
/// extension of `name`. `whole` says that there are no more bytes. If `columns` are given, all text
/// is a table.
///
/// A tag pair or movetext is PGN, a piece placement is EPD. Lines are checked one by one, so that
/// other lines before the first record (a mail header, a title) do not matter. Where the name does
/// not say that the text is chess, most of it has to be.
pub fn recognise(head: &[u8], name: &str, whole: bool, columns: &Columns) -> Recognised {
    if let Some(packing) = Packing::of(head) {
        return Recognised::Packed(packing);
    }
    if let Some(kind) = archive(head) {
        return Recognised::Archive(kind);
    }
    if head.starts_with(&[0xFF, 0xFE, 0, 0]) || head.starts_with(&[0, 0, 0xFE, 0xFF]) {
        return Recognised::WideText("UTF-32");
    }
    if let Some(order) = byte_order(head) {
        return Recognised::Utf16(order);
    }
    if !is_text(head) {
        return database(head, name).map_or(Recognised::NotText, Recognised::Database);
    }
    let head = &*without_nuls(head);
    if let Some(kind) = document(head) {
        return Recognised::Document(kind);
    }
    if *columns != Columns::default() && !head.is_empty() {
        return table_with_columns(head, columns, whole)
            .map_or_else(Recognised::NoColumn, |table| Recognised::Text(Layout::Table(table)));
    }
    let is_sql = is_sql(head);
    let table = if is_sql { None } else { find_table(head, whole) };
    match table {
        Some(FoundTable::Chess(table)) => return Recognised::Text(Layout::Table(table)),
        Some(FoundTable::MovesAlone) => {
            return Recognised::Document(
                "the file is a table of moves, and the positions they begin in were not found: name their column with `--fen-column`",
            );
        }
        Some(FoundTable::Other) | None => {}
    }
    if numbers_plies(head) {
        return Recognised::Document("each ply has a number of its own, unlike in PGN: convert the games to PGN first");
    }
    if let Some(delimiter) = delimiter_of_games(head, whole) {
        return Recognised::Text(Layout::EnclosedGames(delimiter));
    }
    match layout_inside(head, whole, name) {
        // The rows of a dump have other columns, too.
        Inside::Shown(Layout::Positions) if is_sql => Recognised::Text(Layout::Enclosed { are_json: false }),
        Inside::Shown(layout) => Recognised::Text(layout),
        Inside::Prose => Recognised::Document("most of the text is prose: set its format with `--format` to read it anyway"),
        Inside::Nothing if is_json(head) => {
            Recognised::Document("the file is JSON without a list of positions: convert it to PGN or FEN first")
        }
        Inside::Nothing if table.is_some() => Recognised::Document(
            "the file is a table without positions or moves: name their columns with `--fen-column` or `--moves-column`",
        ),
        // A page that shows a game contains its text.
        Inside::Nothing if whole && is_html(head) => Recognised::Document("the file is an HTML page: download the games again"),
        Inside::Nothing => Recognised::Text(Layout::of(format_of_name(name))),
    }
}

impl Recognised {
    /// The same for a text with this number of NULs before `head`.
    pub fn after_nuls(self, nuls: usize) -> Recognised {
        if nuls == 0 {
            return self;
        }
        match self {
            Recognised::Text(Layout::Table(table)) => {
                let header = table.header.map(|header| header + nuls);
                Recognised::Text(Layout::Table(Table { header, ..table }))
            }
            Recognised::Text(_) | Recognised::NoColumn(_) => self,
            _ => Recognised::NotText,
        }
    }
}

/// Maximum number of NULs before a text. A record with more of them would be too large to check.
pub const MAX_HOLE: usize = 64 << 20;

/// Number of NULs before a text, which a crash or a hole in the file leaves. A few of them are the
/// start of other formats. After too many, or if there is nothing else, there is no text.
pub fn nuls_before_text(text: &[u8]) -> usize {
    const MIN_NULS: usize = 16;
    let text = &text[..text.len().min(MAX_HOLE)];
    let holes = text.chunks(1 << 12).take_while(|part| is_hole(part)).map(<[u8]>::len).sum();
    let rest = text.get(holes..).unwrap_or_default();
    let nuls = holes + rest.iter().take_while(|byte| **byte == 0).count();
    if nuls < MIN_NULS || nuls == text.len() { 0 } else { nuls }
}

/// Whether the text is all NULs. It has no branches, so that the compiler can use vector
/// instructions.
pub fn is_hole(text: &[u8]) -> bool {
    text.iter().fold(0, |any, byte| any | byte) == 0
}

/// The text with a space for each NUL, so that places stay the same.
fn without_nuls(text: &[u8]) -> Cow<'_, [u8]> {
    match memchr(0, text) {
        None => Cow::Borrowed(text),
        Some(_) => text.iter().map(|byte| if *byte == 0 { b' ' } else { *byte }).collect::<Vec<_>>().into(),
    }
}

/// What a document is that is text, but whose text is not that of games: from its signature.
fn document(head: &[u8]) -> Option<&'static str> {
    if head.starts_with(b"{\\rtf") {
        return Some("the file is rich text (RTF): save it as plain text");
    }
    let is_pointer = head.starts_with(b"version https://git-lfs.github.com/spec/");
    is_pointer.then_some("the file is a pointer of Git LFS: run `git lfs pull`")
}

/// Whether the text is SQL that fills a table: a line begins such a statement.
fn is_sql(head: &[u8]) -> bool {
    let begins_with =
        |line: &[u8], word: &str| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
    let is_copy = |line: &[u8]| begins_with(line, "COPY ") && line.to_ascii_lowercase().ends_with(b" from stdin;");
    let mut lines = head.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    lines.any(|line| begins_with(line, "INSERT INTO ") || is_copy(line))
}

/// Whether the text is an HTML page.
fn is_html(head: &[u8]) -> bool {
    let head = head.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(head).trim_ascii_start();
    [&b"<!doctype html"[..], b"<html"]
        .iter()
        .any(|tag| head.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag)))
}

/// What a file is that is not text, from its signature or else from the extension of `name`.
fn database(head: &[u8], name: &str) -> Option<&'static str> {
    const CHESSBASE: [&str; 6] = ["cbf", "cbg", "cbh", "cbi", "cbv", "2cbh"];
    const SCID: [&str; 8] = ["sg3", "si3", "sn3", "sg4", "si4", "sn4", "si5", "sg5"];
    let has_extension = |known: &[&str]| {
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        known.iter().any(|known| extension.eq_ignore_ascii_case(known))
    };
    if head.starts_with(b"Scid.s") || has_extension(&SCID) {
        return Some("the file is a database of Scid: export it to PGN first");
    }
    // The header of a `.cbh` file.
    let is_header = matches!(head, [0, 0, 0x2C | 0x24, 0, 0x2E, 1, ..]);
    (is_header || has_extension(&CHESSBASE)).then_some("the file is a database of ChessBase: export it to PGN first")
}

/// The kind of an archive that is not supported, from its signature.
fn archive(head: &[u8]) -> Option<&'static str> {
    match head {
        [b'7', b'z', 0xBC, 0xAF, 0x27, 0x1C, ..] => Some("7-Zip"),
        [b'R', b'a', b'r', b'!', 0x1A, 7, ..] => Some("rar"),
        _ if head.get(257..262) == Some(b"ustar") => Some("tar"),
        _ => None,
    }
}

/// Whether the bytes can be text in ASCII, UTF-8 or a single-byte encoding.
fn is_text(head: &[u8]) -> bool {
    let is_break = |byte: Option<&u8>| matches!(byte, Some(b'\n' | b'\r'));
    if is_plain_ascii(head) {
        return true;
    }
    // Text may contain a run of NULs of any length, which counts as nothing, and others.
    const MAX_COUNTED: usize = 16;
    let (mut control, mut nuls, mut counted_nuls, mut longest) = (0, 0, 0, 0);
    let mut at = 0;
    while let Some(&byte) = head.get(at) {
        let mut length = 1;
        match byte {
            0 => {
                length = head[at..].iter().take_while(|byte| **byte == 0).count();
                let before = at.checked_sub(1).and_then(|before| head.get(before));
                // Some programs write strings with their terminator, others a whole buffer.
                let at_line_end = is_break(before) || is_break(head.get(at + length)) || at + length == head.len();
                nuls += length;
                if !at_line_end {
                    let counted = length.min(MAX_COUNTED);
                    counted_nuls += counted;
                    longest = counted.max(longest);
                }
            }
            b'\t' | b'\n' | 0x0B | 0x0C | b'\r' | 0x1A => {}
            0x01..=0x1F | 0x7F => control += 1,
            _ => {}
        }
        at += length;
    }
    let text = head.len() - nuls;
    let counted_nuls = if longest == MAX_COUNTED { counted_nuls - longest } else { counted_nuls };
    let (control, counted) = (control + counted_nuls, text + counted_nuls);
    if text == 0 || control * 10 > counted {
        return false;
    }
    // About 10% of compressed data are control bytes, sometimes fewer, but it also has many bytes
    // outside ASCII.
    let foreign: usize = head.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    !(control * 33 > counted && foreign * 5 > counted)
}

/// Maximum number of lines that show the layout.
const MAX_LINES: usize = 200;

/// Number of lines with positions at the start of a text that show it to be a list of positions.
const ENOUGH: usize = 3;

/// What the lines of a text show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// Records that are laid out like this.
    Shown(Layout),
    /// Prose that mentions games or positions.
    Prose,
    /// No records.
    Nothing,
}

/// What a line of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// It begins with a tag pair or with movetext.
    Game,
    /// It contains a position, perhaps after a label.
    Position,
    /// It contains a position between quotes, commas or the like.
    Enclosed,
    /// It is a sentence.
    Prose,
    /// It contains a word.
    Words,
    /// Anything else.
    Other,
}

/// What the lines show. The first line that shows games or positions decides between these. Most
/// lines have to be like that, unless the name of the file says that it contains them.
fn layout_inside(head: &[u8], whole: bool, name: &str) -> Inside {
    let text = head.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(head);
    let mut lines = text
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .filter(|line| !line.trim_ascii().is_empty() && !matches!(line[0], b'%' | b'#' | b';') && !line.starts_with(b"-- "))
        .take(MAX_LINES)
        .enumerate()
        .peekable();
    let is_cut_off = !whole && !matches!(text.last(), Some(b'\n' | b'\r'));
    let (mut first, mut positions, mut enclosed, mut prose, mut others) = (None, 0, 0, 0, 0);
    let (mut json, mut all) = (0, 0);
    while let Some((number, line)) = lines.next() {
        // A truncated line is unreliable, unless it is the only one.
        if is_cut_off && (1..MAX_LINES - 1).contains(&number) && lines.peek().is_none() {
            break;
        }
        let kind = kind_of_line(line);
        all += 1;
        json += usize::from(matches!(line.trim_ascii_start(), [b'{' | b'[', ..]) && json_fault(line).is_none());
        match kind {
            // The first line of a file of games is nearly always a tag pair. A numbered list may
            // begin like a game.
            Line::Game if number == 0 && (line.starts_with(b"[") || has_chess_name(name)) => {
                return Inside::Shown(Layout::Games);
            }
            Line::Game | Line::Other => {}
            Line::Words => others += 1,
            Line::Position => positions += 1,
            Line::Enclosed => enclosed += 1,
            Line::Prose => prose += 1,
        }
        let is_clear = positions == ENOUGH || (positions == 1 && format_of_name(name) == Format::Epd);
        if is_clear && number < ENOUGH {
            return Inside::Shown(Layout::Positions);
        }
        if matches!(kind, Line::Game | Line::Position | Line::Enclosed) {
            first.get_or_insert(kind);
        }
    }
    let named = format_of_name(name);
    let may_be_prose = named == Format::Pgn && !has_chess_name(name);
    match first {
        None | Some(Line::Game) if may_be_prose && is_prose(text) => Inside::Prose,
        None => Inside::Nothing,
        Some(Line::Game) => Inside::Shown(Layout::Games),
        Some(_) if may_be_prose && is_mostly_text(positions + enclosed, prose, others) => Inside::Prose,
        Some(_) if prose > positions + enclosed => Inside::Shown(Layout::of(named)),
        Some(_) if enclosed > positions => Inside::Shown(Layout::Enclosed { are_json: json > 1 && 2 * json > all }),
        Some(_) => Inside::Shown(Layout::Positions),
    }
}

/// Whether most lines of a text with positions are text: `prose` are sentences, `others` shorter
/// lines with words. Each position may have a title.
const fn is_mostly_text(positions: usize, prose: usize, others: usize) -> bool {
    /// Up to this number of positions, any text may mention them.
    const FEW: usize = 2;
    let text = prose + others;
    prose > positions || text > 2 * positions || (positions <= FEW && text > positions)
}

fn kind_of_line(line: &[u8]) -> Line {
    let line = line.trim_ascii();
    if [&b"epd "[..], b"position startpos", b"startpos moves "].iter().any(|first| line.starts_with(first)) {
        return Line::Position;
    }
    if opens_tag(line) || is_movetext(line) {
        return Line::Game;
    }
    if memchr::memchr(b'/', line).is_some() {
        // A label may precede the piece placement.
        let is_bare = |word: &[u8]| word.iter().take_while(|byte| **byte != b'/').all(u8::is_ascii_alphanumeric);
        let mut words = line.split(u8::is_ascii_whitespace).take(4);
        match words.position(|word| is_placement(word) && is_bare(word)) {
            Some(label) if label > 0 && is_in_sentence(line) => return Line::Enclosed,
            Some(_) => return Line::Position,
            None if next_enclosed(line, 0).is_ok() => return Line::Enclosed,
            None => {}
        }
    }
    // A line of a perft file belongs to the position before it.
    if line.starts_with(b"perft") { Line::Other } else { kind_of_words(line) }
}

/// Whether the line begins with a tag pair, and not with a word in brackets: the name of a section,
/// or a mark of a forum.
fn opens_tag(line: &[u8]) -> bool {
    let [b'[', name @ ..] = line else { return false };
    let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(name.len());
    name.first().is_some_and(u8::is_ascii_alphabetic) && name.get(end) != Some(&b']')
}

/// Whether a position with counters is followed by other text without a space, such as a full stop
/// or a quote. Operations follow a semicolon.
fn is_in_sentence(line: &[u8]) -> bool {
    const FIELDS: usize = 6;
    let Ok(Enclosed { content, end }) = next_enclosed(line, 0) else { return false };
    let fields = content.bytes(line).split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).count();
    fields == FIELDS && line.get(end).is_some_and(|byte| !byte.is_ascii_whitespace() && *byte != b';')
}

/// Whether the line is a sentence: it has several words, and most are made of letters.
fn kind_of_words(line: &[u8]) -> Line {
    const MIN_WORDS: usize = 4;
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let (mut words, mut all) = (0, 0);
    for word in line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        let word = word.strip_suffix(b".").or_else(|| word.strip_suffix(b",")).unwrap_or(word);
        let word = word.strip_suffix(b":").or_else(|| word.strip_suffix(b"!")).unwrap_or(word);
        all += 1;
        words += usize::from(word.iter().all(is_letter) && !word.is_empty());
    }
    match words {
        MIN_WORDS.. if words * 4 >= all * 3 => Line::Prose,
        1.. => Line::Words,
        0 => Line::Other,
    }
}

/// Whether the text mentions moves or tags, but most words are neither.
fn is_prose(text: &[u8]) -> bool {
    /// Number of words that a tag pair counts for.
    const TAG: usize = 6;
    /// Fewer words may be a title.
    const MIN_WORDS: usize = 8;
    let words = count_words(text);
    let chess = words.moves + TAG * words.tags;
    if chess == 0 {
        return false;
    }
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !matches!(line, [] | [b'#', ..] | [b'/', b'/', ..]));
    let (mut games, mut others) = (0, 0);
    lines.for_each(|line| *(if is_line_of_game(line) { &mut games } else { &mut others }) += 1);
    let is_list = games > 0 && games >= others;
    let is_mostly_words = words.others >= MIN_WORDS && words.others > 2 * chess;
    (is_mostly_words && !is_list) || (games == 0 && only_quotes_moves(text, words))
}

/// Whether the line contains moves, perhaps after a label, and no other words or a result.
fn is_line_of_game(line: &[u8]) -> bool {
    let movetext = &line[movetext_after_label(line, 0).unwrap_or(0)..];
    let words = count_words(movetext);
    let last = movetext.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    words.moves > 0 && (words.others == 0 || (is_movetext(movetext) && marker_of_token(last).is_some()))
}

/// Whether a text without lines of moves quotes a few moves.
fn only_quotes_moves(text: &[u8], words: WordCounts) -> bool {
    /// Maximum number of moves that a text may quote.
    const MAX_QUOTED: usize = 8;
    /// Fewer words may be a label or a title.
    const MIN_WORDS: usize = 3;
    let begins_movetext = |space: usize| is_movetext(&text[space + 1..]);
    let is_quoted = || memchr2_iter(b' ', b'\n', text).any(begins_movetext);
    words.tags == 0 && words.moves <= MAX_QUOTED && words.others >= MIN_WORDS && is_quoted()
}

/// Whether the text is a listing of games with a line and a number for each ply, such as `1 d2d4`
/// and then `2 g8f6`. Read as PGN, each second number would be wrong, and a line with the result of
/// a game would end the game before it.
fn numbers_plies(head: &[u8]) -> bool {
    /// Number of plies that show it.
    const ENOUGH: u32 = 4;
    let lines = head.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let (mut position, mut played) = (Chess::default(), 0);
    for line in lines.take(MAX_LINES).take_while(|line| !line.starts_with(b"[")) {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (Some(number), Some(word), None) = (words.next(), words.next(), words.next()) else {
            (position, played) = (Chess::default(), 0);
            continue;
        };
        let number = number.strip_suffix(b".").or_else(|| number.strip_suffix(b")")).unwrap_or(number);
        let is_next = number == (played + 1).to_string().as_bytes();
        let written = WrittenSan::read(word).filter(|_| is_next);
        let found = written.and_then(|written| resolve(&position, position.checkers(), &written));
        match found {
            Some(found) => {
                position.play_unchecked(found.played);
                played += 1;
            }
            None => (position, played) = (Chess::default(), 0),
        }
        if played == ENOUGH {
            return true;
        }
    }
    false
}

/// Whether the text is JSON: it begins with an object or a list.
fn is_json(head: &[u8]) -> bool {
    let mut bytes = head.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(head).iter().filter(|byte| !byte.is_ascii_whitespace());
    matches!((bytes.next(), bytes.next()), (Some(b'{' | b'['), Some(b'"' | b'{' | b'[')))
}

/// The format from the extension of a name.
fn format_of_name(name: &str) -> Format {
    let extension = Path::new(without_packing(name)).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_positions = ["epd", "fen", "sfens", "perft"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    if is_positions { Format::Epd } else { Format::Pgn }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PGN: Recognised = Recognised::Text(Layout::Games);
    const EPD: Recognised = Recognised::Text(Layout::Positions);

    fn of(head: &[u8], name: &str) -> Recognised {
        recognise(head, name, true, &Columns::default())
    }

    #[test]
    fn what_is_inside_counts_more_than_the_name() {
        assert_eq!(of(b"[Event \"x\"]\n", "a.epd"), PGN);
        assert_eq!(of(b"\xEF\xBB\xBF\r\n% escaped\r\n; comment\r\n[Event \"x\"]\r\n", "a.fen"), PGN);
        assert_eq!(of(b"1. e4 e5 *\n", "a.epd"), PGN);
        assert_eq!(of(b"1.O-O *\n", "a.epd"), PGN);
        assert_eq!(of(b"8/8/8/8/8/8/8/K1k5 w - - 0 1\n", "a.pgn"), EPD);
        assert_eq!(of(b"# title\r\rrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\r", "a.pgn"), EPD);
        assert_eq!(of(b"epd rnbqkbnr/8/8/8/8/8/8/K7\nperft 1 20\n", "a.txt"), EPD);
        assert_eq!(of(b"8/8/xx/8/8/8/8/K1k5 w - - 0 1\n", "a.pgn"), EPD, "a malformed rank");
    }

    #[test]
    fn stray_lines_before_the_first_record_do_no_harm() {
        assert_eq!(of(b"From: a@b.c\nDate: 1/2/3\nSubject: 1. a list\n\n[Event \"x\"]\n", "a.epd"), PGN);
        assert_eq!(of(b"WB 8/8/8/8/8/8/8/K1k5 w - -\n", "a.txt"), EPD, "a label");
        assert_eq!(of(b"My positions\n\n8/8/8/8/8/8/8/K1k5 w - -\n", "a.txt"), EPD);
    }

    #[test]
    fn positions_in_sentences_and_after_marks_are_inside_other_text() {
        let enclosed = |are_json| Recognised::Text(Layout::Enclosed { are_json });
        for (before, after) in [
            ("id,\"Position: ", ". What is the best move?\",Ke4"),
            ("echo \"position fen ", "\" | ./engine"),
            ("[p1]\nfen=", ""),
            ("[fen]", "[/fen]"),
        ] {
            let text = format!("{before}8/8/4k3/8/8/3K4/3P4/8 w - - 0 60{after}\n").repeat(2);
            assert_eq!(of(text.as_bytes(), "a.txt"), enclosed(false), "{text}");
        }
        let line = "{\"q\":\"FEN: 8/8/4k3/8/8/3K4/3P4/8 w - - 0 60\\nBest move?\"}\n";
        assert_eq!(of(line.repeat(2).as_bytes(), "a.txt"), enclosed(true));
        for text in ["WB 8/8/4k3/8/8/3K4/3P4/8 w - - 0 60; bm Ke4;\n", "WB 8/8/4k3/8/8/3K4/3P4/8 w - - 0 60\n"] {
            assert_eq!(of(text.as_bytes(), "a.txt"), EPD, "{text}");
        }
        assert_eq!(of(b"[Event\"x\"]\n[Site ]\n", "a.epd"), PGN);
    }

    #[test]
    fn the_name_decides_what_the_inside_leaves_open() {
        assert_eq!(of(b"", "a.pgn"), PGN);
        assert_eq!(of(b"", "A.EPD"), EPD);
        assert_eq!(of(b"hello\n", "-"), PGN);
        assert_eq!(of(b"hello\n", "x.fen"), EPD);
        assert_eq!(of(b"1/2-1/2\n", "x.perft"), EPD);
    }

    #[test]
    fn listings_with_a_number_for_each_ply_are_no_games() {
        let refused = |text: &str| matches!(of(text.as_bytes(), "a.pgn"), Recognised::Document(_));
        assert!(refused("GameId 1\nResult 0-1\nMoves\n  1  f2f3\n  2      e7e5\n  3  g2g4\n  4      d8h4\n-----\n"));
        assert!(refused("Result 1-0\n\n1. e4\n2. e5\n3. Nf3\n4. Nc6\n5. Bb5\n"));
        // A number for each move, numbers of something else, and too few plies.
        assert!(!refused("1 e4 e5\n2 Nf3 Nc6\n3 Bb5 a6\n4 Ba4 Nf6\n"));
        assert!(!refused("1. e4\n1... e5\n2. Nf3\n2... Nc6\n"));
        assert!(!refused("1 e4\n2 d4\n3 c4\n4 Nf3\n"));
        assert!(!refused("1 e4\n2 e5\n3 Nf3\n"));
        assert!(!refused("[Event \"x\"]\n\n1 e4\n2 e5\n3 Nf3\n4 Nc6\n"));
    }

    #[test]
    fn archives_are_known_by_their_first_bytes() {
        assert_eq!(of(b"\x28\xB5\x2F\xFDxxxx", "a.pgn"), Recognised::Packed(Packing::Zstandard));
        assert_eq!(of(b"\x1F\x8B\x08\x00", "a.pgn"), Recognised::Packed(Packing::Gzip));
        assert_eq!(of(b"PK\x03\x04", "a.pgn"), Recognised::Packed(Packing::Zip));
        assert_eq!(of(b"BZh91AY&SY", "a.pgn"), Recognised::Packed(Packing::Bzip2));
        assert_eq!(of(b"BZh9 is how bzip2 begins", "a.pgn"), PGN);
        assert_eq!(of(b"\xFD7zXZ\0\0", "a.pgn"), Recognised::Packed(Packing::Xz));
        assert_eq!(of(b"7z\xBC\xAF\x27\x1C", "a.pgn"), Recognised::Archive("7-Zip"));
        assert_eq!(of(b"Rar!\x1A\x07\x01\0", "a.pgn"), Recognised::Archive("rar"));
    }

    #[test]
    fn documents_and_databases_are_named() {
        const PAGE: &[u8] = b"<!DOCTYPE html>\n<html><title>502</title></html>\n";
        let kind = |head: &[u8], name: &str| match of(head, name) {
            Recognised::Document(kind) | Recognised::Database(kind) => kind.split(':').next().unwrap_or_default().to_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(kind(PAGE, "a.pgn"), "the file is an HTML page");
        assert_eq!(kind(b"{\\rtf1\\ansi [Event \"x\"]\\\n", "a.pgn"), "the file is rich text (RTF)");
        assert_eq!(kind(b"version https://git-lfs.github.com/spec/v1\nsize 1\n", "a.epd"), "the file is a pointer of Git LFS");
        assert_eq!(kind(b"Scid.si\0\0\x04\x90\0\0\0\0\x01", "a.pgn"), "the file is a database of Scid");
        assert_eq!(kind(b"\0\0\x2C\0\x2E\x01\0\0\0\0\0\0", "a.pgn"), "the file is a database of ChessBase");
        assert_eq!(kind(&[1, 2, 3, 4, 5, 6], "a.CBV"), "the file is a database of ChessBase");
        // A page with a game is read.
        assert_eq!(of(&[PAGE, b"[Event \"x\"]\n"].concat(), "a.pgn"), PGN);
        assert_eq!(of(b"{\\rt} 1. e4 *\n", "a.pgn"), PGN);
    }

    #[test]
    fn utf_16_is_known_with_and_without_its_mark() {
        use ByteOrder::{Big, Little, Marked};
        let wide: Vec<u8> = "[Event \"x\"]\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(of(&wide, "a.pgn"), Recognised::Utf16(Little));
        assert_eq!(of(&wide[..wide.len() - 1], "a.pgn"), Recognised::Utf16(Little));
        assert_eq!(of(&[&[0xFE, 0xFF], &wide[1..]].concat(), "a.pgn"), Recognised::Utf16(Marked));
        let other: Vec<u8> = "[Event \"x\"]\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(of(&other, "a.pgn"), Recognised::Utf16(Big));
        assert_eq!(of(b"\xFF\xFE\0\0[\0\0\0", "a.pgn"), Recognised::WideText("UTF-32"));
    }

    #[test]
    fn binary_is_no_text_and_text_is_no_binary() {
        let all: Vec<u8> = (0..=255).cycle().skip(32).take(65536).collect();
        assert_eq!(of(&all, "a.pgn"), Recognised::NotText);
        assert_eq!(of(&[0; 4096], "a.pgn"), Recognised::NotText);
        // 7 of 159 bytes are control bytes, which is possible in text, but many bytes are not
        // ASCII.
        let packed: Vec<u8> =
            (0x18..=0x1F).filter(|byte| *byte != 0x1A).chain(0x40..0x60).chain(0x80..=0xF7).cycle().take(4096).collect();
        assert_eq!(of(&packed, "a.pgn"), Recognised::NotText);
        assert_eq!(of(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0", "a.pgn"), Recognised::NotText);
        assert_eq!(of(b"[Event \"x\"]\0\n[Site \"y\"]\0\n\0\n", "a.pgn"), PGN);
        assert_eq!(of(b"[White \"M\xFCller\"]\n\x1A", "a.pgn"), PGN);
        // Binary data may contain runs of NULs, too.
        let database =
            [&b"SQLite format 3\0\x10\0\x01\x01\0@  "[..], &[0; 900], b"indexsqlite_autoindex_games_1games\x03\0\0\0\x08\0"];
        assert_eq!(of(&[database.concat(), vec![0; 50], vec![1; 9]].concat(), "a.pgn"), Recognised::NotText);
        let cyrillic: Vec<u8> = [b"[White \"".as_slice(), &[0xCF; 500], b"\"]\n"].concat();
        assert_eq!(of(&cyrillic, "a.pgn"), PGN);
    }

    #[test]
    fn text_may_be_padded_with_nuls_anywhere() {
        const GAME: &str = "[Event \"x\"]\n[Site \"?\"]\n\n1. e4 e5 2. Nf3 *\n";
        const LINE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        const TABLE: &str = "Id,FEN\n1,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        for (text, name) in [(GAME, "a.epd"), (LINE, "a.pgn"), (TABLE, "a.pgn")] {
            let expected = of(text.as_bytes(), name);
            for length in [1, 16, 300, 20_000] {
                let nuls = vec![0; length];
                for at in 0..=text.len() {
                    let (before, after) = text.as_bytes().split_at(at);
                    let padded = [before, &nuls, after].concat();
                    let found = of(&padded, name);
                    let skipped = nuls_before_text(&padded);
                    assert_eq!(skipped, if at == 0 && length > 1 { length } else { 0 });
                    if at == 0 {
                        let found = of(&padded[skipped..], name).after_nuls(skipped);
                        match (found, &expected) {
                            (Recognised::Text(Layout::Table(found)), Recognised::Text(Layout::Table(expected))) => {
                                assert_eq!(
                                    Table { header: Some(skipped), ..*expected },
                                    Table { header: Some(skipped), ..found }
                                );
                            }
                            (found, expected) => assert_eq!(found, *expected, "{length}"),
                        }
                    } else if at < text.len() && !text.contains(',') {
                        // A word that is broken may have shown the format.
                        let is_text = matches!(found, Recognised::Text(_));
                        assert!(is_text, "{found:?} at {at} of {text}");
                    } else if at == text.len() {
                        assert_eq!(found, expected, "{length}");
                    }
                }
            }
        }
        assert_eq!((nuls_before_text(&[0; 5000]), nuls_before_text(&[vec![0; MAX_HOLE], vec![b'1']].concat())), (0, 0));
        assert_eq!(of(b"\x1F\x8B\x08\x00", "a.pgn").after_nuls(20), Recognised::NotText);
    }

    #[test]
    fn only_the_first_lines_decide() {
        for (before, expected) in [(198, EPD), (199, EPD), (200, PGN)] {
            let text = "title\n".repeat(before) + "8/8/8/8/8/8/8/K1k5 w - -";
            assert_eq!(of(text.as_bytes(), "a.pgn"), expected, "after {before} lines");
            let cut_off = recognise(text.as_bytes(), "a.pgn", false, &Columns::default());
            assert_eq!(cut_off, if before == 199 { EPD } else { PGN }, "after {before} lines, and cut off");
        }
    }

    #[test]
    fn a_line_that_was_cut_off_does_not_decide() {
        assert_eq!(recognise(b"title\n8/8/8/8/8", "a.pgn", false, &Columns::default()), PGN);
        assert_eq!(recognise(b"title\n8/8/8/8/8", "a.pgn", true, &Columns::default()), EPD);
        assert_eq!(recognise(b"8/8/8/8/8", "a.pgn", false, &Columns::default()), EPD);
    }
}
