//! Where the proof rules out what each rule reports as a warning or an error.

use crate::rules::{RULES, Severity};

/// Tokens are canonical moves, right numbers, comments, glyphs and one marker; anything else ends the proof.
const TOKENS: &str = "Walk: no other tokens";
/// Every move has just one meaning on the board.
const BOARD: &str = "Board::play: one legal move";
/// Bytes beyond printable ASCII are shown to the rules themselves.
const BYTES: &str = "is_fine_beyond_ascii";
/// Tag pairs stand one to a line, spelt as they are exported, with nothing to escape.
const PAIRS: &str = "header::pair";
/// Values are looked at one by one.
const VALUES: &str = "header::judge";
/// Result, Termination and PlyCount are held against the last position.
const END: &str = "Header::fits_end";
/// Commands are clocks and evaluations of the usual forms.
const COMMANDS: &str = "comment::other";

/// The rules that report warnings and errors of games, and what rules them out.
const RULED_OUT: &[(&str, &str)] = &[
    ("ENC02", BYTES),
    ("ENC03", BYTES),
    ("ENC04", BYTES),
    ("ENC05", BYTES),
    ("ENC06", BYTES),
    ("ENC07", BYTES),
    ("ENC08", BYTES),
    ("SYN01", TOKENS),
    ("SYN02", PAIRS),
    ("SYN03", PAIRS),
    ("SYN04", TOKENS),
    ("SYN05", "comment::words: closed, without a header inside"),
    ("SYN06", TOKENS),
    ("SYN07", TOKENS),
    ("SYN08", TOKENS),
    ("SYN09", TOKENS),
    ("SYN10", TOKENS),
    ("SYN11", TOKENS),
    ("SYN12", "gap: no blank line between tokens"),
    ("SYN14", "Walk::end: a marker"),
    ("TAG01", "header::read: the seven tag roster"),
    ("TAG03", "header::read: each tag once"),
    ("TAG04", "header::tag_of: known names"),
    ("TAG06", VALUES),
    ("TAG07", VALUES),
    ("TAG08", VALUES),
    ("TAG10", VALUES),
    ("TAG12", VALUES),
    ("TAG13", VALUES),
    ("TAG15", VALUES),
    ("TAG17", END),
    ("TAG18", "header::judge: no FEN, no SetUp"),
    ("TAG19", "header::judge: no FEN, no SetUp"),
    ("TAG20", "Control::read"),
    ("MOV01", BOARD),
    ("MOV02", BOARD),
    ("MOV03", BOARD),
    ("MOV04", BOARD),
    ("MOV05", BOARD),
    ("MOV06", BOARD),
    ("MOV07", BOARD),
    ("MOV08", TOKENS),
    ("MOV12", "Board::judge_mark"),
    ("MOV14", "Board::judge_mark"),
    ("MOV16", "Board::play: what is said to be taken is there"),
    ("MOV20", TOKENS),
    ("MOV22", BOARD),
    ("MOV23", TOKENS),
    ("MOV25", BOARD),
    ("NUM01", "Walk::movetext, Walk::behind_white: the number expected"),
    ("NUM02", "Walk::movetext, Walk::behind_white: the periods expected"),
    ("RES01", "Walk::end: a marker"),
    ("RES02", "next_game: nothing behind the marker"),
    ("RES03", "Walk::end: one of the four; the Result tag is the same"),
    ("RES04", "FastGames::read: the Result tag is the same"),
    ("RES05", END),
    ("RES06", END),
    ("RES07", END),
    ("RES08", END),
    ("RES09", END),
    ("RES10", "Board::may_have_gone_on"),
    ("RES12", "may_contradict"),
    ("RES13", END),
    ("CLK01", COMMANDS),
    ("CLK02", "Clocks::fit"),
    ("CLK03", "Clocks::fit"),
    ("CLK06", COMMANDS),
    ("CLK07", "somebody_mates_next; Walk::end: men that can mate"),
    ("CLK08", COMMANDS),
    ("ANN01", "glyph"),
    ("ANN04", "comment::words: no FEN; Header::is_current"),
    ("VAR01", "header::judge: no variant but standard chess"),
    ("VAR02", "header::judge: no variant but standard chess"),
];

#[test]
fn every_rule_that_reports_more_than_infos_of_games_is_ruled_out() {
    for rule in RULES {
        let about_positions = rule.check.is_about_positions() || rule.check.is_about_inputs();
        // No game that begins from a FEN is passed over.
        if !about_positions && rule.severity > Severity::Info {
            let code = rule.code.to_string();
            assert!(RULED_OUT.iter().any(|(listed, _)| *listed == code), "{code} is not known to be ruled out");
        }
    }
}
