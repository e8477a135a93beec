//! Labels: how people recognise a record.

use memchr::memchr;

use crate::{
    pgn::{BOM, line_end, read_tag},
    text::{Encoding, readable},
};

/// The label of a game: players, event, date and round, or its link.
pub(crate) fn game_label(record: &[u8], encoding: Encoding) -> String {
    let mut label = Label { encoding, ..Label::default() };
    let mut at = 0;
    let mut seen = false;
    for _ in 0..200 {
        let line = line_end(record, at);
        let text = record[at..line].trim_ascii_start();
        let text = text.strip_prefix(BOM).unwrap_or(text);
        if text.first() == Some(&b'[') {
            let open = line - text.len();
            if let Some(pair) = read_tag(record, open).pair {
                label.take(pair.name.of(record), pair.value.of(record));
                seen = true;
            }
        } else if seen && !text.is_empty() {
            break;
        }
        at = line + 1;
        if at >= record.len() {
            break;
        }
    }
    label.to_string()
}

/// The tags that a label is made of.
#[derive(Default)]
struct Label {
    encoding: Encoding,
    white: String,
    black: String,
    event: String,
    date: String,
    round: String,
    site: String,
}

impl Label {
    fn take(&mut self, name: &[u8], value: &[u8]) {
        let field = match name {
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Event" => &mut self.event,
            b"Date" => &mut self.date,
            b"Round" => &mut self.round,
            b"Site" => &mut self.site,
            _ => return,
        };
        if field.is_empty() {
            *field = readable(value, self.encoding);
        }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let known = |value: &str| !matches!(value, "" | "?" | "-" | "????.??.??");
        let mut parts = Vec::new();
        if known(&self.white) || known(&self.black) {
            let name = |value: &str| if known(value) { value.to_owned() } else { "?".to_owned() };
            parts.push(format!("{} - {}", name(&self.white), name(&self.black)));
        }
        if known(&self.event) {
            parts.push(self.event.clone());
        }
        if known(&self.date) {
            parts.push(self.date.clone());
        }
        if known(&self.round) {
            parts.push(format!("round {}", self.round));
        }
        if self.site.starts_with("http") {
            parts.push(self.site.clone());
        }
        f.write_str(&parts.join(", "))
    }
}

/// The label of a position: its `id` operation.
pub(crate) fn line_label(line: &[u8], encoding: Encoding) -> String {
    let Some(id) = memchr::memmem::find(line, b"id \"") else { return String::new() };
    let rest = &line[id + 4..];
    readable(&rest[..memchr(b'"', rest).unwrap_or(0)], encoding)
}
