//! Trials: how far a text replays if it is read in another way. Only damage leads here.

use shakmaty::{Chess, Position};

use super::Walk;
use crate::{
    chess::{Language, Quirks, WrittenSan, resolve, small_files},
    pgn::{Lexer, Token},
};

/// How the moves of a game are written, where that is not in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// With the letters of another language.
    Language(&'static Language),
    /// With capitals for files: `E4`, `NF3`.
    CapitalFiles,
}

impl Notation {
    /// All of them, the likelier ones first.
    fn all() -> impl Iterator<Item = Notation> {
        Language::all().iter().map(Notation::Language).chain([Notation::CapitalFiles])
    }

    /// The token as it is written in English; `None` where it is no token of this notation.
    pub(super) fn english(self, token: &[u8]) -> Option<Vec<u8>> {
        match self {
            Notation::Language(language) => language.english(token),
            Notation::CapitalFiles => small_files(token),
        }
    }

    /// Whether the token is written otherwise than in English.
    pub(super) fn is_foreign(self, token: &[u8]) -> bool {
        self.english(token).is_some_and(|english| english != token)
    }

    /// What a person calls it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Notation::Language(language) => language.name,
            Notation::CapitalFiles => "capitals for files",
        }
    }

    /// Reads a token in this notation, or, where it is none of it, in English.
    pub(super) fn read(self, token: &[u8]) -> Option<WrittenSan> {
        self.english(token).and_then(|english| WrittenSan::read(&english)).or_else(|| WrittenSan::read(token))
    }
}

/// How far a text replays.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// Plies that could be played.
    pub plies: u32,
    /// Plies among them that are not written in English.
    pub foreign: u32,
    /// Plies among them that are none of the notation.
    pub english: u32,
    /// Whether nothing but moves, numbers, comments, variations and a marker stood there.
    pub to_end: bool,
    /// Whether a termination marker was met.
    pub marker: bool,
    /// The position reached.
    pub position: Chess,
}

/// Plays the main line that begins at `from` of `text`, up to the end of `text`, the first token that does not fit, or
/// `most` plies.
pub(super) fn trial(text: &[u8], from: usize, position: &Chess, notation: Option<Notation>, most: u32) -> Trial {
    let mut lexer = Lexer::new(text, from);
    let mut trial = Trial { plies: 0, foreign: 0, english: 0, to_end: false, marker: false, position: position.clone() };
    let mut depth = 0usize;
    while trial.plies < most {
        match lexer.next() {
            Token::Open => depth += 1,
            Token::Close if depth > 0 => depth -= 1,
            Token::End | Token::TagPair => {
                trial.to_end = depth == 0;
                break;
            }
            Token::Marker(_) if depth == 0 => {
                trial.to_end = true;
                trial.marker = true;
                break;
            }
            Token::Close | Token::UnclosedComment | Token::StrayBrace => break,
            Token::Word if depth == 0 => {
                let token = lexer.token();
                let written = match notation {
                    Some(notation) => notation.read(token),
                    None => WrittenSan::read(token),
                };
                let resolved = written.and_then(|written| resolve(&trial.position, trial.position.checkers(), &written));
                let Some(resolved) = resolved else { break };
                trial.position.play_unchecked(resolved.played);
                trial.plies += 1;
                if let Some(notation) = notation {
                    trial.foreign += u32::from(notation.is_foreign(token));
                    trial.english += u32::from(notation.english(token).is_none());
                }
            }
            _ => {}
        }
    }
    trial
}

/// Plies that a trial of a whole game plays at most.
const LONGEST_TRIAL: u32 = 1000;

impl Walk<'_, '_> {
    /// Tries whether the whole game is written in another notation; if so, it is read again from its first move. `unknown`
    /// tells whether the last token is nothing in English.
    #[cold]
    pub(super) fn read_in_other_notation(&mut self, unknown: bool) -> bool {
        if std::mem::replace(&mut self.notation_tried, true) || self.in_variation() || self.line.stop.is_some() {
            return false;
        }
        let played = self.buffers.line.len() as u32;
        let mut best: Option<(Notation, u32)> = None;
        for notation in Notation::all() {
            let trial = trial(self.text, self.movetext_at, &self.start, Some(notation), LONGEST_TRIAL);
            let pure = trial.english == 0 || unknown;
            if trial.plies > played && trial.foreign >= 2 && pure && best.is_none_or(|(_, plies)| trial.plies > plies) {
                best = Some((notation, trial.plies));
            }
        }
        let Some((notation, _)) = best else { return false };
        self.begin_again(notation);
        true
    }

    /// What the token means in the position reached, if it is written in one of the other notations: English spelling.
    pub(super) fn meant_in_other_notation(&self, token: &[u8]) -> Option<String> {
        let mut meant = None;
        for notation in Notation::all() {
            let Some(english) = notation.english(token) else { continue };
            let written = WrittenSan::read(&english).filter(|written| !written.quirks.has(Quirks::LONG_FORM));
            let plays = written.is_some_and(|written| resolve(&self.position, self.checkers, &written).is_some());
            let english = String::from_utf8(english).ok().filter(|_| plays);
            match (&meant, english) {
                (None, english) => meant = english,
                (Some(one), Some(other)) if *one != other => return None,
                _ => {}
            }
        }
        meant
    }
}
