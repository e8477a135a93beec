//! The columns of the tables: their names, types and meanings.

use crate::{identity::KEPT_TAGS, pgn::KnownTag, record::Property};

/// What a column contains. Any column may have empty cells where [`Column::optional`] says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Text. It may look like a number or a date.
    Text,
    /// Several texts, with `; ` between them.
    List,
    /// One of a few words.
    Word(&'static [&'static str]),
    /// A number of 64 bits without a sign.
    Integer,
    /// A number with one decimal.
    Decimal,
    /// `true` or `false`.
    Boolean,
    /// A date, as in `2026-12-31`.
    Date,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name in the header.
    pub name: &'static str,
    /// The type of its values.
    pub kind: ColumnType,
    /// Whether cells may be empty.
    pub optional: bool,
    /// What its values mean.
    pub what: &'static str,
}

impl Column {
    const fn new(name: &'static str, kind: ColumnType, what: &'static str) -> Column {
        Column { name, kind, optional: false, what }
    }

    const fn or_empty(self) -> Column {
        Column { optional: true, ..self }
    }
}

const fn text(name: &'static str, what: &'static str) -> Column {
    Column::new(name, ColumnType::Text, what)
}

const fn integer(name: &'static str, what: &'static str) -> Column {
    Column::new(name, ColumnType::Integer, what)
}

