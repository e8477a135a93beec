//! What the annotations of a game have shown so far.

use super::opening::MovetextStart;
use crate::{
    pgn::{Stage, TimeControl},
    rules::{
        Declared, Findings,
        clk::TOLERANCE,
        facts::{ClockReading, ClockSummary, EvaluationReading, GameAnnotations, JudgingGlyph, TimeReading},
    },
    text::Span,
};

/// What the annotations read so far show.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    /// What the tags say about positions.
    pub(super) declared: Declared,
    /// The value of the TimeControl tag.
    pub(super) time_control: Option<Span>,
    /// The time control that it gives, read on first use.
    pub(super) control: Option<Option<Box<TimeControl>>>,
    pub(super) clocks: ClockSummary,
    /// The ply of the last clock.
    pub(super) clock_ply: u32,
    pub(super) elapsed: Option<(u32, u64)>,
    /// The previous clock of the side of the last one.
    pub(super) before: Option<ClockReading>,
    /// Whether a gain was reported, and whether a contradiction between the times of one move was.
    pub(super) gain_reported: bool,
    pub(super) elapsed_reported: bool,
    /// The inside of the last comment of the main line, and the plies before it.
    pub(super) last_comment: Option<(Span, u32)>,
    /// The last glyph of the kinds `good move` and `mistake`, and the place of its move.
    pub(super) judgement: Option<(u32, Span)>,
    /// Whether engines play: `%eval` is then written by two programs in turn.
    pub(super) engines_play: bool,
    pub(super) evaluations: Vec<EvaluationReading>,
    pub(super) times: Vec<TimeReading>,
    pub(super) judgements: Vec<JudgingGlyph>,
}

impl Annotations {
    /// The annotations before the first token of the movetext.
    pub(super) fn new(opening: &MovetextStart) -> Annotations {
        Annotations {
            declared: opening.declared,
            time_control: opening.time_control,
            last_comment: opening.comment.map(|place| (place, 0)),
            engines_play: opening.engines_play,
            ..Annotations::default()
        }
    }

    /// The time control, if it was read and says how much time there is at every move.
    pub(super) fn known_control(&self) -> Option<&TimeControl> {
        self.control.as_ref().and_then(Option::as_deref)
    }

    /// The evaluations, times and judgements of the main line.
    pub(super) fn of_game(&self) -> GameAnnotations<'_> {
        GameAnnotations { evaluations: &self.evaluations, times: &self.times, judgements: &self.judgements }
    }

    /// The clocks of the main line.
    pub(super) fn clocks(&self) -> ClockSummary {
        self.clocks
    }

    /// The inside of the last comment, if it comes after `plies` plies of the main line.
    pub(super) fn comment_after(&self, plies: u32) -> Option<Span> {
        self.last_comment.filter(|(_, before)| *before == plies).map(|(place, _)| place)
    }
}

/// Maximum number of times of a game, and of evaluations and judgements, which limits its memory.
pub(super) const MAX_ANNOTATIONS: usize = 100_000;

/// Whether a first clock that shows `time` fits the time control: more than half of the time is
/// left.
pub(super) fn is_usual_first(time: u64, first: Stage) -> bool {
    let most = first.base.saturating_add(first.increment).saturating_add(TOLERANCE);
    time <= most && time.saturating_mul(2) > first.base.saturating_add(2 * TOLERANCE)
}

/// Adds an annotation to those of its kind.
#[inline]
pub(super) fn keep<T>(list: &mut Vec<T>, annotation: T, findings: &mut Findings) {
    if list.len() < MAX_ANNOTATIONS {
        list.push(annotation);
    } else {
        findings.give_up(MAX_ANNOTATIONS, "times, evaluations or judgements");
    }
}
