//! Lexical and game structure.

/// A game with the seven tag roster, for samples: event, result, further tag pairs, movetext.
macro_rules! game {
    ($event:literal, $result:literal, $moves:literal) => {
        game!($event, $result, "", $moves)
    };
    ($event:literal, $result:literal, $tags:literal, $moves:literal) => {
        concat!(
            "[Event \"",
            $event,
            "\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"",
            $result,
            "\"]\n",
            $tags,
            "\n",
            $moves,
            "\n"
        )
    };
}

pub mod bad_tag_pair;
pub mod bad_tag_string;
pub mod empty_input;
pub mod split_token;
pub mod stray_brace;
pub mod stray_rav_close;
pub mod stray_text;
pub mod tag_in_movetext;
pub mod truncated_file;
pub mod unclosed_comment;
pub mod unclosed_rav;
pub mod unknown_token;
