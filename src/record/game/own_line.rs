//! Lines of moves that are games of their own: texts without tags and markers that have a line for
//! each opening.

use memchr::memchr;
use shakmaty::{Chess, Position};

use super::replay::GameReplay;
use crate::{
    chess::{WrittenSan, resolve},
    pgn::{Token, begins_line, is_movetext, line_end, moves_of_line, movetext_after_label},
};

/// A line after the first line of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnLine {
    /// It is a comment before a line of moves that is a game of its own.
    Comment,
    /// It is a game of its own.
    Moves,
}

/// Maximum number of blank lines and comments between two lines of moves.
const MAX_BETWEEN: usize = 64;

/// Maximum number of moves of a line.
const MAX_MOVES: usize = 512;

impl GameReplay<'_, '_> {
    /// What the line that begins with the token at hand is, if the game has no tags and the line,
    /// or the next line of moves, is a game of its own. It is one if it begins like a game, and
    /// cannot be played after the line before it.
    #[cold]
    pub(super) fn own_line(&mut self) -> Option<OwnLine> {
        let at = self.lexer.start;
        let is_standard = self.reading.variant.is_none() && self.reading.start == Chess::default();
        if !self.reading.has_begun || self.in_variation() || !is_standard || !begins_line(self.text, at) {
            return None;
        }
        if movetext_after_label(self.text, at).is_some() {
            return Some(OwnLine::Moves);
        }
        let first = self.line_of_moves(self.movetext_at, at)?;
        let first_end = line_end(self.text, first);
        // More than one line of moves is a game with line breaks.
        if first_end >= at || self.line_of_moves(first_end, at).is_some() {
            return None;
        }
        moves_of_line(&self.text[first..first_end])?;
        let next = self.line_of_moves(at, self.text.len())?;
        let end = line_end(self.text, next);
        self.lexer.touched_end |= end == self.text.len();
        let movetext = movetext_after_label(self.text, next).unwrap_or(next);
        let moves = moves_of_line(&self.text[movetext..end])?;
        let begins_anew = movetext > next || self.text[movetext..].starts_with(b"1.");
        let min_plies = if begins_anew { 1 } else { 2 };
        let from_start = plies_played(&Chess::default(), &moves);
        let continues =
            !begins_anew && self.reading.line.stop.is_none() && plies_played(&self.reading.position, &moves) == moves.len();
        if continues || from_start < min_plies || 2 * from_start < moves.len() {
            return None;
        }
        Some(if next == at { OwnLine::Moves } else { OwnLine::Comment })
    }

    /// Whether the number 1 just read begins a game, although the game before it has no marker: the
    /// number begins a line, its move can be played from the starting position, and the numbers
    /// after it count from there.
    #[cold]
    pub(super) fn begins_own_game(&mut self) -> bool {
        let is_standard = self.reading.variant.is_none() && self.reading.start == Chess::default();
        let before = self.reading.line.ply as usize;
        if before == 0 || self.in_variation() || !is_standard || !begins_line(self.text, self.lexer.start) {
            return false;
        }
        let mut ahead = self.ahead();
        let mut moves = Vec::new();
        let counts_from_here = loop {
            match ahead.next() {
                Token::Word if moves.len() < MAX_MOVES => match WrittenSan::read(ahead.token()) {
                    Some(written) => moves.push(written),
                    None => break true,
                },
                Token::Number { value: Some(number), .. } => {
                    let is = |plies: usize| u32::try_from(plies / 2 + 1).ok() == Some(number);
                    match (is(moves.len()), is(before + moves.len())) {
                        (false, true) => break false,
                        (true, false) => break true,
                        _ if number == 1 => break true,
                        _ => {}
                    }
                }
                Token::Comment | Token::Glyph | Token::Nag => {}
                Token::End => {
                    self.lexer.touched_end = true;
                    break true;
                }
                _ => break true,
            }
        };
        let first = &moves[..moves.len().min(1)];
        let continues = before == 1 && plies_played(&self.reading.position, first) == 1;
        counts_from_here && !continues && plies_played(&Chess::default(), first) == 1
    }

    /// The start of the first line in `from..to` that is not blank and no comment.
    fn line_of_moves(&self, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        for _ in 0..MAX_BETWEEN {
            at += self.text[at..to].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let line = &self.text[at..to];
            at = match line {
                [b'{', ..] => at + memchr(b'}', line)? + 1,
                _ if is_comment_line(line, 0) => line_end(self.text, at).min(to),
                _ => return (at < to).then_some(at),
            };
        }
        Some(at)
    }

    /// Whether the number just read begins a line with a label before the movetext of a game.
    #[cold]
    pub(super) fn begins_labelled_game(&self) -> bool {
        let at = self.lexer.start;
        !self.has_tags && !self.in_variation() && begins_line(self.text, at) && movetext_after_label(self.text, at).is_some()
    }

    /// Whether the move just read, after a termination marker, begins a line with the moves of a
    /// game and nothing else.
    #[cold]
    pub(super) fn begins_line_of_game(&mut self) -> bool {
        let at = self.lexer.start;
        if self.has_tags || !begins_line(self.text, at) {
            return false;
        }
        let end = line_end(self.text, at);
        self.lexer.touched_end |= end == self.text.len();
        let moves = moves_of_line(&self.text[at..end]).unwrap_or_default();
        moves.len() > 1 && plies_played(&Chess::default(), &moves) == moves.len()
    }

    /// Whether the line at `at` is a comment, as in lists with a line for each game: nothing but
    /// comments is between it and a line of moves.
    #[cold]
    pub(super) fn is_comment_of_list(&mut self, at: usize) -> bool {
        if self.has_tags || !is_comment_line(self.text, at) || !begins_line(self.text, at) {
            return false;
        }
        let Some(next) = self.line_of_moves(at, self.text.len()) else { return false };
        let end = line_end(self.text, next);
        self.lexer.touched_end |= end == self.text.len();
        movetext_after_label(self.text, next).is_some()
            || is_movetext(&self.text[next..end])
            || moves_of_line(&self.text[next..end]).is_some_and(|moves| plies_played(&Chess::default(), &moves) > 0)
    }
}

/// Whether the line at `at` is a comment of a list.
pub(super) fn is_comment_line(text: &[u8], at: usize) -> bool {
    matches!(text.get(at..), Some([b'#', ..] | [b'/', b'/', ..]))
}

/// Number of the first moves that can be played from `position`.
pub(in crate::record) fn plies_played(position: &Chess, moves: &[WrittenSan]) -> usize {
    let mut position = position.clone();
    let play = |written: &&WrittenSan| {
        let found = resolve(&position, position.checkers(), written);
        if let Some(found) = &found {
            position.play_unchecked(found.played);
        }
        found.is_some()
    };
    moves.iter().take_while(play).count()
}
