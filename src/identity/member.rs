//! A game that is compared with others that share a key.

use std::cell::OnceCell;

use super::{GameCard, Ply, SameNames, Sketch, Subject, may_be_versions};
use crate::pgn::KnownTag;

/// A game or a position: the place of its card, and its order among those with the same key.
pub(super) type Candidate = (u64, u64);

/// The key of the moves of a game, and its tags.
pub(super) type Content<'c, 'a> = (u64, &'c [(KnownTag, &'a str)]);

/// A game of a group.
pub(super) struct Member<'c, 'a> {
    /// The place of its card.
    pub at: u64,
    /// Its order among those with the same key.
    pub order: u64,
    /// The rank of its input.
    pub rank: u64,
    pub card: &'c GameCard<'a>,
    /// What its card says, read when it is needed.
    pub subject: OnceCell<Subject<'c, 'a>>,
    pub sketch: OnceCell<Sketch>,
}

impl<'c, 'a> Member<'c, 'a> {
    /// Its moves and its tags.
    pub fn content(&self) -> Content<'c, 'a> {
        (self.card.keys.moves, &self.card.tags)
    }

    pub fn subject(&self) -> &Subject<'c, 'a> {
        self.subject.get_or_init(|| Subject::new(self.card))
    }

    /// Whether White and Black have the same names in both games.
    pub fn has_names_of(&self, other: &Member<'c, 'a>) -> bool {
        let (one, other) = (self.subject(), other.subject());
        one.white.has_same_words(&other.white) && one.black.has_same_words(&other.black)
    }

    fn moves(&self) -> (&[Ply], Sketch) {
        (&self.card.plies, *self.sketch.get_or_init(|| Sketch::of(&self.card.plies)))
    }

    /// Whether the games may be versions of each other, or in one place of an event. Their players
    /// have surnames in common.
    pub fn may_be_related_to(&self, other: &Member<'c, 'a>, names: &SameNames) -> bool {
        let [date, other_date] = [self, other].map(|member| member.card.tag(KnownTag::Date));
        let are_on_one_day = !date.is_empty() && date == other_date && !date.contains('?');
        (are_on_one_day || may_be_versions(self.moves(), other.moves()))
            && self.subject().may_be_related_to(other.subject(), names)
    }
}
