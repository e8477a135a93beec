//! How two corpora of games differ: a row for each game and kind of change, as CSV, text, Markdown
//! or JSON.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::compare::escaped;
use crate::format::{DIFF_COLUMNS, csv_file::Rows, json::write_json};
use crate::{
    identity::{ChangedValues, DifferenceCounts, DifferenceKind, GameDifference, GameVersion},
    record::card_label,
    spill::Log,
    text::wording::{printable, printable_name, quantity, thousands},
};

/// The file with one row per game and kind of change.
pub const DIFF_CSV: &str = "diff.csv";
/// The file with the differences as Markdown.
pub const DIFF_MD: &str = "diff.md";
/// The page with boards.
pub const DIFF_HTML: &str = "diff.html";

/// A line of all differences as Markdown.
pub(crate) const CHANGES_HEADER: &str = "| change | games |";

/// A line of each page of differences.
pub(crate) const GENERATOR: &str = "<meta name=\"generator\" content=\"chess-audit diff\">";

/// Maximum number of bytes of lines in memory that wait for the totals before them.
const MAX_IN_MEMORY: usize = 1 << 20;

/// Maximum number of changes listed in Markdown.
const MAX_LISTED: u64 = 25;

/// How differences are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiffFormat {
    /// The totals, and a line for each change, for people.
    #[default]
    Text,
    /// A table with [`DIFF_COLUMNS`].
    Csv,
    /// Totals, and the first changes.
    Markdown,
    /// One JSON object.
    Json,
}

impl DiffFormat {
    /// All formats.
    pub const ALL: [DiffFormat; 4] = [DiffFormat::Text, DiffFormat::Csv, DiffFormat::Markdown, DiffFormat::Json];

    /// The value on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            DiffFormat::Text => "text",
            DiffFormat::Csv => "csv",
            DiffFormat::Markdown => "markdown",
            DiffFormat::Json => "json",
        }
    }
}

/// The numbers of differences, without a full stop.
pub fn difference_sentence(counts: &DifferenceCounts) -> String {
    if counts.are_equal() {
        return format!("No differences in {}", quantity(counts.equal, "game", "games"));
    }
    let numbers = [
        (counts.of(DifferenceKind::OnlyInB), "only in B"),
        (counts.of(DifferenceKind::OnlyInA), "only in A"),
        (counts.changed, "changed"),
    ];
    let numbers = numbers.into_iter().filter(|(games, _)| *games > 0).chain([(counts.equal, "equal")]);
    numbers.map(|(games, what)| format!("{} {what}", thousands(games))).collect::<Vec<_>>().join(", ")
}

/// A change of a game.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ChangeRow<'a> {
    #[serde(serialize_with = "as_str")]
    #[schemars(with = "String")]
    pub change: DifferenceKind,
    #[serde(flatten)]
    a: Option<PlaceA<'a>>,
    #[serde(flatten)]
    b: Option<PlaceB<'a>>,
    pub ply: Option<usize>,
    #[serde(rename = "a")]
    pub value_a: &'a str,
    #[serde(rename = "b")]
    pub value_b: &'a str,
    pub label: &'a str,
}

/// All differences, as JSON.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the parts are written one by one")]
pub(crate) struct DifferenceList<'a> {
    changes: Vec<ChangeRow<'a>>,
    games_a: u64,
    games_b: u64,
    equal: u64,
    changed: u64,
    only_in_a: u64,
    only_in_b: u64,
}

/// Where a game is in the first corpus.
#[derive(Clone, Copy, Serialize, JsonSchema)]
struct PlaceA<'a> {
    input_a: &'a str,
    game_a: u64,
    line_a: u64,
}

/// Where a game is in the second corpus.
#[derive(Clone, Copy, Serialize, JsonSchema)]
struct PlaceB<'a> {
    input_b: &'a str,
    game_b: u64,
    line_b: u64,
}

fn as_str<S: serde::Serializer>(change: &DifferenceKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(change.as_str())
}

