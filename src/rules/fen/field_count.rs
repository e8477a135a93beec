//! FEN01: the position has too few fields.

use memchr::memmem;
use shakmaty::{Chess, Position};

use super::is_engine_command;
use crate::chess::fen::Tail;
use crate::chess::fen_of;
use crate::epd::{WordInLine, moves_from_startpos, word_in_line};
use crate::rules::prelude::*;
use crate::rules::{MIN_GROUPED, Note, Notes, StartCounts, sums_of};

pub static RULE: Rule = Rule {
    code: code!("FEN01"),
    name: "field-count",
    severity: Severity::Error,
    summary: "The position has too few fields",
    what: "A FEN has six fields. An EPD record has four fields, followed by operations. Fewer \
        than four fields are an error, and so is a line or FEN tag without a piece placement. \
        A line that cannot be what is left of a position, such as a title, a sentence or a \
        delimiter, is a warning. If an input has two or more of them, and they are at least a \
        fifth of the lines, they belong to its layout: that is an info, reported once per \
        input. If all lines are so, they are errors. Numbered moves on the line after a \
        position are played from there. If only counters are missing, this is a warning, and \
        the counter rules do not apply. A field is also missing if the others are one place \
        too early, or if it is empty, between two spaces. Before a lone number, two spaces \
        mean an empty halfmove clock if most such lines of the input agree. That is reported \
        once per input, and so are lines without a position if they are 20 or more and at \
        least a fifth of the lines. In a table, a row without a position column is an error, \
        and a row with neither a position nor a game is a warning.",
    why: "Programs fill in missing fields in different ways, or reject the position.",
    fix: "Add the missing fields. If the counters are unknown, write `0 1`.",
    source: "PGN standard 16.1.3, 16.2",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("FEN10"), code!("FEN07")]),
    fires: &[
        Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - -\n⟦These positions are taken from games.⟧"),
        Sample::Positions("⟦8/8/4k3/8/8/4K3/4P3/8 w -⟧"),
        Sample::Positions("⟦8/8/4k3/8/8/4K3/4P3/8 w - - 0⟧"),
        Sample::Positions("⟦8/8/4k3/8/8/4K3/4P3/8 ;⟧"),
        Sample::Positions("⟦8/8/4k3/8/8/4K3/4P3/8 w - 0 1⟧"),
        Sample::Positions("⟦8/8/4k3/8/8/4K3/4P3/8 w -  0 1⟧"),
        Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - -⟦  ⟧20\n8/8/4k3/8/8/4K3/4P3/8 b - -  20"),
        Sample::Positions("⟦startpos⟧"),
    ],
    silent: &[
        Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - -"),
        Sample::Positions("% These positions are taken from games.\n8/8/4k3/8/8/4K3/4P3/8 w - -"),
        Sample::Positions("8/8/4k3/8/8/4K3/4P3/8 w - - fmvn 40; hmvc 0;"),
    ],
    check: Check::FieldCount(check),
    note: Some(&Note { sums: 4, of_position: Some(of_position), holds, ..Note::DEFAULTS }),
    ..Rule::DEFAULTS
};

/// Where the sums of the rule begin.
const AT: usize = sums_of(RULE.code);

/// Fewer lines of the input than for [`MANY_OTHER_LINES`] do not contain a position.
pub const FEW_OTHER_LINES: Condition = Condition::new(RULE.code, 0);

/// At least 20 lines of the input, and a fifth of all, do not contain a position.
pub const MANY_OTHER_LINES: Condition = Condition::new(RULE.code, 1);

/// Of the lines with one counter, or with two spaces before the counters, most have two spaces
/// before a lone number: its halfmove clock is empty.
pub const CLOCKS_EMPTY: Condition = Condition::new(RULE.code, 2);

/// Most do not.
pub const CLOCKS_GIVEN: Condition = Condition::new(RULE.code, 3);

/// Fewer lines than for [`MANY_TEXT_LINES`] are text.
pub const FEW_TEXT_LINES: Condition = Condition::new(RULE.code, 4);

