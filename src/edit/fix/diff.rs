//! Shows repairs as a unified diff. The changes are known, so no search for them is needed.

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, Write},
    path::Path,
};

use anstyle::{AnsiColor, Style};

use super::{
    FixError,
    apply::{Control, Counted},
    list::{Listed, Replacement},
};
use crate::{
    corpus::{Input, path_of_name},
    text::wording::printable,
};

/// Number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// Limits in bytes, because all lines of a hunk are in memory.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Maximum length of an unchanged line in a diff. A longer one ends the context.
    context: usize,
    /// Maximum length of the lines of one change.
    change: usize,
    /// Length from which on a hunk is ended, even if the next line is changed too.
    hunk: usize,
}

const LIMITS: Limits = Limits { context: 1 << 20, change: 16 << 20, hunk: 8 << 20 };

const NO_NEWLINE: &str = "\\ No newline at end of file";

/// How a diff is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiffStyle {
    /// Whether lines have colours.
    pub colour: bool,
    /// Whether characters that a terminal would obey, and bytes that are not UTF-8, are escaped.
    /// `patch` cannot apply the diff then.
    pub printable: bool,
}

/// The kinds of lines in a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DiffLine {
    File,
    Hunk,
    Context,
    Old,
    New,
    NoNewline,
}

impl DiffLine {
    const fn prefix(self) -> &'static str {
        match self {
            DiffLine::Context => " ",
            DiffLine::Old => "-",
            DiffLine::New => "+",
            DiffLine::File | DiffLine::Hunk | DiffLine::NoNewline => "",
        }
    }

    const fn colour(self) -> Style {
        match self {
            DiffLine::File => Style::new().bold(),
            DiffLine::Hunk => AnsiColor::Cyan.on_default(),
            DiffLine::Old => AnsiColor::Red.on_default(),
            DiffLine::New => AnsiColor::Green.on_default(),
            DiffLine::Context | DiffLine::NoNewline => Style::new(),
        }
    }
}

impl DiffStyle {
    /// Writes a line. `text` has no newline.
    fn line(self, to: &mut impl Write, kind: DiffLine, text: &[u8]) -> io::Result<()> {
        let style = if self.colour { kind.colour() } else { Style::new() };
        write!(to, "{style}{}", kind.prefix())?;
        if self.printable {
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            for chunk in text.utf8_chunks() {
                write!(to, "{}{}", printable(chunk.valid()), chunk.invalid().escape_ascii())?;
            }
        } else {
            to.write_all(text)?;
        }
        writeln!(to, "{style:#}")
    }

    /// Writes lines, and says if the last one has no newline.
    fn lines(self, to: &mut impl Write, kind: DiffLine, text: &[u8]) -> io::Result<u64> {
        let mut count = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            count += 1;
            match line.strip_suffix(b"\n") {
                Some(line) => self.line(to, kind, line)?,
                None => {
                    self.line(to, kind, line)?;
                    self.line(to, DiffLine::NoNewline, NO_NEWLINE.as_bytes())?;
                }
            }
        }
        Ok(count)
    }
}

/// The name of an input in a diff. Names with special characters are quoted as `diff` does, and a
/// tab follows a name with spaces, so that `patch` finds its end.
fn header_name(name: &str) -> Vec<u8> {
    let path = path_of_name(name);
    let bytes = path.as_os_str().as_encoded_bytes();
    let is_plain = |text: &str| printable(text) == text && !text.contains(['"', '\\']);
    if std::str::from_utf8(bytes).is_ok_and(is_plain) {
        let mut plain = bytes.to_vec();
        if bytes.contains(&b' ') {
            plain.push(b'\t');
        }
        return plain;
    }
    let mut quoted = vec![b'"'];
    for byte in bytes {
        match byte {
            b'"' | b'\\' => quoted.extend([b'\\', *byte]),
            b' '..=b'~' => quoted.push(*byte),
            _ => quoted.extend(format!("\\{byte:03o}").into_bytes()),
        }
    }
    quoted.push(b'"');
    quoted
}

/// A part of a diff.
#[derive(Debug, Default)]
struct Hunk {
    /// The first line, from 1.
    old_start: u64,
    new_start: u64,
    old_lines: u64,
    new_lines: u64,
    /// The unchanged lines at the start.
    leading: VecDeque<Vec<u8>>,
    /// The lines after them, as they are written.
    body: Vec<u8>,
    /// The unchanged lines since the last change.
    trailing: Vec<Vec<u8>>,
}

