//! TAG20: time controls that are not in the standard format.

use crate::pgn::{Period, periods};
use crate::rules::prelude::*;
use crate::text::Span;

pub static RULE: Rule = Rule {
    code: code!("TAG20"),
    name: "time-control-format",
    severity: Severity::Warning,
    summary: "The time control is not in the standard format",
    what: "TimeControl is not a list of periods joined by colons. A period is a number of moves and \
           their seconds (`40/7200`), the seconds for the rest of the game (`300`), a sandclock \
           (`*180`), `?` or `-`. The first two can have an increment (`300+2`). A period with no \
           moves or no time (`40/0`), or one that follows the rest of the game, is a warning. So is a \
           time in minutes, if the first clock shows that: `90+30` and a clock of 1:30:20. The \
           other rules then use the time in seconds. Free text (`90 min + 30 s`) is an info. \
           Reported once per input and kind.",
    why: "Programs cannot distinguish blitz from classical chess, and clocks cannot be checked.",
    fix: "Write the periods in seconds, for example `40/5400+30:900+30`.",
    source: "PGN standard 9.6.1",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Tags("[TimeControl \"⟦40/0⟧\"]"),
        Sample::Tags("[TimeControl \"⟦300:40/7200⟧\"]"),
        Sample::Tags("[TimeControl \"⟦15'/game & 10''/move⟧\"]"),
        Sample::Tags("[TimeControl \"⟦5|0⟧\"]"),
        Sample::Game {
            tags: "[TimeControl \"⟦90+30⟧\"]",
            moves: "1. e4 {[%clk 1:30:21]} e5 {[%clk 1:30:10]} 2. Nf3 {[%clk 1:30:40]} *",
        },
    ],
    silent: &[
        Sample::Tags("[TimeControl \"40/7200:20/3600:900+30\"]"),
        Sample::Tags("[TimeControl \"*180\"]"),
        Sample::Tags("[TimeControl \"-\"]"),
        Sample::Tags("[TimeControl \"60+0.6\"]"),
        // Seconds, as the standard says.
        Sample::Game { tags: "[TimeControl \"90+30\"]", moves: "1. e4 {[%clk 0:01:55]} e5 {[%clk 0:01:50]} *" },
    ],
    check: Check::Tags(check),
    wakes: Wakes::Signs(&[Sign::Command]),
    ..Rule::DEFAULTS
};

/// An increment after moves/seconds is not in the standard, but allowed.
fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some(pair) = facts.pair(KnownTag::TimeControl) else { return };
    let value = pair.value.of(facts.text);
    if value.is_empty() {
        return;
    }
    let mut is_over = false;
    let mut fault = None;
    for field in periods(value) {
        match field {
            Period::Words => {
                fault = Some((Severity::Info, "words", "is free text"));
                break;
            }
            Period::Nothing => fault = fault.or(Some((Severity::Warning, "nothing", "has a period without moves or time"))),
            _ if is_over => {
                fault = fault.or(Some((Severity::Warning, "beyond", "has a period after one that lasts to the end of the game")))
            }
            Period::Moves { .. } | Period::Rest { .. } | Period::Sandclock | Period::Unknown => {}
        }
        is_over |= matches!(field, Period::Rest { .. } | Period::Sandclock);
    }
    let Some((severity, class, what)) = fault else { return };
    let found = shown(value);
    let finding = findings.add(&RULE, pair.value).severity(severity).message(format!("the time control `{found}` {what}"));
    if let Some(seconds) = minutes_and_increment(value) {
        finding.message(format!("the time control `{found}` is in minutes, but PGN has seconds: `{seconds}`"));
        finding.repair(Certainty::Likely, Patch::replace(facts.text, pair.value, seconds.as_str()));
        finding.expected(seconds);
    }
    finding.once_per_input_and(class).found(found);
}

/// Reports that the time control at `place` is in minutes, because the first clock of a side shows
/// the time `first`. `seconds` is the time control in seconds.
pub fn report_minutes(text: &[u8], place: Span, seconds: &str, first: &str, findings: &mut Findings) {
    let found = shown(place.of(text));
    let message =
        format!("the time control `{found}` is in minutes, because the first clock is {first}; PGN has seconds: `{seconds}`");
    let finding = findings.add(&RULE, place).once_per_input_and("minutes").found(found).expected(seconds).message(message);
    finding.repair(Certainty::Likely, Patch::replace(text, place, seconds));
}

/// The time control in seconds if it is written in minutes and seconds, as in `5|0` and `3|2`.
fn minutes_and_increment(value: &[u8]) -> Option<String> {
    let (minutes, increment) = std::str::from_utf8(value).ok()?.split_once('|')?;
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let (seconds, increment) = (number(minutes)?.checked_mul(60)?, number(increment)?);
    Some(if increment == 0 { seconds.to_string() } else { format!("{seconds}+{increment}") })
}
