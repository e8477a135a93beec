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
    fs::File,
    io::{self, BufWriter, IntoInnerError, Write},
    path::Path,
};

use askama::Template;

use self::{data::Data, view::ReportPage};
use crate::{
    format::{RunSettings, files::PAGE_FILE},
    pipeline::RunSummary,
};

pub(super) use self::content::Page;
pub use self::diff::DiffPage;

impl Page {
    /// Writes the page to the directory of the report. Returns its file.
    pub fn write(mut self, at: &Path, settings: &RunSettings, summary: &RunSummary) -> io::Result<File> {
        let data = std::mem::replace(&mut self.data, Data::new(0));
        let size = self.size;
        let prefix = self.prefix.clone().unwrap_or_default();
        let mut page = ReportPage::new(self, settings, summary);
        let mut length = Length(0);
        page.write_into(&mut length)?;
        // Base64 has four bytes for three.
        page.data = data.pack(size.saturating_sub(length.0) / 4 * 3, summary, &prefix)?;
        let mut file = BufWriter::new(File::create_new(at.join(PAGE_FILE))?);
        page.write_into(&mut file)?;
        file.into_inner().map_err(IntoInnerError::into_error)
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
