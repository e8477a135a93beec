//! Inputs that are made rather than found, the same ones on every machine.

use crate::common::games::{Game, fen, game};

/// So much is made of anything; more of it repeats it.
pub const MOST: usize = 8_000_000;

/// Games in which nothing is wrong, of `bytes` bytes at least.
pub fn games(bytes: usize) -> String {
    written(bytes, |game, text| text.push_str(&game.plain()))
}

/// Games in which nothing is wrong, with comments, clocks, glyphs and variations.
pub fn annotated_games(bytes: usize) -> String {
    written(bytes, |game, text| text.push_str(&game.annotated().text))
}

/// Games that break ten rules each.
pub fn broken_games(bytes: usize) -> String {
    written(bytes, |game, text| text.push_str(&game.broken()))
}

/// Positions in which nothing is wrong, one in a line.
pub fn positions(bytes: usize) -> String {
    written(bytes, |game, text| {
        for position in game.positions().step_by(5) {
            text.push_str(&fen(&position));
            text.push('\n');
        }
    })
}

fn written(bytes: usize, write: impl Fn(&Game, &mut String)) -> String {
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        write(&game(number), &mut text);
    }
    text
}
