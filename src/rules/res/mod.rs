//! Results and game termination markers.

pub mod bad_marker;
pub mod dead_decisive;
pub mod extra_marker;
pub mod finished_but_star;
pub mod mate_result;
pub mod missing_marker;
mod spelling;
pub mod stalemate_result;
pub mod tag_marker_mismatch;

pub use spelling::{marker_of_token, result_of_tag};

use shakmaty::{Color, KnownOutcome, Outcome};

use super::{
    Span,
    facts::{Ending, MarkerKind, TagSection},
};
use crate::pgn::TagPair;

/// What a game states about its result: the Result tag, if it can be read, and the termination marker.
#[derive(Clone, Copy)]
struct Stated {
    tag: Option<(TagPair, MarkerKind)>,
    marker: Option<(Span, MarkerKind)>,
}

impl Stated {
    fn of(facts: &Ending<'_>) -> Stated {
        let tag = facts.tags.pair("Result").and_then(|pair| Some((pair, result_of_tag(pair.value.of(facts.text))?)));
        Stated { tag, marker: facts.marker.map(|marker| (marker.place, marker.kind)) }
    }

    /// Both statements, the marker first, each with its place.
    fn each(self) -> impl Iterator<Item = (Span, MarkerKind)> {
        self.marker.into_iter().chain(self.tag.map(|(pair, kind)| (pair.value, kind)))
    }

    /// The first statement against the `right` outcome; `None` where one of them agrees with it, for then they contradict
    /// each other, or where nobody names a score: `*` and a double forfeit are no claims about the board.
    fn against(self, right: KnownOutcome) -> Option<(Span, KnownOutcome)> {
        let claims = || self.each().filter_map(|(place, kind)| Some((place, kind.outcome()?.known()?)));
        if claims().any(|(_, claim)| claim == right) { None } else { claims().next() }
    }
}

/// How the Termination tag explains a result that the board does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Termination {
    /// Not at all.
    Unsaid,
    /// A flag fell.
    Time,
    /// An arbiter, a server or an adjudicator decided.
    Decided,
}

impl Termination {
    fn of(tags: &TagSection<'_>) -> Termination {
        let Some(value) = tags.value("Termination") else { return Termination::Unsaid };
        let value = value.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| memchr::memmem::find(&value, word.as_bytes()).is_some());
        if says(&["time", "flag", "clock"]) {
            Termination::Time
        } else if says(&[
            "forfeit",
            "infraction",
            "illegal",
            "adjudicat",
            "abandon",
            "disconnect",
            "disqualif",
            "penalt",
            "arbiter",
            "cheat",
            "fair play",
            "default",
            "death",
            "emergency",
            "walkover",
        ]) {
            Termination::Decided
        } else {
            Termination::Unsaid
        }
    }
}

/// What the final position says, where a move was played and the game is over by it.
fn outcome_on_board(facts: &Ending<'_>) -> Option<(KnownOutcome, Finished)> {
    use shakmaty::Position;
    let position = facts.position.filter(|_| facts.plies > 0)?;
    if !position.legal_moves().is_empty() {
        return position.is_insufficient_material().then_some((KnownOutcome::Draw, Finished::Dead));
    }
    Some(if position.is_check() {
        (KnownOutcome::Decisive { winner: !position.turn() }, Finished::Mate)
    } else {
        (KnownOutcome::Draw, Finished::Stalemate)
    })
}

/// How the final position ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finished {
    Mate,
    Stalemate,
    /// Neither side has the material to mate.
    Dead,
}

/// A side's name in messages.
const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The four standard markers.
fn standard(text: &[u8]) -> Option<Outcome> {
    match text {
        b"1-0" => Some(Outcome::Known(KnownOutcome::Decisive { winner: Color::White })),
        b"0-1" => Some(Outcome::Known(KnownOutcome::Decisive { winner: Color::Black })),
        b"1/2-1/2" => Some(Outcome::Known(KnownOutcome::Draw)),
        b"*" => Some(Outcome::Unknown),
        _ => None,
    }
}

/// The FEN of the final position.
fn final_fen(facts: &Ending<'_>) -> String {
    facts
        .position
        .map(|position| shakmaty::fen::Fen::from_position(position, shakmaty::EnPassantMode::Legal).to_string())
        .unwrap_or_default()
}
