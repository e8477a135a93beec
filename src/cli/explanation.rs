//! The explanation of a position as text.

use std::io::{self, Write};

use crate::{
    chess::{
        color_name,
        fen::{CastlingLetter, RightReading},
        role_name,
    },
    oracle::{Prospect, TableVerdict},
    pipeline::SeverityCounts,
    record::{Capture, Certificate, Consulted, End, Explanation, Opinion, SidePieces},
    report::board::{BoardView, Look},
    rules::{Family, Finding, Severity, Span},
};
use anstyle::Style;
use shakmaty::{Color, Role};

use super::{
    excerpt::{self, Line},
    summary::{GOOD, describe_findings, style},
    text::{escaped, join_and, printable, quantity, wrapped},
};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Maximum width of lines, except for boards and excerpts.
pub const WIDTH: usize = 96;

/// Width of the column of names.
const NAME_WIDTH: usize = 17;

/// Prints a line between two explanations.
pub fn print_separator(to: &mut dyn Write) -> io::Result<()> {
    writeln!(to, "\n{DIM}{}{DIM:#}\n", "-".repeat(WIDTH))
}

/// Prints an explanation: the board, the fields, the state, what oracles say, the certificate, and
/// the findings.
pub fn print(
    to: &mut dyn Write,
    explanation: &Explanation<'_>,
    consulted: &Consulted,
    certificate: Option<&Certificate>,
    view: Option<&BoardView>,
    look: Look,
) -> io::Result<()> {
    let facts = &explanation.facts;
    let whole = excerpt::around(facts.text, Span::default(), WIDTH).text;
    writeln!(to, "{BOLD}{whole}{BOLD:#}\n")?;
    if let Some(view) = view {
        print_board(to, view, look)?;
        writeln!(to)?;
    }
    let operations = printable(&escaped(facts.fen.tail.of(facts.text))).into_owned();
    let rows = [
        ("Side to move", side_to_move(explanation)),
        ("Castling", castling(explanation)),
        ("En passant", en_passant(explanation)),
        ("Halfmove clock", halfmove_clock(explanation)),
        ("Fullmove number", fullmove_number(explanation)),
        ("Operations", operations),
        ("White", explanation.pieces(Color::White).map(pieces).unwrap_or_default()),
        ("Black", explanation.pieces(Color::Black).map(pieces).unwrap_or_default()),
        ("Material", material(explanation)),
        ("State", state(explanation)),
        ("Tables", tables(explanation, consulted)),
        ("Engine", engine(explanation, consulted)),
        ("Certificate", certificate.map(certified).unwrap_or_default()),
        ("Proof game", certificate.and_then(Certificate::game).map(|game| game.moves.clone()).unwrap_or_default()),
    ];
    for (name, text) in rows {
        let mut name = name;
        for line in wrapped(&text, WIDTH - NAME_WIDTH).iter().filter(|line| !line.is_empty()) {
            writeln!(to, "{BOLD}{name:<NAME_WIDTH$}{BOLD:#}{line}")?;
            name = "";
        }
    }
    let line = explanation.facts.text;
    print_findings(to, &explanation.findings, |_, finding| Ok((line, finding.place)))
}

/// Prints a board.
pub fn print_board(to: &mut dyn Write, view: &BoardView, look: Look) -> io::Result<()> {
    for line in view.text(look).lines() {
        writeln!(to, "{}", format!("  {line}").trim_end())?;
    }
    Ok(())
}

fn side_to_move(explanation: &Explanation<'_>) -> String {
    let facts = &explanation.facts;
    match facts.turn {
        Some(turn) => color_name(turn).to_owned(),
        None => missing_or_invalid(explanation, facts.fen.turn()),
    }
}

/// The text for a field that is missing or has no valid value.
fn missing_or_invalid(explanation: &Explanation<'_>, field: Option<Span>) -> String {
    match field {
        None => "not given".to_owned(),
        Some(place) => format!("invalid: `{}`", printable(&escaped(place.of(explanation.facts.text)))),
    }
}

fn castling(explanation: &Explanation<'_>) -> String {
    let facts = &explanation.facts;
    if !facts.castling_is_readable() {
        return missing_or_invalid(explanation, facts.fen.castling());
    }
    let [white, black] = [Color::White, Color::Black].map(|color| sides(explanation, color));
    let mut text = match (white.is_empty(), black.is_empty()) {
        (true, true) => "none".to_owned(),
        (false, true) => format!("White {white}"),
        (true, false) => format!("Black {black}"),
        (false, false) if white == black => format!("White and Black {white}"),
        (false, false) => format!("White {white}, Black {black}"),
    };
    let is_valid =
        |letter: &CastlingLetter| facts.rights().any(|right| right.letter == *letter && right.reading.rook().is_some());
    let invalid: String =
        facts.castling.letters().filter(|letter| !is_valid(letter)).map(|letter| char::from(letter.letter)).collect();
    if !invalid.is_empty() {
        text.push_str(&format!("; `{invalid}` is not possible"));
    }
    text
}

