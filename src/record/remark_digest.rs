//! What a movetext says besides its main line, as a digest, to see whether two games differ only in
//! their comments.

use memchr::{memchr, memchr3};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::{
    pgn::line_end,
    text::{Encoding, readable},
};

/// The termination markers, as numbers from 1.
const MARKERS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// The suffixes of moves, as the glyphs from `$1` that they stand for.
const SUFFIXES: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];

/// Digests of a movetext.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Remarks {
    /// Of comments, glyphs and variations, and of the plies that they follow; 0 without any.
    pub digest: u64,
    /// Of the moves after the main line; 0 without any.
    pub unread: u64,
}

/// The number of the termination marker at the end of a movetext; 0 without one.
pub(super) fn marker(movetext: &[u8]) -> u8 {
    let text = movetext.trim_ascii_end();
    let found = MARKERS.iter().position(|marker| text.ends_with(marker));
    found.map_or(0, |found| found as u8 + 1)
}

/// The digests of a movetext. Whitespace, move numbers and the spelling of moves do not matter.
/// `read` is the number of plies that were replayed, if others follow.
pub(super) fn remarks(movetext: &[u8], encoding: Encoding, read: Option<usize>) -> Remarks {
    let is_plain = memchr3(b'{', b'(', b'$', movetext).is_none() && memchr3(b';', b'!', b'?', movetext).is_none();
    if is_plain && read.is_none() {
        return Remarks::default();
    }
    let mut reader = Reader { encoding, read, plies: 0, depth: 0, folded: String::new(), remarks: Remarks::default() };
    reader.movetext(movetext);
    reader.remarks
}

struct Reader {
    encoding: Encoding,
    read: Option<usize>,
    /// Number of plies of the main line before this place.
    plies: usize,
    /// Number of variations that contain this place.
    depth: usize,
    /// A text with single spaces. The memory is reused.
    folded: String,
    remarks: Remarks,
}

impl Reader {
    fn movetext(&mut self, text: &[u8]) {
        let mut at = 0;
        while let Some(byte) = text.get(at) {
            let rest = &text[at..];
            at += match byte {
                b'{' => {
                    let length = memchr(b'}', rest).unwrap_or(rest.len());
                    self.text(&rest[1..length]);
                    length + 1
                }
                b';' => {
                    let length = line_end(text, at) - at;
                    self.text(&rest[1..length.max(1)]);
                    length.max(1)
                }
                b'%' if at == 0 || text[at - 1] == b'\n' => (line_end(text, at) - at).max(1),
                b'(' => {
                    self.add(b"(");
                    self.depth += 1;
                    1
                }
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.add(b")");
                    1
                }
                b'$' => {
                    let length = 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    self.add(&rest[..length]);
                    length
                }
                b'!' | b'?' => {
                    let length = rest.iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
                    match SUFFIXES.iter().position(|suffix| *suffix == &rest[..length]) {
                        Some(found) => self.add(&[b'$', b'1' + found as u8]),
                        None => self.add(&rest[..length]),
                    }
                    length
                }
                b'.' => 1,
                byte if byte.is_ascii_whitespace() => 1,
                _ => {
                    let length = rest.iter().position(|byte| ends_word(*byte)).unwrap_or(rest.len()).max(1);
                    self.word(&rest[..length]);
                    length
                }
            };
        }
    }

    /// Adds a move, a move number or a marker.
    fn word(&mut self, word: &[u8]) {
        if self.depth > 0 {
            if !word.iter().all(u8::is_ascii_digit) {
                self.add(word);
            }
        } else if is_move(word) {
            self.plies += 1;
            if self.read.is_some_and(|read| self.plies > read) {
                self.remarks.unread = xxh3_64_with_seed(word, self.remarks.unread);
            }
        }
    }

    /// Adds a comment.
    fn text(&mut self, text: &[u8]) {
        let mut folded = std::mem::take(&mut self.folded);
        folded.clear();
        for word in text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
            folded.push_str(if folded.is_empty() { "" } else { " " });
            folded.push_str(&readable(word, self.encoding));
        }
        if !folded.is_empty() {
            self.add(folded.as_bytes());
        }
        self.folded = folded;
    }

    fn add(&mut self, remark: &[u8]) {
        let seed = self.remarks.digest.rotate_left(8) ^ self.plies as u64;
        self.remarks.digest = xxh3_64_with_seed(remark, seed);
    }
}

const fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'{' | b'(' | b')' | b';' | b'$' | b'!' | b'?' | b'.')
}

/// Whether a word of the main line is a move, not a move number or a marker.
fn is_move(word: &[u8]) -> bool {
    match word {
        [_] | [] => false,
        b"--" => true,
        word => word.starts_with(b"0-0") || word.iter().any(u8::is_ascii_alphabetic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(movetext: &str) -> Remarks {
        remarks(movetext.as_bytes(), Encoding::Utf8, None)
    }

    #[test]
    fn spelling_and_layout_do_not_matter() {
        let written = of("1. e4! {a  comment\nin two lines} e5 (1... c5 2. Nf3) 2. Nf3 $14 1-0");
        assert_eq!(written, of("1.e2e4 $1 {a comment in two lines } e7-e5 (1...c5 2.Nf3)\r\n2. g1f3$14 1-0"));
        assert_eq!(of("1. e4 ; a comment\ne5 *"), of("1. e4 {a comment} 1... e5 {} *"));
        assert_eq!(of("1. e4 e5 2. 0-0 1/2-1/2"), Remarks::default());
        assert_eq!(remarks("1. e4 {Gr\u{fc}n}".as_bytes(), Encoding::Utf8, None), of("1. e4 { Gr\u{fc}n }"));
    }

    #[test]
    fn each_remark_and_its_place_matter() {
        let movetexts = [
            "1. e4 e5 *",
            "1. e4 {a} e5 *",
            "1. e4 {b} e5 *",
            "1. e4 e5 {a} *",
            "1. e4 e5 (a) *",
            "1. e4 $1 e5 *",
            "1. e4 $1 $2 e5 *",
            "1. e4 $2 $1 e5 *",
            "1. e4 e5? *",
            "1. e4 e5 (1... c5) *",
            "1. e4 e5 (1... c5) (1... c6) *",
            "1. e4 e5 (1... c5 (1... c6)) *",
        ];
        for (at, one) in movetexts.iter().enumerate() {
            for other in &movetexts[at + 1..] {
                assert_ne!(of(one), of(other), "{one} and {other}");
            }
        }
    }

    #[test]
    fn moves_after_the_main_line_are_compared() {
        let unread = |movetext: &str| remarks(movetext.as_bytes(), Encoding::Utf8, Some(2)).unread;
        assert_eq!(unread("1. e4 e5 2. Ke3 *"), unread("1. e2e4 e5 2.Ke3 1-0"));
        assert_ne!(unread("1. e4 e5 2. Ke3 *"), unread("1. e4 e5 2. Kd3 *"));
        assert_eq!(unread("1. e4 e5 *"), 0);
    }

    #[test]
    fn markers_are_at_the_end() {
        for (movetext, expected) in
            [("1. e4 1-0\n\n", 1), ("0-1", 2), ("1. e4 1/2-1/2", 3), ("*", 4), ("1. e4", 0), ("1-0 {x}", 0)]
        {
            assert_eq!(marker(movetext.as_bytes()), expected, "{movetext}");
        }
    }
}
