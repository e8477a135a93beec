//! The layout of a game: line endings, blank lines, whitespace between tokens.

use shakmaty::Color;

use crate::{
    pgn::{Lexer, TagPair, Token},
    rules::Span,
};

/// The layout of a game.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// The text that spans are offsets in.
    pub text: &'a [u8],
    /// The tag pairs that could be read.
    pub pairs: &'a [TagPair],
    /// The game, from the first byte of its record to one past its termination marker.
    pub game: Span,
    /// Start of the movetext: after the last tag pair.
    pub movetext: usize,
    /// Start of the next record, or the end of the text.
    pub next: usize,
    /// The side to move before the first ply.
    pub turn: Color,
    /// Whether any byte up to the next record is not printable ASCII, a tab or a line break.
    pub has_special_bytes: bool,
    /// Whether there is a game, not only blank lines, comments and stray text.
    pub is_game: bool,
}

impl<'a> Layout<'a> {
    /// The tokens of the movetext, including comments, each with its span.
    pub fn tokens(&self) -> impl Iterator<Item = (Token, Span)> + use<'a> {
        self.tokens_from(self.movetext)
    }

    /// The tokens from the byte `from` of the text on, up to the next tag pair.
    pub fn tokens_from(&self, from: usize) -> impl Iterator<Item = (Token, Span)> + use<'a> {
        let text = &self.text[..self.game.end];
        let mut lexer = Lexer::new(text, from);
        std::iter::from_fn(move || {
            let token = lexer.next();
            (!matches!(token, Token::End | Token::TagPair)).then(|| (token, Span::new(lexer.start, lexer.at)))
        })
    }
}