/// Writes hunks.
struct Hunks<'a, W> {
    to: &'a mut W,
    style: DiffStyle,
    limits: Limits,
    /// The next line, from 1.
    old_line: u64,
    new_line: u64,
    /// The unchanged lines before it, if there is no hunk.
    before: VecDeque<Vec<u8>>,
    hunk: Option<Hunk>,
}

impl<W: Write> Hunks<'_, W> {
    /// Adds an unchanged line.
    fn unchanged(&mut self, line: &[u8]) -> io::Result<()> {
        self.old_line += 1;
        self.new_line += 1;
        if let Some(hunk) = &mut self.hunk {
            hunk.trailing.push(line.to_vec());
            // The next change may begin a hunk of its own now.
            if hunk.trailing.len() == 2 * CONTEXT {
                let rest = hunk.trailing.split_off(CONTEXT);
                self.end()?;
                self.before = rest.into();
            }
            return Ok(());
        }
        if self.before.len() == CONTEXT {
            self.before.pop_front();
        }
        self.before.push_back(line.to_vec());
        Ok(())
    }

    /// Adds an unchanged line that is too long to be shown.
    fn gap(&mut self) -> io::Result<()> {
        self.old_line += 1;
        self.new_line += 1;
        self.cut()
    }

    /// Adds changed lines.
    fn changed(&mut self, old: &[u8], new: &[u8]) -> io::Result<()> {
        let before = &mut self.before;
        let (old_line, new_line) = (self.old_line, self.new_line);
        let hunk = self.hunk.get_or_insert_with(|| {
            let leading = std::mem::take(before);
            let count = leading.len() as u64;
            Hunk { old_start: old_line - count, new_start: new_line - count, leading, ..Hunk::default() }
        });
        for line in std::mem::take(&mut hunk.trailing) {
            hunk.old_lines += 1;
            hunk.new_lines += 1;
            self.style.lines(&mut hunk.body, DiffLine::Context, &line)?;
        }
        let (removed, added) =
            (self.style.lines(&mut hunk.body, DiffLine::Old, old)?, self.style.lines(&mut hunk.body, DiffLine::New, new)?);
        hunk.old_lines += removed;
        hunk.new_lines += added;
        self.old_line += removed;
        self.new_line += added;
        if hunk.body.len() > self.limits.hunk { self.cut() } else { Ok(()) }
    }

    /// Ends the hunk at a place where the context is not complete. A hunk with less context after
    /// the change than before it would have to be at the end of the file, so both are shortened.
    fn cut(&mut self) -> io::Result<()> {
        self.before.clear();
        let Some(hunk) = &mut self.hunk else { return Ok(()) };
        hunk.trailing.truncate(CONTEXT);
        while hunk.leading.len() > hunk.trailing.len() {
            hunk.leading.pop_front();
            hunk.old_start += 1;
            hunk.new_start += 1;
        }
        self.end()
    }

    /// Ends the hunk.
    fn end(&mut self) -> io::Result<()> {
        let Some(hunk) = self.hunk.take() else { return Ok(()) };
        let context = (hunk.leading.len() + hunk.trailing.len().min(CONTEXT)) as u64;
        let range = |start: u64, lines: u64| {
            // A range without lines is after a line.
            let start = if lines == 0 { start - 1 } else { start };
            format!("{start},{lines}")
        };
        let [old, new] = [(hunk.old_start, hunk.old_lines), (hunk.new_start, hunk.new_lines)]
            .map(|(start, lines)| range(start, lines + context));
        self.style.line(self.to, DiffLine::Hunk, format!("@@ -{old} +{new} @@").as_bytes())?;
        for line in &hunk.leading {
            self.style.lines(self.to, DiffLine::Context, line)?;
        }
        self.to.write_all(&hunk.body)?;
        for line in hunk.trailing.iter().take(CONTEXT) {
            self.style.lines(self.to, DiffLine::Context, line)?;
        }
        Ok(())
    }
}

/// A text that is read line by line.
struct Lines<'a> {
    text: BufReader<Counted<'a>>,
    path: &'a Path,
    limits: Limits,
    /// The number of bytes read.
    at: u64,
}

