//! EPD09: moves that are not written in SAN.

use shakmaty::{Bitboard, Position, san::SanPlus};

use super::{arrow, position_at, san, show_position};
use crate::chess::Arrow;
use crate::epd::{CanonicalMoves, FalseMark, Form, FormCounts, MoveWord, Opcode, Resolved, Spelling};
use crate::rules::prelude::*;
use crate::rules::{Note, Notes, Sums, sums_of};

pub static RULE: Rule = Rule {
    code: code!("EPD09"),
    name: "non-san-move",
    severity: Severity::Warning,
    summary: "A move is not written in SAN",
    what: "Operands that are moves are written in SAN and separated by spaces. Coordinates such \
           as `e2e4`, commas, `!` or `?`, and a missing `x`, `+` or `#` are warnings. If most \
           moves of an input are written that way, it is an info, reported once per input. \
           Superfluous disambiguation is an info, and a wrong mark, such as `+` without check, is \
           always a warning.",
    why: "Strict parsers reject the record. A wrong mark often means that another move or \
           position was meant.",
    fix: "Write the move in SAN. If a mark is wrong, compare the move with the position.",
    source: "PGN standard 8.2.3, 16.2.4",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - bm ⟦e4d5⟧;\n4k3/8/8/3p4/4P3/8/8/4K3 w - - bm exd5;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦e2e4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦e3, e4⟧;\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e3 e4;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦e4!⟧;\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e3;"),
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - pv exd5 ⟦Kf7+⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/8/R3K2R w - - bm ⟦Ra8⟧;\n4k3/8/8/8/8/8/8/R3K2R w - - bm Ra8+;"),
        Sample::Positions("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm ⟦Ra8⟧;\n6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;"),
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - bm ⟦ed5⟧;\n4k3/8/8/3p4/4P3/8/8/4K3 w - - bm exd5;"),
        Sample::Positions("4k3/8/8/8/8/8/8/R3K2R w - - bm ⟦Ra8 +⟧;\n4k3/8/8/8/8/8/8/R3K2R w - - bm Rh8+;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K1N1 w - - bm ⟦Ngf3⟧;"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - am Kd1 exd5; pv exd5 Kd7 Ke2;"),
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w KQkq - bm O-O O-O-O Rxa8+ Rxh8+;"),
    ],
    check: Check::Operations(check),
    note: Some(&Note { sums: 2 * FORMS, holds, ..Note::DEFAULTS }),
    ..Rule::DEFAULTS
};

/// Number of forms.
const FORMS: usize = Form::ALL.len();

/// Where the sums begin: for each form, how often it was possible, and then, how often it was used.
const AT: usize = sums_of(RULE.code);

/// Most moves of the input that could be spelled in this form are not.
const fn slip(form: Form) -> Condition {
    Condition::new(RULE.code, form as u8)
}

/// Most moves of the input that could be spelled in this form are.
const fn habit(form: Form) -> Condition {
    Condition::new(RULE.code, (FORMS + form as usize) as u8)
}

/// Notes the spellings of a record.
pub fn note_forms(notes: &mut impl Sums, counts: &FormCounts) {
    for form in Form::ALL {
        let (could, was) = counts.of(form);
        notes.count(AT + form as usize, u64::from(could));
        notes.count(AT + FORMS + form as usize, u64::from(was));
    }
}

/// Notes moves in canonical SAN.
#[inline]
pub fn note_canonical(notes: &mut impl Sums, moves: CanonicalMoves) {
    for form in Form::ALL {
        notes.count(AT + form as usize, u64::from(moves.possible(form)));
    }
}

/// A form is a habit if it is used in most moves where it is possible.
fn holds(notes: &Notes, condition: Condition) -> bool {
    let sums: &[u64; 2 * FORMS] = notes.sums(AT);
    let number = usize::from(condition.number());
    let form = number % FORMS;
    (number >= FORMS) == (sums[FORMS + form] * 2 > sums[form])
}

/// Maximum ply of a variation at which spelling is checked: each position is reached by playing the
/// variation from its start.
const MAX_PLY: u32 = 1000;

