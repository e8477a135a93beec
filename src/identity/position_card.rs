//! What is kept of a position to find equal ones.

use std::io;

use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position, PositionError, fen::Fen};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    GamePlace,
    card_head::{BYTE, END, GAME, Head, INPUT, IS_POSITION, KEY, LENGTH, LINE, TRAITS, number},
};
use crate::{
    chess::{fen::is_placement, position_key_of},
    text::Span,
};

/// Maximum number of bytes that are kept of a line.
const MAX_TEXT: usize = 512;

/// What is kept of a position line: where it is, its key, and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionCard<'a> {
    /// Where the line is.
    pub place: GamePlace,
    /// A hash of the position: placement, side to move, castling rights, legal en passant.
    pub key: u64,
    /// The text of the line. Of a long line, only whole operations at its start.
    pub text: &'a [u8],
}

impl<'a> PositionCard<'a> {
    /// The card of a line. `None` if it has fewer than the four fields of a position.
    pub fn of_line(line: &'a [u8]) -> Option<PositionCard<'a>> {
        let text = shortened(line.trim_ascii());
        let key = PositionLine::read(text)?.key();
        Some(PositionCard { place: GamePlace::default(), key, text })
    }

    /// The four fields of the position as written, with one space between them.
    pub fn fields(&self) -> Option<Vec<u8>> {
        PositionLine::read(self.text).map(|line| line.written())
    }

    /// The en passant square as written, if there is one.
    pub fn en_passant_square(&self) -> Option<&'a str> {
        let line = PositionLine::read(self.text).filter(PositionLine::has_square)?;
        str::from_utf8(line.fields[3]).ok()
    }

    /// The bytes of the text with the operations.
    pub fn operations(&self) -> Span {
        PositionLine::read(self.text).map_or_else(Span::default, |line| line.operations)
    }

    /// Adds the card to `bytes`.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let PositionCard { place: GamePlace { input, byte, end, line, game }, key, text } = *self;
        let mut head = Head::default();
        let length = (size_of::<Head>() + text.len()) as u64;
        let numbers = [(LENGTH, length), (INPUT, input), (BYTE, byte), (END, end), (LINE, line), (GAME, game), (KEY, key)];
        numbers.into_iter().for_each(|(at, number)| head[at] = number);
        head[TRAITS] = IS_POSITION;
        bytes.extend_from_slice(head.map(u64::to_le_bytes).as_flattened());
        bytes.extend_from_slice(text);
    }

    /// Whether the bytes of a card are those of a position.
    pub(super) fn is_in(card: &[u8]) -> bool {
        number(card, TRAITS) & IS_POSITION != 0
    }

    /// Reads a card.
    pub fn read(bytes: &'a [u8]) -> io::Result<PositionCard<'a>> {
        let text = bytes.get(size_of::<Head>()..).filter(|_| PositionCard::is_in(bytes));
        let text = text.ok_or(io::ErrorKind::InvalidData)?;
        let of = |index| number(bytes, index);
        let place = GamePlace { input: of(INPUT), byte: of(BYTE), end: of(END), line: of(LINE), game: of(GAME) };
        Ok(PositionCard { place, key: of(KEY), text })
    }
}

/// The start of a line that is kept. A longer one ends after an operation, so that none is cut.
fn shortened(line: &[u8]) -> &[u8] {
    let Some(start) = line.get(..MAX_TEXT).filter(|_| line.len() > MAX_TEXT) else { return line };
    let end = start.iter().rposition(|byte| *byte == b';');
    end.map_or(start, |end| &start[..=end])
}

/// The fields of a position line, and what follows them.
#[derive(Clone, Copy, Debug)]
pub(super) struct PositionLine<'a> {
    /// Placement, side to move, castling rights, en passant square.
    pub fields: [&'a [u8]; 4],
    /// The operations, in the bytes of the line.
    pub operations: Span,
}

