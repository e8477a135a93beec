//! Frames of Zstandard, found from the headers of frames and blocks (RFC 8878, section 3.1).

use std::{
    io::{self, BufRead, Read},
    ops::Range,
};

use zstd::{
    Decoder,
    zstd_safe::{get_error_name, zstd_sys::ZSTD_ErrorCode},
};

use super::{
    Bytes, BytesReader,
    fixed_step::{FixedInput, Member, Members},
    memory_limit::{MAX_WINDOW, TooMuchMemory},
    parts::{LARGEST, Part, Unpacked, Work},
};

/// Maximum window of a frame that is decompressed ahead, in bytes.
const MAX_WINDOW_AHEAD: u64 = 8 << 20;

/// One frame.
struct Frame<R: BufRead>(Decoder<'static, R>);

impl<R: BufRead> Member<R> for Frame<R> {
    fn begin(packed: R) -> io::Result<Frame<R>> {
        let mut decoder = Decoder::with_buffer(packed)?.single_frame();
        decoder.window_log_max(MAX_WINDOW.ilog2())?;
        Ok(Frame(decoder))
    }

    fn finish(self) -> R {
        self.0.finish()
    }
}

impl<R: BufRead> Read for Frame<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // The crate keeps the name of an error, but not its number.
        let code = (ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge as usize).wrapping_neg();
        self.0.read(into).map_err(|error| match error.get_ref() {
            Some(source) if source.to_string() == get_error_name(code) => TooMuchMemory { command: "zstd -d --long=31" }.into(),
            _ => error,
        })
    }
}

/// Reads the frames of a stream.
pub(super) fn stream(packed: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(Members::<_, Frame<_>>::new(FixedInput::new(packed)))
}

/// Maximum length of a decompressed block.
const LARGEST_BLOCK: usize = 128 << 10;

/// Maximum length of a frame that is decompressed ahead. The length is an upper bound, because
/// blocks are often shorter than allowed. So this is more than [`LARGEST`].
const MAX_AHEAD: usize = 4 * LARGEST;

/// The frames of an archive. Data that is not a complete frame is read as a stream, so that the
/// decoder reports what is wrong.
pub(super) struct Frames {
    packed: Bytes,
    at: usize,
    /// Number of bytes in which the end of a frame is looked for. A longer frame is read with all
    /// that follows it.
    within: usize,
}

impl Frames {
    /// The frames up to the first one that takes more than [`MAX_AHEAD`] bytes of the archive, and
    /// the rest. To find the end of that frame, all of it would have to be read twice.
    pub fn new(packed: Bytes) -> Frames {
        Frames { packed, at: 0, within: MAX_AHEAD }
    }

    /// All frames from `at` on, where one begins.
    pub fn from(packed: Bytes, at: usize) -> Frames {
        Frames { packed, at, within: usize::MAX }
    }
}

impl Iterator for Frames {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        let start = self.at;
        if start >= self.packed.len() {
            return None;
        }
        let frame = frame_at(&self.packed, start, self.within);
        let (range, most, window) = frame.unwrap_or((start..self.packed.len(), usize::MAX, u64::MAX));
        self.at = range.end;
        let work = if most > MAX_AHEAD || window > MAX_WINDOW_AHEAD {
            Work::InTurn { most: window.min(MAX_WINDOW) as usize, reader: stream(BytesReader::new(&self.packed, range)) }
        } else {
            let packed = self.packed.clone();
            Work::Ahead { most: most.min(LARGEST), unpack: Box::new(move || unpack(&packed, range, most)) }
        };
        Some(Part { start: start as u64, work })
    }
}

/// Where the frame at `start` ends; `None` if no frame can begin after it.
pub(super) fn frame_end(packed: &[u8], start: usize) -> Option<usize> {
    frame_at(packed, start, usize::MAX).map(|(range, ..)| range.end).filter(|end| *end < packed.len())
}

