//! CLK16: clocks that never change, are the same for both sides, or are swapped.

use super::{TOLERANCE, time};
use crate::pgn::read_time;
use crate::rules::main_line::locate;
use crate::rules::prelude::*;
use crate::text::Span;

/// Minimum number of clocks in a game, and of moves whose times are compared.
const MIN_CLOCKS: u32 = 20;
const MIN_MOVES: usize = 10;
/// Minimum difference between the last clocks of the two sides, in milliseconds, if they are
/// compared with tags.
const MIN_DIFFERENCE: u64 = 10_000;

pub static RULE: Rule = Rule {
    code: code!("CLK16"),
    name: "identical-clocks",
    severity: Severity::Warning,
    summary: "The clocks never change, are identical, or are swapped",
    what: "A game has 20 or more clocks without gaps. All of them show the same time, or both \
           clocks show the same time after every move. Swapped clocks are an info. Clocks are \
           swapped if the times used for ten or more moves fit only the other side's clock, with a \
           single period in TimeControl. They are also swapped if WhiteClock and BlackClock are \
           the last clocks of the other side.",
    why: "The time spent on moves cannot be calculated, or is attributed to the wrong side.",
    fix: "Copy the clocks from the source, or remove them.",
    source: "PGN supplement of 2001: clock and time commands",
    fires: &[
        Sample::Game {
            tags: "[TimeControl \"300\"]",
            moves: "1. e4 {⟦[%clk 0:05:00]⟧} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:05:00]}\n\
                    Nc6 {[%clk 0:05:00]} 3. Bb5 {[%clk 0:05:00]} a6 {[%clk 0:05:00]}\n\
                    4. Ba4 {[%clk 0:05:00]} Nf6 {[%clk 0:05:00]} 5. O-O {[%clk 0:05:00]}\n\
                    Be7 {[%clk 0:05:00]} 6. Re1 {[%clk 0:05:00]} b5 {[%clk 0:05:00]}\n\
                    7. Bb3 {[%clk 0:05:00]} d6 {[%clk 0:05:00]} 8. c3 {[%clk 0:05:00]}\n\
                    O-O {[%clk 0:05:00]} 9. h3 {[%clk 0:05:00]} Na5 {[%clk 0:05:00]}\n\
                    10. Bc2 {[%clk 0:05:00]} c5 {[%clk 0:05:00]} *",
        },
        Sample::Game {
            tags: "[TimeControl \"300\"]",
            moves: "1. e4 {⟦[%clk 0:05:00]⟧} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:53]}\n\
                    Nc6 {[%clk 0:04:53]} 3. Bb5 {[%clk 0:04:46]} a6 {[%clk 0:04:46]}\n\
                    4. Ba4 {[%clk 0:04:39]} Nf6 {[%clk 0:04:39]} 5. O-O {[%clk 0:04:32]}\n\
                    Be7 {[%clk 0:04:32]} 6. Re1 {[%clk 0:04:25]} b5 {[%clk 0:04:25]}\n\
                    7. Bb3 {[%clk 0:04:18]} d6 {[%clk 0:04:18]} 8. c3 {[%clk 0:04:11]}\n\
                    O-O {[%clk 0:04:11]} 9. h3 {[%clk 0:04:04]} Na5 {[%clk 0:04:04]}\n\
                    10. Bc2 {[%clk 0:03:57]} c5 {[%clk 0:03:57]} *",
        },
        Sample::Game {
            tags: "[TimeControl \"300\"]",
            moves: "1. e4 {⟦[%clk 0:05:00]⟧ [%emt 0:00:00]} e5 {[%clk 0:05:00] [%emt 0:00:00]}\n\
                    2. Nf3 {[%clk 0:04:40] [%emt 0:00:05]} Nc6 {[%clk 0:04:55] [%emt 0:00:20]}\n\
                    3. Bb5 {[%clk 0:04:20] [%emt 0:00:05]} a6 {[%clk 0:04:50] [%emt 0:00:20]}\n\
                    4. Ba4 {[%clk 0:04:00] [%emt 0:00:05]} Nf6 {[%clk 0:04:45] [%emt 0:00:20]}\n\
                    5. O-O {[%clk 0:03:40] [%emt 0:00:05]} Be7 {[%clk 0:04:40] [%emt 0:00:20]}\n\
                    6. Re1 {[%clk 0:03:20] [%emt 0:00:05]} b5 {[%clk 0:04:35] [%emt 0:00:20]}\n\
                    7. Bb3 {[%clk 0:03:00] [%emt 0:00:05]} d6 {[%clk 0:04:30] [%emt 0:00:20]}\n\
                    8. c3 {[%clk 0:02:40] [%emt 0:00:05]} O-O {[%clk 0:04:25] [%emt 0:00:20]}\n\
                    9. h3 {[%clk 0:02:20] [%emt 0:00:05]} Na5 {[%clk 0:04:20] [%emt 0:00:20]}\n\
                    10. Bc2 {[%clk 0:02:00] [%emt 0:00:05]} c5 {[%clk 0:04:15] [%emt 0:00:20]}\n\
                    11. d4 {[%clk 0:01:40] [%emt 0:00:05]} Qc7 {[%clk 0:04:10] [%emt 0:00:20]} *",
        },
        Sample::Game {
            tags: "[TimeControl \"300\"]\n[WhiteClock \"0:03:00\"]\n[BlackClock \"0:04:00\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {⟦[%clk 0:04:00]⟧} Nc6 \
                    {[%clk 0:03:00]} *",
        },
    ],
    silent: &[
        Sample::Game {
            tags: "[TimeControl \"300\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:05:00]}\n\
                    Nc6 {[%clk 0:05:00]} 3. Bb5 {[%clk 0:05:00]} a6 {[%clk 0:05:00]}\n\
                    4. Ba4 {[%clk 0:05:00]} Nf6 {[%clk 0:05:00]} 5. O-O {[%clk 0:05:00]}\n\
                    Be7 {[%clk 0:05:00]} 6. Re1 {[%clk 0:05:00]} b5 {[%clk 0:05:00]}\n\
                    7. Bb3 {[%clk 0:05:00]} d6 {[%clk 0:05:00]} 8. c3 {[%clk 0:05:00]}\n\
                    O-O {[%clk 0:05:00]} 9. h3 {[%clk 0:05:00]} Na5 {[%clk 0:05:00]}\n\
                    10. Bc2 {[%clk 0:05:00]} c5 {[%clk 0:04:59]} *",
        },
        Sample::Game {
            tags: "[TimeControl \"300\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:04:53]}\n\
                    Nc6 {[%clk 0:04:53]} 3. Bb5 {[%clk 0:04:46]} a6 {[%clk 0:04:46]}\n\
                    4. Ba4 {[%clk 0:04:39]} Nf6 {[%clk 0:04:39]} 5. O-O {[%clk 0:04:32]}\n\
                    Be7 {[%clk 0:04:32]} 6. Re1 {[%clk 0:04:25]} b5 {[%clk 0:04:25]}\n\
                    7. Bb3 {[%clk 0:04:18]} d6 {[%clk 0:04:18]} 8. c3 {[%clk 0:04:11]}\n\
                    O-O {[%clk 0:04:11]} 9. h3 {[%clk 0:04:04]} Na5 {[%clk 0:04:04]}\n\
                    10. Bc2 {[%clk 0:03:57]} c5 {[%clk 0:03:56]} *",
        },
        Sample::Game {
            tags: "[TimeControl \"300\"]",
            moves: "1. e4 {[%clk 0:05:00] [%emt 0:00:00]} e5 {[%clk 0:05:00] [%emt 0:00:00]}\n\
                    2. Nf3 {[%clk 0:04:55] [%emt 0:00:05]} Nc6 {[%clk 0:04:40] [%emt 0:00:20]}\n\
                    3. Bb5 {[%clk 0:04:50] [%emt 0:00:05]} a6 {[%clk 0:04:20] [%emt 0:00:20]}\n\
                    4. Ba4 {[%clk 0:04:45] [%emt 0:00:05]} Nf6 {[%clk 0:04:00] [%emt 0:00:20]}\n\
                    5. O-O {[%clk 0:04:40] [%emt 0:00:05]} Be7 {[%clk 0:03:40] [%emt 0:00:20]}\n\
                    6. Re1 {[%clk 0:04:35] [%emt 0:00:05]} b5 {[%clk 0:03:20] [%emt 0:00:20]}\n\
                    7. Bb3 {[%clk 0:04:30] [%emt 0:00:05]} d6 {[%clk 0:03:00] [%emt 0:00:20]}\n\
                    8. c3 {[%clk 0:04:25] [%emt 0:00:05]} O-O {[%clk 0:02:40] [%emt 0:00:20]}\n\
                    9. h3 {[%clk 0:04:20] [%emt 0:00:05]} Na5 {[%clk 0:02:20] [%emt 0:00:20]}\n\
                    10. Bc2 {[%clk 0:04:15] [%emt 0:00:05]} c5 {[%clk 0:02:00] [%emt 0:00:20]}\n\
                    11. d4 {[%clk 0:04:10] [%emt 0:00:05]} Qc7 {[%clk 0:01:40] [%emt 0:00:20]} *",
        },
        Sample::Game {
            tags: "[TimeControl \"300\"]\n[WhiteClock \"0:03:00\"]\n[BlackClock \"0:04:00\"]",
            moves: "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:05:00]} 2. Nf3 {[%clk 0:03:00]} Nc6 \
                    {[%clk 0:04:00]} *",
        },
    ],
    check: Check::Ending(check),
    wakes: Wakes::Signs(&[Sign::Remarks]),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let (clocks, place) = (facts.clocks, facts.clocks.first);
    if let Some(place) = place
        && clocks.count >= MIN_CLOCKS
        && clocks.gap.is_none()
        && !clocks.is_repeated
    {
        let shows = time(clocks.first_time.unwrap_or_default());
        let message = if clocks.changed == 0 {
            format!("all {} of the game show {shows}", quantity(clocks.count, "clock", "clocks"))
        } else if clocks.pairs == clocks.equal_pairs {
            format!("both clocks show the same time after each of {}", quantity(clocks.pairs, "move", "moves"))
        } else {
            check_swapped(facts, findings);
            return;
        };
        locate(findings.add(&RULE, place).found(shows).message(message), facts, 1);
        return;
    }
    check_swapped(facts, findings);
}

