//! How a game is laid out: line ends, blank lines, the blanks between its tokens.

use shakmaty::Color;

use crate::{
    pgn::{Lexer, TagPair, Token},
    rules::Span,
};

/// The bytes of a game as they are laid out.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// What the spans are offsets in.
    pub text: &'a [u8],
    /// The tag pairs that could be read.
    pub pairs: &'a [TagPair],
    /// The game, from the first byte of its record to one past its termination marker.
    pub game: Span,
    /// Where its movetext begins: behind the last tag pair.
    pub movetext: usize,
    /// Where the next record begins, or the text ends.
    pub next: usize,
    /// Who is to move before the first ply.
    pub turn: Color,
    /// Whether there is anything beside printable ASCII, tabs and line breaks up to the next record.
    pub odd_bytes: bool,
    /// Whether there is a game at all, rather than blank lines, comments and stray text.
    pub is_game: bool,
}

impl<'a> Layout<'a> {
    /// The tokens of the movetext, comments among them, each with its span.
    pub fn tokens(&self) -> impl Iterator<Item = (Token, Span)> + use<'a> {
        let text = &self.text[..self.game.end];
        let mut lexer = Lexer::new(text, self.movetext);
        std::iter::from_fn(move || {
            let token = lexer.next();
            (!matches!(token, Token::End | Token::TagPair)).then(|| (token, Span::new(lexer.start, lexer.at)))
        })
    }
}