impl Lines<'_> {
    fn changed(&self, byte: u64) -> FixError {
        FixError::Changed { path: self.path.to_owned(), byte }
    }

    fn long(&self, byte: u64) -> FixError {
        FixError::LongLine { path: self.path.to_owned(), byte }
    }

    /// Adds the next line to `line`, or as much of it as fits. Returns its length.
    fn read(&mut self, line: &mut Vec<u8>) -> Result<u64, FixError> {
        let mut length = 0;
        loop {
            let buffer = match self.text.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(|source| FixError::unreadable(self.path, source))?,
            };
            let end = memchr::memchr(b'\n', buffer).map(|at| at + 1);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            // One byte more shows that it does not fit.
            let room = (self.limits.change + 1).saturating_sub(line.len());
            line.extend(&part[..part.len().min(room)]);
            let count = part.len();
            self.text.consume(count);
            length += count as u64;
            if end.is_some() || count == 0 {
                self.at += length;
                return Ok(length);
            }
        }
    }
}

/// Writes the difference that the repairs of `input`, called `path`, make. `destination` names `to`
/// in errors.
pub(super) fn write(
    input: &Input,
    path: &Path,
    listed: &Listed,
    (to, style, destination): (&mut impl Write, DiffStyle, &Path),
    control: Control<'_>,
) -> Result<(), FixError> {
    let text = Counted::open(input, control).map_err(|source| FixError::unreadable(path, source))?;
    let mut lines = Lines { text: BufReader::with_capacity(1 << 18, text), path, limits: LIMITS, at: 0 };
    write_lines(&mut lines, &input.name, &listed.replacements, (to, style, destination))?;
    lines.text.get_ref().verify(path, listed)
}

fn write_lines<W: Write>(
    lines: &mut Lines<'_>,
    name: &str,
    replacements: &[Replacement],
    (to, style, destination): (&mut W, DiffStyle, &Path),
) -> Result<(), FixError> {
    let limits = lines.limits;
    let unwritable = |source| FixError::unwritable(destination, source);
    for mark in ["--- ", "+++ "] {
        let name = [mark.as_bytes(), &header_name(name)].concat();
        // The name has been escaped if needed. A tab at its end belongs to the format.
        DiffStyle { printable: false, ..style }.line(to, DiffLine::File, &name).map_err(unwritable)?;
    }
    let mut hunks = Hunks { to, style, limits, old_line: 1, new_line: 1, before: VecDeque::new(), hunk: None };
    let mut replacements = replacements.iter().peekable();
    let mut old = Vec::new();
    loop {
        old.clear();
        let start = lines.at;
        let length = lines.read(&mut old)?;
        let is_last = old.last() != Some(&b'\n') && old.len() as u64 == length;
        // Bytes can be added at the end of the last line.
        let begins = |at: u64, end: u64, is_last: bool| at < end || (is_last && at == end);
        if !replacements.peek().is_some_and(|next| begins(next.start, lines.at, is_last)) {
            match length {
                0 => break,
                _ if length > limits.context as u64 => hunks.gap().map_err(unwritable)?,
                _ => hunks.unchanged(&old).map_err(unwritable)?,
            }
            continue;
        }
        let mut new = Vec::new();
        let mut copied = 0;
        let mut is_last = is_last;
        loop {
            while let Some(next) = replacements.next_if(|next| begins(next.start, lines.at, is_last)) {
                while lines.at < next.end() {
                    if lines.read(&mut old)? == 0 {
                        return Err(lines.changed(next.start));
                    }
                }
                let within = |at: u64| usize::try_from(at - start).unwrap_or(usize::MAX);
                if old.len() > limits.change || new.len() + next.new.len() > limits.change {
                    return Err(lines.long(start));
                }
                let range = within(next.start)..within(next.end());
                if old.get(range.clone()) != Some(&*next.old) || range.start < copied {
                    return Err(lines.changed(next.start));
                }
                new.extend(&old[copied..range.start]);
                new.extend(&next.new);
                copied = range.end;
                is_last = old.last() != Some(&b'\n');
            }
            new.extend(&old[copied..]);
            copied = old.len();
            // The next line continues this one if its newline is replaced.
            if new.is_empty() || new.ends_with(b"\n") || lines.read(&mut old)? == 0 {
                break;
            }
            is_last = old.last() != Some(&b'\n');
        }
        if old.len() > limits.change || new.len() > limits.change {
            return Err(lines.long(start));
        }
        let added = if old == new {
            old.split_inclusive(|byte| *byte == b'\n').try_for_each(|line| hunks.unchanged(line))
        } else {
            hunks.changed(&old, &new)
        };
        added.map_err(unwritable)?;
    }
    if let Some(next) = replacements.next() {
        return Err(lines.changed(next.start));
    }
    hunks.end().map_err(unwritable)
}

#[cfg(test)]
mod tests {
    use std::{error::Error, sync::atomic::AtomicBool};

