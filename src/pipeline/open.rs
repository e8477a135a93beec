//! Opens inputs and pieces of them: recognises the format, and what they are packed in.

use std::{
    io::{self, Cursor, Read},
    sync::Arc,
};

use rayon::ThreadPool;

use super::{
    Settings,
    checks::{InputChecks, RunChecks},
    emit::OpenInput,
    input_piece::PieceOfInput,
    panics::{guarded, trial},
    stream::{Piece, PieceEnd, Stream},
};
use crate::{
    corpus::{
        Bytes, BytesReader, Content, Failing, HEAD, Input, MAX_HOLE, MAX_LAYERS, Members, OpenError, Packing, RangeWatch,
        Recognised, Source, Watch, converted, is_hole, members, nuls_before_text, recognise, spool,
    },
    table::{Columns, Layout},
};

/// Why a file is not read that does not have the size in the plan.
pub(super) const CHANGED_SINCE_PLAN: &str = "changed since the plan was made; make a new plan and audit all shards again";

/// An input that has been opened.
pub(super) enum Opened {
    /// All its text is in memory.
    Text(Box<OpenInput>, Bytes, Arc<InputChecks>),
    /// It is read as a stream.
    Stream(Box<OpenInput>, Box<Stream>),
    /// It is empty.
    Nothing(Box<OpenInput>),
    /// It is not read.
    Unread(Box<OpenInput>, Unread),
    /// It is an archive.
    Members(Members),
}

