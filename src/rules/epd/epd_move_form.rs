//! `epd-move-form`.

use super::{position_at, san};
use crate::{
    epd::{FalseMark, Form, MoveWord, Resolved, Spelling},
    rules::{Check, Condition, Findings, Repair, Rule, Sample, Severity, Span, facts::OperationFacts, shown},
};

/// EPD09: a move is not spelt as SAN is.
pub static RULE: Rule = Rule {
    code: code!("EPD09"),
    name: "epd-move-form",
    severity: Severity::Warning,
    summary: "A move is not spelt as SAN is",
    what: "Moves among operands are written in SAN, with blanks between them: not by squares (`e2e4`, `Ng1-f3`), not with commas, `!` or `?`, with `x` for every capture, `+` for every check and `#` for every mate. What most moves of an input that can be written so have, is its house style, and an info, once per input and form. A file or rank of origin that is not needed is an info. A mark that says what is not so (`+` without check) is always a warning.",
    why: "Strict readers drop the record; a false mark often means that another move or position was meant.",
    fix: "Write the move as it is expected; look at the board where a mark is false.",
    source: "PGN standard 1994, sections 16.2.4 and 8.2.3",
    fires: &[
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - bm ⟦e4d5⟧;\n4k3/8/8/3p4/4P3/8/8/4K3 w - - bm exd5;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦e2e4⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦e3, e4⟧;\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e3 e4;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K3 w - - bm ⟦e4!⟧;\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e3;"),
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - pv exd5 ⟦Kf7+⟧;"),
        Sample::Positions("4k3/8/8/8/8/8/8/R3K2R w - - bm ⟦Ra8⟧;\n4k3/8/8/8/8/8/8/R3K2R w - - bm Ra8+;"),
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - bm ⟦ed5⟧;\n4k3/8/8/3p4/4P3/8/8/4K3 w - - bm exd5;"),
        Sample::Positions("4k3/8/8/8/8/8/8/R3K2R w - - bm ⟦Ra8 +⟧;\n4k3/8/8/8/8/8/8/R3K2R w - - bm Rh8+;"),
        Sample::Positions("4k3/8/8/8/8/8/4P3/4K1N1 w - - bm ⟦Ngf3⟧;"),
    ],
    silent: &[
        Sample::Positions("4k3/8/8/3p4/4P3/8/8/4K3 w - - am Kd1 exd5; pv exd5 Kd7 Ke2;"),
        Sample::Positions("r3k2r/8/4p3/8/8/8/8/R3K2R w KQkq - bm O-O O-O-O Rxa8+ Rxh8+;"),
    ],
    check: Check::Operations(check),
    ..Rule::DEFAULTS
};

/// Spelling is not judged beyond this ply of a variation, whose positions are found by playing it from the start.
const LONGEST_VARIATION: u32 = 1000;

fn check(facts: &OperationFacts<'_>, findings: &mut Findings) {
    let mut judged = None;
    let mut commas = (None, false);
    for (index, word) in facts.moves.iter().enumerate() {
        let as_a_list = matches!(word.spelling, Spelling::Form(Form::Squares));
        let is_move = matches!(word.resolved, Resolved::Move(_)) && !word.in_comment && word.ply <= LONGEST_VARIATION;
        if judged == Some(word.operation) || !is_move {
            continue;
        }
        let list = facts.operation_of(word).operands;
        // Each operation is looked through once.
        if commas.0 != Some(word.operation) {
            let has_commas = memchr::memchr(b',', list.of(facts.text)).is_some() && is_a_list(own(facts, index));
            commas = (Some(word.operation), has_commas);
        }
        if as_a_list || (word.ply == 1 && commas.1) {
            // One finding for all moves of the operation: who writes so, writes them all so.
            judged = Some(word.operation);
            whole_list(facts, own(facts, index), list, as_a_list, findings);
            continue;
        }
        match word.spelling {
            Spelling::San => {}
            Spelling::False(mark) => false_mark(facts, word, mark, findings),
            Spelling::Form(form) => one_word(facts, word, form, findings),
        }
    }
}

