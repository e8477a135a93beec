//! One position, explained: what its fields say, what can be played from it, and everything that is wrong with it.

use shakmaty::{Bitboard, ByRole, Color, Position, Square};

use super::{chunk::ask_about_line_bytes, totals::Totals};
use crate::{
    chess::{Span, fen::RightReading},
    rules::{
        Declared, Family, Finding, Findings, PositionEvidence, Severity,
        facts::{PositionFacts, RecordBytes},
        facts_of_line,
        fen::field_count,
    },
};

/// A position and all that can be said about it.
#[derive(Debug)]
pub struct Explanation<'a> {
    /// Its fields, as written and as read.
    pub facts: PositionFacts<'a>,
    /// All findings of every severity, the worst first. Places are bytes of the line; the line is line 1 of record 1. Label
    /// and fingerprint, which tell records of a corpus apart, are empty.
    pub findings: Vec<Finding>,
    /// What can be played.
    pub state: State,
}

/// What can be played from a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The men that give check to the side to move.
    pub checkers: Bitboard,
    /// How many legal moves there are; `None` where the position cannot be played from.
    pub legal_moves: Option<usize>,
    /// Whether the game is over, and how.
    pub end: Option<End>,
}

/// How a game is over in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side to move is mated.
    Checkmate,
    /// The side to move is stalemated.
    Stalemate,
    /// Neither side can mate with the men that are left.
    Dead,
}

/// What an en passant target square is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// A capture on it is legal.
    Legal,
    /// Pawns attack it, but no capture is legal.
    Illegal,
    /// No pawn attacks it.
    NoPawn,
    /// The square itself is wrong, or the position cannot be played from.
    Unknown,
}

/// The men of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Men {
    /// How many there are of each role.
    pub roles: ByRole<usize>,
}

impl Men {
    /// All of them.
    pub fn count(&self) -> usize {
        self.roles.iter().sum()
    }

    /// Their points: pawn 1, knight 3, bishop 3, rook 5, queen 9; kings count nothing.
    pub fn points(&self) -> usize {
        let ByRole { pawn, knight, bishop, rook, queen, king: _ } = self.roles;
        pawn + 3 * knight + 3 * bishop + 5 * rook + 9 * queen
    }
}

/// Explains the position in a line without its terminator: a FEN, an EPD record with its operations, or a piece placement alone.
/// `declared` is what is known of it beside the line. `None` where the line holds no position: it is blank or a comment.
///
/// What depends on a whole input is settled as if the line were one: counters that say nothing (`0 1`, `1 0`, `0 0`) are fillers,
/// others are taken at their word; castling rights that only Chess960 knows make it Chess960. A piece placement alone is not
/// accused of lacking the other fields.
pub fn explain_line(line: &[u8], declared: Declared) -> Option<Explanation<'_>> {
    let mut findings = Findings::new();
    let facts = facts_of_line(line, Span::new(0, line.len()), declared, &mut findings)?;
    let bytes = RecordBytes { text: line, start: 0, end: line.len(), at_input_start: true };
    let mut totals = Totals::default();
    (totals.multibyte, totals.not_utf8) = ask_about_line_bytes(&bytes, &mut findings);
    let evidence = PositionEvidence::of(&facts);
    totals.note(PositionEvidence { chess960: evidence.chess960 || declared.chess960, ..evidence });

    let mut findings = std::mem::take(findings.all());
    let placement_alone = facts.fen.count() == 1 && facts.board.is_some();
    findings
        .retain(|finding| totals.hold(finding.condition) && !(placement_alone && finding.rule.code == field_count::RULE.code));
    findings.sort_by(|a, b| (b.severity, a.place, a.rule.code, &a.message).cmp(&(a.severity, b.place, b.rule.code, &b.message)));
    for finding in &mut findings {
        (finding.line, finding.column, finding.game) = (1, finding.place.start as u64 + 1, 1);
    }
    let state = State::of(&facts);
    Some(Explanation { facts, findings, state })
}