    use super::*;
    use crate::corpus::Source;

    /// The diff of these replacements in `text`.
    fn diff(text: &[u8], replacements: &[Replacement], limits: Limits, style: DiffStyle) -> Result<Vec<u8>, FixError> {
        let input = Input { name: "a.pgn".to_owned(), source: Source::Bytes(text.into()), format: None, scanned: false };
        let stop = AtomicBool::new(false);
        let path = Path::new("a.pgn");
        let counted = Counted::open(&input, Control { progress: &(), stop: &stop });
        let text = BufReader::with_capacity(7, counted.map_err(|source| FixError::unreadable(path, source))?);
        let mut to = Vec::new();
        write_lines(&mut Lines { text, path, limits, at: 0 }, &input.name, replacements, (&mut to, style, path))?;
        Ok(to)
    }

    fn plain(text: &str, replacements: &[Replacement]) -> Result<String, Box<dyn Error>> {
        let diff = String::from_utf8(diff(text.as_bytes(), replacements, LIMITS, DiffStyle::default())?)?;
        let hunks = diff.strip_prefix("--- a.pgn\n+++ a.pgn\n").ok_or("no header")?;
        Ok(hunks.to_owned())
    }

    #[test]
    fn a_change_has_three_lines_of_context() -> Result<(), Box<dyn Error>> {
        let text = "1\n2\n3\n4\n5\r\n6\n7\n8\n9\n";
        let change = [Replacement::of(8, "5", "five")];
        assert_eq!(plain(text, &change)?, "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\r\n+five\r\n 6\n 7\n 8\n");
        let changes = [Replacement::of(0, "1", "one"), Replacement::of(17, "", "+")];
        let first = "@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n";
        assert_eq!(plain(text, &changes)?, format!("{first}@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n++9\n"));
        Ok(())
    }

    #[test]
    fn a_missing_newline_at_the_end_is_noted() -> Result<(), Box<dyn Error>> {
        let no_newline = "\n\\ No newline at end of file\n";
        assert_eq!(
            plain("1\n2", &[Replacement::of(2, "2", "two")])?,
            format!("@@ -1,2 +1,2 @@\n 1\n-2{no_newline}+two{no_newline}")
        );
        assert_eq!(plain("1\n2", &[Replacement::of(3, "", "\n")])?, format!("@@ -1,2 +1,2 @@\n 1\n-2{no_newline}+2\n"));
        assert_eq!(plain("1\n2\n", &[Replacement::of(3, "\n", "")])?, format!("@@ -1,2 +1,2 @@\n 1\n-2\n+2{no_newline}"));
        assert_eq!(plain("1\n", &[Replacement::of(2, "", "2\n")])?, "@@ -1,1 +1,2 @@\n 1\n+2\n");
        assert_eq!(plain("", &[Replacement::of(0, "", "1\n")])?, "@@ -0,0 +1,1 @@\n+1\n");
        assert_eq!(plain("1\n", &[Replacement::of(0, "1\n", "")])?, "@@ -1,1 +0,0 @@\n-1\n");
        assert_eq!(plain("1\n2\n3\n", &[Replacement::of(1, "\n", " ")])?, "@@ -1,3 +1,2 @@\n-1\n-2\n+1 2\n 3\n");
        Ok(())
    }

    #[test]
    fn names_are_quoted_if_they_have_to_be() {
        for (name, expected) in [
            ("games/a.pgn", "games/a.pgn"),
            ("my games.pgn", "my games.pgn\t"),
            ("Müller.pgn", "Müller.pgn"),
            ("a\"b.pgn", "\"a\\\"b.pgn\""),
            ("a\u{1b}\n.pgn", "\"a\\033\\012.pgn\""),
        ] {
            assert_eq!(String::from_utf8_lossy(&header_name(name)), expected);
        }
        #[cfg(unix)]
        assert_eq!(header_name("J\\xE1nos.pgn"), b"\"J\\341nos.pgn\"");
    }

    #[test]
    fn a_terminal_gets_colours_and_obeys_nothing() -> Result<(), Box<dyn Error>> {
        let style = DiffStyle { colour: true, printable: true };
        let text = diff(b"a\x1b[2J\xE1\r\n", &[Replacement::of(0, "a", "b")], LIMITS, style)?;
        let text = String::from_utf8(text)?;
        assert!(text.ends_with("\x1b[31m-a\\u{1b}[2J\\xe1\x1b[0m\n\x1b[32m+b\\u{1b}[2J\\xe1\x1b[0m\n"), "{text:?}");
        Ok(())
    }