/// A form that most moves of an input have, of those that can have it, is the style of that input.
/// A form is reported as a slip and as a habit, and the whole input decides which of the two is
/// shown.
fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let mut reported = None;
    let mut commas = (None, false);
    for (index, word) in facts.moves.iter().enumerate() {
        let is_in_coordinates = matches!(word.spelling, Spelling::Form(Form::Squares));
        let is_move = matches!(word.resolved, Resolved::Move(_)) && !word.in_comment && word.ply <= MAX_PLY;
        if reported == Some(word.operation) || !is_move {
            continue;
        }
        let list = facts.operation_of(word).operands;
        // Each operation is searched once.
        if commas.0 != Some(word.operation) {
            let has_commas = memchr::memchr(b',', list.of(facts.text)).is_some() && is_list(words_of_operation(facts, index));
            commas = (Some(word.operation), has_commas);
        }
        if is_in_coordinates || (word.ply == 1 && commas.1) {
            // One finding for all moves of the operation: usually they are all written in the same
            // way.
            reported = Some(word.operation);
            report_list(facts, words_of_operation(facts, index), list, is_in_coordinates, findings);
            continue;
        }
        match word.spelling {
            Spelling::San => {}
            Spelling::False(mark) => report_wrong_mark(facts, word, mark, findings),
            Spelling::Form(form) => report_word(facts, word, form, findings),
        }
    }
}

/// The words from `index` to the end of its operation.
fn words_of_operation<'a>(facts: &OperationFacts<'a>, index: usize) -> &'a [MoveWord] {
    let words = &facts.moves[index..];
    let end = words.iter().position(|word| word.operation != words[0].operation).unwrap_or(words.len());
    &words[..end]
}

/// Whether there is more than one move among the words of an operation.
fn is_list(words: &[MoveWord]) -> bool {
    words.iter().filter(|word| matches!(word.resolved, Resolved::Move(_))).count() > 1
}

/// The moves of words of one operation in SAN. A variation is played once, because it can be long.
fn sans(facts: &OperationFacts<'_>, words: &[MoveWord]) -> Vec<String> {
    let Some(mut position) = words.first().and_then(|first| position_at(facts, first)) else { return Vec::new() };
    let is_line = words.first().is_some_and(|first| facts.operation_of(first).kind == Opcode::Pv);
    let moves = words.iter().filter_map(|word| if let Resolved::Move(played) = word.resolved { Some(played) } else { None });
    moves
        .map(|played| {
            let mut after = position.clone();
            let san = SanPlus::from_move_and_play_unchecked(&mut after, played);
            if is_line {
                position = after;
            }
            san.to_string()
        })
        .collect()
}

#[cold]
fn report_list(facts: &OperationFacts<'_>, words: &[MoveWord], list: Span, is_in_coordinates: bool, findings: &mut Findings) {
    let first = &words[0];
    let is_whole = words.iter().all(|word| matches!(word.resolved, Resolved::Move(_) | Resolved::Aside))
        && facts
            .operation_of(first)
            .move_words(facts.text)
            .last()
            .is_none_or(|last| words.last().is_some_and(|word| word.place.end >= last.end));
    // Moves before those in coordinates stay.
    let written = list.of(facts.text).split(|byte| byte.is_ascii_whitespace() || *byte == b',').filter(|word| !word.is_empty());
    let is_whole = is_whole && written.count() == words.len();
    let moves = sans(facts, words);
    let expected = moves.join(" ");
    let (form, message) = match (is_in_coordinates, moves.len()) {
        (true, 1) => (Form::Squares, format!("`{}` is in coordinates: SAN is {expected}", shown(list.of(facts.text)))),
        (true, _) => (Form::Squares, "the moves are in coordinates, not in SAN".to_owned()),
        (false, _) => (Form::Commas, "the moves are separated by commas, not by spaces".to_owned()),
    };
    let is_set = matches!(facts.operation_of(first).kind, Opcode::Am | Opcode::Bm);
    let mut new = moves;
    if is_set && words.is_sorted_by_key(|word| word.place.of(facts.text)) {
        new.sort_unstable();
    }
    let (expected, new) = if is_whole { (expected, new.join(" ")) } else { Default::default() };
    report(facts, list, &Respelling { form, expected, new, message }, words, findings);
}