impl State {
    fn of(facts: &PositionFacts<'_>) -> State {
        let checkers = facts.own_checkers();
        let Some(start) = &facts.start else { return State { checkers, ..State::default() } };
        let legal_moves = start.legal_moves().len();
        let end = match legal_moves {
            0 if checkers.any() => Some(End::Checkmate),
            0 => Some(End::Stalemate),
            _ => start.is_insufficient_material().then_some(End::Dead),
        };
        State { checkers, legal_moves: Some(legal_moves), end }
    }
}

impl Explanation<'_> {
    /// How many findings are of `severity` or worse.
    pub fn at_least(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity >= severity).count()
    }

    /// The men of a side, where the board can be read.
    pub fn men(&self, color: Color) -> Option<Men> {
        let board = self.facts.board.as_ref()?;
        Some(Men { roles: ByRole::new_with(|role| board.by_piece(role.of(color)).count()) })
    }

    /// What the en passant target square is good for, if there is one.
    pub fn capture(&self) -> Option<Capture> {
        self.facts.en_passant.flatten()?;
        let Some(en_passant) = self.facts.sound_en_passant() else { return Some(Capture::Unknown) };
        Some(if !self.facts.can_be_attacked(en_passant) {
            Capture::NoPawn
        } else if self.facts.start.is_none() {
            Capture::Unknown
        } else if self.facts.can_be_captured(en_passant) {
            Capture::Legal
        } else {
            Capture::Illegal
        })
    }

    /// The squares that errors and warnings are about.
    pub fn squares_at_fault(&self) -> Bitboard {
        let serious = self.findings.iter().filter(|finding| finding.severity > Severity::Info);
        serious.fold(Bitboard::EMPTY, |squares, finding| squares | self.squares_of(finding))
    }

    /// The squares that a finding is about: those that its words name, the men that its place describes, and the corners
    /// where rooks are missing.
    pub fn squares_of(&self, finding: &Finding) -> Bitboard {
        if self.facts.board.is_none()
            || !matches!(finding.rule.code.family(), Family::Fen | Family::Pos | Family::Cas | Family::Eps | Family::Ctr)
        {
            return Bitboard::EMPTY;
        }
        named(&finding.message) | named(&finding.found) | self.described(finding.place) | self.missing_rooks(finding.place)
    }

    /// The men that stand in `place`, a part of the piece placement.
    fn described(&self, place: Span) -> Bitboard {
        let (Some(board), Some(placement)) = (&self.facts.board, self.facts.fen.placement()) else { return Bitboard::EMPTY };
        if place == placement || place.start < placement.start || place.end > placement.end {
            return Bitboard::EMPTY;
        }
        board.occupied().into_iter().filter(|square| place.covers(self.facts.square_place(*square))).collect()
    }

    /// The corners in which a standard king misses the rooks of the castling letters in `place`.
    fn missing_rooks(&self, place: Span) -> Bitboard {
        let missing = self
            .facts
            .rights()
            .filter(|right| right.reading == RightReading::RookMissing && place.covers(self.facts.letter_place(right.letter)));
        missing.map(|right| right.letter.standard_rook()).collect()
    }

    /// The men that give check, to either king, and the kings they check.
    pub fn checks(&self) -> Bitboard {
        let of = |color: Color| {
            let checkers = *self.facts.checkers.get(color);
            let king = self.facts.kings.get(color).filter(|_| checkers.any());
            king.map_or(Bitboard::EMPTY, |king| checkers | Bitboard::from(king))
        };
        of(Color::White) | of(Color::Black)
    }
}

/// The squares that a text names as words of their own.
fn named(text: &str) -> Bitboard {
    text.split(|character: char| !character.is_alphanumeric()).filter_map(|word| word.parse::<Square>().ok()).collect()
}
