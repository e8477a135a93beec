//! TAG17: PlyCount tags that do not match the game.

use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG17"),
    name: "plycount-mismatch",
    severity: Severity::Warning,
    summary: "PlyCount differs from the number of plies in the game",
    what: "PlyCount is not the number of plies in the main line. Null moves count; moves before \
           the position of a FEN tag do not. Games that cannot be replayed to their end are not \
           checked. `0` in a game with moves is reported once per input, because some programs \
           always write it. If 20 or more games are one ply off in the same way, or count moves \
           instead of plies, this is reported once per input, too.",
    why: "Moves are missing, or the game was edited later.",
    fix: "Compare the game with its source, and correct the number.",
    source: "PGN standard 9.9.3",
    repairs: Some(Certainty::Likely),
    fires: &[Sample::Tags("[PlyCount \"⟦99⟧\"]"), Sample::Tags("[PlyCount \"⟦0⟧\"]")],
    silent: &[Sample::Tags("[PlyCount \"2\"]"), Sample::Tags("[PlyCount \"\"]")],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(pair) = facts.tags.pair(KnownTag::PlyCount).filter(|_| facts.position.is_some()) else { return };
    let value = pair.value.of(facts.text);
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return;
    }
    let count = value.iter().fold(0_u32, |count, digit| count.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
    // RES01 reports moves that are missing at the end.
    if count == facts.plies || facts.marker.is_none() && count > facts.plies {
        return;
    }
    let found = shown(value);
    let message = format!("PlyCount is {found}, but the game has {}", quantity(facts.plies, "ply", "plies"));
    let finding = findings.add(&RULE, pair.value).found(found).expected(facts.plies.to_string()).message(message);
    finding.repair(Certainty::Likely, Patch::replace(facts.text, pair.value, facts.plies.to_string()));
    match count {
        0 => {
            finding.once_per_input();
        }
        _ if count + 1 == facts.plies => {
            finding.grouped("one ply fewer");
        }
        _ if count == facts.plies + 1 => {
            finding.grouped("one ply more");
        }
        _ if count == facts.plies.div_ceil(2) => {
            finding.grouped("moves instead of plies");
        }
        _ => {}
    }
}
