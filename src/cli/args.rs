//! The command-line arguments.

use std::{num::NonZeroUsize, path::PathBuf, sync::Arc};

use crate::{
    chess::Variant,
    edit::Step,
    identity::CardUse,
    pipeline::{CERTIFY_NODES, Options},
    report::StreamFormat,
    review::DiffFormat,
    rules::{Profile, Severity},
    table::ColumnName,
    text::Format,
};
use clap::{
    ArgGroup, Args, Parser, Subcommand,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use jiff::civil::Date;
use shakmaty::Square;

use crate::cli::settings::{file::Sources, offered::OfCommand};

/// Audit PGN, FEN and EPD files and report what is wrong
#[derive(Debug, Parser)]
#[command(
    name = "chess-audit",
    version,
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100,
    override_usage = "chess-audit [OPTIONS] <COMMAND>\n       chess-audit <PATH>...    the same as chess-audit check <PATH>...",
    after_long_help = EXAMPLES
)]
pub struct Arguments {
    /// The command to run
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_parser = color())]
    pub color: anstream::ColorChoice,
}

/// The command to run.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Audit files, directories, archives or standard input
    ///
    /// Each game is replayed and each position is checked. The findings are written to a report
    /// directory: CSV files, run.json, and report.html, a page to open in a browser.
    #[command(after_long_help = CHECK_AFTER_HELP)]
    Check(OfCommand<CheckArguments>),
    /// Audit on many machines: plan shards, and merge their parts
    ///
    /// `shards plan` divides the inputs into shards, `check --plan` audits one of them, and `shards
    /// merge` makes the report.
    Shards(OfCommand<ShardsArguments>),
    /// Explain a position: fields, material, moves and findings
    #[command(after_long_help = FEN_AFTER_HELP)]
    Fen(OfCommand<FenArguments>),
    /// Show a game of a file: its text, its findings, and their boards
    ///
    /// The findings are those that `check` reports for the game, as far as they do not depend on
    /// other games.
    #[command(after_long_help = SHOW_AFTER_HELP)]
    Show(OfCommand<ShowArguments>),
    /// Apply repairs found by `check --repairs`
    ///
    /// Only the bytes of the repairs are changed. Text in UTF-16 is converted to UTF-8. Choose one
    /// of --diff, --in-place and --output. Inputs without repairs are not written. Nothing is
    /// written if an input has changed since the audit.
    #[command(after_long_help = FIX_AFTER_HELP)]
    Fix(OfCommand<FixArguments>),
    /// Make one clean corpus of raw collections: repairs, copies out, bad records aside
    ///
    /// Without --output, the plan is printed, and nothing is written. With it, no input is changed:
    /// DIR gets the games, the copies and bad records that were moved out, and tables that say what
    /// was done with each byte. These steps are taken: certain repairs; tags that are unknown in a
    /// game and known in its copies; copies of a game that need not be kept; and bad records. The
    /// result is checked, and its report is in DIR/report.
    #[command(after_long_help = CLEAN_AFTER_HELP)]
    Clean(OfCommand<CleanArguments>),
    /// List the rules, or explain some of them
    #[command(after_long_help = RULES_AFTER_HELP)]
    Rules(OfCommand<RulesArguments>),
    /// Compare two reports: new, gone and changed findings, and lost records
    #[command(after_long_help = COMPARE_AFTER_HELP)]
    Compare(OfCommand<CompareArguments>),
    /// Audit every night, and say what is new since the last one
    ///
    /// The last reports and a history are kept in a directory, the store. What is printed is meant
    /// for mail: nothing, unless there are new findings or an input lost records. Every new finding
    /// matters, unless `fail-on` in the settings file sets a severity. The first night says what
    /// there is. If the audit fails, the last report stays, and the next night is compared with it.
    /// If the mail cannot be printed, the next night prints it first.
    #[command(after_long_help = NIGHTLY_AFTER_HELP)]
    Nightly(OfCommand<NightlyArguments>),
    /// Compare two corpora, game by game: added, removed and changed games
    ///
    /// A and B are files, directories, globs, archives, or - for standard input. Their games are
    /// matched by content, whatever their order, files and spelling are: spellings of moves and of
    /// names, whitespace and the order of tags do not matter.
    #[command(after_long_help = DIFF_AFTER_HELP)]
    Diff(OfCommand<DiffArguments>),
    /// Manage the baseline, a file of known findings
    ///
    /// Findings in the baseline are counted and reported, but they do not affect the exit code of
    /// `check`.
    #[command(after_long_help = BASELINE_AFTER_HELP)]
    Baseline(OfCommand<BaselineArguments>),
    /// Print what the outputs look like: a JSON Schema, or views for DuckDB
    #[command(after_long_help = SCHEMA_AFTER_HELP)]
    Schema(OfCommand<SchemaArguments>),
    /// Audit some built-in games and positions, and open the report
    ///
    /// They have faults of many kinds. The page is opened in a browser if standard output is a
    /// terminal. Otherwise its path is printed.
    Demo(OfCommand<DemoArguments>),
    /// Show the settings in effect and where each value comes from
    Settings(OfCommand<SettingsArguments>),
    /// Write a commented settings file, chess-audit.toml
    Init(OfCommand<InitArguments>),
    /// Print a completion script for a shell
    Completions(OfCommand<CompletionsArguments>),
    /// Write man pages
    Man(OfCommand<ManArguments>),
}

const EXAMPLES: &str = "\
Examples:
  chess-audit demo               Look at a report of built-in games
  chess-audit games.pgn          Audit a file and write a report
  chess-audit rules MOV03        Explain a rule
  chess-audit fen 'k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 30'
                                 Explain a position";

const CHECK_AFTER_HELP: &str = "\
Exit codes:
  0    No findings at or above --fail-on
  1    Findings at or above --fail-on
  2    The audit failed: invalid arguments, unreadable input, damaged archive,
       or the report could not be written
  130  Interrupted; 143 after SIGTERM, 129 after SIGHUP

Examples:
  Audit a file and write the report to chess-audit-report/:
    chess-audit check games.pgn

  Audit a directory, and fail on warnings too:
    chess-audit check corpus/ -o report --fail-on warning

  Run some rules only:
    chess-audit check --select MOV,CAS01 games.pgn

  Audit positions and solutions in a table:
    chess-audit check --fen-column FEN --moves-column Moves puzzles.csv

  Read standard input:
    producer | chess-audit check --stdin-name feed.pgn -

  Put the games with errors aside:
    chess-audit check games/ --good good.pgn --bad bad.pgn

  Annotate a pull request on GitHub with new findings:
    chess-audit check games/ --format github --baseline chess-audit-baseline.csv";

const PLAN_AFTER_HELP: &str = "\
Exit codes:
  0  The plan was written
  2  Invalid arguments, no input, or the plan could not be written

Examples:
  chess-audit shards plan games/ --target-size 256M -o games.plan
  seq $(grep -c '\"shard\":' games.plan) |
    xargs -P 8 -I {} chess-audit check --plan games.plan --shard {} -o parts --threads 1
  chess-audit shards merge games.plan parts -o report";

