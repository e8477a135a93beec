//! Slips in clean EPD lines: which of them have a certain repair, and whether it restores the line.

use std::fmt::Write;

use crate::common::{AuditResult, Numbers, audit_text, games};
use chess_audit::internals::{
    rules::{Certainty, Patch},
    text::Format,
};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};

/// A clean line, in parts.
struct Line {
    fields: [String; 4],
    /// The moves of `bm`, sorted.
    sans: Vec<String>,
    /// The same moves in coordinates.
    coordinates: Vec<String>,
    id: String,
}

impl Line {
    fn of(position: &Chess, number: usize, numbers: &mut Numbers) -> Option<Line> {
        let legal = position.legal_moves();
        let san = |played: Move| SanPlus::from_move(position.clone(), played).to_string();
        let mut moves: Vec<(String, Move)> = (0..1 + number % 2)
            .filter(|_| !legal.is_empty())
            .map(|_| legal[numbers.below(legal.len())])
            .map(|played| (san(played), played))
            .collect();
        // Checks are rare among all moves.
        if let Some(check) = legal.iter().map(|played| san(*played)).zip(legal.iter()).find(|(san, _)| san.ends_with(['+', '#']))
        {
            moves[0] = (check.0, *check.1);
        }
        moves.sort_by(|one, other| one.0.cmp(&other.0));
        moves.dedup_by(|one, other| one.0 == other.0);
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        let mut fields = fen.split(' ').map(str::to_owned);
        let fields = [fields.next()?, fields.next()?, fields.next()?, fields.next()?];
        let coordinates = moves.iter().map(|(_, played)| played.to_uci(CastlingMode::Standard).to_string()).collect();
        let sans: Vec<String> = moves.into_iter().map(|(san, _)| san).collect();
        (!sans.is_empty()).then(|| Line { fields, sans, coordinates, id: format!("slip {number}") })
    }

    fn written(&self) -> String {
        format!("{} acd 12; bm {}; id \"{}\";", self.fields.join(" "), self.sans.join(" "), self.id)
    }
}

/// Makes a slip in a line, if the line allows it.
type Slip = fn(&Line, &mut Numbers) -> Option<String>;

/// Replaces a field.
fn with_field(line: &Line, index: usize, new: impl Into<String>) -> Option<String> {
    let mut fields = line.fields.clone();
    fields[index] = new.into();
    Some(Line { fields, sans: line.sans.clone(), coordinates: Vec::new(), id: line.id.clone() }.written())
}

/// Replaces one of the spaces between the fields.
fn with_gap(line: &Line, gap: &str, numbers: &mut Numbers) -> Option<String> {
    let written = line.written();
    let spaces: Vec<usize> = written.match_indices(' ').map(|(at, _)| at).take(3).collect();
    let at = spaces[numbers.below(spaces.len())];
    Some(format!("{}{gap}{}", &written[..at], &written[at + 1..]))
}

/// Replaces a text that occurs in each line.
fn with(line: &Line, old: &str, new: &str) -> Option<String> {
    let written = line.written();
    written.contains(old).then(|| written.replacen(old, new, 1))
}

/// The kinds of slips, and the minimum share of certain repairs in percent, as measured.
const KINDS: &[(&str, Slip, usize)] = &[
    ("doubled space", |line, numbers| with_gap(line, "  ", numbers), 100),
    ("tab for a space", |line, numbers| with_gap(line, "\t", numbers), 100),
    ("semicolon lost between operations", |line, _| with(line, "; id", " id"), 100),
    ("last semicolon lost", |line, _| with(line, "\";", "\""), 100),
    ("space lost after an opcode", |line, _| with(line, "id \"", "id\""), 100),
    ("opcode in capitals", |line, _| with(line, " bm ", " BM "), 100),
    ("opcode misspelled", |line, _| with(line, " bm ", " bn "), 0),
    (
        "castling order",
        |line, _| {
            let letters = &line.fields[2];
            let reversed: String = letters.chars().rev().collect();
            if letters.len() > 1 { with_field(line, 2, reversed) } else { None }
        },
        100,
    ),
    ("`O` for no castling", |line, _| if line.fields[2] == "-" { with_field(line, 2, "O") } else { None }, 39),
    ("side in uppercase", |line, _| with_field(line, 1, line.fields[1].to_uppercase()), 100),
    (
        "en passant square on the wrong rank",
        |line, _| {
            let square = &line.fields[3];
            let wrong = if square.ends_with('3') { square.replace('3', "6") } else { square.replace('6', "3") };
            if square == "-" { None } else { with_field(line, 3, wrong) }
        },
        0,
    ),
    (
        "adjacent digits",
        |line, numbers| {
            let digits: Vec<(usize, char)> =
                line.fields[0].char_indices().filter(|(_, byte)| ('2'..='8').contains(byte)).collect();
            let (at, digit) = *digits.get(numbers.below(digits.len()))?;
            let empty = digit.to_digit(10)? as usize;
            let first = 1 + numbers.below(empty - 1);
            let placement = &line.fields[0];
            with_field(line, 0, format!("{}{first}{}{}", &placement[..at], empty - first, &placement[at + 1..]))
        },
        0,
    ),
    ("closing quote lost", |line, _| with(line, "\";", ";"), 0),
    ("opening quote lost", |line, _| with(line, "id \"", "id "), 100),
    ("coordinates for SAN", |line, _| with(line, &line.sans.join(" "), &line.coordinates.join(" ")), 100),
    (
        "check mark lost",
        |line, _| {
            let checks = line.sans.iter().find(|san| san.ends_with(['+', '#']))?;
            with(line, checks, checks.trim_end_matches(['+', '#']))
        },
        100,
    ),
];

