//! FIDE's rating list: whose name and year of birth belong to an id.

use std::{
    io::{self, BufRead, Read},
    ops::RangeInclusive,
};

use quick_xml::{Reader, escape::resolve_predefined_entity, events::Event};
use xxhash_rust::xxh3::Xxh3;

use crate::{
    identity::pairs::{NewPairs, Pairs},
    spill::{Log, Sorter, WrittenLog},
};

/// Maximum number of players in memory while a list is read.
const MAX_IN_MEMORY: usize = 1 << 16;

/// Maximum number of bytes of names in memory.
const MAX_BYTES: usize = 1 << 22;

/// Maximum number of bytes of a line of text or of a value in XML.
const MAX_LINE: u64 = 1 << 12;

/// The years in which players are born.
const YEARS: RangeInclusive<u16> = 1850..=2100;

/// What is wrong with a rating list.
#[derive(Debug, thiserror::Error)]
pub enum RatingListError {
    /// It cannot be read, or not be sorted.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no XML.
    #[error("is damaged: {0}")]
    Xml(#[from] quick_xml::Error),
    /// Its first line has no columns that are known.
    #[error("is not FIDE's rating list: the first line needs the columns `ID Number`, `Name` and one after it")]
    Header,
    /// A line is too long.
    #[error("is not FIDE's rating list: line {0} is too long")]
    Line(u64),
    /// It ends too early.
    #[error("is damaged: it ends in the middle of a player")]
    CutOff,
    /// It has no players.
    #[error("has no players with an id and a name")]
    Empty,
}

/// A player of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedPlayer {
    /// The name, such as `Carlsen, Magnus`.
    pub name: String,
    /// The year of birth, if it is known.
    pub born: Option<u16>,
}

/// FIDE's rating list, on the disk.
#[derive(Debug)]
pub struct RatingList {
    /// The ids, and where the players are.
    places: Pairs,
    /// Year of birth and name of each.
    players: WrittenLog,
    digest: u64,
}

impl RatingList {
    /// Reads a list as FIDE publishes it: text in columns, or XML.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is something else.
    pub fn read(mut from: impl BufRead) -> Result<RatingList, RatingListError> {
        let (places, players) = (Sorter::with_limit(MAX_IN_MEMORY), Log::with_limit(MAX_BYTES));
        let mut new = NewList { places, players, digest: Xxh3::new() };
        let start = from.fill_buf()?;
        let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
        if start.trim_ascii_start().starts_with(b"<") {
            new.read_xml(from)?
        } else {
            new.read_text(from)?
        }
        new.written()
    }

    /// Number of players.
    pub const fn players(&self) -> u32 {
        self.places.len()
    }

    /// A digest of all players, in their order.
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// The player with this id.
    pub fn find(&self, id: u64) -> io::Result<Option<ListedPlayer>> {
        let Some((_, place)) = self.places.find(id)? else { return Ok(None) };
        let bytes = self.players.get(place)?;
        let Some((born, name)) = bytes.split_first_chunk() else { return Err(io::ErrorKind::InvalidData.into()) };
        let born = Some(u16::from_le_bytes(*born)).filter(|born| *born > 0);
        Ok(Some(ListedPlayer { name: String::from_utf8_lossy(name).into_owned(), born }))
    }
}

/// A list while it is read.
struct NewList {
    places: Sorter<2>,
    players: Log,
    digest: Xxh3,
}

impl NewList {
    fn add(&mut self, id: &str, name: &str, born: &str) -> io::Result<()> {
        let (Ok(id), name) = (id.trim().parse::<u64>(), name.trim()) else { return Ok(()) };
        if id > 0 && !name.is_empty() && !name.contains(char::REPLACEMENT_CHARACTER) {
            let born = born.trim().get(..4).and_then(|year| year.parse::<u16>().ok());
            let born = born.filter(|born| YEARS.contains(born)).unwrap_or(0);
            let numbers = [id.to_le_bytes(), u64::from(born).to_le_bytes()].concat();
            self.digest.update(&[&numbers, name.as_bytes(), b"\n"].concat());
            let place = self.players.push([&born.to_le_bytes(), name.as_bytes()])?;
            self.places.push([id, place])?;
        }
        Ok(())
    }

    fn read_text(&mut self, mut from: impl BufRead) -> Result<(), RatingListError> {
        let (mut line, mut number, mut columns) = (Vec::new(), 0, None);
        loop {
            line.clear();
            if (&mut from).take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            number += 1;
            if line.len() as u64 == MAX_LINE {
                return Err(RatingListError::Line(number));
            }
            // Lists are in ASCII, but for some names in Latin-1.
            let text = String::from_utf8(line.clone()).unwrap_or_else(|_| line.iter().map(|byte| char::from(*byte)).collect());
            let text = text.trim_end().trim_start_matches('\u{FEFF}');
            let Some(columns) = &columns else {
                columns = Some(Columns::of(text).ok_or(RatingListError::Header)?);
                continue;
            };
            let [id, name, born] = columns.cells(text);
            self.add(&id, &name, &born)?;
        }
    }

