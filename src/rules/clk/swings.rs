//! Large changes of the evaluation: whom they favour, and whether they fit the material.

use shakmaty::Color;

use crate::rules::{
    facts::{Ending, EvaluationReading},
    main_line::{analysis, material, mover, positions},
};

/// Evaluations are compared up to this many hundredths of a pawn.
const LIMIT: i64 = 1000;
/// From this many hundredths of a pawn on, a change is large.
const LARGE: i64 = 200;
/// Minimum number of large changes for the side that has moved.
const MIN_GAINS: usize = 3;
/// Minimum number of these for each large change against that side.
const GAINS_PER_LOSS: usize = 4;
/// An evaluation and a lead in material that are compared: hundredths of a pawn, points.
const CLEAR: i64 = 300;
const LEAD: u32 = 3;
/// Minimum number of positions in which both are clear, and how many must agree for each that does
/// not.
const MIN_CLEAR: u32 = 3;
const AGREEING: u32 = 3;

/// The changes of a game whose evaluations improve with mistakes.
///
/// A good move keeps an evaluation, and a mistake worsens it for the side that has moved. It is the
/// opposite if evaluations belong to another ply, or have the wrong sign.
pub(super) struct Swings<'a> {
    /// The evaluations that improve much for the side that has moved.
    pub gains: Vec<&'a EvaluationReading>,
    /// Whether the evaluations favour the side that has more material; if not, they favour the
    /// other side.
    pub fit_material: bool,
}

impl<'a> Swings<'a> {
    /// The changes of the game; `None` if they are as they should be, or the material does not
    /// decide.
    pub(super) fn of(facts: &Ending<'a>) -> Option<Swings<'a>> {
        let mut gains = Vec::new();
        let mut losses = 0;
        for (before, after) in analysis(facts).zip(analysis(facts).skip(1)) {
            let change = after.value.within(LIMIT) - before.value.within(LIMIT);
            let gain = mover(facts, after.ply).fold_wb(change, -change);
            if before.ply + 1 == after.ply && gain >= LARGE {
                gains.push(after);
            } else if before.ply + 1 == after.ply && gain <= -LARGE {
                losses += 1;
            }
        }
        if gains.len() < MIN_GAINS || gains.len() < GAINS_PER_LOSS * losses {
            return None;
        }
        let (mut same, mut opposite) = (0, 0);
        let mut readings = analysis(facts).peekable();
        for (position, ply) in positions(facts).zip(0..) {
            let Some(reading) = readings.next_if(|reading| reading.ply == ply) else { continue };
            let [white, black] = [Color::White, Color::Black].map(|color| material(&position, color));
            if white.abs_diff(black) >= LEAD && reading.value.within(CLEAR).abs() == CLEAR {
                if reading.value.favours() == Some(Color::from_white(white > black)) { same += 1 } else { opposite += 1 }
            }
        }
        let agree = |more: u32, fewer: u32| more >= MIN_CLEAR && more >= AGREEING * fewer;
        (agree(same, opposite) || agree(opposite, same)).then_some(Swings { gains, fit_material: same > opposite })
    }
}
