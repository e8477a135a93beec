//! Plans: which shard audits what. A plan is a text file with an object in JSON in each line: a
//! header, and a line for each shard. Names of files may contain any character, so it is not CSV.

use std::{
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::PlanError;
use crate::{
    corpus::{Cuts, FoundInputs, Input, InputOrder, Packing, Skipped, Source},
    format::{OutputFile, output::is_empty_or_starts_with},
    pipeline::{Piece, PieceRange, Shard, WholeInput},
    text::{Bounded, Format, open_regular},
};

/// The version of the format of plans.
const PLAN_VERSION: u32 = 2;

/// How each plan starts.
const START: &str = "{\"plan\":";

/// Maximum size of a plan.
const MAX_PLAN_BYTES: u64 = 1 << 30;

/// What each shard of an audit does.
#[derive(Clone, Debug)]
pub struct Plan {
    path: PathBuf,
    header: Header,
    shards: Vec<PlannedShard>,
    /// The digest of the whole file.
    digest: String,
}

/// The first line of a plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header {
    /// The version of the format.
    plan: u32,
    /// The version of the program.
    version: String,
    target_size: u64,
    inputs: usize,
    shards: usize,
    /// The globs of files that were skipped.
    exclude: Vec<String>,
    /// Files that were skipped.
    skipped: Skipped,
    /// The order in which inputs were named.
    #[serde(default)]
    order: InputOrder,
    /// The digest of all other lines.
    xxh3: String,
}

/// Another line of a plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PlannedShard {
    shard: usize,
    inputs: Vec<PlannedInput>,
}

/// An input of a shard, or a piece of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct PlannedInput {
    name: String,
    /// The path, in hexadecimal, if it is not the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path_hex: Option<String>,
    /// Whether it was found by a search.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    searched: bool,
    /// The size of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    packing: Option<Packing>,
    /// The piece of the file, if it is not the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<[u64; 2]>,
}

/// Why a line is not JSON, without its number: each line is parsed on its own.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line 1 column ") {
        Some((reason, column)) => format!("{reason} at column {column}"),
        None => text,
    }
}

impl PlannedInput {
    fn of(input: &Input) -> Result<PlannedInput, PlanError> {
        let Source::File(path) = &input.source else { return Err(PlanError::NotAFile(input.name.clone())) };
        let path_hex = if path.to_str() == Some(&input.name) { None } else { Some(hex_of(path)?) };
        Ok(PlannedInput {
            name: input.name.clone(),
            path_hex,
            searched: input.scanned,
            size: input.size_on_disk(),
            ..PlannedInput::default()
        })
    }

    /// The end of the file.
    fn end(&self) -> u64 {
        self.size.unwrap_or_default()
    }

    /// The input, read in `format` if that is set.
    fn input(&self, format: Option<Format>) -> Result<Input, String> {
        let source = match &self.path_hex {
            Some(hex) => Source::File(path_of(hex).ok_or("`path_hex` is not a path")?),
            None => Source::File(PathBuf::from(&self.name)),
        };
        Ok(Input { name: self.name.clone(), source, format, scanned: self.searched })
    }
}

