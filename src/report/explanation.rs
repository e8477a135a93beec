//! An explained position as JSON.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use shakmaty::{Bitboard, Color};

use crate::format::{EngineRecord, TablesRecord};
use crate::{
    record::{Capture, Certificate, Consulted, End, Explanation, SidePieces},
    rules::{Finding, Severity, Span},
};

/// An explained position as JSON. Keys are stable, but new ones may be added.
///
/// Missing and invalid values are `null`. Byte offsets count from the start of the line; ends are
/// exclusive.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplanationRecord {
    /// The line as written. Bytes that are not UTF-8 are replaced by U+FFFD.
    pub text: String,
    /// The six FEN fields.
    pub fields: FieldsRecord,
    /// The pieces on the board, as FEN letters by square.
    pub board: Option<BTreeMap<String, char>>,
    /// The EPD operations as written.
    pub operations: Option<String>,
    /// The numbers of pieces, pawns included.
    pub pieces: Option<Sides<PieceCounts>>,
    /// The material in points.
    pub material: Option<MaterialRecord>,
    /// The state of the game.
    pub state: StateRecord,
    /// The verdict of tablebases. Not there if they were not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<TablesRecord>,
    /// The opinion of an engine. Not there if it was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineRecord>,
    /// Whether the position occurs in a game. Not there if that was not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<CertificateRecord>,
    /// The findings, sorted by severity.
    pub findings: Vec<ExplainedFinding>,
}

/// The six FEN fields.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldsRecord {
    /// Piece placement, as written.
    pub placement: Option<String>,
    /// Side to move: `white` or `black`.
    pub side_to_move: FieldRecord<&'static str>,
    /// Castling rights. `value` has those that the places of kings and rooks allow.
    pub castling: FieldRecord<Vec<RightRecord>>,
    /// En passant target square.
    pub en_passant: EnPassantRecord,
    /// Halfmove clock.
    pub halfmove_clock: FieldRecord<u64>,
    /// Fullmove number.
    pub fullmove_number: FieldRecord<u64>,
}

/// A field as written and its value.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldRecord<T> {
    /// The text as it is written.
    pub text: Option<String>,
    /// The value.
    pub value: Option<T>,
}

/// A castling right.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RightRecord {
    /// `white` or `black`.
    pub color: &'static str,
    /// The square of the king.
    pub king: String,
    /// The square of the rook.
    pub rook: String,
}

/// The en passant field.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EnPassantRecord {
    /// The text as it is written.
    pub text: Option<String>,
    /// The target square.
    pub square: Option<String>,
    /// `legal`: an en passant capture is legal. `illegal`: pawns attack the square, but no capture
    /// is legal. `no-pawn`: no pawn attacks the square. `unknown`: the square is not possible, or
    /// the position is not playable.
    pub capture: Option<&'static str>,
}

/// A value for each side.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Sides<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

/// The numbers of pieces of a side.
#[derive(Debug, Serialize, JsonSchema)]
#[allow(missing_docs, reason = "the names are clear")]
pub struct PieceCounts {
    pub total: usize,
    pub kings: usize,
    pub queens: usize,
    pub rooks: usize,
    pub bishops: usize,
    pub knights: usize,
    pub pawns: usize,
}

/// Material in points: pawn 1, knight 3, bishop 3, rook 5, queen 9.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MaterialRecord {
    /// White's points.
    pub white: usize,
    /// Black's points.
    pub black: usize,
    /// White's points minus Black's points.
    pub balance: i64,
}

/// The state of the game.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StateRecord {
    /// The squares of the pieces that give check to the side to move.
    pub checkers: Vec<String>,
    /// The number of legal moves, or `null` if the position is not playable.
    pub legal_moves: Option<usize>,
    /// `checkmate`, `stalemate`, `dead-position`, or `null` if the game is not over.
    pub game_over: Option<&'static str>,
    /// The only side that can checkmate by some sequence of legal moves, if it is proven that the
    /// other one cannot.
    pub only_winner: Option<&'static str>,
}

/// Whether a position occurs in a game of standard chess, as far as that is proven.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CertificateRecord {
    /// `illegal`, `legal` or `open`.
    pub verdict: &'static str,
    /// The code of the rule that proves that the position is illegal.
    pub rule: Option<String>,
    /// The proof.
    pub reason: Option<String>,
    /// The number of plies of a game that leads to the position.
    pub plies: Option<usize>,
    /// The moves of the game in SAN, with move numbers.
    pub moves: Option<String>,
}

