//! House rules, which the settings set.

use std::collections::HashSet;

use crate::{
    pgn::TagPair,
    rules::{Finding, Severity},
};

/// House rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HouseRules {
    /// Demands on tags.
    pub tags: Vec<TagDemand>,
    /// Games that should not be there.
    pub denied: Option<DeniedGames>,
}

/// A demand on a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagDemand {
    /// The name of the tag.
    pub tag: String,
    /// The demand.
    pub demand: Demand,
    /// How it is reported.
    pub note: HouseNote,
}

/// What a value of a tag must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    /// It is there, and its value is known.
    Required,
    /// It has one of these values, if it is there.
    OneOf(Vec<String>),
    /// It has none of these values.
    NoneOf(Vec<String>),
}

/// How a broken house rule is reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HouseNote {
    /// The severity; `None` for an error.
    pub severity: Option<Severity>,
    /// Why the house has this rule; empty if that is not said.
    pub reason: String,
}

/// Games that should not be there, by their ids or links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeniedGames {
    ids: HashSet<Vec<u8>>,
    /// How they are reported.
    pub note: HouseNote,
}

impl HouseRules {
    /// Whether there are no house rules.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.denied.is_none()
    }
}

impl DeniedGames {
    /// The games with these ids or links, one per line. Blank lines and those that begin with `#`
    /// do not count.
    pub fn read(list: &str, note: HouseNote) -> DeniedGames {
        let lines = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        DeniedGames { ids: lines.map(|line| essence(line.as_bytes()).to_vec()).collect(), note }
    }

    /// Whether the value of a tag with this name is the id or the link of one of them.
    pub(super) fn has(&self, name: &[u8], value: &[u8]) -> bool {
        let ends_with = |end: &[u8]| name.len() >= end.len() && name[name.len() - end.len()..].eq_ignore_ascii_case(end);
        let is_id = [&b"id"[..], b"url", b"link", b"site"].into_iter().any(ends_with) && !ends_with(b"fideid");
        let value = essence(value);
        let last = value.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        is_id && !last.is_empty() && (self.ids.contains(value) || self.ids.contains(last))
    }
}

/// An id, or a link without what does not matter.
fn essence(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii();
    for prefix in [&b"https://"[..], b"http://", b"www."] {
        rest = rest.strip_prefix(prefix).unwrap_or(rest);
    }
    rest.strip_suffix(b"/").unwrap_or(rest)
}

/// Whether the value of a tag is known.
pub(super) fn is_known(text: &[u8], pair: &TagPair) -> bool {
    pair.value.of(text).iter().any(|byte| !matches!(byte, b'?' | b'-' | b'.' | b' '))
}

impl HouseNote {
    /// Gives a finding the severity, and adds the reason to its message.
    pub(super) fn apply(&self, finding: &mut Finding) {
        finding.severity = self.severity.unwrap_or(finding.severity);
        if !self.reason.is_empty() {
            finding.message.extend(["; ", &self.reason]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_known_by_ids_and_links() {
        let denied = DeniedGames::read("# bots\nabcd1234\n\nhttps://www.chess.com/game/live/77/\n", HouseNote::default());
        for (name, value) in [
            ("Site", "https://lichess.org/abcd1234"),
            ("GameId", "abcd1234"),
            ("LichessURL", "http://lichess.org/abcd1234/"),
            ("Link", "https://www.chess.com/game/live/77"),
            ("Link", "https://chess.com/game/live/77"),
        ] {
            assert!(denied.has(name.as_bytes(), value.as_bytes()), "{name} {value}");
        }
        for (name, value) in [
            ("Event", "abcd1234"),
            ("Site", "https://lichess.org/abcd1234/black"),
            ("Link", "https://chess.com/game/live/7"),
            ("WhiteFideId", "abcd1234"),
            ("Site", ""),
        ] {
            assert!(!denied.has(name.as_bytes(), value.as_bytes()), "{name} {value}");
        }
    }
}