#[cfg(unix)]
fn hex_of(path: &Path) -> Result<String, PlanError> {
    use std::os::unix::ffi::OsStrExt;
    Ok(path.as_os_str().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(not(unix))]
fn hex_of(path: &Path) -> Result<String, PlanError> {
    let text = path.to_str().ok_or_else(|| PlanError::Name(path.display().to_string()))?;
    Ok(text.bytes().map(|byte| format!("{byte:02x}")).collect())
}

fn path_of(hex: &str) -> Option<PathBuf> {
    let digits = hex.as_bytes();
    let pairs = digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    let bytes: Vec<u8> = pairs.collect::<Option<_>>()?;
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
    }
    #[cfg(not(unix))]
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

impl Plan {
    /// Plans shards of about `target_size` bytes. Large inputs are cut, small ones are grouped. The
    /// plan depends only on the inputs in their order, their sizes, their first bytes and how they
    /// are compressed. `exclude` are the globs of files that were skipped.
    pub fn new(found: &FoundInputs, target_size: u64, exclude: &[String]) -> Result<Plan, PlanError> {
        let mut shards: Vec<Vec<PlannedInput>> = Vec::new();
        let mut group: Vec<PlannedInput> = Vec::new();
        let mut grouped = 0_u64;
        for input in &found.inputs {
            let planned = PlannedInput::of(input)?;
            if let Some(cuts) = input.cuts(target_size) {
                shards.extend((!group.is_empty()).then(|| std::mem::take(&mut group)));
                grouped = 0;
                shards.extend(pieces(&planned, &cuts).into_iter().map(|piece| vec![piece]));
                continue;
            }
            let size = planned.size.unwrap_or_default();
            if !group.is_empty() && grouped.saturating_add(size) > target_size {
                shards.push(std::mem::take(&mut group));
                grouped = 0;
            }
            grouped = grouped.saturating_add(size);
            group.push(planned);
        }
        shards.extend((!group.is_empty()).then_some(group));
        let shards: Vec<PlannedShard> = (1..).zip(shards).map(|(shard, inputs)| PlannedShard { shard, inputs }).collect();
        let header = Header {
            plan: PLAN_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            target_size,
            inputs: found.inputs.len(),
            shards: shards.len(),
            exclude: exclude.to_vec(),
            skipped: found.skipped,
            order: found.order.clone(),
            xxh3: String::new(),
        };
        Ok(Plan { path: PathBuf::new(), header, shards, digest: String::new() })
    }

    /// The number of shards.
    pub fn len(&self) -> usize {
        self.shards.len()
    }

    /// The order in which inputs were named.
    pub const fn order(&self) -> &InputOrder {
        &self.header.order
    }

    /// The number of inputs.
    pub const fn inputs(&self) -> usize {
        self.header.inputs
    }

    /// The sizes of all inputs.
    pub fn bytes(&self) -> u64 {
        let starts = |input: &&PlannedInput| input.bytes.is_none_or(|[from, _]| from == 0);
        self.shards.iter().flat_map(|shard| &shard.inputs).filter(starts).filter_map(|input| input.size).sum()
    }

    /// Files that were skipped when the plan was made.
    pub const fn skipped(&self) -> Skipped {
        self.header.skipped
    }

    /// The file of the plan; empty before it is written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The digest of the plan.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Fails if the search for inputs skipped other files than `exclude`.
    pub fn check_exclude(&self, exclude: &[String]) -> Result<(), PlanError> {
        if self.header.exclude == exclude { Ok(()) } else { Err(PlanError::Exclude { path: self.path.clone() }) }
    }

    /// Creates the file of a plan, or replaces an older plan.
    pub fn create(path: &Path) -> Result<OutputFile, PlanError> {
        if path.is_file() && !is_empty_or_starts_with(path, START) {
            return Err(PlanError::Foreign { path: path.to_owned() });
        }
        OutputFile::create(path).map_err(|source| PlanError::Write { path: path.to_owned(), source })
    }

    /// Writes the plan.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut lines = Vec::new();
        for shard in &self.shards {
            serde_json::to_writer(&mut lines, shard)?;
            lines.push(b'\n');
        }
        let header = Header { xxh3: format!("{:016x}", xxh3_64(&lines)), ..self.header.clone() };
        serde_json::to_writer(&mut *to, &header)?;
        to.write_all(b"\n")?;
        to.write_all(&lines)?;
        to.flush()
    }

    /// Reads a plan.
    pub fn read(path: &Path) -> Result<Plan, PlanError> {
        let refused = |source| PlanError::Read { path: path.to_owned(), source };
        let mut text = Vec::new();
        // Every shard reads the plan again, so it cannot be a pipe.
        let file = open_regular(path).map_err(refused)?;
        Bounded::new(file, "a plan", MAX_PLAN_BYTES).read_to_end(&mut text).map_err(refused)?;
        Plan::parse(path, &text)
    }

    fn parse(path: &Path, text: &[u8]) -> Result<Plan, PlanError> {
        let damaged = |line, reason: String| PlanError::Damaged { path: path.to_owned(), line, reason };
        let length = text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| end + 1);
        let (first, rest) = text.split_at(length);
        let header: Header = serde_json::from_slice(first).map_err(|error| damaged(1, reason(&error)))?;
        if header.plan != PLAN_VERSION || header.version != env!("CARGO_PKG_VERSION") {
            return Err(PlanError::Version { path: path.to_owned(), made_by: header.version });
        }
        if header.xxh3 != format!("{:016x}", xxh3_64(rest)) {
            return Err(damaged(1, "the digest of the other lines differs".to_owned()));
        }
        let mut shards: Vec<PlannedShard> = Vec::new();
        for (number, line) in (2..).zip(rest.split(|byte| *byte == b'\n').filter(|line| !line.is_empty())) {
            let shard: PlannedShard = serde_json::from_slice(line).map_err(|error| damaged(number, reason(&error)))?;
            if shard.shard != number - 1 || shard.inputs.is_empty() {
                return Err(damaged(number, format!("expected shard {}", number - 1)));
            }
            shards.push(shard);
        }
        if shards.len() != header.shards {
            return Err(damaged(1, format!("expected {} shards, found {}", header.shards, shards.len())));
        }
        let plan = Plan { path: path.to_owned(), header, shards, digest: format!("{:016x}", xxh3_64(text)) };
        plan.check_pieces()?;
        Ok(plan)
    }

    /// Checks that the pieces of each input follow each other.
    fn check_pieces(&self) -> Result<(), PlanError> {
        let mut before: Option<&PlannedInput> = None;
        let none = PlannedShard { shard: 0, inputs: Vec::new() };
        for (line, shard) in (2..).zip(self.shards.iter().chain([&none])) {
            let wrong = || PlanError::Damaged {
                path: self.path.clone(),
                line,
                reason: "the pieces of an input do not follow each other".to_owned(),
            };
            let piece = shard.inputs.iter().find(|input| input.bytes.is_some());
            let range = piece.and_then(|piece| piece.bytes);
            let expected = before.and_then(|before| before.bytes.filter(|[_, to]| *to < before.end()));
            let fits = match (expected, range) {
                (None, None) => true,
                (None, Some([from, to])) => from == 0 && from < to,
                (Some([_, end]), Some([from, to])) => {
                    from == end
                        && from < to
                        && before.zip(piece).is_some_and(|(before, piece)| before.name == piece.name && before.size == piece.size)
                }
                (Some(_), None) => false,
            };
            let is_alone = piece.is_none() || shard.inputs.len() == 1;
            let is_inside = piece.is_none_or(|piece| range.is_some_and(|[_, to]| to <= piece.end()));
            if !fits || !is_alone || !is_inside {
                return Err(wrong());
            }
            before = piece;
        }
        Ok(())
    }

    /// All inputs in their order.
    pub fn all_inputs(&self, format: Option<Format>) -> Result<Vec<Input>, PlanError> {
        let starts = |input: &&PlannedInput| input.bytes.is_none_or(|[from, _]| from == 0);
        let inputs = self.shards.iter().flat_map(|shard| &shard.inputs).filter(starts);
        inputs.map(|input| input.input(format).map_err(|reason| self.damaged(0, reason))).collect()
    }

    fn damaged(&self, index: usize, reason: String) -> PlanError {
        PlanError::Damaged { path: self.path.clone(), line: index + 2, reason }
    }

    /// The shards in their order. Inputs are read in `format` if it is set.
    pub fn shards(&self, format: Option<Format>) -> Result<Vec<Shard>, PlanError> {
        (0..self.shards.len()).map(|index| self.shard(index, format)).collect()
    }

    /// The shard `number`, from 1.
    pub fn shard_numbered(&self, number: usize, format: Option<Format>) -> Result<Shard, PlanError> {
        let no_shard = || PlanError::NoShard { path: self.path.clone(), number, shards: self.shards.len() };
        let index = number.checked_sub(1).filter(|index| *index < self.shards.len()).ok_or_else(no_shard)?;
        self.shard(index, format)
    }

    fn shard(&self, index: usize, format: Option<Format>) -> Result<Shard, PlanError> {
        let damaged = |reason: String| self.damaged(index, reason);
        let inputs = &self.shards.get(index).ok_or_else(|| damaged("there is no such shard".to_owned()))?.inputs;
        if let [piece] = &inputs[..]
            && let Some([from, to]) = piece.bytes
        {
            return Ok(Shard::Piece(Box::new(Piece {
                input: piece.input(format).map_err(damaged)?,
                packing: piece.packing,
                size: piece.size.unwrap_or_default(),
                range: PieceRange { from, to: (to < piece.end()).then_some(to) },
            })));
        }
        let whole = |planned: &PlannedInput| planned.input(format).map(|input| WholeInput { input, size: planned.size });
        inputs.iter().map(whole).collect::<Result<_, _>>().map(Shard::Inputs).map_err(damaged)
    }
}

