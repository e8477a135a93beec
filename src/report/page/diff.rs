//! `diff.html`: a table of how two corpora of games differ. Boards in it are closed at first.

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

use super::example::shown;

/// Maximum number of games on the page with each kind of change.
const MAX_GAMES: usize = 100;

/// Maximum length of what differs that is kept in one line, in characters.
const MAX_SHORT: usize = 24;

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
    /// Where the game is in A and in B.
    places: [Option<String>; 2],
    board: Option<BoardView>,
}

#[derive(Debug)]
struct BoardView {
    title: String,
    drawn: String,
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
    /// Each number, with the group of rows that it counts.
    tiles: Vec<(Option<&'static str>, &'static str, String)>,
    has_boards: bool,
    groups: Vec<Group>,
}

/// The rows of a change.
struct Group {
    id: &'static str,
    title: &'static str,
    games: Vec<GameView>,
    more: u64,
    more_text: String,
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
        let groups = DifferenceKind::ALL.into_iter().zip(self.games).filter(|(_, games)| !games.is_empty());
        let group = |(change, games): (DifferenceKind, Vec<GameView>)| {
            let more = counts.of(change).saturating_sub(games.len() as u64);
            Group { id: change.as_str(), title: title(change), games, more, more_text: thousands(more) }
        };
        let groups: Vec<Group> = groups.map(group).collect();
        let tile = |change: DifferenceKind| {
            let group = groups.iter().map(|group| group.id).find(|id| *id == change.as_str());
            (group, title(change), thousands(counts.of(change)))
        };
        let tiles = DifferenceKind::ALL.into_iter().filter(|change| counts.of(*change) > 0).map(tile);
        let view = DiffView {
            generator: GENERATOR,
            corpora: self.corpora,
            style: include_str!("report.css"),
            headline: difference_sentence(counts),
            tone: if counts.are_equal() { "good" } else { "info" },
            shared: SharedParts::new(),
            tiles: tiles.chain([(None, "Equal", thousands(counts.equal))]).collect(),
            has_boards,
            groups,
        };
        // Writing to a string cannot fail.
        view.render().unwrap_or_default()
    }
}

impl GameView {
    fn new(row: &ChangeRow<'_>, difference: &GameDifference<'_>) -> GameView {
        let label = if row.label.is_empty() { "Game without names".to_owned() } else { shown(row.label) };
        let places = row.place_in_each().map(|place| place.as_deref().map(shown));
        let board = if row.change == DifferenceKind::Moves { BoardView::new(difference) } else { None };
        GameView { label, detail: shown(&row.detail()), places, board }
    }

    /// Whether what differs is kept in one line, so that a result is not cut after its hyphen.
    fn stays_whole(&self) -> bool {
        self.detail.contains('-') && self.detail.chars().nth(MAX_SHORT).is_none()
    }
}

impl BoardView {
    /// The position in which two versions of a game part, with both moves.
    fn new(difference: &GameDifference<'_>) -> Option<BoardView> {
        let (a, b) = difference.a.zip(difference.b)?;
        let Parting { ply, before, .. } = Parting::of(a.card, b.card);
        let before = before?;
        let arrow = |card: &GameCard<'_>| Arrow::of(card.plies.get(ply - 1)?.played_in(&before)?);
        let marks = Marks {
            written: arrow(a.card).into_iter().collect(),
            repaired: arrow(b.card).into_iter().collect(),
            ..Marks::default()
        };
        let drawn = card_board(&Diagram::new(before.board().clone(), Some(before.turn()), marks));
        Some(BoardView { title: format!("Board before ply {ply}"), drawn })
    }
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
