//! Perft: counts of leaf nodes, as claimed and as counted.

use shakmaty::{Chess, Position};

use super::{Line, kind_of, opcode::integer};
use crate::text::Span;

/// The number of leaf nodes of `position` at `depth`, or `None` if there are more than `max`.
pub fn count_leaves(position: &Chess, depth: u32, max: u64) -> Option<u64> {
    let moves = match depth {
        0 => return Some(1),
        _ => position.legal_moves(),
    };
    if depth == 1 {
        return Some(moves.len() as u64).filter(|leaves| *leaves <= max);
    }
    let mut leaves = 0;
    for played in moves {
        let mut after = position.clone();
        after.play_unchecked(played);
        leaves += count_leaves(&after, depth - 1, max - leaves)?;
    }
    Some(leaves)
}

/// A line `perft N COUNT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftLine {
    /// The line of the position.
    pub position: Span,
    /// The depth.
    pub depth: u32,
    /// The count as written.
    pub count: Span,
    /// The claimed number of leaf nodes.
    pub claimed: u64,
}

/// Maximum distance in bytes between a `perft` line and its position. A stream keeps at least as
/// many bytes, so that the result does not depend on how the stream was split.
const MAX_BEFORE: usize = 2048;

/// Reads the `perft N COUNT` line `line` of `text`.
///
/// Its position is the last one before it, with only `perft` lines, comments and blank lines
/// between them. `None` if there is no such position, or the line is not a perft line.
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

/// The last position before the line that starts at `start`, with only `perft` lines, comments and
/// blank lines between them.
pub fn position_before(text: &[u8], start: usize) -> Option<Span> {
    let first = start.saturating_sub(MAX_BEFORE);
    let mut next = start;
    loop {
        let mut end = next;
        if end > first && text[end - 1] == b'\n' {
            end -= 1;
        }
        if end > first && text[end - 1] == b'\r' {
            end -= 1;
        }
        if end == next {
            return None;
        }
        let line_start = text[first..end].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map(|found| first + found + 1);
        // The kind of a line that starts before the searched part is unknown.
        let line_start = line_start.or((first == 0).then_some(0))?;
        match kind_of(text, Span::new(line_start, end)) {
            Line::Position(place) => return Some(place),
            Line::Id => return None,
            Line::Blank | Line::Comment | Line::Perft(_) => next = line_start,
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    #[test]
    fn leaf_nodes_are_counted() {
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
    fn positions_too_far_back_are_not_found() {
        let text = format!("8/8 w - -\n{}perft 1 20", "# so it goes on\n".repeat(200));
        let last = lines(&text).last().unwrap();
        assert_eq!(perft_line(text.as_bytes(), last), None);
    }
}
