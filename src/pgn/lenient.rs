//! How a tolerant parser reads a record with syntax faults.
//!
//! `pgn-reader` silently skips what it cannot read. The number of plies it returns shows what other
//! tools lose.

use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};

struct CountPlies;

impl Visitor for CountPlies {
    type Tags = ();
    type Movetext = u32;
    type Output = u32;

    fn begin_tags(&mut self) -> ControlFlow<u32, ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<u32> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<u32, u32> {
        ControlFlow::Continue(0)
    }

    fn san(&mut self, plies: &mut u32, _: SanPlus) -> ControlFlow<u32> {
        *plies += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut u32) -> ControlFlow<u32, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, plies: u32) -> u32 {
        plies
    }
}

/// Number of main line plies that `pgn-reader` returns for the first game in `record`; `None` if it
/// gives up.
pub fn plies_seen(record: &[u8]) -> Option<u32> {
    Reader::new(record).read_game(&mut CountPlies).ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_tokens_are_dropped() {
        assert_eq!(plies_seen(b"1. e4 blah e5 (1... c5) 2. Nf3 1-0"), Some(3));
        assert_eq!(plies_seen(b"1. e4 { oops 1-0"), None);
    }
}