/// Number of slips of each kind.
const SLIPS: usize = 64;

/// Applies all repairs that are at least as certain as `least`.
fn repaired(text: &str, audit_result: &AuditResult, least: Certainty) -> Option<String> {
    let findings = audit_result.findings.iter().map(|(_, finding)| finding);
    let mut patches: Vec<Patch> =
        findings.filter(|finding| finding.certainty() >= Some(least)).flat_map(|finding| finding.patches()).cloned().collect();
    patches
        .sort_by(|one, other| (one.place.start, one.place.end, &one.new).cmp(&(other.place.start, other.place.end, &other.new)));
    patches.dedup();
    let mut bytes = text.as_bytes().to_vec();
    for patch in patches.iter().rev() {
        bytes.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
    }
    (!patches.is_empty()).then(|| String::from_utf8(bytes).expect("repairs keep the text readable"))
}

#[test]
fn certain_repairs_of_slips_restore_the_line() {
    let mut numbers = Numbers::new(20);
    let positions = (0..).flat_map(|number| games::game(number).positions().step_by(3).collect::<Vec<_>>());
    let mut made = [0; KINDS.len()];
    let mut certain = [0; KINDS.len()];
    let mut restored = [0; KINDS.len()];
    let mut by_likely = [0; KINDS.len()];
    let mut wrong = String::new();
    for (number, position) in positions.enumerate().take(40_000) {
        if made.iter().all(|made| *made == SLIPS) {
            break;
        }
        let Some(line) = Line::of(&position, number, &mut numbers) else { continue };
        let clean = line.written();
        let mut is_clean = None;
        for (kind, (name, slip, _)) in KINDS.iter().enumerate() {
            if made[kind] == SLIPS {
                continue;
            }
            let Some(slipped) = slip(&line, &mut numbers).filter(|slipped| *slipped != clean) else { continue };
            // Most lines of the input are clean, so that a slip is not a habit.
            let text = |last: &str| format!("{clean}\n{clean}\n{last}\n");
            if !*is_clean.get_or_insert_with(|| audit_text(text(&clean).as_bytes(), Format::Epd).findings.is_empty()) {
                continue;
            }
            made[kind] += 1;
            let audit_result = audit_text(text(&slipped).as_bytes(), Format::Epd);
            if let Some(after) = repaired(&text(&slipped), &audit_result, Certainty::Likely) {
                by_likely[kind] += usize::from(after == text(&clean));
                let left = audit_text(after.as_bytes(), Format::Epd);
                if left.findings.iter().any(|(_, finding)| finding.repair.is_some()) {
                    writeln!(wrong, "{name}: `{slipped}` leaves repairs: {:#?}", left.lines())
                        .expect("a string takes everything");
                }
            }
            let Some(after) = repaired(&text(&slipped), &audit_result, Certainty::Certain) else { continue };
            certain[kind] += 1;
            if after == text(&clean) {
                restored[kind] += 1;
            } else {
                writeln!(wrong, "{name}: `{slipped}` becomes `{}`, not `{clean}`", after.lines().last().unwrap_or_default())
                    .expect("a string takes everything");
            }
        }
    }
    let mut table = String::new();
    for (kind, (name, _, _)) in KINDS.iter().enumerate() {
        let (made, certain, restored, likely) = (made[kind], certain[kind], restored[kind], by_likely[kind]);
        writeln!(table, "{name:36} {made:3} slips, {certain:3} certain, {restored:3} restored, {likely:3} with likely repairs")
            .expect("a string takes everything");
    }
    println!("{table}");
    assert_eq!(wrong, "", "certain repairs restore the line:\n{table}");
    for (kind, (name, _, share)) in KINDS.iter().enumerate() {
        assert!(made[kind] >= SLIPS / 2, "{name} is made often enough:\n{table}");
        assert!(certain[kind] * 100 >= share * made[kind], "{name}: at least {share} % have a certain repair:\n{table}");
    }
}