/// At least two lines of the input, and a fifth of all, are text, such as the titles of positions.
pub const MANY_TEXT_LINES: Condition = Condition::new(RULE.code, 5);

/// All lines of the input are text.
pub const ALL_TEXT: Condition = Condition::new(RULE.code, 6);

/// Counts lines without a position, positions whose halfmove clock may be empty, and those that
/// show the contrary.
fn of_position(facts: &PositionFacts<'_>, count: &mut dyn FnMut(usize)) {
    if facts.origin == Origin::Line && !facts.has_placement() {
        count(if is_text(facts.place.of(facts.text)) { 3 } else { 0 });
    }
    match facts.lone_counter() {
        Some(LoneCounter::AfterGap) => count(1),
        Some(LoneCounter::Clock) => count(2),
        None => {}
    }
}

fn holds(notes: &Notes, condition: Condition) -> bool {
    let &[other_lines, empty_clocks, given_clocks, text_lines] = notes.sums(AT);
    let records = StartCounts::of(notes).records();
    let is_many = |lines, min| lines >= min && lines * 5 >= records;
    let is_beside = text_lines < records;
    match condition {
        FEW_OTHER_LINES => !is_many(other_lines, MIN_GROUPED),
        MANY_OTHER_LINES => is_many(other_lines, MIN_GROUPED),
        FEW_TEXT_LINES => is_beside && !is_many(text_lines, 2),
        MANY_TEXT_LINES => is_beside && is_many(text_lines, 2),
        ALL_TEXT => !is_beside,
        CLOCKS_EMPTY => empty_clocks > given_clocks,
        _ => empty_clocks <= given_clocks,
    }
}

/// Reports a table row that ends at `place`, before the position column (`column`, from 1).
pub fn report_short_row(findings: &mut Findings, place: Span, column: usize) {
    findings.add(&RULE, place).message(format!("the row ends before column {column}, the position column"));
}

/// Reports a table cell at `place` whose text, `found`, is empty or is not a position.
pub fn report_no_position(findings: &mut Findings, place: Span, found: &[u8]) {
    let finding = findings.add(&RULE, place);
    if found.trim_ascii().is_empty() {
        finding.severity(Severity::Warning).once_if_usual("row").message("this row has no position");
    } else {
        finding.found(shown(found)).message("this cell does not contain a position");
    }
}

/// Whether only a semicolon, which ends an EPD operation, follows the piece placement.
pub fn ends_after_placement(facts: &PositionFacts<'_>) -> bool {
    facts.fen.count() == 2 && facts.fen.turn().is_some_and(|field| field.of(facts.text) == b";")
}

/// The names of the fields.
const NAMES: [&str; 6] =
    ["piece placement", "side to move", "castling availability", "en passant target square", "halfmove clock", "fullmove number"];

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let count = facts.fen.count() - usize::from(ends_after_placement(facts));
    let message = match facts.origin {
        Origin::Line => Some("this line does not contain a position"),
        Origin::FenTag if count > 0 => Some("this FEN tag does not contain a position"),
        _ => None,
    };
    if let Some(message) = message.filter(|_| !facts.has_placement()) {
        if !report_starting_position(facts, findings) {
            report_no_position_in(facts, message, findings);
        }
        return;
    }
    if facts.fen.may_lack_clock() {
        report_empty_clock(facts, findings);
    } else if facts.fen.lacks_fields() {
        report_absent_fields(facts, findings);
    } else {
        report_missing_fields(facts, count, findings);
    }
}

