//! Copies: games and positions that are there more than once.

/// A game with the seven tag roster, and other tags after it.
macro_rules! game {
    ($event:literal, $date:literal, $round:literal, $white:literal, $black:literal, $result:literal, $moves:expr $(, $more:expr)?) => {
        concat!(
            "[Event \"", $event, "\"]\n[Site \"?\"]\n[Date \"", $date, "\"]\n[Round \"", $round, "\"]\n[White \"", $white,
            "\"]\n[Black \"", $black, "\"]\n[Result \"", $result, "\"]\n", $($more,)? "\n", $moves, " ", $result
        )
    };
}

/// The moves of the Immortal Game, 45 plies.
macro_rules! immortal {
    () => {
        concat!(
            immortal_cut!(),
            "\n13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6\n\
             Bxg1 19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7#"
        )
    };
}

/// The first 24 plies of that game.
macro_rules! immortal_cut {
    () => {
        "1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5\n\
         8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6"
    };
}

/// Another order of its moves 18 to 20, as other sources have it.
macro_rules! immortal_other_order {
    () => {
        concat!(
            immortal_cut!(),
            "\n13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6\n\
             Qxa1+ 19. Ke2 Bxg1 20. e5 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7#"
        )
    };
}

/// The moves of another game, 24 plies.
macro_rules! other {
    () => {
        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7 7. Rc1 c6\n\
         8. Bd3 dxc4 9. Bxc4 Nd5 10. Bxe7 Qxe7 11. O-O Nxc3 12. Rxc3 e5"
    };
}

/// That game, 30 plies.
macro_rules! long_other {
    () => {
        concat!(other!(), "\n13. Qc2 exd4 14. exd4 Nb6 15. Re1 Qd8")
    };
}

/// The moves of a short draw, 6 plies.
macro_rules! short {
    () => {
        "1. e4 e5 2. Nf3 Nf6 3. Nxe5 d6"
    };
}

use super::{Finding, Findings, Rule, Severity, facts::PairFacts};

/// Adds a finding about a game. It is an info if the judgement is not sure.
fn report<'f>(rule: &'static Rule, facts: &PairFacts<'_>, findings: &'f mut Findings) -> &'f mut Finding {
    let finding = findings.add(rule, facts.place());
    if !facts.judgement.is_likely() {
        finding.severity(Severity::Info);
    }
    finding
}

pub(crate) mod beginning;
pub(crate) mod better_header;
pub(crate) mod conflicting_answers;
pub(crate) mod en_passant_twin;
pub(crate) mod other_spelling;
pub(crate) mod same_game;
pub(crate) mod same_game_contradicts;
pub(crate) mod same_id;
pub(crate) mod same_position;
pub(crate) mod two_games_one_slot;
pub(crate) mod version;
pub(crate) mod wrong_header;

family! {
    same_game, wrong_header, same_game_contradicts, beginning, version, same_id, same_position,
    en_passant_twin, conflicting_answers, two_games_one_slot, better_header, other_spelling,
}
