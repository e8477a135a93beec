//! CLK08: malformed and unknown commands in comments.

use crate::pgn::{CommandKind, marks_are_well_formed, read_evaluation, read_time};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CLK08"),
    name: "command-form",
    severity: Severity::Warning,
    summary: "A command in a comment is malformed",
    what: "A command in a comment has no name, has no closing bracket, or lists its squares in the \
           wrong form. `csl` lists colours with one square each (`Gd4,Re5`), `cal` lists colours \
           with two squares each (`Ge2e4`). Spaces after the commas are accepted. The colours are \
           R, G, B, Y, C and O. A command that no known program writes is an info, once per input \
           and name.",
    why: "Programs ignore the command, or show it as text.",
    fix: "Correct the command, or remove it.",
    source: "PGN supplement of 2001, as used by ChessBase and Lichess",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Moves("1. e4 {⟦[%cal Ge2e9]⟧} *"),
        Sample::Moves("1. e4 {⟦[%csl Ge2e4]⟧} *"),
        Sample::Moves("1. e4 {⟦[%clk 0:05:00⟧} e5 *"),
        Sample::Moves("1. e4 {⟦[%wether fine]⟧} e5 *"),
    ],
    silent: &[
        Sample::Moves("1. e4 {[%csl Gd4,Re5][%cal Ge2e4, Rd1h5] a remark} e5 *"),
        Sample::Moves("1. e4 {5% of [all] games} e5 *"),
    ],
    check: Check::Command(check),
    ..Rule::DEFAULTS
};

fn check(facts: &CommandFacts<'_>, findings: &mut Findings) {
    let command = facts.command;
    let operands = command.operands.of(facts.text);
    let name = shown(command.name.of(facts.text));
    if command.name.start == command.name.end {
        findings.add(&RULE, command.place).once_if_usual("name").message("the command has no name");
    } else if !command.closed {
        let finding = findings
            .add(&RULE, command.place)
            .once_if_usual("closing")
            .message(format!("the command `{name}` has no closing `]`"));
        if is_valid(command.kind, operands) {
            finding.repair(Certainty::Likely, Patch::insert(command.place.end, *b"]"));
        }
    } else {
        let squares = match command.kind {
            CommandKind::Csl => 1,
            CommandKind::Cal => 2,
            CommandKind::Unknown => {
                let finding = findings.add(&RULE, command.place).severity(Severity::Info);
                finding.once_per_input_and(name.clone()).found(name.clone());
                finding.message(format!("unknown command `{name}`"));
                return;
            }
            _ => return,
        };
        if marks_are_well_formed(operands, squares) {
            return;
        }
        let form =
            if squares == 1 { "a colour and a square, such as `Gd4`" } else { "a colour and two squares, such as `Ge2e4`" };
        let found = shown(operands);
        findings
            .add(&RULE, command.place)
            .once_if_usual(name.as_str())
            .message(format!("`{found}` is not valid in the command `{name}`: each item is {form}"))
            .found(found);
    }
}

/// Whether these are operands of a known command.
fn is_valid(kind: CommandKind, operands: &[u8]) -> bool {
    match kind {
        CommandKind::Clk | CommandKind::Egt | CommandKind::Emt | CommandKind::Mct => read_time(operands).is_ok(),
        CommandKind::Eval => read_evaluation(operands).is_ok(),
        CommandKind::Csl => marks_are_well_formed(operands, 1),
        CommandKind::Cal => marks_are_well_formed(operands, 2),
        _ => false,
    }
}
