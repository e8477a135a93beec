//! Moves in operands, read leniently: what is meant counts here. How it is spelt is noted beside it.

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Chess, Move, Position, Role, Square};

use super::{Opcode, Operation, Operations};
use crate::chess::{self, CheckMark, History, Quirks, Refusal, WrittenMove, WrittenSan, checkers_after, refuse};
use crate::text::Span;

/// What a word among moves turns out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// One legal move.
    Move(Move),
    /// A null move.
    Null,
    /// A move that is not legal, and why.
    Illegal(Refusal),
    /// A move that several legal moves answer to.
    Ambiguous(Vec<Move>),
    /// No move at all, but nothing that harms one: a move number, a check mark by itself, a distance to mate.
    Aside,
    /// Nothing that can be read.
    Unreadable,
}

/// A way of spelling moves that is not SAN, but may be kept throughout an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Form {
    /// By squares: `e2e4`, `Ng1-f3`.
    Squares,
    /// Several moves with commas between them.
    Commas,
    /// Without `+` or `#`.
    NoCheckMark,
    /// Without `x`.
    NoCaptureMark,
    /// With `!` or `?`.
    Judgement,
    /// With a file or rank of origin where none is needed.
    Origin,
    /// Any other: letters of other languages, castling with zeros, promotions without `=`, marks that stand apart.
    Other,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 7] =
        [Form::Squares, Form::Commas, Form::NoCheckMark, Form::NoCaptureMark, Form::Judgement, Form::Origin, Form::Other];

    /// The word that tells it from the others.
    pub const fn word(self) -> &'static str {
        match self {
            Form::Squares => "squares",
            Form::Commas => "commas",
            Form::NoCheckMark => "check-mark",
            Form::NoCaptureMark => "capture-mark",
            Form::Judgement => "judgement",
            Form::Origin => "origin",
            Form::Other => "other",
        }
    }
}

/// A mark that says what is not so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalseMark {
    /// `x` where nothing is captured.
    Capture,
    /// `+` where no check is given.
    Check,
    /// `#` where no mate is given.
    Mate,
}

/// How a word departs from the SAN of the move it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Not at all, or it means no move.
    San,
    /// It is not spelt as SAN is.
    Form(Form),
    /// It says what is not so.
    False(FalseMark),
}

/// For each form, how often it could have been chosen, and how often it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormCounts([(u32, u32); Form::ALL.len()]);

impl FormCounts {
    /// How often `form` could have been chosen, and how often it was.
    pub const fn of(&self, form: Form) -> (u32, u32) {
        self.0[form as usize]
    }

    fn note(&mut self, form: Form, chosen: bool) {
        let (could, was) = &mut self.0[form as usize];
        *could += 1;
        *was += u32::from(chosen);
    }
}

/// A word among the moves of an operation.
#[derive(Clone, Debug)]
pub struct MoveWord {
    /// Which operation it is in, from 0.
    pub operation: usize,
    /// The word, with a mark that stands apart behind it.
    pub place: Span,
    /// What it turns out to be.
    pub resolved: Resolved,
    /// Its place in a variation, from 1; 1 outside variations.
    pub ply: u32,
    /// How it is spelt.
    pub spelling: Spelling,
    /// Whether it stands in a comment.
    pub in_comment: bool,
}

/// Reads the words of all operations that hold moves of the position `start`: `bm`, `am`, `pm`, `sm`, the variation `pv`, and a
/// `c0` that gives scores to moves. The words of a variation are read up to the first that cannot be played.
pub fn read_moves(text: &[u8], operations: &Operations, start: &Chess) -> (Vec<MoveWord>, FormCounts) {
    let mut words = Words { text, list: Vec::new(), counts: FormCounts::default() };
    for (index, operation) in operations.list.iter().enumerate() {
        if operation.open_quote.is_some() {
            continue;
        }
        match operation.kind {
            Opcode::Am | Opcode::Bm | Opcode::Pm | Opcode::Sm | Opcode::Pv => words.read(index, operation, start),
            Opcode::Comment(0) => words.read_scored(index, operation, start),
            _ => {}
        }
    }
    (words.list, words.counts)
}

