//! What was done in each step.

use serde::Serialize;

use super::decisions::DecisionsOutcome;
use crate::text::wording::quantity;

/// What was done, or would be done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cleaned {
    /// Number of inputs with text.
    pub inputs: u64,
    /// Number of records in them.
    pub records: u64,
    /// Number of records that stay.
    pub kept: u64,
    /// Number of repairs.
    pub repairs: u64,
    /// Number of inputs with repairs.
    pub repaired: u64,
    /// Number of likely repairs that are not made.
    pub likely: u64,
    /// Number of tags that are completed from copies.
    pub tags: u64,
    /// Number of names that are decided and cannot be written.
    pub unwritable_names: u64,
    /// Number of names that are written in their main spelling.
    pub names: u64,
    /// Number of copies that are moved out.
    pub copies: u64,
    /// Number of bad records that go aside.
    pub aside: u64,
    /// Number of stretches of text that belong to no record and go aside.
    pub other_text: u64,
    /// Number of records whose repairs did not settle. They go aside as they were.
    pub unsettled: u64,
    /// Number of copies that contradict another one. A person has to decide.
    pub decide: u64,
    /// What became of decisions.
    pub decisions: DecisionsOutcome,
    /// Number of inputs that could not be read as text.
    pub unread: u64,
    /// Number of audits of the result; 0 for a plan.
    pub audits: u64,
    /// Whether the last audit found nothing to do.
    pub is_settled: bool,
}

impl Cleaned {
    /// Whether anything changes.
    pub const fn is_nothing(&self) -> bool {
        self.repairs + self.names + self.tags + self.copies + self.aside + self.other_text + self.unsettled == 0
    }

    /// What is done in each step, or would be done: its name and a sentence.
    pub fn steps(&self, is_plan: bool) -> Vec<(&'static str, String)> {
        let Cleaned {
            repairs,
            repaired,
            likely,
            unwritable_names,
            names,
            tags,
            copies,
            aside,
            other_text,
            unsettled,
            decide,
            unread,
            audits,
            is_settled,
            ref decisions,
            ..
        } = *self;
        let mut lines = Vec::new();
        if repairs > 0 {
            let repairs = quantity(repairs, "repair", "repairs");
            lines.push(("Repair", format!("{repairs} in {}", quantity(repaired, "input", "inputs"))));
        }
        if likely > 0 {
            let likely = quantity(likely, "likely repair is", "likely repairs are");
            lines.push(("", format!("{likely} not made; --likely makes them")));
        }
        if names > 0 {
            lines.push(("Names", format!("{} written in the main spelling", quantity(names, "name is", "names are"))));
        }
        if unwritable_names > 0 {
            let names = quantity(unwritable_names, "decided name is", "decided names are");
            lines.push(("", format!("{names} left: the main spelling is not plain ASCII, or the tag is unusual")));
        }
        if tags > 0 {
            lines.push(("Complete", format!("{} of games from their copies", quantity(tags, "tag", "tags"))));
        }
        if copies > 0 {
            lines.push(("Copies", format!("{} to copies/", quantity(copies, "record moves", "records move"))));
        }
        if aside > 0 {
            let before = if is_plan && repairs > 0 { "; repairs may save some of them" } else { "" };
            lines.push(("Aside", format!("{} to aside/{before}", quantity(aside, "record moves", "records move"))));
        }
        if other_text > 0 {
            let stretches = quantity(other_text, "stretch of text moves", "stretches of text move");
            lines.push(("", format!("{stretches} to aside/: not a record, or not checked")));
        }
        if unsettled > 0 {
            let records = quantity(unsettled, "of them is", "of them are");
            lines.push(("", format!("{records} there without repairs, because these would not settle")));
        }
        if decide > 0 {
            let copies = quantity(decide, "copy contradicts another one; it stays", "copies contradict others; they stay");
            lines.push(("Decide", format!("{copies} until a person has decided")));
        }
        let names = std::iter::once("Decisions").chain(std::iter::repeat(""));
        lines.extend(names.zip(decisions.sentences()));
        if audits > 0 && !is_settled {
            lines.push(("Not settled", "an audit of the result still finds something to do; clean it once more".to_owned()));
        }
        if unread > 0 {
            lines.push(("Unread", format!("{} not in the result", quantity(unread, "input is", "inputs are"))));
        }
        lines
    }
}
