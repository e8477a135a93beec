//! Positions inside other text: JSON lines, program text, rows of uneven length.

use memchr::{memchr, memchr2, memchr3, memmem};
use serde::de::IgnoredAny;

use super::{
    CellContent, Unquoted,
    columns::{MOVES, VARIANT, names_variant},
};
use crate::{chess::fen::is_placement, pgn::line_end, text::Span};

/// Maximum length of a position with its operations, in bytes.
const MAX_POSITION: usize = 4096;

/// Maximum distance between the ends of two literals of one string, in bytes. Less than what is
/// always in memory after a record.
const MAX_LITERAL: usize = 512;

/// Maximum length of a piece placement with backslashes, in bytes.
const MAX_PLACEMENT: usize = 256;

/// A position inside other text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosed {
    /// The position, without the quotes around it.
    pub content: CellContent,
    /// The end of the position, without a closing quote.
    pub end: usize,
}

impl Enclosed {
    /// Whether there is only a piece placement, or a part of one: other fields may be elsewhere.
    pub fn is_placement_only(&self, text: &[u8]) -> bool {
        !self.content.bytes(text).trim_ascii().contains(&b' ')
    }
}

/// The first position that begins at or after `from`, on the same line. `Err` is the end of the
/// line if there is none.
pub fn next_enclosed(text: &[u8], from: usize) -> Result<Enclosed, usize> {
    let mut at = from;
    loop {
        let slash = match memchr3(b'/', b'\n', b'\r', text.get(at..).unwrap_or_default()) {
            Some(found) if text[at + found] == b'/' => at + found,
            Some(found) => return Err(at + found),
            None => return Err(text.len()),
        };
        let before = text[at.max(slash.saturating_sub(MAX_PLACEMENT))..slash].iter().rev();
        let start = slash - before.take_while(|byte| is_of_placement(**byte)).count();
        let rest = text[slash..].iter().take(MAX_PLACEMENT);
        let end = slash + rest.take_while(|byte| is_of_placement(**byte)).count();
        let placement = after_path(text, start, end);
        // A path that ends with a placement may be anything.
        let has_fields = placement == start || separator(&text[end..]) > 0;
        if has_fields && is_placement(&without_backslashes(&text[placement..end])) {
            return Ok(position_at(text, placement, end));
        }
        if let Some(joined) = broken_placement(text, Span::new(start, end)) {
            return Ok(joined);
        }
        at = end;
    }
}

/// The start of a placement that begins at or after `start`: in a URL, only the last eight parts of
/// the path are its ranks.
fn after_path(text: &[u8], start: usize, end: usize) -> usize {
    const RANKS: usize = 8;
    let run = &text[start..end];
    let slash = memchr::memrchr_iter(b'/', run).nth(RANKS - 1);
    slash.filter(|slash| !is_placement(&run[..*slash])).map_or(start, |slash| start + slash + 1)
}

/// Whether a byte may be part of a piece placement, in which slashes may follow backslashes.
const fn is_of_placement(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\' | b'~') || byte.is_ascii_alphanumeric()
}

fn without_backslashes(written: &[u8]) -> Vec<u8> {
    written.iter().copied().filter(|byte| *byte != b'\\').collect()
}

/// The position whose placement is `start..end`: up to the closing quote, or else as many words as
/// can be its fields.
fn position_at(text: &[u8], start: usize, placement_end: usize) -> Enclosed {
    let quote = start.checked_sub(1).map(|before| text[before]).filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let limit = line_end(text, placement_end).min(start + MAX_POSITION);
    // The string may itself be in a string.
    let is_nested = start.checked_sub(2).is_some_and(|before| text[before] == b'\\');
    let closing = quote.and_then(|quote| closing_quote(text, placement_end, limit, quote, is_nested));
    let end = closing.unwrap_or_else(|| fields_end(text, placement_end, limit));
    let place = Span::new(start, end);
    if let Some(quote) = quote.filter(|_| closing.is_some() && !is_nested)
        && let Some(joined) = joined_literals(text, place, quote)
    {
        return joined;
    }
    let is_url = closing.is_none() && place.of(text).iter().any(|byte| matches!(byte, b'_' | b'+' | b'%'));
    let content = if is_url { CellContent::Unquoted(of_url(text, place)) } else { string_content(text, place) };
    Enclosed { content, end }
}