impl<'a> PositionLine<'a> {
    pub fn read(text: &'a [u8]) -> Option<PositionLine<'a>> {
        let mut at = 0;
        let mut word = || {
            let start = at + text[at..].iter().position(|byte| !byte.is_ascii_whitespace())?;
            let length = text[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(text.len() - start);
            at = start + length;
            Some(Span::new(start, at))
        };
        let mut first = word()?;
        // As in perft files.
        if first.of(text) == b"epd" {
            first = word()?;
        }
        let places = [first, word()?, word()?, word()?];
        let fields = places.map(|place| place.of(text));
        let is_counter = |place: &Span| place.of(text).iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
        let mut end = places[3].end;
        for _ in 0..2 {
            if let Some(counter) =
                word().filter(is_counter).filter(|counter| text[end..counter.start].iter().all(u8::is_ascii_whitespace))
            {
                end = counter.end;
            }
        }
        is_placement(fields[0]).then(|| PositionLine { fields, operations: Span::new(end, text.len()) })
    }

    /// The four fields as written, with one space between them.
    pub fn written(&self) -> Vec<u8> {
        self.fields.join(&b' ')
    }

    /// The position, if it can be set up. En passant squares without a pawn that can have passed
    /// them do not count.
    pub fn position(&self) -> Option<Chess> {
        let setup = Fen::from_ascii(&self.written()).ok()?.into_setup();
        Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }

    fn key(&self) -> u64 {
        self.position().map_or_else(|| xxh3_64(&self.written()), |position| position_key_of(&position))
    }

    /// Whether the en passant field names a square.
    pub fn has_square(&self) -> bool {
        matches!(self.fields[3], [b'a'..=b'h', b'1'..=b'8'])
    }
}

/// Whether two positions are equal: placement, side to move, castling rights, legal en passant.
pub(super) fn are_equal(one: &Chess, other: &Chess) -> bool {
    let legal = |position: &Chess| position.ep_square(EnPassantMode::Legal);
    one.board() == other.board()
        && one.turn() == other.turn()
        && one.castles().castling_rights() == other.castles().castling_rights()
        && legal(one) == legal(other)
}

#[cfg(test)]
mod tests {
    use super::{super::GameCard, *};

    fn key(line: &str) -> Option<u64> {
        PositionCard::of_line(line.as_bytes()).map(|card| card.key)
    }

    #[test]
    fn equal_positions_have_equal_keys() {
        let line = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        for other in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - bm e5; id \"a\";",
            "epd  rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 3 7\r\n",
        ] {
            assert_eq!(key(line), key(other), "{other}");
        }
        for other in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQk - 0 1",
            "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
        ] {
            assert!(key(other).is_some_and(|other| Some(other) != key(line)), "{other}");
        }
        // A capture en passant is possible.
        let capturable = "4k3/8/8/8/3pP3/8/8/4K3 b - e3";
        assert_ne!(key(capturable), key("4k3/8/8/8/3pP3/8/8/4K3 b - -"));
        assert_eq!(key("# a comment of some words"), None);
        assert_eq!(key("4k3/8/8/8/8/8/8/4K3 w -"), None);
        // Positions that cannot be set up are compared as they are written.
        assert_eq!(key("8/8/8/8/8/8/8/8 w - - 0 1"), key("8/8/8/8/8/8/8/8  w - - id \"x\";"));
        assert_ne!(key("8/8/8/8/8/8/8/8 w - -"), key("8/8/8/8/8/8/8/8 b - -"));
    }

    #[test]
    fn cards_are_read_as_they_were_written() {
        let long = format!("8/8/8/8/8/8/8/8 w - - bm e4; c0 \"{}\"; am d4;", "x".repeat(600));
        let mut card = PositionCard::of_line(long.as_bytes()).expect("a card");
        assert_eq!(card.text, b"8/8/8/8/8/8/8/8 w - - bm e4;");
        card.place = GamePlace { input: 1, byte: 2, end: 3, line: 4, game: 5 };
        let mut bytes = Vec::new();
        card.write(&mut bytes);
        assert_eq!(PositionCard::read(&bytes).expect("a card"), card);
        assert!(GameCard::read(&bytes).is_err());
        assert!(PositionCard::read(&bytes[..90]).is_err());
    }
}
