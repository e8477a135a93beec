//! EPD01: operations after the counters of a FEN.

use shakmaty::Bitboard;

use crate::chess::fen::read_counter;
use crate::epd::{Closing, Opcode};
use crate::rules::prelude::*;
use crate::rules::{Note, Notes, Sums, sums_of};

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
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("EPD14")]),
    fires: &[
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦0 1⟧ bm e4;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - ⟦0 1⟧ bm e4;\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e3;"),
    ],
    silent: &[Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - fmvn 1; hmvc 0;\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")],
    check: Check::Operations(check),
    note: Some(&Note { sums: 1, holds, ..Note::DEFAULTS }),
    ..Rule::DEFAULTS
};

/// Where the sums of the rule begin.
const AT: usize = sums_of(RULE.code);

/// In all lines of the input with operations, these follow bare counters.
const COUNTERS_ALWAYS_BARE: Condition = Condition::new(RULE.code, 0);

/// Some lines of the input have operations after bare counters, others after four fields.
const COUNTERS_SOMETIMES_BARE: Condition = Condition::new(RULE.code, 1);

/// Notes a line with operations after four fields.
pub fn note_after_four_fields(notes: &mut impl Sums) {
    notes.count(AT, 1);
}

fn holds(notes: &Notes, condition: Condition) -> bool {
    let &[after_four_fields] = notes.sums(AT);
    (condition == COUNTERS_ALWAYS_BARE) == (after_four_fields == 0)
}

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let Some(clock) = facts.fen.halfmove_clock().filter(|clock| read_counter(clock.of(facts.text)).is_some()) else { return };
    let place = Span::new(clock.start, facts.fen.position().end);
    let found = shown(place.of(facts.text));
    let patches = patches(facts);
    let habit = findings.add(&RULE, place);
    patches.iter().for_each(|patch| _ = habit.repair(Certainty::Likely, patch.clone()));
    habit
        .severity(Severity::Info)
        .once_per_input()
        .only_if(COUNTERS_ALWAYS_BARE)
        .found(found.as_str())
        .message(format!("the counters `{found}` are fields, but EPD uses the operations `hmvc` and `fmvn`"));
    let slip = findings.add(&RULE, place);
    patches.into_iter().for_each(|patch| _ = slip.repair(Certainty::Likely, patch));
    slip.once_per_input()
        .only_if(COUNTERS_SOMETIMES_BARE)
        .message(format!("the counters `{found}` are fields, but other lines have operations directly after four fields"))
        .found(found);
}

/// Whether no rule reports the counters as operations.
fn are_sound(facts: &OperationFacts<'_>) -> bool {
    let position = facts.position;
    let (Some(clock), Some(moves)) = (position.halfmove_clock, position.moves_made()) else { return false };
    let pawns = position.board.as_ref().map_or(Bitboard::EMPTY, |board| board.pawns());
    let has_moved_pawn = position.en_passant.flatten().is_some() || (position.own_checkers() & pawns).any();
    clock <= moves.white.saturating_add(moves.black)
        && (clock == 0 || !has_moved_pawn)
        && facts.first(Opcode::Hmvc).is_none()
        && facts.first(Opcode::Fmvn).is_none()
}

/// Removes both counters and writes them as operations, each before the first opcode that follows
/// it in ASCII order. Nothing if an operation does not end with a semicolon.
fn patches(facts: &OperationFacts<'_>) -> Vec<Patch> {
    let (fen, list) = (facts.fen, &facts.operations.list);
    let (Some(en_passant), Some(clock), Some(number)) = (fen.en_passant(), fen.halfmove_clock(), fen.fullmove_number()) else {
        return Vec::new();
    };
    let is_regular = facts.operations.leading_semicolon.is_none()
        && fen.checks.is_none()
        && list.iter().all(|operation| operation.closing == Closing::Semicolon);
    let Some(last) = list.last().filter(|_| is_regular && are_sound(facts)) else { return Vec::new() };
    let mut patches = vec![Patch::remove(facts.text, Span::new(en_passant.end, number.end))];
    // The operations are inserted at different places, or as one.
    let mut inserted: Vec<(usize, Vec<u8>)> = Vec::new();
    for (opcode, counter) in [("fmvn", number), ("hmvc", clock)] {
        let operation = [opcode.as_bytes(), b" ", counter.of(facts.text), b";"].concat();
        let next = list.iter().find(|next| next.opcode.of(facts.text) > opcode.as_bytes());
        let (at, bytes) = match next {
            Some(next) => (next.opcode.start, [&operation[..], b" "].concat()),
            None => (last.end(facts.text), [b" ", &operation[..]].concat()),
        };
        match inserted.last_mut().filter(|(last, _)| *last == at) {
            Some((_, before)) => before.extend(bytes),
            None => inserted.push((at, bytes)),
        }
    }
    patches.extend(inserted.into_iter().map(|(at, bytes)| Patch::insert(at, bytes)));
    patches
}
