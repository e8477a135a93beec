//! Reading lines with a limit, because an engine or a damaged file may never end a line.

use std::io::{self, BufRead};

use memchr::memchr;

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line, without its end.
    Whole,
    /// A part of a line that is too long. The rest of it was not read.
    TooLong,
    /// Nothing: the text has ended. If `line` is not empty, the last line has no end.
    End,
}

/// Reads a line of at most `max` bytes into `line`, without `\n` and `\r\n`.
pub(super) fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>, max: usize) -> io::Result<Line> {
    line.clear();
    loop {
        let bytes = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        if bytes.is_empty() {
            return Ok(Line::End);
        }
        let end = memchr(b'\n', bytes);
        let part = end.unwrap_or(bytes.len());
        if line.len() + part > max {
            reader.consume(end.map_or(part, |end| end + 1));
            return Ok(Line::TooLong);
        }
        line.extend_from_slice(&bytes[..part]);
        reader.consume(end.map_or(part, |end| end + 1));
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Line::Whole);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_have_a_limit() -> io::Result<()> {
        let text = b"uciok\r\n\nlonger than ten bytes\nabcdefghij\nrest";
        for capacity in [1, 3, 100] {
            let mut reader = BufReader::with_capacity(capacity, &text[..]);
            let mut line = Vec::new();
            for expected in ["uciok", ""] {
                assert_eq!((read_line(&mut reader, &mut line, 10)?, &line[..]), (Line::Whole, expected.as_bytes()));
            }
            assert_eq!(read_line(&mut reader, &mut line, 10)?, Line::TooLong);
            assert!(line.len() <= 10);
            // Whoever reads on finds the next line after the rest of this one.
            let mut parts = 0;
            while line != b"abcdefghij" {
                assert_ne!(read_line(&mut reader, &mut line, 10)?, Line::End);
                parts += 1;
            }
            assert!(parts <= 4, "{parts}");
            assert_eq!((read_line(&mut reader, &mut line, 10)?, &line[..]), (Line::End, &b"rest"[..]));
        }
        Ok(())
    }
}
