//! An explained position as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use shakmaty::{Bitboard, Color};

use crate::{
    record::{Capture, End, Explanation, Men},
    rules::{Finding, Severity, Span},
};

/// An explained position for machines. The names of the fields and what they hold are stable; new ones may be added.
/// What is not there, cannot be read or makes no sense is `null`; places are bytes of the line, the end exclusive.
#[derive(Debug, Serialize)]
pub struct ExplanationRecord {
    /// The line as given; bytes that are not UTF-8 are replaced by U+FFFD.
    pub text: String,
    /// The six fields.
    pub fields: FieldsRecord,
    /// What stands on the board: squares, and the letters of FEN for the men on them.
    pub board: Option<BTreeMap<String, char>>,
    /// The EPD operations as written.
    pub operations: Option<String>,
    /// The men of each side.
    pub men: Option<Sides<MenRecord>>,
    /// Points (pawn 1, knight 3, bishop 3, rook 5, queen 9), and by how many White is ahead.
    pub material: Option<MaterialRecord>,
    /// What can be played.
    pub state: StateRecord,
    /// Everything that was found, the worst first.
    pub findings: Vec<FindingRecord>,
}

/// The six fields, as written and as read.
#[derive(Debug, Serialize)]
pub struct FieldsRecord {
    /// Piece placement, as written.
    pub placement: Option<String>,
    /// Side to move: `white` or `black`.
    pub side_to_move: FieldRecord<&'static str>,
    /// The castlings that king and rooks allow, of what is written.
    pub castling: FieldRecord<Vec<RightRecord>>,
    /// En passant target square.
    pub en_passant: EnPassantRecord,
    /// Halfmove clock.
    pub halfmove_clock: FieldRecord<u64>,
    /// Fullmove number.
    pub fullmove_number: FieldRecord<u64>,
}

/// A field as written and as read.
#[derive(Debug, Serialize)]
pub struct FieldRecord<T> {
    /// As written.
    pub text: Option<String>,
    /// What it says.
    pub value: Option<T>,
}

/// A castling that is available.
#[derive(Debug, Serialize)]
pub struct RightRecord {
    /// Whose it is: `white` or `black`.
    pub color: &'static str,
    /// Where the king stands.
    pub king: String,
    /// Where the rook stands.
    pub rook: String,
}

/// The en passant field.
#[derive(Debug, Serialize)]
pub struct EnPassantRecord {
    /// As written.
    pub text: Option<String>,
    /// The target square.
    pub square: Option<String>,
    /// `legal`; `illegal`: pawns attack the square, but no capture is legal; `no-pawn`: none attacks it;
    /// `unknown`: the square is wrong, or the position cannot be played from.
    pub capture: Option<&'static str>,
}

/// Something that both sides have.
#[derive(Debug, Serialize)]
pub struct Sides<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

/// How many men a side has.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct MenRecord {
    pub total: usize,
    pub kings: usize,
    pub queens: usize,
    pub rooks: usize,
    pub bishops: usize,
    pub knights: usize,
    pub pawns: usize,
}

/// Material in points.
#[derive(Debug, Serialize)]
pub struct MaterialRecord {
    /// White's points.
    pub white: usize,
    /// Black's points.
    pub black: usize,
    /// White's points less Black's.
    pub balance: i64,
}

/// What can be played.
#[derive(Debug, Serialize)]
pub struct StateRecord {
    /// The squares of the men that give check to the side to move.
    pub checkers: Vec<String>,
    /// How many legal moves there are; `null` where the position cannot be played from.
    pub legal_moves: Option<usize>,
    /// `checkmate`, `stalemate`, `dead`, or `null` where the game goes on.
    pub end: Option<&'static str>,
}