const fn word(name: &'static str, words: &'static [&'static str], what: &'static str) -> Column {
    Column::new(name, ColumnType::Word(words), what)
}

/// The names of columns.
const fn names<const N: usize>(columns: &[Column; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = columns[at].name;
        at += 1;
    }
    names
}

const SEVERITIES: &[&str] = &["error", "warning", "info"];
const CERTAINTIES: &[&str] = &["certain", "likely"];

const RULE: Column = text("rule", "code of the rule that is broken");
const NAME: Column = text("name", "name of the rule");
const SEVERITY: Column =
    word("severity", SEVERITIES, "`error`: provable; `warning`: likely, or against the standard; `info`: style or a hint");
const INPUT: Column = text("input", "the input, as it was named or found");
const GAME: Column = integer("game", "the number of the game or position in its input");
const PLY: Column = integer("ply", "the ply, counted from 1").or_empty();
const VARIATION: Column = text(
    "variation",
    "the plies at which variations branch off, as in `33/37/`: a path to which the ply can be added; empty in the main line",
)
.or_empty();
const BYTE: Column = integer("byte", "the first byte at fault, counted from 0");
const END_BYTE: Column = integer("end_byte", "one past the last byte at fault");
const LINE: Column = integer("line", "the line, counted from 1");
const COLUMN: Column = integer("column", "the column in bytes, counted from 1");
const MESSAGE: Column = text("message", "the explanation");
const FINGERPRINT: Column =
    text("fingerprint", "the identity of the finding over time: it stays when other games or lines change");

/// The columns of all tables of findings.
pub const FINDING: [Column; 24] = [
    text("id", "the identity of the finding in this report: no other row of any table of findings has it"),
    RULE,
    NAME,
    SEVERITY,
    INPUT,
    LINE,
    COLUMN,
    BYTE,
    END_BYTE,
    GAME.or_empty(),
    PLY,
    VARIATION,
    text("move", "the move as written").or_empty(),
    text("found", "the text at fault").or_empty(),
    text("expected", "the correct text, if there is one").or_empty(),
    Column::new("alternatives", ColumnType::List, "the texts that may be meant, if there are several").or_empty(),
    text("cause", "code of the rule that the finding follows from, or of a hint").or_empty(),
    word("repair", CERTAINTIES, "`certain` or `likely` if `expected` is a repair").or_empty(),
    integer("repair_ply", "the ply that the repair changes, if it is not that of the finding").or_empty(),
    text("fen", "the position that the finding is about").or_empty(),
    text("game_label", "players, event and date of the game, for people").or_empty(),
    MESSAGE,
    Column::new("known", ColumnType::Boolean, "whether the finding is in the baseline"),
    FINGERPRINT,
];

/// The names of [`FINDING`].
pub const COLUMNS: [&str; 24] = names(&FINDING);

/// The further columns of `duplicates.csv`: the other record.
pub const PARTNER: [Column; 6] = [
    text("cluster", "a short name that all copies of one game share; empty if the two are not surely copies").or_empty(),
    text("partner_input", "the input of the other one").or_empty(),
    integer("partner_game", "its number there").or_empty(),
    integer("partner_line", "its first line").or_empty(),
    word(
        "keep",
        &["no", "check"],
        "`no`: it need not be kept, and its partner is the kept copy, or the nearest one; `check`: headers or moves \
         contradict, or one of the headers is wrong, so find out which is right",
    )
    .or_empty(),
    text("reason", "why the kept copy is better").or_empty(),
];

/// The names of [`PARTNER`].
pub const PARTNER_COLUMNS: [&str; 6] = names(&PARTNER);

/// The columns of `summary.csv`: a row for every rule and severity with findings, and one for every
/// other rule.
pub const SUMMARY: [Column; 12] = [
    RULE,
    NAME,
    SEVERITY,
    integer("findings", "number of findings; empty if the rule did not run").or_empty(),
    integer("places", "number of places: a finding that is reported once per input stands for several").or_empty(),
    integer("records", "number of games and positions with such a finding").or_empty(),
    integer("inputs", "number of inputs with such a finding").or_empty(),
    Column::new("per_million_records", ColumnType::Decimal, "places per million games and positions").or_empty(),
    text("first_input", "the input of the first finding").or_empty(),
    integer("first_line", "its line").or_empty(),
    integer("first_column", "its column").or_empty(),
    integer("first_game", "its game").or_empty(),
];

/// The columns of `inputs.csv`: a row for every input.
pub const INPUTS: [Column; 14] = [
    INPUT,
    word("format", &["pgn", "epd", "csv"], "what it was read as").or_empty(),
    integer("bytes", "bytes of the decompressed text"),
    text("digest", "`c` and the CRC-32 of that text, as in gzip and zip; empty if it was not read completely").or_empty(),
    text(
        "games_digest",
        "with `game_keys.csv`: equal in inputs with the same games, in any order, with any line ends and packing; empty if \
         there are none",
    )
    .or_empty(),
    integer("games", "number of games"),
    integer("positions", "number of position lines and rows of tables"),
    integer("plies", "plies that were replayed"),
    integer("plies_not_examined", "plies that follow a fault and could not be replayed"),
    integer("errors", "number of errors"),
    integer("warnings", "number of warnings"),
    integer("infos", "number of infos"),
    word(
        "status",
        &["clean", "findings", "failed", "not-chess", "own"],
        "`clean`: read, without findings; `findings`: with some; `failed`: not read completely; `not-chess`: a text without chess that a search has found; `own`: a file of a \
         clean corpus that a search has found, as `clean` wrote it; it is not read",
    ),
    Column::new("chess960", ColumnType::Boolean, "whether it was read as Chess960: most of its records are").or_empty(),
];

/// The columns of `game_keys.csv`: a row for every game. Two reports are compared by it.
pub const GAME_KEYS: [Column; 10] = [
    INPUT,
    integer("game", "its number there"),
    integer("line", "its first line, counted from 1"),
    text("White", VALUE_OF_TAG).or_empty(),
    text("Black", VALUE_OF_TAG).or_empty(),
    text("Date", VALUE_OF_TAG).or_empty(),
    text("Round", VALUE_OF_TAG).or_empty(),
    MOVES_KEY,
    CONTENT_DIGEST,
    text("online_id", "a digest of what identifies the game on a server: its address, or GameId").or_empty(),
];

/// The columns of `folded.csv`: a row for every finding that is counted on the line of another one.
pub const FOLDED: [Column; 2] = [
    text("fingerprint", "the fingerprint that the finding has if it is reported on a line of its own"),
    text("line_fingerprint", "the fingerprint of the finding that stands for it"),
];

/// The tags among [`GAME_KEYS`].
pub(crate) const GAME_KEYS_TAGS: [KnownTag; 4] = [KnownTag::White, KnownTag::Black, KnownTag::Date, KnownTag::Round];

/// The columns of `certificates.csv`: a row for each position line.
pub const CERTIFICATES: [Column; 8] = [
    INPUT,
    LINE,
    GAME,
    word(
        "verdict",
        &["legal", "illegal", "open"],
        "`legal`: a game in `proof_games.pgn` leads to the position; `illegal`: a rule proves that none does; `open`: neither",
    ),
    text("rule", "code of the rule that proves it").or_empty(),
    text("reason", "the proof, or why the auditor failed").or_empty(),
    integer("proof_game", "the number of the game in `proof_games.pgn`").or_empty(),
    integer("plies", "number of plies of that game").or_empty(),
];

/// The columns of `overlap.csv`: a row for each two inputs that share games.
pub const OVERLAP: [Column; 3] =
    [INPUT, text("other_input", "the other input"), integer("games", "number of games that both have")];

/// The columns of `players.csv`: a row for each name of a player, in all its spellings.
pub const PLAYERS: [Column; 12] = [
    text("name", "the words of the name; an `e` after `a`, `o` or `u` is left out"),
    Column::new("spellings", ColumnType::List, "how it is written, with the number of games, the most frequent first; up to 64"),
    integer("games", "number of games"),
    integer("first_year", "the year of its first game").or_empty(),
    integer("last_year", "the year of its last game").or_empty(),
    integer("lowest_rating", "its lowest rating").or_empty(),
    integer("highest_rating", "its highest rating").or_empty(),
    Column::new("fide_ids", ColumnType::List, "its ids, each after the word `FIDE`; up to 64").or_empty(),
    integer("inputs", "number of inputs"),
    Column::new("same_as", ColumnType::List, "other names of the same player").or_empty(),
    Column::new("evidence", ColumnType::List, "why, for each name in `same_as`").or_empty(),
    Column::new("may_be", ColumnType::List, "other names that may be those of the same player, although no games say so")
        .or_empty(),
];

/// The columns of `names.csv`: a row for each spelling of a name for which another one is proposed.
pub const NAMES: [Column; 9] = [
    text("name", "a spelling of the name of a player"),
    text(
        "main",
        "the spelling that is proposed instead: the commonest one of the player, if possible without a title or a country, and with a comma",
    ),
    word("decision", &["yes"], "`yes` if a person has decided so; then `clean --names` writes it").or_empty(),
    integer("games", "number of games with this spelling"),
    integer("first_year", "the year of its first game").or_empty(),
    integer("last_year", "the year of its last game").or_empty(),
    integer("lowest_rating", "its lowest rating").or_empty(),
    integer("highest_rating", "its highest rating").or_empty(),
    text("evidence", "why both are those of one player"),
];

/// The columns of `profile.csv`: a row for each value of each property that games have.
pub const PROFILE: [Column; 7] = [
    word("property", &Property::NAMES, "what the games are counted by"),
    text("value", "the value, or the range of values; `unknown` if the game does not say"),
    integer("games", "number of games"),
    integer("white_wins", "number of these that White won, by the tag Result"),
    integer("draws", "number of draws"),
    integer("black_wins", "number that Black won"),
    integer("other_results", "number with another result, or none"),
];

/// The columns of `failures.csv`: what the auditor could not do.
pub const FAILURES: [Column; 4] = [
    INPUT,
    text("stage", "what failed, such as `open`, `read` or `decompress`"),
    integer("byte", "the byte at which it failed, if it is known").or_empty(),
    text("message", "the reason"),
];

/// The columns of a list of repairs: a row for each place to change.
pub const REPAIRS: [Column; 13] = [
    INPUT,
    integer("input_bytes", "bytes of its text"),
    text("input_digest", "digest of its text"),
    BYTE,
    END_BYTE,
    text("old", "the bytes to replace, escaped as in a Rust byte string").or_empty(),
    text("new", "their replacement, escaped in the same way").or_empty(),
    word("repair", CERTAINTIES, "how certain the repair is"),
    RULE,
    GAME.or_empty(),
    PLY,
    VARIATION,
    FINGERPRINT,
];

/// The names of [`REPAIRS`].
pub const REPAIR_COLUMNS: [&str; 13] = names(&REPAIRS);

/// The columns of the table of bad records.
pub const SPLIT: [Column; 11] = [
    integer("bad_record", "the number of the record in the file of bad records").or_empty(),
    integer("bad_byte", "its first byte there"),
    INPUT,
    GAME.or_empty(),
    integer("byte", "its first byte in the input"),
    LINE.or_empty(),
    COLUMN.or_empty(),
    RULE.or_empty(),
    NAME.or_empty(),
    SEVERITY.or_empty(),
    MESSAGE,
];

/// The names of [`SPLIT`].
pub const SPLIT_COLUMNS: [&str; 11] = names(&SPLIT);

/// The columns of a baseline.
pub const BASELINE: [Column; 8] = [
    FINGERPRINT,
    RULE,
    NAME,
    INPUT,
    text("game_label", "players, event and date of the game, for people").or_empty(),
    MESSAGE,
    text("reason", "why it is accepted").or_empty(),
    Column::new("until", ColumnType::Date, "the last day on which it is accepted; empty: for ever").or_empty(),
];

/// The names of [`BASELINE`].
pub const BASELINE_COLUMNS: [&str; 8] = names(&BASELINE);

/// The first columns of `compare.csv`. Those of the finding follow.
pub const COMPARE: [Column; 2] = [
    word(
        "change",
        &["new", "gone", "changed", "known", "moved", "forgotten", "copied", "version"],
        "what happened to the finding; `known`: new, but in the baseline of the new audit; `moved`: its record was edited \
         elsewhere; `forgotten`: only the baseline of the old audit has it; `copied`: its input is a copy of another one; \
         `version`: new in an input that has not changed, because another version of the program wrote the report",
    ),
    word("severity_before", SEVERITIES, "its severity in the old report, if it changed").or_empty(),
];

/// The names of [`COMPARE`].
pub const COMPARE_COLUMNS: [&str; 2] = names(&COMPARE);

/// The columns of `compare_inputs.csv`.
pub const COMPARE_INPUTS: [Column; 9] = [
    word(
        "change",
        &["new", "gone", "empty", "smaller", "changed", "renamed", "repacked", "copied", "split", "joined"],
        "what happened to the input",
    ),
    INPUT,
    text("other_input", "the input that has the same text or games: it had them before, or has the old ones of this one now")
        .or_empty(),
    integer("records_before", "its games and positions in the old report; empty if it is not there").or_empty(),
    integer("records_after", "those in the new report").or_empty(),
    integer("games_removed", "games that are nowhere any more; empty if a report does not have the keys of its games").or_empty(),
    integer("games_changed", "games that were edited").or_empty(),
    integer("games_copied", "games that are there once more").or_empty(),
    integer("games_added", "games that were nowhere before").or_empty(),
];

/// The names of [`COMPARE_INPUTS`].
pub const COMPARE_INPUTS_COLUMNS: [&str; 9] = names(&COMPARE_INPUTS);

/// The columns of `compare_games.csv`: a row for each game that differs.
pub const COMPARE_GAMES: [Column; GAME_KEYS.len() + 1] = {
    let mut columns = [word(
        "change",
        &["removed", "changed", "copied", "added", "moved", "deduplicated"],
        "what happened to the game; `changed`: edited in its input; `copied`: there once more; `moved`: in another input; \
         `deduplicated`: there once less. Places of games that are not there any more are those in the old report",
    ); GAME_KEYS.len() + 1];
    let mut at = 0;
    while at < GAME_KEYS.len() {
        columns[at + 1] = GAME_KEYS[at];
        at += 1;
    }
    columns
};

/// The names of [`COMPARE_GAMES`].
pub const COMPARE_GAMES_COLUMNS: [&str; COMPARE_GAMES.len()] = names(&COMPARE_GAMES);

/// The columns of the history of nights: a row for each night, rule and severity with findings, and
/// one of totals for each night.
pub const HISTORY: [Column; 14] = [
    integer("night", "the number of the night, counted from 1; empty if it failed").or_empty(),
    Column::new("date", ColumnType::Date, "its date"),
    text("rule", "code of the rule; empty in the row of totals").or_empty(),
    word("severity", SEVERITIES, "the severity of the findings; empty in the row of totals").or_empty(),
    integer("findings", "number of findings; empty if the night failed").or_empty(),
    integer("known", "number of findings that are known").or_empty(),
    integer("records", "number of games and positions with such a finding").or_empty(),
    integer("inputs", "in the row of totals: number of inputs").or_empty(),
    integer("games", "in the row of totals: number of games").or_empty(),
    integer("positions", "in the row of totals: number of position lines and rows of tables").or_empty(),
    integer("bytes", "in the row of totals: bytes of the decompressed text").or_empty(),
    integer("new", "in the row of totals: findings that are new since the last report; empty if there was none").or_empty(),
    integer("lost", "in the row of totals: games and positions that inputs lost since then").or_empty(),
    word(
        "status",
        &["ok", "failed"],
        "`ok`: there is a report; `failed`: the audit failed, and this is all that is known of the night",
    )
    .or_empty(),
];

/// The names of [`HISTORY`].
pub const HISTORY_COLUMNS: [&str; 14] = names(&HISTORY);

/// The columns of `open.csv`: findings that are not open since the same night as most others.
pub const OPEN: [Column; 4] = [
    text("fingerprint", "the fingerprint of the finding"),
    integer("night", "the night since which it is open, or the last one in which the baseline had it"),
    Column::new("date", ColumnType::Date, "the date of that night"),
    word(
        "status",
        &["open", "known", "rest"],
        "`open`: since that night; `known`: the baseline had it before its game was edited; `rest`: about all open findings without a row",
    ),
];

/// The names of [`OPEN`].
pub const OPEN_COLUMNS: [&str; 4] = names(&OPEN);

/// The columns of `diff.csv`: a row for each game and kind of change.
pub const DIFF: [Column; 11] = [
    word(
        "change",
        &["only_in_a", "only_in_b", "moves", "result", "date", "names", "colours", "comments", "tags"],
        "what differs",
    ),
    text("input_a", "the input of the game in A").or_empty(),
    integer("game_a", "its number there").or_empty(),
    integer("line_a", "its first line").or_empty(),
    text("input_b", "the input of the game in B").or_empty(),
    integer("game_b", "its number there").or_empty(),
    integer("line_b", "its first line").or_empty(),
    integer("ply", "the first ply that differs").or_empty(),
    text("a", "the value in A").or_empty(),
    text("b", "the value in B").or_empty(),
    text("label", "players, event and date of the game, for people"),
];

/// The names of [`DIFF`].
pub const DIFF_COLUMNS: [&str; 11] = names(&DIFF);

/// The columns of a list of games before the tags.
const GAME_PLACE: [Column; 6] = [
    INPUT,
    integer("game", "its number there"),
    integer("line", "its first line, counted from 1"),
    integer("byte", "its first byte, counted from 0"),
    integer("end_byte", "one past its last byte"),
    integer("plies", "plies of the main line that could be replayed"),
];

/// The columns after the tags.
const GAME_LIST_KEYS: [Column; 8] = [
    text("start_key", "equal in games with the same first position"),
    MOVES_KEY,
    text("end_key", "equal in games with the same last position"),
    text("opening_key", "equal in games with the same position after 20 plies; empty in shorter ones").or_empty(),
    text("last_fen", "the last position; empty for variants").or_empty(),
    word(
        "worst_severity",
        &["error", "warning"],
        "the worst severity of its findings, as far as they do not depend on other games",
    )
    .or_empty(),
    CONTENT_DIGEST,
    text("ECO", "the code that the tag ECO begins with, such as `B90`").or_empty(),
];

const VALUE_OF_TAG: &str = "the value of the tag";
const MOVES_KEY: Column = text("moves_key", "equal in games with the same first position and moves");
const CONTENT_DIGEST: Column = text("digest", "equal in games with the same moves, tags and comments");

/// The names of [`game_columns`].
pub(crate) fn game_column_names() -> Vec<&'static str> {
    game_columns().iter().map(|column| column.name).collect()
}

/// The columns of a list of games: a row for each game.
pub(crate) fn game_columns() -> Vec<Column> {
    let tags = KEPT_TAGS.iter().map(|tag| text(tag.name(), VALUE_OF_TAG).or_empty());
    GAME_PLACE.into_iter().chain(tags).chain(GAME_LIST_KEYS).collect()
}
