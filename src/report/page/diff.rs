//! `diff.html`: how two corpora of games differ, with boards.

use askama::Template;
use shakmaty::Position;

use crate::{
    chess::Arrow,
    identity::{DifferenceCounts, DifferenceKind, GameCard, GameDifference, Parting},
    record::Diagram,
    report::svg::{SharedParts, card_board},
    review::differences::{ChangeRow, GENERATOR, difference_sentence, for_each_row},
    rules::Marks,
    text::wording::{printable, thousands},
};

/// Maximum number of games on the page with each kind of change.
const MAX_GAMES: usize = 100;

/// The page, collected game by game. Its size is bounded.
#[derive(Debug)]
pub struct DiffPage {
    /// The names of both corpora.
    corpora: [String; 2],
    /// The first games with each change, in the order of [`DifferenceKind::ALL`].
    games: [Vec<GameView>; DifferenceKind::ALL.len()],
}

#[derive(Debug)]
struct GameView {
    label: String,
    detail: String,
    places: String,
    board: Option<String>,
}

#[derive(Template)]
#[template(path = "diff.html", config = "src/report/page/askama.toml")]
struct DiffView {
    generator: &'static str,
    corpora: [String; 2],
    style: &'static str,
    headline: String,
    tone: &'static str,
    shared: SharedParts,
    tiles: Vec<(&'static str, String)>,
    has_boards: bool,
    sections: Vec<Section>,
}

struct Section {
    title: &'static str,
    games: Vec<GameView>,
    more: u64,
}

impl DiffPage {
    /// An empty page about corpora with these names, if this build writes pages.
    pub fn new(corpora: [&str; 2]) -> Option<DiffPage> {
        Some(DiffPage { corpora: corpora.map(|name| printable(name).into_owned()), games: Default::default() })
    }

    /// Adds the changes of a game, unless there are many of the same kind.
    pub fn difference(&mut self, difference: &GameDifference<'_>) {
        // Nothing is written, so nothing can fail.
        let _ = for_each_row(difference, |row| {
            let games = &mut self.games[row.change as usize];
            if games.len() < MAX_GAMES {
                games.push(GameView::new(row, difference));
            }
            Ok(())
        });
    }

    /// The page as HTML.
    pub fn html(self, counts: &DifferenceCounts) -> String {
        let has_boards = self.games.iter().flatten().any(|game| game.board.is_some());
        let sections = DifferenceKind::ALL.into_iter().zip(self.games).filter(|(_, games)| !games.is_empty());
        let section = |(change, games): (DifferenceKind, Vec<GameView>)| Section {
            title: title(change),
            more: counts.of(change).saturating_sub(games.len() as u64),
            games,
        };
        let tile = |change: DifferenceKind| (title(change), thousands(counts.of(change)));
        let tiles = DifferenceKind::ALL.into_iter().filter(|change| counts.of(*change) > 0).map(tile);
        let view = DiffView {
            generator: GENERATOR,
            corpora: self.corpora,
            style: include_str!("report.css"),
            headline: difference_sentence(counts),
            tone: if counts.are_equal() { "good" } else { "info" },
            shared: SharedParts::new(),
            tiles: tiles.chain([("Equal", thousands(counts.equal))]).collect(),
            has_boards,
            sections: sections.map(section).collect(),
        };
        // Writing to a string cannot fail.
        view.render().unwrap_or_default()
    }
}

impl GameView {
    fn new(row: &ChangeRow<'_>, difference: &GameDifference<'_>) -> GameView {
        let board = if row.change == DifferenceKind::Moves { board(difference) } else { None };
        GameView { label: printable(row.label).into_owned(), detail: row.detail(), places: row.places(), board }
    }
}

/// The position in which two versions of a game part, with both moves.
fn board(difference: &GameDifference<'_>) -> Option<String> {
    let (a, b) = difference.a.zip(difference.b)?;
    let Parting { ply, before, .. } = Parting::of(a.card, b.card);
    let before = before?;
    let arrow = |card: &GameCard<'_>| Arrow::of(card.plies.get(ply - 1)?.played_in(&before)?);
    let marks =
        Marks { written: arrow(a.card).into_iter().collect(), repaired: arrow(b.card).into_iter().collect(), ..Marks::default() };
    Some(card_board(&Diagram::new(before.board().clone(), Some(before.turn()), marks)))
}

const fn title(change: DifferenceKind) -> &'static str {
    match change {
        DifferenceKind::OnlyInA => "Only in A",
        DifferenceKind::OnlyInB => "Only in B",
        DifferenceKind::Moves => "Other moves",
        DifferenceKind::Result => "Other result",
        DifferenceKind::Date => "Other date",
        DifferenceKind::Names => "Other names",
        DifferenceKind::Colours => "Other colours",
        DifferenceKind::Comments => "Other comments",
        DifferenceKind::Tags => "Other tags",
    }
}