const MERGE_AFTER_HELP: &str = "\
Exit codes:
  0    No findings at or above --fail-on
  1    Findings at or above --fail-on
  2    A part is missing, damaged, or from another audit, or the audit failed
  130  Interrupted; 143 after SIGTERM, 129 after SIGHUP

Examples:
  chess-audit shards merge games.plan parts -o report
  chess-audit shards merge games.plan parts --dry-run";

const FEN_AFTER_HELP: &str = "\
Exit codes:
  0  No findings at or above --fail-on
  1  Findings at or above --fail-on
  2  Invalid arguments, no position, or a file could not be written

Examples:
  chess-audit fen 'k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 30'
  chess-audit fen --json - < positions.epd
  chess-audit fen --svg board.svg 'k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 30'";

const SHOW_AFTER_HELP: &str = "\
Exit codes:
  0  The game was shown, whatever was found
  2  Invalid arguments, or there is no game at this place

Examples:
  chess-audit show games.pgn:61201
  chess-audit show games.pgn:61201:14
  chess-audit show archive.zip/games.pgn.zst#12
  chess-audit show a.pgn:1 b.pgn:44            Compare two games as copies";

const FIX_AFTER_HELP: &str = "\
Exit codes:
  0    All selected repairs were applied or shown, or there are none
  1    Some repairs were skipped because they overlap others
  2    Invalid arguments, an input has changed since the audit, the output file
       exists, or a file could not be written
  130  Interrupted; 143 after SIGTERM, 129 after SIGHUP

Examples:
  List the repairs, look at them, and make them:
    chess-audit check games --repairs repairs.csv
    chess-audit fix --repairs repairs.csv --diff
    chess-audit fix --repairs repairs.csv --in-place --backup .bak

  Write copies of the files that have repairs of castling to fixed/games/:
    chess-audit fix games --repairs repairs.csv --select CAS -o fixed

  Repair one file:
    chess-audit fix games.pgn --repairs repairs.csv -o repaired.pgn";

const RULES_AFTER_HELP: &str = "\
Examples:
  chess-audit rules              List all rules
  chess-audit rules MOV          List the rules of a family
  chess-audit rules MOV03        Explain a rule
  chess-audit rules TAG --json   Print a family of rules as JSON";

const SCHEMA_AFTER_HELP: &str = "\
Examples:
  chess-audit schema finding           Print the schema of a line of `check --format jsonl`
  chess-audit schema --sql report      Print views of the tables of a report, with types
  chess-audit schema --sql report | duckdb -init /dev/stdin";

const COMPARE_AFTER_HELP: &str = "\
Exit codes:
  0  No new or worse findings at or above --fail-on
  1  New or worse findings at or above --fail-on, or lost records with --fail-on-loss
  2  A report could not be read or is damaged, or the comparison could not be written

Examples:
  chess-audit compare yesterday today
  chess-audit compare yesterday today -o changes --fail-on warning --fail-on-loss";

const NIGHTLY_AFTER_HELP: &str = "\
Exit codes:
  0    No new findings, and no records were lost
  1    New findings that are not in the baseline, or lost records, or mail of an earlier night;
       also if not all could be compared, because reports are gone or damaged
  2    The audit failed, and the last report is still there; or the mail could not be printed, or
       nothing be added to the history: then the next night does that
  130  Interrupted; 143 after SIGTERM, 129 after SIGHUP

Files in the store:
  reports/  The last reports, by number and date
  history.csv
            For each night, the findings of each rule, and the totals
  tonight/  The report of a night that failed, until the next one

Examples:
  chess-audit nightly games --store nights
  chess-audit nightly games --store nights --keep 90";

const CLEAN_AFTER_HELP: &str = "\
Exit codes:
  0    Nothing to do; with --output: done
  1    Something would change; with --output: done, and something is aside, was not read, or waits for
       a decision
  2    Invalid arguments, or the audit failed; nothing was written
  130  Interrupted, and nothing was written; 143 after SIGTERM, 129 after SIGHUP

Files in DIR:
  games/       What stays, in files with the paths of the inputs
  copies/      Copies that need not be kept; copies.csv says why
  aside/       Bad records, and text that belongs to none; aside.csv says why
  changes.csv  Each change: the input, the byte, what was there, what is there now, and why
  records.csv  Where each stretch of each input is now
  inputs.csv   What became of each input
  report/      The report of an audit of games/

Examples:
  Look at the plan, and then write the result:
    chess-audit clean base.pgn update.pgn
    chess-audit clean base.pgn update.pgn -o clean

  Only move bad records aside, and say why in each game:
    chess-audit clean games/ -o clean --steps aside --annotate";

const DIFF_AFTER_HELP: &str = "\
Changes:
  only_in_a  The game is only in A: it was removed
  only_in_b  The game is only in B: it was added
  moves      Both have the game, with other moves from ply `ply` on
  result     The tag Result, or the termination marker
  date       The tag Date
  names      A player has another name, not just another spelling
  colours    White and Black are swapped
  comments   Comments, glyphs or variations
  tags       Other tags; `a` and `b` show those that tell games apart

Each game and kind of change has a row with the columns change, input_a, game_a,
line_a, input_b, game_b, line_b, ply, a, b and label. A game that is there twice
in A and once in B is only_in_a once.

Exit codes:
  0    Both have the same games
  1    There are differences, with --only those that it shows
  2    An input could not be read completely, or the output could not be written
  130  Interrupted; 143 after SIGTERM, 129 after SIGHUP

Examples:
  chess-audit diff old.pgn new.pgn
  chess-audit diff old.pgn new.pgn --only new --new new-games.pgn
  chess-audit diff twic.zip database/ -o changes
  zstd -dc games.pgn.zst | chess-audit diff - games/ --format csv";

const BASELINE_AFTER_HELP: &str = "\
Examples:
  chess-audit check games/ -o report
  chess-audit baseline write report --reason 'known before the migration'
  chess-audit check games/ --baseline chess-audit-baseline.csv
  chess-audit baseline prune chess-audit-report";

/// Headings of the help of `check`.
const INPUT: &str = "Input";
const RULE_OPTIONS: &str = "Rules";
const ORACLES: &str = "Oracles";
const REPORT: &str = "Report";
const OUTPUT: &str = "Output";
const PERFORMANCE: &str = "Performance";
const SHARDS: &str = "Shards";
const NIGHTS: &str = "Nights";
const CLEANING: &str = "Cleaning";
const SPLIT: &str = "Good and bad records";

/// The inputs of an audit.
#[derive(Args, Debug)]
pub struct InputArguments {
    /// Files, directories, globs, archives, or - for standard input
    ///
    /// Files compressed as .zst, .gz, .bz2 or .xz are read like plain files, and each member of a
    /// .zip archive is an input. In directories and archives, .pgn, .epd, .fen and .txt files are
    /// read, compressed or not, and so are .zip archives.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Read input paths from LIST, one per line
    ///
    /// Each line is a file or a directory. Lines that start with # are ignored. Use - to read the
    /// list from standard input.
    #[arg(long, value_name = "LIST", help_heading = INPUT)]
    pub files_from: Vec<String>,

    /// Call standard input NAME in the report
    #[arg(long, value_name = "NAME", help_heading = INPUT, hide_short_help = true)]
    pub stdin_name: Option<String>,
}

