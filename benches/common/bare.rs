//! The baseline: what pgn-reader and shakmaty do by themselves. Games are replayed, positions set up; that every move is legal is all
//! that is checked.

use std::{hint::black_box, ops::ControlFlow};

use memchr::{memchr, memmem};
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

/// Games and plies of a bare replay.
pub fn games(text: &[u8]) -> (u64, u64) {
    let mut reader = Reader::new(text);
    let (mut games, mut plies) = (0, 0);
    while let Some(played) = reader.read_game(&mut Bare).expect("bytes in memory can be read") {
        games += 1;
        plies += played;
    }
    (games, plies)
}

/// Games and plies of a bare replay of chunks, on all threads of the pool it is run in.
pub fn games_in_chunks(text: &[u8]) -> (u64, u64) {
    chunks(text, b"\n\n[Event ", 2).par_iter().map(|chunk| games(chunk)).reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

/// Positions that shakmaty accepts.
pub fn positions(text: &[u8]) -> u64 {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let positions =
        lines.filter_map(|line| Fen::from_ascii(line.trim_ascii_end()).ok()?.into_position::<Chess>(CastlingMode::Chess960).ok());
    positions
        .inspect(|position| {
            black_box(position);
        })
        .count() as u64
}

/// Positions in chunks that shakmaty accepts, on all threads of the pool it is run in.
pub fn positions_in_chunks(text: &[u8]) -> u64 {
    chunks(text, b"\n", 1).par_iter().map(|chunk| positions(chunk)).sum()
}

/// Lines that end, found and looked at no further.
pub fn line_ends(mut text: &[u8]) -> u64 {
    let mut lines = 0;
    while let Some(end) = memchr(b'\n', text) {
        lines += 1;
        text = &text[end + 1..];
    }
    lines
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
