//! Whether two games or positions are the same: what is kept of each, how two of them are compared, and how copies are found
//! among many.

mod answers;
mod batch;
mod card;
mod cards;
mod change;
mod clusters;
mod copies;
mod date;
mod differences;
mod distance;
mod games;
mod head;
mod id;
mod judge;
mod keep;
mod main_line;
mod name;
mod parting;
mod ply;
mod position_card;
mod positions;
mod round;
mod search;
mod speed;

pub use answers::{Conflict, Equality, compare_positions};
pub use batch::{CardBatch, CardBytes};
pub use card::{GameCard, GameKeys, GamePlace, GameTraits, KEPT_TAGS, OPENING_PLIES};
pub use change::{ChangedValues, GameChange, GameChanges, changes};
pub use copies::{Copies, NotCompared, Related};
pub use date::GameDate;
pub use differences::{Corpora, DifferenceCounts, Differences, GameDifference, GameVersion};
pub use distance::{MAX_DISTANCE, common_beginning, distance, has_same_plies};
pub use games::Games;
pub use id::{GameIdentifier, GameIds, IdKind};
pub use judge::{Certainty, Contradiction, Doubt, Field, Judgement, Subject, Verdict, judge, judge_subjects, may_be_versions};
pub use keep::{KeepReason, better_tags, compare_copies};
pub use main_line::{FirstPosition, MainLine};
pub use name::{PlayerName, pairing_key, pairing_keys};
pub use parting::Parting;
pub use ply::Ply;
pub use position_card::PositionCard;
pub use round::Round;
pub use search::{Hint, Shared, SurnameMemory, search_keys};
pub use speed::Speed;