struct Words<'a> {
    text: &'a [u8],
    list: Vec<MoveWord>,
    counts: FormCounts,
}

impl Words<'_> {
    fn read(&mut self, index: usize, operation: &Operation, start: &Chess) {
        let line = operation.kind == Opcode::Pv;
        let mut position = None;
        let (mut ply, mut moves, mut commas) = (1, 0, false);
        let mut places = operation.move_words(self.text).peekable();
        while let Some(mut place) = places.next() {
            commas |= self.text.get(place.end) == Some(&b',');
            let mut apart = false;
            while let Some(mark) = places.next_if(|next| is_mark(next.of(self.text))) {
                apart |= !is_mark(place.of(self.text));
                place.end = mark.end;
            }
            let before: &Chess = position.as_ref().unwrap_or(start);
            let (resolved, spelling, after) = if apart {
                let together: Vec<u8> =
                    place.of(self.text).iter().copied().filter(|byte| !matches!(byte, b',' | b' ' | b'\t' | 0)).collect();
                self.word(before, &together)
            } else {
                self.word(before, place.of(self.text))
            };
            let spelling = if apart && matches!(resolved, Resolved::Move(_)) && !matches!(spelling, Spelling::False(_)) {
                Spelling::Form(Form::Other)
            } else {
                spelling
            };
            let goes_on = match &resolved {
                Resolved::Move(_) => {
                    moves += 1;
                    true
                }
                Resolved::Aside => true,
                Resolved::Null | Resolved::Illegal(_) | Resolved::Ambiguous(_) | Resolved::Unreadable => false,
            };
            let played = matches!(resolved, Resolved::Move(_));
            self.list.push(MoveWord { operation: index, place, resolved, ply, spelling, in_comment: false });
            if line {
                if !goes_on {
                    return;
                }
                if played {
                    ply += 1;
                    position = after.or(position);
                }
            }
        }
        if moves > 1 {
            self.counts.note(Form::Commas, commas);
        }
    }

    /// Reads a word, and the position that it leads to.
    fn word(&mut self, position: &Chess, word: &[u8]) -> (Resolved, Spelling, Option<Chess>) {
        let core = strip(word);
        let whole = core.len() == word.len();
        if core.is_empty() {
            return (Resolved::Aside, Spelling::San, None);
        }
        // Nearly every word is spelt canonically.
        let canonical = WrittenSan::canonical(core);
        let found =
            canonical.and_then(|written| chess::resolve(position, position.checkers(), &written).map(|found| (written, found)));
        let (resolved, mut spelling) = match found {
            Some((written, found)) => (Resolved::Move(found.played), self.judge(&written, &found, core)),
            None => self.other_word(position, core),
        };
        let Resolved::Move(played) = resolved else { return (resolved, Spelling::San, None) };
        let mut after = position.clone();
        after.play_unchecked(played);
        let mark = canonical.map_or_else(|| mark_of(core), |written| written.mark);
        if spelling != Spelling::Form(Form::Squares) {
            let check = checkers_after(&after, played).any();
            let mate = check && after.legal_moves().is_empty();
            let missing = check && (mark == CheckMark::None || mate && mark == CheckMark::Check);
            if check {
                self.counts.note(Form::NoCheckMark, missing);
            }
            let false_mark = match mark {
                CheckMark::Check | CheckMark::Double if !check => Some(FalseMark::Check),
                CheckMark::Mate if !mate => Some(FalseMark::Mate),
                _ => None,
            };
            if let Some(mark) = false_mark {
                spelling = Spelling::False(mark);
            } else if spelling == Spelling::San && missing {
                spelling = Spelling::Form(Form::NoCheckMark);
            }
        }
        if spelling == Spelling::San && !whole {
            spelling = Spelling::Form(Form::Other);
        }
        self.counts.note(Form::Squares, spelling == Spelling::Form(Form::Squares));
        self.counts.note(Form::Judgement, spelling == Spelling::Form(Form::Judgement));
        self.counts.note(Form::Origin, spelling == Spelling::Form(Form::Origin));
        self.counts.note(Form::Other, spelling == Spelling::Form(Form::Other));
        (resolved, spelling, Some(after))
    }

    /// Judges the spelling of a move, marks of check left aside.
    fn judge(&mut self, written: &WrittenSan, found: &chess::Resolved, core: &[u8]) -> Spelling {
        if written.quirks.has(Quirks::LONG_FORM) {
            return Spelling::Form(Form::Squares);
        }
        let captures = found.played.is_capture();
        if captures {
            self.counts.note(Form::NoCaptureMark, !written.capture);
        }
        if written.capture && !captures {
            return Spelling::False(FalseMark::Capture);
        }
        if written.quirks != Quirks::NONE {
            return Spelling::Form(Form::Other);
        }
        if core.ends_with(b"!") || core.ends_with(b"?") {
            return Spelling::Form(Form::Judgement);
        }
        if captures && !written.capture {
            return Spelling::Form(Form::NoCaptureMark);
        }
        match written.what {
            WrittenMove::Normal { file, rank, .. } if !found.hints_are_canonical(file, rank) => Spelling::Form(Form::Origin),
            _ => Spelling::San,
        }
    }

    /// Reads a word that is not spelt canonically, or means no legal move.
    #[cold]
    fn other_word(&mut self, position: &Chess, core: &[u8]) -> (Resolved, Spelling) {
        let resolved = resolve(position, core);
        let Resolved::Move(played) = resolved else { return (resolved, Spelling::San) };
        let written = readings(core).next();
        let found = written.and_then(|written| chess::resolve(position, position.checkers(), &written));
        let spelling = match (written, found) {
            (Some(written), Some(found)) if found.played == played => self.judge(&written, &found, core),
            _ => Spelling::Form(Form::Other),
        };
        (resolved, spelling)
    }

    /// Reads a comment that gives scores to moves.
    fn read_scored(&mut self, index: usize, operation: &Operation, start: &Chess) {
        let Some(operand) = operation.operands(self.text).next().filter(|operand| operand.quoted) else { return };
        if !is_scored_moves(operand.place.of(self.text)) {
            return;
        }
        for item in items(self.text, operand.place) {
            let place = Span::new(item.start, item.start + score_mark(item.of(self.text)).unwrap_or(0));
            let resolved = resolve(start, place.of(self.text));
            let ply = 1;
            self.list.push(MoveWord { operation: index, place, resolved, ply, spelling: Spelling::San, in_comment: true });
        }
    }
}

