//! Perft: counts of leaf nodes, claimed and true.

use shakmaty::{Chess, Position};

use super::{Line, kind_of, opcode::integer};
use crate::text::Span;

/// The leaves that `position` has at `depth`, or `None` where there are more than `most`.
pub fn count_leaves(position: &Chess, depth: u32, most: u64) -> Option<u64> {
    let moves = match depth {
        0 => return Some(1),
        _ => position.legal_moves(),
    };
    if depth == 1 {
        return Some(moves.len() as u64).filter(|leaves| *leaves <= most);
    }
    let mut leaves = 0;
    for played in moves {
        let mut after = position.clone();
        after.play_unchecked(played);
        leaves += count_leaves(&after, depth - 1, most - leaves)?;
    }
    Some(leaves)
}

/// A line `perft N COUNT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftLine {
    /// The line that holds the position.
    pub position: Span,
    /// The depth.
    pub depth: u32,
    /// The count as written.
    pub count: Span,
    /// The leaves that are claimed.
    pub claimed: u64,
}

/// So many bytes before a `perft` line are searched for the position that it is about. A stream keeps at least as many, so that
/// what is found does not depend on how the stream was cut.
const MOST_BEFORE: usize = 2048;

/// Reads the `perft N COUNT` line `line` of `text`. Its position is the last one before it, with nothing but such lines, comments
/// and blank lines between; `None` where there is none, or where the line is no perft line.
pub fn perft_line(text: &[u8], line: Span) -> Option<PerftLine> {
    let Line::Perft(rest) = kind_of(text, line) else { return None };
    let word_at = |mut start: usize| {
        start += text[start..rest.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let length = text[start..rest.end].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        Span::new(start, start + length)
    };
    let depth = word_at(rest.start);
    let count = word_at(depth.end);
    let depth = u32::try_from(integer(depth.of(text))?).ok()?;
    let claimed = u64::try_from(integer(count.of(text))?).ok()?;
    Some(PerftLine { position: position_before(text, line.start)?, depth, count, claimed })
}

/// The line of the position that a line that begins at `start` is about.
fn position_before(text: &[u8], start: usize) -> Option<Span> {
    let least = start.saturating_sub(MOST_BEFORE);
    let mut next = start;
    loop {
        let mut end = next;
        if end > least && text[end - 1] == b'\n' {
            end -= 1;
        }
        if end > least && text[end - 1] == b'\r' {
            end -= 1;
        }
        if end == next {
            return None;
        }
        let begins = text[least..end].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map(|found| least + found + 1);
        // Where a line reaches farther back than is looked, it cannot be told what it is.
        let begins = begins.or((least == 0).then_some(0))?;
        match kind_of(text, Span::new(begins, end)) {
            Line::Position(place) => return Some(place),
            Line::Id => return None,
            Line::Blank | Line::Comment | Line::Perft(_) => next = begins,
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn leaves_are_counted() {
        let start = Chess::default();
        assert_eq!(count_leaves(&start, 0, 10), Some(1));
        assert_eq!(count_leaves(&start, 3, 8902), Some(8902));
        assert_eq!(count_leaves(&start, 3, 8901), None);
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        assert_eq!(count_leaves(&position, 3, u64::MAX), Some(97_862));
    }

    fn lines(text: &str) -> impl Iterator<Item = Span> + '_ {
        let mut start = 0;
        text.split_inclusive('\n').map(move |line| {
            let place = Span::new(start, start + line.trim_end_matches(['\r', '\n']).len());
            start += line.len();
            place
        })
    }

    #[test]
    fn counts_belong_to_the_position_before_them() {
        let text = "perft 1 1\nid a\nepd 8/8 w - -\nperft 1 20\r\n\n# deeper\nperft 2 400\nperft x 1\nid b\nperft 1 5\n";
        let found: Vec<_> = lines(text).filter_map(|line| perft_line(text.as_bytes(), line)).collect();
        let shown: Vec<_> = found
            .iter()
            .map(|line| (&text[line.position.start..line.position.end], line.depth, &text[line.count.start..line.count.end]))
            .collect();
        assert_eq!(shown, [("8/8 w - -", 1, "20"), ("8/8 w - -", 2, "400")]);
        assert_eq!(found[1].claimed, 400);
    }

    #[test]
    fn nothing_is_sought_too_far_back() {
        let text = format!("8/8 w - -\n{}perft 1 20", "# so it goes on\n".repeat(200));
        let last = lines(&text).last().unwrap();
        assert_eq!(perft_line(text.as_bytes(), last), None);
    }
}
