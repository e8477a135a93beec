//! Inputs that are read again after the audit: found by their names, and read as the audit read
//! them.

use std::{
    collections::HashMap,
    fmt,
    io::{self, BufRead, BufReader, Cursor, Read},
    path::PathBuf,
};

use super::{
    Bytes, BytesReader, Content, Globs, Input, Packing, Source, Watch, members,
    packing::{MAX_LAYERS, MAX_MARK_LENGTH},
    spool,
    utf16::{MAX_SHOWING, byte_order, converted},
};
use crate::text::open_regular;

/// The text of an input as the audit reads it: decompressed, and converted from UTF-16 to UTF-8.
pub struct Text {
    /// The text.
    pub reader: Box<dyn Read + Send>,
    /// Whether it is compressed, or in an archive.
    pub is_packed: bool,
    /// Whether it was converted from UTF-16.
    pub is_converted: bool,
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Text { reader: _, is_packed, is_converted } = self;
        let mut text = f.debug_struct("Text");
        text.field("is_packed", is_packed).field("is_converted", is_converted).finish_non_exhaustive()
    }
}

/// The text of an input that is read again, and what shows that it changes.
pub struct Reread {
    /// The text as the audit reads it.
    pub text: Box<dyn BufRead + Send>,
    /// Shows whether the file changes; `None` if it cannot.
    pub watch: Option<Watch>,
}

impl fmt::Debug for Reread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reread").field("watch", &self.watch).finish_non_exhaustive()
    }
}

/// Number of bytes that are read from a stream at once.
const READ_AT_ONCE: usize = 1 << 18;

impl Input {
    /// Opens the input again to copy its text, without a copy in memory if it is mapped.
    pub fn reread(&self, map_files: bool) -> io::Result<Reread> {
        let content = self.open(map_files).map_err(io::Error::other)?;
        let watch = content.watch().cloned();
        let stream: Box<dyn Read + Send> = match content {
            Content::Whole(bytes)
                if Packing::of(&bytes).is_none() && byte_order(&bytes[..bytes.len().min(MAX_SHOWING)]).is_none() =>
            {
                return Ok(Reread { text: Box::new(BytesReader::of(&bytes)), watch });
            }
            Content::Whole(bytes) => Box::new(BytesReader::of(&bytes)),
            Content::Stream(reader, _) => reader,
        };
        let Unpacked { head, stream, .. } = Unpacked::of(stream)?;
        let text = match byte_order(&head) {
            Some(order) => converted(stream, order),
            None => stream,
        };
        Ok(Reread { text: Box::new(BufReader::with_capacity(READ_AT_ONCE, text)), watch })
    }

    /// The text of a file or of a member of an archive. It can be read more than once.
    pub fn text(&self) -> io::Result<Text> {
        let Unpacked { head, stream, layers } = Unpacked::of(self.stored()?)?;
        let order = byte_order(&head);
        let is_converted = order.is_some();
        let reader = match order {
            Some(order) => converted(stream, order),
            None => stream,
        };
        Ok(Text { reader, is_packed: layers > 0 || matches!(self.source, Source::Member(_)), is_converted })
    }

    /// The same input, which can be read more than once: a pipe is copied to a temporary file, up
    /// to its end.
    pub fn rereadable(self) -> io::Result<Input> {
        if !matches!(self.source, Source::Stdin | Source::Special(_)) {
            return Ok(self);
        }
        let source = match self.open(false).map_err(io::Error::other)? {
            Content::Whole(bytes) => Source::Bytes(bytes),
            Content::Stream(reader, _) => Source::Bytes(spool(reader)?),
        };
        Ok(Input { source, ..self })
    }

    /// The bytes as they are in the file or in the archive.
    fn stored(&self) -> io::Result<Box<dyn Read + Send>> {
        match &self.source {
            Source::File(path) => Ok(Box::new(BufReader::with_capacity(READ_AT_ONCE, open_regular(path)?))),
            Source::Member(member) => member.unpack(),
            Source::Bytes(bytes) => Ok(Box::new(BytesReader::of(bytes))),
            Source::Stdin | Source::Special(_) => Err(io::Error::other("it can be read only once")),
        }
    }