/// The options with files that --force overwrites.
const FORCED: &str = "forced";

/// The arguments of `check`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new(FORCED).args(["repairs", "good", "games"]).multiple(true))]
pub struct CheckArguments {
    /// The inputs.
    #[command(flatten)]
    pub inputs: InputArguments,

    /// Audit one shard of PLAN, and write its part to the directory that --output names
    ///
    /// `shards plan` makes a plan, and `shards merge` makes a report of all parts. The exit code is
    /// 0 if there is a part now, whatever was found. If there was one already, nothing is done,
    /// unless an input could not be read. Give `--exclude` as for the plan, and `--format` and
    /// `--repairs` to `shards merge` only.
    #[arg(long, value_name = "PLAN", requires_all = ["shard", "output"], conflicts_with_all = ["paths", "files_from", "stdin_name", "repairs", "good"], help_heading = SHARDS, hide_short_help = true)]
    pub plan: Option<PathBuf>,

    /// The number of the shard, from 1
    #[arg(long, value_name = "K", requires = "plan", help_heading = SHARDS, hide_short_help = true)]
    pub shard: Option<usize>,

    /// Add the findings of each rule and the totals to FILE
    ///
    /// FILE is a table like the history of `nightly`. The date is that of --as-of, or of the
    /// variable SOURCE_DATE_EPOCH, or today by UTC. A failed audit is not added. Several audits at
    /// once can use the same FILE.
    #[arg(long, value_name = "FILE", conflicts_with = "plan", help_heading = REPORT, hide_short_help = true)]
    pub history: Option<PathBuf>,

    /// Where good and bad records are written.
    #[command(flatten)]
    pub split: SplitArguments,

    /// How the inputs are audited.
    #[command(flatten)]
    pub audit: AuditArguments,
}

/// Where good and bad records are written.
#[derive(Args, Debug)]
pub struct SplitArguments {
    /// Write the good records to FILE
    ///
    /// Each game, position or row is copied byte for byte, in order, to this file or to that of
    /// --bad. All inputs must be of one kind. Files are compressed as their names say. Text in
    /// UTF-16 is converted to UTF-8.
    #[arg(long, value_name = "FILE", requires = "bad", help_heading = SPLIT)]
    pub good: Option<PathBuf>,

    /// Write the bad records to FILE
    ///
    /// Text that belongs to no record, or was not checked, goes there too. A table of the bad
    /// records and their findings is next to it.
    #[arg(long, value_name = "FILE", requires = "good", help_heading = SPLIT)]
    pub bad: Option<PathBuf>,

    /// Choose what makes a record bad: severities and rules [default: error]
    ///
    /// A severity stands for findings of this severity or higher. RULES is a comma-separated list
    /// of codes, names or families, such as error,DUP. Known findings do not matter, nor do those
    /// that are not reported. Rules about copies move those that need not be kept.
    #[arg(long, value_name = "SEVERITY|RULES", value_delimiter = ',', requires = "good", help_heading = SPLIT, hide_short_help = true)]
    pub split_on: Vec<String>,

    /// Write the findings of each bad game into it, as a comment before its first move
    #[arg(long, requires = "good", help_heading = SPLIT, hide_short_help = true)]
    pub annotate: bool,
}

/// The arguments of `shards`.
#[derive(Args, Debug)]
pub struct ShardsArguments {
    /// The command to run
    #[command(subcommand)]
    pub command: ShardsCommand,
}

/// The subcommands of `shards`.
#[derive(Debug, Subcommand)]
pub enum ShardsCommand {
    /// Divide the inputs of an audit into shards
    ///
    /// The plan is a text file with a line for each shard. `check --plan` audits a shard, and
    /// `shards merge` makes the report. The inputs must be files that do not change until then:
    /// only another size is noticed. All commands find them under the same paths, which may be
    /// relative to the working directory.
    #[command(after_long_help = PLAN_AFTER_HELP)]
    Plan(OfCommand<PlanArguments>),
    /// Make a report of the parts of all shards
    ///
    /// The report and the exit code are those of one `check` of all inputs. Give the same options
    /// as for the shards; `--format` and `--repairs` are given here only. The inputs must be there
    /// under the same paths, because some shards may have to be checked again.
    #[command(after_long_help = MERGE_AFTER_HELP)]
    Merge(OfCommand<MergeArguments>),
    /// Print a script that audits the shards of a plan on Apache Spark
    ///
    /// The script is for PySpark, classic or Connect. Its first lines say how it is used.
    SparkJob,
}

/// The arguments of `shards plan`.
#[derive(Args, Debug)]
pub struct PlanArguments {
    /// The inputs.
    #[command(flatten)]
    pub inputs: InputArguments,

    /// Follow links to directories
    ///
    /// Otherwise, they are skipped and counted. A file with several names is read once.
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub follow: bool,

    /// Size of a shard in bytes; K, M and G stand for KiB, MiB and GiB
    ///
    /// Larger inputs are cut, and smaller ones are grouped. Zip archives, bzip2, xz, UTF-16 and
    /// gzip without blocks are never cut. Zstandard is cut between frames.
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size)]
    pub target_size: u64,

    /// Write the plan to FILE
    #[arg(short, long, value_name = "FILE", required = true)]
    pub output: PathBuf,

    /// Skip files and directories that match GLOB
    ///
    /// Give the same globs to `check` and `shards merge`. Repeat the option for more globs.
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    pub exclude: Vec<String>,

    /// Use this settings file
    ///
    /// By default, chess-audit looks for chess-audit.toml in the working directory and its parents.
    /// Only `exclude` matters for a plan.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Ignore all settings files
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
}

/// The arguments of `shards merge`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new(FORCED).args(["repairs", "games"]))]
pub struct MergeArguments {
    /// The plan
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,

    /// The directory with the parts of all shards
    #[arg(value_name = "DIR")]
    pub parts: PathBuf,

    /// List the shards that would be checked again, and write nothing
    ///
    /// A shard is checked again if the start of its first record was guessed wrong.
    #[arg(long, help_heading = SHARDS)]
    pub dry_run: bool,

    /// How the inputs were audited.
    #[command(flatten)]
    pub audit: AuditArguments,
}

/// A number of bytes, such as `256M`.
fn size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (text.get(..text.len() - 1), 10),
        Some(b'M' | b'm') => (text.get(..text.len() - 1), 20),
        Some(b'G' | b'g') => (text.get(..text.len() - 1), 30),
        _ => (Some(text), 0),
    };
    let number = digits.and_then(|digits| digits.parse::<u64>().ok()).filter(|number| *number > 0);
    let bytes = number.and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "expected a number of bytes, such as 256M".to_owned())
}

/// How inputs are audited, and what is reported.
#[derive(Args, Clone, Debug)]
pub struct AuditArguments {
    /// The directory of the inputs, if it is not that of the user's shell.
    #[arg(skip)]
    pub inputs_in: Option<PathBuf>,

    /// Where the options come from.
    #[arg(skip)]
    pub sources: Arc<Sources>,

    /// Follow links to directories
    ///
    /// Otherwise, they are skipped and counted. A file with several names is read once.
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub follow: bool,

