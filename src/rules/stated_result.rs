//! What a game says about its result, and why it ended.

use shakmaty::{KnownOutcome, Outcome};

use super::{
    Certainty, Finding, Patch, Span,
    facts::{Ending, MarkerKind, TagSection},
};
use crate::pgn::{KnownTag, TagPair, result_of_tag};

/// The recorded result: the Result tag, if it can be read, and the termination marker.
#[derive(Clone, Copy)]
pub(in crate::rules) struct Stated {
    pub(in crate::rules) tag: Option<(TagPair, MarkerKind)>,
    pub(in crate::rules) marker: Option<(Span, MarkerKind)>,
}

impl Stated {
    pub(in crate::rules) fn of(facts: &Ending<'_>) -> Stated {
        let tag = facts.tags.pair(KnownTag::Result).and_then(|pair| Some((pair, result_of_tag(pair.value.of(facts.text))?)));
        Stated { tag, marker: facts.marker.map(|marker| (marker.place, marker.kind)) }
    }

    /// The marker and the tag, each with its place.
    pub(in crate::rules) fn each(self) -> impl Iterator<Item = (Span, MarkerKind)> {
        self.marker.into_iter().chain(self.tag.map(|(pair, kind)| (pair.value, kind)))
    }

    /// The first recorded outcome that is not `right`.
    ///
    /// `None` if one of the two agrees with `right`: then they contradict each other, which is
    /// RES04. `*` and a double forfeit name no outcome.
    pub(in crate::rules) fn contradicting(self, right: KnownOutcome) -> Option<(Span, KnownOutcome)> {
        let claims = || self.each().filter_map(|(place, kind)| Some((place, kind.outcome()?.known()?)));
        if claims().any(|(_, claim)| claim == right) { None } else { claims().next() }
    }

    /// Where a double forfeit is recorded, if neither of the two names another result.
    pub(in crate::rules) fn double_forfeit(self) -> Option<Span> {
        let is_other = |kind: MarkerKind| kind.outcome().is_some_and(Outcome::is_known);
        if self.each().any(|(_, kind)| is_other(kind)) {
            return None;
        }
        self.each().find(|(_, kind)| *kind == MarkerKind::DoubleForfeit).map(|(place, _)| place)
    }

    /// Repairs the finding: writes the likely result `right` wherever another one is recorded.
    pub(in crate::rules) fn replace_by(self, right: KnownOutcome, text: &[u8], finding: &mut Finding) {
        let right = Outcome::Known(right);
        for (place, _) in self.each().filter(|(_, kind)| *kind != MarkerKind::Standard(right)) {
            finding.repair(Certainty::Likely, Patch::replace(text, place, right.as_str()));
        }
    }
}

/// How the Termination tag explains a result that does not follow from the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Termination {
    /// It does not explain it, or there is no such tag.
    Unexplained,
    /// A flag fell.
    Time,
    /// An arbiter, a server or an adjudicator decided.
    Decision,
}

impl Termination {
    pub(in crate::rules) fn of(tags: &TagSection<'_>) -> Termination {
        tags.value(KnownTag::Termination).map_or(Termination::Unexplained, Termination::of_words)
    }

    /// What a tag or a comment says.
    pub(in crate::rules) fn of_words(words: &[u8]) -> Termination {
        let value = words.to_ascii_lowercase();
        let contains_one_of = |words: &[&str]| words.iter().any(|word| memchr::memmem::find(&value, word.as_bytes()).is_some());
        if contains_one_of(&["time", "flag", "clock"]) {
            Termination::Time
        } else if contains_one_of(&[
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
            "arrive",
            "show up",
        ]) {
            Termination::Decision
        } else {
            Termination::Unexplained
        }
    }
}
