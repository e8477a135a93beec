//! Finds equal positions among those that share a key.

use std::io;

use xxhash_rust::xxh3::xxh3_64;

use super::{
    PositionCard,
    answers::{Equality, PositionContent},
    group::Context,
};

/// Maximum number of earlier positions with different answers that a position is compared with.
const MAX_COMPARED: usize = 64;

/// A position and an earlier one: what tells them from others, the rank of the name of the input,
/// and the places of both cards.
pub(super) type PositionPair = [u64; 4];

/// Positions that were read before, among those that share a key: the first one of each content.
#[derive(Default)]
pub(super) struct EarlierPositions(Vec<EarlierPosition>);

struct EarlierPosition {
    at: u64,
    content: PositionContent,
    key: u64,
}

impl EarlierPositions {
    /// Pairs each position but the first one with an earlier one that says the same. Without one,
    /// it is one that conflicts with it, or else the first one that is written in the same way, or
    /// else the first one. `positions` are in the order of the names of the inputs and of the
    /// places in them. Each has the rank of its input.
    pub fn pair(&mut self, context: Context<'_>, positions: &[(u64, u64)]) -> io::Result<Vec<PositionPair>> {
        let EarlierPositions(earlier) = self;
        let mut pairs = Vec::new();
        for (rank, at) in positions {
            let bytes = context.cards.bytes(*at)?;
            let card = PositionCard::read(&bytes)?;
            let Some(content) = PositionContent::of(&card) else { continue };
            let first_with =
                |equality: fn(&Equality) -> bool| earlier.iter().find(|other| equality(&content.compare(&other.content)));
            let repeated = earlier.iter().find(|other| content.is_repeated_by(&other.content));
            let partner = repeated
                .or_else(|| first_with(|equality| matches!(equality, Equality::Conflict(_))))
                .or_else(|| first_with(|equality| *equality == Equality::Same))
                .or(earlier.first());
            let key = (context.keys.position)(&card);
            if let Some(other) = partner {
                let subject = xxh3_64([key, other.key].map(u64::to_le_bytes).as_flattened());
                pairs.push([subject, *rank, *at, other.at]);
            }
            if repeated.is_none() && earlier.len() < MAX_COMPARED {
                earlier.push(EarlierPosition { at: *at, content, key });
            }
        }
        Ok(pairs)
    }
}
