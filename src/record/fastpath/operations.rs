//! Operations in regular spelling: one space before each opcode and operand, and a semicolon after the last
//! operand.

use memchr::memchr3;

use super::{Position, line};
use crate::{
    chess::{Board, CASTLING_ROOKS, MoveWord, position_key},
    epd::{FormCounts, Opcode},
    record::OperationEvidence,
    rules::facts::NamedPosition,
    text::Span,
};

/// Operations without findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptedOperations {
    /// What they show about the input.
    pub evidence: OperationEvidence,
    /// The name of the position, if it has one.
    pub named: Option<NamedPosition>,
}

// What is longer takes the thorough path.

/// Maximum length of a line in bytes.
const MAX_LINE: usize = 1 << 14;

/// Maximum length of an opcode in bytes.
const MAX_OPCODE: usize = 3;

/// Maximum length of a string in bytes.
const MAX_STRING: usize = 255;

/// Maximum number of digits of an integer. All opcodes read here allow such integers.
const MAX_DIGITS: usize = 4;

/// Whether the text after the fields of a position may contain operations.
#[inline(always)]
pub(super) fn may_begin(after_fields: &[u8]) -> bool {
    matches!(after_fields, [b' ', b'a'..=b'z', ..])
}

/// Reads the operations after the fields of a position without findings, which fits standard chess, if all
/// of them are regular: `am` or `bm`, `pv`, integers, strings. Returns the text after the line.
#[inline(never)]
pub(super) fn read<'a>(
    text: &'a [u8],
    fields: Span,
    position: &Position,
    board: &mut Board,
) -> Option<(&'a [u8], AcceptedOperations)> {
    // Counters are followed by operations only in dialects.
    if position.counters.is_some() {
        return None;
    }
    let mut reader = OperationReader {
        text,
        at: fields.end,
        moves: Moves { position, board, forms: FormCounts::default() },
        seen: 0,
        named: None,
    };
    let rest = loop {
        reader.operation(fields)?;
        if reader.at - fields.start > MAX_LINE {
            return None;
        }
        if let Some(rest) = line::after_line(&text[reader.at..]) {
            break rest;
        }
    };
    let evidence = OperationEvidence { after_counters: false, after_four_fields: true, forms: reader.moves.forms };
    Some((rest, AcceptedOperations { evidence, named: reader.named }))
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
}

impl OperationReader<'_, '_> {
    /// Reads the next operation.
    fn operation(&mut self, fields: Span) -> Option<()> {
        let text = self.text;
        let word = text.get(self.at..)?.strip_prefix(b" ")?;
        let word = &word[..word.iter().take(MAX_OPCODE + 1).position(|byte| *byte == b' ')?];
        let opcode = Opcode::read(word);
        let bit = 1 << ordinal(opcode)?;
        if self.seen & bit != 0 {
            return None;
        }
        self.seen |= bit;
        let operands = self.at + 1 + word.len() + 1;
        let end = match opcode {
            Opcode::Am | Opcode::Bm => self.moves.alternatives(text, operands)?,
            Opcode::Pv => self.moves.variation(text, operands)?,
            Opcode::Id => {
                let id = string(text, operands)?;
                self.named = Some(self.moves.named(id, fields)?);
                id.end + 1
            }
            Opcode::Comment(number) => {
                let comment = string(text, operands)?;
                // `c0` may contain scores of moves.
                if number == 0 && comment.of(text).iter().fold(false, |any, byte| any | (*byte == b'=')) {
                    return None;
                }
                comment.end + 1
            }
            _ => integer(text, operands, opcode == Opcode::Ce)?,
        };
        self.at = end + 1;
        (text.get(end) == Some(&b';')).then_some(())
    }
}