    /// Read tables with positions in COLUMN
    ///
    /// COLUMN is a name or a number starting from 1. All inputs are then read as tables (CSV, TSV).
    /// Without this option, an input is a table if its header has a column named FEN, or if its
    /// rows have the same number of cells and contain positions or games.
    #[arg(long, value_name = "COLUMN", help_heading = INPUT)]
    pub fen_column: Option<ColumnName>,

    /// Read tables with moves in COLUMN
    ///
    /// COLUMN is a name or a number starting from 1. All inputs are then read as tables (CSV, TSV).
    /// The moves, in UCI or SAN, are played from the position in the same row, or from the starting
    /// position in tables without positions. Movetext with move numbers or comments is read like a
    /// PGN game. Without this option, a column of games is used if there is one, or one named
    /// Moves, UCI_Moves, Moves_UCI or PV.
    #[arg(long, value_name = "COLUMN", help_heading = INPUT)]
    pub moves_column: Option<ColumnName>,

    /// Read records without a Variant tag as NAME
    ///
    /// NAME is a value of the Variant tag, such as standard, crazyhouse or antichess. The value
    /// chess960 applies to all records, whatever their tags say, and covers double Chess960.
    /// Without this option, such games are standard chess, and position lines are Chess960 if most
    /// of them show it.
    #[arg(long, value_name = "NAME", value_parser = variant, help_heading = INPUT)]
    pub variant: Option<Variant>,

    /// Use this settings file
    ///
    /// By default, chess-audit looks for chess-audit.toml in the working directory and its parents.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Ignore all settings files
    #[arg(long, conflicts_with = "config", hide_short_help = true)]
    pub no_config: bool,

    /// Run only these rules
    ///
    /// RULES is a comma-separated list of codes, names or families, such as MOV,RES05. The rules
    /// run whatever the profile is.
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = RULE_OPTIONS)]
    pub select: Vec<String>,

    /// Skip files and directories that match GLOB
    ///
    /// This applies to files found in directories, in archives or by globs. A file that you name is
    /// always checked, but members of an archive that you name can be excluded. A glob without a
    /// slash matches names in any directory. Repeat the option for more globs.
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    pub exclude: Vec<String>,

    /// Do not run these rules
    ///
    /// RULES is a comma-separated list of codes, names or families.
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = RULE_OPTIONS)]
    pub ignore: Vec<String>,

    /// Choose a set of rules
    #[arg(long, value_name = "PROFILE", default_value = Profile::default().as_str(), value_parser = profile(), help_heading = RULE_OPTIONS)]
    pub profile: Profile,

    /// Read known findings from a baseline or a report
    ///
    /// Known findings are counted and reported, but they do not affect the exit code.
    #[arg(long, value_name = "PATH", help_heading = RULE_OPTIONS)]
    pub baseline: Option<PathBuf>,

    /// Exit with code 1 at or above this severity
    ///
    /// The exit code is 1 if there are findings of this severity or higher.
    #[arg(long, value_name = "SEVERITY", default_value = Severity::Error.as_str(), value_parser = fail_on(), help_heading = OUTPUT)]
    pub fail_on: FailOn,

    /// Report games with a date after DATE
    ///
    /// DATE is written as 2026-12-31. Without this option, no date counts as being in the future,
    /// so that a report does not depend on the day of the audit.
    #[arg(long, value_name = "DATE", value_parser = date, help_heading = RULE_OPTIONS)]
    pub as_of: Option<Date>,

    /// Compare ECO codes with the classification in FILE
    ///
    /// FILE is Scid's .eco file, or the tab-separated table of Lichess (eco, name, pgn). Rule
    /// TAG16, an info, runs only with this option.
    #[arg(long, value_name = "FILE", help_heading = RULE_OPTIONS, hide_short_help = true)]
    pub eco: Option<PathBuf>,

    /// The oracles.
    #[command(flatten)]
    pub oracles: OracleArguments,

    /// Options that the report repeats.
    #[command(flatten)]
    pub options: Options,

    /// Write the key of each game to game_keys.csv in the report
    ///
    /// `compare` then says which games were added, removed and changed. --duplicates and --games do
    /// the same.
    #[arg(long, help_heading = REPORT, hide_short_help = true)]
    pub game_keys: bool,

    /// Read other spellings of the names of players from FILE
    ///
    /// FILE is Scid's spelling.ssp, or another list in its format. All spellings of a name in it
    /// are one player. Games under another spelling than the first one are reported, in any
    /// profile. Implies --duplicates. Without this option, two names are one player only if they
    /// have games with equal moves against two or more opponents, or on one day of one event.
    #[arg(long, value_name = "FILE", help_heading = RULE_OPTIONS, hide_short_help = true)]
    pub spelling: Option<PathBuf>,

    /// Compare names and FIDE ids with FIDE's rating list in FILE
    ///
    /// FILE is the list as FIDE publishes it, unpacked: text or XML. A name that has nothing in
    /// common with the one that the list has for the id is reported (NAM04), and names.csv
    /// proposes the names of the list. Implies --duplicates.
    #[arg(long, value_name = "FILE", help_heading = RULE_OPTIONS, hide_short_help = true)]
    pub players: Option<PathBuf>,

    /// Write the report to DIR [default: chess-audit-report]
    ///
    /// A report in DIR is replaced as a whole. If DIR contains anything else, the exit code is 2
    /// and nothing changes. With --format, a report is written only if this option is given too.
    #[arg(short, long, value_name = "DIR", help_heading = REPORT)]
    pub output: Option<PathBuf>,

    /// Call the corpus NAME in report.html [default: the directory of all inputs]
    #[arg(long, value_name = "NAME", help_heading = REPORT, hide_short_help = true)]
    pub name: Option<String>,

    /// Write about SIZE bytes to report.html at most; K, M and G stand for KiB, MiB and GiB
    ///
    /// The page contains all findings if they fit: 20,000 to 50,000 in 10 MB. Otherwise it contains
    /// some of each rule, and of each input with errors, and every count says so. What it shows
    /// without JavaScript is never left out.
    #[arg(long, value_name = "SIZE", default_value = "10000000", value_parser = size, conflicts_with = "no_html", help_heading = REPORT, hide_short_help = true)]
    pub html_size: u64,

    /// Do not write report.html
    #[arg(long, help_heading = REPORT)]
    pub no_html: bool,

    /// Write repairs to FILE, for `chess-audit fix`
    ///
    /// There are repairs for files and for members of archives, but not for standard input. With -,
    /// the repairs go to standard output, and the summary to standard error.
    #[arg(long, value_name = "FILE", help_heading = REPORT)]
    pub repairs: Option<PathBuf>,

    /// Write a row for each game to FILE, with keys
    ///
    /// FILE is a CSV table of all games: where each is, its tags, and keys. Equal keys mean the
    /// same first position, the same moves, the same last position, or the same position after
    /// 20 plies.
    #[arg(long, value_name = "FILE", help_heading = REPORT)]
    pub games: Option<PathBuf>,

    /// Overwrite files that chess-audit did not write
    ///
    /// Otherwise, --repairs overwrites only a list of repairs, and --games a list of games. Only
    /// empty files are overwritten by --good and --bad. What the run reads is never overwritten.
    #[arg(long, requires = FORCED, help_heading = REPORT)]
    pub force: bool,

    /// Set the input format, or print findings
    ///
    /// pgn and epd set the format of all inputs; otherwise it is detected from the content. The
    /// others print the findings to standard output, and the summary to standard error. Use the
    /// option twice to do both.
    #[arg(long = "format", value_name = "FORMAT", value_parser = format(), help_heading = OUTPUT)]
    pub formats: Vec<AnyFormat>,

    /// Print nothing but errors
    #[arg(short, long, help_heading = OUTPUT)]
    pub quiet: bool,

    /// Use N worker threads; 0 for one per processor
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = PERFORMANCE)]
    pub threads: usize,

    /// Read files instead of mapping them into memory
    ///
    /// Use this for slow network file systems. The report is the same.
    #[arg(long, help_heading = PERFORMANCE, hide_short_help = true)]
    pub no_mmap: bool,

    /// Read chunks of this many bytes; the report is the same for every size
    #[arg(long, value_name = "BYTES", hide = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub chunk_size: Option<u64>,
}

