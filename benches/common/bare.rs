//! The baseline: what pgn-reader and shakmaty do by themselves. Games are replayed, positions set
//! up; that every move is legal is all that is checked.

use std::{hint::black_box, ops::ControlFlow};

use memchr::{memchr_iter, memmem};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use rayon::prelude::*;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// Texts are cut into pieces of about this many bytes where several threads read them.
const CHUNK: usize = 1 << 18;

/// Replays the main line of a game and says how many plies could be played.
struct Bare;

impl Visitor for Bare {
    type Tags = Option<Chess>;
    type Movetext = (Option<Chess>, u64);
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64, Self::Tags> {
        ControlFlow::Continue(Some(Chess::default()))
    }

    fn tag(&mut self, start: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<u64> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).ok();
            *start = fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Self::Tags) -> ControlFlow<u64, Self::Movetext> {
        ControlFlow::Continue((start, 0))
    }

    fn san(&mut self, (position, plies): &mut Self::Movetext, san: SanPlus) -> ControlFlow<u64> {
        if let Some(before) = position {
            match san.san.to_move(before) {
                Ok(played) => {
                    before.play_unchecked(played);
                    *plies += 1;
                }
                Err(_) => *position = None,
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<u64, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, (_, plies): Self::Movetext) -> u64 {
        plies
    }
}

/// Plies of a bare replay.
pub fn plies(text: &[u8]) -> u64 {
    let mut reader = Reader::new(text);
    let mut plies = 0;
    while let Some(played) = reader.read_game(&mut Bare).expect("bytes in memory can be read") {
        plies += played;
    }
    plies
}

/// Plies of a bare replay of chunks, on all threads of the pool it is run in.
pub fn plies_in_chunks(text: &[u8]) -> u64 {
    chunks(text, b"\n\n[Event ", 2).par_iter().map(|chunk| plies(chunk)).sum()
}

/// Positions that shakmaty accepts. It does not read EPD operations.
pub fn positions(text: &[u8]) -> u64 {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let positions = lines.filter_map(|line| {
        let fields = without_operations(line.trim_ascii_end());
        Fen::from_ascii(fields).ok()?.into_position::<Chess>(CastlingMode::Chess960).ok()
    });
    positions
        .inspect(|position| {
            black_box(position);
        })
        .count() as u64
}

/// The four fields of an EPD line that ends with an operation. Other lines are returned as they
/// are.
fn without_operations(line: &[u8]) -> &[u8] {
    if line.last() != Some(&b';') {
        return line;
    }
    memchr_iter(b' ', line).nth(3).map_or(line, |end| &line[..end])
}

/// Positions in chunks that shakmaty accepts, on all threads of the pool it is run in.
pub fn positions_in_chunks(text: &[u8]) -> u64 {
    chunks(text, b"\n", 1).par_iter().map(|chunk| positions(chunk)).sum()
}

/// A text in pieces that begin `skip` bytes into `mark`.
fn chunks<'a>(mut text: &'a [u8], mark: &[u8], skip: usize) -> Vec<&'a [u8]> {
    let mark = memmem::Finder::new(mark);
    let mut chunks = Vec::new();
    while let Some(found) = text.get(CHUNK..).and_then(|rest| mark.find(rest)) {
        let (chunk, rest) = text.split_at(CHUNK + found + skip);
        chunks.push(chunk);
        text = rest;
    }
    chunks.push(text);
    chunks
}
