//! SYN18: positions inside other text.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN18"),
    name: "enclosed-positions",
    severity: Severity::Info,
    summary: "The positions are inside other text",
    what: "Most positions of the input are between quotes, commas or brackets, or in URLs, as in JSON lines \
           and program text. Each position is checked up to its closing quote, or else up to its last \
           field. A string that program text breaks inside the position is joined. A piece placement \
           without other fields is checked only in JSON lines. The text around a position is not \
           checked, apart from the variations of an engine in a list `pvs`, and moves and the name of \
           a variant in the same JSON object. Reported once per input.",
    why: "Readers of FEN and EPD expect a position at the start of each line.",
    fix: "Nothing, if other text is meant to be there. To check more than the positions, convert the \
          input to a table or to EPD.",
    source: "PGN standard 16.2 (an EPD record is a line of text)",
    fires: &[
        Sample::Positions("{\"fen\": \"⟦8/8/4k3/8/8/4K3/4P3/8 w - - 0 40⟧\", \"score\": \"0.00\"}\n"),
        Sample::Positions("board.set_fen('⟦8/8/4k3/8/8/4K3/4P3/8 w - - 0 40⟧')  # drawn\n"),
        Sample::Positions("https://lichess.org/analysis/⟦8/8/4k3/8/8/4K3/4P3/8_w_-_-_0_40⟧\n"),
    ],
    silent: &[
        Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - - 0 40"),
        Sample::Positions("fen,score\n8/8/4k3/8/8/4K3/4P3/8 w - - 0 40,0.00\n"),
    ],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports a position inside other text, perhaps with variations of an engine.
pub fn report(findings: &mut Findings, place: Span, has_variations: bool) {
    let message = if has_variations {
        "positions inside other text: only they and their variations are checked"
    } else {
        "positions inside other text: only they are checked, each up to its closing quote or its last field"
    };
    findings.add(&RULE, place).message(message).once_per_input();
}
