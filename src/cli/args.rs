//! What can be said on the command line.

use std::path::PathBuf;

use chess_audit::{
    pipeline::Settings,
    report::StreamFormat,
    rules::{Profile, Severity},
    table::ColumnName,
    text::Format,
};
use clap::{
    Args, Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use jiff::civil::Date;
use shakmaty::Square;

/// Audits chess corpora: replays PGN games, checks FEN and EPD positions, and says what is wrong, where and why
#[derive(Debug, Parser)]
#[command(name = "chess-audit", version, subcommand_required = true, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_parser = color())]
    pub color: anstream::ColorChoice,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Audit files, directories, globs, or - for standard input
    #[command(after_help = EXIT_CODES)]
    Check(Box<CheckArguments>),
    /// Explain one position: board, fields, material, what can be played, and everything that is wrong
    #[command(after_help = FEN_EXIT_CODES)]
    Fen(FenArguments),
    /// Write a copy of an input in which repairs that `check --repairs` has found are made, and no other byte is changed
    #[command(after_help = FIX_EXIT_CODES)]
    Fix(FixArguments),
    /// List the rules, or explain some
    Rules(RulesArguments),
    /// Say what is new, gone or changed between two reports
    #[command(after_help = COMPARE_EXIT_CODES)]
    Compare(CompareArguments),
    /// Keep the list of findings that are known already
    Baseline(BaselineArguments),
    /// Print the settings that are in force, and where each value comes from
    Settings(SettingsArguments),
    /// Write a settings file to start from, with everything that can be set
    Init(InitArguments),
    /// Print a script that completes commands and options, for a shell
    Completions(CompletionsArguments),
    /// Write man pages
    Man(ManArguments),
}

const COMPARE_EXIT_CODES: &str = "Exit codes: 0 nothing new at or above --fail-on, 1 something is new or has become worse, 2 a report \
                                  cannot be read, or the comparison cannot be written";

const EXIT_CODES: &str = "Exit codes: 0 nothing found at or above --fail-on, 1 something was found, 2 the audit itself failed \
                          (bad arguments, an input that cannot be read, a damaged archive, a report that cannot be written), \
                          130 interrupted";

const FIX_EXIT_CODES: &str = "Exit codes: 0 all repairs that were asked for were made, 1 some were left out because others change the \
                              same bytes, 2 nothing was written (bad arguments, the input has changed since it was audited, the \
                              output exists)";

const FEN_EXIT_CODES: &str = "Exit codes: 0 nothing found at or above --fail-on, 1 something was found, 2 bad arguments, nothing \
                              to read, or a file that cannot be written";

