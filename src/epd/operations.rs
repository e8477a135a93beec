//! EPD operations: an opcode, its operands and a semicolon.

use memchr::memchr_iter;

use super::{Opcode, integer};
use crate::text::Span;

/// How an operation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// With its semicolon.
    Semicolon,
    /// With the line.
    LineEnd,
    /// With the opcode of the next operation: a semicolon is missing between them.
    NextOpcode,
}

/// An operation as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The first word.
    pub opcode: Span,
    /// What the opcode means.
    pub kind: Opcode,
    /// The text after the opcode, without surrounding whitespace and without the semicolon.
    pub operands: Span,
    /// How it ends.
    pub closing: Closing,
    /// The opening quote of a string without a closing quote.
    pub open_quote: Option<Span>,
}

/// The operations of a line.
#[derive(Clone, Debug, Default)]
pub struct Operations {
    /// The operations in the order of the line.
    pub list: Vec<Operation>,
    /// A semicolon before the first operation.
    pub leading_semicolon: Option<Span>,
    /// Whether the line has more than [`MAX_WORDS`] words. The others were not read.
    pub is_cut: bool,
}

/// Maximum number of opcodes and operands of a line, which limits its memory. What commas separate
/// counts as several operands.
pub const MAX_WORDS: usize = 100_000;

/// An operand as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The operand, without its quotes.
    pub place: Span,
    /// Whether it is in quotes.
    pub quoted: bool,
}

/// Whether a byte separates words.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C | 0)
}

/// The closing quote of the string after the quote at `quote`. A backslash escapes a quote only if
/// another quote closes the string.
fn closing_quote(text: &[u8], quote: usize, end: usize) -> Option<usize> {
    let rest = &text[quote + 1..end];
    let escaping = {
        let mut at = 0;
        loop {
            match rest.get(at) {
                None => break None,
                Some(b'\\') => at += 2,
                Some(b'"') => break Some(at),
                Some(_) => at += memchr::memchr2(b'"', b'\\', &rest[at..]).unwrap_or(rest.len()),
            }
        }
    };
    escaping.or_else(|| memchr::memchr(b'"', rest)).map(|at| quote + 1 + at)
}

impl Operations {
    /// The first operation with this opcode.
    pub fn first(&self, kind: Opcode) -> Option<&Operation> {
        self.list.iter().find(|operation| operation.kind == kind)
    }

    /// Splits the operations in the bytes `place` of `text`, after the fields of a position.
    pub fn split(text: &[u8], place: Span) -> Operations {
        let end = place.end.min(text.len());
        let mut at = place.start.min(end);
        let mut operations = Operations::default();
        let mut words = 0;
        let skip_spaces = |mut at: usize| {
            while at < end && is_space(text[at]) {
                at += 1;
            }
            at
        };
        loop {
            at = skip_spaces(at);
            operations.is_cut = words > MAX_WORDS;
            if at >= end || operations.is_cut {
                return operations;
            }
            words += 1;
            if text[at] == b';' {
                if operations.list.is_empty() && operations.leading_semicolon.is_none() {
                    operations.leading_semicolon = Some(Span::new(at, at + 1));
                }
                at += 1;
                continue;
            }
            let start = at;
            while at < end && !is_space(text[at]) && text[at] != b';' {
                at += 1;
            }
            let opcode = Span::new(start, at);
            let kind = Opcode::read(opcode.of(text));
            let takes_only_values = kind.takes_moves_or_numbers();
            let mut operation =
                Operation { opcode, kind, operands: Span::new(at, at), closing: Closing::LineEnd, open_quote: None };
            let mut first = true;
            loop {
                at = skip_spaces(at);
                if at >= end || words > MAX_WORDS {
                    break;
                }
                words += 1;
                if text[at] == b';' {
                    operation.closing = Closing::Semicolon;
                    at += 1;
                    break;
                }
                let word = at;
                if text[at] == b'"' {
                    match closing_quote(text, at, end) {
                        Some(quote) => at = quote + 1,
                        None => {
                            operation.open_quote = Some(Span::new(at, at + 1));
                            at = end;
                        }
                    }
                } else {
                    while at < end && !is_space(text[at]) && text[at] != b';' {
                        at += 1;
                    }
                    let word = &text[word..at];
                    // `c1` to `c8` are squares as well as opcodes.
                    let square = matches!(word, [b'a'..=b'h', b'1'..=b'8']);
                    if takes_only_values && !square && Opcode::read(word) != Opcode::Other {
                        operation.closing = Closing::NextOpcode;
                        at -= word.len();
                        break;
                    }
                }
                // Moves may be separated by commas, also in comments.
                words += memchr_iter(b',', &text[word..at]).count();
                operation.operands = Span::new(if first { word } else { operation.operands.start }, at);
                first = false;
            }
            operations.list.push(operation);
        }
    }
}

