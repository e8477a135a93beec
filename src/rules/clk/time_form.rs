//! CLK01: clock commands without a valid time.

use super::unwrapped;
use crate::pgn::{CommandKind, TimeFault, read_time};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CLK01"),
    name: "time-form",
    severity: Severity::Warning,
    summary: "A clock command does not contain a valid time",
    what: "The value of `clk`, `egt`, `emt` or `mct` is not hours, minutes and seconds in the form \
           `h:mm:ss`. Decimals of a second are allowed. Times that can be read in another form are \
           infos, once per input and form: seconds alone, two fields, single digits, a decimal \
           comma. Times with whitespace in them, such as a line break, are reported once per input.",
    why: "Programs ignore what they cannot read, or take minutes for hours.",
    fix: "Write `h:mm:ss`.",
    source: "PGN supplement of 2001: clock and time commands",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Moves("1. e4 {[%clk ⟦0:99:99⟧]} *"),
        Sample::Moves("1. e4 {[%emt ⟦-0:00:03⟧]} *"),
        Sample::Moves("1. e4 {⟦[%emt]⟧} *"),
        Sample::Moves("1. e4 {[%emt ⟦0.01⟧]} *"),
        Sample::Moves("1. e4 {[%emt ⟦0:5:03⟧]} *"),
        Sample::Moves("1. e4 {[%emt ⟦0:05:\n39⟧]} e5 {[%emt 0:00:01]} *"),
    ],
    silent: &[Sample::Moves("1. e4 {[%emt 0:00:59.9]} e5 {[%egt 00:00:05]} *"), Sample::Moves("1. e4 {[%mct 17:10:42]} *")],
    check: Check::Command(check),
    ..Rule::DEFAULTS
};

fn check(facts: &CommandFacts<'_>, findings: &mut Findings) {
    let command = facts.command;
    if !matches!(command.kind, CommandKind::Clk | CommandKind::Egt | CommandKind::Emt | CommandKind::Mct) || !command.closed {
        return;
    }
    let operands = command.operands.of(facts.text);
    let Err(fault) = read_time(operands) else { return };
    if let Some(whole) = unwrapped(operands).filter(|whole| read_time(whole).is_ok()) {
        let (found, expected) = (shown(operands), String::from_utf8_lossy(&whole).into_owned());
        let name = shown(command.name.of(facts.text));
        let finding = findings.add(&RULE, command.operands).once_per_input_and("whitespace");
        finding.message(format!("whitespace breaks the time `{expected}` of `{name}`")).found(found).expected(expected);
        finding.repair(Certainty::Likely, Patch::replace(facts.text, command.operands, whole));
        return;
    }
    let (form, what) = match fault {
        TimeFault::Minutes => (None, "has more than 59 minutes"),
        TimeFault::Seconds => (None, "has more than 59 seconds"),
        TimeFault::Negative => (None, "is negative"),
        TimeFault::Empty => (None, "is missing"),
        TimeFault::Words => (None, "is not a time"),
        TimeFault::TwoFields => (Some("two fields"), "has two fields, so hours and minutes cannot be distinguished"),
        TimeFault::OneField => (Some("one field"), "has only one field"),
        TimeFault::Careless => (Some("careless"), "has a single digit or a decimal comma"),
    };
    let found = shown(operands);
    let place = if operands.is_empty() { command.place } else { command.operands };
    let name = shown(command.name.of(facts.text));
    let finding = findings.add(&RULE, place).once_if_usual(what);
    if let Some(form) = form {
        finding.severity(Severity::Info).once_per_input_and(form);
    }
    let message = if found.is_empty() {
        format!("the time of `{name}` is missing: write `h:mm:ss`")
    } else {
        format!("the time `{found}` of `{name}` {what}: write `h:mm:ss`")
    };
    finding.found(found).expected("h:mm:ss").message(message);
    let repaired = match fault {
        TimeFault::Careless => careful(operands),
        TimeFault::OneField => seconds(operands),
        _ => None,
    };
    if let Some(repaired) = repaired.filter(|repaired| read_time(repaired).is_ok()) {
        finding.repair(Certainty::Likely, Patch::replace(facts.text, command.operands, repaired));
    }
}

/// A time with two digits for minutes and seconds, and with a decimal point.
fn careful(time: &[u8]) -> Option<Vec<u8>> {
    let [hours, minutes, seconds] = time.split(|byte| *byte == b':').collect::<Vec<_>>()[..] else { return None };
    let (whole, decimals) =
        seconds.split_at(seconds.iter().position(|byte| matches!(byte, b'.' | b',')).unwrap_or(seconds.len()));
    let two_digits = |field: &[u8]| if field.len() == 1 { [b"0", field].concat() } else { field.to_vec() };
    let decimals = decimals.iter().map(|byte| if *byte == b',' { b'.' } else { *byte });
    let mut repaired = [hours, &two_digits(minutes), &two_digits(whole)].join(&b':');
    repaired.extend(decimals);
    Some(repaired)
}

/// A time that is written as a number of seconds.
fn seconds(time: &[u8]) -> Option<Vec<u8>> {
    let time = std::str::from_utf8(time).ok()?;
    let (whole, decimals) = time.split_at(time.find(['.', ',']).unwrap_or(time.len()));
    let whole: u64 = whole.parse().ok()?;
    let decimals = decimals.replace(',', ".");
    Some(format!("{}:{:02}:{:02}{decimals}", whole / 3600, whole / 60 % 60, whole % 60).into_bytes())
}