impl From<&Certificate> for CertificateRecord {
    fn from(certificate: &Certificate) -> CertificateRecord {
        let game = certificate.game();
        let (rule, reason) = match certificate {
            Certificate::Illegal { rule, reason } => (Some(rule.to_string()), Some(reason.clone())),
            Certificate::Failed { reason } => (None, Some(reason.clone())),
            Certificate::Legal(_) | Certificate::Open | Certificate::Contradiction { .. } => (None, None),
        };
        CertificateRecord {
            verdict: certificate.verdict(),
            rule,
            reason,
            plies: game.map(|game| game.plies),
            moves: game.map(|game| game.moves.clone()),
        }
    }
}

/// A finding.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplainedFinding {
    /// The code of the rule.
    pub rule: String,
    /// The name of the rule.
    pub name: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The first byte of the finding, from 0.
    pub byte: usize,
    /// One past the last byte of the finding.
    pub end_byte: usize,
    /// The squares that the finding is about.
    pub squares: Vec<String>,
    /// The text as written.
    pub found: Option<String>,
    /// The text as it should be.
    pub expected: Option<String>,
    /// `certain` or `likely` if `expected` is a repair.
    pub repair: Option<&'static str>,
    /// The message.
    pub message: String,
    /// How to fix findings of this rule.
    pub fix: &'static str,
}

impl From<&Explanation<'_>> for ExplanationRecord {
    fn from(explanation: &Explanation<'_>) -> ExplanationRecord {
        let facts = &explanation.facts;
        let pieces = explanation.pieces(Color::White).zip(explanation.pieces(Color::Black));
        let operations = lossy(facts.fen.tail.of(facts.text));
        ExplanationRecord {
            text: lossy(facts.text),
            fields: fields(explanation),
            board: (facts.board.as_ref())
                .map(|board| board.iter().map(|(square, piece)| (square.to_string(), piece.char())).collect()),
            operations: (!operations.is_empty()).then_some(operations),
            pieces: pieces.map(|(white, black)| Sides { white: white.into(), black: black.into() }),
            material: pieces.map(|(white, black)| {
                let (white, black) = (white.points(), black.points());
                MaterialRecord { white, black, balance: white as i64 - black as i64 }
            }),
            state: StateRecord {
                checkers: squares(explanation.state.checkers),
                legal_moves: explanation.state.legal_moves,
                game_over: explanation.state.end.map(|end| match end {
                    End::Checkmate => "checkmate",
                    End::Stalemate => "stalemate",
                    End::Dead => "dead-position",
                }),
                only_winner: explanation.state.only_winner.map(color_key),
            },
            tables: None,
            engine: None,
            certificate: None,
            findings: explanation.findings.iter().map(|finding| finding_record(explanation, finding)).collect(),
        }
    }
}

impl ExplanationRecord {
    /// The explanation, what oracles say about its position, and whether it occurs in a game.
    pub fn new(explanation: &Explanation<'_>, consulted: &Consulted, certificate: Option<&Certificate>) -> ExplanationRecord {
        ExplanationRecord {
            tables: explanation.facts.turn.and_then(|turn| TablesRecord::of(consulted, turn)),
            engine: EngineRecord::of(consulted),
            certificate: certificate.map(CertificateRecord::from),
            ..ExplanationRecord::from(explanation)
        }
    }
}

fn fields(explanation: &Explanation<'_>) -> FieldsRecord {
    let facts = &explanation.facts;
    let text = |span: Option<Span>| span.map(|span| lossy(span.of(facts.text)));
    let rights = facts.rights().filter_map(|right| {
        let color = right.letter.color();
        let king = (*facts.kings.get(color))?;
        Some(RightRecord { color: color_key(color), king: king.to_string(), rook: right.reading.rook()?.to_string() })
    });
    FieldsRecord {
        placement: text(facts.fen.placement()),
        side_to_move: FieldRecord { text: text(facts.fen.turn()), value: facts.turn.map(color_key) },
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

fn finding_record(explanation: &Explanation<'_>, finding: &Finding) -> ExplainedFinding {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    ExplainedFinding {
        rule: finding.rule.code.to_string(),
        name: finding.rule.name,
        severity: finding.severity,
        byte: finding.place.start,
        end_byte: finding.place.end,
        squares: squares(explanation.squares_of(finding)),
        found: given(&finding.found),
        expected: given(&finding.what_is_expected()),
        repair: finding.certainty().map(|repair| repair.as_str()),
        message: finding.message.clone(),
        fix: finding.rule.fix,
    }
}

impl From<SidePieces> for PieceCounts {
    fn from(counts: SidePieces) -> PieceCounts {
        let roles = counts.roles;
        PieceCounts {
            total: counts.count(),
            kings: roles.king,
            queens: roles.queen,
            rooks: roles.rook,
            bishops: roles.bishop,
            knights: roles.knight,
            pawns: roles.pawn,
        }
    }
}

const fn color_key(color: Color) -> &'static str {
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