    fn read_xml(&mut self, from: impl BufRead) -> Result<(), RatingListError> {
        let mut reader = Reader::from_reader(from);
        let mut buffer = Vec::new();
        let mut player: [String; 3] = Default::default();
        let (mut field, mut is_open) = (None, false);
        loop {
            let text = match reader.read_event_into(&mut buffer)? {
                Event::Eof if is_open => return Err(RatingListError::CutOff),
                Event::Eof => return Ok(()),
                Event::Start(start) => {
                    is_open |= start.name().as_ref() == "player";
                    field = ["fideid", "name", "birthday"].iter().position(|field| *field == start.name().as_ref());
                    None
                }
                Event::End(end) => {
                    field = None;
                    if end.name().as_ref() == "player" {
                        is_open = false;
                        let [id, name, born] = std::mem::take(&mut player);
                        self.add(&id, &name, &born)?;
                    }
                    None
                }
                Event::Text(text) => Some(text.as_ref().to_owned()),
                Event::CData(text) => Some(text.as_ref().to_owned()),
                Event::GeneralRef(name) => {
                    let letter = name.resolve_char_ref()?.map(String::from);
                    let letter = letter.or_else(|| resolve_predefined_entity(&name).map(str::to_owned));
                    Some(letter.unwrap_or_else(|| char::REPLACEMENT_CHARACTER.to_string()))
                }
                _ => None,
            };
            if let (Some(text), Some(field)) = (text, field)
                && player[field].len() + text.len() <= MAX_LINE as usize
            {
                player[field] += &text;
            }
            buffer.clear();
        }
    }

    fn written(self) -> Result<RatingList, RatingListError> {
        let mut places = NewPairs::default();
        let mut last = 0;
        for entry in self.places.sorted()? {
            let [id, place] = entry?;
            // Of several players with one id, the first one counts.
            if std::mem::replace(&mut last, id) != id {
                places.push(id, place)?;
            }
        }
        if places.len() == 0 {
            return Err(RatingListError::Empty);
        }
        Ok(RatingList { places: places.written(), players: self.players.written(), digest: self.digest.digest() })
    }
}

/// Where the columns of a list in text begin and end, in characters.
struct Columns {
    id: (usize, usize),
    name: (usize, usize),
    born: Option<usize>,
}

impl Columns {
    /// Finds the columns in the first line.
    fn of(header: &str) -> Option<Columns> {
        let upper = header.to_ascii_uppercase();
        let words: Vec<usize> =
            upper.match_indices(' ').map(|(at, _)| at + 1).filter(|at| !upper[*at..].starts_with(' ')).collect();
        let name = upper.find("NAME")?;
        let end = words.into_iter().find(|at| *at > name)?;
        let is_id = upper.starts_with("ID");
        let born = ["B-DAY", "BIRTHDAY", "BORN"].iter().find_map(|word| upper.find(word));
        is_id.then_some(Columns { id: (0, name), name: (name, end), born })
    }

    fn cells(&self, line: &str) -> [String; 3] {
        let part = |(start, end): (usize, usize)| line.chars().skip(start).take(end - start).collect();
        let born = self.born.map_or_else(String::new, |start| line.chars().skip(start).take(10).collect());
        [part(self.id), part(self.name), born]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ID Number      Name                          Fed Sex Tit  FOA   SRtng SGm B-day Flag\n\
                        35             Sarkar, Ann                   IND F              1650  0   1988  i   \n\
                        1000012        O'Brien, Åsa                  IRL F   WGM        2210  4   0000      \n\
                        1000012        Second, Sam                   IRL M              2100  0   1970      \n\
                        x              No, Id                        IRL M              2100  0   1970      \n";

    #[test]
    fn players_are_found_by_their_ids() -> Result<(), RatingListError> {
        let letters = "<playerslist><player><fideid>14</fideid><name>Andr&#233;, <![CDATA[&]]>&#xC9;va</name><birthday>2400\
                       </birthday></player><player><fideid>15</fideid><name>Andr&eacute;</name></player></playerslist>";
        let list = RatingList::read(letters.as_bytes())?;
        assert_eq!(list.find(14)?, Some(ListedPlayer { name: "André, &Éva".to_owned(), born: None }));
        assert_eq!(list.find(15)?, None);
        let xml = "<?xml version=\"1.0\"?>\n<playerslist>\n<player>\n<fideid>1000012</fideid>\n<name>O&apos;Brien, Åsa</name>\n\
                   <country>IRL</country>\n<birthday></birthday></player>\n<player><name>Sarkar, Ann</name><fideid>35</fideid>\
                   <birthday>1988</birthday></player></playerslist>";
        let latin: Vec<u8> = TEXT.chars().map(|letter| letter as u8).collect();
        for list in [TEXT.as_bytes(), &latin, xml.as_bytes(), &[b"\xEF\xBB\xBF", TEXT.as_bytes()].concat()] {
            let list = RatingList::read(list)?;
            let player = |name: &str, born| Some(ListedPlayer { name: name.to_owned(), born });
            assert_eq!(list.find(35)?, player("Sarkar, Ann", Some(1988)));
            assert_eq!(list.find(1_000_012)?, player("O'Brien, Åsa", None));
            assert_eq!(list.find(36)?, None);
        }
        for (text, reason) in [
            ("", "no players"),
            ("Name  ID Number  Fed\n", "first line"),
            ("ID Number  Name   Fed\n", "no players"),
            ("<playerslist></playerslist>", "no players"),
            ("<playerslist></player>", "damaged"),
            ("<playerslist><player><fideid>14</fideid><name>An", "middle of a player"),
        ] {
            let read = RatingList::read(text.as_bytes()).map_err(|error| error.to_string());
            assert!(read.as_ref().is_err_and(|error| error.contains(reason)), "{text}: {read:?}");
        }
        assert!(matches!(RatingList::read(&[b'a'; 1 << 13][..]), Err(RatingListError::Line(1))));
        Ok(())
    }
}