/// The pieces of an input.
fn pieces(input: &PlannedInput, cuts: &Cuts) -> Vec<PlannedInput> {
    let mut from = 0;
    let mut pieces = Vec::new();
    for to in cuts.at.iter().copied().chain([cuts.size]) {
        pieces.push(PlannedInput { packing: cuts.packing, size: Some(cuts.size), bytes: Some([from, to]), ..input.clone() });
        from = to;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn input(path: &Path, name: &str) -> Input {
        Input { name: name.to_owned(), source: Source::File(path.join(name)), format: None, scanned: true }
    }

    #[test]
    fn small_inputs_are_grouped_and_large_ones_are_cut() -> Outcome {
        let home = tempfile::tempdir()?;
        for (name, length) in [("a.pgn", 10), ("b, \"c\".pgn", 10), ("d.pgn", 95), ("e.pgn", 10)] {
            std::fs::write(home.path().join(name), "[Event \"x\"]\n".repeat(9).get(..length).unwrap_or_default())?;
        }
        let inputs = ["a.pgn", "b, \"c\".pgn", "d.pgn", "e.pgn"].map(|name| input(home.path(), name)).to_vec();
        let plan = Plan::new(
            &FoundInputs { inputs, skipped: Skipped { hidden: 1, ..Skipped::default() }, ..FoundInputs::default() },
            40,
            &[],
        )?;
        let mut text = Vec::new();
        plan.write(&mut text)?;
        let path = home.path().join("plan");
        std::fs::write(&path, &text)?;
        let read = Plan::read(&path)?;
        assert_eq!((read.len(), read.inputs(), read.bytes(), read.skipped().hidden), (5, 4, 125, 1));
        let ranges: Vec<_> = read
            .shards(None)?
            .iter()
            .map(|shard| match shard {
                Shard::Inputs(inputs) => (inputs.len(), None),
                Shard::Piece(piece) => (1, Some((piece.range.from, piece.range.to))),
            })
            .collect();
        let expected = [(2, None), (1, Some((0, Some(31)))), (1, Some((31, Some(63)))), (1, Some((63, None))), (1, None)];
        assert_eq!(ranges, expected);
        assert!(matches!(read.shard_numbered(6, None), Err(PlanError::NoShard { .. })));
        assert!(matches!(read.check_exclude(&["x".to_owned()]), Err(PlanError::Exclude { .. })));
        let text = String::from_utf8(text)?;
        for damaged in [text.replace("[31,63]", "[32,63]"), text.replacen("0.1.0", "0.0.9", 1), text.lines().take(2).collect()] {
            std::fs::write(&path, damaged)?;
            assert!(Plan::read(&path).is_err());
        }
        Ok(())
    }
}