/// The arguments of `check`.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// Files, packed (zst, gz, bz2, xz, zip) or not; directories (searched for .pgn, .epd, .fen, .txt and their packed forms, and .zip),
    /// globs, or - for standard input
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Where the report goes; an earlier report there is replaced whole, anything else is left alone [default: chess-audit-report, or,
    /// where --format sends the findings to standard output, nowhere]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// pgn, epd: what to read the inputs as, instead of looking inside; csv, jsonl, sarif, github: print the findings to standard output
    /// in that form, and the summary to standard error; may be given once for each of the two
    #[arg(long = "format", value_name = "FORMAT", value_parser = format())]
    pub formats: Vec<AnyFormat>,

    /// What was found, as an object in JSON in place of the summary for people
    #[arg(long)]
    pub summary_json: bool,

    /// Read every input as a table (CSV, TSV), whose positions stand in this column: its name, or its number from 1; without this
    /// option a table is one whose header calls a column FEN
    #[arg(long, value_name = "COLUMN")]
    pub fen_column: Option<ColumnName>,

    /// Read every input as a table, and play the moves in this column (UCI or SAN) from the position of their row; without this
    /// option they stand in the column that the header calls Moves, UCI_Moves, Moves_UCI or PV, if there is one
    #[arg(long, value_name = "COLUMN")]
    pub moves_column: Option<ColumnName>,

    /// Audit the files and directories named in LIST, one in each line, - for standard input; lines that start with # are skipped
    #[arg(long, value_name = "LIST")]
    pub files_from: Vec<String>,

    /// Read every record as Chess960 or double Chess960, whatever its tags say
    #[arg(long)]
    pub chess960: bool,

    /// Take dates after DATE (YYYY-MM-DD) for wrong: no game is played in the future. Without this option no date lies in the future,
    /// so that a report does not depend on the day on which it is written
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub as_of: Option<Date>,

    /// What standard input is called in the report
    #[arg(long, value_name = "NAME")]
    pub stdin_name: Option<String>,

    /// What the settings file may say as well
    #[command(flatten)]
    pub choice: ChoiceArguments,

    /// Check counts of leaf nodes (`D3 8902`, `perft 3 8902`) down to this depth; 0: not at all
    #[arg(long, value_name = "PLIES", default_value_t = Settings::default().perft_depth)]
    pub perft_depth: u32,

    /// Hold ECO codes (TAG16, an info) against the classification of openings in FILE: Scid's .eco, or the table of Lichess (eco,
    /// name, pgn, separated by tabs)
    #[arg(long, value_name = "FILE")]
    pub eco: Option<PathBuf>,

    /// Ask about every position that the moves of a game reach, variations included, as if it stood in a file of positions; takes
    /// several times as long. What legal moves reach is legal: this finds false rules, and what follows from a false start position
    #[arg(long)]
    pub exhaustive: bool,

    /// Write the repairs of what was found to FILE, byte by byte, for `chess-audit fix`; inputs that are no files have none
    #[arg(long, value_name = "FILE")]
    pub repairs: Option<PathBuf>,

    /// At most so many findings of each rule in report.html, the first ones of every input
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub html_rows: u64,

    /// Write no report.html
    #[arg(long, conflicts_with = "html_rows")]
    pub no_html: bool,

    /// Worker threads; 0: one for each processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,

    /// Read files instead of mapping them into memory: for files that others write to during the audit (a mapped file that is cut
    /// short ends the program), and for slow network file systems
    #[arg(long)]
    pub no_mmap: bool,

    /// Bytes in a chunk; the result is the same for every size
    #[arg(long, value_name = "BYTES", hide = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub chunk_size: Option<u64>,

    /// Say nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// What the settings file may say as well; the command line counts before it.
#[derive(Args, Debug, Default)]
pub struct ChoiceArguments {
    /// The settings file, instead of the chess-audit.toml found in the working directory or above it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Read no settings file
    #[arg(long, conflicts_with = "config")]
    pub no_config: bool,

    /// Show only these rules (codes, names or families), whatever their severity; may be given several times
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub select: Vec<String>,

    /// Leave out these rules (codes, names or families); may be given several times
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub ignore: Vec<String>,

    /// Which findings to show: standard: errors and warnings; strict: infos as well; export: strict, and the layout of PGN export
    /// format; problem: for composed positions, without the rules about what a game can reach [default: standard]
    #[arg(long, value_name = "PROFILE", value_parser = profile())]
    pub profile: Option<Profile>,

    /// From which severity on findings make the exit code 1 [default: error]
    #[arg(long, value_name = "SEVERITY", value_parser = fail_on())]
    pub fail_on: Option<FailOn>,

    /// At most so many rows for each rule and input; counts stay exact
    #[arg(long, value_name = "N")]
    pub max_rows: Option<u64>,

    /// Findings that are known already: a table with their fingerprints, or an earlier report; they are quantity, but fail no run
    #[arg(long, value_name = "REPORT_OR_CSV")]
    pub baseline: Option<PathBuf>,
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

    /// Where compare.csv and compare.md go; without this option the text is printed
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// From which severity on new findings make the exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = Severity::Error.as_str(), value_parser = fail_on())]
    pub fail_on: FailOn,
}

/// The arguments of `baseline`.
#[derive(Args, Debug)]
pub struct BaselineArguments {
    /// What to do
    #[command(subcommand)]
    pub command: BaselineCommand,
}

/// The file that a baseline is kept in, unless another one is named.
const BASELINE_FILE: &str = "chess-audit-baseline.csv";

/// What to do with a baseline.
#[derive(Debug, Subcommand)]
pub enum BaselineCommand {
    /// Add the findings of a report; what is in the file already keeps its reason and its date, unless it has expired
    Write {
        /// The report, or one of its tables
        #[arg(value_name = "REPORT")]
        report: PathBuf,
        /// The baseline
        #[arg(short = 'o', long = "output", value_name = "FILE", default_value = BASELINE_FILE)]
        file: PathBuf,
        /// Why the findings are let pass
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
        /// The last day on which they are let pass, as 2026-12-31
        #[arg(long, value_name = "DATE", value_parser = date)]
        until: Option<Date>,
        /// Only findings of these rules (codes, names or families)
        #[arg(long, value_name = "RULES", value_delimiter = ',')]
        select: Vec<String>,
    },
    /// Take out what a report no longer finds, and what has expired
    Prune {
        /// The report
        #[arg(value_name = "REPORT")]
        report: PathBuf,
        /// The baseline
        #[arg(short = 'o', long = "output", value_name = "FILE", default_value = BASELINE_FILE)]
        file: PathBuf,
        /// The day that counts as today
        #[arg(long, value_name = "DATE", value_parser = date)]
        as_of: Option<Date>,
    },
}

/// The arguments of `settings`.
#[derive(Args, Debug)]
pub struct SettingsArguments {
    /// As for `check`
    #[command(flatten)]
    pub choice: ChoiceArguments,
}

/// The arguments of `init`.
#[derive(Args, Debug)]
pub struct InitArguments {
    /// Where the file goes
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
    /// Where the pages go
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// The arguments of `fen`.
#[derive(Args, Debug)]
pub struct FenArguments {
    /// A FEN, a piece placement alone, or an EPD line with its operations, quoted or not; - for lines from standard input, each of
    /// which is explained
    #[arg(value_name = "FEN", required = true, allow_negative_numbers = true)]
    pub words: Vec<String>,

    /// Say only what stands on this square, in any case; may be given several times
    #[arg(long, value_name = "SQUARE", value_delimiter = ',', value_parser = square, conflicts_with = "json")]
    pub at: Vec<Square>,

    /// Draw the board with letters instead of chess symbols
    #[arg(long)]
    pub ascii: bool,

    /// Draw the board with Black at the bottom
    #[arg(long)]
    pub flip: bool,

    /// Draw the board as SVG into FILE; - for standard output, where nothing else is printed then
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// For machines: an object with everything; for lines from standard input one object in each line
    #[arg(long)]
    pub json: bool,

    /// Take the position as one of Chess960
    #[arg(long)]
    pub chess960: bool,

    /// From which severity on findings make the exit code 1
    #[arg(long, value_name = "SEVERITY", default_value = Severity::Error.as_str(), value_parser = fail_on())]
    pub fail_on: FailOn,
}

/// The arguments of `fix`.
#[derive(Args, Debug)]
pub struct FixArguments {
    /// The input, just as it was audited
    #[arg(value_name = "INPUT")]
    pub input: PathBuf,

    /// The list of repairs that `check --repairs` has written
    #[arg(long, value_name = "FILE", required = true)]
    pub repairs: PathBuf,

    /// Where the copy goes
    #[arg(short, long, value_name = "OUT", required = true)]
    pub output: PathBuf,

    /// Make the repairs that are only likely as well
    #[arg(long)]
    pub likely: bool,

    /// Replace what stands at OUT
    #[arg(long)]
    pub force: bool,

    /// Say nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// The arguments of `rules`.
#[derive(Args, Debug)]
pub struct RulesArguments {
    /// Rules to explain: codes, names or families
    #[arg(value_name = "CODE")]
    pub words: Vec<String>,

    /// For machines: an array of objects
    #[arg(long)]
    pub json: bool,
}

/// From which severity on findings make the exit code 1; `None`: never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailOn(pub Option<Severity>);

impl FailOn {
    /// The word for never.
    const NEVER: &str = "never";

    /// The word on the command line and in the settings file.
    pub fn as_str(self) -> &'static str {
        self.0.map_or(FailOn::NEVER, Severity::as_str)
    }

    /// What a word means.
    ///
    /// # Errors
    /// When it means nothing; the error lists the words.
    pub fn from_word(word: &str) -> Result<FailOn, String> {
        let known = fail_on_words();
        known.iter().find(|(known, _)| *known == word).map(|(_, fail_on)| *fail_on).ok_or_else(|| {
            let words: Vec<String> = known.iter().map(|(word, _)| format!("`{word}`")).collect();
            format!("`{word}` is no severity; there are {}", words.join(", "))
        })
    }
}

/// A form in which inputs are read, or findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyFormat {
    /// How inputs are read.
    Input(Format),
    /// How findings are printed.
    Stream(StreamFormat),
}

/// One of a few words.
fn word_of<T: Clone + Send + Sync + 'static>(words: Vec<(&'static str, T)>, otherwise: T) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words.iter().map(|(word, _)| *word)).map(move |given| {
        // The parser before this one lets nothing else pass.
        words.iter().find(|(word, _)| *word == given).map_or_else(|| otherwise.clone(), |(_, value)| value.clone())
    })
}