/// Reports a line or FEN tag without a position. If an input has many such lines, it is in a format
/// of its own.
fn report_no_position_in(facts: &PositionFacts<'_>, message: &str, findings: &mut Findings) {
    let found = shown(facts.place.of(facts.text));
    if facts.origin != Origin::Line {
        findings.add(&RULE, facts.place).once_if_usual("line").found(found).message(message);
        return;
    }
    let add = |findings: &mut Findings, severity, condition| {
        let finding = findings.add(&RULE, facts.place).severity(severity).only_if(condition);
        finding.found(found.as_str()).message(message);
    };
    if is_text(facts.place.of(facts.text)) {
        add(findings, Severity::Error, ALL_TEXT);
        add(findings, Severity::Warning, FEW_TEXT_LINES);
        let finding = findings.add(&RULE, facts.place).severity(Severity::Info).only_if(MANY_TEXT_LINES);
        finding.found(found).message("text between the positions is not checked").once_per_input_and("text");
        return;
    }
    for condition in [FEW_OTHER_LINES, MANY_OTHER_LINES] {
        let finding = findings.add(&RULE, facts.place).only_if(condition);
        finding.found(found.as_str()).message(message);
        if condition == MANY_OTHER_LINES {
            finding.once_per_input_and("line");
        }
    }
}

/// Whether a line without a piece placement is other text, such as a title, a delimiter or an
/// address, and not what is left of a position: it has two words, or what no field has.
fn is_text(line: &[u8]) -> bool {
    let is_word = |word: &&[u8]| word.len() > 1 && word.iter().all(u8::is_ascii_alphabetic);
    let is_of_field =
        |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_digit() || b"pnbrqkPNBRQKwabcdefghABCDEFGH-_~\\\0".contains(byte);
    if line.contains(&b'/') {
        return memmem::find(line, b"://").is_some();
    }
    let has_two_words = line.split(u8::is_ascii_whitespace).filter(is_word).nth(1).is_some();
    has_two_words || !line.iter().all(is_of_field) || !line.iter().any(u8::is_ascii_alphanumeric)
}

/// Reports that the fields after the first `count` are missing.
fn report_missing_fields(facts: &PositionFacts<'_>, count: usize, findings: &mut Findings) {
    let severity = match (count, facts.origin) {
        (6, _) | (4, Origin::Line) => return,
        (4 | 5, _) => Severity::Warning,
        _ => Severity::Error,
    };
    // A halfmove clock that is not a number is reported by FEN07 or FEN08.
    if count == 5 && facts.halfmove_clock.is_none() {
        return;
    }
    let needed = if severity == Severity::Error && facts.origin == Origin::Line { 4 } else { 6 };
    let missing = NAMES.get(count..needed).unwrap_or_default().join(", ");
    let place = if count == 0 { facts.place } else { facts.fen.position() };
    let found = shown(place.of(facts.text));
    let finding = findings
        .add(&RULE, place)
        .severity(severity)
        .once_if_usual(if severity == Severity::Error { "few".to_owned() } else { count.to_string() })
        .message(format!("{count} of {needed} required fields found; missing: {missing}"));
    if severity == Severity::Warning {
        // The usual counters where the real ones are unknown.
        let counters = if count == 4 { " 0 1" } else { " 1" };
        finding.expected(format!("{found}{counters}"));
        if facts.fen.tail_kind == Tail::Nothing && facts.halfmove_clock.is_none_or(|clock| clock <= 1) {
            finding.repair(Certainty::Likely, Patch::insert(place.end, counters));
        }
    }
    finding.found(found);
}

/// Reports a halfmove clock that is empty if the input shows it, or if the lone number cannot be a
/// clock. Otherwise the fullmove number is missing.
fn report_empty_clock(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let fen = &facts.fen;
    let (Some(en_passant), Some(number)) = (fen.en_passant(), fen.fullmove_number()) else { return };
    let gap = Span::new(en_passant.end, number.start);
    let found = shown(fen.position().of(facts.text));
    let message =
        format!("the halfmove clock is empty: `{}` after two spaces is the fullmove number", shown(number.of(facts.text)));
    let empty = findings.add(&RULE, gap).severity(Severity::Warning).message(message.as_str()).found(found.as_str());
    empty.once_per_input_and(NAMES[4]).only_if(CLOCKS_EMPTY);
    let other = if facts.has_empty_clock() {
        findings.add(&RULE, gap).message(message)
    } else {
        findings
            .add(&RULE, fen.position())
            .once_if_usual("5")
            .message(format!("5 of 6 required fields found; missing: {}", NAMES[5]))
            .expected(format!("{found} 1"))
    };
    other.severity(Severity::Warning).only_if(CLOCKS_GIVEN).found(found);
}

