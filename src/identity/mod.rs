//! Whether two games or positions are the same: what is kept of each, how two of them are compared,
//! and how copies are found among many.

mod answers;
mod candidate_keys;
mod candidates;
mod card;
mod card_batch;
mod card_head;
mod cards;
mod copies;
mod date;
mod distance;
mod divergence;
mod games;
mod group;
mod headers;
mod id;
mod judge;
mod kept_copy;
mod main_line;
mod matching;
mod member;
mod names;
mod numbered;
mod pairs;
mod player_in_game;
mod ply;
mod position_card;
mod positions;
mod record_keys;
mod relate;
mod representatives;
mod round;
mod speed;
mod version_change;

pub use answers::{Conflict, Equality, answer_arrows, compare_positions};
pub use candidate_keys::{Hint, NameMemory, Shared, pairings, search_keys};
pub use card::{CardUse, GameCard, GameKeys, GamePlace, GameTraits, KEPT_TAGS, OPENING_PLIES, ValuePlaces, unknown_value};
pub use card_batch::{CardBatch, CardBytes};
pub(crate) use card_head::content_key;
pub use copies::{Copies, KeptGame, Lists, Numbered, Related};
pub use date::GameDate;
pub use distance::{MAX_DISTANCE, Sketch, common_beginning, distance, has_same_plies, may_be_near};
pub use divergence::Parting;
pub use games::Games;
pub use group::NotCompared;
pub use headers::oddity::Oddity;
pub use id::{GameIds, ID_TAGS};
pub use judge::{Doubt, Field, Judgement, Relation, Subject, has_engine, judge_subjects, may_be_versions};
pub use kept_copy::{KeepReason, better_tags, compare_copies};
pub use main_line::{FirstPosition, MainLine};
pub use matching::{
    Corpora, DifferenceCounts, Differences, GameDifference, GameVersion, Group, IN_SECOND, Unmatched, join, matched,
};
pub use names::name::{PlayerName, pairing_key, pairing_keys};
pub use names::player::{MainSpelling, Player, PlayerSpelling, SameBecause};
pub use names::rating_list::{ListedPlayer, RatingList};
pub use names::same_names::SameNames;
pub use names::spelling::Spellings;
pub use ply::Ply;
pub use position_card::PositionCard;
pub use record_keys::RecordKeys;
pub use round::Round;
pub use speed::Speed;
pub use version_change::{ChangedValues, DifferenceKind, DifferenceKinds, changes};
