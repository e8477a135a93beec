//! The main line of a game and its evaluations, as rules look at them.

use super::placeholders::HALFMOVE_CLOCK_REAL;
use shakmaty::{Chess, Color, Move, Position, Role};

use crate::{
    chess::{WrittenSan, fen_of, san_of},
    pgn::{Evaluation, KnownTag, Lexer, MarkerKind, Token},
    rules::{
        Condition, Finding, Span,
        facts::{Ending, EvaluationReading, Evaluator},
    },
};

/// From this many hundredths of a pawn on, a side is winning.
pub(in crate::rules) const DECISIVE: i64 = 300;

/// The side that has made ply `ply`.
pub(in crate::rules) fn mover(facts: &Ending<'_>, ply: u32) -> Color {
    if ply % 2 == 1 { facts.start.turn() } else { !facts.start.turn() }
}

/// The move of ply `ply`; `None` for a null move and beyond the last ply that was played.
pub(in crate::rules) fn played(facts: &Ending<'_>, ply: u32) -> Option<Move> {
    *facts.line.get((ply as usize).checked_sub(1)?)?
}

/// The points of the piece that ply `ply` captures; 0 if it captures nothing.
pub(in crate::rules) fn captured(facts: &Ending<'_>, ply: u32) -> u32 {
    played(facts, ply).and_then(|played| played.capture()).map_or(0, points)
}

/// Whether no later position can equal one before ply `ply`: it is a capture or a pawn move.
pub(in crate::rules) fn is_irreversible(facts: &Ending<'_>, ply: u32) -> bool {
    played(facts, ply).is_some_and(|played| played.is_capture() || played.role() == Role::Pawn)
}

/// The positions from the first one on, up to the last ply or a null move.
pub(in crate::rules) fn positions<'a>(facts: &Ending<'a>) -> impl Iterator<Item = Chess> + use<'a> {
    let mut line = facts.line.iter();
    std::iter::successors(Some(facts.start.clone()), move |position| {
        let played = (*line.next()?)?;
        let mut next = position.clone();
        next.play_unchecked(played);
        Some(next)
    })
}

/// Where the halfmove clock of a position is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum ClockSource {
    /// The moves from the standard starting position, or from the last capture or pawn move on.
    Moves,
    /// The FEN tag, with a number of moves that allows the clock. Such clocks often are
    /// placeholders.
    FenTag,
    /// It is not known.
    Nowhere,
}

impl ClockSource {
    /// The source of the clock of the first position.
    pub(in crate::rules) fn of_start(facts: &Ending<'_>) -> ClockSource {
        if *facts.start == Chess::default() {
            return ClockSource::Moves;
        }
        let fields = facts.tags.value(KnownTag::Fen).unwrap_or_default().split(u8::is_ascii_whitespace);
        let clock =
            fields.filter(|field| !field.is_empty()).nth(4).and_then(|clock| std::str::from_utf8(clock).ok()?.parse().ok());
        let moves_before = facts.start.fullmoves().get() - 1;
        let plies_before = moves_before.saturating_mul(2) + u32::from(facts.start.turn().is_black());
        // Counters such as `0 1` and `1 1` are what programs write if they do not know them.
        let is_known = clock == Some(facts.start.halfmoves()) && moves_before > 0 && facts.start.halfmoves() <= plies_before;
        if is_known { ClockSource::FenTag } else { ClockSource::Nowhere }
    }

    /// The source of the clock of the last position.
    pub(in crate::rules) fn of_end(facts: &Ending<'_>) -> ClockSource {
        let is_counted = facts.line.iter().any(|played| played.is_some_and(|played| played.is_zeroing()));
        if is_counted { ClockSource::Moves } else { ClockSource::of_start(facts) }
    }

    /// What must hold for the whole input so that a finding about the clock is true.
    pub(in crate::rules) const fn condition(self) -> Option<Condition> {
        match self {
            ClockSource::FenTag => Some(HALFMOVE_CLOCK_REAL),
            ClockSource::Moves | ClockSource::Nowhere => None,
        }
    }
}

/// The evaluation after ply `ply` of a program that has analysed the whole game.
pub(in crate::rules) fn analysis_at<'a>(facts: &Ending<'a>, ply: u32) -> Option<&'a EvaluationReading> {
    let all = facts.annotations.evaluations;
    let index = all.binary_search_by_key(&ply, |reading| reading.ply).ok()?;
    all.get(index).filter(|reading| reading.by == Evaluator::Analysis)
}

