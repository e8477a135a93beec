//! Byte strings, such as cards of games.

use std::{borrow::Cow, io};

use memmap2::Mmap;

use super::temporary::Appended;

/// Byte strings that are added once, and then read in that order or at random.
#[derive(Debug)]
pub struct Log {
    max_in_memory: usize,
    /// The last ones, each after its length.
    memory: Vec<u8>,
    /// The values before these.
    file: Appended,
}

/// The length of a byte string, before it.
type Length = [u8; 4];

impl Log {
    /// No byte strings; at most `max_in_memory` bytes of them will be in memory, or one.
    pub const fn with_limit(max_in_memory: usize) -> Log {
        Log { max_in_memory, memory: Vec::new(), file: Appended::new() }
    }

    /// Adds a byte string, which consists of these parts. Returns where it is.
    #[inline]
    pub fn push<const PARTS: usize>(&mut self, parts: [&[u8]; PARTS]) -> io::Result<u64> {
        let length = parts.iter().map(|part| part.len()).sum::<usize>();
        let prefix: Length = u32::try_from(length).map_err(io::Error::other)?.to_le_bytes();
        if self.memory.capacity() - self.memory.len() < prefix.len() + length {
            self.make_room(prefix.len() + length)?;
        }
        let at = self.end();
        self.memory.extend_from_slice(&prefix);
        parts.iter().for_each(|part| self.memory.extend_from_slice(part));
        Ok(at)
    }

    /// Where the next byte string will be.
    pub const fn end(&self) -> u64 {
        self.file.length() + self.memory.len() as u64
    }

    /// Makes room for so many bytes in memory.
    #[cold]
    fn make_room(&mut self, bytes: usize) -> io::Result<()> {
        if self.memory.len() + bytes > self.max_in_memory {
            self.spill()?;
        }
        let doubled = (2 * self.memory.capacity()).min(self.max_in_memory);
        self.memory.reserve_exact(doubled.saturating_sub(self.memory.len()).max(bytes));
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        if !self.memory.is_empty() {
            self.file.append(&self.memory)?;
            self.memory.clear();
        }
        Ok(())
    }

    /// Adds all byte strings of another log. Returns how much farther they are in this one.
    pub fn append(&mut self, other: Log) -> io::Result<u64> {
        let start = self.end();
        if other.file.length() > 0 || self.memory.len() + other.memory.len() > self.max_in_memory {
            self.spill()?;
            self.file.append_file(other.file)?;
            self.memory = other.memory;
            if self.memory.len() > self.max_in_memory {
                self.spill()?;
            }
        } else if !other.memory.is_empty() {
            self.make_room(other.memory.len())?;
            self.memory.extend_from_slice(&other.memory);
        }
        Ok(start)
    }

    /// All byte strings, for reading.
    pub fn written(self) -> WrittenLog {
        let mapped = self.file.mapped();
        WrittenLog { memory: self.memory, file: self.file, mapped }
    }
}

/// The byte strings of a [`Log`]. Several threads can read them.
#[derive(Debug)]
pub struct WrittenLog {
    memory: Vec<u8>,
    file: Appended,
    /// The file in memory, where each byte string is found ten times as fast.
    mapped: Option<Mmap>,
}

impl WrittenLog {
    /// Number of bytes that are read from the file at once, if all are read.
    const READ_AT_ONCE: usize = 1 << 16;
    /// Number of bytes that are read from the file for one byte string. Few are longer.
    const READ_FOR_ONE: usize = 1 << 10;

    /// Shows all byte strings, and where each is.
    pub fn for_each(&self, mut take: impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<()> {
        let (mut at, mut read) = (0, 0);
        let mut buffer = Vec::new();
        while read < self.file.length() {
            let known = buffer.len();
            let more = Self::READ_AT_ONCE.min(usize::try_from(self.file.length() - read).unwrap_or(usize::MAX));
            buffer.resize(known + more, 0);
            self.file.read_exact(&mut buffer[known..], read)?;
            read += more as u64;
            let rest = each(&buffer, &mut at, &mut take)?;
            let shown = buffer.len() - rest.len();
            buffer.drain(..shown);
        }
        let rest = each(&self.memory, &mut at, &mut take)?;
        if buffer.is_empty() && rest.is_empty() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Reads its file instead of a map of it: what is read in a map counts as memory.
    pub fn unmapped(self) -> WrittenLog {
        WrittenLog { mapped: None, ..self }
    }

    /// Reads the byte strings one after the other.
    pub const fn cursor(&self) -> LogCursor<'_> {
        LogCursor { log: self, at: 0 }
    }

    /// The byte string at `at`. It is copied only if it is in a file that cannot be mapped.
    pub fn get(&self, at: u64) -> io::Result<Cow<'_, [u8]>> {
        if let Some(at) = at.checked_sub(self.file.length()) {
            return find(&self.memory, at).map(Cow::Borrowed);
        }
        if let Some(mapped) = &self.mapped {
            return find(mapped, at).map(Cow::Borrowed);
        }
        let mut buffer = Vec::new();
        let length = self.read(at, &mut buffer)?.len();
        Ok(Cow::Owned(buffer.get(size_of::<Length>()..).and_then(|bytes| bytes.get(..length)).unwrap_or_default().to_vec()))
    }