/// What can say whether results and solutions are true.
#[derive(Args, Clone, Debug)]
pub struct OracleArguments {
    /// Compare results and solutions with the Syzygy tables in DIR
    ///
    /// DIR contains .rtbw and .rtbz files. Repeat the option for more directories. The rules TRU01
    /// to TRU10 and TRU15 run only with this option. They look at positions with as few pieces as
    /// the tables have: the final position of each game, positions with an announced mate, and the
    /// operations bm, am, dm, ce and pv. With --exhaustive, they look at all positions.
    #[arg(long, value_name = "DIR", help_heading = ORACLES)]
    pub syzygy: Vec<PathBuf>,

    /// Ask the UCI engine COMMAND about results, solutions and glyphs
    ///
    /// COMMAND is a program and its arguments, separated by spaces. The rules TRU11 to TRU14 run
    /// only with this option. They ask about the final positions of games that a side won, about
    /// bm, am and dm, and about moves marked ?? or !!. Answers are opinions, except for mates that
    /// are proven. Without --profile strict, only TRU12 runs, which is about dm: the others report
    /// infos.
    #[arg(long, value_name = "COMMAND", help_heading = ORACLES)]
    pub engine: Option<String>,

    /// Start up to N processes of the engine; 0 for one per worker thread
    ///
    /// There are never more processes than worker threads. The report is the same for any number.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = ORACLES, hide_short_help = true)]
    pub engine_processes: usize,

    /// How the engine is asked.
    #[command(flatten)]
    pub engine_settings: EngineArguments,
}

/// How an engine is asked.
#[derive(Args, Clone, Debug)]
pub struct EngineArguments {
    /// Search N nodes for each question
    #[arg(hide_short_help = true, long = "engine-nodes", value_name = "N", default_value_t = 100_000, help_heading = ORACLES,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,

    /// Give up a question after SECONDS
    ///
    /// The default is a minute, or more if a slow engine needs more for --engine-nodes. The process
    /// of the engine is then ended. After three failures, it gets no more questions.
    #[arg(hide_short_help = true, long = "engine-timeout", value_name = "SECONDS", help_heading = ORACLES,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,

    /// Set an option of the engine
    ///
    /// Threads, hash table and the number of lines are fixed, so that answers can be repeated.
    /// Repeat the option for more options.
    #[arg(hide_short_help = true, long = "engine-option", value_name = "NAME=VALUE", value_parser = engine_option, help_heading = ORACLES)]
    pub options: Vec<(String, String)>,

    /// Keep the answers of the engine in DIR
    ///
    /// The next audit needs the engine only for what is new. Several audits can use the same
    /// directory at the same time. By default, it is chess-audit/engine in the user's directory for
    /// caches.
    #[arg(hide_short_help = true, long = "engine-cache", value_name = "DIR", help_heading = ORACLES)]
    pub cache: Option<PathBuf>,
}

/// The arguments of `compare`.
#[derive(Args, Debug)]
pub struct CompareArguments {
    /// The earlier report
    #[arg(value_name = "OLD")]
    pub old: PathBuf,

    /// The later report
    #[arg(value_name = "NEW")]
    pub new: PathBuf,

    /// Write compare.csv, compare_inputs.csv, compare_games.csv and compare.md to DIR
    ///
    /// Without this option, the comparison is printed, see --format.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Overwrite files in DIR that chess-audit did not write
    #[arg(long, requires = "output")]
    pub force: bool,

    /// How to print the comparison
    #[arg(long, value_name = "FORMAT", default_value = DiffFormat::Markdown.as_str(), value_parser = compare_format(), conflicts_with = "output")]
    pub format: DiffFormat,

    /// List known findings, too
    ///
    /// A finding in the baseline of the later audit is known. It is not new, even if the earlier
    /// report does not have it.
    #[arg(long)]
    pub all: bool,

    /// Exit with code 1 at or above this severity
    ///
    /// The exit code is 1 if there are new or worse findings of this severity or higher that are
    /// not known.
    #[arg(long, value_name = "SEVERITY", default_value = Severity::Error.as_str(), value_parser = fail_on())]
    pub fail_on: FailOn,

    /// Exit with code 1 if records were lost
    ///
    /// An input has lost records if it has fewer games or positions than before, or is gone, and
    /// they are in no other input. If both reports were written with --game-keys, each game that is
    /// nowhere any more is lost.
    #[arg(long)]
    pub fail_on_loss: bool,
}

/// The arguments of `nightly`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new(FORCED).args(["repairs", "games"]))]
pub struct NightlyArguments {
    /// The inputs.
    #[command(flatten)]
    pub inputs: InputArguments,

    /// Keep reports and history in DIR
    ///
    /// DIR is created if its parent exists. Only one night at a time can use it. It may be moved
    /// between two nights.
    #[arg(long, value_name = "DIR", conflicts_with = "output", help_heading = NIGHTS)]
    pub store: PathBuf,

    /// Exit with code 1 and print mail as long as findings of earlier nights are open
    ///
    /// Without it, each finding is news once. Findings of the baseline do not count.
    #[arg(long, help_heading = NIGHTS)]
    pub fail_on_open: bool,

    /// Keep the last N reports
    ///
    /// The history has all nights.
    #[arg(long, value_name = "N", default_value = "30", help_heading = NIGHTS)]
    pub keep: NonZeroUsize,

    /// How the inputs are audited.
    #[command(flatten)]
    pub audit: AuditArguments,
}

impl AuditArguments {
    /// What all games are listed for, in files or so that reports can be compared game by game.
    pub const fn listed_games(&self) -> Option<CardUse> {
        match &self.games {
            Some(_) => Some(CardUse::List),
            None if self.game_keys || self.options.duplicates => Some(CardUse::Keys),
            None => None,
        }
    }
}

/// The arguments of `diff`.
#[derive(Args, Debug)]
pub struct DiffArguments {
    /// The first corpus: a file, a directory, a glob, an archive, or -
    #[arg(value_name = "A")]
    pub a: PathBuf,

    /// The second corpus
    #[arg(value_name = "B")]
    pub b: PathBuf,