    /// The inputs in a zip archive, compressed once more or not; `None` if this is not an archive.
    pub fn members(&self) -> io::Result<Option<Vec<Input>>> {
        let archive = match self.open(true) {
            Ok(Content::Whole(bytes)) if Packing::of(&bytes) == Some(Packing::Zip) => bytes,
            _ => match self.spooled()? {
                Some(archive) => archive,
                None => return Ok(None),
            },
        };
        Ok(Some(members(&archive, &self.name, &Globs::default()).inputs))
    }

    fn spooled(&self) -> io::Result<Option<Bytes>> {
        let Unpacked { head, stream, layers } = Unpacked::of(self.stored()?)?;
        let is_archive = Packing::of(&head) == Some(Packing::Zip) && layers < MAX_LAYERS;
        if is_archive { spool(stream).map(Some) } else { Ok(None) }
    }
}

/// A stream without its layers of compression. A zip archive stays as it is.
struct Unpacked {
    head: Vec<u8>,
    stream: Box<dyn Read + Send>,
    layers: usize,
}

impl Unpacked {
    fn of(mut stream: Box<dyn Read + Send>) -> io::Result<Unpacked> {
        let mut layers = 0;
        loop {
            let mut head = Vec::new();
            stream.by_ref().take(MAX_SHOWING.max(MAX_MARK_LENGTH) as u64).read_to_end(&mut head)?;
            stream = Box::new(Cursor::new(head.clone()).chain(stream));
            match Packing::of(&head) {
                Some(packing) if packing != Packing::Zip && layers < MAX_LAYERS => {
                    stream = packing.unpack_stream(stream);
                    layers += 1;
                }
                _ => return Ok(Unpacked { head, stream, layers }),
            }
        }
    }
}

/// Finds inputs again by their names, such as `games.pgn` and `archive.zip/games.pgn`. It is fast
/// if members of an archive follow one another.
#[derive(Debug, Default)]
pub struct Finder {
    /// The archive that contains the last input, after those that contain the archive.
    archives: Vec<Archive>,
}

#[derive(Debug)]
struct Archive {
    name: String,
    members: HashMap<String, Input>,
}

impl Finder {
    /// The input `name`; `None` if there is none. `file` has the paths of files by name.
    pub fn find(&mut self, name: &str, file: impl Fn(&str) -> Option<PathBuf>) -> io::Result<Option<Input>> {
        self.find_in(name, |name| file(name).map(Source::File))
    }

    /// The same; `source` has the sources of inputs by name.
    pub fn find_in(&mut self, name: &str, source: impl Fn(&str) -> Option<Source>) -> io::Result<Option<Input>> {
        let at = |name: &str, source| Input { name: name.to_owned(), source, format: None, scanned: false };
        if let Some(source) = source(name) {
            return Ok(Some(at(name, source)));
        }
        let contains = |archive: &Archive| name.strip_prefix(archive.name.as_str()).is_some_and(|rest| rest.starts_with('/'));
        while self.archives.last().is_some_and(|archive| !contains(archive)) {
            self.archives.pop();
        }
        loop {
            // Names of archives are followed by a slash.
            let mut parents = name.match_indices('/').map(|(end, _)| &name[..end]);
            let outer = match self.archives.last() {
                Some(Archive { members, .. }) => match members.get(name) {
                    Some(found) => return Ok(Some(found.clone())),
                    None => parents.find_map(|parent| members.get(parent)).cloned(),
                },
                None => parents.find_map(|parent| source(parent).map(|source| at(parent, source))),
            };
            let Some(archive) = outer else { return Ok(None) };
            let Some(members) = archive.members()? else { return Ok(None) };
            let members = members.into_iter().map(|input| (input.name.clone(), input)).collect();
            self.archives.push(Archive { name: archive.name, members });
        }
    }
}