    #[test]
    fn a_changed_line_that_is_too_long_is_an_error() -> Result<(), Box<dyn Error>> {
        let limits = Limits { context: 4, change: 10, hunk: 100 };
        let long = "0123456789ab\nshort\n";
        let change = |start, old, new| diff(long.as_bytes(), &[Replacement::of(start, old, new)], limits, DiffStyle::default());
        for found in [change(3, "3", "x"), change(11, "b", "x"), change(13, "short", "longer than before")] {
            assert!(matches!(found, Err(FixError::LongLine { .. })), "{found:?}");
        }
        let shown = String::from_utf8(change(13, "s", "S")?)?;
        assert!(shown.ends_with("@@ -2,1 +2,1 @@\n-short\n+Short\n"), "{shown}");
        Ok(())
    }

    #[test]
    fn other_bytes_are_noticed() {
        let changes = |start, old| diff(b"1\n2\n", &[Replacement::of(start, old, "x")], LIMITS, DiffStyle::default());
        for (start, old) in [(0, "2"), (4, "5"), (9, ""), (2, "2\n3")] {
            assert!(matches!(changes(start, old), Err(FixError::Changed { .. })), "{start}");
        }
    }

    /// Applies a diff as strictly as possible.
    fn patched(text: &[u8], diff: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
        let old: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let mut lines = diff.split_inclusive(|byte| *byte == b'\n').skip(2).peekable();
        let (mut at, mut new, mut new_line) = (0, Vec::new(), 1);
        while let Some(header) = lines.next() {
            let numbers: Vec<usize> = std::str::from_utf8(header)?
                .split(|letter: char| !letter.is_ascii_digit())
                .filter(|word| !word.is_empty())
                .map(str::parse)
                .collect::<Result<_, _>>()?;
            let &[old_start, old_lines, new_start, new_lines] = &numbers[..] else { return Err("no header".into()) };
            let start = if old_lines == 0 { old_start } else { old_start - 1 };
            assert!(start >= at, "hunks do not overlap");
            new.extend(&old[at..start]);
            new_line += start - at;
            assert_eq!(new_line, if new_lines == 0 { new_start + 1 } else { new_start });
            at = start;
            let (mut removed, mut added) = (0, 0);
            let mut changed = false;
            while let Some(line) = lines.next_if(|line| !line.starts_with(b"@@")) {
                let (kind, text) = line.split_first().ok_or("an empty line")?;
                let text = match lines.next_if(|next| next.starts_with(b"\\")) {
                    Some(_) => text.strip_suffix(b"\n").ok_or("no newline")?,
                    None => text,
                };
                if matches!(kind, b' ' | b'-') {
                    assert_eq!(old[at].escape_ascii().to_string(), text.escape_ascii().to_string());
                    at += 1;
                    removed += 1;
                }
                if matches!(kind, b' ' | b'+') {
                    new.push(text);
                    added += 1;
                }
                changed |= *kind != b' ';
            }
            new_line += added;
            assert_eq!((removed, added, changed), (old_lines, new_lines, true));
        }
        new.extend(&old[at..]);
        Ok(new.concat())
    }

    #[test]
    fn a_diff_gives_the_repaired_text_whatever_is_changed() -> Result<(), Box<dyn Error>> {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..3000 {
            let text: Vec<u8> = (0..random(120)).map(|_| b"ab\xFF\r\n\n\n\n"[random(8)]).collect();
            let (mut changes, mut expected, mut at) = (Vec::new(), Vec::new(), 0);
            while random(12) > 0 && at < text.len() {
                let start = at + random(text.len() - at + 1);
                let end = (start + random(4)).min(text.len());
                if start == at && at > 0 {
                    break;
                }
                let new: Vec<u8> = (0..random(4)).map(|_| b"xy\n"[random(3)]).collect();
                expected.extend(&text[at..start]);
                expected.extend(&new);
                changes.push(Replacement {
                    old: text[start..end].into(),
                    new: new.into(),
                    ..Replacement::of(start as u64, "", "")
                });
                at = end;
            }
            expected.extend(&text[at..]);
            for limits in [LIMITS, Limits { context: 3, change: 1000, hunk: 20 }] {
                let diff = diff(&text, &changes, limits, DiffStyle::default())?;
                let (patched, shown) = (patched(&text, &diff)?, String::from_utf8_lossy(&diff));
                assert_eq!(patched.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{shown}");
            }
        }
        Ok(())
    }
}
