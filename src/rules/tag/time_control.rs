//! TAG20: time controls.

use crate::{
    pgn::KnownTag,
    rules::{Check, Code, Family, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: Code::new(Family::Tag, 20),
    name: "time-control",
    severity: Severity::Warning,
    summary: "The time control is none that the standard knows",
    what: "Fields joined by colons: `?`, `-`, moves/seconds (`40/7200`), seconds (`300`), seconds and increment (`300+2`), `*` and seconds for a sandclock; an increment behind moves/seconds is spared. \
           No moves or no time at all (`40/0`), and a field behind one that lasts to the end of the game, are warnings; words (`90 min + 30 s`) are an info. Once per input.",
    why: "Programs cannot tell blitz from classical chess, and clocks cannot be checked.",
    fix: "Write the periods in seconds: `40/5400+30:900+30`.",
    source: "PGN standard 9.6.1",
    reachability: false,
    layout: false,
    yields: &[],
    fires: &[
        Sample::Tags("[TimeControl \"⟦40/0⟧\"]"),
        Sample::Tags("[TimeControl \"⟦300:40/7200⟧\"]"),
        Sample::Tags("[TimeControl \"⟦15'/game & 10''/move⟧\"]"),
    ],
    silent: &[
        Sample::Tags("[TimeControl \"40/7200:20/3600:900+30\"]"),
        Sample::Tags("[TimeControl \"*180\"]"),
        Sample::Tags("[TimeControl \"-\"]"),
        Sample::Tags("[TimeControl \"60+0.6\"]"),
    ],
    check: Check::Tags(check),
};

/// What a field of a time control is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    /// So many moves.
    Moves,
    /// The rest of the game.
    Rest,
    /// Nothing is said.
    Unknown,
    /// A period without moves or without time.
    Nothing,
    /// Something else.
    Words,
}

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some(pair) = facts.pair(KnownTag::TimeControl) else { return };
    let value = pair.value.of(facts.text);
    if value.is_empty() {
        return;
    }
    let mut fields = value.split(|byte| *byte == b':').map(read);
    let mut to_the_end = false;
    let mut fault = None;
    for field in &mut fields {
        match field {
            Field::Words => {
                fault = Some((Severity::Info, "words", "is written in words"));
                break;
            }
            Field::Nothing => {
                fault = fault.or(Some((Severity::Warning, "nothing", "has a period without moves or without time")))
            }
            _ if to_the_end => {
                fault = fault.or(Some((Severity::Warning, "beyond", "goes on behind a period that lasts to the end of the game")))
            }
            Field::Moves | Field::Rest | Field::Unknown => {}
        }
        to_the_end |= field == Field::Rest;
    }
    let Some((severity, class, what)) = fault else { return };
    let found = shown(value);
    let finding = findings.add(&RULE, pair.value).severity(severity).message(format!("the time control `{found}` {what}"));
    finding.once_per_input_and(class).found(found);
}

fn read(field: &[u8]) -> Field {
    if matches!(field, b"?" | b"-") {
        return Field::Unknown;
    }
    // Engines are given fractions of a second.
    let number = |text: &[u8]| {
        let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
        let points = text.iter().filter(|byte| **byte == b'.').count();
        (digits > 0 && points <= 1 && digits + points == text.len()).then(|| text.iter().any(|byte| matches!(byte, b'1'..=b'9')))
    };
    let (moves, time) = match field.iter().position(|byte| *byte == b'/') {
        Some(at) => (Some(&field[..at]), &field[at + 1..]),
        None => (None, field.strip_prefix(b"*").unwrap_or(field)),
    };
    let (base, increment) = match time.iter().position(|byte| *byte == b'+') {
        Some(at) => (&time[..at], Some(&time[at + 1..])),
        None => (time, None),
    };
    let increment = increment.map(number);
    match (moves.map(number), number(base), increment) {
        (Some(None), ..) | (_, None, _) | (.., Some(None)) => Field::Words,
        (Some(Some(false)), ..) => Field::Nothing,
        (_, Some(false), increment) if increment != Some(Some(true)) => Field::Nothing,
        (Some(_), ..) => Field::Moves,
        (None, ..) => Field::Rest,
    }
}
