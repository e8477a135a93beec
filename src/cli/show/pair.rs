//! `chess-audit show` with two games: how they are related, and which one is the better copy.

use std::io::{self, Write};

use anstyle::Style;
use anyhow::bail;

use crate::{
    identity::{GameCard, GamePlace},
    pipeline::{Audit, Settings},
    record::Diagram,
    report::board::{BoardView, Look},
    rules::{Keep, Partner, Profile, RecordBoard, Selection},
};

use super::super::{
    explanation::{self, WIDTH},
    text::{printable, wrapped},
};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// A game: the name of its input, and its card.
pub struct NamedCard<'a> {
    /// The name.
    pub name: &'a str,
    /// The bytes of the card.
    pub card: Vec<u8>,
}

/// Prints what is found about two games as copies.
pub fn print(
    to: &mut dyn Write,
    games: &[NamedCard<'_>; 2],
    look: Look,
    view: impl Fn(Diagram) -> BoardView,
) -> anyhow::Result<()> {
    let [one, other] = games;
    let cards = [GameCard::read(&one.card)?, GameCard::read(&other.card)?];
    let places = [(one.name, cards[0].place), (other.name, cards[1].place)];
    if one.name == other.name && cards[0].place.byte == cards[1].place.byte {
        bail!("both places are in one game");
    }
    let shown = |(name, line): (&str, u64)| format!("{}:{line}", printable(name));
    let [place, other_place] = places.map(|(name, place)| shown((name, place.line)));
    writeln!(to, "{BOLD}{place} and {other_place}{BOLD:#}")?;
    let selection = Selection::of(Profile::Strict).select(["DUP"])?;
    let audit = Audit::new(Settings { selection, ..Settings::default() });
    let findings = audit.findings_about_two([(one.name, &cards[0]), (other.name, &cards[1])])?;
    if findings.is_empty() {
        writeln!(to, "\nNo rule about copies relates these games")?;
    }
    let mut boards = None;
    for finding in &findings {
        let Some(partner) = &finding.partner else { continue };
        let is_other = |(name, place): &(&str, GamePlace)| (*name, place.game) == (&partner.input, partner.game);
        let own = if is_other(&places[0]) { &other_place } else { &place };
        writeln!(to, "\n{} {BOLD}{} {}{BOLD:#}", finding.severity, finding.rule.code, finding.rule.name)?;
        writeln!(to, "  {DIM}{own}{DIM:#}")?;
        let verdict = verdict(partner, own, &shown((&partner.input, partner.line)));
        for text in [Some(printable(&finding.message).into_owned()), verdict].into_iter().flatten() {
            wrapped(&text, WIDTH - 2).iter().try_for_each(|line| writeln!(to, "  {line}"))?;
        }
        print_differences(to, partner)?;
        let mut print_board = |title: &str, board: &RecordBoard| -> io::Result<()> {
            let Some(diagram) = Diagram::of_fen(&board.fen, &board.marks) else { return Ok(()) };
            writeln!(to, "\n  {}\n", printable(title))?;
            explanation::print_board(to, &view(diagram), look)
        };
        match partner.boards.as_deref().filter(|_| partner.boards != boards) {
            Some([board, other]) if (&board.fen, &board.marks) == (&other.fen, &other.marks) => {
                print_board("The last position of both games", board)?;
            }
            Some(both) => both.iter().try_for_each(|board| print_board(&board.title, board))?,
            None => {}
        }
        boards.clone_from(&partner.boards);
    }
    Ok(())
}

/// Which of two copies is kept, and why.
fn verdict(partner: &Partner, own: &str, other: &str) -> Option<String> {
    match partner.keep? {
        Keep::No => Some(format!("{other} is kept: {}", partner.reason)),
        Keep::Check if partner.reason.is_empty() => Some("Which one is right is yours to decide".to_owned()),
        Keep::Check => Some(format!("{other} seems better than {own}: {}; this is yours to decide", partner.reason)),
    }
}

/// Prints the tags in which both games differ, in columns.
fn print_differences(to: &mut dyn Write, partner: &Partner) -> io::Result<()> {
    let shown = |value: &str| if value.is_empty() { "-".to_owned() } else { printable(value).into_owned() };
    let rows: Vec<[String; 3]> =
        partner.differences.iter().map(|(tag, own, other)| [tag.clone(), shown(own), shown(other)]).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let (tags, values) = (width(0), width(1));
    for [tag, own, other] in &rows {
        writeln!(to, "  {DIM}{tag:tags$}{DIM:#}  {own:values$}  {other}")?;
    }
    Ok(())
}