impl Operation {
    /// Where the operation ends: after its semicolon, or after its last word.
    pub fn end(&self, text: &[u8]) -> usize {
        let end = self.operands.end.max(self.opcode.end);
        match self.closing {
            Closing::Semicolon => end + memchr::memchr(b';', &text[end..]).map_or(0, |at| at + 1),
            Closing::LineEnd | Closing::NextOpcode => end,
        }
    }

    /// The operand, if it is a single integer.
    pub fn integer(&self, text: &[u8]) -> Option<i64> {
        let mut operands = self.operands(text).filter(|operand| !operand.quoted);
        let value = integer(operands.next()?.place.of(text))?;
        operands.next().is_none().then_some(value)
    }

    /// Iterates over the operands.
    pub fn operands<'a>(&self, text: &'a [u8]) -> impl Iterator<Item = Operand> + use<'a> {
        let Span { start, end } = self.operands;
        let end = end.min(text.len());
        let mut at = start.min(end);
        std::iter::from_fn(move || {
            while at < end && is_space(text[at]) {
                at += 1;
            }
            let start = at;
            match *text.get(at).filter(|_| at < end)? {
                b'"' => {
                    let close = closing_quote(text, at, end).unwrap_or(end);
                    at = (close + 1).min(end);
                    Some(Operand { place: Span::new(start + 1, close), quoted: true })
                }
                _ => {
                    while at < end && !is_space(text[at]) {
                        at += 1;
                    }
                    Some(Operand { place: Span::new(start, at), quoted: false })
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(&str, Vec<&str>, Closing)> {
        let of = |span: Span| &text[span.start..span.end];
        Operations::split(text.as_bytes(), Span::new(0, text.len()))
            .list
            .iter()
            .map(|operation| {
                (
                    of(operation.opcode),
                    operation.operands(text.as_bytes()).map(|operand| of(operand.place)).collect(),
                    operation.closing,
                )
            })
            .collect()
    }

    #[test]
    fn operations_and_operands() {
        assert_eq!(
            words(r#"bm Nf3 e4; id "a; b"; resign;"#),
            [
                ("bm", vec!["Nf3", "e4"], Closing::Semicolon),
                ("id", vec!["a; b"], Closing::Semicolon),
                ("resign", vec![], Closing::Semicolon)
            ]
        );
    }

    #[test]
    fn dialects() {
        assert_eq!(words(";D1 20 ;D2 400"), [("D1", vec!["20"], Closing::Semicolon), ("D2", vec!["400"], Closing::LineEnd)]);
        assert_eq!(words("bm Rc8+ dm 26"), [("bm", vec!["Rc8+"], Closing::NextOpcode), ("dm", vec!["26"], Closing::LineEnd)]);
        assert_eq!(words("bm c4 c5;"), [("bm", vec!["c4", "c5"], Closing::Semicolon)]);
    }

    #[test]
    fn quotes() {
        assert_eq!(words(r#"c0 "a\";"#), [("c0", vec![r"a\"], Closing::Semicolon)]);
        assert_eq!(words(r#"c0 "a\"b";"#), [("c0", vec![r#"a\"b"#], Closing::Semicolon)]);
        let text = br#"id "abc; bm e4;"#;
        let operations = Operations::split(text, Span::new(0, text.len()));
        assert_eq!(operations.list.len(), 1);
        assert_eq!(operations.list[0].open_quote, Some(Span::new(3, 4)));
    }
}