/// Why an input is not read.
pub(super) enum Unread {
    /// It is not text that can be read here: UTF-32, or an archive.
    Foreign(&'static str),
    /// It is a document or a database without games as text: what it is.
    NotChess(&'static str),
    /// It cannot be opened: what was being done, and the reason.
    Failed(&'static str, String),
}

impl Opened {
    /// Notes how a change of the input can be noticed, and the size of its file.
    fn watched(mut self, watch: Option<Watch>, size: Option<u64>) -> Opened {
        match &mut self {
            Opened::Text(input, ..) | Opened::Stream(input, _) | Opened::Nothing(input) | Opened::Unread(input, _) => {
                (input.file.watch, input.file.size) = (watch, size);
            }
            Opened::Members(..) => {}
        }
        self
    }

    /// Notes that the text was converted from UTF-16.
    fn converted(mut self) -> Opened {
        match &mut self {
            Opened::Text(input, ..) | Opened::Stream(input, _) | Opened::Nothing(input) => input.about.is_converted = true,
            Opened::Unread(..) | Opened::Members(..) => {}
        }
        self
    }
}

/// Opens the inputs of a run.
pub(super) struct Opener<'a> {
    settings: &'a Settings,
    checks: RunChecks<'a>,
    pool: &'a Arc<ThreadPool>,
}

impl<'a> Opener<'a> {
    /// Opens inputs with these settings. Archives are unpacked in this pool.
    pub fn new(settings: &'a Settings, pool: &'a Arc<ThreadPool>) -> Opener<'a> {
        Opener { settings, checks: RunChecks::of(settings), pool }
    }

    /// The checks of an input whose records are laid out like this.
    pub fn checks(&self, layout: Layout) -> Arc<InputChecks> {
        Arc::new(self.checks.of_input(layout))
    }

    /// Opens an input and recognises its format.
    pub fn open(&self, input: &Input) -> Opened {
        let opened = guarded("this input", || {
            trial("open", input.name.as_bytes(), 0);
            input.open(self.settings.map).map(|content| self.open_content(input, content)).map_err(|error| error.to_string())
        });
        opened.flatten().unwrap_or_else(|message| unread(input, Unread::Failed("open", message)))
    }

    /// Opens a small file or a member of an archive whose text is not packed; otherwise `None`.
    /// Needs no other thread of the pool.
    pub fn open_small(&self, input: &Input) -> Option<Opened> {
        let opened = guarded("this input", || {
            trial("open", input.name.as_bytes(), 0);
            let content = match input.source {
                Source::Member(_) => input.read_member()?,
                _ => input.read_small(self.settings.split.is_some())?,
            };
            let is_plain = matches!(&content, Content::Whole(text) if Packing::of(text).is_none());
            is_plain.then(|| self.open_content(input, content))
        });
        opened.ok().flatten()
    }

    fn open_content(&self, input: &Input, content: Content) -> Opened {
        let (watch, size) = (content.watch().cloned(), content.stored_size());
        self.recognise_content(input, content).watched(watch, size)
    }

    fn recognise_content(&self, input: &Input, content: Content) -> Opened {
        match content {
            Content::Whole(text) => match self.recognise_text(input, &text) {
                Recognised::Packed(Packing::Zip) => self.open_members(input, &text),
                Recognised::Packed(packing) => self.open_stream(input, packing.unpack(text, self.pool), 1),
                Recognised::Utf16(_) => self.open_stream(input, Box::new(BytesReader::of(&text)), 0),
                recognised => match layout_of(input, recognised) {
                    Ok(layout) if text.is_empty() => Opened::Nothing(OpenInput::of(input, Some(layout.format()))),
                    Ok(layout) => Opened::Text(OpenInput::of(input, Some(layout.format())), text, self.checks(layout)),
                    Err(why) => unread(input, why),
                },
            },
            Content::Stream(reader, _) => self.open_stream(input, reader, 0),
        }
    }

    /// Recognises the format of a stream. `unpacked` is the number of archives around it.
    fn open_stream(&self, input: &Input, mut reader: Box<dyn Read + Send>, unpacked: usize) -> Opened {
        let verb = if unpacked > 0 { "decompress" } else { "read" };
        let failed = |error: &io::Error| unread(input, Unread::Failed("read", format!("cannot {verb}: {error}")));
        let mut buffer = Vec::new();
        let mut failure = reader.by_ref().take(HEAD as u64).read_to_end(&mut buffer).err();
        if let (Some(error), true) = (&failure, buffer.is_empty()) {
            return failed(error);
        }
        // The text after NULs shows the format. Then all of them are read as text.
        let mut hole = 0;
        while failure.is_none() && hole < MAX_HOLE && buffer.len() == HEAD && is_hole(&buffer) {
            hole += HEAD;
            buffer.clear();
            failure = reader.by_ref().take(HEAD as u64).read_to_end(&mut buffer).err();
        }
        let nuls = if hole == 0 { nuls_before_text(&buffer) } else { buffer.iter().take_while(|byte| **byte == 0).count() };
        if failure.is_none() {
            failure = reader.by_ref().take(nuls as u64).read_to_end(&mut buffer).err();
        }
        let mut ended = buffer.len() < HEAD + nuls;
        let recognised = match &buffer[nuls..] {
            _ if hole >= MAX_HOLE => Recognised::NotText,
            [] if hole > 0 => Recognised::NotText,
            head => self.recognise(input, head, ended).after_nuls(hole + nuls),
        };
        if hole > 0 {
            let rest = Cursor::new(buffer).chain(or_failing(reader, failure.take()));
            reader = Box::new(io::repeat(0).take(hole as u64 - HEAD as u64).chain(rest));
            (buffer, ended) = (vec![0; HEAD], false);
        }
        if failure.is_none()
            && let Recognised::Packed(packing) = recognised
            && unpacked < MAX_LAYERS
        {
            let packed = Box::new(Cursor::new(buffer).chain(reader));
            return match packing {
                Packing::Zip => match spool(packed) {
                    Ok(archive) => self.open_members(input, &archive),
                    Err(error) => failed(&error),
                },
                packing => self.open_stream(input, packing.unpack_stream(packed), unpacked + 1),
            };
        }
        if let Recognised::Utf16(order) = recognised {
            // The converter reports a read error after the first bytes.
            let text = Cursor::new(buffer).chain(or_failing(reader, failure));
            return self.open_stream(input, converted(Box::new(text), order), unpacked).converted();
        }
        match layout_of(input, recognised) {
            Ok(layout) if buffer.is_empty() => Opened::Nothing(OpenInput::of(input, Some(layout.format()))),
            Ok(layout) => {
                let unpacked = unpacked > 0 || matches!(input.source, Source::Member(_));
                let stream = Stream::new(reader, buffer, ended, failure, layout, unpacked);
                Opened::Stream(OpenInput::of(input, Some(layout.format())), Box::new(stream))
            }
            Err(why) => unread(input, why),
        }
    }

    fn open_members(&self, input: &Input, archive: &Bytes) -> Opened {
        match members(archive, &input.name, &self.settings.exclude) {
            Members { failure: Some(error), .. } if error.kind() == io::ErrorKind::Unsupported => {
                unread(input, Unread::Failed("read", format!("cannot decompress: {error}")))
            }
            members => Opened::Members(members),
        }
    }

    /// Recognises what a text is.
    fn recognise_text(&self, input: &Input, text: &[u8]) -> Recognised {
        let nuls = nuls_before_text(text);
        let rest = &text[nuls..];
        self.recognise(input, &rest[..rest.len().min(HEAD)], rest.len() <= HEAD).after_nuls(nuls)
    }

    /// Recognises what an input is from its start.
    fn recognise(&self, input: &Input, head: &[u8], is_whole: bool) -> Recognised {
        let none = Columns::default();
        let columns = if input.format.is_some() { &none } else { &self.settings.columns };
        recognise(head, &input.name, is_whole, columns)
    }

    /// Opens a piece: recognises the format from the start of the input, and goes to the piece.
    pub fn open_piece(&self, input: &Input, piece: &PieceOfInput) -> Result<(Box<OpenInput>, PieceText, RangeWatch), Unreadable> {
        let refused = |error: OpenError| failed(input, "open", error.to_string());
        let content = match input.open(self.settings.map || piece.packing.is_some()).map_err(refused)? {
            // A file that cannot be mapped is read from the start of the piece on.
            Content::Stream(..) if piece.packing.is_none() => input.open_at(0).map_err(refused)?,
            content => content,
        };
        let is_whole = piece.size <= HEAD as u64;
        let changed = || failed(input, "read", CHANGED_SINCE_PLAN.to_owned());
        let watch = content.watch().cloned();
        let range_watch = RangeWatch::default();
        let (mut opened, layout, reader): (_, _, Box<dyn Read + Send>) = match (content, piece.packing) {
            (Content::Whole(text), None) => {
                if text.len() as u64 != piece.size {
                    return Err(changed());
                }
                let (mut opened, layout) = self.recognise_piece(input, &text[..text.len().min(HEAD)], is_whole)?;
                opened.file.watch = watch;
                return Ok((opened, PieceText::Mapped(text, layout), range_watch));
            }
            (Content::Whole(packed), Some(packing)) => {
                if packed.len() as u64 != piece.size || Packing::of(&packed) != Some(packing) {
                    return Err(changed());
                }
                let head = packing.unpack_stream(Box::new(BytesReader::of(&packed)));
                let (opened, layout) = match self.open_stream(input, head, 1) {
                    Opened::Stream(opened, stream) if !opened.about.is_converted => (opened, stream.layout),
                    Opened::Unread(opened, why) => return Err(Box::new((opened, why))),
                    _ => return Err(changed()),
                };
                let range = (piece.from, piece.to.unwrap_or(u64::MAX));
                let reader = packing.unpack_range(packed, range, range_watch.clone(), self.pool);
                (opened, layout, reader)
            }
            (Content::Stream(mut head, _), None) => {
                let mut buffer = Vec::new();
                let unreadable = |error: io::Error| failed(input, "read", format!("cannot read: {error}"));
                head.by_ref().take(HEAD as u64).read_to_end(&mut buffer).map_err(unreadable)?;
                if input.size_on_disk() != Some(piece.size) {
                    return Err(changed());
                }
                let (opened, layout) = self.recognise_piece(input, &buffer, is_whole)?;
                match input.open_at(piece.from).map_err(refused)? {
                    Content::Stream(reader, _) => (opened, layout, reader),
                    Content::Whole(_) => return Err(changed()),
                }
            }
            (Content::Stream(..), Some(_)) => {
                let message = "the file cannot be mapped into memory, so it cannot be read in parts; make a plan with a larger \
                               `--target-size`";
                return Err(failed(input, "open", message.to_owned()));
            }
        };
        opened.file.watch = watch;
        let end = match (piece.to, piece.packing) {
            (None, _) => PieceEnd::Never,
            (Some(to), None) => PieceEnd::At(piece.base + (to - piece.from)),
            (Some(_), Some(_)) => PieceEnd::Seen { watch: range_watch.clone(), base: piece.base },
        };
        let unpacked = piece.packing.is_some();
        let stream = Stream::of_piece(reader, piece.base, Piece::new(end, piece.context), layout, unpacked);
        Ok((opened, PieceText::Stream(Box::new(stream)), range_watch))
    }

    /// Recognises the format of a text of which a piece is read.
    fn recognise_piece(&self, input: &Input, head: &[u8], is_whole: bool) -> Result<(Box<OpenInput>, Layout), Unreadable> {
        match layout_of(input, self.recognise(input, head, is_whole)) {
            Ok(layout) => Ok((OpenInput::of(input, Some(layout.format())), layout)),
            Err(why) => Err(Box::new((OpenInput::of(input, None), why))),
        }
    }
}

/// What comes after the bytes that were read: the error, if reading failed.
fn or_failing(reader: Box<dyn Read + Send>, failure: Option<io::Error>) -> Box<dyn Read + Send> {
    match failure {
        Some(error) => Box::new(Failing(Some(error))),
        None => reader,
    }
}

/// How the records of an input are laid out that is read as text; else why it is not.
pub(super) fn layout_of(input: &Input, recognised: Recognised) -> Result<Layout, Unread> {
    let foreign = |kind| Err(Unread::Foreign(kind));
    let failed = |reason| Err(Unread::Failed("recognise", reason));
    match recognised {
        // The user may want to read it in another way.
        Recognised::Text(layout) => Ok(input.format.map_or(layout, Layout::of)),
        Recognised::NoColumn(reason) => failed(reason.to_string()),
        // Text in UTF-16 is converted before this.
        Recognised::Utf16(_) => foreign("UTF-16"),
        Recognised::WideText(encoding) => foreign(encoding),
        Recognised::Packed(packing) => foreign(packing.as_str()),
        Recognised::Archive(kind) => foreign(kind),
        // The user wants to read this file as games.
        Recognised::Document(_)
            if let Some(format) = input.format
                && !input.scanned =>
        {
            Ok(Layout::of(format))
        }
        Recognised::Document(kind) | Recognised::Database(kind) => Err(Unread::NotChess(kind)),
        Recognised::NotText => failed("not a text file".to_owned()),
    }
}

fn unread(input: &Input, why: Unread) -> Opened {
    Opened::Unread(OpenInput::of(input, None), why)
}

/// An input that is not read, and why.
pub(super) type Unreadable = Box<(Box<OpenInput>, Unread)>;

pub(super) fn failed(input: &Input, stage: &'static str, message: String) -> Unreadable {
    Box::new((OpenInput::of(input, None), Unread::Failed(stage, message)))
}

/// The text of which a piece is read.
pub(super) enum PieceText {
    /// All of it, in memory, and how its records are laid out.
    Mapped(Bytes, Layout),
    /// The text from the start of the piece on.
    Stream(Box<Stream>),
}
