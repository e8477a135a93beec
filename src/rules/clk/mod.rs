//! Clocks, evaluations and other commands embedded in comments.

pub(crate) mod clk_gaps;
pub(crate) mod clock_gain;
pub(crate) mod command_form;
pub(crate) mod emt_mismatch;
pub(crate) mod eval_form;
pub(crate) mod eval_mate_false;
pub(crate) mod first_clock_mismatch;
pub(crate) mod flipped_sign;
pub(crate) mod forfeit_with_time_left;
pub(crate) mod game_time_mismatch;
pub(crate) mod glyph_against_evaluation;
pub(crate) mod identical_clocks;
pub(crate) mod mate_undone;
pub(crate) mod result_against_evaluation;
pub(crate) mod shifted_evaluations;
pub(crate) mod stuck_evaluation;
mod swings;
pub(crate) mod time_form;

family! {
    time_form, clock_gain, first_clock_mismatch, emt_mismatch, clk_gaps, eval_form, eval_mate_false,
    command_form, forfeit_with_time_left, mate_undone, stuck_evaluation, shifted_evaluations,
    flipped_sign, result_against_evaluation, glyph_against_evaluation, identical_clocks,
    game_time_mismatch,
}

/// Maximum deviation of a clock that is not reported, in milliseconds. Clocks are rounded, and
/// people stop them.
pub const TOLERANCE: u64 = 2000;

/// A time for messages: `1:05:00`, `0:00:07.3`.
pub fn time(milliseconds: u64) -> String {
    let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000);
    let whole = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if rest == 0 { whole } else { format!("{whole}.{}", format!("{rest:03}").trim_end_matches('0')) }
}

/// The operands of a command without the whitespace inside them, which a line wrap may have left;
/// `None` if there is none.
fn unwrapped(operands: &[u8]) -> Option<Vec<u8>> {
    let whole: Vec<u8> = operands.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    (whole.len() < operands.len()).then_some(whole)
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_look_like_clocks() {
        for (milliseconds, text) in
            [(0, "0:00:00"), (3_905_000, "1:05:05"), (7_300, "0:00:07.3"), (50, "0:00:00.05"), (360_000_000, "100:00:00")]
        {
            assert_eq!(super::time(milliseconds), text);
        }
    }
}