/// A number for each opcode that is read here. `am` and `bm` share one, so that lines with both take the
/// thorough path.
const fn ordinal(opcode: Opcode) -> Option<u8> {
    Some(match opcode {
        Opcode::Am | Opcode::Bm => 0,
        Opcode::Pv => 1,
        Opcode::Id => 2,
        Opcode::Ce => 3,
        Opcode::Acd => 4,
        Opcode::Acn => 5,
        Opcode::Acs => 6,
        Opcode::Comment(number) => 7 + number,
        _ => return None,
    })
}

/// The moves of operations, in the position of the line.
struct Moves<'a> {
    position: &'a Position,
    board: &'a mut Board,
    forms: FormCounts,
}

impl Moves<'_> {
    fn set_up(&mut self) {
        let Position { pieces, turn, rights, en_passant, .. } = self.position;
        self.board.set_up(pieces, *rights, *en_passant, turn.is_black(), false);
    }

    /// The name `id` of the position, whose fields are in the bytes `fields`. `None` if it is empty, which the
    /// thorough path handles.
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
    fn alternatives(&mut self, text: &[u8], at: usize) -> Option<usize> {
        self.set_up();
        let black = self.position.turn.is_black();
        let mut end = self.play(text, at, black)?;
        let mut before = None;
        while text.get(end) == Some(&b' ') {
            // Nearly all operations have a single move.
            let before = before.get_or_insert_with(|| {
                self.set_up();
                self.board.snapshot()
            });
            self.board.restore(before);
            end = self.play(text, end + 1, black)?;
        }
        if before.is_some() {
            self.forms.note_list_without_commas();
        }
        Some(end)
    }

    /// Reads moves that can be played one after the other. Returns the end of the last one.
    fn variation(&mut self, text: &[u8], at: usize) -> Option<usize> {
        self.set_up();
        let mut black = self.position.turn.is_black();
        let mut end = self.play(text, at, black)?;
        let is_list = text.get(end) == Some(&b' ');
        while text.get(end) == Some(&b' ') {
            black = !black;
            end = self.play(text, end + 1, black)?;
        }
        if is_list {
            self.forms.note_list_without_commas();
        }
        Some(end)
    }

    /// Plays the move at `at`, if it is legal and in canonical SAN. Returns its end.
    fn play(&mut self, text: &[u8], at: usize, black: bool) -> Option<usize> {
        let rest = text.get(at..)?;
        let length = rest.iter().take(8).position(|byte| matches!(byte, b' ' | b';')).filter(|length| *length > 1)?;
        let mut bytes = [0; 8];
        bytes[..length].copy_from_slice(&rest[..length]);
        let last = rest[length - 1];
        let word = MoveWord::of(u64::from_le_bytes(bytes), length as u32);
        let is_legal = if black { self.board.play::<1, true>(word) } else { self.board.play::<0, true>(word) };
        if !is_legal || matches!(last, b'!' | b'?') {
            return None;
        }
        // Only the second or the third byte can be `x`, or after two bytes of disambiguation the fourth.
        self.forms.note_canonical(bytes[1..4].contains(&b'x'), matches!(last, b'+' | b'#'));
        Some(at + length)
    }
}

/// The content of the string at `at`.
fn string(text: &[u8], at: usize) -> Option<Span> {
    let rest = text.get(at..)?.strip_prefix(b"\"")?;
    let length = memchr3(b'"', b'\\', b'\n', &rest[..rest.len().min(MAX_STRING + 1)])?;
    let content = &rest[..length];
    let is_plain = content.iter().fold(true, |all, byte| all & matches!(byte, b' '..=b'~'));
    (rest[length] == b'"' && is_plain).then(|| Span::new(at + 1, at + 1 + length))
}

/// The end of the integer at `at`, which may have a minus sign only if `signed`.
fn integer(text: &[u8], at: usize, signed: bool) -> Option<usize> {
    let at = at + usize::from(signed && text.get(at) == Some(&b'-'));
    let digits = text.get(at..)?.iter().take(MAX_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
    (1..=MAX_DIGITS).contains(&digits).then_some(at + digits)
}
