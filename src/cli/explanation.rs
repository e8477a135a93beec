//! An explained position, for people.

use std::io::{self, Write};

use anstyle::Style;
use chess_audit::{
    chess::{
        color_name,
        fen::{CastlingLetter, RightReading},
        role_name,
    },
    pipeline::SeverityCounts,
    record::{Capture, End, Explanation, Men},
    report::board::{Diagram, Look},
    rules::{Family, Finding, Severity, Span},
};
use shakmaty::{Color, Role};

use super::{
    excerpt::{self, Line},
    summary::{GOOD, found, style},
    text::{escaped, join_and, printable, quantity, wrapped},
};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Lines are no longer than this, boards and excerpts somewhat apart.
const WIDTH: usize = 96;

/// Width of the names at the left.
const NAMES: usize = 17;

/// A line between two explanations.
pub fn separate(to: &mut dyn Write) -> io::Result<()> {
    writeln!(to, "\n{DIM}{}{DIM:#}\n", "-".repeat(WIDTH))
}

/// Prints everything that is known of a position.
pub fn print(to: &mut dyn Write, explanation: &Explanation<'_>, diagram: Option<&Diagram>, look: Look) -> io::Result<()> {
    let facts = &explanation.facts;
    let whole = excerpt::around(facts.text, Span::default(), WIDTH).text;
    writeln!(to, "{BOLD}{whole}{BOLD:#}\n")?;
    if let Some(diagram) = diagram {
        for line in diagram.text(look).lines() {
            writeln!(to, "{}", format!("  {line}").trim_end())?;
        }
        writeln!(to)?;
    }
    let operations = printable(&escaped(facts.fen.tail.of(facts.text)));
    let rows = [
        ("Side to move", side_to_move(explanation)),
        ("Castling", castling(explanation)),
        ("En passant", en_passant(explanation)),
        ("Halfmove clock", halfmove_clock(explanation)),
        ("Fullmove number", fullmove_number(explanation)),
        ("Operations", operations),
        ("White", explanation.men(Color::White).map(men).unwrap_or_default()),
        ("Black", explanation.men(Color::Black).map(men).unwrap_or_default()),
        ("Material", material(explanation)),
        ("State", state(explanation)),
    ];
    for (name, text) in rows {
        let mut name = name;
        for line in wrapped(&text, WIDTH - NAMES).iter().filter(|line| !line.is_empty()) {
            writeln!(to, "{BOLD}{name:<NAMES$}{BOLD:#}{line}")?;
            name = "";
        }
    }
    print_findings(to, explanation)
}

fn side_to_move(explanation: &Explanation<'_>) -> String {
    let facts = &explanation.facts;
    match facts.turn {
        Some(turn) => color_name(turn).to_owned(),
        None => unread(explanation, facts.fen.turn()),
    }
}

/// A field is not there, or says nothing that makes sense.
fn unread(explanation: &Explanation<'_>, field: Option<Span>) -> String {
    match field {
        None => "not given".to_owned(),
        Some(place) => format!("`{}` cannot be read", printable(&escaped(place.of(explanation.facts.text)))),
    }
}

fn castling(explanation: &Explanation<'_>) -> String {
    let facts = &explanation.facts;
    if !facts.castling_is_readable() {
        return unread(explanation, facts.fen.castling());
    }
    let [white, black] = [Color::White, Color::Black].map(|color| sides(explanation, color));
    let mut text = match (white.is_empty(), black.is_empty()) {
        (true, true) => "nobody".to_owned(),
        (false, true) => format!("White {white}"),
        (true, false) => format!("Black {black}"),
        (false, false) if white == black => format!("White and Black {white}"),
        (false, false) => format!("White {white}, Black {black}"),
    };
    let can_be = |letter: &CastlingLetter| facts.rights().any(|right| right.letter == *letter && right.reading.rook().is_some());
    let wrong: String =
        facts.castling.letters().filter(|letter| !can_be(letter)).map(|letter| char::from(letter.letter)).collect();
    if !wrong.is_empty() {
        text.push_str(&format!("; `{wrong}` cannot be"));
    }
    text
}

/// Where a side may castle: `on both sides`, `with the rook on b1`; empty where it may not.
fn sides(explanation: &Explanation<'_>, color: Color) -> String {
    let facts = &explanation.facts;
    let Some(king) = *facts.kings.get(color) else { return String::new() };
    let (mut king_side, mut queen_side, mut rooks) = (false, false, Vec::new());
    for right in facts.rights().filter(|right| right.letter.color() == color) {
        match right.reading {
            RightReading::Standard(rook) if rook > king => king_side = true,
            RightReading::Standard(_) => queen_side = true,
            RightReading::Chess960(rook) => rooks.push(rook.to_string()),
            RightReading::KingNotHome | RightReading::RookMissing => {}
        }
    }
    rooks.sort();
    let mut parts = match (king_side, queen_side) {
        (true, true) => vec!["on both sides".to_owned()],
        (true, false) => vec!["on the king side".to_owned()],
        (false, true) => vec!["on the queen side".to_owned()],
        (false, false) => Vec::new(),
    };
    if !rooks.is_empty() {
        parts.push(format!("with the {} on {}", if rooks.len() == 1 { "rook" } else { "rooks" }, join_and(&rooks)));
    }
    join_and(&parts)
}

