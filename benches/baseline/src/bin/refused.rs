//! Says what pgn-reader and shakmaty refuse in a file, for `tests/conformance`: `refused FILE`.
//!
//! Every move is played, also in variations. A message about a position begins with its line.

use std::{env, error::Error, fs, ops::ControlFlow};

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// A line of moves: the position before its last move, and after it. Without one, the rest is not
/// played.
#[derive(Clone, Default)]
struct Line {
    before: Option<Chess>,
    after: Option<Chess>,
}

impl Line {
    fn from(start: Option<Chess>) -> Line {
        Line { before: None, after: start }
    }
}

/// Collects what is refused.
#[derive(Default)]
struct Refused(Vec<String>);

impl Visitor for Refused {
    type Tags = Option<Chess>;
    type Movetext = Vec<Line>;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Self::Tags> {
        ControlFlow::Continue(Some(Chess::default()))
    }

    fn tag(&mut self, start: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            *start = position(value.as_bytes()).map_err(|error| self.0.push(error)).ok();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Self::Tags) -> ControlFlow<(), Self::Movetext> {
        ControlFlow::Continue(vec![Line::from(start)])
    }

    fn san(&mut self, lines: &mut Self::Movetext, san: SanPlus) -> ControlFlow<()> {
        if let Some(line) = lines.last_mut()
            && let Some(before) = line.after.take()
        {
            match san.san.to_move(&before) {
                Ok(played) => {
                    let mut after = before.clone();
                    after.play_unchecked(played);
                    line.after = Some(after);
                }
                Err(error) => self.0.push(format!("{san}: {error}")),
            }
            line.before = Some(before);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, lines: &mut Self::Movetext) -> ControlFlow<(), Skip> {
        let start = lines.last().and_then(|line| line.before.clone());
        lines.push(Line::from(start));
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, lines: &mut Self::Movetext) -> ControlFlow<()> {
        lines.pop();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Self::Movetext) {}
}

fn position(fen: &[u8]) -> Result<Chess, String> {
    let fen = Fen::from_ascii(fen).map_err(|error| error.to_string())?;
    fen.into_position(CastlingMode::Standard).map_err(|error| error.to_string())
}

/// The fields of a line. shakmaty does not read EPD operations.
fn without_operations(line: &str) -> String {
    if !line.ends_with(';') {
        return line.to_owned();
    }
    line.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: refused FILE")?;
    let bytes = fs::read(&path)?;
    let mut refused = Refused::default();
    if path.ends_with(".pgn") {
        let mut reader = Reader::new(&bytes[..]);
        if let Err(error) = reader.visit_all_games(&mut refused) {
            refused.0.push(error.to_string());
        }
    } else {
        let text = String::from_utf8_lossy(&bytes);
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()) {
            if let Err(error) = position(without_operations(line.trim_end()).as_bytes()) {
                refused.0.push(format!("{number}: {error}"));
            }
        }
    }
    refused.0.iter().for_each(|message| println!("{message}"));
    Ok(())
}