/// The position of which a literal contains a few ranks and nothing else, if others continue it.
fn broken_placement(text: &[u8], ranks: Span) -> Option<Enclosed> {
    let quote = text[ranks.start.checked_sub(1)?];
    let is_literal = matches!(quote, b'"' | b'\'' | b'`') && text.get(ranks.end) == Some(&quote);
    let joined = joined_literals(text, ranks, quote).filter(|_| is_literal)?;
    let placement = joined.content.bytes(text).split(|byte| *byte == b' ').next()?;
    is_placement(placement).then_some(joined)
}

/// The literals of a string that program text breaks inside a position, of which `first` is the
/// first one. `None` if there are no others.
fn joined_literals(text: &[u8], first: Span, quote: u8) -> Option<Enclosed> {
    let mut literals = vec![CellContent::Plain(first)];
    let mut last = first;
    while let Some(next) = next_literal(text, last, quote) {
        literals.push(CellContent::Plain(next));
        last = next;
    }
    let is_broken = literals.len() > 1;
    is_broken.then(|| Enclosed { content: CellContent::Unquoted(Unquoted::concat(text, &literals)), end: last.end })
}

/// The literal that continues the piece placement at the end of `literal`: it follows after
/// whitespace, and perhaps a `+`.
fn next_literal(text: &[u8], literal: Span, quote: u8) -> Option<Span> {
    let placement = literal.of(text);
    if placement.trim_ascii_end().iter().any(|byte| !is_of_placement(*byte)) || memchr(b'\\', placement).is_some() {
        return None;
    }
    let near = &text[..text.len().min(literal.end + MAX_LITERAL)];
    let rest = near.get(literal.end + 1..)?.trim_ascii_start();
    let rest = rest.strip_prefix(b"+").unwrap_or(rest).trim_ascii_start();
    let rest = rest.strip_prefix(&[quote])?;
    let start = near.len() - rest.len();
    let end = closing_quote(near, start, line_end(near, start), quote, false)?;
    let next = Span::new(start, end);
    // Otherwise both may be whole, such as a placement and a name.
    let is_open = |byte: Option<&u8>| matches!(byte, Some(b'/' | b' '));
    (is_open(placement.last()) || is_open(next.of(text).first())).then_some(next)
}

/// The part of a URL in `place`, with spaces between the fields.
fn of_url(text: &[u8], place: Span) -> Unquoted {
    let mut content = Unquoted::default();
    let mut at = place.start;
    while at < place.end {
        let separator = separator(&text[at..place.end]);
        content.push(if separator > 0 { b' ' } else { text[at] }, at);
        at += separator.max(1);
    }
    content.places.push(place.end);
    content
}

/// Length of what separates two fields at the start of the text: spaces, or what URLs have for
/// them.
fn separator(text: &[u8]) -> usize {
    match text {
        [b'_' | b'+', ..] => 1,
        [b'%', b'2', b'0', ..] => 3,
        _ => text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count(),
    }
}

/// The quote that closes a string. In a nested string, that is the backslash before it.
fn closing_quote(text: &[u8], from: usize, limit: usize, quote: u8, is_nested: bool) -> Option<usize> {
    let mut at = from;
    loop {
        let found = at + memchr2(quote, b'\\', text.get(at..limit)?)?;
        // A line break of the program text ends the position, too.
        let is_break = text[found] == b'\\' && matches!(text.get(found + 1), Some(b'n' | b'r' | b't'));
        if text[found] == quote || is_break || (is_nested && text.get(found + 1) == Some(&quote)) {
            return Some(found);
        }
        at = found + 2;
    }
}

/// The end of the words after a placement that can be the other fields.
fn fields_end(text: &[u8], placement_end: usize, limit: usize) -> usize {
    let mut end = placement_end;
    let is_tab = |at: usize| text.get(at) == Some(&b'\t');
    for field in 0..5 {
        // A tab after a field that a space precedes begins another cell.
        let blanks = if is_tab(end) && !is_tab(placement_end) { 0 } else { separator(&text[end..limit]) };
        let start = end + blanks;
        let word = text[start..limit].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
        let word = &text[start..start + word];
        let fits = match field {
            0 => matches!(word, b"w" | b"b"),
            1 => word == b"-" || (word.len() <= 4 && word.iter().all(u8::is_ascii_alphabetic)),
            2 => word == b"-" || matches!(word, [b'a'..=b'h', b'1'..=b'8']),
            _ => word.len() <= 5 && word.iter().all(u8::is_ascii_digit),
        };
        if blanks == 0 || word.is_empty() || !fits {
            break;
        }
        end = start + word.len();
    }
    end
}

