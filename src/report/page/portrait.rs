//! The second part of the page: what kind of games the corpus has.

use std::collections::BTreeMap;

use super::chart::{BarPart, Chart, Share, bar_parts, logarithm, percent, percent_encoded, tail};
use crate::{
    pipeline::{InputSummary, RunSummary},
    record::{Counted, Portrait, Property, Results},
    report::page::example::shown,
    rules::Family,
    text::wording::{quantity, thousands},
};

/// Height of a chart of columns in pixels.
const HEIGHT: u64 = 130;

/// The scale of columns is logarithmic if the highest is more than so many times as high as the
/// third one, and there are not just a few games.
const LOG_FROM: u64 = 5;
const LOG_ABOVE: u64 = 100;

/// Columns are no wider than if there were so many.
const FEWEST: u64 = 10;

/// What the games of the corpus are like, and where the findings are.
pub(super) struct PortraitView {
    pub games: String,
    pub results: Vec<BarPart>,
    pub results_text: String,
    pub shares: Vec<Share>,
    pub columns: Vec<Columns>,
    pub bars: Vec<Bars>,
    pub heat: Option<Heat>,
}

/// A chart of columns: values in their order.
pub(super) struct Columns {
    pub id: &'static str,
    pub title: &'static str,
    pub height: u64,
    /// Whether heights are logarithmic. Results are not shown then.
    pub is_log: bool,
    /// The highest column.
    pub most: String,
    /// How many games do not say.
    pub unknown: Option<String>,
    pub first: String,
    pub last: String,
    pub columns: Vec<Column>,
    pub table: Numbers,
}

pub(super) struct Column {
    pub x: String,
    pub width: String,
    pub parts: Vec<BarPart>,
    /// The value and its number of games.
    pub text: String,
}

/// A chart of bars: a row for each value.
pub(super) struct Bars {
    pub chart: Chart,
    /// How many games do not say.
    pub unknown: Option<String>,
    pub table: Numbers,
}

/// The numbers of a chart, and what it says in a sentence.
pub(super) struct Numbers {
    pub summary: String,
    pub head: &'static str,
    /// The value, the games, and those that White won, that were drawn, that Black won, and others.
    pub rows: Vec<(String, [String; 5])>,
}

/// A table of inputs and families of rules: a cell is darker the more findings it has.
pub(super) struct Heat {
    pub families: Vec<Family>,
    pub rows: Vec<(String, Vec<Cell>)>,
    pub more: Option<String>,
}

pub(super) struct Cell {
    /// From 0 for no findings to 4.
    pub level: u32,
    pub number: String,
    pub href: String,
}

/// The portrait of a run. `inputs` are those with the most findings, of which there are
/// `with_findings`; their names begin with `prefix`. `None` without games and findings.
pub(super) fn view(summary: &RunSummary, inputs: &[&InputSummary], with_findings: u64, prefix: &str) -> Option<PortraitView> {
    let portrait = &summary.portrait;
    let heat = heat(inputs, with_findings, prefix);
    if portrait.is_empty() && heat.is_none() {
        return None;
    }
    let all = portrait.all();
    let part = |what: &str, number: u64| {
        (number > 0).then(|| format!("{what} {} ({})", thousands(number), rounded(number, all.games())))
    };
    let results = [
        part("White won", all.white),
        part("draws", all.draw),
        part("Black won", all.black),
        part("other or no result", all.other),
    ];
    let results_text = results.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let columns = [
        columns(portrait, Property::Year, ["by-year", "Games by year", "Year"]),
        columns(portrait, Property::Rating, ["by-rating", "Games by average rating of the players", "Rating"]),
        columns(portrait, Property::Moves, ["by-moves", "Games by number of moves", "Moves"]),
    ];
    let bars = [
        bars(portrait, Property::Eco, ["by-eco", "Openings by ECO letter", "ECO"]),
        bars(portrait, Property::TimeControl, ["by-speed", "Time control", "Speed"]),
        bars(portrait, Property::Termination, ["by-termination", "Termination", "Termination"]),
        bars(portrait, Property::Title, ["by-title", "Titles of players", "Title"]),
    ];
    Some(PortraitView {
        games: quantity(all.games(), "game", "games"),
        results: bar_parts(by_result(all), all.games()),
        results_text,
        shares: if portrait.is_empty() { Vec::new() } else { shares(portrait, all.games()) },
        columns: columns.into_iter().flatten().collect(),
        bars: bars.into_iter().flatten().collect(),
        heat,
    })
}

