//! CLK01: clocks that are no times.

use crate::{
    pgn::{CommandKind, TimeFault, read_time},
    rules::{Check, Findings, Rule, Sample, Severity, facts::CommandFacts, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("CLK01"),
    name: "time-form",
    severity: Severity::Warning,
    summary: "A clock command is not followed by a time",
    what: "`clk`, `egt`, `emt` or `mct` is followed by something else than hours, minutes below sixty and seconds below sixty, `h:mm:ss`; decimals of a second are fair. \
           Times that can be read all the same, seconds alone, two fields, single digits or a decimal comma, are an info, once per input and form.",
    why: "Programs pass over what they cannot read, or read minutes as hours.",
    fix: "Write `h:mm:ss`.",
    source: "PGN supplement of 2001: clock and time commands",
    fires: &[
        Sample::Moves("1. e4 {[%clk ⟦0:99:99⟧]} *"),
        Sample::Moves("1. e4 {[%emt ⟦-0:00:03⟧]} *"),
        Sample::Moves("1. e4 {⟦[%emt]⟧} *"),
        Sample::Moves("1. e4 {[%emt ⟦0.01⟧]} *"),
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
    let (form, what) = match fault {
        TimeFault::Minutes => (None, "has more than 59 minutes beside hours"),
        TimeFault::Seconds => (None, "has more than 59 seconds beside minutes"),
        TimeFault::Negative => (None, "is negative"),
        TimeFault::Empty => (None, "is missing"),
        TimeFault::Words => (None, "is no time"),
        TimeFault::TwoFields => (Some("two fields"), "has two fields: there is no telling hours from minutes"),
        TimeFault::OneField => (Some("one field"), "has one field"),
        TimeFault::Careless => (Some("careless"), "has single digits or a comma in it"),
    };
    let found = shown(operands);
    let place = if operands.is_empty() { command.place } else { command.operands };
    let name = shown(command.name.of(facts.text));
    let finding = findings.add(&RULE, place);
    if let Some(form) = form {
        finding.severity(Severity::Info).once_per_input_and(form);
    }
    let message = if found.is_empty() {
        format!("the time of `{name}` is missing, not `h:mm:ss`")
    } else {
        format!("the time `{found}` of `{name}` {what}, not `h:mm:ss`")
    };
    finding.found(found).expected("h:mm:ss").message(message);
}
