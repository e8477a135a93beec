//! The columns of the CSV files.

use crate::identity::KEPT_TAGS;

/// The columns of all files of findings.
pub const COLUMNS: [&str; 20] = [
    "rule",
    "name",
    "severity",
    "input",
    "line",
    "column",
    "byte",
    "end_byte",
    "game",
    "ply",
    "variation",
    "move",
    "found",
    "expected",
    "cause",
    "repair",
    "fen",
    "game_label",
    "message",
    "fingerprint",
];

/// The further columns of `duplicates.csv`: the other record.
pub const PARTNER_COLUMNS: [&str; 6] = ["cluster", "partner_input", "partner_game", "partner_line", "keep", "reason"];

/// The columns of `summary.csv`.
pub const SUMMARY_COLUMNS: [&str; 11] = [
    "rule",
    "name",
    "severity",
    "findings",
    "records",
    "inputs",
    "per_million_records",
    "first_input",
    "first_line",
    "first_column",
    "first_game",
];

/// The columns of `inputs.csv`.
pub const INPUT_COLUMNS: [&str; 11] =
    ["input", "format", "bytes", "games", "positions", "plies", "plies_not_examined", "errors", "warnings", "infos", "status"];

/// The columns of `overlap.csv`: how many games two inputs have in common.
pub const OVERLAP_COLUMNS: [&str; 3] = ["input", "other_input", "games"];

/// The columns of `players.csv`: the names of players, each in all its spellings.
pub const PLAYER_COLUMNS: [&str; 11] = [
    "name",
    "spellings",
    "games",
    "first_year",
    "last_year",
    "lowest_rating",
    "highest_rating",
    "fide_ids",
    "inputs",
    "same_as",
    "evidence",
];

/// The columns of `failures.csv`.
pub const FAILURE_COLUMNS: [&str; 4] = ["input", "stage", "byte", "message"];

/// The columns of a list of repairs.
pub const REPAIR_COLUMNS: [&str; 13] = [
    "input",
    "input_bytes",
    "input_digest",
    "byte",
    "end_byte",
    "old",
    "new",
    "repair",
    "rule",
    "game",
    "ply",
    "variation",
    "fingerprint",
];

/// The columns of the table of bad records.
pub const SPLIT_COLUMNS: [&str; 11] =
    ["bad_record", "bad_byte", "input", "game", "byte", "line", "column", "rule", "name", "severity", "message"];

/// The columns before the tags.
const PLACE_COLUMNS: [&str; 6] = ["input", "game", "line", "byte", "end_byte", "plies"];

/// The columns after the tags. Equal values mean: the same first position; the same first position and moves; the same last
/// position; the same position after 20 plies; the same surnames of White and Black, in this order.
const KEY_COLUMNS: [&str; 4] = ["start_key", "moves_key", "end_key", "opening_key"];

/// The columns of a list of games.
pub(super) fn game_columns() -> Vec<&'static str> {
    let tags = KEPT_TAGS.iter().map(|tag| tag.name());
    PLACE_COLUMNS.into_iter().chain(tags).chain(KEY_COLUMNS).collect()
}