/// Whether a comment gives scores to moves, as `Nf3=10, e4=5` does, and nothing else.
pub fn is_scored_moves(comment: &[u8]) -> bool {
    let whole = Span::new(0, comment.len());
    let scored = |item: Span| {
        let item = item.of(comment);
        score_mark(item).is_some_and(|mark| WrittenSan::read(&item[..mark]).is_some())
    };
    memchr::memchr(b'=', comment).is_some() && items(comment, whole).all(scored)
}

/// The parts of `place` that commas separate, without blanks around them.
fn items(text: &[u8], place: Span) -> impl Iterator<Item = Span> + '_ {
    let mut start = place.start;
    place.of(text).split(|byte| *byte == b',').map(move |item| {
        let trimmed = item.trim_ascii_start();
        let begins = start + item.len() - trimmed.len();
        start += item.len() + 1;
        Span::new(begins, begins + trimmed.trim_ascii_end().len())
    })
}

/// Where the `=` stands that separates a move from its score.
fn score_mark(item: &[u8]) -> Option<usize> {
    let mark = memchr::memrchr(b'=', item)?;
    let score = &item[mark + 1..];
    (!score.is_empty() && score.iter().all(u8::is_ascii_digit)).then_some(mark)
}

/// The mark of check behind a move, in whatever letters the move is written.
fn mark_of(core: &[u8]) -> CheckMark {
    if let Some(written) = WrittenSan::read(core) {
        return written.mark;
    }
    let end = core.iter().rposition(|byte| !matches!(byte, b'!' | b'?'));
    match end.map(|end| core[end]) {
        Some(b'#') => CheckMark::Mate,
        Some(b'+') => CheckMark::Check,
        _ => CheckMark::None,
    }
}

