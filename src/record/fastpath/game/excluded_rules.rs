//! Lists where the fast path rules out what each rule reports as a warning or an error.

use crate::rules::{RULES, Severity};

/// Tokens are canonical moves, right numbers, comments, glyphs and one marker. Nothing else is
/// accepted.
const TOKENS: &str = "FastReplay: no other tokens";
/// Every move has exactly one meaning on the board.
const BOARD: &str = "Board::play: one legal move";
/// Bytes beyond plain ASCII are checked by the rules themselves.
const BYTES: &str = "is_accepted_beyond_ascii";
/// Each tag pair has its own line in export format, without escapes.
const PAIRS: &str = "header::pair";
/// Values are checked one by one.
const VALUES: &str = "header::check_values";
/// Result, Termination and PlyCount are compared with the final position.
const END: &str = "Header::fits_end";
/// Games that end with as few pieces as tables contain are declined if there are tables.
const ASKED: &str = "RecordReader::accept_games";
/// Commands are clocks and evaluations in the usual forms.
const COMMANDS: &str = "comment::other";

/// Evaluations agree with each other and with the end of the game.
const EVALUATIONS: &str = "Evaluations::accept, Evaluations::fit_end";

/// The rules that report warnings and errors about games, and what rules them out.
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
    ("SYN14", "FastReplay::end: a marker"),
    ("TAG01", "header::read: the seven tag roster"),
    ("TAG03", "header::read: each tag once"),
    ("TAG04", "header::tag_of: known names; header::other_tag"),
    ("TAG06", VALUES),
    ("TAG07", VALUES),
    ("TAG08", VALUES),
    ("TAG10", VALUES),
    ("TAG12", VALUES),
    ("TAG13", VALUES),
    ("TAG15", VALUES),
    ("TAG17", END),
    ("TAG18", "header::check_values: no FEN, no SetUp"),
    ("TAG19", "header::check_values: no FEN, no SetUp"),
    ("TAG20", "Control::read"),
    ("MOV01", BOARD),
    ("MOV02", BOARD),
    ("MOV03", BOARD),
    ("MOV04", BOARD),
    ("MOV05", BOARD),
    ("MOV06", BOARD),
    ("MOV07", BOARD),
    ("MOV08", TOKENS),
    ("MOV12", "Board::set_check"),
    ("MOV14", "Board::set_check"),
    ("MOV16", "Board::play: the captured piece is there"),
    ("MOV20", TOKENS),
    ("MOV22", BOARD),
    ("MOV23", TOKENS),
    ("MOV25", BOARD),
    ("NUM01", "FastReplay::movetext, FastReplay::after_white: the number expected"),
    ("NUM02", "FastReplay::movetext, FastReplay::after_white: the periods expected"),
    ("RES01", "FastReplay::end: a marker"),
    ("RES02", "next_game: nothing after the marker"),
    ("RES03", "FastReplay::end: one of the four; the Result tag is the same"),
    ("RES04", "FastGames::accept: the Result tag is the same"),
    ("RES05", END),
    ("RES06", END),
    ("RES07", END),
    ("RES08", END),
    ("RES09", END),
    ("RES10", "Board::may_be_drawn_automatically"),
    ("RES12", "may_contradict"),
    ("RES13", END),
    ("CLK01", COMMANDS),
    ("CLK02", "Clocks::accept"),
    ("CLK03", "Clocks::accept"),
    ("CLK06", COMMANDS),
    ("CLK07", "somebody_mates_next, somebody_may_mate"),
    ("CLK08", COMMANDS),
    ("CLK10", EVALUATIONS),
    ("CLK11", EVALUATIONS),
    ("CLK13", EVALUATIONS),
    ("CLK16", "Clocks::fit_end"),
    ("CLK17", "Clocks::fit_end"),
    ("ANN01", "glyph"),
    ("ANN04", "comment::words: no FEN; Header::is_current"),
    ("TRU01", ASKED),
    ("TRU02", ASKED),
    ("TRU06", ASKED),
    ("VAR01", "header::check_values: no variant but standard chess"),
    ("VAR02", "header::check_values: no variant but standard chess"),
];

#[test]
fn every_warning_and_error_about_games_is_ruled_out() {
    for rule in RULES {
        let about_positions = rule.check.is_about_positions() || rule.check.is_about_inputs();
        // Games with a FEN tag are not accepted.
        if !about_positions && rule.severity > Severity::Info {
            let code = rule.code.to_string();
            assert!(RULED_OUT.iter().any(|(listed, _)| *listed == code), "{code} is not known to be ruled out");
        }
    }
}
