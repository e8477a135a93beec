//! `report.html`: a self-contained page for people, which needs no network.
//!
//! Text from inputs is limited in length, its invisible characters are escaped, and the templates
//! escape it as HTML. The content security policy allows only the script with our hash.

mod card;
mod chart;
mod content;
mod data;
mod diff;
mod example;
mod portrait;
mod trend;
mod view;

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, IntoInnerError, Write},
    path::Path,
};

use askama::Template;

use self::{data::Data, example::States, view::ReportPage};
use crate::{
    format::{RunSettings, files::PAGE_FILE},
    pipeline::RunSummary,
    review::NightPage,
};

pub(super) use self::content::Page;
pub use self::diff::DiffPage;

impl Page {
    /// Writes the page to the directory of the report. Returns its file.
    pub fn write(
        mut self,
        at: &Path,
        settings: &RunSettings,
        summary: &RunSummary,
        night: Option<NightPage>,
    ) -> io::Result<File> {
        let data = std::mem::replace(&mut self.data, Data::new(0));
        let size = self.size;
        let prefix = self.prefix.clone().unwrap_or_default();
        let summary = &*with_followed(summary, night.as_ref());
        let states = night.as_ref().map(|night| States { new: &night.new, known: &night.known });
        self.examples.values_mut().flat_map(BTreeMap::values_mut).for_each(|example| example.set_state(states));
        let mut page = ReportPage::new(self, settings, summary, night.as_ref());
        let mut length = Length(0);
        page.write_into(&mut length)?;
        // Base64 has four bytes for three.
        page.data = data.pack(size.saturating_sub(length.0) / 4 * 3, (summary, states), &prefix)?;
        let mut file = BufWriter::new(File::create_new(at.join(PAGE_FILE))?);
        page.write_into(&mut file)?;
        file.into_inner().map_err(IntoInnerError::into_error)
    }
}

/// The summary, in which what is known in a night is known, although the baseline does not have it.
fn with_followed<'s>(summary: &'s RunSummary, night: Option<&NightPage>) -> Cow<'s, RunSummary> {
    match night.filter(|night| night.followed.total() > 0) {
        None => Cow::Borrowed(summary),
        Some(night) => {
            let mut summary = summary.clone();
            summary.known.add_all(night.followed);
            Cow::Owned(summary)
        }
    }
}

/// Counts the bytes that are written.
struct Length(u64);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