    /// Reads the byte string at `at`. `buffer` is used if it is in a file that cannot be mapped.
    pub fn read<'a>(&'a self, at: u64, buffer: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        if let Some(at) = at.checked_sub(self.file.length()) {
            return find(&self.memory, at);
        }
        if let Some(mapped) = &self.mapped {
            return find(mapped, at);
        }
        buffer.resize(buffer.len().max(Self::READ_FOR_ONE), 0);
        let read = self.file.read(buffer, at)?;
        let length = buffer[..read].first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
        let end = size_of::<Length>() + u32::from_le_bytes(*length) as usize;
        if read < end {
            buffer.resize(end, 0);
            self.file.read_exact(&mut buffer[read..], at + read as u64)?;
        }
        Ok(&buffer[size_of::<Length>()..end])
    }
}

/// Reads the byte strings of a [`WrittenLog`] in their order.
#[derive(Debug)]
pub struct LogCursor<'a> {
    log: &'a WrittenLog,
    at: u64,
}

impl<'a> LogCursor<'a> {
    /// The next byte string.
    pub fn read(&mut self) -> io::Result<Cow<'a, [u8]>> {
        let bytes = self.log.get(self.at)?;
        self.at += (size_of::<Length>() + bytes.len()) as u64;
        Ok(bytes)
    }
}

/// Shows the byte strings in `bytes`, the first of which is at `at`. Returns the rest, which is not
/// complete.
fn each<'a>(mut bytes: &'a [u8], at: &mut u64, take: &mut impl FnMut(u64, &[u8]) -> io::Result<()>) -> io::Result<&'a [u8]> {
    while let Some((one, rest)) = next(bytes) {
        take(*at, one)?;
        *at += (bytes.len() - rest.len()) as u64;
        bytes = rest;
    }
    Ok(bytes)
}

/// The byte string at `at` in `bytes`.
fn find(bytes: &[u8], at: u64) -> io::Result<&[u8]> {
    let rest = usize::try_from(at).ok().and_then(|at| bytes.get(at..));
    rest.and_then(next).map(|(bytes, _)| bytes).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// The byte string at the start of `bytes`, and what follows it. `None` if it is not complete.
#[inline]
fn next(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<{ size_of::<Length>() }>()?;
    rest.split_at_checked(u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// Byte strings of many lengths.
    fn strings() -> Vec<Vec<u8>> {
        (0..500).map(|number: u32| number.to_le_bytes().repeat((number as usize * 7919) % 331)).collect()
    }

    #[test]
    fn limits_change_nothing() -> io::Result<()> {
        let strings = strings();
        for limit in [0, 7, 1000, 30_000, 1 << 20] {
            let mut log = Log::with_limit(limit);
            // Every fifth byte string, and later every 50th, is added with those of another log.
            let mut other = Log::with_limit(limit / 2);
            let (mut places, mut places_in_other) = (Vec::new(), Vec::new());
            for (at, bytes) in strings.iter().enumerate() {
                let (head, tail) = bytes.split_at(bytes.len() / 3);
                places_in_other.push(other.push([head, tail])?);
                if at % if at < 250 { 5 } else { 50 } == 0 || at + 1 == strings.len() {
                    let farther = log.append(std::mem::replace(&mut other, Log::with_limit(limit / 2)))?;
                    places.extend(places_in_other.drain(..).map(|at| at + farther));
                }
            }
            assert!(log.memory.capacity() <= limit.max(4 + 330 * 4), "limit {limit}: {}", log.memory.capacity());
            let mut log = log.written();
            assert_eq!(log.mapped.is_some(), limit < 1 << 20);
            if limit == 1000 {
                log.mapped = None;
            }
            let mut read = Vec::new();
            log.for_each(|at, bytes| {
                read.push((at, bytes.to_vec()));
                Ok(())
            })?;
            let expected: Vec<_> = places.into_iter().zip(strings.iter().cloned()).collect();
            assert!(read == expected, "limit {limit}");
            let (log, expected) = (&log, &expected);
            thread::scope(|scope| {
                let readers = [0, 1].map(|part| {
                    scope.spawn(move || {
                        let mut buffer = Vec::new();
                        for (at, bytes) in expected.iter().rev().skip(part) {
                            assert!(log.read(*at, &mut buffer).is_ok_and(|read| read == *bytes), "limit {limit}: {at}");
                        }
                    })
                });
                assert!(readers.into_iter().all(|reader| reader.join().is_ok()));
            });
            assert!(log.read(log.file.length() + log.memory.len() as u64, &mut Vec::new()).is_err());
        }
        Ok(())
    }
}