/// The evaluations of a program that has analysed the whole game.
pub(in crate::rules) fn analysis<'a>(
    facts: &Ending<'a>,
) -> impl DoubleEndedIterator<Item = &'a EvaluationReading> + Clone + use<'a> {
    facts.annotations.evaluations.iter().filter(|reading| reading.by == Evaluator::Analysis)
}

/// The pieces and pawns of a side in points.
pub(in crate::rules) fn material(position: &Chess, color: Color) -> u32 {
    let board = position.board();
    Role::ALL.into_iter().map(|role| points(role) * (board.by_color(color) & board.by_role(role)).count() as u32).sum()
}

const fn points(role: Role) -> u32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// The winner by the termination marker.
pub(in crate::rules) fn winner(facts: &Ending<'_>) -> Option<Color> {
    let Some(MarkerKind::Standard(outcome)) = facts.marker.map(|marker| marker.kind) else { return None };
    outcome.known().and_then(|known| known.winner())
}

/// Whether the game may have ended for a reason that is not on the board: time, connection, rules.
pub(in crate::rules) fn ended_off_board(facts: &Ending<'_>) -> bool {
    const REASONS: [&str; 11] =
        ["time", "flag", "forfeit", "abandon", "connect", "stall", "illegal", "infraction", "unterminated", "zeit", "overstep"];
    let comment = facts.comment.map(|place| place.of(facts.text));
    let tags = [KnownTag::Termination, KnownTag::TerminationDetails].map(|tag| facts.tags.value(tag));
    tags.into_iter().chain([comment]).flatten().any(|words| {
        let words = words.to_ascii_lowercase();
        REASONS.iter().any(|reason| words.windows(reason.len()).any(|part| part == reason.as_bytes()))
    })
}

/// The places of the plies of the main line, in order. Empty if they cannot be located.
pub(in crate::rules) fn places(facts: &Ending<'_>) -> Vec<Span> {
    let mut lexer = Lexer::new(facts.text, facts.tags.place.end);
    let (mut depth, mut places) = (0u32, Vec::new());
    let is_move = |token: &[u8]| match facts.notation {
        Some(notation) => notation.read(token).is_some(),
        None => WrittenSan::read(token).is_some(),
    };
    loop {
        match lexer.next() {
            _ if lexer.start >= facts.last.end => break,
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Word if depth == 0 && is_move(lexer.token()) => places.push(Span::new(lexer.start, lexer.at)),
            Token::End | Token::TagPair => break,
            _ => {}
        }
    }
    if places.len() != facts.plies as usize {
        places.clear();
    }
    places
}

/// The place of ply number `ply` of the main line, or the last token if the ply cannot be located.
pub(in crate::rules) fn place_of_ply(facts: &Ending<'_>, ply: u32) -> Span {
    let index = (ply as usize).checked_sub(1);
    index.and_then(|index| places(facts).get(index).copied()).unwrap_or(facts.last)
}

/// Sets the ply of a finding about a move that was played, the move and the position after it.
pub(in crate::rules) fn locate(finding: &mut Finding, facts: &Ending<'_>, ply: u32) {
    finding.ply = Some(ply);
    let mut position = facts.start.clone();
    for number in 1..=ply {
        let Some(played) = played(facts, number) else { return };
        if number == ply {
            finding.move_text = san_of(&position, played);
        }
        position.play_unchecked(played);
    }
    finding.fen = fen_of(&position);
}

/// Ply `ply` as people write it: `12. Nf3` or `12... Nf6`.
pub(in crate::rules) fn written(facts: &Ending<'_>, ply: u32) -> String {
    let mut position = facts.start.clone();
    for number in 1..ply {
        let Some(played) = played(facts, number) else { return format!("ply {ply}") };
        position.play_unchecked(played);
    }
    let Some(last) = played(facts, ply) else { return format!("ply {ply}") };
    let number = position.fullmoves();
    let dots = if position.turn().is_white() { "." } else { "..." };
    format!("{number}{dots} {}", san_of(&position, last))
}

/// An evaluation as text: `0.35`, `-1.20`, `#-3`.
pub(in crate::rules) fn shown_value(value: Evaluation) -> String {
    match value {
        Evaluation::Mate(moves) => format!("#{moves}"),
        Evaluation::Centipawns(value) => {
            let sign = if value < 0 { "-" } else { "" };
            format!("{sign}{}.{:02}", value.abs() / 100, value.abs() % 100)
        }
    }
}
