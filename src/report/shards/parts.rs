//! The directory of parts. A part is a file of what a shard has read, and a manifest, which is
//! written last and contains the digest of the file.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, BufReader, BufWriter, Read, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::Xxh3;

use super::{PartError, Plan};
use crate::{
    format::{RunSettings, digest::Digesting, temporary::TemporaryFile},
    pipeline::{Known, Part, PartEnd},
    rules::RULES,
    text::open_regular,
};

/// The version of the format of manifests.
const MANIFEST_VERSION: u32 = 2;

/// Maximum size of a manifest.
const MAX_MANIFEST_BYTES: u64 = 16 << 20;

/// What the parts of one report have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartSettings {
    /// The settings that decide what is found.
    settings: BTreeMap<String, Value>,
    /// The digest of all rules.
    rules: String,
    /// The digest of the known findings.
    known: String,
    /// Number of examples of each rule.
    examples: u64,
}

/// Settings that only the report depends on, and the settings file, whose values are compared.
const OF_REPORT: [&str; 7] = ["max_rows", "fail_on", "name", "html_rows", "html_size", "except", "settings_file"];

impl PartSettings {
    /// What these settings have in common with others. `known` are the findings of the baseline.
    pub fn new(settings: &RunSettings, known: &Known) -> io::Result<PartSettings> {
        let Value::Object(all) = serde_json::to_value(settings)? else {
            return Err(io::Error::other("settings are not an object"));
        };
        let settings_of_audit = all.into_iter().filter(|(name, _)| !OF_REPORT.contains(&name.as_str())).collect();
        let mut digest = Xxh3::new();
        for fingerprint in known {
            digest.update(&fingerprint.to_le_bytes());
        }
        Ok(PartSettings {
            settings: settings_of_audit,
            rules: digest_of_rules(),
            known: if known.is_empty() { String::new() } else { format!("{:016x}", digest.digest()) },
            examples: settings.html_rows.unwrap_or(0),
        })
    }

    /// Why a part with the settings `part` cannot be merged with these settings, if it cannot.
    fn difference(&self, part: &PartSettings) -> Option<String> {
        if self.rules != part.rules {
            return Some("its rules differ; use the same program on all machines".to_owned());
        }
        let names = self.settings.keys().chain(part.settings.keys());
        let value = |settings: &BTreeMap<String, Value>, name: &String| settings.get(name).unwrap_or(&Value::Null).to_string();
        for name in names {
            let (own, others) = (value(&self.settings, name), value(&part.settings, name));
            if own != others {
                return Some(format!("the setting `{name}` was {others}, and is {own} here; give all commands the same options"));
            }
        }
        if self.examples > part.examples {
            return Some(
                "it was audited with `--no-html`, so report.html would lack examples; use `--no-html` here, too".to_owned(),
            );
        }
        if self.examples > 0 && !self.known.is_empty() && self.known != part.known {
            let advice = "give `check` and `shards merge` the same `--baseline`, or use `--no-html`";
            return Some(format!("the baseline differs, so report.html cannot show the right examples; {advice}"));
        }
        None
    }
}

/// A digest of all rules: what they are called, how severe they are and what they say.
fn digest_of_rules() -> String {
    let mut digest = Xxh3::new();
    for rule in RULES {
        digest.update(format!("{} {} {} {} {}\n", rule.code, rule.name, rule.severity, rule.summary, rule.what).as_bytes());
    }
    format!("{:016x}", digest.digest())
}

/// The manifest of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Manifest {
    /// The version of the format.
    manifest: u32,
    /// The version of the program.
    version: String,
    /// The digest of the plan.
    plan: String,
    shard: usize,
    #[serde(flatten)]
    settings: PartSettings,
    /// What the engine calls itself.
    engine: Option<String>,
    end: PartEnd,
    /// All files of the part.
    files: BTreeMap<String, FileRecord>,
}

/// A file of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileRecord {
    bytes: u64,
    /// The XXH3 digest (64 bits) of all bytes, in hexadecimal.
    xxh3: String,
}

impl FileRecord {
    /// The name of this file of a shard.
    fn name(&self, shard: usize) -> String {
        format!("shard-{shard:05}-{}{}", self.xxh3, compress::EXTENSION)
    }
}

/// The parts of the shards of a plan, in a directory.
#[derive(Debug)]
pub struct Parts<'p> {
    directory: PathBuf,
    plan: &'p Plan,
    settings: PartSettings,
}

/// A shard was audited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// Its part was written. Contains why an input could not be read, if one could not.
    Now(Option<String>),
    /// There was a valid part already.
    Before,
    /// It was interrupted, and nothing was written.
    Interrupted,
}

