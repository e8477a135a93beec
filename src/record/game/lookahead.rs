//! Reading ahead, within limits.
//!
//! What a damaged token means often depends on the text after it. The text that is read ahead is
//! limited in relation to the text that was read. So the time for a game grows in proportion to its
//! length, whatever is in it. Repairs and variations have limits of their own.

use std::{cell::Cell, ops::Deref};

use super::replay::GameReplay;
use crate::pgn::{Lexer, Token};

/// Number of bytes that may be read ahead in every game.
const MIN_BUDGET: usize = 4 << 20;

/// Number of bytes that may be read ahead for each byte of the movetext that was read.
const PER_BYTE: usize = 16;

/// Number of bytes that each token counts for, beyond its own.
const PER_TOKEN: usize = 4;

/// How much may still be read ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookaheadBudget<'r> {
    /// Number of bytes that were read ahead in this reading.
    spent: &'r Cell<usize>,
    /// Maximum number of them.
    limit: usize,
}

impl LookaheadBudget<'_> {
    /// Takes this number of bytes from the budget. Returns whether it is large enough.
    pub fn spend(self, bytes: usize) -> bool {
        self.spent.set(self.spent.get().saturating_add(bytes));
        self.spent.get() <= self.limit
    }
}

/// A lexer that reads ahead.
///
/// When the budget is used up, every further token is a comment that is not closed. So a loop over
/// these tokens must end at [`Token::UnclosedComment`].
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
        LookaheadBudget { spent: &self.reading.read_ahead, limit: read.saturating_mul(PER_BYTE).saturating_add(MIN_BUDGET) }
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