/// Reports clocks that belong to the other side.
fn check_swapped(facts: &Ending<'_>, findings: &mut Findings) {
    let (message, place, ply) = if let Some((moves, place, ply)) = fits_other_side(facts) {
        let moves = quantity(moves, "move", "moves");
        (format!("the clocks are swapped: the times used for {moves} fit only the clock of the other side"), place, ply)
    } else if let [Some(white), Some(black)] = facts.clocks.last
        && white.time.abs_diff(black.time) >= MIN_DIFFERENCE
        && tagged(facts, KnownTag::WhiteClock) == Some(black.time)
        && tagged(facts, KnownTag::BlackClock) == Some(white.time)
    {
        let [white_name, black_name] = [shakmaty::Color::White, shakmaty::Color::Black].map(color_name);
        let message = format!(
            "the clocks are swapped: the last ones are {} for {white_name} and {} for {black_name}, but the tags say the opposite",
            time(white.time),
            time(black.time)
        );
        (message, white.place, 2 * white.moves - 1)
    } else {
        return;
    };
    let finding = findings.add(&RULE, place).severity(Severity::Info).message(message);
    locate(finding, facts, ply);
}

fn tagged(facts: &Ending<'_>, tag: KnownTag) -> Option<u64> {
    read_time(facts.tags.value(tag)?).ok()
}

