//! `chess-audit show`.

mod pair;

use std::{
    ffi::OsString,
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use crate::{
    corpus::{Finder, Input, path_of_name},
    identity::{CardBytes, CardUse, GameCard},
    pipeline::{Audit, Failure, InputSummary, OneRecord, Settings, Sink},
    record::{Consulted, Diagram, explain_line},
    report::board::{BoardView, Look},
    rules::{Finding, Marks, Span},
    text::{NotRegular, open_regular},
};
use anstyle::Style;
use anyhow::{Context, bail};
use shakmaty::{EnPassantMode, fen::Fen};

use self::pair::NamedCard;
use super::{
    args::ShowArguments,
    explanation::{self, WIDTH},
    outcome::Outcome,
    text::{escaped, printable, wrapped},
};
use crate::cli::settings::{options, resolved::ResolvedSettings};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Shows a record, or compares two games.
pub fn run(arguments: &ShowArguments) -> anyhow::Result<Outcome> {
    let ShowArguments { config, no_config, profile, .. } = arguments;
    let words: Vec<OsString> = profile.iter().map(|profile| format!("--profile={profile}").into()).collect();
    let settings = ResolvedSettings::new(&options::of_file(config.as_deref(), *no_config, &words)?)?;
    let audit = Audit::new(Settings {
        selection: settings.selection()?,
        exceptions: settings.exceptions()?,
        limits: settings.limits(None),
        variant: arguments.variant,
        games: Some(CardUse::List),
        ..Settings::default()
    });
    let mut to = anstream::stdout();
    let look = Look { ascii: arguments.ascii, colors: to.current_choice() != anstream::ColorChoice::Never };
    let view = |diagram| BoardView { diagram, flipped: arguments.flip };
    let place = Place::of(&arguments.place)?;
    if let Some(other) = &arguments.other {
        let games = [game_at(&audit, place)?, game_at(&audit, Place::of(other)?)?];
        pair::print(&mut to, &games, look, view)?;
        to.flush()?;
        return Ok(Outcome::Success);
    }
    let name = place.name;
    let input = input_of(name)?;
    let line = match place.at {
        At::Line(line) => line,
        game @ At::Game(_) => GameCard::read(&card_at(&audit, &input, game)?)?.place.line,
    };
    let mut shown = Shown::default();
    let record = audit.run_on_record(&input, line, &mut shown).with_context(|| name.to_owned())?;
    match explain_line(&record.text, arguments.variant).filter(|_| record.is_position) {
        Some(explanation) => {
            let board = explanation.diagram().map(view);
            explanation::print(&mut to, &explanation, &Consulted::default(), None, board.as_ref(), look)?;
        }
        None => {
            print(&mut to, name, &record, &shown, look, view)?;
            writeln!(
                to,
                "{DIM}Findings about whole inputs are in the report of `chess-audit check`; `chess-audit show PLACE OTHER` \
                 compares two copies{DIM:#}"
            )?;
        }
    }
    to.flush()?;
    Ok(Outcome::Success)
}

/// The input with this name.
fn input_of(name: &str) -> anyhow::Result<Input> {
    let file = |name: &str| Some(path_of_name(name)).filter(|path| path.is_file());
    let found = Finder::default().find(name, file).with_context(|| format!("cannot read `{name}`"))?;
    match found {
        Some(input) => Ok(input),
        None => match open_regular(&path_of_name(name)).err().and_then(|error| NotRegular::of_error(&error)) {
            Some(reason) => bail!("cannot read `{name}`: {reason}"),
            None => bail!("no such file: `{name}`"),
        },
    }
}

/// The game at a place.
fn game_at<'a>(audit: &Audit, Place { name, at }: Place<'a>) -> anyhow::Result<NamedCard<'a>> {
    Ok(NamedCard { name, card: card_at(audit, &input_of(name)?, at)? })
}

/// A record of an input.
#[derive(Debug, PartialEq, Eq)]
struct Place<'a> {
    name: &'a str,
    at: At,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// It contains this line.
    Line(u64),
    /// It is the game with this ordinal.
    Game(u64),
}

impl Place<'_> {
    /// Reads `FILE:LINE`, `FILE:LINE:COLUMN` or `FILE#GAME`. Columns do not matter.
    fn of(text: &str) -> anyhow::Result<Place<'_>> {
        fn split(text: &str, mark: char) -> Option<(&str, u64)> {
            let (name, number) = text.rsplit_once(mark)?;
            Some((name, number.parse().ok().filter(|number| *number > 0 && !name.is_empty())?))
        }
        if let Some((name, game)) = split(text, '#') {
            return Ok(Place { name, at: At::Game(game) });
        }
        match split(text, ':').map(|(name, last)| split(name, ':').unwrap_or((name, last))) {
            Some((name, line)) => Ok(Place { name, at: At::Line(line) }),
            None => bail!("`{text}` is not the place of a game; use FILE:LINE or FILE#GAME"),
        }
    }
}

/// The card of a game.
fn card_at(audit: &Audit, input: &Input, at: At) -> anyhow::Result<Vec<u8>> {
    let stop = AtomicBool::new(false);
    let mut search = GameSearch { wanted: at, card: None, failure: None, stop: &stop };
    audit.run(vec![input.clone()], &mut search, &(), &stop)?;
    let name = &input.name;
    match (search.card, search.failure, search.wanted) {
        (Some(card), ..) => Ok(card),
        (None, Some(failure), _) => bail!("{name}: {failure}"),
        (None, None, At::Game(game)) => bail!("{name}: there is no game with the ordinal {game}"),
        (None, None, At::Line(line)) => bail!("{name}: there is no game on line {line}"),
    }
}