/// A finding.
#[derive(Debug, Serialize)]
pub struct FindingRecord {
    /// The code of the rule.
    pub rule: String,
    /// Its name.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where it is.
    pub place: Span,
    /// The squares that it is about.
    pub squares: Vec<String>,
    /// What stands there.
    pub found: Option<String>,
    /// What should.
    pub expected: Option<String>,
    /// `certain` or `likely`, where `expected` is a repair.
    pub repair: Option<&'static str>,
    /// A sentence.
    pub message: String,
    /// What to do about such findings.
    pub fix: &'static str,
}

impl From<&Explanation<'_>> for ExplanationRecord {
    fn from(explanation: &Explanation<'_>) -> ExplanationRecord {
        let facts = &explanation.facts;
        let men = explanation.men(Color::White).zip(explanation.men(Color::Black));
        let operations = lossy(facts.fen.tail.of(facts.text));
        ExplanationRecord {
            text: lossy(facts.text),
            fields: fields(explanation),
            board: facts.board.as_ref().map(|board| board.iter().map(|(square, man)| (square.to_string(), man.char())).collect()),
            operations: (!operations.is_empty()).then_some(operations),
            men: men.map(|(white, black)| Sides { white: white.into(), black: black.into() }),
            material: men.map(|(white, black)| {
                let (white, black) = (white.points(), black.points());
                MaterialRecord { white, black, balance: white as i64 - black as i64 }
            }),
            state: StateRecord {
                checkers: squares(explanation.state.checkers),
                legal_moves: explanation.state.legal_moves,
                end: explanation.state.end.map(|end| match end {
                    End::Checkmate => "checkmate",
                    End::Stalemate => "stalemate",
                    End::Dead => "dead",
                }),
            },
            findings: explanation.findings.iter().map(|finding| finding_record(explanation, finding)).collect(),
        }
    }
}

fn fields(explanation: &Explanation<'_>) -> FieldsRecord {
    let facts = &explanation.facts;
    let text = |span: Option<Span>| span.map(|span| lossy(span.of(facts.text)));
    let rights = facts.rights().filter_map(|right| {
        let color = right.letter.color();
        let king = (*facts.kings.get(color))?;
        Some(RightRecord { color: lowercase_color(color), king: king.to_string(), rook: right.reading.rook()?.to_string() })
    });
    FieldsRecord {
        placement: text(facts.fen.placement()),
        side_to_move: FieldRecord { text: text(facts.fen.turn()), value: facts.turn.map(lowercase_color) },
        castling: FieldRecord { text: text(facts.fen.castling()), value: facts.castling_is_readable().then(|| rights.collect()) },
        en_passant: EnPassantRecord {
            text: text(facts.fen.en_passant()),
            square: facts.en_passant.flatten().map(|square| square.to_string()),
            capture: explanation.capture().map(|capture| match capture {
                Capture::Legal => "legal",
                Capture::Illegal => "illegal",
                Capture::NoPawn => "no-pawn",
                Capture::Unknown => "unknown",
            }),
        },
        halfmove_clock: FieldRecord { text: text(facts.fen.halfmove_clock()), value: facts.halfmove_clock },
        fullmove_number: FieldRecord { text: text(facts.fen.fullmove_number()), value: facts.fullmove_number },
    }
}

fn finding_record(explanation: &Explanation<'_>, finding: &Finding) -> FindingRecord {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    FindingRecord {
        rule: finding.rule.code.to_string(),
        name: finding.rule.name,
        severity: finding.severity,
        place: finding.place,
        squares: squares(explanation.squares_of(finding)),
        found: given(&finding.found),
        expected: given(&finding.expected),
        repair: finding.repair.map(|repair| repair.as_str()),
        message: finding.message.clone(),
        fix: finding.rule.fix,
    }
}

impl From<Men> for MenRecord {
    fn from(men: Men) -> MenRecord {
        let roles = men.roles;
        MenRecord {
            total: men.count(),
            kings: roles.king,
            queens: roles.queen,
            rooks: roles.rook,
            bishops: roles.bishop,
            knights: roles.knight,
            pawns: roles.pawn,
        }
    }
}

const fn lowercase_color(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn squares(squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}