/// The words from `index` on that are of one operation: they stand together.
fn own<'a>(facts: &OperationFacts<'a>, index: usize) -> &'a [MoveWord] {
    let words = &facts.moves[index..];
    let end = words.iter().position(|word| word.operation != words[0].operation).unwrap_or(words.len());
    &words[..end]
}

/// Whether there is more than one move among the words of an operation.
fn is_a_list(words: &[MoveWord]) -> bool {
    words.iter().filter(|word| matches!(word.resolved, Resolved::Move(_))).count() > 1
}

#[cold]
fn whole_list(facts: &OperationFacts<'_>, own: &[MoveWord], list: Span, squares: bool, findings: &mut Findings) {
    let words = || own.iter();
    let first = &own[0];
    let whole = words().all(|word| matches!(word.resolved, Resolved::Move(_) | Resolved::Aside))
        && facts
            .operation_of(first)
            .move_words(facts.text)
            .last()
            .is_none_or(|last| words().next_back().is_some_and(|word| word.place.end >= last.end));
    let moves: Vec<String> = words().filter_map(|word| san(facts, word)).collect();
    let expected = moves.join(" ");
    let (form, message) = match (squares, moves.len()) {
        (true, 1) => (Form::Squares, format!("the move is written by its squares; SAN is {expected}")),
        (true, _) => (Form::Squares, "moves are written by their squares".to_owned()),
        (false, _) => (Form::Commas, "moves are separated by blanks, not by commas".to_owned()),
    };
    let repair = whole.then_some((expected, Repair::Certain));
    report(facts, list, form, repair, message, findings);
}

#[cold]
fn one_word(facts: &OperationFacts<'_>, word: &MoveWord, form: Form, findings: &mut Findings) {
    let Some(expected) = san(facts, word) else { return };
    let message = match form {
        Form::Squares => format!("the move is written by its squares; SAN is {expected}"),
        Form::Commas => "moves are separated by blanks, not by commas".to_owned(),
        Form::NoCheckMark if expected.ends_with('#') => format!("{expected} is mate, which is not said"),
        Form::NoCheckMark => format!("{expected} gives check, which is not said"),
        Form::NoCaptureMark => format!("{expected} captures, which is not said"),
        Form::Judgement => format!("a judgement of the move is no part of it: {expected}"),
        Form::Origin => format!("{expected} is enough to tell the move"),
        Form::Other => format!("SAN is {expected}"),
    };
    report(facts, word.place, form, Some((expected, Repair::Certain)), message, findings);
}

#[cold]
fn false_mark(facts: &OperationFacts<'_>, word: &MoveWord, mark: FalseMark, findings: &mut Findings) {
    let (Some(expected), Some(position)) = (san(facts, word), position_at(facts, word)) else { return };
    let side = crate::chess::side(shakmaty::Position::turn(&position).other());
    let message = match mark {
        FalseMark::Capture => "nothing is captured".to_owned(),
        FalseMark::Check => format!("{side} is not in check after {expected}"),
        FalseMark::Mate => format!("{side} is not mated by {expected}"),
    };
    let finding = findings.add(&RULE, word.place).found(shown(word.place.of(facts.text))).expected(expected).message(message);
    // The move may be the wrong one instead.
    finding.repair = Some(Repair::Likely);
}

/// Reports a form twice: as a slip, and as a habit of the input. Which of the two stands is known when the input has been read.
fn report(
    facts: &OperationFacts<'_>,
    place: Span,
    form: Form,
    repair: Option<(String, Repair)>,
    message: String,
    findings: &mut Findings,
) {
    let found = shown(place.of(facts.text));
    let severity = if form == Form::Origin { Severity::Info } else { Severity::Warning };
    let (expected, repair) = repair.map_or_else(Default::default, |(expected, repair)| (expected, Some(repair)));
    let slip = findings.add(&RULE, place).severity(severity).only_if(Condition::Slip(form));
    slip.found(found.as_str()).expected(expected.as_str()).message(message.as_str());
    slip.repair = repair;
    let habit = findings
        .add(&RULE, place)
        .severity(Severity::Info)
        .only_if(Condition::Habit(form))
        .once_per_input_and(form.word())
        .found(found)
        .expected(expected)
        .message(message);
    habit.repair = repair;
}
