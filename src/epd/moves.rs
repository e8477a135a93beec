//! Moves in operands, read leniently. The spelling of a move is noted separately from its meaning.

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Chess, Move, Position, Role, Square};

use super::{Opcode, Operation, Operations};
use crate::{
    chess::{
        self, CheckMark, History, IllegalMove, Quirks, WrittenMove, WrittenSan, checkers_after, explain_illegal_move,
        has_legal_move,
    },
    text::Span,
};

/// The meaning of a word among moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// One legal move.
    Move(Move),
    /// A null move.
    Null,
    /// A move that is not legal, and why.
    Illegal(IllegalMove),
    /// A move that can mean several legal moves.
    Ambiguous(Vec<Move>),
    /// Not a move, but harmless: a move number, a separate check mark, a mate distance.
    Aside,
    /// Not readable as a move.
    Unreadable,
}

/// A way of writing moves that is not SAN, but can be the style of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Form {
    /// In coordinates: `e2e4`, `Ng1-f3`.
    Squares,
    /// Several moves with commas between them.
    Commas,
    /// Without `+` or `#`.
    NoCheckMark,
    /// Without `x`.
    NoCaptureMark,
    /// With `!` or `?`.
    Judgement,
    /// With superfluous disambiguation.
    Origin,
    /// Any other: piece letters of other languages, castling with zeros, promotions without `=`,
    /// separate marks.
    Other,
}

impl Form {
    /// Every form.
    pub const ALL: [Form; 7] =
        [Form::Squares, Form::Commas, Form::NoCheckMark, Form::NoCaptureMark, Form::Judgement, Form::Origin, Form::Other];

    /// A word that identifies the form.
    pub const fn as_str(self) -> &'static str {
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

/// A wrong mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalseMark {
    /// `x`, but the move is not a capture.
    Capture,
    /// `+`, but the move does not give check.
    Check,
    /// `#`, but the move is not checkmate.
    Mate,
}

/// How a word differs from the SAN of the move it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Not at all, or the word is not a legal move.
    San,
    /// It is written in another form.
    Form(Form),
    /// It has a wrong mark.
    False(FalseMark),
}

/// For each form, how many moves can have it, and how many have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormCounts([(u32, u32); Form::ALL.len()]);

impl FormCounts {
    /// How many moves can have `form`, and how many have it.
    pub const fn of(&self, form: Form) -> (u32, u32) {
        self.0[form as usize]
    }

    fn note(&mut self, form: Form, has_it: bool) {
        let (possible, actual) = &mut self.0[form as usize];
        *possible += 1;
        *actual += u32::from(has_it);
    }
}

/// How many moves in canonical SAN there are. They have none of the forms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CanonicalMoves {
    /// All moves.
    pub moves: u32,
    /// The moves that capture.
    pub captures: u32,
    /// The moves that give check.
    pub checks: u32,
    /// Operations with several of them, without commas.
    pub lists: u32,
}

impl CanonicalMoves {
    /// How many of the moves could have `form`.
    #[inline]
    pub const fn possible(self, form: Form) -> u32 {
        match form {
            Form::Squares | Form::Judgement | Form::Origin | Form::Other => self.moves,
            Form::NoCaptureMark => self.captures,
            Form::NoCheckMark => self.checks,
            Form::Commas => self.lists,
        }
    }
}

/// A word among the moves of an operation.
#[derive(Clone, Debug)]
pub struct MoveWord {
    /// The index of its operation, from 0.
    pub operation: usize,
    /// The word, with a separate mark after it.
    pub place: Span,
    /// What the word means.
    pub resolved: Resolved,
    /// Its ply in a variation, from 1; 1 outside variations.
    pub ply: u32,
    /// How it is written.
    pub spelling: Spelling,
    /// Whether it is in a comment.
    pub in_comment: bool,
}

