//! NUM01: move numbers that do not match the moves.

use shakmaty::Color;

use super::goes_on;
use crate::rules::patches::without_token;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("NUM01"),
    name: "wrong-number",
    severity: Severity::Warning,
    summary: "The move number does not match the move that follows",
    what: "The number differs from the expected one. Moves are counted from the FEN's fullmove \
           number, from 1, or from the first number if the whole game is numbered that way. \
           Missing numbers are not reported. In a variation, moves are counted from where it \
           branches off; if its number is that of the next ply, it goes on after the move that it \
           should replace. If a move after it cannot be played, the finding about that move mentions \
           the number instead.",
    why: "Moves were lost or duplicated here. This is often the best clue to where a game was \
          damaged.",
    fix: "Compare the moves before this place with another source. If none is missing, correct the \
          number.",
    source: "PGN standard 8.2.2",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Moves("1. e4 e5 ⟦3.⟧ Nf3 *"),
        Sample::Moves("1. e4 e5 ⟦7⟧ Nf3 *"),
        // The number is there, and a digit too many.
        Sample::Moves("1. e4 e5 2. ⟦1⟧Nf3 Nc6 *"),
        Sample::Moves("1. e4 ⟦4⟧e5 2. Nf3 *"),
        Sample::Moves("1. e4 e5 (⟦2.⟧ Nf3 Nc6) 2. Nc3 *"),
        // The next number is correct again.
        Sample::Moves("1. e4 e5 ⟦12.⟧ Nf3 Nc6 3. Bb5 *"),
    ],
    silent: &[
        Sample::Moves("1. e4 {best by test} 1... e5 2. Nf3 *"),
        Sample::Moves("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *"),
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 39\"]", moves: "39... Ke7 40. e4 *" },
    ],
    check: Check::Number(check),
    ..Rule::DEFAULTS
};

fn check(facts: &NumberIndication<'_>, findings: &mut Findings) {
    if facts.aspect != NumberAspect::Count || facts.value == Some(facts.expected) || goes_on(&RULE, facts, findings) {
        return;
    }
    let found = shown(facts.place.of(facts.text));
    if facts.is_stray {
        let finding = findings.add(&RULE, facts.place).once_if_usual("stray").found(found.as_str());
        finding.message(format!("a stray `{found}` is written before the move, which needs no number here"));
        let is_glued = facts.text.get(facts.place.end).is_some_and(u8::is_ascii_alphabetic);
        let patch = if is_glued { Patch::remove(facts.text, facts.place) } else { without_token(facts.text, facts.place) };
        finding.repair(Certainty::Likely, patch);
        return;
    }
    let expected = match facts.turn {
        Color::White => format!("{}.", facts.expected),
        Color::Black => format!("{}...", facts.expected),
    };
    if let Some(plies) = facts.spliced {
        let finding = findings.add(&RULE, facts.place);
        finding.found(found).message(format!(
            "another game starts here, without tag pairs or a termination marker before it: {} can be played from the \
             starting position",
            quantity(plies, "ply", "plies")
        ));
        return;
    }
    let is_alone = facts.next.is_some_and(|(next, moves)| {
        let plies = moves.saturating_add(u32::from(facts.turn == Color::Black));
        moves > 0 && facts.expected.checked_add(plies / 2) == Some(next)
    });
    let hint = match facts.value {
        Some(_) if is_alone => "; the next number is correct again, so only this number is wrong",
        Some(value) if value > facts.expected => "; moves may be missing before it",
        Some(_) if !facts.starts_line => "; moves before it may be duplicated",
        _ => "",
    };
    let finding = findings.add(&RULE, facts.place);
    finding.message(format!("`{found}` is written before {}'s move {}{hint}", color_name(facts.turn), facts.expected));
    if is_alone {
        finding.once_if_usual("alone");
    }
    if is_alone || facts.next.is_none() {
        // A square without its file may be read as a number without periods.
        let certainty = if is_alone && facts.dots > 0 && facts.stands_alone() { Certainty::Certain } else { Certainty::Likely };
        finding.repair(certainty, Patch::replace(facts.text, facts.place, expected.as_bytes()));
    }
    finding.found(found).expected(expected);
}
