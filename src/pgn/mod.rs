//! Reading PGN: tokens with their spans, tag pairs, and the boundaries of games.

pub(crate) mod boundary;
mod command;
mod eco;
mod evaluation;
mod game_time;
mod known_tag;
mod label;
mod lenient;
mod lexer;
mod limits;
mod line_end;
mod marker;
mod named_position;
mod result;
pub(crate) mod tags;
mod time_control;

pub(crate) use boundary::with_bom;
pub use boundary::{BOM, begins_line, follows_blank_line, guess_start, is_movetext, opens_event, opens_tag_pair};
pub use command::{Command, CommandKind, TimeFault, marks_are_well_formed, next_command, read_time};
pub use eco::{EcoBook, Opening};
pub use evaluation::{Elapsed, EngineRemark, EvalFault, Evaluation, read_engine_remark, read_evaluation};
pub(crate) use evaluation::{TCEC_FIELDS, TcecFields};
pub use game_time::GameTime;
pub use known_tag::KnownTag;
pub use label::{moves_of_line, movetext_after_label};
pub use lenient::plies_seen;
pub use lexer::{Lexer, Token, WordCounts, count_words, is_mostly_moves};
pub use limits::Limits;
pub(crate) use line_end::{line_end, nearby_line_end};
pub use marker::{Marker, MarkerKind};
pub(crate) use named_position::next_named_position;
pub(crate) use result::{is_only_points, standard_marker};
pub use result::{marker_of_token, result_of_tag};
pub use tags::{TagFault, TagPair, TagSection, WrittenTag, read_bare_tag, read_tag, tag_pairs};
pub(crate) use tags::{ends_with_tags, is_bughouse_tag, is_tag_of_other_game, read_plain_tag};
pub use time_control::{Period, Stage, TimeControl, minutes_to_seconds, periods};

/// Maximum number of characters in a line of movetext in export format (PGN standard 8.2.1).
pub const MAX_LINE: usize = 79;
