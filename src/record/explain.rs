//! One position, explained: what its fields say, what can be played from it, and everything that is
//! wrong with it.

use shakmaty::{Bitboard, ByRole, Color, Position};

use super::{Diagram, Evidence, RecordEvidence, facts_of_line, line_bytes::check_line_bytes};
use crate::{
    chess::{
        Variant,
        retro::Effort,
        winnability::{cannot_checkmate, is_dead},
    },
    rules::{
        ActiveRules, Declared, Finding, Findings, Marks, Severity,
        facts::{PositionFacts, RecordBytes},
        fen::field_count,
        shown,
    },
    text::Span,
};

/// A position and all that can be said about it.
#[derive(Debug)]
pub struct Explanation<'a> {
    /// Its fields, as written and as read.
    pub facts: PositionFacts<'a>,
    /// All findings of every severity, the worst first. Places are bytes of the line; the line is
    /// line 1 of record 1. Label and fingerprint, which tell records of a corpus apart, are empty.
    pub findings: Vec<Finding>,
    /// What can be played.
    pub state: State,
}

/// What can be played from a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The pieces that give check to the side to move.
    pub checkers: Bitboard,
    /// How many legal moves there are; `None` where the position cannot be played from.
    pub legal_moves: Option<usize>,
    /// Whether the game is over, and how.
    pub end: Option<End>,
    /// The only side that can checkmate by some sequence of legal moves, if it is proven that the
    /// other one cannot.
    pub only_winner: Option<Color>,
}

/// How a game is over in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side to move is mated.
    Checkmate,
    /// The side to move is stalemated.
    Stalemate,
    /// Neither side can mate by any sequence of legal moves.
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

/// The pieces of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SidePieces {
    /// How many there are of each role.
    pub roles: ByRole<usize>,
}

impl SidePieces {
    /// Number of pieces, pawns included.
    pub fn count(&self) -> usize {
        self.roles.iter().sum()
    }

    /// Their points: pawn 1, knight 3, bishop 3, rook 5, queen 9; kings count nothing.
    pub fn points(&self) -> usize {
        let ByRole { pawn, knight, bishop, rook, queen, king: _ } = self.roles;
        pawn + 3 * knight + 3 * bishop + 5 * rook + 9 * queen
    }
}

/// Explains the position in a line without its line ending: a FEN, an EPD record with its
/// operations, or a piece placement alone. `variant` is declared by the user. `None` if the line
/// contains no position because it is blank or a comment.
///
/// What depends on a whole input is decided as if the line were one. The counters `0 1`, `1 0`,
/// `0 0` and `1 1` are placeholders. A piece placement alone has no finding about the missing
/// fields.
pub fn explain_line(line: &[u8], variant: Option<Variant>) -> Option<Explanation<'_>> {
    explain_line_with(line, variant, Effort::Quick)
}

/// As [`explain_line`], with this effort in searches for the past of the position.
pub fn explain_line_with(line: &[u8], variant: Option<Variant>, effort: Effort) -> Option<Explanation<'_>> {
    let mut findings = Findings::new();
    let declared = Declared { effort, ..Declared::by_user(variant) };
    let (facts, evidence) = facts_of_line(line, Span::new(0, line.len()), declared, &mut findings)?;
    let bytes = RecordBytes { text: line, start: 0, end: line.len(), at_input_start: true };
    check_line_bytes(&bytes, ActiveRules::all(), &mut findings);
    let mut whole = Evidence::default();
    whole.notes.declared = variant;
    whole.note(&RecordEvidence { position: Some(evidence), ..RecordEvidence::default() }, line);

    let mut findings = std::mem::take(findings.all());
    let placement_alone = facts.fen.count() == 1 && facts.board.is_some();
    findings.retain(|finding| {
        whole.notes.hold_all(finding.conditions) && !(placement_alone && finding.rule.code == field_count::RULE.code)
    });
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
            _ => is_dead(start).then_some(End::Dead),
        };
        let loser = Color::ALL.into_iter().find(|color| end.is_none() && cannot_checkmate(start, *color));
        State { checkers, legal_moves: Some(legal_moves), end, only_winner: loser.map(|loser| !loser) }
    }
}