/// Finds a game, and stops the run.
struct GameSearch<'a> {
    wanted: At,
    /// The card of the game.
    card: Option<Vec<u8>>,
    failure: Option<String>,
    stop: &'a AtomicBool,
}

impl Sink for GameSearch<'_> {
    fn finding(&mut self, _: &str, _: &Finding) -> io::Result<()> {
        Ok(())
    }

    fn game(&mut self, _: &str, game: &CardBytes<'_>) -> io::Result<()> {
        let place = game.game()?.place;
        let (is_wanted, is_after) = match self.wanted {
            At::Game(wanted) => (place.game == wanted, place.game >= wanted),
            // The last game that begins at this line or before it.
            At::Line(wanted) => (place.line <= wanted, place.line > wanted),
        };
        if is_wanted {
            self.card = Some(game.bytes().to_vec());
        }
        if is_after {
            self.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn input(&mut self, _: &InputSummary) -> io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, failure: &Failure) -> io::Result<()> {
        self.failure.get_or_insert_with(|| failure.message.clone());
        Ok(())
    }
}

/// What is shown of a record besides its text.
#[derive(Debug, Default)]
struct Shown {
    findings: Vec<Finding>,
    /// The last position of a game.
    last: Option<Diagram>,
}

impl Sink for Shown {
    fn finding(&mut self, _: &str, finding: &Finding) -> io::Result<()> {
        self.findings.push(finding.clone());
        Ok(())
    }

    fn game(&mut self, _: &str, game: &CardBytes<'_>) -> io::Result<()> {
        let game = game.game()?;
        let fen = game.position_after(game.plies.len()).map(|last| Fen::from_position(&last, EnPassantMode::Legal).to_string());
        self.last = fen.and_then(|fen| Diagram::of_fen(&fen, &Marks::default()));
        Ok(())
    }

    fn input(&mut self, _: &InputSummary) -> io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, _: &Failure) -> io::Result<()> {
        Ok(())
    }
}

/// Prints the text, and each finding with its board. Without findings, the board shows the last
/// position.
fn print(
    to: &mut dyn Write,
    name: &str,
    record: &OneRecord,
    shown: &Shown,
    look: Look,
    view: impl Fn(Diagram) -> BoardView,
) -> io::Result<()> {
    let name = printable(name);
    writeln!(to, "{BOLD}{name}:{}{BOLD:#}\n", record.line)?;
    let lines = lines(&record.text);
    let digits = (record.line + lines.len() as u64).to_string().len();
    let width = WIDTH - digits - 2;
    for (number, line) in (record.line..).zip(&lines) {
        let text = printable(&escaped(line.of(&record.text))).into_owned();
        let parts = if text.chars().count() > width { wrapped(&text, width) } else { vec![text] };
        let mut number = number.to_string();
        for part in parts {
            let line = format!("{DIM}{number:>digits$}{DIM:#}  {part}");
            writeln!(to, "{}", line.trim_end())?;
            number.clear();
        }
    }
    if let Some(last) = shown.last.clone().filter(|_| shown.findings.is_empty()) {
        writeln!(to, "\n{BOLD}The last position{BOLD:#}\n")?;
        explanation::print_board(to, &view(last), look)?;
    }
    let mut board = None;
    explanation::print_findings(to, &shown.findings, |to, finding| {
        writeln!(to, "  {DIM}{name}:{}:{}{DIM:#}", finding.line, finding.column)?;
        let diagram = Diagram::of(finding);
        if let Some(diagram) = diagram.clone().filter(|_| diagram != board) {
            writeln!(to)?;
            explanation::print_board(to, &view(diagram), look)?;
            writeln!(to)?;
        }
        board = diagram;
        // Places are in the input.
        let [start, end] = [finding.place.start, finding.place.end].map(|at| at.saturating_sub(record.byte as usize));
        let line = lines.iter().find(|line| line.end >= start).copied().unwrap_or_default();
        Ok((line.of(&record.text), Span::new(start.saturating_sub(line.start), end.saturating_sub(line.start))))
    })
}

/// The lines of a text without their ends: LF, CR LF or a single CR.
fn lines(text: &[u8]) -> Vec<Span> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (end, byte) in text.iter().enumerate().filter(|(_, byte)| matches!(byte, b'\n' | b'\r')) {
        if *byte == b'\n' && end > 0 && text[end - 1] == b'\r' {
            start = end + 1;
        } else {
            lines.push(Span::new(start, end));
            start = end + 1;
        }
    }
    lines.push(Span::new(start, text.len()));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read() -> anyhow::Result<()> {
        for (text, name, at) in [
            ("games.pgn:61201", "games.pgn", At::Line(61201)),
            ("games.pgn:19:44", "games.pgn", At::Line(19)),
            ("a.zip/b.pgn#12", "a.zip/b.pgn", At::Game(12)),
            ("C:\\games.pgn:7", "C:\\games.pgn", At::Line(7)),
            ("a#1.pgn:7", "a#1.pgn", At::Line(7)),
        ] {
            assert_eq!(Place::of(text)?, Place { name, at }, "{text}");
        }
        for text in ["", "games.pgn", "games.pgn:", ":7", "games.pgn:0", "games.pgn#x", "#1"] {
            assert!(Place::of(text).is_err(), "{text}");
        }
        Ok(())
    }

    #[test]
    fn lines_end_in_three_ways() {
        let text = b"a\r\nb\rc\n\nd";
        let lines: Vec<&[u8]> = lines(text).into_iter().map(|line| line.of(text)).collect();
        assert_eq!(lines, [&b"a"[..], b"b", b"c", b"", b"d"]);
    }
}