/// Shows the rows of a game.
pub(crate) fn for_each_row(
    difference: &GameDifference<'_>,
    mut take: impl FnMut(&ChangeRow<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let GameDifference { a, b, changes } = difference;
    let label = a.or(*b).map(|version| card_label(version.card)).unwrap_or_default();
    for change in changes {
        let values = a.zip(*b).map(|(a, b)| change.values(a.card, b.card)).unwrap_or_default();
        let ChangedValues { ply, a: value_a, b: value_b } = &values;
        let place_a = |GameVersion { input, card }| PlaceA { input_a: input, game_a: card.place.game, line_a: card.place.line };
        let place_b = |GameVersion { input, card }| PlaceB { input_b: input, game_b: card.place.game, line_b: card.place.line };
        let (a, b) = (a.map(place_a), b.map(place_b));
        take(&ChangeRow { change: *change, a, b, ply: *ply, value_a, value_b, label: &label })?;
    }
    Ok(())
}

impl ChangeRow<'_> {
    /// The place of the game in A and in B: `a.pgn:12`.
    pub fn place_in_each(&self) -> [Option<String>; 2] {
        let place = |name, line| format!("{}:{line}", printable_name(name));
        [self.a.map(|a| place(a.input_a, a.line_a)), self.b.map(|b| place(b.input_b, b.line_b))]
    }

    /// The places of the game: `a.pgn:12, b.pgn:30`.
    pub fn places(&self) -> String {
        self.place_in_each().into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// What changed: `ply 31: Nf3 in A, Ng5 in B`. Empty if there is nothing more to say.
    pub fn detail(&self) -> String {
        let value = |value: &str, of: &str| match (value, self.change) {
            ("", DifferenceKind::Moves) => format!("no legal move in {of}"),
            ("", _) => format!("none in {of}"),
            // Names contain commas.
            (value, DifferenceKind::Names | DifferenceKind::Colours) => format!("`{}` in {of}", printable(value)),
            (value, _) => format!("{} in {of}", printable(value)),
        };
        let values = match (self.value_a, self.value_b) {
            ("", "") => String::new(),
            (a, b) => format!("{}, {}", value(a, "A"), value(b, "B")),
        };
        match (self.ply, &*values) {
            (None, _) if self.change == DifferenceKind::Colours => format!("White is {values}"),
            (None, _) => values,
            (Some(ply), "") => format!("illegal moves from ply {ply} on"),
            (Some(ply), values) => format!("ply {ply}: {values}"),
        }
    }

    /// The change without the places, for people.
    pub fn text(&self) -> String {
        let label = printable(self.label);
        let parts = [&*label, &self.detail()].map(str::to_owned);
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
    }
}

/// Writes the differences in one format.
#[derive(Debug)]
pub struct DiffWriter<W: Write>(Writer<W>);

#[derive(Debug)]
enum Writer<W: Write> {
    Text { to: W, lines: Log },
    Csv(Box<Rows<W>>),
    Markdown { to: W, listed: String, changes: u64 },
    Json { to: W, is_first: bool },
}

impl<W: Write> DiffWriter<W> {
    /// Begins to write to `to`.
    pub fn begin(mut to: W, format: DiffFormat) -> io::Result<DiffWriter<W>> {
        Ok(DiffWriter(match format {
            DiffFormat::Text => Writer::Text { to, lines: Log::with_limit(MAX_IN_MEMORY) },
            DiffFormat::Csv => Writer::Csv(Box::new(Rows::begin(to, &DIFF_COLUMNS))),
            DiffFormat::Markdown => Writer::Markdown { to, listed: String::new(), changes: 0 },
            DiffFormat::Json => {
                to.write_all(b"{\"changes\":[")?;
                Writer::Json { to, is_first: true }
            }
        }))
    }

    /// Writes the changes of a game.
    pub fn difference(&mut self, difference: &GameDifference<'_>) -> io::Result<()> {
        for_each_row(difference, |row| self.row(row))
    }

    fn row(&mut self, row: &ChangeRow<'_>) -> io::Result<()> {
        match &mut self.0 {
            Writer::Text { lines, .. } => {
                let line = format!("{:9}  {}: {}\n", row.change.as_str(), row.places(), row.text());
                lines.push([line.as_bytes()]).map(drop)
            }
            Writer::Csv(rows) => rows.row(|cells| {
                cells.show(row.change.as_str());
                cells.name(row.a.map_or("", |a| a.input_a));
                cells.number_some(row.a.map(|a| a.game_a));
                cells.number_some(row.a.map(|a| a.line_a));
                cells.name(row.b.map_or("", |b| b.input_b));
                cells.number_some(row.b.map(|b| b.game_b));
                cells.number_some(row.b.map(|b| b.line_b));
                cells.number_some(row.ply);
                [row.value_a, row.value_b, row.label].into_iter().for_each(|text| cells.text(text));
            }),
            Writer::Markdown { listed, changes, .. } => {
                *changes += 1;
                if *changes <= MAX_LISTED {
                    let change = escaped(row.change.as_str());
                    listed.push_str(&format!("* **{change}** at {}: {}\n", escaped(&row.places()), escaped(&row.text())));
                }
                Ok(())
            }
            Writer::Json { to, is_first } => {
                to.write_all(if std::mem::take(is_first) { b"\n" } else { b",\n" })?;
                write_json(to, row)
            }
        }
    }

    /// Writes the totals. Returns what was written to, flushed.
    pub fn finish(self, counts: &DifferenceCounts) -> io::Result<W> {
        let sentence = difference_sentence(counts);
        let mut to = match self.0 {
            Writer::Text { mut to, lines } => {
                writeln!(to, "{sentence}")?;
                lines.written().for_each(|_, line| to.write_all(line))?;
                to
            }
            Writer::Csv(rows) => rows.end()?,
            Writer::Markdown { mut to, listed, changes } => {
                write!(to, "# {sentence}\n\n{CHANGES_HEADER}\n|---|---:|\n")?;
                for change in DifferenceKind::ALL {
                    writeln!(to, "| {} | {} |", escaped(change.as_str()), counts.of(change))?;
                }
                writeln!(to, "| equal | {} |", counts.equal)?;
                if changes > 0 {
                    to.write_all(b"\n## Changes\n\n")?;
                }
                if changes > MAX_LISTED {
                    let total = thousands(changes);
                    write!(to, "The first {MAX_LISTED} of {total}. All are in {DIFF_CSV}, written with `--output`.\n\n")?;
                }
                to.write_all(listed.as_bytes())?;
                to
            }
            Writer::Json { mut to, .. } => {
                let DifferenceCounts { games_a, games_b, equal, changed, .. } = counts;
                writeln!(
                    to,
                    "\n],\"games_a\":{games_a},\"games_b\":{games_b},\"equal\":{equal},\"changed\":{changed},\
                     \"only_in_a\":{},\"only_in_b\":{}}}",
                    counts.of(DifferenceKind::OnlyInA),
                    counts.of(DifferenceKind::OnlyInB)
                )?;
                to
            }
        };
        to.flush()?;
        Ok(to)
    }
}