impl Explanation<'_> {
    /// How many findings are of `severity` or worse.
    pub fn at_least(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity >= severity).count()
    }

    /// The pieces of a side, where the board can be read.
    pub fn pieces(&self, color: Color) -> Option<SidePieces> {
        let board = self.facts.board.as_ref()?;
        Some(SidePieces { roles: ByRole::new_with(|role| board.by_piece(role.of(color)).count()) })
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

    /// The squares of this board that a finding is about. A finding about a later position of a
    /// variation has none.
    pub fn squares_of(&self, finding: &Finding) -> Bitboard {
        let position = self.facts.fen.position().of(self.facts.text);
        if finding.fen == shown(position) { finding.marks.squares } else { Bitboard::EMPTY }
    }

    /// The board with the squares that errors and warnings are about, if the piece placement can be
    /// read.
    pub fn diagram(&self) -> Option<Diagram> {
        let marks = Marks { squares: self.squares_at_fault(), ..Marks::default() };
        Some(Diagram::new(self.facts.board.clone()?, self.facts.turn, marks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(line: &str) -> Explanation<'_> {
        explain_line(line.as_bytes(), None).expect("a position")
    }

    fn codes(line: &str) -> Vec<String> {
        explained(line).findings.iter().map(|finding| finding.rule.code.to_string()).collect()
    }

    #[test]
    fn lines_without_a_position_are_passed_over() {
        for line in ["", "  ", "# 8/8", "; 8/8", "perft 1 20"] {
            assert!(explain_line(line.as_bytes(), None).is_none(), "{line:?}");
        }
    }

    #[test]
    fn states() {
        let state = |line: &str| {
            let state = explained(line).state;
            (state.checkers.count(), state.legal_moves, state.end)
        };
        assert_eq!(state("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), (0, Some(20), None));
        assert_eq!(state("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"), (1, Some(4), None));
        assert_eq!(state("6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1"), (1, Some(0), Some(End::Checkmate)));
        assert_eq!(state("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), (0, Some(0), Some(End::Stalemate)));
        assert_eq!(state("4k3/8/8/8/8/8/8/4K3 b - - 0 1"), (0, Some(5), Some(End::Dead)));
        for broken in ["4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "8/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3", "xx"] {
            assert_eq!(state(broken), (0, None, None), "{broken}");
        }
    }

    #[test]
    fn a_placement_alone_lacks_nothing() {
        assert_eq!(codes("4k3/8/8/8/8/8/8/R3K3"), [""; 0]);
        assert_eq!(codes("4k3/8/8/8/8/8/8/8"), ["POS01"]);
        assert_eq!(codes("4k3/8/8/8/8/8/8/R3K3 w"), ["FEN01"]);
    }

    #[test]
    fn counters_that_say_nothing_are_fillers() {
        let pawn_check = "4k3/8/8/8/4p3/5K2/8/8 w - -";
        assert_eq!(codes(&format!("{pawn_check} 1 0")), ["CTR09"]);
        assert_eq!(codes(&format!("{pawn_check} 3 60")), ["CTR02"]);
        assert_eq!(explained(&format!("{pawn_check} 0 0")).findings[0].severity, Severity::Info);
        assert_eq!(explained(&format!("{pawn_check} 0 0")).at_least(Severity::Warning), 0);
    }

    #[test]
    fn chess960_is_declared_or_shown() {
        let bare = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
        assert_eq!(explained("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1").findings.len(), 1);
        assert!(explain_line(bare, Some(Variant::Chess960)).is_some_and(|explanation| explanation.findings.is_empty()));
    }

    #[test]
    fn the_worst_comes_first() {
        assert_eq!(codes("r3k2r/8/8/8/8/8/4K3/R6R w KQkq e3 0 1 bm Kd1;"), ["CAS01", "EPS01", "EPD01"]);
    }

    #[test]
    fn en_passant_squares_are_good_for_something_or_not() {
        let capture = |line: &str| explained(line).capture();
        assert_eq!(capture("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), Some(Capture::Legal));
        assert_eq!(capture("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"), Some(Capture::NoPawn));
        assert_eq!(capture("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"), Some(Capture::Illegal));
        assert_eq!(capture("4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1"), Some(Capture::Unknown));
        assert_eq!(capture("4k3/8/8/8/3pP3/8/8/8 b - e3 0 1"), Some(Capture::Unknown));
        assert_eq!(capture("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"), None);
    }

    #[test]
    fn pieces_are_counted() {
        let explanation = explained("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RN2KBNR w KQkq - 0 1");
        let of = |color| explanation.pieces(color).map(|pieces| (pieces.count(), pieces.points()));
        assert_eq!((of(Color::White), of(Color::Black)), (Some((14, 27)), Some((16, 39))));
        assert_eq!(explained("xx").pieces(Color::White), None);
    }
}