/// The frame that starts at `start`, if it is complete, its maximum decompressed length, and its
/// window in bytes. Its end is looked for in `within` bytes. If it is not there, the frame is
/// returned as if it reached the end of `packed`, and its length as unknown, which is the maximum.
fn frame_at(packed: &[u8], start: usize, within: usize) -> Option<(Range<usize>, usize, u64)> {
    let bytes = |at: usize, length: usize| {
        let bytes = packed.get(at..at.checked_add(length)?)?;
        Some(bytes.iter().rev().fold(0_usize, |number, byte| number << 8 | usize::from(*byte)))
    };
    let magic = bytes(start, 4)?;
    if magic & 0xFFFF_FFF0 == 0x184D_2A50 {
        let end = (start + 8).checked_add(bytes(start + 4, 4)?)?;
        return (end <= packed.len()).then_some((start..end, 0, 0));
    }
    if magic != 0xFD2F_B528 {
        return None;
    }
    let descriptor = bytes(start + 4, 1)?;
    let single_segment = descriptor & 0x20 != 0;
    let dictionary_id = [0, 1, 2, 4][descriptor & 3];
    let content_size = [usize::from(single_segment), 2, 4, 8][descriptor >> 6];
    let mut at = start + 5 + usize::from(!single_segment) + dictionary_id;
    let window = if single_segment {
        let size = bytes(at, content_size)? as u64;
        // Sizes in two bytes start at 256.
        if content_size == 2 { size + 256 } else { size }
    } else {
        let window = bytes(start + 5, 1)?;
        let base = 1_u64 << (10 + (window >> 3));
        base + base / 8 * (window as u64 & 7)
    };
    at += content_size;
    let mut most = 0_usize;
    loop {
        let header = bytes(at, 3)?;
        let size = header >> 3;
        let (packed_size, unpacked_size) = match (header >> 1) & 3 {
            0 => (size, size),
            1 => (1, size),
            2 => (size, LARGEST_BLOCK),
            _ => return None,
        };
        at += 3 + packed_size;
        most = most.saturating_add(unpacked_size);
        if at - start > within {
            return Some((start..packed.len(), usize::MAX, window));
        }
        if header & 1 != 0 {
            break;
        }
    }
    let end = at + if descriptor & 4 != 0 { 4 } else { 0 };
    (end <= packed.len()).then_some((start..end, most, window))
}

fn unpack(packed: &Bytes, range: Range<usize>, most: usize) -> Unpacked {
    if most > LARGEST {
        return Unpacked::read(stream(BytesReader::new(packed, range)), most);
    }
    let mut text = Vec::with_capacity(most);
    // Decompressing at once needs no window. For damaged frames, a stream shows how far they can be
    // read.
    let whole = zstd::bulk::Decompressor::new().and_then(|mut all| all.decompress_to_buffer(&packed[range.clone()], &mut text));
    match whole {
        Ok(_) => {
            packed.release(range);
            Unpacked { text, rest: None, is_last: false }
        }
        Err(_) => Unpacked::read(stream(BytesReader::new(packed, range)), most),
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write, sync::Arc};

    use super::*;

    /// Frames of texts of these lengths, one after the other.
    fn archive(lengths: &[usize]) -> io::Result<Bytes> {
        let mut packed = Vec::new();
        for length in lengths {
            let mut frame = zstd::Encoder::new(&mut packed, 1)?;
            frame.write_all(&vec![b'x'; *length])?;
            frame.finish()?;
        }
        Ok(Bytes::from(Arc::<[u8]>::from(packed)))
    }

    #[test]
    fn a_long_frame_is_read_with_what_follows_it() -> io::Result<()> {
        let packed = archive(&[1000, 2 << 20, 1000, 1000])?;
        let starts = |frames: Frames| -> Vec<u64> { frames.map(|part| part.start).collect() };
        let all = starts(Frames::from(packed.clone(), 0));
        assert_eq!(all.len(), 4);
        assert_eq!(starts(Frames::new(packed.clone())), all);
        // Its first blocks take more.
        let frames = || Frames { packed: packed.clone(), at: 0, within: 50 };
        assert_eq!(starts(frames()), all[..2]);
        let mut length = 0;
        for Part { work, .. } in frames() {
            length += match work {
                Work::Ahead { unpack, .. } => unpack().text.len() as u64,
                Work::InTurn { mut reader, .. } => io::copy(&mut reader, &mut io::sink())?,
            };
        }
        assert_eq!(length, 3000 + (2 << 20));
        Ok(())
    }
}
