//! Reads a list of repairs.

use std::{collections::HashMap, io::Read, path::Path};

use super::FixError;
use crate::{
    format::{csv_cell::unquoted, csv_error, hash_cell::parse_key},
    report::repairs::{RepairRow, unescaped},
    review::{Baseline, reader::MAX_ROW_BYTES},
};
use crate::{
    rules::{Certainty, Selection, rule},
    text::{
        Bounded, open_once,
        wording::{restored_name, thousands},
    },
};

/// Maximum number of repairs. All of them are in memory, to sort them.
const MAX_REPAIRS: usize = 10_000_000;

/// Which repairs are applied.
#[derive(Clone, Copy, Debug)]
pub struct Filter<'a> {
    /// Whether likely repairs are applied too.
    pub likely: bool,
    /// The rules whose repairs are applied; `None` for all.
    pub rules: Option<&'a Selection>,
    /// The findings whose repairs are applied, likely ones too; `None` for all.
    pub only: Option<&'a Baseline>,
}

impl Filter<'_> {
    fn has_rule(self, code: &str) -> bool {
        let is_selected = |rules: &Selection| code.parse().ok().and_then(rule).is_some_and(|rule| rules.runs(rule));
        self.rules.is_none_or(is_selected)
    }

    fn has_finding(self, fingerprint: &str) -> bool {
        let is_chosen = |only: &Baseline| parse_key(fingerprint).is_some_and(|key| only.get(key).is_some());
        self.only.is_none_or(is_chosen)
    }
}

/// The repairs of an input.
#[derive(Debug, Default)]
pub struct Listed {
    /// The name of the input.
    pub name: String,
    /// The length of its text in bytes.
    pub length: u64,
    /// The digest of its text.
    pub digest: String,
    /// The repairs to apply, in order.
    pub replacements: Vec<Replacement>,
    /// Number of repairs skipped because they are only likely.
    pub likely: u64,
    /// Number of repairs skipped because another one changes the same bytes.
    pub overlapping: u64,
}

/// A repair to apply.
#[derive(Debug)]
pub struct Replacement {
    /// The first byte.
    pub start: u64,
    /// Whether it is certain.
    pub certain: bool,
    /// The bytes to replace.
    pub old: Box<[u8]>,
    /// Their replacement.
    pub new: Box<[u8]>,
}

impl Replacement {
    /// The end of the bytes to replace.
    pub const fn end(&self) -> u64 {
        self.start + self.old.len() as u64
    }

    #[cfg(test)]
    pub fn of(start: u64, old: &str, new: &str) -> Replacement {
        Replacement { start, certain: true, old: old.as_bytes().into(), new: new.as_bytes().into() }
    }
}

/// Reads the repairs of all inputs in the list. It is read once, so it may come from a process
/// substitution.
pub(super) fn read(path: &Path, filter: Filter<'_>) -> Result<Vec<Listed>, FixError> {
    read_from(open_once(path).map_err(|source| FixError::unreadable(path, source))?, path, filter)
}

/// The repairs of all inputs in this list; errors name `path`.
pub fn read_from(list: impl Read, path: &Path, filter: Filter<'_>) -> Result<Vec<Listed>, FixError> {
    let not_a_list = |line, what: String| FixError::NotAList { path: path.to_owned(), line, what };
    let mut rows = csv::Reader::from_reader(Bounded::new(list, "a row", MAX_ROW_BYTES));
    let headers = rows.headers().map_err(|error| not_a_list(1, csv_error::reason(&error, None)))?.clone();
    if !headers.iter().any(|name| name == "input_digest") {
        return Err(not_a_list(1, "the columns of a list are missing".to_owned()));
    }
    let mut record = csv::StringRecord::new();
    let mut list: Vec<Listed> = Vec::new();
    let mut places: HashMap<(String, u64, String), usize> = HashMap::new();
    let mut total = 0;
    for line in 2.. {
        rows.get_mut().renew();
        let read = rows
            .read_record(&mut record)
            .and_then(|is_row| if is_row { record.deserialize::<RepairRow>(Some(&headers)).map(Some) } else { Ok(None) });
        let Some(row) = read.map_err(|error| not_a_list(line, csv_error::reason(&error, Some(&headers))))? else { break };
        let both = unescaped(&row.old).zip(unescaped(&row.new));
        let whole = both
            .filter(|(old, _)| row.byte.checked_add(old.len() as u64) == Some(row.end_byte) && row.end_byte <= row.input_bytes);
        let Some((old, new)) = whole else {
            return Err(not_a_list(line, "the old bytes do not fit the byte range".to_owned()));
        };
        let certain = row.repair == Certainty::Certain.as_str();
        if !certain && row.repair != Certainty::Likely.as_str() {
            return Err(not_a_list(line, format!("`{}` is neither certain nor likely", row.repair)));
        }
        let is_selected = filter.has_rule(&row.rule) && filter.has_finding(&row.fingerprint);
        let name = restored_name(&String::from_utf8_lossy(unquoted(row.input.as_bytes())));
        let place = *places.entry((name, row.input_bytes, row.input_digest)).or_insert_with_key(|(name, length, digest)| {
            list.push(Listed { name: name.clone(), length: *length, digest: digest.clone(), ..Listed::default() });
            list.len() - 1
        });
        let Some(listed) = list.get_mut(place).filter(|_| is_selected) else { continue };
        if !certain && !filter.likely && filter.only.is_none() {
            listed.likely += 1;
            continue;
        }
        if total == MAX_REPAIRS {
            return Err(not_a_list(line, format!("more than {} repairs", thousands(MAX_REPAIRS as u64))));
        }
        total += 1;
        listed.replacements.push(Replacement { start: row.byte, certain, old: old.into(), new: new.into() });
    }
    list.iter_mut().for_each(Listed::settle);
    Ok(list)
}

impl Listed {
    fn settle(&mut self) {
        let (kept, overlapping) = settled(std::mem::take(&mut self.replacements));
        self.replacements = kept;
        self.overlapping += overlapping;
    }
}

/// A replacement of bytes that may overlap others.
pub(crate) trait Replaces {
    /// The first byte that is replaced, and one past the last one.
    fn range(&self) -> (u64, u64);
    /// Whether the replacement is certain.
    fn is_certain(&self) -> bool;
    /// The replacement.
    fn new_bytes(&self) -> &[u8];
}

impl Replaces for Replacement {
    fn range(&self) -> (u64, u64) {
        (self.start, self.end())
    }

    fn is_certain(&self) -> bool {
        self.certain
    }

    fn new_bytes(&self) -> &[u8] {
        &self.new
    }
}

/// Sorts replacements, and skips those that overlap others. A certain one takes precedence over a
/// likely one; otherwise the first one wins. Returns how many others were skipped.
pub(crate) fn settled<T: Replaces>(mut all: Vec<T>) -> (Vec<T>, u64) {
    let mut overlapping = 0;
    all.sort_by_key(|replacement| (replacement.range(), !replacement.is_certain()));
    let mut kept: Vec<T> = Vec::with_capacity(all.len());
    for replacement in all {
        let range = replacement.range();
        let overlaps = |last: &&mut T| range.0 < last.range().1 || range == last.range();
        match kept.last_mut().filter(overlaps) {
            Some(last) if last.range() == range && last.new_bytes() == replacement.new_bytes() => {}
            Some(last) => {
                overlapping += 1;
                if replacement.is_certain() && !last.is_certain() {
                    *last = replacement;
                }
            }
            None => kept.push(replacement),
        }
    }
    (kept, overlapping)
}