fn format() -> impl TypedValueParser<Value = AnyFormat> {
    let inputs = [Format::Pgn, Format::Epd].map(|format| (format.as_str(), AnyFormat::Input(format)));
    let streams = StreamFormat::ALL.map(|format| (format.as_str(), AnyFormat::Stream(format)));
    word_of(inputs.into_iter().chain(streams).collect(), AnyFormat::Input(Format::Pgn))
}

fn profile() -> impl TypedValueParser<Value = Profile> {
    word_of(Profile::ALL.map(|profile| (profile.as_str(), profile)).to_vec(), Profile::default())
}

fn fail_on() -> impl TypedValueParser<Value = FailOn> {
    word_of(fail_on_words(), FailOn(Some(Severity::Error)))
}

fn fail_on_words() -> Vec<(&'static str, FailOn)> {
    let severities = Severity::ALL.map(|severity| (severity.as_str(), FailOn(Some(severity))));
    severities.into_iter().chain([(FailOn::NEVER, FailOn(None))]).collect()
}

fn date(text: &str) -> Result<Date, String> {
    text.trim().parse().map_err(|_| "a date is written as 2026-12-31".to_owned())
}

fn square(text: &str) -> Result<Square, String> {
    text.trim().to_ascii_lowercase().parse().map_err(|_| "squares are called a1 to h8".to_owned())
}

fn color() -> impl TypedValueParser<Value = anstream::ColorChoice> {
    use anstream::ColorChoice;
    let words = vec![("auto", ColorChoice::Auto), ("always", ColorChoice::Always), ("never", ColorChoice::Never)];
    word_of(words, ColorChoice::Auto)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn words_mean_what_they_say() -> Result<(), clap::Error> {
        let line = "chess-audit --color never check a --fail-on never --profile problem --format epd --select A,B --select C";
        let arguments = Arguments::try_parse_from(line.split(' '))?;
        assert_eq!(arguments.color, anstream::ColorChoice::Never);
        let Command::Check(check) = arguments.command else { panic!("another command") };
        assert_eq!(check.choice.fail_on, Some(FailOn(None)));
        assert_eq!(check.choice.profile, Some(Profile::Problem));
        assert_eq!(check.formats, [AnyFormat::Input(Format::Epd)]);
        assert_eq!(check.choice.select, ["A", "B", "C"]);
        Ok(())
    }
}
