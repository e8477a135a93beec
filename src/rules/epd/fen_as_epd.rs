//! EPD01: operations after the counters of a FEN.

use crate::{
    chess::fen::read_counter,
    rules::{Check, Condition, Findings, Rule, Sample, Severity, Span, facts::OperationFacts, shown},
};

pub static RULE: Rule = Rule {
    code: code!("EPD01"),
    name: "fen-as-epd",
    severity: Severity::Warning,
    summary: "Operations follow the two counters of a FEN",
    what: "An EPD record has four fields before its operations, and gives its counters as the \
           operations `hmvc` and `fmvn`. Many suites write the counters as fields five and six \
           instead. This is an info, or a warning if other lines of the input have operations \
           directly after four fields. It is reported once per input.",
    why: "Strict parsers read the first counter as an opcode.",
    fix: "Write the counters as `hmvc` and `fmvn`, or leave them out.",
    source: "PGN standard 16.2",
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
        .message(format!("the counters `{found}` are fields, but EPD uses the operations `hmvc` and `fmvn`"));
    findings
        .add(&RULE, place)
        .once_per_input()
        .only_if(Condition::CountersSometimesBare)
        .message(format!("the counters `{found}` are fields, but other lines have operations directly after four fields"))
        .found(found);
}