fn en_passant(explanation: &Explanation<'_>) -> String {
    let facts = &explanation.facts;
    let (Some(square), Some(capture)) = (facts.en_passant.flatten(), explanation.capture()) else {
        return if facts.en_passant.is_some() { "none".to_owned() } else { unread(explanation, facts.fen.en_passant()) };
    };
    match capture {
        Capture::Legal => format!("{square}, and a capture there is legal"),
        Capture::Illegal => format!("{square}, but no capture there is legal"),
        Capture::NoPawn => format!("{square}, but no pawn attacks it"),
        Capture::Unknown if facts.sound_en_passant().is_some() => format!("{square}, which a pawn attacks"),
        Capture::Unknown => format!("{square}, which cannot be"),
    }
}

fn halfmove_clock(explanation: &Explanation<'_>) -> String {
    match explanation.facts.halfmove_clock {
        Some(clock) => format!("{} since the last capture or pawn move", quantity(clock, "ply", "plies")),
        None => unread(explanation, explanation.facts.fen.halfmove_clock()),
    }
}

fn fullmove_number(explanation: &Explanation<'_>) -> String {
    match explanation.facts.fullmove_number {
        Some(number) => format!("move {number}"),
        None => unread(explanation, explanation.facts.fen.fullmove_number()),
    }
}

/// `3 men, 6 points: king, rook and pawn`.
fn men(men: Men) -> String {
    let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let parts: Vec<String> = roles
        .into_iter()
        .filter_map(|role| match men.roles[role] {
            0 => None,
            1 => Some(role_name(role).to_owned()),
            count => Some(format!("{count} {}s", role_name(role))),
        })
        .collect();
    if parts.is_empty() {
        return "no men".to_owned();
    }
    let count = quantity(men.count() as u64, "man", "men");
    format!("{count}, {}: {}", quantity(men.points() as u64, "point", "points"), join_and(&parts))
}

fn material(explanation: &Explanation<'_>) -> String {
    let (Some(white), Some(black)) = (explanation.men(Color::White), explanation.men(Color::Black)) else { return String::new() };
    let (white, black) = (white.points(), black.points());
    let ahead = |name: &str| format!("{name} is ahead by {}", quantity(white.abs_diff(black) as u64, "point", "points"));
    match white.cmp(&black) {
        std::cmp::Ordering::Equal => "even".to_owned(),
        std::cmp::Ordering::Greater => ahead("White"),
        std::cmp::Ordering::Less => ahead("Black"),
    }
}

fn state(explanation: &Explanation<'_>) -> String {
    let facts = &explanation.facts;
    if facts.board.is_none() {
        return "cannot be played from, because the piece placement cannot be read".to_owned();
    }
    let Some(turn) = facts.turn else { return "open, as long as nobody knows who is to move".to_owned() };
    let name = color_name(turn);
    let Some(moves) = explanation.state.legal_moves else {
        let mut why: Vec<String> = (explanation.findings.iter())
            .filter(|finding| finding.severity == Severity::Error && finding.rule.code.family() == Family::Pos)
            .map(|finding| finding.rule.code.to_string())
            .collect();
        why.dedup();
        return match why.as_slice() {
            [] => "cannot be played from".to_owned(),
            why => format!("cannot be played from, because of {}", join_and(why)),
        };
    };
    let checkers = facts.names_of(explanation.state.checkers);
    let moves = quantity(moves as u64, "legal move", "legal moves");
    match explanation.state.end {
        Some(End::Checkmate) => format!("checkmate: {name} is mated by {checkers}"),
        Some(End::Stalemate) => format!("stalemate: {name} is not in check and has no legal move"),
        Some(End::Dead) => format!("dead position: neither side can mate with the men that are left; {moves}"),
        None if checkers.is_empty() => moves,
        None => format!("{name} is in check from {checkers}; {moves}"),
    }
}

fn print_findings(to: &mut dyn Write, explanation: &Explanation<'_>) -> io::Result<()> {
    let mut counts = SeverityCounts::default();
    explanation.findings.iter().for_each(|finding| counts.add(finding.severity));
    let Some(first) = explanation.findings.first() else { return writeln!(to, "\n{GOOD}Nothing found{GOOD:#}") };
    let worst = style(first.severity);
    writeln!(to, "\n{worst}{}{worst:#}", found(counts))?;
    for finding in &explanation.findings {
        print_finding(to, explanation.facts.text, finding)?;
    }
    writeln!(to, "\n`chess-audit rules {}` explains a rule: what it means, why it matters, what to do", first.rule.code)
}

fn print_finding(to: &mut dyn Write, line: &[u8], finding: &Finding) -> io::Result<()> {
    let colour = style(finding.severity);
    writeln!(to, "\n{colour}{}{colour:#} {BOLD}{} {}{BOLD:#}", finding.severity, finding.rule.code, finding.rule.name)?;
    let Line { text, carets } = excerpt::around(line, finding.place, WIDTH);
    writeln!(to, "  {text}")?;
    if let Some(at) = carets.find('^') {
        let (blank, carets) = carets.split_at(at);
        writeln!(to, "  {blank}{colour}{carets}{colour:#}")?;
    }
    for part in wrapped(&printable(&finding.message), WIDTH - 2) {
        writeln!(to, "  {part}")?;
    }
    let expected = match finding.repair {
        Some(repair) => format!("{} ({})", finding.expected, repair.as_str()),
        None => finding.expected.clone(),
    };
    for (mut name, text) in [("found", finding.found.as_str()), ("expected", &expected), ("fix", finding.rule.fix)] {
        for part in wrapped(&printable(text), WIDTH - 12).iter().filter(|part| !part.is_empty()) {
            writeln!(to, "  {DIM}{name:<10}{DIM:#}{part}")?;
            name = "";
        }
    }
    Ok(())
}
