//! `fen-as-epd`.

use crate::{
    chess::fen::read_counter,
    rules::{Check, Condition, Findings, Rule, Sample, Severity, Span, facts::OperationFacts, shown},
};

/// EPD01: operations follow bare counters.
pub static RULE: Rule = Rule {
    code: code!("EPD01"),
    name: "fen-as-epd",
    severity: Severity::Warning,
    summary: "Operations follow bare counters",
    what: "An EPD record has four fields; halfmove clock and fullmove number are the operations `hmvc` and `fmvn`. Six fields followed by operations are neither FEN nor EPD, but many suites are written so, and they are read as they are meant: an info, once per input. Where other lines of the input have operations behind four fields the two forms are mixed, and that is a warning, once per input.",
    why: "Strict readers take the counters for an opcode.",
    fix: "Write `hmvc` and `fmvn`, or leave the counters out.",
    source: "PGN standard 1994, section 16.2",
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦0 1⟧ bm e4;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦0 1⟧ bm e4;\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e3;"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 1; hmvc 0;\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let Some(clock) = facts.fen.halfmove_clock().filter(|clock| read_counter(clock.of(facts.text)).is_some()) else { return };
    let place = Span::new(clock.start, facts.fen.position().end);
    let found = shown(place.of(facts.text));
    findings
        .add(&RULE, place)
        .severity(Severity::Info)
        .once_per_input()
        .only_if(Condition::CountersAlwaysBare)
        .found(found.as_str())
        .message("counters stand bare before operations; EPD has `hmvc` and `fmvn` for them");
    findings
        .add(&RULE, place)
        .once_per_input()
        .only_if(Condition::CountersSometimesBare)
        .found(found)
        .message("counters stand bare before operations here, while other lines of the input have no counters there");
}