/// Whether a word is nothing but marks that belong behind a move.
fn is_mark(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?'))
}

impl Operation {
    /// The words among its operands that blanks and commas separate.
    pub fn move_words<'a>(&self, text: &'a [u8]) -> impl Iterator<Item = Span> + use<'a> {
        self.operands(text).flat_map(move |operand| {
            let mut at = operand.place.start;
            operand
                .place
                .of(text)
                .split(|byte| matches!(byte, b',' | b' ' | b'\t' | 0))
                .map(move |word| {
                    let place = Span::new(at, at + word.len());
                    at = place.end + 1;
                    place
                })
                .filter(|place| place.start < place.end)
        })
    }
}

/// What a word in a line of moves says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordInLine {
    /// One legal move.
    Move(Move),
    /// A null move.
    Null(WrittenSan),
    /// A move that no legal move answers to, or more than one.
    Refused(WrittenSan),
    /// No move at all, but nothing that harms one.
    Aside,
    /// Nothing that can be read.
    Unreadable,
}

/// Reads `word` as the next move of a line that has come to `position`, as leniently as [`resolve`]. `checkers` are the men that
/// give check there. Why a move is refused is for those to say who know how the line came there.
pub fn word_in_line(position: &Chess, checkers: Bitboard, word: &[u8]) -> WordInLine {
    let word = strip(word);
    if word.is_empty() {
        return WordInLine::Aside;
    }
    let mut refused = None;
    for written in readings(word) {
        if written.what == WrittenMove::Null {
            return WordInLine::Null(written);
        }
        if let Some(resolved) = chess::resolve(position, checkers, &written) {
            return WordInLine::Move(resolved.played);
        }
        if let Some(castling) = castling_as_king_move(position, &written) {
            return WordInLine::Move(castling);
        }
        refused.get_or_insert(written);
    }
    refused.map_or(WordInLine::Unreadable, WordInLine::Refused)
}

/// Reads `word` as a move in `position`: SAN, however its capture, check and castling marks are written, or coordinates.
pub fn resolve(position: &Chess, word: &[u8]) -> Resolved {
    let word = strip(word);
    if word.is_empty() {
        return Resolved::Aside;
    }
    let mut refusal = None;
    for written in readings(word) {
        if written.what == WrittenMove::Null {
            return Resolved::Null;
        }
        if let Some(resolved) = chess::resolve(position, position.checkers(), &written) {
            return Resolved::Move(resolved.played);
        }
        if let Some(castling) = castling_as_king_move(position, &written) {
            return Resolved::Move(castling);
        }
        let reason = refuse(position, &written, History { start: position, line: &[] });
        if matches!(reason, Refusal::Ambiguous { .. } | Refusal::PromotionMissing) {
            return Resolved::Ambiguous(answering(position, &written));
        }
        refusal.get_or_insert(reason);
    }
    refusal.map_or(Resolved::Unreadable, Resolved::Illegal)
}

/// The readings of a word, the likeliest first: as it stands; with a small `b` for the bishop; with German letters. Coordinates
/// leave no doubt: the `b` of `b2b4` is a file.
fn readings(word: &[u8]) -> impl Iterator<Item = WrittenSan> + '_ {
    let plain = WrittenSan::read(word);
    let coordinates = plain.is_some_and(|written| matches!(written.what, WrittenMove::Coordinates { .. }));
    let letter = match word.first() {
        _ if coordinates => None,
        Some(b'b') => Some(b'B'),
        Some(b'S') => Some(b'N'),
        Some(b'L') => Some(b'B'),
        Some(b'T') => Some(b'R'),
        Some(b'D') => Some(b'Q'),
        _ => None,
    };
    let other = move || letter.and_then(|letter| WrittenSan::read(&[&[letter], &word[1..]].concat()));
    plain.into_iter().chain(std::iter::once_with(other).flatten())
}

/// Castling written as a move of the king to its new square: `Kg1`.
fn castling_as_king_move(position: &Chess, written: &WrittenSan) -> Option<Move> {
    let WrittenMove::Normal { role: Role::King, to, .. } = written.what else { return None };
    position.legal_moves().into_iter().find(|played| {
        let Move::Castle { king, .. } = *played else { return false };
        played.castling_side().is_some_and(|side| to == Square::from_coords(side.king_to_file(), king.rank()))
    })
}

