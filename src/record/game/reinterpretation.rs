//! Other readings of a text, and how far each of them replays. Runs only on damaged text.

use shakmaty::{Chess, Color, KnownOutcome, Outcome, Position, Role, Square};

use super::{
    line_state::Stop,
    lookahead::{Ahead, LookaheadBudget},
    opening::MovetextStart,
    replay::GameReplay,
};
use crate::{
    chess::{Arrow, Notation, Quirks, WrittenMove, WrittenSan, resolve},
    pgn::{Lexer, Token},
    record::position::examine_position,
    rules::{
        Findings,
        facts::{Origin, SyntaxFaultKind},
    },
    text::Span,
};

/// How far a text replays.
#[derive(Clone, Debug)]
pub(super) struct ReplayExtent {
    /// Plies that could be played.
    pub plies: u32,
    /// Plies among them that differ from their English spelling.
    pub foreign: u32,
    /// Plies among them that are not in the notation.
    pub english: u32,
    /// Whether everything up to the end is a move, number, comment, variation or marker.
    pub to_end: bool,
    /// Whether a termination marker was met.
    pub marker: bool,
    /// Whether the end of the variation was met in which the text begins.
    pub closed: bool,
    /// The position reached.
    pub position: Chess,
}

/// Replays the main line from `from`, up to the end of `text`, the first token that does not fit,
/// or `most` plies.
pub(super) fn replay_extent(
    text: &[u8],
    from: usize,
    position: &Chess,
    notation: Option<Notation>,
    most: u32,
    budget: LookaheadBudget<'_>,
) -> ReplayExtent {
    let mut lexer = Ahead::new(text, from, budget);
    let mut extent = ReplayExtent {
        plies: 0,
        foreign: 0,
        english: 0,
        to_end: false,
        marker: false,
        closed: false,
        position: position.clone(),
    };
    let mut depth = 0usize;
    while extent.plies < most {
        match lexer.next() {
            Token::Open => depth += 1,
            Token::Close if depth > 0 => depth -= 1,
            Token::End | Token::TagPair => {
                extent.to_end = depth == 0;
                break;
            }
            Token::Marker(_) if depth == 0 => {
                extent.to_end = true;
                extent.marker = true;
                break;
            }
            Token::Close => {
                extent.closed = true;
                break;
            }
            Token::UnclosedComment | Token::StrayBrace => break,
            Token::Word if depth == 0 => {
                let token = lexer.token();
                let english = notation.map(|notation| notation.english(token));
                let written = english.iter().flatten().find_map(|english| WrittenSan::read(english));
                let written = written.or_else(|| WrittenSan::read(token));
                let resolved = written.and_then(|written| resolve(&extent.position, extent.position.checkers(), &written));
                let Some(resolved) = resolved else { break };
                extent.position.play_unchecked(resolved.played);
                extent.plies += 1;
                match english {
                    None => {}
                    Some(None) => extent.english += 1,
                    Some(Some(english)) => extent.foreign += u32::from(english != token),
                }
            }
            _ => {}
        }
    }
    extent
}

/// The target square of a king move that sets the result on an electronic board.
fn signal(written: &WrittenSan) -> Option<Square> {
    match written.what {
        WrittenMove::Normal { role: Role::King, to: to @ (Square::D4 | Square::E4 | Square::D5 | Square::E5), .. } => Some(to),
        _ => None,
    }
}

/// Minimum number of further plies that must replay in another notation, unless the game ends.
const MIN_FURTHER_PLIES: u32 = 8;

/// Maximum number of plies of a game that are replayed in another reading.
const MAX_REPLAYED_PLIES: u32 = 1000;

/// Whether a word of the movetext at `at` begins with neither an English piece letter nor a file.
/// Every other notation has such words before the termination marker.
fn has_other_letters(text: &[u8], at: usize) -> bool {
    let mut lexer = Lexer::new(text, at);
    let mut depth = 0usize;
    loop {
        match lexer.next() {
            Token::Word => {
                let first = lexer.token().first().copied().unwrap_or_default();
                if !matches!(first, b'K' | b'Q' | b'R' | b'B' | b'N' | b'O' | b'a'..=b'h' | b'0'..=b'9') {
                    return true;
                }
            }
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Marker(_) if depth == 0 => return false,
            Token::End | Token::TagPair | Token::UnclosedComment => return false,
            _ => {}
        }
    }
}

