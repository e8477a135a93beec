//! Lists where the fast path rules out what each rule reports about games.

use crate::rules::{Check, RULES, Rule, Severity};

/// Tokens are canonical moves, right numbers, comments, glyphs, parentheses of variations and one
/// marker. Nothing else is accepted.
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
/// With house rules, no game takes the fast path.
const HOUSE: &str = "RunChecks::of";
/// Games that end with as few pieces as tables contain are declined if there are tables.
const ASKED: &str = "RecordReader::accept_games";
/// Commands are clocks, evaluations and drawings in the usual forms.
const COMMANDS: &str = "comment::other";
/// The position has no findings, and the game is numbered from its fullmove number.
const FIRST_POSITION: &str = "FirstPosition::accept";

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
    ("TAG18", FIRST_POSITION),
    ("TAG19", FIRST_POSITION),
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
    ("RES16", "Header::fits_end: Board::may_end_drawn_automatically"),
    ("RES17", "may_claim_wrongly; header::check_values"),
    ("CLK01", COMMANDS),
    ("CLK02", "Clocks::accept, Clocks::accept_more"),
    ("CLK03", "Clocks::note"),
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
    ("VAR01", "header::check_values: standard chess, Chess960 and From Position only"),
    ("VAR02", "header::check_values: Chess960 only with a FEN"),
    ("HSE01", HOUSE),
    ("HSE02", HOUSE),
    ("HSE03", HOUSE),
    ("HSE04", HOUSE),
];

#[test]
fn every_warning_and_error_about_games_is_ruled_out() {
    for rule in RULES {
        if is_about_games(rule) && rule.severity > Severity::Info {
            let code = rule.code.to_string();
            assert!(RULED_OUT.iter().any(|(listed, _)| *listed == code), "{code} is not known to be ruled out");
        }
    }
}

fn is_about_games(rule: &Rule) -> bool {
    !rule.check.is_about_positions() && !rule.check.is_about_inputs()
}

/// The rules about tags run themselves, unless it is clear that they find nothing.
const TAG_RULES: &str = "Infos::check_tags, nothing_to_report::are_plain";
/// Games that show them are not accepted if the selection contains them.
const LAYOUT: &str = "least_severe_about_games";
/// With `EXACT`, there are no glyphs and variations, and the only commands are clocks.
const WORDS_AND_CLOCKS: &str = "FastReplay::fitting_words: only words; comment::plain_clock";
/// Clocks with which rules report infos are not accepted.
const CLOCKS: &str = "Clocks::accept_exactly, Annotations::have_no_infos";
/// Moves are written as the standard says.
const CANONICAL: &str = "Board::play with EXACT";

/// The rules that report only infos about games, and what rules them out where infos are shown.
/// Other rules report infos about the same tokens, tags and bytes.
const INFOS_RULED_OUT: &[(&str, &str)] = &[
    ("ENC02", BYTES),
    ("ENC04", BYTES),
    ("ENC08", "Infos::accept: RecordLines"),
    ("SYN13", TOKENS),
    ("SYN15", LAYOUT),
    ("TAG02", LAYOUT),
    ("TAG05", TAG_RULES),
    ("TAG09", TAG_RULES),
    ("TAG11", TAG_RULES),
    ("TAG14", TAG_RULES),
    ("TAG16", "RunChecks::of: no opening book"),
    ("TAG21", TAG_RULES),
    ("TAG22", TAG_RULES),
    ("MOV09", TOKENS),
    ("MOV10", TOKENS),
    ("MOV11", "Infos::accept: Board::unmarked_checks"),
    ("MOV13", "Board::has_unmarked_mate"),
    ("MOV15", CANONICAL),
    ("MOV17", CANONICAL),
    ("MOV18", CANONICAL),
    ("MOV19", CANONICAL),
    ("MOV21", CANONICAL),
    ("MOV24", CANONICAL),
    ("NUM03", "Header::without_infos: the starting position; FastReplay::movetext: numbered from 1"),
    ("NUM04", LAYOUT),
    ("NUM05", "FastReplay::after_number, FastReplay::after_white"),
    ("RES11", "FastGames::was_dead_before_last_ply"),
    ("RES14", "FastGames::accept: there are moves"),
    ("RES15", "Annotations::have_no_infos"),
    ("CLK04", CLOCKS),
    ("CLK05", CLOCKS),
    ("CLK09", CLOCKS),
    ("CLK12", WORDS_AND_CLOCKS),
    ("CLK14", WORDS_AND_CLOCKS),
    ("CLK15", WORDS_AND_CLOCKS),
    ("ANN02", WORDS_AND_CLOCKS),
    ("ANN03", WORDS_AND_CLOCKS),
    ("TRU03", "RunChecks::of: no oracles"),
    ("TRU08", "RunChecks::of: no oracles"),
    ("TRU13", "RunChecks::of: no oracles"),
    ("TRU14", "RunChecks::of: no oracles"),
    ("TRU15", "RunChecks::of: no oracles"),
    ("VAR07", "header::check_values: no such FEN or Event, and no such variant"),
];

#[test]
fn every_info_about_games_is_ruled_out() {
    let infos = || RULES.iter().filter(|rule| is_about_games(rule) && rule.severity == Severity::Info);
    for rule in infos() {
        let code = rule.code.to_string();
        assert!(INFOS_RULED_OUT.iter().any(|(listed, _)| *listed == code), "{code} is not known to be ruled out");
    }
    assert_eq!(infos().count(), INFOS_RULED_OUT.len(), "others are listed, too");
}

/// `AcceptedGame::has_fide_ids` says which games it needs.
#[test]
fn one_rule_is_about_all_games_of_an_input() {
    let about_all = RULES.iter().filter(|rule| matches!(rule.check, Check::GamesOfInput(_)));
    assert_eq!(about_all.map(|rule| rule.code.to_string()).collect::<Vec<_>>(), ["TAG23"]);
}