    /// How to print the differences
    #[arg(long, value_name = "FORMAT", default_value = DiffFormat::default().as_str(), value_parser = diff_format())]
    pub format: DiffFormat,

    /// Write diff.csv, diff.md and diff.html to DIR
    ///
    /// diff.html is a table with boards to open. Without this option, the differences are printed.
    #[arg(short, long, value_name = "DIR", conflicts_with = "format")]
    pub output: Option<PathBuf>,

    /// Show only games of this kind; the exit code is about them, too
    #[arg(long, value_name = "KIND")]
    pub only: Option<OnlyGames>,

    /// Write the games that are only in B to FILE, byte for byte
    ///
    /// FILE is compressed as its name says. B is read twice, so it cannot be standard input.
    #[arg(long, value_name = "FILE")]
    pub new: Option<PathBuf>,

    /// Overwrite files that chess-audit did not write
    #[arg(long)]
    pub force: bool,

    /// Use N worker threads; 0 for one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
}

/// Which games `diff` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OnlyGames {
    /// Games that are only in B
    New,
    /// Games that are only in A
    Gone,
    /// Games that are in both, and differ
    Changed,
}

/// The arguments of `baseline`.
#[derive(Args, Debug)]
pub struct BaselineArguments {
    /// The command to run
    #[command(subcommand)]
    pub command: BaselineCommand,
}

/// The default baseline file.
const BASELINE_FILE: &str = "chess-audit-baseline.csv";

/// The subcommands of `baseline`.
#[derive(Debug, Subcommand)]
pub enum BaselineCommand {
    /// Add the findings of a report to the baseline
    ///
    /// Entries that are in the baseline already keep their reason and date. Expired entries are
    /// renewed.
    Write {
        /// The report, or one of its CSV files
        #[arg(value_name = "REPORT")]
        report: PathBuf,
        /// The baseline file
        #[arg(short = 'o', long = "output", value_name = "FILE", default_value = BASELINE_FILE)]
        file: PathBuf,
        /// Why the findings are accepted
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        reason: String,
        /// The last day the entries are valid, as 2026-12-31
        #[arg(long, value_name = "DATE", value_parser = date)]
        until: Option<Date>,
        /// Add only findings of these rules
        ///
        /// RULES is a comma-separated list of codes, names or families.
        #[arg(long, value_name = "RULES", value_delimiter = ',')]
        select: Vec<String>,
        /// Overwrite FILE if it has other columns than a baseline
        #[arg(long)]
        force: bool,
    },
    /// Let entries follow findings whose records were edited elsewhere
    ///
    /// A finding has another identity when any part of its record changes. `compare` calls it
    /// moved, but `check` does not know it any more. Reasons and dates of the entries stay.
    Update {
        /// The report before the records were edited
        #[arg(value_name = "OLD")]
        old: PathBuf,
        /// The report after that
        #[arg(value_name = "NEW")]
        new: PathBuf,
        /// The baseline file
        #[arg(short = 'o', long = "output", value_name = "FILE", default_value = BASELINE_FILE)]
        file: PathBuf,
        /// Overwrite FILE if it has other columns than a baseline
        #[arg(long)]
        force: bool,
    },
    /// Remove entries that are expired or not in the report any more
    Prune {
        /// The report
        #[arg(value_name = "REPORT")]
        report: PathBuf,
        /// The baseline file
        #[arg(short = 'o', long = "output", value_name = "FILE", default_value = BASELINE_FILE)]
        file: PathBuf,
        /// Use DATE instead of today to find expired entries
        #[arg(long, value_name = "DATE", value_parser = date)]
        as_of: Option<Date>,
        /// Overwrite FILE if it has other columns than a baseline
        #[arg(long)]
        force: bool,
    },
}

/// The arguments of `demo`.
#[derive(Args, Debug)]
pub struct DemoArguments {
    /// Write the games, the positions and the report to DIR [default: a temporary directory]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

/// The arguments of `settings`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new(FORCED).args(["repairs", "games"]))]
pub struct SettingsArguments {
    /// The same options as for `check`.
    #[command(flatten)]
    pub audit: AuditArguments,
}

/// The arguments of `init`.
#[derive(Args, Debug)]
pub struct InitArguments {
    /// The directory for the settings file
    #[arg(value_name = "DIR", default_value = ".")]
    pub directory: PathBuf,
}

/// The arguments of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// The arguments of `man`.
#[derive(Args, Debug)]
pub struct ManArguments {
    /// The directory for the man pages
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,

    /// Overwrite files with the same names that are not man pages of chess-audit
    #[arg(long)]
    pub force: bool,
}

/// The arguments of `fen`.
#[derive(Args, Debug)]
pub struct FenArguments {
    /// A FEN or an EPD line, quoted or not; - for lines from standard input
    ///
    /// The piece placement alone is enough. With -, each line of standard input is explained.
    #[arg(value_name = "FEN", required = true, allow_negative_numbers = true)]
    pub words: Vec<String>,

    /// Print only the piece on this square
    ///
    /// Use commas to give several squares.
    #[arg(long, value_name = "SQUARE", value_delimiter = ',', value_parser = square, conflicts_with = "json")]
    pub at: Vec<Square>,

    /// Draw the board with letters instead of chess symbols
    #[arg(long)]
    pub ascii: bool,

    /// Draw the board with Black at the bottom
    #[arg(long)]
    pub flip: bool,

    /// Draw the board as SVG into FILE
    ///
    /// With -, the SVG goes to standard output and nothing else is printed.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Overwrite the file of --svg if chess-audit did not write it
    #[arg(long, requires = "svg")]
    pub force: bool,

    /// Print the explanation as JSON
    ///
    /// Lines from standard input give one object per line.
    #[arg(long)]
    pub json: bool,

    /// Say whether the position can occur in a game of standard chess
    ///
    /// It is illegal if a rule proves that. It is legal if a game was found that leads to it, and
    /// the game is shown. Otherwise it is open. Counters do not matter. The search visits up to
    /// NODES nodes: 2 million if `--certify` is given alone, which takes about a second. A number
    /// follows an equals sign: `--certify=20000000`. It means the same in `check`.
    #[arg(
        long,
        value_name = "NODES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = CERTIFY_NODES,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub certify: Option<u64>,

    /// Read a record without a Variant tag as NAME, as in `check`
    #[arg(long, value_name = "NAME", value_parser = variant)]
    pub variant: Option<Variant>,

    /// Search long for captures that lead to the position
    ///
    /// Rule POS20 gives up after 20 million combinations of captures instead of 20,000. This takes
    /// seconds.
    #[arg(long)]
    pub deep: bool,

    /// Show what the Syzygy tables in DIR say about the position
    ///
    /// DIR contains .rtbw and .rtbz files. Repeat the option for more directories.
    #[arg(long, value_name = "DIR", help_heading = ORACLES)]
    pub syzygy: Vec<PathBuf>,

    /// Show what the UCI engine COMMAND thinks of the position
    ///
    /// COMMAND is a program and its arguments, separated by spaces.
    #[arg(long, value_name = "COMMAND", help_heading = ORACLES)]
    pub engine: Option<String>,

