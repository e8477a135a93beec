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
    /// Both. The rest of the seven tag roster is added, with a Result tag that equals the marker.
    Game {
        /// Tag pairs, one per line.
        tags: &'static str,
        /// Movetext.
        moves: &'static str,
    },
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

fn unmarked(text: &str) -> String {
    text.replace(['⟦', '⟧'], "")
}

/// The tag pair with this name among `tags`.
fn own_pair<'t>(tags: &'t str, name: &str) -> Option<&'t str> {
    tags.lines().find(|line| unmarked(line).starts_with(&format!("[{name} ")))
}

/// A game: the seven tag roster, with `tags` instead of or after its tag pairs, and `moves`.
fn game(tags: &str, moves: &str) -> Vec<u8> {
    let plain = unmarked(moves);
    let is_marker = |word: &&str| matches!(*word, "1-0" | "0-1" | "1/2-1/2" | "*");
    let roster = roster(plain.split_ascii_whitespace().last().filter(is_marker).unwrap_or("*"));
    let mut text = String::new();
    for (name, value) in roster {
        text += &own_pair(tags, name).map_or_else(|| format!("[{name} \"{value}\"]\n"), |pair| format!("{pair}\n"));
    }
    for other in tags.lines().filter(|line| roster.iter().all(|(name, _)| own_pair(tags, name) != Some(line))) {
        text += &format!("{other}\n");
    }
    format!("{text}\n{moves}\n").into_bytes()
}

impl Sample {
    /// The input with the marks.
    fn marked(self) -> Vec<u8> {
        match self {
            Sample::Moves(moves) => game("", moves),
            Sample::Tags(tags) => {
                let result = own_pair(tags, "Result").map(unmarked).unwrap_or_default();
                let marker = ["1-0", "0-1", "1/2-1/2"].into_iter().find(|marker| result.contains(marker)).unwrap_or("*");
                game(tags, &format!("1. e4 e5 {marker}"))
            }
            Sample::Game { tags, moves } => game(tags, moves),
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

    /// The sample as shown in help, with the marks: the part written for it, or the whole of a
    /// [`Sample::Game`].
    pub fn text(self) -> String {
        match self {
            Sample::Moves(text) | Sample::Tags(text) | Sample::Pgn(text) | Sample::Positions(text) => text.to_owned(),
            Sample::Game { .. } => String::from_utf8_lossy(&self.marked()).into_owned(),
            Sample::PgnBytes(bytes) => bytes.utf8_chunks().fold(String::new(), |mut text, chunk| {
                text.push_str(chunk.valid());
                chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
                text
            }),
        }
    }
}