/// Reads the words of all operations that contain moves of the position `start`: `bm`, `am`, `pm`,
/// `sm`, the variation `pv`, and a `c0` with scores of moves. A variation is read up to its first
/// illegal move.
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
            while let Some(part) = places.next_if(|next| continues_move(place.of(self.text), next.of(self.text))) {
                apart |= !is_mark(place.of(self.text));
                place.end = part.end;
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
        // Nearly every word is canonical.
        let canonical = WrittenSan::canonical(core);
        let found =
            canonical.and_then(|written| chess::resolve(position, position.checkers(), &written).map(|found| (written, found)));
        let (resolved, mut spelling) = match found {
            Some((written, found)) => (Resolved::Move(found.played), self.spelling(&written, &found, core)),
            None => self.other_word(position, core),
        };
        let Resolved::Move(played) = resolved else { return (resolved, Spelling::San, None) };
        let mut after = position.clone();
        after.play_unchecked(played);
        let mark = canonical.map_or_else(|| mark_of(core), |written| written.mark);
        if spelling != Spelling::Form(Form::Squares) {
            let check = checkers_after(&after, played).any();
            let mate = check && !has_legal_move(&after);
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

    /// The spelling of a move, apart from its check mark.
    fn spelling(&mut self, written: &WrittenSan, found: &chess::Resolved, core: &[u8]) -> Spelling {
        let names_origin = match written.what {
            WrittenMove::Coordinates { .. } => true,
            WrittenMove::Normal { file, rank, .. } => file.is_some() && rank.is_some(),
            _ => false,
        };
        if written.quirks.has(Quirks::LONG_FORM) && names_origin {
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
            WrittenMove::Normal { file, rank, .. } if !found.disambiguation_is_canonical(file, rank) => {
                Spelling::Form(Form::Origin)
            }
            _ => Spelling::San,
        }
    }

    /// Reads a word that is not canonical, or not a legal move.
    #[cold]
    fn other_word(&mut self, position: &Chess, core: &[u8]) -> (Resolved, Spelling) {
        let resolved = resolve(position, core);
        let Resolved::Move(played) = resolved else { return (resolved, Spelling::San) };
        let written = readings(core).next();
        let found = written.and_then(|written| chess::resolve(position, position.checkers(), &written));
        let spelling = match (written, found) {
            (Some(written), Some(found)) if found.played == played => self.spelling(&written, &found, core),
            _ => Spelling::San,
        };
        // What is not canonical is in some form, such as with letters of another language.
        let spelling = if spelling == Spelling::San { Spelling::Form(Form::Other) } else { spelling };
        (resolved, spelling)
    }

    /// Reads a comment with scores of moves.
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

/// Whether a comment consists of moves with scores, such as `Nf3=10, e4=5`.
pub fn is_scored_moves(comment: &[u8]) -> bool {
    let whole = Span::new(0, comment.len());
    let scored = |item: Span| {
        let item = item.of(comment);
        score_mark(item).is_some_and(|mark| WrittenSan::read(&item[..mark]).is_some())
    };
    memchr::memchr(b'=', comment).is_some() && items(comment, whole).all(scored)
}

/// The parts of `place` between commas, without surrounding whitespace.
fn items(text: &[u8], place: Span) -> impl Iterator<Item = Span> + '_ {
    let mut start = place.start;
    place.of(text).split(|byte| *byte == b',').map(move |item| {
        let trimmed = item.trim_ascii_start();
        let trimmed_start = start + item.len() - trimmed.len();
        start += item.len() + 1;
        Span::new(trimmed_start, trimmed_start + trimmed.trim_ascii_end().len())
    })
}

/// The index of the `=` between a move and its score.
fn score_mark(item: &[u8]) -> Option<usize> {
    let mark = memchr::memrchr(b'=', item)?;
    let score = &item[mark + 1..];
    (!score.is_empty() && score.iter().all(u8::is_ascii_digit)).then_some(mark)
}

/// The check mark after a move, whatever the language of its piece letter.
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

/// Whether `next` belongs to the move `word` despite the space between them: a mark, the promotion
/// in `f8 = Q`, or a part of `O - O`.
fn continues_move(word: &[u8], next: &[u8]) -> bool {
    let is_castling = |word: &[u8]| word.iter().all(|byte| matches!(byte, b'O' | b'o' | b'0' | b'-' | b' '));
    let is_piece =
        || matches!(next.first(), Some(b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n')) && strip(next).len() == 1;
    is_mark(next)
        || next.first() == Some(&b'=')
        || word.ends_with(b"=") && is_piece()
        || is_castling(word) && is_castling(next) && (word.ends_with(b"-") || next.starts_with(b"-"))
}

/// Whether a word consists of marks that belong to the move before it.
fn is_mark(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?'))
}

impl Operation {
    /// The words among its operands, separated by whitespace and commas.
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

/// The meaning of a word in a line of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordInLine {
    /// One legal move.
    Move(Move),
    /// A null move.
    Null(WrittenSan),
    /// A move that is illegal or ambiguous.
    Refused(WrittenSan),
    /// Not a move, but harmless.
    Aside,
    /// Not readable as a move.
    Unreadable,
}

/// Reads `word` as the next move of a line that has reached `position`, as leniently as
/// [`resolve`].
///
/// `checkers` are the pieces that give check there. The caller explains why a move is refused,
/// because it knows the moves before it.
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

/// The first reading of `word` as a move, legal or not.
pub fn written_move(word: &[u8]) -> Option<WrittenSan> {
    readings(strip(word)).next()
}

/// Reads `word` as a move in `position`: SAN with any capture, check and castling marks, or
/// coordinates.
pub fn resolve(position: &Chess, word: &[u8]) -> Resolved {
    let word = strip(word);
    if word.is_empty() {
        return Resolved::Aside;
    }
    let mut first_reason = None;
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
        let reason = explain_illegal_move(position, &written, History { start: position, line: &[] });
        if matches!(reason, IllegalMove::Ambiguous { .. } | IllegalMove::PromotionMissing) {
            return Resolved::Ambiguous(matching(position, &written));
        }
        first_reason.get_or_insert(reason);
    }
    first_reason.map_or(Resolved::Unreadable, Resolved::Illegal)
}

/// The readings of a word, the most likely first: as written, with a lowercase `b` for the bishop,
/// with German letters. In coordinates such as `b2b4`, the `b` is always a file.
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

/// Castling written as a king move to its new square: `Kg1`.
fn castling_as_king_move(position: &Chess, written: &WrittenSan) -> Option<Move> {
    let WrittenMove::Normal { role: Role::King, to, .. } = written.what else { return None };
    position.legal_moves().into_iter().find(|played| {
        let Move::Castle { king, .. } = *played else { return false };
        played.castling_side().is_some_and(|side| to == Square::from_coords(side.king_to_file(), king.rank()))
    })
}

/// The legal moves that a written move can mean.
fn matching(position: &Chess, written: &WrittenSan) -> Vec<Move> {
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

/// Removes the move number before a move, and punctuation that is not part of it.
fn strip(word: &[u8]) -> &[u8] {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut word = word;
    if word.get(digits) == Some(&b'.') {
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
    let is_aside = word.iter().all(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?' | b'.'))
        || matches!(word, b"mate" | b"ch" | b"ch." | b"dis" | b"ep" | b"e.p.")
        || (word.iter().all(u8::is_ascii_digit) && !matches!(word, b"00" | b"000" | b"0000"));
    if is_aside { b"" } else { word }
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
    fn the_file_of_coordinates_is_not_a_bishop() {
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