/// The number of moves whose times fit only the clock of the other side if all moves do, with the
/// place and the ply of the first clock.
///
/// A move and its reply have exchanged their clocks: the times of White's moves fit the clocks
/// after Black's moves.
fn fits_other_side(facts: &Ending<'_>) -> Option<(usize, Span, u32)> {
    let [stage] = facts.control?.stages() else { return None };
    let times = facts.annotations.times;
    if !times.iter().any(|reading| matches!(reading.time, MoveTime::Elapsed(_))) {
        return None;
    }
    let first = times.iter().find(|reading| matches!(reading.time, MoveTime::Clock(_)))?;
    let mut clocks: Vec<Option<u64>> = vec![None; facts.plies as usize + 2];
    for reading in times {
        if let (MoveTime::Clock(time), Some(clock)) = (reading.time, clocks.get_mut(reading.ply as usize)) {
            *clock = Some(time);
        }
    }
    // The time that a clock has lost between two plies.
    let lost = |from: Option<usize>, to: usize| {
        let (from, to) = (*clocks.get(from?)?, *clocks.get(to)?);
        (from? + stage.increment).checked_sub(to?)
    };
    let (mut moves, mut fit_other, mut fit_own) = (0, 0, 0);
    for reading in times {
        let MoveTime::Elapsed(elapsed) = reading.time else { continue };
        let ply = reading.ply as usize;
        let other = if ply % 2 == 1 { ply + 1 } else { ply - 1 };
        let own = lost(ply.checked_sub(2), ply);
        let (Some(own), Some(other)) = (own, lost(other.checked_sub(2).filter(|from| *from > 0), other)) else { continue };
        let fits = |lost: u64| usize::from(lost.abs_diff(elapsed.time) <= TOLERANCE);
        moves += 1;
        fit_other += fits(other);
        fit_own += fits(own);
    }
    (moves >= MIN_MOVES && fit_other == moves && fit_own * 2 <= moves).then_some((moves, first.place, first.ply))
}
