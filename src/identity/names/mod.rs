//! Names of players: spellings, and which of them are those of one player.

pub(super) mod clusters;
pub(super) mod name;
pub(super) mod player;
pub(super) mod players;
pub(super) mod proposals;
pub(super) mod rating_list;
pub(super) mod same_names;
pub(super) mod sound;
pub(super) mod spelling;