impl GameReplay<'_, '_> {
    /// Replays the main line from `from` as [`replay_extent`] does, in the notation of the game.
    pub(super) fn extent_from(&self, text: &[u8], from: usize, position: &Chess, most: u32) -> ReplayExtent {
        replay_extent(text, from, position, self.reading.notation, most, self.lookahead())
    }

    /// Reads a move in the notation of the game.
    pub(super) fn read_move(&self, token: &[u8]) -> Option<WrittenSan> {
        match self.reading.notation {
            Some(notation) => notation.read(token),
            None => WrittenSan::read(token),
        }
    }

    /// Checks whether the whole game is written in another notation, and then reads it again.
    /// `unknown` says that the last token is not a move in English.
    #[cold]
    pub(super) fn read_in_other_notation(&mut self, unknown: bool) -> bool {
        if std::mem::replace(&mut self.notation_tried, true) || self.in_variation() || self.reading.line.stop.is_some() {
            return false;
        }
        if !unknown && !has_other_letters(self.text, self.movetext_at) {
            return false;
        }
        let played = self.reading.played.len() as u32;
        let mut best: Option<(Notation, u32)> = None;
        // A token that is not English must be a move in the other notation.
        let stuck = self.lexer.token();
        let reads = |notation: &Notation| !unknown || notation.read(stuck).is_some();
        for notation in Notation::all().filter(reads) {
            let extent = replay_extent(
                self.text,
                self.movetext_at,
                &self.reading.start,
                Some(notation),
                MAX_REPLAYED_PLIES,
                self.lookahead(),
            );
            // One or two foreign letters are slips. A foreign game has almost no English moves.
            let pure = extent.english == 0 || (unknown && 4 * extent.english <= extent.foreign);
            let far = extent.to_end || (unknown && extent.plies >= played + MIN_FURTHER_PLIES);
            if extent.plies > played && extent.foreign >= 2 && pure && far && best.is_none_or(|(_, plies)| extent.plies > plies) {
                best = Some((notation, extent.plies));
            }
        }
        let Some((notation, _)) = best else { return false };
        self.read_again(self.reading.start.clone(), Some(notation));
        true
    }

    /// Whether the game replays further from the position of a misspelled FEN tag. If so, it is
    /// read again from there. The rules about tags have reported the tag.
    #[cold]
    pub(super) fn starts_from_misspelled_fen(&mut self) -> bool {
        if self.in_variation() || self.reading.line.stop.is_some() {
            return false;
        }
        let Some(fen) = self.misspelled_fen.take() else { return false };
        let examined = examine_position(self.text, fen, Origin::FenTag, self.opening.declared, &mut Findings::new());
        let Some(start) = examined.start else { return false };
        let extent = self.extent_from(self.text, self.movetext_at, &start, MAX_REPLAYED_PLIES);
        if extent.plies as usize <= self.reading.played.len() {
            return false;
        }
        self.opening = MovetextStart { start: start.clone(), has_fen: true, ..self.opening.clone() };
        self.read_again(start, self.reading.notation);
        true
    }

    /// Whether the game replays from the standard starting position but not from its FEN tag. If
    /// so, this is reported, and the game is read again from there.
    #[cold]
    pub(super) fn starts_from_standard_position(&mut self) -> bool {
        let Some(fen) = self.fen_tag.filter(|_| !self.in_variation() && self.reading.line.stop.is_none()) else { return false };
        let standard = Chess::default();
        if self.reading.start == standard {
            return false;
        }
        let extent = self.extent_from(self.text, self.movetext_at, &standard, MAX_REPLAYED_PLIES);
        if !extent.to_end || extent.plies < 4 {
            return false;
        }
        let stuck = self.reading.line.ply;
        self.read_again(standard, self.reading.notation);
        let superfluous = match self.opening.needs_fen {
            true => Vec::new(),
            false => std::iter::once(fen).chain(self.setup_tag).collect(),
        };
        self.fault(SyntaxFaultKind::FenNotStart { plies: extent.plies, stuck, superfluous }, fen);
        self.findings_before = self.findings.len();
        true
    }

