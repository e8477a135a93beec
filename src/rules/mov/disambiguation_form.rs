//! MOV17: superfluous and non-canonical disambiguation.

use shakmaty::Role;

use super::{misspelled, target};
use crate::chess::{Quirks, WrittenMove, role_name};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("MOV17"),
    name: "disambiguation-form",
    severity: Severity::Info,
    summary: "The disambiguation is superfluous or not canonical",
    what: "A file or rank is given although no other piece of that kind can legally move to the \
           square. Or the rank is given although the file is enough, or both although one is \
           enough. Pinned pieces do not count. A pawn that does not capture needs neither. Long \
           notation is not checked.",
    why: "The move is still clear, but tools that compare games as text see two different games.",
    fix: "Write the move in its canonical spelling.",
    source: "PGN standard 8.2.3.4",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Moves("1. e4 e5 2. ⟦Ngf3⟧ *"),
        Sample::Moves("1. d4 Nf6 2. Nc3 e6 3. e4 Bb4 4. ⟦Nge2⟧ *"),
        Sample::Moves("1. Nf3 Nf6 2. d3 d5 3. ⟦N1d2⟧ *"),
    ],
    silent: &[Sample::Moves("1. Nf3 Nf6 2. d3 d5 3. Nbd2 *"), Sample::Moves("1. e4 d5 2. exd5 *")],
    check: Check::Ply(check),
    wakes: Wakes::Signs(&[Sign::Disambiguation]),
    ..Rule::DEFAULTS
};

fn check(facts: &PlyFacts<'_>, findings: &mut Findings) {
    let Some(resolved) = facts.resolved else { return };
    let WrittenMove::Normal { role, file, rank, to, .. } = facts.written.what else { return };
    let is_pawn = role == Role::Pawn;
    if is_pawn && facts.written.capture
        || facts.written.quirks.has(Quirks::LONG_FORM)
        || resolved.disambiguation_is_canonical(file, rank)
    {
        return;
    }
    let finding = misspelled(&RULE, facts, findings).once_if_usual("");
    let canonical = finding.expected.clone();
    let others: Vec<String> = resolved.twins.into_iter().map(|square| square.to_string()).collect();
    match others.as_slice() {
        _ if is_pawn => finding
            .message(format!("{canonical} is enough: a pawn that does not capture stays on its file"))
            .squares(target(resolved.played)),
        [] => finding
            .message(format!("{canonical} is enough: no other {} can go to {to}", role_name(role)))
            .squares(target(resolved.played)),
        [other] => finding
            .message(format!("the {} on {other} can also go to {to}: the canonical spelling is {canonical}", role_name(role)))
            .squares(resolved.twins),
        _ => finding
            .message(format!(
                "the {}s on {} can also go to {to}: the canonical spelling is {canonical}",
                role_name(role),
                join_and(&others)
            ))
            .squares(resolved.twins),
    };
}
