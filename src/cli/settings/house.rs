//! House rules in the settings file: `require`, `allow`, `deny` and `deny-games`.

use std::path::{Path, PathBuf};

use crate::rules::{Demand, DeniedGames, HouseNote, HouseRules, Severity, TagDemand};
use anyhow::{Context, bail, ensure};
use toml::Value;

use crate::cli::text::{join_or, read_bounded};

/// Maximum size of a list of games.
const MAX_LIST_BYTES: u64 = 64 << 20;

/// A house rule.
#[derive(Clone, Debug)]
pub enum HouseRule {
    /// A demand on a tag.
    Tag(TagDemand),
    /// The path of a list of games that should not be there.
    Games(PathBuf, HouseNote),
}

impl HouseRule {
    /// Reads an entry of `require`: the name of a tag, or a table with it.
    pub fn required(value: Value) -> anyhow::Result<HouseRule> {
        let (tag, note) = noted(value, "tag")?;
        let tag = tag.as_str().context("`require` is not a list of tags")?.to_owned();
        HouseRule::of_tag(tag, Demand::Required, note)
    }

    /// Reads an entry of `allow` or `deny`: values of `tag`, or a table with them.
    pub fn values(tag: &str, value: Value, demand: fn(Vec<String>) -> Demand) -> anyhow::Result<HouseRule> {
        let (values, note) = noted(value, "values")?;
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let values: Option<Vec<String>> = values.as_array().and_then(|values| values.iter().map(text).collect());
        HouseRule::of_tag(tag.to_owned(), demand(values.context("not a list of values in quotes")?), note)
    }

    /// Reads the value of `deny-games`: a path relative to `directory`, or a table with it.
    pub fn games(value: Value, directory: &Path) -> anyhow::Result<HouseRule> {
        let (path, note) = noted(value, "file")?;
        let path = path.as_str().context("`deny-games` is not the path of a file")?;
        Ok(HouseRule::Games(directory.join(path), note))
    }

    fn of_tag(tag: String, demand: Demand, note: HouseNote) -> anyhow::Result<HouseRule> {
        let is_name = !tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        ensure!(is_name, "`{tag}` is not the name of a tag");
        Ok(HouseRule::Tag(TagDemand { tag, demand, note }))
    }
}

/// All house rules.
pub fn house_rules<'r>(rules: impl Iterator<Item = &'r HouseRule>) -> anyhow::Result<HouseRules> {
    let mut house = HouseRules::default();
    for rule in rules {
        match rule {
            HouseRule::Tag(demand) => house.tags.push(demand.clone()),
            HouseRule::Games(path, note) => {
                let list = read_bounded(path, MAX_LIST_BYTES).with_context(|| format!("cannot read `{}`", path.display()))?;
                house.denied = Some(DeniedGames::read(&String::from_utf8_lossy(&list), note.clone()));
            }
        }
    }
    Ok(house)
}

/// The value of an entry, which may be in a table as `key`, with a severity and a reason.
fn noted(value: Value, key: &str) -> anyhow::Result<(Value, HouseNote)> {
    let Value::Table(mut table) = value else { return Ok((value, HouseNote::default())) };
    let value = table.remove(key).with_context(|| format!("`{key}` is missing"))?;
    let severity = table.remove("severity").map(severity).transpose()?;
    let reason = match table.remove("reason") {
        Some(Value::String(reason)) => reason,
        Some(_) => bail!("`reason` is not a text"),
        None => String::new(),
    };
    if let Some(unknown) = table.keys().next() {
        bail!("unknown key `{unknown}`; expected {key}, severity or reason");
    }
    Ok((value, HouseNote { severity, reason }))
}

fn severity(value: Value) -> anyhow::Result<Severity> {
    let name = value.as_str().unwrap_or_default();
    let known = || join_or(&Severity::ALL.map(|severity| severity.as_str().to_owned()));
    let found = Severity::ALL.into_iter().find(|severity| severity.as_str() == name);
    found.with_context(|| format!("unknown severity `{name}`; expected {}", known()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        let mut table: toml::Table = text.parse().expect("TOML");
        table.remove("v").expect("an entry")
    }

    #[test]
    fn entries_may_have_a_severity_and_a_reason() -> anyhow::Result<()> {
        let read = HouseRule::required(value("v = { tag = \"ECO\", severity = \"info\", reason = \"the index\" }"))?;
        let HouseRule::Tag(TagDemand { tag, demand, note }) = read else { bail!("another rule") };
        assert_eq!((&*tag, demand, note.severity, &*note.reason), ("ECO", Demand::Required, Some(Severity::Info), "the index"));
        let read = HouseRule::values("Result", value("v = [\"1-0\", \"0-1\"]"), Demand::OneOf)?;
        let HouseRule::Tag(TagDemand { demand, note, .. }) = read else { bail!("another rule") };
        assert_eq!((demand, note), (Demand::OneOf(vec!["1-0".to_owned(), "0-1".to_owned()]), HouseNote::default()));
        Ok(())
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        let of = |text: &str| HouseRule::required(value(text)).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(of("v = 3"), "`require` is not a list of tags");
        assert_eq!(of("v = \"Event Date\""), "`Event Date` is not the name of a tag");
        assert_eq!(of("v = { name = \"ECO\" }"), "`tag` is missing");
        assert_eq!(of("v = { tag = \"ECO\", why = \"x\" }"), "unknown key `why`; expected tag, severity or reason");
        assert_eq!(
            of("v = { tag = \"ECO\", severity = \"fatal\" }"),
            "unknown severity `fatal`; expected error, warning or info"
        );
        let values = HouseRule::values("Result", value("v = \"1-0\""), Demand::NoneOf);
        assert_eq!(values.err().map(|error| error.to_string()).as_deref(), Some("not a list of values in quotes"));
    }
}