impl<'p> Parts<'p> {
    /// The parts in `directory` that belong to `plan` and to an audit with these settings.
    pub fn new(directory: &Path, plan: &'p Plan, settings: PartSettings) -> Parts<'p> {
        Parts { directory: directory.to_owned(), plan, settings }
    }

    /// The path of the manifest of a shard.
    pub fn manifest_path(&self, shard: usize) -> PathBuf {
        self.directory.join(format!("shard-{shard:05}.json"))
    }

    /// Writes the part of `shard` with `audit`, unless there is a valid one that has read all of
    /// its inputs. `engine` is the name of the engine after the audit. Other attempts may do the
    /// same at the same time.
    pub fn commit(
        &self,
        shard: usize,
        audit: impl FnOnce(&mut dyn Write) -> io::Result<Option<PartEnd>>,
        engine: impl FnOnce() -> Option<String>,
    ) -> Result<Committed, PartError> {
        if self.is_complete(shard)? {
            return Ok(Committed::Before);
        }
        let failed = |source| PartError::Write { shard, path: self.directory.clone(), source };
        // It stays if this fails: another machine may be about to write there.
        fs::create_dir_all(&self.directory).map_err(failed)?;
        let file = TemporaryFile::create_shared(&self.directory).map_err(failed)?;
        let file = Counting { to: Digesting::new(BufWriter::with_capacity(1 << 16, file)), bytes: 0 };
        let mut lines = compress::writer(file).map_err(failed)?;
        let Some(end) = audit(&mut lines).map_err(failed)? else { return Ok(Committed::Interrupted) };
        let mut file = compress::finish(lines).map_err(failed)?;
        file.flush().map_err(failed)?;
        // Another attempt may have read what this one could not.
        if end.unread.is_some() && self.is_complete(shard)? {
            return Ok(Committed::Before);
        }
        let unread = end.unread.clone();
        let record = FileRecord { bytes: file.bytes, xxh3: file.to.digest() };
        // The name contains the digest, so that a manifest never belongs to the file of another
        // attempt.
        let name = record.name(shard);
        let file = file.to.into_inner().into_inner().map_err(|error| failed(error.into_error()))?;
        file.finish(&self.directory.join(&name), true).map_err(failed)?;
        // After a power failure, there is no manifest without its file.
        sync_directory(&self.directory).map_err(failed)?;
        let manifest = Manifest {
            manifest: MANIFEST_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            plan: self.plan.digest().to_owned(),
            shard,
            settings: self.settings.clone(),
            engine: engine(),
            end,
            files: BTreeMap::from([(name, record)]),
        };
        let mut text = serde_json::to_vec_pretty(&manifest).map_err(|error| failed(error.into()))?;
        text.push(b'\n');
        let mut file = TemporaryFile::create_shared(&self.directory).map_err(failed)?;
        file.write_all(&text).map_err(failed)?;
        file.finish(&self.manifest_path(shard), true).map_err(failed)?;
        sync_directory(&self.directory).map_err(failed)?;
        Ok(Committed::Now(unread))
    }

    /// Whether there is a valid part that has read all of its inputs.
    fn is_complete(&self, shard: usize) -> Result<bool, PartError> {
        match self.verify(shard) {
            Ok((end, _)) => Ok(end.unread.is_none()),
            Err(error @ PartError::Foreign { .. }) => Err(error),
            Err(_) => Ok(false),
        }
    }

    /// Reads the manifest of a shard, and checks that it belongs here.
    fn manifest(&self, shard: usize) -> Result<Manifest, PartError> {
        let path = self.manifest_path(shard);
        let read = open_regular(&path).and_then(|file| {
            let mut text = Vec::new();
            file.take(MAX_MANIFEST_BYTES).read_to_end(&mut text).map(|_| text)
        });
        let text = match read {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let (directory, plan) = (self.directory.clone(), self.plan.path().to_owned());
                return Err(PartError::Missing { shard, directory, plan });
            }
            Err(source) => return Err(PartError::Read { shard, path, source }),
        };
        let damaged = |reason: String| PartError::Damaged { shard, path: path.clone(), reason };
        // Only these two are the same in all versions.
        #[derive(Deserialize)]
        struct Version {
            manifest: u32,
            version: String,
        }
        let Version { manifest, version } = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        let foreign = |difference: String| PartError::Foreign { shard, path: path.clone(), difference };
        if (manifest, version.as_str()) != (MANIFEST_VERSION, env!("CARGO_PKG_VERSION")) {
            return Err(foreign(format!("chess-audit {version} has written it, but this is {}", env!("CARGO_PKG_VERSION"))));
        }
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        if manifest.plan != self.plan.digest() {
            return Err(foreign("its plan is another one; use an empty directory for the parts of this plan".to_owned()));
        }
        if manifest.shard != shard {
            return Err(foreign(format!("it is the part of shard {}", manifest.shard)));
        }
        match self.settings.difference(&manifest.settings) {
            Some(difference) => Err(foreign(difference)),
            None => Ok(manifest),
        }
    }

