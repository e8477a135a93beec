//! TAG20: time controls.

use crate::{
    pgn::{KnownTag, Period, periods},
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG20"),
    name: "time-control",
    severity: Severity::Warning,
    summary: "The time control is none that the standard knows",
    what: "Fields joined by colons: `?`, `-`, moves/seconds (`40/7200`), seconds (`300`), seconds and increment (`300+2`), `*` and seconds for a sandclock; an increment behind moves/seconds is spared. \
           No moves or no time at all (`40/0`), and a field behind one that lasts to the end of the game, are warnings; words (`90 min + 30 s`) are an info. Once per input.",
    why: "Programs cannot tell blitz from classical chess, and clocks cannot be checked.",
    fix: "Write the periods in seconds: `40/5400+30:900+30`.",
    source: "PGN standard 9.6.1",
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
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    let Some(pair) = facts.pair(KnownTag::TimeControl) else { return };
    let value = pair.value.of(facts.text);
    if value.is_empty() {
        return;
    }
    let mut to_the_end = false;
    let mut fault = None;
    for field in periods(value) {
        match field {
            Period::Words => {
                fault = Some((Severity::Info, "words", "is written in words"));
                break;
            }
            Period::Nothing => {
                fault = fault.or(Some((Severity::Warning, "nothing", "has a period without moves or without time")))
            }
            _ if to_the_end => {
                fault = fault.or(Some((Severity::Warning, "beyond", "goes on behind a period that lasts to the end of the game")))
            }
            Period::Moves { .. } | Period::Rest { .. } | Period::Sandclock | Period::Unknown => {}
        }
        to_the_end |= matches!(field, Period::Rest { .. } | Period::Sandclock);
    }
    let Some((severity, class, what)) = fault else { return };
    let found = shown(value);
    let finding = findings.add(&RULE, pair.value).severity(severity).message(format!("the time control `{found}` {what}"));
    finding.once_per_input_and(class).found(found);
}
