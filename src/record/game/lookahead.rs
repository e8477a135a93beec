//! Reading ahead, within limits.
//!
//! What a damaged token means often depends on the text after it. The text that is read ahead is limited in relation to the
//! text that was read, so that the time for a game grows in proportion to its length, whatever is in it.

use std::{cell::Cell, ops::Deref};

use super::GameReplay;
use crate::pgn::{Lexer, Token};

/// Number of bytes that may be read ahead in every game.
const ALWAYS: usize = 4 << 20;

/// Number of bytes that may be read ahead for each byte of the movetext that was read.
const PER_BYTE: usize = 16;

/// Number of bytes that each token counts for, beyond its own.
const PER_TOKEN: usize = 4;

/// How much may still be read ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookaheadBudget<'r> {
    /// Number of bytes that were read ahead in this reading.
    spent: &'r Cell<usize>,
    /// Maximum of it.
    most: usize,
}

impl LookaheadBudget<'_> {
    /// Takes so many bytes from the budget. Returns whether there were as many.
    pub fn spend(self, bytes: usize) -> bool {
        self.spent.set(self.spent.get().saturating_add(bytes));
        self.spent.get() <= self.most
    }
}

/// A lexer that reads ahead. When the budget is used up, a comment that is not closed seems to follow: nothing after it counts.
#[derive(Clone, Debug)]
pub(super) struct Ahead<'a, 'r> {
    lexer: Lexer<'a>,
    budget: LookaheadBudget<'r>,
}

impl<'a, 'r> Ahead<'a, 'r> {
    /// Reads `text` from byte `at`.
    pub fn new(text: &'a [u8], at: usize, budget: LookaheadBudget<'r>) -> Ahead<'a, 'r> {
        Ahead { lexer: Lexer::new(text, at), budget }
    }

    /// Reads the next token.
    #[allow(clippy::should_implement_trait, reason = "the same as that of the lexer")]
    pub fn next(&mut self) -> Token {
        let before = self.lexer.at;
        let token = self.lexer.next();
        if self.budget.spend(self.lexer.at - before + PER_TOKEN) { token } else { Token::UnclosedComment }
    }
}

impl<'a> Deref for Ahead<'a, '_> {
    type Target = Lexer<'a>;

    fn deref(&self) -> &Lexer<'a> {
        &self.lexer
    }
}

impl<'a> GameReplay<'a, '_> {
    /// How much may be read ahead from the last token.
    pub(super) fn lookahead(&self) -> LookaheadBudget<'_> {
        let read = self.lexer.at.saturating_sub(self.movetext_at);
        LookaheadBudget { spent: &self.reading.read_ahead, most: read.saturating_mul(PER_BYTE).saturating_add(ALWAYS) }
    }

    /// Reads ahead from the last token.
    pub(super) fn ahead(&self) -> Ahead<'a, '_> {
        self.ahead_from(self.lexer.at)
    }

    /// Reads ahead from byte `at`.
    pub(super) fn ahead_from(&self, at: usize) -> Ahead<'a, '_> {
        Ahead::new(self.text, at, self.lookahead())
    }
}
