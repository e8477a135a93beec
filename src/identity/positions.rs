//! Finds equal positions among those that share a key.

use std::io;

use super::{
    PositionCard,
    answers::{Equality, PositionContent},
    cards::Cards,
};

/// Maximum number of earlier positions with different answers that a position is compared with.
const MAX_COMPARED: usize = 64;

/// A position and an earlier one: the rank of the name of its input, its first byte, and the places
/// of both cards.
pub(super) type PositionPair = [u64; 4];

/// Pairs each position but the first one with an earlier one that says the same. Without one, it is
/// one that conflicts with it, or else the first one that is written in the same way, or else the
/// first one. `positions` are in the order of the names of the inputs and of the places in them.
/// Each has the rank of its input.
pub(super) fn pair_positions(cards: &Cards, positions: &[(u64, u64)]) -> io::Result<Vec<PositionPair>> {
    let mut earlier: Vec<(u64, PositionContent)> = Vec::new();
    let mut pairs = Vec::new();
    for (rank, at) in positions {
        let bytes = cards.bytes(*at)?;
        let card = PositionCard::read(&bytes)?;
        let Some(content) = PositionContent::of(&card) else { continue };
        let first_with = |equality: fn(&Equality) -> bool| earlier.iter().find(|(_, other)| equality(&content.compare(other)));
        let repeated = earlier.iter().find(|(_, other)| content.is_repeated_by(other));
        let partner = repeated
            .or_else(|| first_with(|equality| matches!(equality, Equality::Conflict(_))))
            .or_else(|| first_with(|equality| *equality == Equality::Same))
            .or(earlier.first());
        if let Some((other, _)) = partner {
            pairs.push([*rank, card.place.byte, *at, *other]);
        }
        if repeated.is_none() && earlier.len() < MAX_COMPARED {
            earlier.push((*at, content));
        }
    }
    Ok(pairs)
}