    /// How the engine is asked.
    #[command(flatten)]
    pub engine_settings: EngineArguments,

    /// Exit with code 1 at or above this severity
    ///
    /// The exit code is 1 if there are findings of this severity or higher.
    #[arg(long, value_name = "SEVERITY", default_value = Severity::Error.as_str(), value_parser = fail_on())]
    pub fail_on: FailOn,
}

/// The arguments of `show`.
#[derive(Args, Debug)]
pub struct ShowArguments {
    /// A place as in a report, FILE:LINE or FILE:LINE:COLUMN, or the ordinal of a game, FILE#GAME
    ///
    /// LINE is any line of the game. FILE can be compressed, or a member of an archive, as
    /// archive.zip/games.pgn. Instead of a game, a place can be a position or a row of a table.
    #[arg(value_name = "PLACE")]
    pub place: String,

    /// Another game, to compare both as copies
    ///
    /// Rules about copies say how the games are related, and which one is the better copy. Tags
    /// that differ are shown, and the positions in which the games part.
    #[arg(value_name = "OTHER")]
    pub other: Option<String>,

    /// Choose a set of rules [default: standard]
    #[arg(long, value_name = "PROFILE", value_parser = profile())]
    pub profile: Option<Profile>,

    /// Draw boards with letters instead of chess symbols
    #[arg(long)]
    pub ascii: bool,

    /// Draw boards with Black at the bottom
    #[arg(long)]
    pub flip: bool,

    /// Read a record without a Variant tag as NAME, as in `check`
    #[arg(long, value_name = "NAME", value_parser = variant)]
    pub variant: Option<Variant>,

    /// Use this settings file
    ///
    /// By default, chess-audit looks for chess-audit.toml in the working directory and its parents.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Ignore all settings files
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,
}

/// The arguments of `fix`.
#[derive(Args, Debug)]
pub struct FixArguments {
    /// Files, directories, globs or archives [default: all inputs in the list]
    ///
    /// A file is recognised by its content, so it may have another name than during the audit.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The list of repairs written by `check --repairs`
    #[arg(long, value_name = "LIST", required = true)]
    pub repairs: PathBuf,

    /// Print a unified diff and write nothing
    ///
    /// `patch -p0` applies it. Compressed files are shown decompressed, and cannot be patched. The
    /// exit code is 0 even if there are repairs.
    #[arg(long, conflicts_with_all = ["in_place", "output"])]
    pub diff: bool,

    /// Replace the files with their repaired text
    ///
    /// Each file is replaced in one step when its repaired text is complete. Permissions and owner
    /// are kept. A link stays, and the file that it refers to is replaced. Other hard links to a
    /// file keep the old text. Compressed files cannot be changed in place. Files that have their
    /// repairs already are left as they are, so a run that was killed can be run again.
    #[arg(long, conflicts_with = "output")]
    pub in_place: bool,

    /// Keep each original file under its name with this ending, such as .bak
    #[arg(long, value_name = "ENDING", requires = "in_place", value_parser = ending)]
    pub backup: Option<String>,

    /// Write repaired copies to OUT
    ///
    /// OUT is a file if PATH is a single file, unless OUT is a directory already or ends with a
    /// slash. Otherwise it is a directory, and the copies have the paths of the inputs there.
    /// Copies with names that end in .gz, .zst, .bz2 or .xz are compressed. Members of archives
    /// become files. With -, a copy goes to standard output, and the messages to standard error.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Apply likely repairs too, not only certain ones
    #[arg(long)]
    pub likely: bool,

    /// Apply only repairs of the findings in FILE, likely ones too
    ///
    /// FILE is a CSV file with a column `fingerprint`: report.html exports the repairs that were
    /// taken there.
    #[arg(long, value_name = "FILE")]
    pub only: Option<PathBuf>,

    /// Apply only repairs of these rules
    ///
    /// RULES is a comma-separated list of codes, names or families, such as MOV,RES05.
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub select: Vec<String>,

    /// Do not apply repairs of these rules
    ///
    /// RULES is a comma-separated list of codes, names or families.
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub ignore: Vec<String>,

    /// Overwrite copies that exist and are not empty
    #[arg(long, requires = "output")]
    pub force: bool,

    /// Print nothing but errors, and the diff
    #[arg(short, long)]
    pub quiet: bool,
}

/// The arguments of `clean`.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new(FORCED).args(["output", "into", "repairs", "games"]).multiple(true))]
pub struct CleanArguments {
    /// The inputs.
    #[command(flatten)]
    pub inputs: InputArguments,

    /// Write what stays to the one file FILE
    ///
    /// All inputs must be of one kind. They are written in the order in which they are named. What
    /// is moved out and the tables are next to FILE, such as all.aside.pgn and all.pgn.changes.csv
    /// for all.pgn. FILE is compressed as its name says.
    #[arg(long, value_name = "FILE", conflicts_with = "output", help_heading = REPORT)]
    pub into: Option<PathBuf>,

    /// Take only these steps
    ///
    /// They are taken in this order, whatever the order of the words.
    #[arg(long, value_name = "STEPS", value_enum, value_delimiter = ',', help_heading = CLEANING)]
    pub steps: Vec<Step>,

    /// Make likely repairs too, not only certain ones
    #[arg(long, help_heading = CLEANING)]
    pub likely: bool,

    /// Move versions of better games out, too, not only copies
    ///
    /// A version has other moves. It is moved if the headers do not contradict each other, and if
    /// there is a reason why the other game is better.
    #[arg(long, help_heading = CLEANING)]
    pub versions: bool,

    /// Rename players as names.csv says
    ///
    /// FILE is the names.csv of a report, or what its page exported: names with `yes` in the column
    /// `decision` are replaced by those in the column `main`. No other name is changed, except by
    /// --spelling.
    #[arg(long, value_name = "FILE", help_heading = CLEANING)]
    pub names: Option<PathBuf>,

    /// Follow decisions about copies that the page of a report exported
    ///
    /// FILE names both games of each pair by their content and places. So it fits the inputs of the
    /// report, and its games after repairs. Decisions that fit no pair, or contradict each
    /// other, are reported and change nothing.
    #[arg(long, value_name = "FILE", help_heading = CLEANING)]
    pub decisions: Option<PathBuf>,

    /// Choose what makes a record bad: severities and rules [default: error]
    ///
    /// A severity stands for findings of this severity or higher. RULES is a comma-separated list
    /// of codes, names or families. Known findings do not matter.
    #[arg(long, value_name = "SEVERITY|RULES", value_delimiter = ',', help_heading = CLEANING)]
    pub split_on: Vec<String>,

    /// Write the reasons into each game that is moved, as a comment before its first move
    #[arg(long, help_heading = CLEANING)]
    pub annotate: bool,

    /// How the inputs are audited.
    #[command(flatten)]
    pub audit: AuditArguments,
}

/// The arguments of `rules`.
#[derive(Args, Debug)]
pub struct RulesArguments {
    /// Rules to explain: codes or names. The rules of a family are listed, as in `rules MOV`
    #[arg(value_name = "CODE")]
    pub words: Vec<String>,