    /// Whether the illegal king move just read sets the result on an electronic board. Kings go to
    /// the centre: both on light squares if White won, both on dark squares if Black won, otherwise
    /// a draw. The board may have recorded only one of them.
    #[cold]
    pub(super) fn signals_result(&mut self, written: &WrittenSan, place: Span) -> bool {
        if self.in_variation() || self.reading.line.ply < 2 {
            return false;
        }
        let Some(square) = signal(written) else { return false };
        let mut squares = vec![square];
        squares.extend(self.reading.line.last.and_then(|last| signal(&last.written)));
        let board = self.reading.position.board();
        let mut turn = self.reading.position.turn();
        let mut arrows: Vec<Arrow> = Vec::new();
        arrows.extend(board.king_of(turn).map(|from| Arrow { from, to: square }));
        let mut ahead = self.ahead();
        let mut end = place.end;
        let marker = loop {
            match ahead.next() {
                Token::Number { .. } | Token::Comment => {}
                Token::Word => match self.read_move(ahead.token()).as_ref().and_then(signal) {
                    Some(square) => {
                        squares.push(square);
                        turn = !turn;
                        arrows.extend(board.king_of(turn).map(|from| Arrow { from, to: square }));
                        end = ahead.at;
                    }
                    None => return false,
                },
                Token::Marker(outcome) => break outcome,
                _ => return false,
            }
        };
        let light = squares.iter().filter(|square| square.is_light()).count();
        let means = match (light, squares.len()) {
            (_, 3..) => return false,
            (0, _) => KnownOutcome::Decisive { winner: Color::Black },
            (light, all) if light == all => KnownOutcome::Decisive { winner: Color::White },
            _ => KnownOutcome::Draw,
        };
        let is_half_of_draw = end == place.end && marker == Outcome::Known(KnownOutcome::Draw);
        if marker != Outcome::Known(means) && !is_half_of_draw {
            return false;
        }
        let since = self.findings.len();
        self.fault(SyntaxFaultKind::KingSignal, Span::new(place.start, end));
        self.locate(since, place, None);
        for finding in self.findings.since(since) {
            finding.written(arrows.iter().copied());
        }
        // What was not played needs no correction.
        self.reading.line.stop = Some(Stop { finding: None, plies_after: 0 });
        self.reading.plies_not_replayed += 1;
        true
    }

    /// The English spelling of a token that is a legal move in another notation.
    pub(super) fn meant_in_other_notation(&self, token: &[u8]) -> Option<String> {
        let mut meant = None;
        for notation in Notation::of_words() {
            let Some(english) = notation.english(token) else { continue };
            let written = WrittenSan::canonical(&english).filter(|written| !written.quirks.has(Quirks::LONG_FORM));
            let plays = written.is_some_and(|written| resolve(&self.reading.position, self.reading.checkers, &written).is_some());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_comments_are_not_moves() {
        assert!(has_other_letters(b"1. e4 e5 2. Sf3 *", 0));
        for text in ["1. e4 {So} e5 *", "1. e4 e5 2. Nf3+ Nc6 3. O-O dxe4 4. e8=Q# 1/2-1/2\n\n[Event \"Sf3\"]"] {
            assert!(!has_other_letters(text.as_bytes(), 0), "{text}");
        }
    }

    #[test]
    fn words_after_the_game_are_not_its_moves() {
        for marker in ["1-0", "0-1", "1/2-1/2", "*"] {
            for game in ["1. e4 e5", "1. e4 {x} e5", "1. e4 0-0"] {
                let text = format!("{game} {marker}\n\n1. Sf3 *");
                assert!(!has_other_letters(text.as_bytes(), 0), "{text}");
            }
            let text = format!("1. e4 (1. d4 {marker}) Sc6 *");
            assert!(has_other_letters(text.as_bytes(), 0), "{text}");
        }
    }
}
