//! Inputs that are made rather than found, the same ones on every machine.

use crate::common::games::{Game, fen, game};

/// So much is made of anything; more of it repeats it.
pub const MOST: usize = 8_000_000;

/// Games of standard chess in which nothing is wrong, of `bytes` bytes at least.
pub fn games(bytes: usize) -> String {
    written(bytes, |game, text| {
        if game.fen.is_none() {
            text.push_str(&game.plain());
        }
    })
}

/// The same with the clock in a comment behind every move.
pub fn clocked_games(bytes: usize) -> String {
    written(bytes, |game, text| {
        if game.fen.is_none() {
            let moves = game.sans.iter().enumerate().map(|(ply, san)| {
                // Black uses one second more for each move: clocks that always agree are reported.
                let left = 5400 - (10 + ply % 2) * (ply / 2);
                let clock = format!("{san} {{[%clk {}:{:02}:{:02}]}}", left / 3600, left / 60 % 60, left % 60);
                if ply % 2 == 0 && ply + 1 < game.sans.len() { format!("{clock} {}...", ply / 2 + 1) } else { clock }
            });
            text.push_str(&game.with_moves(&moves.collect::<Vec<_>>()));
        }
    })
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