/// Reports fields that are missing or empty before the last one.
fn report_absent_fields(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let fen = &facts.fen;
    let absent: Vec<usize> = (1..fen.count()).filter(|index| fen.is_absent(*index)).collect();
    let names = join_and(&absent.iter().filter_map(|index| NAMES.get(*index)).collect::<Vec<_>>());
    // In `w - 0 1`, the `-` may be either field.
    let is_either = !fen.writes_empty_fields && absent == [2] && facts.en_passant == Some(None);
    let message = if fen.writes_empty_fields {
        format!("the {names} {} empty", if absent.len() == 1 { "is" } else { "are" })
    } else {
        let or = if is_either { format!(" or {}", NAMES[3]) } else { String::new() };
        format!("{} of {} required fields found; missing: {names}{or}", fen.count() - absent.len(), fen.count())
    };
    let place = fen.position();
    let severity = if absent.iter().any(|index| *index < 4) { Severity::Error } else { Severity::Warning };
    let finding = findings.add(&RULE, place).severity(severity).once_if_usual(message.as_str()).message(message);
    // Programs that write nothing mean `-`.
    if absent.iter().all(|index| matches!(index, 2 | 3)) && (fen.writes_empty_fields || is_either || absent == [3]) {
        let new: &[u8] = if fen.writes_empty_fields { b"-" } else { b" -" };
        let mut expected = place.of(facts.text).to_vec();
        for index in absent.into_iter().rev() {
            let at = fen.place_of_absent(index);
            expected.splice(at - place.start..at - place.start, new.iter().copied());
            finding.repair(Certainty::Likely, Patch::insert(at, new));
        }
        finding.expected(shown(&expected));
    }
    finding.found(shown(place.of(facts.text)));
}

/// Reports a line with the name that UCI has for the starting position, and perhaps moves. Returns
/// whether it is one.
fn report_starting_position(facts: &PositionFacts<'_>, findings: &mut Findings) -> bool {
    let Some(moves) = moves_from_startpos(facts.text, facts.place) else { return false };
    let line = facts.place.of(facts.text);
    let place = Span::new(facts.place.end - line.trim_ascii_start().len(), moves.end);
    let finding = findings.add(&RULE, place).once_if_usual("startpos").found(shown(place.of(facts.text)));
    if is_engine_command(line) || moves.start < moves.end {
        finding.severity(Severity::Warning).message("this line is an engine command, and not a position");
    } else {
        finding.message("`startpos` means the starting position only in UCI commands");
    }
    if let Some(reached) = after_moves(&Chess::default(), moves.of(facts.text)) {
        let fen = fen_of(&reached);
        finding.repair(Certainty::Likely, Patch::replace(facts.text, place, fen.as_str())).expected(fen);
    }
    true
}

/// The position after the moves of a UCI command: `e2e4 e7e5`. `None` if they cannot be played.
pub(super) fn after_moves(start: &Chess, moves: &[u8]) -> Option<Chess> {
    let mut position = start.clone();
    for word in moves.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
        let WordInLine::Move(played) = word_in_line(&position, position.checkers(), word) else { return None };
        position.play_unchecked(played);
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Sums;

    #[test]
    fn text_has_words_or_marks_that_no_field_has() {
        let cases: [&[u8]; 8] =
            [b"Puzzle 1", b"1. Rd8#", b"```", b"WAC = \"\"\"", b"---|---", b"bad bed", b"--", b"https://x.org/a"];
        assert!(cases.iter().all(|line| is_text(line)));
        for line in ["rnbqkbnr", "w KQkq - 0 1", "8", "8/8/xx"] {
            assert!(!is_text(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn most_lone_counters_decide() {
        let holds = |empty, given| {
            let mut notes = Notes::default();
            notes.count(AT + 1, empty);
            notes.count(AT + 2, given);
            (notes.hold(CLOCKS_EMPTY), notes.hold(CLOCKS_GIVEN))
        };
        assert_eq!([holds(1, 1), holds(2, 1)], [(false, true), (true, false)]);
    }
}
