//! Labels: how people recognise a record.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use crate::{
    identity::GameCard,
    pgn::{KnownTag, tag_pairs},
    text::{Encoding, readable},
};

/// Most labels of games are not longer, in bytes.
const USUAL_LENGTH: usize = 96;

/// The label of a game: players, event, date and round, or its link.
pub(crate) fn game_label(record: &[u8], encoding: Encoding) -> String {
    let mut label = Label { encoding, ..Label::default() };
    // Text that is no part of the game may come before its tags.
    let first = if tag_pairs(record, 0).next().is_some() { Some(0) } else { memmem::find(record, b"\n[") };
    for pair in tag_pairs(record, first.unwrap_or(record.len())) {
        label.take(pair.name.of(record), pair.value.of(record));
        if label.is_complete() {
            break;
        }
    }
    label.text()
}

/// The label of a game of which only the card is known.
pub(crate) fn card_label(card: &GameCard<'_>) -> String {
    let value = |tag| Cow::Borrowed(card.tag(tag));
    let label = Label {
        encoding: Encoding::Utf8,
        white: value(KnownTag::White),
        black: value(KnownTag::Black),
        event: value(KnownTag::Event),
        date: value(KnownTag::Date),
        round: value(KnownTag::Round),
        site: value(KnownTag::Site),
    };
    label.text()
}

/// The tags that a label is made of.
#[derive(Default)]
struct Label<'a> {
    encoding: Encoding,
    white: Cow<'a, str>,
    black: Cow<'a, str>,
    event: Cow<'a, str>,
    date: Cow<'a, str>,
    round: Cow<'a, str>,
    site: Cow<'a, str>,
}

impl<'a> Label<'a> {
    fn take(&mut self, name: &[u8], value: &'a [u8]) {
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

    /// Whether later tags make no difference.
    fn is_complete(&self) -> bool {
        [&self.white, &self.black, &self.event, &self.date, &self.round, &self.site].iter().all(|field| !field.is_empty())
    }
}

impl Label<'_> {
    /// The label, without what is not known.
    fn text(&self) -> String {
        let known = |value: &str| !matches!(value, "" | "?" | "-" | "????.??.??");
        let mut text = String::with_capacity(USUAL_LENGTH);
        let mut add = |is_known: bool, parts: &[&str]| {
            if is_known {
                text.push_str(if text.is_empty() { "" } else { ", " });
                parts.iter().for_each(|part| text.push_str(part));
            }
        };
        let Label { white, black, event, date, round, site, .. } = self;
        let name = |value| if known(value) { value } else { "?" };
        add(known(white) || known(black), &[name(white), " - ", name(black)]);
        add(known(event), &[event]);
        add(known(date), &[date]);
        add(known(round), &["round ", round]);
        add(site.starts_with("http"), &[site]);
        text
    }
}

/// The label of a position: its `id` operation.
pub(crate) fn line_label(line: &[u8], encoding: Encoding) -> String {
    let Some(id) = memmem::find(line, b"id \"") else { return String::new() };
    let rest = &line[id + 4..];
    readable(&rest[..memchr(b'"', rest).unwrap_or(0)], encoding).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_tags_does_not_matter() {
        let tags =
            [("White", "Ann"), ("Black", "Bob"), ("Event", "Cup"), ("Date", "2024.01.02"), ("Round", "3"), ("Site", "http://x")];
        for first in 0..tags.len() {
            let rotated = tags.iter().cycle().skip(first).take(tags.len());
            let header: String = rotated.map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
            let record = format!("{header}[White \"Another\"]\n\n1. e4 *\n");
            let label = game_label(record.as_bytes(), Encoding::of(record.as_bytes()));
            assert_eq!(label, "Ann - Bob, Cup, 2024.01.02, round 3, http://x", "{header}");
        }
    }
}