#[cold]
fn report_word(facts: &OperationFacts<'_>, word: &MoveWord, form: Form, findings: &mut Findings) {
    let Some(expected) = san(facts, word) else { return };
    let found = shown(word.place.of(facts.text));
    let message = match form {
        Form::Squares => format!("`{found}` is in coordinates: SAN is {expected}"),
        Form::Commas => "the moves are separated by commas, not by spaces".to_owned(),
        Form::NoCheckMark if expected.ends_with('#') => format!("`{found}` is checkmate, but `#` is missing"),
        Form::NoCheckMark => format!("`{found}` gives check, but `+` is missing"),
        Form::NoCaptureMark => format!("`{found}` is a capture, but `x` is missing"),
        Form::Judgement => format!("`{found}` has `!` or `?`, which is not part of the move: SAN is {expected}"),
        Form::Origin => format!("`{found}` has superfluous disambiguation: {expected} is enough"),
        Form::Other => format!("`{found}` is a non-standard spelling: SAN is {expected}"),
    };
    let spelling = Respelling { form, new: expected.clone(), expected, message };
    report(facts, word.place, &spelling, std::slice::from_ref(word), findings);
}

#[cold]
fn report_wrong_mark(facts: &OperationFacts<'_>, word: &MoveWord, mark: FalseMark, findings: &mut Findings) {
    let Some(expected) = san(facts, word) else { return };
    let found = shown(word.place.of(facts.text));
    let message = match mark {
        FalseMark::Capture => format!("`{found}` is not a capture: SAN is {expected}"),
        FalseMark::Check => format!("`{found}` does not give check: SAN is {expected}"),
        FalseMark::Mate => format!("`{found}` is not checkmate: SAN is {expected}"),
    };
    let finding = findings.add(&RULE, word.place).found(found).expected(expected.as_str()).message(message);
    show_position(finding, facts, word);
    if let (Some(arrow), Some(position)) = (arrow(word), position_at(facts, word)) {
        let their_king = position.board().kings() & position.them();
        finding.written([arrow]).squares(match mark {
            FalseMark::Capture => Bitboard::from(arrow.to),
            FalseMark::Check | FalseMark::Mate => their_king,
        });
    }
    // The move instead of its mark may be wrong.
    finding.repair(Certainty::Likely, Patch::replace(facts.text, word.place, expected));
}

/// How moves are written, and how they should be.
struct Respelling {
    form: Form,
    expected: String,
    /// What is written instead: sorted moves stay sorted. Empty if there is no repair.
    new: String,
    message: String,
}

/// Reports a form as a slip and as a habit of the input.
fn report(facts: &OperationFacts<'_>, place: Span, spelling: &Respelling, words: &[MoveWord], findings: &mut Findings) {
    let &Respelling { form, ref expected, ref new, ref message } = spelling;
    let Some(first) = words.first() else { return };
    // Later words of a variation are moves in other positions.
    let arrows: Vec<Arrow> = words.iter().filter(|word| word.ply == first.ply).filter_map(arrow).collect();
    let found = shown(place.of(facts.text));
    let severity = if form == Form::Origin { Severity::Info } else { Severity::Warning };
    // A mark that the move does not deserve may be that of another move.
    let marks = |text: &[u8]| text.iter().filter(|byte| matches!(byte, b'+' | b'#')).count();
    let certainty = if marks(place.of(facts.text)) > marks(new.as_bytes()) { Certainty::Likely } else { Certainty::Certain };
    let patch = (!new.is_empty()).then(|| Patch::replace(facts.text, place, new.as_str()));
    let slip = findings.add(&RULE, place).severity(severity).only_if(self::slip(form));
    slip.found(found.as_str()).expected(expected.as_str()).message(message.as_str());
    if let Some(patch) = &patch {
        slip.repair(certainty, patch.clone());
    }
    slip.written(arrows.iter().copied());
    show_position(slip, facts, first);
    let habit = findings
        .add(&RULE, place)
        .severity(Severity::Info)
        .only_if(self::habit(form))
        .once_per_input_and(form.as_str())
        .found(found)
        .expected(expected.as_str())
        .message(message.as_str());
    if let Some(patch) = patch {
        habit.repair(certainty, patch);
    }
    habit.written(arrows);
    show_position(habit, facts, first);
}