/// Where a side can castle: `on both sides`, `with the rook on b1`. Empty if it cannot castle.
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
        (true, false) => vec!["kingside".to_owned()],
        (false, true) => vec!["queenside".to_owned()],
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
        let is_none = facts.en_passant.is_some();
        return if is_none { "none".to_owned() } else { missing_or_invalid(explanation, facts.fen.en_passant()) };
    };
    match capture {
        Capture::Legal => format!("{square} (a capture is legal)"),
        Capture::Illegal => format!("{square} (no capture is legal)"),
        Capture::NoPawn => format!("{square} (no pawn attacks it)"),
        Capture::Unknown if facts.sound_en_passant().is_some() => format!("{square} (a pawn attacks it)"),
        Capture::Unknown => format!("{square} (not possible)"),
    }
}

fn halfmove_clock(explanation: &Explanation<'_>) -> String {
    match explanation.facts.halfmove_clock {
        Some(clock) => format!("{} since the last capture or pawn move", quantity(clock, "ply", "plies")),
        None => missing_or_invalid(explanation, explanation.facts.fen.halfmove_clock()),
    }
}

fn fullmove_number(explanation: &Explanation<'_>) -> String {
    match explanation.facts.fullmove_number {
        Some(number) => format!("move {number}"),
        None => missing_or_invalid(explanation, explanation.facts.fen.fullmove_number()),
    }
}

/// `3 pieces, 6 points: king, rook and pawn`.
fn pieces(counts: SidePieces) -> String {
    let roles = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let parts: Vec<String> = roles
        .into_iter()
        .filter_map(|role| match counts.roles[role] {
            0 => None,
            1 => Some(role_name(role).to_owned()),
            count => Some(format!("{count} {}s", role_name(role))),
        })
        .collect();
    if parts.is_empty() {
        return "no pieces".to_owned();
    }
    let total = quantity(counts.count(), "piece", "pieces");
    format!("{total}, {}: {}", quantity(counts.points(), "point", "points"), join_and(&parts))
}

fn material(explanation: &Explanation<'_>) -> String {
    let (Some(white), Some(black)) = (explanation.pieces(Color::White), explanation.pieces(Color::Black)) else {
        return String::new();
    };
    let (white, black) = (white.points(), black.points());
    let ahead = |name: &str| format!("{name} is ahead by {}", quantity(white.abs_diff(black), "point", "points"));
    match white.cmp(&black) {
        std::cmp::Ordering::Equal => "equal".to_owned(),
        std::cmp::Ordering::Greater => ahead("White"),
        std::cmp::Ordering::Less => ahead("Black"),
    }
}

fn state(explanation: &Explanation<'_>) -> String {
    let facts = &explanation.facts;
    if facts.board.is_none() {
        return "not playable: the piece placement is invalid".to_owned();
    }
    let Some(turn) = facts.turn else { return "unknown: the side to move is not known".to_owned() };
    let name = color_name(turn);
    let Some(moves) = explanation.state.legal_moves else {
        let mut reasons: Vec<String> = (explanation.findings.iter())
            .filter(|finding| finding.severity == Severity::Error && finding.rule.code.family() == Family::Pos)
            .map(|finding| finding.rule.code.to_string())
            .collect();
        reasons.dedup();
        return match reasons.as_slice() {
            [] => "not playable".to_owned(),
            reasons => format!("not playable, see {}", join_and(reasons)),
        };
    };
    let checkers = facts.names_of(explanation.state.checkers);
    let mut moves = quantity(moves, "legal move", "legal moves");
    if let Some(winner) = explanation.state.only_winner {
        moves.push_str(&format!("; only {} can checkmate", color_name(winner)));
    }
    let has_no_material = facts.start.as_ref().is_some_and(shakmaty::Position::is_insufficient_material);
    match explanation.state.end {
        Some(End::Checkmate) => format!("checkmate: {name} is checkmated by {checkers}"),
        Some(End::Stalemate) => format!("stalemate: {name} is not in check and has no legal move"),
        Some(End::Dead) if has_no_material => format!("dead position: neither side has the material to checkmate; {moves}"),
        Some(End::Dead) => format!("dead position: neither side can checkmate; {moves}"),
        None if checkers.is_empty() => moves,
        None => format!("{name} is in check from {checkers}; {moves}"),
    }
}

/// The verdict of tablebases: `White wins, with and without the fifty-move rule; ...`. Empty if
/// they were not asked.
fn tables(explanation: &Explanation<'_>, consulted: &Consulted) -> String {
    let (Some(tables), Some(turn)) = (&consulted.tables, explanation.facts.turn) else { return String::new() };
    let TableVerdict { unlimited, limited, zeroing_plies } = match tables {
        Ok(verdict) => verdict,
        Err(reason) => return format!("no verdict: {reason}"),
    };
    let winner = match unlimited {
        Prospect::Draw => return "draw".to_owned(),
        Prospect::Win => color_name(turn),
        Prospect::Loss => color_name(!turn),
    };
    let mut text = match limited {
        Some(Prospect::Draw) => format!("{winner} wins, but the fifty-move rule makes it a draw"),
        Some(_) => format!("{winner} wins, with and without the fifty-move rule"),
        None => format!("{winner} wins without the fifty-move rule; with it, the result is not known"),
    };
    if let Some(plies) = zeroing_plies {
        // Tables may round down by one.
        text.push_str(&format!("; about {} to the next mate, capture or pawn move", quantity(*plies, "ply", "plies")));
    }
    text
}