/// Why a line is not a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// It ends in the middle of the value.
    Truncated,
    /// It is something else from this byte on.
    Other(usize),
}

/// Why a line is not a JSON value, if it is not. A comma may follow, as in a list with a value on
/// each line.
pub fn json_fault(line: &[u8]) -> Option<JsonFault> {
    let value = line.trim_ascii_end();
    let value = value.strip_suffix(b",").unwrap_or(value);
    let error = serde_json::from_slice::<IgnoredAny>(value).err()?;
    Some(if error.is_eof() { JsonFault::Truncated } else { JsonFault::Other(error.column().saturating_sub(1)) })
}

/// The variations that an engine gives in a part of a JSON text: the strings `line` or `moves` in a
/// list `pvs`, as Lichess writes them.
pub fn engine_lines(text: &[u8], part: Span) -> impl Iterator<Item = CellContent> + '_ {
    let list = memmem::find(part.of(text), b"\"pvs\"").map(|found| part.start + found);
    let mut at = list.unwrap_or(part.end);
    let mut is_inside = false;
    std::iter::from_fn(move || {
        loop {
            let key = next_string(text, at, part.end)?;
            at = key.end + 1;
            let Some((b':', colon)) = next_byte(text, at, part.end) else { continue };
            is_inside |= key.of(text) == b"pvs";
            let is_line = is_inside && matches!(key.of(text), b"line" | b"moves");
            let Some((b'"', quote)) = next_byte(text, colon + 1, part.end).filter(|_| is_line) else { continue };
            let line = next_string(text, quote, part.end)?;
            at = line.end + 1;
            return Some(string_content(text, line));
        }
    })
}

/// A part of a JSON text that matters for the fields of an object.
enum Piece {
    /// An object begins.
    Open,
    /// An object ends.
    Close,
    /// A field whose value is a string: its name and its value, without quotes.
    Field(Span, Span),
}

/// The pieces of a part of a JSON text.
fn pieces(text: &[u8], part: Span) -> impl Iterator<Item = Piece> + '_ {
    let mut at = part.start;
    std::iter::from_fn(move || {
        loop {
            let found = at + memchr3(b'"', b'{', b'}', text.get(at..part.end)?)?;
            at = found + 1;
            match text[found] {
                b'{' => return Some(Piece::Open),
                b'}' => return Some(Piece::Close),
                _ => {}
            }
            let name = next_string(text, found, part.end)?;
            at = name.end + 1;
            let Some((b':', colon)) = next_byte(text, at, part.end) else { continue };
            let Some((b'"', quote)) = next_byte(text, colon + 1, part.end) else { continue };
            let value = next_string(text, quote, part.end)?;
            at = value.end + 1;
            return Some(Piece::Field(name, value));
        }
    })
}

/// What the JSON object of a position says beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fields {
    /// The name of a variant.
    variant: Option<Span>,
    /// Moves.
    moves: Option<Span>,
}

impl Fields {
    fn note(&mut self, text: &[u8], name: Span, value: Span) {
        let is_one_of = |names: &[&str]| names.iter().any(|known| name.of(text).eq_ignore_ascii_case(known.as_bytes()));
        if is_one_of(&VARIANT) && names_variant(value.of(text)) {
            self.variant.get_or_insert(value);
        } else if is_one_of(&MOVES) {
            self.moves.get_or_insert(value);
        }
    }
}

/// The name of the variant in the JSON object of a position, and the moves from there. The object
/// has the text `before` the position, and the one `after` it, as far as they belong to it. In an
/// object that is not complete there, the moves may be those of another position.
pub fn fields_beside(text: &[u8], before: Span, after: Span) -> (Option<Span>, Option<CellContent>) {
    // The fields of the innermost object, and of those around it.
    let (mut fields, mut outer) = (Fields::default(), Vec::new());
    for piece in pieces(text, before) {
        match piece {
            Piece::Open => outer.push(std::mem::take(&mut fields)),
            Piece::Close => fields = outer.pop().unwrap_or_default(),
            Piece::Field(name, value) => fields.note(text, name, value),
        }
    }
    let is_begun = !outer.is_empty();
    let mut depth = 1;
    for piece in pieces(text, after) {
        match piece {
            Piece::Open => depth += 1,
            Piece::Close => depth -= 1,
            Piece::Field(name, value) if depth == 1 => fields.note(text, name, value),
            Piece::Field(..) => {}
        }
        if depth == 0 {
            break;
        }
    }
    let moves = fields.moves.filter(|_| is_begun && depth == 0);
    (fields.variant, moves.map(|moves| string_content(text, moves)))
}

