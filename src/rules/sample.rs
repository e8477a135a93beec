//! Samples: input that shows what a rule does.

use crate::text::Span;

/// A piece of input that shows what a rule does.
///
/// In samples that must fire, `⟦` and `⟧` enclose the place of the finding. They are removed before
/// the sample is read. `⟦⟧` is a place between two bytes.
#[derive(Clone, Copy, Debug)]
pub enum Sample {
    /// Movetext; the seven tag roster is added, with a Result tag that equals the marker.
    Moves(&'static str),
    /// Tag pairs, one per line; the rest of the seven tag roster and the movetext `1. e4 e5` with
    /// the result are added.
    Tags(&'static str),
    /// PGN text as is.
    Pgn(&'static str),
    /// PGN bytes that are not UTF-8.
    PgnBytes(&'static [u8]),
    /// FEN or EPD lines as is.
    Positions(&'static str),
}

/// The seven tag roster that is put before samples.
const fn roster(result: &str) -> [(&str, &str); 7] {
    [
        ("Event", "Sample"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "?"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", result),
    ]
}

/// The marks that enclose the place of a finding in a [`Sample`].
const OPEN: &[u8] = "⟦".as_bytes();
const CLOSE: &[u8] = "⟧".as_bytes();

impl Sample {
    /// The input with the marks.
    fn marked(self) -> Vec<u8> {
        match self {
            Sample::Moves(moves) => {
                let plain = moves.replace(['⟦', '⟧'], "");
                let is_marker = |word: &&str| matches!(*word, "1-0" | "0-1" | "1/2-1/2" | "*");
                let marker = plain.split_ascii_whitespace().last().filter(is_marker).unwrap_or("*");
                let header: String = roster(marker).map(|(name, value)| format!("[{name} \"{value}\"]\n")).concat();
                format!("{header}\n{moves}\n").into_bytes()
            }
            Sample::Tags(pairs) => {
                let is_pair_of = |line: &str, name: &str| {
                    line.replace(['⟦', '⟧'], "").strip_prefix('[').is_some_and(|pair| pair.starts_with(&format!("{name} ")))
                };
                let own = |name: &str| pairs.lines().find(|line| is_pair_of(line, name));
                let decisive = ["1-0", "0-1", "1/2-1/2"];
                let marker = own("Result")
                    .and_then(|line| decisive.into_iter().find(|marker| line.replace(['⟦', '⟧'], "").contains(marker)))
                    .unwrap_or("*");
                let roster = roster(marker);
                let header = roster.map(|(name, value)| match own(name) {
                    Some(line) => format!("{line}\n"),
                    None => format!("[{name} \"{value}\"]\n"),
                });
                let others: String = pairs
                    .lines()
                    .filter(|line| roster.iter().all(|(name, _)| own(name) != Some(line)))
                    .map(|line| format!("{line}\n"))
                    .collect();
                format!("{}{others}\n1. e4 e5 {marker}\n", header.concat()).into_bytes()
            }
            Sample::Pgn(text) | Sample::Positions(text) => text.as_bytes().to_vec(),
            Sample::PgnBytes(bytes) => bytes.to_vec(),
        }
    }

    /// The input without the marks, and the bytes that they enclosed.
    pub fn input(self) -> (Vec<u8>, Option<Span>) {
        let marked = self.marked();
        let open = memchr::memmem::find(&marked, OPEN);
        let close = memchr::memmem::find(&marked, CLOSE);
        let (Some(open), Some(close)) = (open, close) else { return (marked, None) };
        let mut bytes = marked[..open].to_vec();
        bytes.extend_from_slice(&marked[open + OPEN.len()..close]);
        let span = Span::new(open, bytes.len());
        bytes.extend_from_slice(&marked[close + CLOSE.len()..]);
        (bytes, Some(span))
    }

    /// Whether the sample is read as PGN rather than as position lines.
    pub const fn is_pgn(self) -> bool {
        !matches!(self, Sample::Positions(_))
    }

    /// The sample as shown in help: the part written for it, with the marks.
    pub fn text(self) -> String {
        match self {
            Sample::Moves(text) | Sample::Tags(text) | Sample::Pgn(text) | Sample::Positions(text) => text.to_owned(),
            Sample::PgnBytes(bytes) => bytes.utf8_chunks().fold(String::new(), |mut text, chunk| {
                text.push_str(chunk.valid());
                chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
                text
            }),
        }
    }
}