    /// Checks the part of a shard: its file is what the manifest says, and its lines are about what
    /// the plan gives to the shard. Returns how the shard ended, and the name of the engine.
    pub fn verify(&self, shard: usize) -> Result<(PartEnd, Option<String>), PartError> {
        let manifest = self.manifest(shard)?;
        for (name, record) in &manifest.files {
            let path = self.file_path(shard, name, record)?;
            let damaged = |reason: &str| PartError::Damaged { shard, path: path.clone(), reason: reason.to_owned() };
            let refused = |source: io::Error| match source.kind() {
                io::ErrorKind::NotFound => damaged("it does not exist"),
                _ => PartError::Read { shard, path: path.clone(), source },
            };
            let file = open_regular(&path).map_err(refused)?;
            if file.metadata().map_err(refused)?.len() != record.bytes {
                return Err(damaged("it has another size than its manifest says"));
            }
            let mut file = Digesting::new(file);
            io::copy(&mut BufReader::with_capacity(1 << 17, &mut file), &mut io::sink()).map_err(refused)?;
            if file.digest() != record.xxh3 {
                return Err(damaged("it has another digest than its manifest says"));
            }
        }
        let planned = self.plan.shard_numbered(shard, None)?;
        let (Manifest { end, engine, .. }, part) = self.part(shard, manifest)?;
        part.check(&planned).map_err(|fault| PartError::Mismatch { shard, path: self.manifest_path(shard), fault })?;
        Ok((end, engine))
    }

    /// The path of a file of a part.
    fn file_path(&self, shard: usize, name: &str, record: &FileRecord) -> Result<PathBuf, PartError> {
        if name == record.name(shard) && !name.contains(['/', '\\']) {
            return Ok(self.directory.join(name));
        }
        let reason = format!("`{}` is not the name of a file of a part", name.escape_debug());
        Err(PartError::Damaged { shard, path: self.manifest_path(shard), reason })
    }

    /// Opens the part of a shard that was verified.
    pub fn open(&self, shard: usize, end: PartEnd) -> Result<Part<'static>, PartError> {
        let (_, part) = self.part(shard, self.manifest(shard)?)?;
        Ok(Part { end, ..part })
    }

    /// The part with this manifest.
    fn part(&self, shard: usize, manifest: Manifest) -> Result<(Manifest, Part<'static>), PartError> {
        let mut lines: Box<dyn Read> = Box::new(io::empty());
        for (name, record) in &manifest.files {
            let path = self.file_path(shard, name, record)?;
            let file = open_regular(&path).map_err(|source| PartError::Read { shard, path, source })?;
            let file =
                compress::reader(file).map_err(|source| PartError::Read { shard, path: self.directory.clone(), source })?;
            lines = Box::new(lines.chain(file));
        }
        let part = Part { lines: Box::new(BufReader::with_capacity(1 << 17, lines)), end: manifest.end.clone() };
        Ok((manifest, part))
    }

    /// The error that says that the part of a shard is damaged, although its digests are right.
    pub fn damaged(&self, shard: usize, reason: &io::Error) -> PartError {
        PartError::Damaged { shard, path: self.manifest_path(shard), reason: reason.to_string() }
    }
}

/// The lines of a part are compressed, because they repeat themselves.
#[cfg(feature = "packed")]
mod compress {
    use std::io::{self, BufReader, BufWriter, Read, Write};

    use zstd::{Decoder, Encoder};

    pub(super) const EXTENSION: &str = ".jsonl.zst";

    /// Fast, and about a tenth of the size.
    const LEVEL: i32 = 1;

    /// The largest window that a part needs, as a power of two.
    const MAX_WINDOW_LOG: u32 = 23;

    pub(super) fn writer<W: Write>(to: W) -> io::Result<BufWriter<Encoder<'static, W>>> {
        Ok(BufWriter::with_capacity(1 << 16, Encoder::new(to, LEVEL)?))
    }

    pub(super) fn finish<W: Write>(writer: BufWriter<Encoder<'static, W>>) -> io::Result<W> {
        writer.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
    }

    pub(super) fn reader<R: Read>(from: R) -> io::Result<Decoder<'static, BufReader<R>>> {
        let mut decoder = Decoder::new(from)?;
        decoder.window_log_max(MAX_WINDOW_LOG)?;
        Ok(decoder)
    }
}

/// This build cannot compress.
#[cfg(not(feature = "packed"))]
mod compress {
    use std::io::{self, Read, Write};

    pub(super) const EXTENSION: &str = ".jsonl";

    pub(super) fn writer<W: Write>(to: W) -> io::Result<W> {
        Ok(to)
    }

    pub(super) fn finish<W: Write>(writer: W) -> io::Result<W> {
        Ok(writer)
    }

    pub(super) fn reader<R: Read>(from: R) -> io::Result<R> {
        Ok(from)
    }
}

/// Writes the names of the files of a directory to disk, where the system can do that.
fn sync_directory(directory: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return fs::File::open(directory)?.sync_all();
    #[cfg(not(unix))]
    {
        let _ = directory;
        Ok(())
    }
}

/// Counts what is written.
struct Counting<T> {
    to: Digesting<T>,
    bytes: u64,
}

impl<T: Write> Write for Counting<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
