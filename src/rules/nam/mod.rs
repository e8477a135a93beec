//! Players and events, over all games of a run.

/// A game with event, site, date, round, the players with their ratings, and a result.
macro_rules! rated {
    ($event:literal, $date:literal, $round:literal, $white:literal, $white_elo:literal, $black:literal, $black_elo:literal, $moves:literal) => {
        concat!(
            "[Event \"",
            $event,
            "\"]\n[Site \"Riga\"]\n[Date \"",
            $date,
            "\"]\n[Round \"",
            $round,
            "\"]\n[White \"",
            $white,
            "\"]\n[Black \"",
            $black,
            "\"]\n[Result \"*\"]\n[WhiteElo \"",
            $white_elo,
            "\"]\n[BlackElo \"",
            $black_elo,
            "\"]\n\n",
            $moves,
            " *"
        )
    };
}

/// A game of a round in an open.
macro_rules! round {
    ($round:literal, $moves:literal) => {
        concat!(rated!("Riga Open", "1999.05.01", $round, "Tal, Ann", "2410", "Keres, Jo", "2380", $moves), "\n\n")
    };
}

/// A game of White with an id.
macro_rules! with_id {
    ($date:literal, $white:literal, $id:literal, $moves:literal) => {
        concat!(
            "[Event \"Riga Open\"]\n[Site \"Riga\"]\n[Date \"",
            $date,
            "\"]\n[Round \"1\"]\n[White \"",
            $white,
            "\"]\n[Black \"Keres, Jo\"]\n[Result \"*\"]\n[WhiteFideId \"",
            $id,
            "\"]\n\n",
            $moves,
            " *"
        )
    };
}

pub(crate) mod event_spelling;
pub(crate) mod name_and_id;
pub(crate) mod rating_outlier;
pub(crate) mod twice_in_round;

family! {
    rating_outlier, event_spelling, twice_in_round, name_and_id,
}