    /// Print the rules as JSON
    #[arg(long)]
    pub json: bool,
}

/// The arguments of `schema`.
#[derive(Args, Debug)]
pub struct SchemaArguments {
    /// The output to describe: run, finding, position, differences, or a table such as moves.csv
    #[arg(value_name = "OUTPUT")]
    pub name: Option<String>,

    /// Print views of the tables of a report, for DuckDB
    #[arg(long, value_name = "REPORT", conflicts_with = "name")]
    pub sql: Option<PathBuf>,

    /// Print a view of FILE too, a list of games that `check --games` has written
    #[arg(long, value_name = "FILE", requires = "sql")]
    pub games: Option<PathBuf>,
}

/// The lowest severity that makes the exit code 1; `None` for never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailOn(pub Option<Severity>);

impl FailOn {
    const NEVER: &str = "never";

    /// The value on the command line and in the settings file.
    pub fn as_str(self) -> &'static str {
        self.0.map_or(FailOn::NEVER, Severity::as_str)
    }

    fn all() -> Vec<FailOn> {
        Severity::ALL.into_iter().map(|severity| FailOn(Some(severity))).chain([FailOn(None)]).collect()
    }
}

/// A format of the inputs, or of printed findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyFormat {
    /// The format of the inputs.
    Input(Format),
    /// The format of printed findings.
    Stream(StreamFormat),
}

/// Parses one of a few values, each with its help text.
fn one_of<T: Clone + Send + Sync + 'static>(
    values: Vec<(&'static str, &'static str, T)>,
    fallback: T,
) -> impl TypedValueParser<Value = T> {
    let possible = values.iter().map(|(name, help, _)| match *help {
        "" => PossibleValue::new(*name),
        help => PossibleValue::new(*name).help(help),
    });
    PossibleValuesParser::new(possible.collect::<Vec<_>>()).map(move |given| {
        // `PossibleValuesParser` has rejected all other values.
        values.iter().find(|(name, ..)| *name == given).map_or_else(|| fallback.clone(), |(.., value)| value.clone())
    })
}

/// Reads an option of an engine, `NAME=VALUE`.
fn engine_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn format() -> impl TypedValueParser<Value = AnyFormat> {
    let input = |format: Format, help| (format.as_str(), help, AnyFormat::Input(format));
    let stream = |format: StreamFormat, help| (format.as_str(), help, AnyFormat::Stream(format));
    let values = vec![
        input(Format::Pgn, "Read all inputs as games"),
        input(Format::Epd, "Read all inputs as positions: FEN, or EPD with operations"),
        stream(StreamFormat::Csv, "Print findings as CSV, with the columns of the report"),
        stream(StreamFormat::Jsonl, "Print findings as JSON, one object per line"),
        stream(StreamFormat::Text, "Print findings for editors: file:line:column: error MOV01 message"),
        stream(StreamFormat::Sarif, "Print findings as SARIF 2.1.0"),
        stream(StreamFormat::Github, "Print findings as annotations for GitHub Actions"),
        stream(StreamFormat::Gitlab, "Print findings as a code quality report of GitLab"),
        stream(StreamFormat::Junit, "Print findings as failed tests in JUnit XML"),
    ];
    one_of(values, AnyFormat::Input(Format::Pgn))
}

fn compare_format() -> impl TypedValueParser<Value = DiffFormat> {
    let help = |format| match format {
        DiffFormat::Text => "Text for mail: files with new findings, the worst first",
        DiffFormat::Csv => "A table of all differences between findings",
        DiffFormat::Markdown => "Totals and the first findings",
        DiffFormat::Json => "One object",
    };
    one_of(DiffFormat::ALL.map(|format| (format.as_str(), help(format), format)).to_vec(), DiffFormat::Markdown)
}

fn diff_format() -> impl TypedValueParser<Value = DiffFormat> {
    let help = |format| match format {
        DiffFormat::Text => "Totals and a line for each change",
        DiffFormat::Csv => "A table",
        DiffFormat::Markdown => "Totals and the first changes",
        DiffFormat::Json => "One object",
    };
    one_of(DiffFormat::ALL.map(|format| (format.as_str(), help(format), format)).to_vec(), DiffFormat::default())
}

fn profile() -> impl TypedValueParser<Value = Profile> {
    let help = |profile| match profile {
        Profile::Standard => "Errors and warnings",
        Profile::Strict => "Errors, warnings and infos",
        Profile::Export => "As strict, and the layout of PGN export format",
        Profile::Problem => "For composed positions: as standard, without reachability rules",
    };
    one_of(Profile::ALL.map(|profile| (profile.as_str(), help(profile), profile)).to_vec(), Profile::default())
}

fn fail_on() -> impl TypedValueParser<Value = FailOn> {
    let values = FailOn::all().into_iter().map(|fail_on| (fail_on.as_str(), "", fail_on));
    one_of(values.collect(), FailOn(Some(Severity::Error)))
}

/// The ending of a backup.
fn ending(text: &str) -> Result<String, String> {
    let is_ending = !text.is_empty() && !text.contains(std::path::is_separator);
    if is_ending { Ok(text.to_owned()) } else { Err("expected an ending such as .bak".to_owned()) }
}

fn date(text: &str) -> Result<Date, String> {
    text.trim().parse().map_err(|_| "expected a date such as 2026-12-31".to_owned())
}

fn variant(name: &str) -> Result<Variant, String> {
    match Variant::named(name.as_bytes()) {
        Variant::Unknown => Err("not a supported variant; try standard, chess960, crazyhouse, atomic, antichess, horde, \
                                 three-check, king of the hill or racing kings"
            .to_owned()),
        variant => Ok(variant),
    }
}

fn square(text: &str) -> Result<Square, String> {
    text.trim().to_ascii_lowercase().parse().map_err(|_| "expected a square from a1 to h8".to_owned())
}

fn color() -> impl TypedValueParser<Value = anstream::ColorChoice> {
    use anstream::ColorChoice;
    let values = vec![("auto", "", ColorChoice::Auto), ("always", "", ColorChoice::Always), ("never", "", ColorChoice::Never)];
    one_of(values, ColorChoice::Auto)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn values_are_parsed() -> Result<(), clap::Error> {
        let line = "chess-audit --color never check a --fail-on never --profile problem --format epd --select A,B --select C";
        let arguments = Arguments::try_parse_from(line.split(' '))?;
        assert_eq!(arguments.color, anstream::ColorChoice::Never);
        let Command::Check(check) = arguments.command else { panic!("another command") };
        assert_eq!(check.audit.fail_on, FailOn(None));
        assert_eq!(check.audit.profile, Profile::Problem);
        assert_eq!(check.audit.formats, [AnyFormat::Input(Format::Epd)]);
        assert_eq!(check.audit.select, ["A", "B", "C"]);
        Ok(())
    }

    #[test]
    fn every_value_of_an_enum_can_be_given() {
        let parses = |option: &str, value: &str| Arguments::try_parse_from(["chess-audit", "check", "a", option, value]).is_ok();
        for format in StreamFormat::ALL {
            assert!(parses("--format", format.as_str()), "{format:?}");
        }
        for fail_on in FailOn::all() {
            assert!(parses("--fail-on", fail_on.as_str()), "{fail_on:?}");
        }
    }
}
