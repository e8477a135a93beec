//! Operations in regular spelling: one space before each opcode and operand, and a semicolon after
//! the last operand.

use super::{
    marks::{MARKED, Marks, last_marks},
    plain_move,
};
use crate::{
    chess::{
        Board, CASTLING_ROOKS, SanWord, position_key,
        retro::glance::{Position, material::BoardView, position_line::after_line},
    },
    epd::{CanonicalMoves, is_scored_moves},
    rules::facts::NamedPosition,
    text::{
        Span,
        swar::{padded_word, places},
    },
};

/// Operations without findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedOperations {
    /// Their moves.
    pub moves: CanonicalMoves,
    /// The name of the position, if it has one.
    pub named: Option<NamedPosition>,
    /// Whether there are letters beyond ASCII, in UTF-8.
    pub multibyte: bool,
}

// What is longer takes the thorough path.

/// Maximum length of a line in bytes.
const MAX_LINE: usize = 1 << 14;

/// Maximum length of a string in bytes.
const MAX_STRING: usize = 255;

/// Maximum number of digits of an integer. All opcodes read here allow such integers.
const MAX_DIGITS: usize = 4;

/// Maximum length of a move in bytes.
const MAX_MOVE: usize = 7;

/// Whether the text after the fields of a position may contain operations.
#[inline(always)]
pub(super) fn may_begin(after_fields: &[u8]) -> bool {
    matches!(after_fields, [b' ', b'a'..=b'z', ..])
}

/// A line with operations after the fields of a position that has no findings and fits standard
/// chess.
pub(super) struct LineWithOperations<'a> {
    /// The text, up to its end.
    pub text: &'a [u8],
    /// The fields of the line.
    pub fields: Span,
    pub position: &'a Position,
    pub view: &'a BoardView,
    /// A board for moves, in any position.
    pub board: &'a mut Board,
}

/// Reads the operations of a line, if all of them are regular: `am` or `bm`, `pv`, integers,
/// strings. Returns the start of the next line. `marks` is [`marks`](super::marks::marks), or does
/// the same.
#[inline(always)]
pub(super) fn read(line: LineWithOperations<'_>, marks: impl Fn(&[u8; MARKED]) -> Marks) -> Option<(usize, AcceptedOperations)> {
    let LineWithOperations { text, fields, position, view, board } = line;
    // Counters are followed by operations only in dialects.
    if position.counters.is_some() {
        return None;
    }
    let mut reader = OperationReader {
        text,
        at: fields.end,
        moves: Moves { position, view, board, canonical: CanonicalMoves::default() },
        seen: 0,
        named: None,
        multibyte: false,
    };
    let next = loop {
        reader.operation(fields, &marks)?;
        if reader.at - fields.start > MAX_LINE {
            return None;
        }
        let after = text.get(reader.at..)?;
        match after {
            [b'\n', ..] => break reader.at + 1,
            [b' ', b'a'..=b'z', ..] => {}
            _ => break text.len() - after_line(after)?.len(),
        }
    };
    let OperationReader { moves: Moves { canonical: moves, .. }, named, multibyte, .. } = reader;
    Some((next, AcceptedOperations { moves, named, multibyte }))
}

/// Reads operation by operation.
struct OperationReader<'a, 'b> {
    text: &'a [u8],
    /// The end of the last operation, or of the fields.
    at: usize,
    moves: Moves<'b>,
    /// The opcodes so far, one bit each.
    seen: u32,
    named: Option<NamedPosition>,
    multibyte: bool,
}

impl OperationReader<'_, '_> {
    /// Reads the next operation.
    #[inline(always)]
    fn operation(&mut self, fields: Span, marks: &impl Fn(&[u8; MARKED]) -> Marks) -> Option<()> {
        let text = self.text;
        // No operation is shorter than ` ce 0;`.
        let [b' ', word @ ..] = *text.get(self.at..)?.first_chunk::<5>()? else { return None };
        let (opcode, width) = opcode(word)?;
        let bit = 1_u32 << opcode.ordinal;
        if self.seen & bit != 0 {
            return None;
        }
        self.seen |= bit;
        let operands = self.at + 1 + width + 1;
        let end = match opcode.operands {
            Operands::Alternatives => self.moves.alternatives(text, operands)?,
            Operands::Variation => self.moves.variation(text, operands)?,
            Operands::Id => {
                let id = self.string(operands, marks)?;
                self.named = Some(self.moves.named(id.content, fields)?);
                id.content.end + 1
            }
            Operands::Comment => {
                let comment = self.string(operands, marks)?;
                let may_have_scores = opcode.ordinal == COMMENTS && comment.has_equals_sign;
                if may_have_scores && is_scored_moves(comment.content.of(text)) {
                    return None;
                }
                comment.content.end + 1
            }
            Operands::Integer { signed } => integer(text, operands, signed)?,
        };
        self.at = end + 1;
        (text.get(end) == Some(&b';')).then_some(())
    }