/// The next byte in `at..end` that is not whitespace, and its place.
fn next_byte(text: &[u8], at: usize, end: usize) -> Option<(u8, usize)> {
    let found = text.get(at..end)?.iter().position(|byte| !byte.is_ascii_whitespace())?;
    Some((text[at + found], at + found))
}

/// The next JSON string in `at..end`, without its quotes.
fn next_string(text: &[u8], at: usize, end: usize) -> Option<Span> {
    let start = at + memchr(b'"', text.get(at..end)?)? + 1;
    let mut at = start;
    loop {
        let found = at + memchr2(b'"', b'\\', text.get(at..end)?)?;
        if text[found] == b'"' {
            return Some(Span::new(start, found));
        }
        at = found + 2;
    }
}

/// A string in `place`, without backslashes.
fn string_content(text: &[u8], place: Span) -> CellContent {
    if memchr(b'\\', place.of(text)).is_some() {
        CellContent::Unquoted(Unquoted::without_backslashes(text, place))
    } else {
        CellContent::Plain(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "8/4k3/4p1p1/4r1Kp/8/6P1/7P/7R w - - 0 47";

    /// The positions of a line.
    fn positions(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Ok(enclosed) = next_enclosed(text.as_bytes(), at) {
            found.push(match &enclosed.content {
                CellContent::Plain(place) => text[place.start..place.end].to_owned(),
                CellContent::Unquoted(content) => String::from_utf8_lossy(&content.bytes).into_owned(),
            });
            assert!(enclosed.end > at);
            at = enclosed.end;
        }
        found
    }

    #[test]
    fn quotes_and_commas_end_a_position() {
        for text in [
            format!("{{\"FEN\": \"{FEN}\", \"score\": \"0.00\"}}"),
            format!("{{\"fen\":\"{}\"}}", FEN.replace('/', "\\/")),
            format!("{{\"body\":\"{{\\\"fen\\\":\\\"{FEN}\\\",\\\"n\\\":1}}\"}}"),
            format!("    board.set_fen('{FEN}')  # drawn"),
            format!("17,{FEN},0.35,Rh2"),
            format!("[%pos game,{FEN},e4,d4]"),
            format!("<td>{FEN}</td>"),
            format!("00008\t{FEN}\t1534"),
            format!("puts(\"{FEN}\\n\");"),
            format!("In {FEN} White cannot win."),
            format!("a/b c/d {FEN}"),
            format!("https://lichess.org/analysis/{}", FEN.replace(' ', "_")),
            format!("[here](https://lichess.org/analysis/standard/{}#4)", FEN.replace(' ', "_")),
            format!("https://example.org/?fen={}&x=1", FEN.replace(' ', "+")),
            format!("\"https://lichess.org/editor/{}?color=white\"", FEN.replace(' ', "%20")),
        ] {
            assert_eq!(positions(&text), [FEN], "{text}");
        }
        assert_eq!(positions(&format!("[\"{FEN}\",\"{FEN}\"]")), [FEN, FEN]);
        let fields = FEN.strip_suffix(" 0 47").expect("the counters");
        assert_eq!(positions(&format!("1\t{fields}\t1534")), [fields]);
        assert_eq!(positions(&FEN.replace(' ', "\t")), [FEN.replace(' ', "\t")]);
        assert_eq!(positions(&format!("x = \"{FEN} bm Rh2; id \\\"a\\\";\"")), [format!("{FEN} bm Rh2; id \"a\";")]);
    }

    #[test]
    fn literals_of_one_string_are_joined() {
        for (before, after) in [
            ("4p1p1/\"\n    + \"4r1Kp", " w"),
            ("4p1p1\" \"/4r1Kp", " w"),
            ("4p1p1/4r1Kp", "\"\n\" w"),
            ("4p1p1/4r1Kp", " \" + \"w"),
        ] {
            let text = format!("x = [\n\"{}\",", FEN.replace("4p1p1/4r1Kp", before).replace(" w", after));
            let found = next_enclosed(text.as_bytes(), 6).unwrap();
            assert_eq!(found.content.bytes(text.as_bytes()), FEN.as_bytes(), "{text}");
            assert_eq!((found.end, found.is_placement_only(text.as_bytes())), (text.len() - 2, false), "{text}");
        }
        let placement = FEN.split(' ').next().unwrap();
        for text in [format!("[\"{placement}\", \" w\"]"), format!("(\"{placement}\" \"name\")"), format!("'{placement}' + turn")]
        {
            let found = next_enclosed(text.as_bytes(), 0).unwrap();
            assert!(found.is_placement_only(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn other_text_has_no_positions() {
        for text in ["", "and/or/maybe", "2021/12/06 and 1/2-1/2", "https://example.org/a/b/c/d", "[\"8/8\"]"] {
            assert_eq!(next_enclosed(text.as_bytes(), 0), Err(text.len()), "{text}");
        }
        assert_eq!(next_enclosed(format!("x\n{FEN}").as_bytes(), 0), Err(1));
    }

    #[test]
    fn a_variant_is_that_of_the_same_object() {
        let variant = |text: &str| {
            let at = text.find('#').expect("the place of the position");
            let parts = (Span::new(0, at), Span::new(at + 1, text.len()));
            let (variant, _) = fields_beside(text.as_bytes(), parts.0, parts.1);
            variant.map(|place| text[place.start..place.end].to_owned())
        };
        for text in [
            r#"{"variant":"Atomic","fen":#,"n":1}"#,
            r#"{"fen":#,"n":{"a":"}"},"Variant" : "Atomic"}"#,
            r#"{"a":{"variant":"Horde"},"rules":"Atomic","b":[#]}"#,
            r#"{"a":"variant\"","variant":"Atomic","fen":#},{"variant":"Horde"}"#,
            r#"{"fen":#,"variant":"unknown word","rules":"Atomic"}"#,
        ] {
            assert_eq!(variant(text).as_deref(), Some("Atomic"), "{text}");
        }
        for text in [
            r#"{"variant":"Atomic"},{"fen":#}"#,
            r#"{"fen":#},{"variant":"Atomic"}"#,
            r#"{"fen":#,"a":{"variant":"Atomic"}}"#,
            r#"{"fen":#,"a":"variant","b":"Atomic"}"#,
            r#"{"variant":"main line","fen":#}"#,
            r#"{"variant":960,"fen":#,"variant":"Ato"#,
        ] {
            assert_eq!(variant(text), None, "{text}");
        }
    }

    #[test]
    fn moves_are_those_of_a_complete_object() {
        let moves = |text: &str| {
            let at = text.find('#').expect("the place of the position");
            let (_, moves) = fields_beside(text.as_bytes(), Span::new(0, at), Span::new(at + 1, text.len()));
            moves.map(|moves| String::from_utf8_lossy(moves.bytes(text.as_bytes())).into_owned())
        };
        for text in [
            r#"{"moves":"e4","fen":#}"#,
            r#"[{"fen":#,"a":{"moves":"x"},"Moves":"e4"},{"moves":"x"}]"#,
            r#"{"moves":"x"},{"fen":#,"uci_moves":"e\4"}"#,
        ] {
            assert_eq!(moves(text).as_deref(), Some("e4"), "{text}");
        }
        for text in [r#""moves":"x","fen":#}"#, r#"{"moves":"x","fen":#,"last":"#, r#"{"moves":["x"],"fen":#}"#, r#"{"fen":#}"#] {
            assert_eq!(moves(text), None, "{text}");
        }
    }

    #[test]
    fn variations_are_strings_of_a_list() {
        let lines = |text: &str| {
            let lines = engine_lines(text.as_bytes(), Span::new(0, text.len()));
            lines.map(|line| String::from_utf8_lossy(line.bytes(text.as_bytes())).into_owned()).collect::<Vec<_>>()
        };
        let evaluation = r#","evals":[{"pvs":[{"cp":3,"line":"e2e4 e7e5"},{"line" : "d2d4","mate":2}],"depth":3}]}"#;
        assert_eq!(lines(evaluation), ["e2e4 e7e5", "d2d4"]);
        assert_eq!(lines(r#"{"moves":"a","pvs":[{"moves":"b","cp":1}],"line":3}"#), ["b"]);
        assert_eq!(lines(r#"{"pvs":[{"line":"a\"b"},{"line":null},{"line":["c"]},{"line":"d"}]}"#), ["a\"b", "d"]);
        for none in [r#"{"line":"e2e4"}"#, r#"{"pvs":"#, r#"{"pvs":[{"line":"e2e4"#, r#"{"pvs":["line","e2e4"]}"#, "pvs line e4"]
        {
            assert_eq!(lines(none), [""; 0], "{none}");
        }
    }
}
