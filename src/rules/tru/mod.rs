//! Claims that tablebases or an engine contradict.

pub(crate) mod am_gives_up_nothing;
pub(crate) mod announced_mate_refuted;
pub(crate) mod bm_gives_up_result;
pub(crate) mod ce_refuted;
pub(crate) mod dm_refuted;
pub(crate) mod draw_in_won_position;
pub(crate) mod glyph_against_engine;
pub(crate) mod move_against_engine;
pub(crate) mod move_gives_up_result;
pub(crate) mod pv_gives_up_result;
pub(crate) mod refuted_adjudication;
pub(crate) mod shorter_mate;
pub(crate) mod win_in_drawn_position;
pub(crate) mod winner_against_engine;
pub(crate) mod winner_was_lost;

family! {
    refuted_adjudication, winner_was_lost, draw_in_won_position, bm_gives_up_result,
    am_gives_up_nothing, announced_mate_refuted, pv_gives_up_result, move_gives_up_result,
    dm_refuted, ce_refuted, move_against_engine, shorter_mate, winner_against_engine,
    glyph_against_engine, win_in_drawn_position,
}

use shakmaty::{Chess, Color, KnownOutcome, Move, Position};

use super::{
    Finding, Span,
    facts::{AskedGame, AskedLine, Ending, MarkerKind, OperationFacts},
    main_line::{self, ClockSource},
    stated_result::Stated,
};
use crate::{
    chess::{color_name, fen_of, has_legal_move},
    epd::{MoveWord, Opcode, Resolved},
    oracle::{
        Inquiry, Prospect, TableVerdict,
        engine::{Limit, Question, Score},
    },
    pgn::KnownTag,
};

/// A position of a game, with what is known about its past.
struct Reached {
    position: Chess,
    /// The number of plies before it.
    ply: u32,
    /// Where its halfmove clock is known from.
    clock: ClockSource,
}

impl Reached {
    /// The verdict of the tables. If it depends on the fifty-move rule, so does it on
    /// [`ClockSource::condition`].
    fn verdict(&self, inquiry: &Inquiry<'_>) -> Option<TableVerdict> {
        let is_known = self.clock != ClockSource::Nowhere;
        inquiry.tables(&self.position, is_known.then(|| self.position.halfmoves()))
    }

    /// The verdict of the tables without the clock of a FEN tag.
    fn certain_verdict(&self, inquiry: &Inquiry<'_>) -> Option<TableVerdict> {
        let is_counted = self.clock == ClockSource::Moves;
        inquiry.tables(&self.position, is_counted.then(|| self.position.halfmoves()))
    }
}

/// The positions of a game that tables may contain.
fn with_few_pieces<'a>(game: &'a AskedGame<'_>) -> impl Iterator<Item = Reached> + use<'a> {
    let AskedGame { ending, inquiry, .. } = *game;
    // Pieces never come back.
    let is_last_one_small = ending.position.is_some_and(|position| inquiry.has_few_pieces(position));
    let mut clock = ClockSource::of_start(ending);
    let all = is_last_one_small.then(|| main_line::positions(ending)).into_iter().flatten().zip(0..);
    all.filter_map(move |(position, ply)| {
        if main_line::played(ending, ply).is_some_and(|played| played.is_zeroing()) {
            clock = ClockSource::Moves;
        }
        inquiry.has_few_pieces(&position).then_some(Reached { position, ply, clock })
    })
}

/// The final position of a game, if a FEN tag or moves lead to it, it is not mate or stalemate, and
/// tables may contain it.
fn final_position(game: &AskedGame<'_>) -> Option<Reached> {
    let AskedGame { ending, inquiry, .. } = *game;
    let position = played_to_its_end(ending).filter(|position| inquiry.has_few_pieces(position))?;
    Some(Reached { position: position.clone(), ply: ending.plies, clock: ClockSource::of_end(ending) })
}

/// The final position of a game, if a FEN tag or legal moves lead to it, and it has legal moves.
fn played_to_its_end<'a>(ending: &Ending<'a>) -> Option<&'a Chess> {
    let is_known = ending.plies > 0 || ending.tags.value(KnownTag::Fen).is_some();
    // After a null move, the side to move may be the wrong one.
    let is_reached = is_known && ending.line.iter().all(Option::is_some);
    ending.position.filter(|position| is_reached && has_legal_move(position))
}

/// The recorded outcome and its place. `None` if tag and marker contradict each other.
fn recorded(ending: &Ending<'_>) -> Option<(Span, KnownOutcome)> {
    let stated = Stated::of(ending);
    let known = |kind: MarkerKind| kind.outcome().and_then(|outcome| outcome.known());
    let (place, kind) = stated.each().next()?;
    let claim = known(kind)?;
    stated.each().all(|(_, kind)| known(kind) == Some(claim)).then_some((place, claim))
}