/// The legal moves that answer to what is written.
fn answering(position: &Chess, written: &WrittenSan) -> Vec<Move> {
    position
        .legal_moves()
        .into_iter()
        .filter(|played| match written.what {
            WrittenMove::Normal { role, file, rank, to, .. } => {
                !played.is_castle()
                    && played.role() == role
                    && played.to() == to
                    && played.from().is_some_and(|from| {
                        file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
                    })
            }
            WrittenMove::Coordinates { from, to, .. } => played.from() == Some(from) && played.to() == to,
            _ => false,
        })
        .collect()
}

/// Takes off move numbers before a move and what stands beside it that is no part of it.
fn strip(word: &[u8]) -> &[u8] {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut word = word;
    if digits > 0 && word.get(digits) == Some(&b'.') {
        word = &word[digits..];
    }
    if let [b'#', rest @ ..] = word
        && rest.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-')
    {
        return b"";
    }
    while let [b'.' | b',' | b'(' | b'*', rest @ ..] = word {
        word = rest;
    }
    while let [rest @ .., b',' | b'*'] = word {
        word = rest;
    }
    let aside = word.iter().all(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?' | b'.'))
        || matches!(word, b"mate" | b"ch" | b"ch." | b"dis" | b"ep" | b"e.p.")
        || (word.iter().all(u8::is_ascii_digit) && !matches!(word, b"00" | b"000" | b"0000"));
    if aside { b"" } else { word }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn read(fen: &str, word: &str) -> Resolved {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        resolve(&position, word.as_bytes())
    }

    #[test]
    fn spelling_does_not_matter() {
        let fen = "r3k2r/1P3ppp/8/3pP3/1b6/2N2N2/3P1PPP/R3K2R w KQkq d6 0 20";
        for word in [
            "O-O", "0-0", "OO", "e1g1", "e1h1", "Kg1", "exd6", "ed6", "e5d6", "exd6e.p.", "e5xd6", "Nd4", "Nfd4", "Nf3d4",
            "Nxd4+", "nd4", "Sd4", "1.Nd4", "Nd4!?", "Nd4,", "bxa8=Q", "b7a8q", "bxa8(Q)", "ba8Q", "Nxd5", "b8=Q#",
        ] {
            assert!(matches!(read(fen, word), Resolved::Move(_)), "{word}: {:?}", read(fen, word));
        }
        for word in ["Ne5", "Qd1", "e6f7", "O-O-O-O", "a3", "e4=Q"] {
            assert!(!matches!(read(fen, word), Resolved::Move(_)), "{word}: {:?}", read(fen, word));
        }
        assert!(matches!(read(fen, "b8"), Resolved::Ambiguous(_)));
        for word in ["+", "12.", "#3", "mate", "...", "3"] {
            assert_eq!(read(fen, word), Resolved::Aside, "{word}");
        }
        assert_eq!(read(fen, "hello"), Resolved::Unreadable);
        assert!(matches!(read(fen, "b7a8b"), Resolved::Move(played) if played.promotion() == Some(Role::Bishop)));
    }

    #[test]
    fn the_file_of_coordinates_is_no_bishop() {
        // The bishop on e2 could go to b5, and the pawn on b2 cannot.
        let fen = "4k3/8/8/8/8/8/1P2B3/4K3 w - - 0 1";
        assert!(matches!(read(fen, "b2b5"), Resolved::Illegal(_)));
        assert!(matches!(read(fen, "bb5"), Resolved::Move(_)));
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        let word = |word: &str| word_in_line(&position, position.checkers(), word.as_bytes());
        assert!(matches!(word("b2b5"), WordInLine::Refused(_)));
        assert!(matches!(word("b2b4"), WordInLine::Move(_)));
        assert!(matches!(word("0000"), WordInLine::Null(_)));
        assert_eq!(word("1."), WordInLine::Aside);
        assert_eq!(word("hello"), WordInLine::Unreadable);
    }
}