    /// Reads the string at `at`.
    #[inline(always)]
    fn string(&mut self, at: usize, marks: &impl Fn(&[u8; MARKED]) -> Marks) -> Option<StringOperand> {
        let text = self.text;
        if text.get(at) != Some(&b'"') {
            return None;
        }
        let start = at + 1;
        let (mut at, mut equals) = (start, 0);
        loop {
            let rest = text.get(at..)?;
            let found = rest.first_chunk().map_or_else(|| last_marks(rest), &marks);
            equals |= found.equals & found.special.wrapping_sub(1) & !found.special;
            at += found.special.trailing_zeros() as usize;
            if at - start > MAX_STRING {
                return None;
            }
            if found.special == 0 {
                continue;
            }
            if *text.get(at)? == b'"' {
                break;
            }
            at = letter(text, at)?;
            self.multibyte = true;
        }
        Some(StringOperand { content: Span::new(start, at), has_equals_sign: equals != 0 })
    }
}

/// A string without findings.
struct StringOperand {
    content: Span,
    has_equals_sign: bool,
}

/// The end of the letter beyond ASCII at `at`: a Latin letter in UTF-8, U+00C0 to U+017F.
///
/// If UTF-8 was decoded as Windows-1252 and encoded again, one of U+00C0 to U+00FF is followed by a
/// sign, or by a letter that is below 0xC0 in Windows-1252.
#[cold]
fn letter(text: &[u8], at: usize) -> Option<usize> {
    let is_letter = match *text.get(at..at + 2)? {
        [0xC3 | 0xC4, 0x80..=0xBF] => true,
        // The last bytes of `Œ`, `œ`, `Š`, `š`, `Ÿ`, `Ž` and `ž`.
        [0xC5, 0x92 | 0x93 | 0xA0 | 0xA1 | 0xB8 | 0xBD | 0xBE] => text.get(at.checked_sub(1)?)?.is_ascii(),
        [0xC5, 0x80..=0xBF] => true,
        _ => false,
    };
    is_letter.then_some(at + 2)
}

/// An opcode that is read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RegularOpcode {
    operands: Operands,
    /// A number of its own. `am` and `bm` share one, so that lines with both take the thorough
    /// path.
    ordinal: u8,
}

/// The ordinal of `c0`. Those of the other comments follow.
const COMMENTS: u8 = 7;

/// What an opcode is followed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operands {
    Alternatives,
    Variation,
    Id,
    /// A string, which may contain scores of moves after `c0`.
    Comment,
    Integer {
        signed: bool,
    },
}

/// The opcode at the start of `word`, and its length in bytes before a space. `None` if it is not
/// read here.
#[inline(always)]
const fn opcode(word: [u8; 4]) -> Option<(RegularOpcode, usize)> {
    let (operands, ordinal, width) = match word {
        [b'a' | b'b', b'm', b' ', _] => (Operands::Alternatives, 0, 2),
        [b'p', b'v', b' ', _] => (Operands::Variation, 1, 2),
        [b'i', b'd', b' ', _] => (Operands::Id, 2, 2),
        [b'c', digit @ b'0'..=b'9', b' ', _] => (Operands::Comment, COMMENTS + digit - b'0', 2),
        [b'c', b'e', b' ', _] => (Operands::Integer { signed: true }, 3, 2),
        [b'a', b'c', b'd', b' '] => (Operands::Integer { signed: false }, 4, 3),
        [b'a', b'c', b'n', b' '] => (Operands::Integer { signed: false }, 5, 3),
        [b'a', b'c', b's', b' '] => (Operands::Integer { signed: false }, 6, 3),
        _ => return None,
    };
    Some((RegularOpcode { operands, ordinal }, width))
}

/// The moves of operations, in the position of the line.
struct Moves<'a> {
    position: &'a Position,
    view: &'a BoardView,
    board: &'a mut Board,
    canonical: CanonicalMoves,
}