/// The tags that may say why a game ended, in lower case.
fn termination_tags(ending: &Ending<'_>) -> impl Iterator<Item = Vec<u8>> {
    let text = ending.text;
    let details = ending.tags.pairs.iter().find(|pair| pair.name.of(text).eq_ignore_ascii_case(b"TerminationDetails"));
    let tags = [ending.tags.value(KnownTag::Termination), details.map(|pair| pair.value.of(text))];
    tags.into_iter().flatten().map(<[u8]>::to_ascii_lowercase)
}

/// The comment after the last move, in lower case.
fn last_comment(ending: &Ending<'_>) -> Vec<u8> {
    ending.comment.map(|place| place.of(ending.text).to_ascii_lowercase()).unwrap_or_default()
}

fn contains(text: &[u8], word: &str) -> bool {
    memchr::memmem::find(text, word.as_bytes()).is_some()
}

/// Whether the game was adjudicated by tablebases as `claim`: `SyzygyTB`, `TB position`, `Draw by
/// tablebase`. People write about tablebases, so a comment counts only if the game was adjudicated,
/// or if it says that the result is by tablebase.
fn is_adjudicated_by_tables(ending: &Ending<'_>, claim: KnownOutcome) -> bool {
    let comment = last_comment(ending);
    if termination_tags(ending).any(|tag| names_tables(&tag)) {
        return true;
    }
    let is_adjudicated = |reason: &[u8]| contains(reason, "adjudicat");
    let is_about_tables = names_tables(&comment);
    is_about_tables
        && (is_adjudicated(&comment) || termination_tags(ending).any(|tag| is_adjudicated(&tag)) || is_by_tables(&comment, claim))
}

/// Whether a reason, in lower case, names endgame tables.
fn names_tables(reason: &[u8]) -> bool {
    let mut words = reason.split(|byte| !byte.is_ascii_alphanumeric());
    ["syzygy", "tablebase", "nalimov"].iter().any(|name| contains(reason, name))
        || words.any(|word| matches!(word, b"tb" | b"egtb"))
}

/// Whether a comment, in lower case, says that the game ended as `claim` by tablebase: `draw by
/// tablebase`, `white wins by 6-men tablebase`.
fn is_by_tables(comment: &[u8], claim: KnownOutcome) -> bool {
    let results: &[&str] = match claim {
        KnownOutcome::Draw => &["draw by ", "drawn by "],
        KnownOutcome::Decisive { winner: Color::White } => &["white wins by ", "1-0 by "],
        KnownOutcome::Decisive { winner: Color::Black } => &["black wins by ", "0-1 by "],
    };
    let reason = results.iter().find_map(|result| memchr::memmem::find(comment, result.as_bytes()).map(|at| at + result.len()));
    reason.is_some_and(|at| {
        let words = comment[at..].split(u8::is_ascii_whitespace).take(2);
        words.into_iter().any(names_tables)
    })
}

/// Whether a reason that is not on the board may have decided the game: time, resignation, rules.
fn may_be_decided_off_board(ending: &Ending<'_>) -> bool {
    const WORDS: [&str; 8] = ["resign", "gave up", "gives up", "gibt auf", "gab auf", "aufgegeben", "abandonne", "geeft op"];
    let resigns = |reason: &[u8]| WORDS.iter().any(|word| contains(reason, word));
    main_line::ended_off_board(ending) || termination_tags(ending).any(|tag| resigns(&tag)) || resigns(&last_comment(ending))
}

/// How a position ends, in words: `White wins`, `the position is drawn`.
fn described(verdict: &TableVerdict, turn: Color) -> String {
    match (verdict.unlimited, verdict.limited) {
        (Prospect::Draw, _) => "the position is drawn".to_owned(),
        (prospect, limited) => {
            let winner = if prospect == Prospect::Win { turn } else { !turn };
            let exception = if limited == Some(Prospect::Draw) { " without the fifty-move rule" } else { "" };
            format!("{} wins{exception}", color_name(winner))
        }
    }
}

/// The outcome with the fifty-move rule and without it, if that is the same.
fn outcome(verdict: &TableVerdict, turn: Color) -> Option<KnownOutcome> {
    match verdict.certain_winner(turn) {
        Some(winner) => Some(KnownOutcome::Decisive { winner }),
        None => (verdict.unlimited == Prospect::Draw).then_some(KnownOutcome::Draw),
    }
}

