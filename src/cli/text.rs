//! Text for terminals: wrapped paragraphs, and escaped control characters.

use std::{
    io::{self, Read, Write},
    path::Path,
};

use crate::{
    format::OutputFile,
    text::{Bounded, open_once},
};

pub use crate::text::wording::{join_and, join_or, printable, quantity, thousands};

/// Bytes as text. Bytes that are not UTF-8 are escaped as `\xE1`.
pub fn escaped(bytes: &[u8]) -> String {
    bytes.utf8_chunks().fold(String::new(), |mut text, chunk| {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
        text
    })
}

/// A word as it is typed in a shell, quoted if needed; `None` if it cannot be shown.
pub fn shell_word(word: &str) -> Option<String> {
    if printable(word) != word {
        return None;
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,:@%".contains(&byte);
    let text = if word.starts_with('-') { format!("./{word}") } else { word.to_owned() };
    let is_plain = !word.is_empty() && word.bytes().all(|byte| is_plain(byte) || !byte.is_ascii());
    Some(if is_plain { text } else { format!("'{}'", text.replace('\'', r"'\''")) })
}

/// Reads a file of at most `max` bytes, or the pipe of a process substitution.
pub fn read_bounded(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Bounded::new(open_once(path)?, "the file", max).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file whole or not at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Prints a line on standard output, after the work is done. It does not matter if nobody reads it.
pub fn print_line(line: &str) -> io::Result<()> {
    ignore_broken_pipe(writeln!(anstream::stdout().lock(), "{}", printable(line)))
}

/// Nothing, if the reader of a pipe has seen enough.
pub fn ignore_broken_pipe(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

/// Breaks paragraphs, separated by empty lines, into lines of at most `width` characters.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.split("\n\n") {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        for (word, quoted) in [
            ("games/a.pgn", Some("games/a.pgn")),
            ("Müller.pgn", Some("Müller.pgn")),
            ("my games", Some("'my games'")),
            ("games/*.pgn", Some("'games/*.pgn'")),
            ("~a", Some("'~a'")),
            ("it's", Some(r"'it'\''s'")),
            ("-q.pgn", Some("./-q.pgn")),
            ("", Some("''")),
            ("a\u{1b}[1m", None),
            ("a\nb", None),
        ] {
            assert_eq!(shell_word(word).as_deref(), quoted, "{word:?}");
        }
    }

    #[test]
    fn paragraphs_are_wrapped() {
        assert_eq!(wrapped("aa bb\ncc\n\ndddddddd e", 5), ["aa bb", "cc", "", "dddddddd", "e"]);
    }
}