/// A percentage for people, rounded half up.
fn rounded(part: u64, whole: u64) -> String {
    let percent = (u128::from(part) * 200 + u128::from(whole)) / (2 * u128::from(whole.max(1)));
    if percent == 0 && part > 0 { "below 1 %".to_owned() } else { format!("{percent} %") }
}

/// The parts of a bar or column.
const fn by_result(results: Results) -> [(&'static str, u64); 4] {
    [("white-wins", results.white), ("drawn", results.draw), ("black-wins", results.black), ("no-result", results.other)]
}

/// How many games have what not all games have.
fn shares(portrait: &Portrait, games: u64) -> Vec<Share> {
    let share = |text: &str, property, value: &str| {
        let number = portrait.counted(property).find(|counted| counted.value == value)?.results.games();
        let text = format!("{text}: {} of {}", thousands(number), thousands(games));
        Some(Share { text, percent: percent(number, games) })
    };
    let shares = [
        share("With clocks", Property::Clocks, "yes"),
        share("With evaluations", Property::Evaluations, "yes"),
        share("FIDE ids of both players", Property::FideIds, "both players"),
        share("With a starting position of their own", Property::Start, "other position"),
    ];
    shares.into_iter().flatten().collect()
}

fn numbers(counted: &[Counted], head: &'static str, title: &str) -> Numbers {
    let row = |Counted { value, results, .. }: &Counted| {
        let Results { white, draw, black, other } = *results;
        (value.clone(), [results.games(), white, draw, black, other].map(thousands))
    };
    let known = || counted.iter().filter(|counted| !counted.is_unknown);
    let most = known().max_by_key(|counted| counted.results.games());
    let range = match (known().next(), known().next_back()) {
        (Some(first), Some(last)) if first.value != last.value => format!(", from {} to {}", first.value, last.value),
        _ => String::new(),
    };
    let most = most.map_or_else(String::new, |most| {
        format!("; most in {}: {}", most.value, quantity(most.results.games(), "game", "games"))
    });
    Numbers { summary: format!("{title}{range}{most}"), head, rows: counted.iter().map(row).collect() }
}

/// A chart of a property whose values are numbers. `None` if no game has a known value.
fn columns(portrait: &Portrait, property: Property, [id, title, head]: [&'static str; 3]) -> Option<Columns> {
    let counted: Vec<Counted> = portrait.counted(property).collect();
    let known: Vec<(u64, &Counted)> =
        counted.iter().filter(|counted| !counted.is_unknown).map(|counted| (counted.number as u64, counted)).collect();
    let ((from, first), (to, last)) = known.first().zip(known.last())?;
    let mut games: Vec<u64> = known.iter().map(|(_, counted)| counted.results.games()).collect();
    games.sort_unstable();
    let most = games.last().copied()?;
    // One or two columns must not hide the others.
    let is_log = most > LOG_ABOVE && games.iter().rev().nth(2).is_some_and(|third| third.saturating_mul(LOG_FROM) < most);
    let places = (to - from + 1).max(FEWEST);
    let column = |(at, counted): &(u64, &Counted)| {
        let all = counted.results.games();
        let parts = if is_log {
            vec![("games", logarithm(all))]
        } else {
            by_result(counted.results).into_iter().filter(|(_, games)| *games > 0).collect()
        };
        let whole = if is_log { logarithm(most) } else { most };
        // Upwards, White first.
        let mut below = 0;
        let parts = parts.into_iter().map(|(class, length)| {
            let [top, bottom] = [below + length, below].map(|length| tenths(length, whole));
            below += length;
            BarPart { class, start: pixels(HEIGHT * 10 - top), length: pixels(top - bottom) }
        });
        Column {
            x: percent(at - from, places),
            width: percent(1, places),
            parts: parts.collect(),
            text: format!("{}: {}", counted.value, quantity(counted.results.games(), "game", "games")),
        }
    };
    Some(Columns {
        id,
        title,
        height: HEIGHT,
        is_log,
        most: known
            .iter()
            .find(|(_, counted)| counted.results.games() == most)
            .map_or_else(String::new, |(_, counted)| format!("most: {} in {}", thousands(most), counted.value)),
        unknown: counted.iter().find(|counted| counted.is_unknown).map(without),
        first: if from < to && to - from < FEWEST { format!("{} … {}", first.value, last.value) } else { first.value.clone() },
        last: if to - from < FEWEST { String::new() } else { last.value.clone() },
        columns: known.iter().map(column).collect(),
        table: numbers(&counted, head, title),
    })
}

/// The height of a part of a column in tenths of a pixel.
fn tenths(part: u64, whole: u64) -> u64 {
    u64::try_from(u128::from(HEIGHT * 10) * u128::from(part) / u128::from(whole.max(1))).unwrap_or(u64::MAX)
}

fn pixels(tenths: u64) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// How many games do not say.
fn without(counted: &Counted) -> String {
    format!("{} without", quantity(counted.results.games(), "game", "games"))
}

/// A chart of a property whose values are words. `None` if no game has a known value.
fn bars(portrait: &Portrait, property: Property, [id, title, head]: [&'static str; 3]) -> Option<Bars> {
    let counted: Vec<Counted> = portrait.counted(property).collect();
    let (unknown, known): (Vec<&Counted>, Vec<&Counted>) = counted.iter().partition(|counted| counted.is_unknown);
    let row = |counted: &&Counted| (None, counted.value.clone(), counted.results.games(), by_result(counted.results).to_vec());
    let rows: Vec<_> = known.iter().map(row).collect();
    let unknown = unknown.first().map(|counted| without(counted));
    (!rows.is_empty()).then(|| Bars {
        chart: Chart::new(id, title, rows, false, None),
        unknown,
        table: numbers(&counted, head, title),
    })
}

/// The families of the findings of each input. `None` without findings.
fn heat(inputs: &[&InputSummary], with_findings: u64, prefix: &str) -> Option<Heat> {
    let by_family = |input: &InputSummary| {
        let mut families: BTreeMap<&'static str, u64> = BTreeMap::new();
        for ((code, _), findings) in &input.rules {
            *families.entry(code.family().letters()).or_insert(0) += findings;
        }
        families
    };
    let shown_inputs: Vec<_> = inputs.iter().map(|input| (*input, by_family(input))).collect();
    let most = shown_inputs.iter().flat_map(|(_, families)| families.values()).max().copied()?;
    let families: Vec<Family> = Family::ALL
        .into_iter()
        .filter(|family| shown_inputs.iter().any(|(_, families)| families.contains_key(family.letters())))
        .collect();
    let row = |(input, found): &(&InputSummary, BTreeMap<&'static str, u64>)| {
        let cell = |family: &Family| {
            let findings = found.get(family.letters()).copied().unwrap_or(0);
            let address = percent_encoded(&shown(&input.name), b"/-_.");
            Cell {
                level: level(findings, most),
                number: if findings == 0 { String::new() } else { thousands(findings) },
                href: format!("family={}&input={address}", family.letters()),
            }
        };
        let name = shown(input.name.strip_prefix(prefix).unwrap_or(&input.name));
        (tail(&name), families.iter().map(cell).collect())
    };
    let more = with_findings.saturating_sub(shown_inputs.len() as u64);
    let more = (more > 0).then(|| format!("… and {}, see inputs.csv", quantity(more, "more input", "more inputs")));
    Some(Heat { rows: shown_inputs.iter().map(row).collect(), families, more })
}

/// How dark a cell is: each step is as many times more as the next one.
fn level(findings: u64, most: u64) -> u32 {
    match findings {
        0 => 0,
        // A step is a quarter of the digits of the largest number, in powers of two.
        _ => 1 + (findings.ilog2() * 4 / (most.ilog2() + 1)).min(3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_for_people() {
        let shares = [(0, 0), (0, 7), (1, 1000), (1, 200), (995, 1000), (2, 3)].map(|(part, whole)| rounded(part, whole));
        assert_eq!(shares, ["0 %", "0 %", "below 1 %", "1 %", "100 %", "67 %"]);
    }

    #[test]
    fn more_findings_are_never_lighter() {
        let levels: Vec<u32> = (0..=1000).map(|findings| level(findings, 1000)).collect();
        assert!(levels.is_sorted());
        assert_eq!((levels[0], levels[1], levels[1000]), (0, 1, 4));
        assert_eq!(level(1, 1), 1);
        assert_eq!(level(u64::MAX, u64::MAX), 4);
    }
}