impl Moves<'_> {
    fn set_up(&mut self) {
        let Position { pieces, turn, rights, en_passant, .. } = self.position;
        self.board.set_up(pieces, *rights, *en_passant, turn.is_black(), false);
    }

    /// The name `id` of the position, whose fields are in the bytes `fields`. `None` if it is
    /// empty, which the thorough path handles.
    fn named(&mut self, id: Span, fields: Span) -> Option<NamedPosition> {
        if id.start == id.end {
            return None;
        }
        let Position { pieces, turn, rights, en_passant, .. } = *self.position;
        // Only legal en passant captures make a difference.
        let en_passant = en_passant.filter(|_| {
            self.set_up();
            self.board.can_capture_en_passant(turn.is_black())
        });
        let rooks = (0..4).filter(|right| rights >> right & 1 == 1).map(|right| CASTLING_ROOKS[right]).collect();
        Some(NamedPosition { id, position: fields, hash: position_key(&pieces, turn, rooks, en_passant) })
    }

    /// Reads moves that can be played in the position. Returns the end of the last one.
    #[inline(always)]
    fn alternatives(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (moves, mut at) = (self.canonical.moves, at);
        loop {
            let (word, length) = move_word(text, at)?;
            if plain_move::is_legal(self.position, self.view, word, length) {
                self.note(word, length);
            } else {
                self.set_up();
                self.play(word, length, self.position.turn.is_black())?;
            }
            at += length as usize;
            if text.get(at) != Some(&b' ') {
                break;
            }
            at += 1;
        }
        self.canonical.lists += u32::from(self.canonical.moves - moves > 1);
        Some(at)
    }

    /// Reads moves that can be played one after the other. Returns the end of the last one.
    fn variation(&mut self, text: &[u8], at: usize) -> Option<usize> {
        self.set_up();
        let (moves, mut at) = (self.canonical.moves, at);
        let mut black = self.position.turn.is_black();
        loop {
            let (word, length) = move_word(text, at)?;
            self.play(word, length, black)?;
            at += length as usize;
            if text.get(at) != Some(&b' ') {
                break;
            }
            (at, black) = (at + 1, !black);
        }
        self.canonical.lists += u32::from(self.canonical.moves - moves > 1);
        Some(at)
    }

    /// Plays a move of Black (`black`) or White, if it is legal and in canonical SAN.
    fn play(&mut self, word: u64, length: u32, black: bool) -> Option<()> {
        let move_word = SanWord::of(word, length);
        let is_legal = if black { self.board.play::<1, true>(move_word) } else { self.board.play::<0, true>(move_word) };
        let has_marks = || self.board.unmarked_checks() == 0 && !self.board.has_unmarked_mate(!black);
        if !is_legal || !has_marks() || matches!(last_byte(word, length), b'!' | b'?') {
            return None;
        }
        self.note(word, length);
        Some(())
    }

    /// Notes a move in canonical SAN.
    #[inline(always)]
    fn note(&mut self, word: u64, length: u32) {
        self.canonical.moves += 1;
        // Only the second or the third byte can be `x`, or after two bytes of disambiguation the
        // fourth.
        self.canonical.captures += u32::from(places(word, b'x') != 0);
        self.canonical.checks += u32::from(matches!(last_byte(word, length), b'+' | b'#'));
    }
}

/// The move at `at`, with zeros after it, and its length in bytes.
#[inline(always)]
fn move_word(text: &[u8], at: usize) -> Option<(u64, u32)> {
    let word = padded_word(text, at);
    let end = places(word, b' ') | places(word, b';');
    let length = end.trailing_zeros() as usize / 8;
    // Moves are compared with zeros before them, so a NUL byte there would not be seen.
    let is_move = (2..=MAX_MOVE).contains(&length) && word as u8 != 0;
    is_move.then(|| (word & (u64::MAX >> (64 - 8 * length)), length as u32))
}

/// The last byte of a move.
#[inline(always)]
const fn last_byte(word: u64, length: u32) -> u8 {
    (word >> (8 * length - 8)) as u8
}

/// The end of the integer at `at`, which may have a minus sign only if `signed`.
fn integer(text: &[u8], at: usize, signed: bool) -> Option<usize> {
    let at = at + usize::from(signed && text.get(at) == Some(&b'-'));
    let digits = text.get(at..)?.iter().take(MAX_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
    (1..=MAX_DIGITS).contains(&digits).then_some(at + digits)
}

#[cfg(test)]
mod tests {
    use encoding_rs::WINDOWS_1252;

    use super::letter;

    /// The letters that are accepted must be those that cannot belong to text that was encoded
    /// twice.
    #[test]
    fn letters_are_those_of_text_that_was_encoded_once() {
        for character in '\u{80}'..'\u{3000}' {
            let mut buffer = [0; 4];
            let (bytes, _, lost) = WINDOWS_1252.encode(character.encode_utf8(&mut buffer));
            let continues = !lost && matches!(*bytes, [0x80..=0xBF]);
            let is_latin = ('\u{C0}'..='\u{17F}').contains(&character);
            for (before, is_accepted) in [('a', is_latin), ('\u{C3}', is_latin && !continues)] {
                let text = format!("{before}{character}");
                let at = before.len_utf8();
                assert_eq!(letter(text.as_bytes(), at), is_accepted.then_some(text.len()), "{text}");
            }
        }
        assert_eq!((letter(b"a\xC3", 1), letter(b"a\xC3b", 1), letter(b"a\xE9b", 1)), (None, None, None));
    }
}