/// Sets ply and position of a finding about the final position, and marks its pieces.
fn locate_at_end(finding: &mut Finding, ending: &Ending<'_>, reached: &Reached) {
    finding.fen(fen_of(&reached.position));
    if reached.ply > 0 {
        finding.ply(reached.ply);
    }
    finding.move_text = ending.last_move.to_owned();
}

/// The position of an EPD line, and what tables say about it.
struct JudgedLine<'a> {
    inquiry: &'a Inquiry<'a>,
    start: &'a Chess,
    /// Its halfmove clock.
    clock: u32,
    verdict: TableVerdict,
}

impl<'a> JudgedLine<'a> {
    /// The position of the line, if tables contain it.
    fn of(line: &AskedLine<'a>) -> Option<JudgedLine<'a>> {
        let &AskedLine { operations, inquiry } = line;
        let start = operations.start.filter(|start| inquiry.has_few_pieces(start))?;
        let clock = clock(operations, start)?;
        let verdict = inquiry.tables(start, Some(clock))?;
        Some(JudgedLine { inquiry, start, clock, verdict })
    }

    fn turn(&self) -> Color {
        self.start.turn()
    }

    /// Whether a move gives up a win or a draw, both with the fifty-move rule and without it.
    /// `None` if that is not certain.
    fn gives_up_result(&self, played: Move) -> Option<bool> {
        let clock = if played.is_zeroing() { 0 } else { self.clock.saturating_add(1) };
        let after = self.inquiry.tables(&after(self.start, played), Some(clock))?;
        self.verdict.is_given_up(&after)
    }
}

/// The halfmove clock of an EPD line: that of `hmvc`, of the FEN fields, or 0. `None` if the two
/// differ, or `hmvc` is not a number.
fn clock(operations: &OperationFacts<'_>, start: &Chess) -> Option<u32> {
    let Some(hmvc) = operations.first(Opcode::Hmvc) else { return Some(start.halfmoves()) };
    let written = u32::try_from(operations.integer(hmvc)?).ok()?;
    let has_field = operations.position.halfmove_clock.is_some();
    (!has_field || written == start.halfmoves()).then_some(written)
}

/// The moves of the operations of a kind, each with its word.
fn moves<'a>(line: &AskedLine<'a>, kind: Opcode) -> impl Iterator<Item = (&'a MoveWord, Move)> + use<'a> {
    let operations = line.operations;
    let of_kind = operations.moves.iter().filter(move |word| operations.operation_of(word).kind == kind);
    of_kind.filter_map(|word| if let Resolved::Move(played) = word.resolved { Some((word, played)) } else { None })
}

/// The position after a move.
fn after(position: &Chess, played: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(played);
    next
}

/// What a move gives up, in words: `a win` or `a draw`.
fn given_up(verdict: &TableVerdict) -> &'static str {
    if verdict.unlimited == Prospect::Win { "a win" } else { "a draw" }
}

/// Hundredths of a pawn that a mate counts as. One that is longer by a move counts one less.
const MATE: i64 = 100_000;

/// A score of an engine as hundredths of a pawn.
fn hundredths(score: Score) -> i64 {
    match score {
        Score::Centipawns(value) => i64::from(value),
        Score::Mate(moves) if moves > 0 => MATE - i64::from(moves),
        Score::Mate(moves) => -MATE - i64::from(moves),
    }
}

/// What the engine thinks of `position` if only `moves` are searched, or all if there are none: the
/// score, and the best move.
fn opinion(inquiry: &Inquiry<'_>, position: &Chess, moves: Vec<Move>) -> Option<(Score, Option<Move>)> {
    let question = Question::about(position.clone(), moves, Limit::Nodes(inquiry.nodes()));
    inquiry.engine(&question).map(|answer| (answer.score, answer.best_move))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_by_tablebase_is_no_remark_about_tablebases() {
        let white = KnownOutcome::Decisive { winner: Color::White };
        for (comment, claim, is_by) in [
            ("draw by tablebase", KnownOutcome::Draw, true),
            ("+0.00/40 1.0s, drawn by syzygy", KnownOutcome::Draw, true),
            ("white wins by 6-men tablebase", white, true),
            ("1-0 by tb", white, true),
            ("white wins by tablebase, but a draw was agreed", KnownOutcome::Draw, false),
            ("draw by agreement, but the tablebase says that white wins", KnownOutcome::Draw, false),
            ("the tablebase says draw", KnownOutcome::Draw, false),
        ] {
            assert_eq!(is_by_tables(comment.as_bytes(), claim), is_by, "{comment}");
        }
    }
}
