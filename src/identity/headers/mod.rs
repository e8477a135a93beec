//! What headers of other games say against that of a game.

pub(super) mod event_names;
pub(super) mod fide_ids;
pub(super) mod oddities;
pub(super) mod oddity;
pub(super) mod ratings;
pub(super) mod rounds;