/// The opinion of an engine: `+0.35 for White, who is to move; best move Nf3; ...`. Empty if it was
/// not asked.
fn engine(explanation: &Explanation<'_>, consulted: &Consulted) -> String {
    let (Some(engine), Some(turn)) = (&consulted.engine, explanation.facts.turn) else { return String::new() };
    let Opinion { engine, nodes, depth, score, best_move, line } = match engine {
        Ok(opinion) => opinion,
        Err(error) => return format!("no answer: {error}"),
    };
    let mut parts = vec![format!("{score} for {}, who is to move", color_name(turn))];
    parts.extend(best_move.as_ref().map(|best| format!("best move {best}")));
    if !line.is_empty() {
        parts.push(format!("line {}", line.join(" ")));
    }
    let name = engine.as_deref().unwrap_or("an engine");
    parts.push(format!("{name} at {}, depth {depth}", quantity(*nodes, "node", "nodes")));
    parts.join("; ")
}

/// Whether the position occurs in a game.
fn certified(certificate: &Certificate) -> String {
    let verdict = certificate.verdict();
    match certificate {
        Certificate::Illegal { rule, reason } => format!("{verdict} by {rule}: {reason}"),
        Certificate::Legal(game) | Certificate::Contradiction { game, .. } => {
            format!("{verdict}: a game of {} leads to the position", quantity(game.plies as u64, "ply", "plies"))
        }
        Certificate::Failed { reason } => format!("{verdict}: {reason}"),
        Certificate::Open => format!("{verdict}: no game was found that leads to the position, and no proof that there is none"),
    }
}

/// Prints findings. `context` prints what is shown of each before its text, and returns a line and
/// the place in it.
pub fn print_findings<'a>(
    to: &mut dyn Write,
    findings: &[Finding],
    mut context: impl FnMut(&mut dyn Write, &Finding) -> io::Result<(&'a [u8], Span)>,
) -> io::Result<()> {
    let mut counts = SeverityCounts::default();
    findings.iter().for_each(|finding| counts.add(finding.severity));
    let Some(first) = findings.iter().rev().max_by_key(|finding| finding.severity) else {
        return writeln!(to, "\n{GOOD}No findings{GOOD:#}");
    };
    let worst = style(first.severity);
    writeln!(to, "\n{worst}{}{worst:#}", describe_findings(counts))?;
    for finding in findings {
        let color = style(finding.severity);
        writeln!(to, "\n{color}{}{color:#} {BOLD}{} {}{BOLD:#}", finding.severity, finding.rule.code, finding.rule.name)?;
        let (line, place) = context(to, finding)?;
        print_finding(to, line, place, finding)?;
    }
    writeln!(to, "\nTo learn more about a rule, run `chess-audit rules {}`", first.rule.code)
}

/// A text of spaces alone, with a sign for each of them.
fn with_visible_spaces(text: &str) -> String {
    if text.bytes().all(|byte| byte == b' ') { text.replace(' ', "·") } else { text.to_owned() }
}

fn print_finding(to: &mut dyn Write, line: &[u8], place: Span, finding: &Finding) -> io::Result<()> {
    let color = style(finding.severity);
    let Line { text, carets } = excerpt::around(line, place, WIDTH);
    writeln!(to, "  {text}")?;
    if let Some(at) = carets.find('^') {
        let (spaces, carets) = carets.split_at(at);
        writeln!(to, "  {spaces}{color}{carets}{color:#}")?;
    }
    for part in wrapped(&printable(&finding.message), WIDTH - 2) {
        writeln!(to, "  {part}")?;
    }
    let expected = match (finding.certainty(), finding.patches()) {
        (Some(certainty), [patch]) if finding.expected.is_empty() && patch.old.is_empty() => {
            format!("`{}` added ({})", escaped(patch.new.trim_ascii()), certainty.as_str())
        }
        (Some(certainty), _) if finding.expected.is_empty() => format!("removed ({})", certainty.as_str()),
        (Some(certainty), _) => format!("{} ({})", with_visible_spaces(&finding.expected), certainty.as_str()),
        (None, _) => with_visible_spaces(&finding.what_is_expected()),
    };
    let found = with_visible_spaces(&finding.found);
    for (mut name, text) in [("found", found.as_str()), ("expected", &expected), ("fix", finding.rule.fix)] {
        for part in wrapped(&printable(text), WIDTH - 12).iter().filter(|part| !part.is_empty()) {
            writeln!(to, "  {DIM}{name:<10}{DIM:#}{part}")?;
            name = "";
        }
    }
    Ok(())
}
