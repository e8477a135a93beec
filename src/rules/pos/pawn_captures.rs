//! POS13: the pawns made more captures than pieces are missing.

use shakmaty::{Bitboard, File};

use super::named;
use crate::chess::retro::{PawnCaptures, Structure};
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("POS13"),
    name: "pawn-captures",
    severity: Severity::Error,
    summary: "The pawns made more captures than pieces are missing",
    what: "A pawn changes file only by capturing, one file with each capture. The minimum number \
        of captures that explains the files of all pawns is compared with the number of pieces \
        that the other side has lost. A bishop lost on its home square between two unmoved pawns \
        does not count, because no pawn can have captured it there. A side that has lost fewer \
        pieces than such bishops is reported too.",
    why: "The position cannot occur in a game. Usually a pawn is on the wrong file, or a piece is \
        missing.",
    fix: "Correct the piece placement.",
    source: "FIDE Laws 3.7",
    yields: &in_record([code!("POS15")]),
    reachability: true,
    fires: &[
        Sample::Positions("⟦rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR⟧ w - - 0 1"),
        Sample::Positions("⟦rn1qkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR⟧ w KQkq - 0 1"),
    ],
    silent: &[
        Sample::Positions("rnbqkb1r/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR b KQkq - 0 10"),
        Sample::Positions("rn1qkbnr/ppp1pppp/8/8/8/P7/P1PPPPPP/RNBQKBNR b KQkq - 0 10"),
    ],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

/// The minimum is that of assigning the pawns to different starting files with the smallest sum of
/// distances. In games from the standard starting position, a bishop that is missing from its home
/// square while two unmoved pawns lock it in (c8 with pawns on b7 and d7) was captured there. No
/// pawn that is still a pawn can have done that.
fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some(pawns) = structure.pawn_captures() else { return };
    let missing = match pawns.missing {
        0 => "no piece".to_owned(),
        more => quantity(more, "piece", "pieces"),
    };
    let at_home = match pawns.captured_at_home {
        0 => String::new(),
        1 => ", including a bishop captured on its home square".to_owned(),
        more => format!(", including {more} bishops captured on their home squares"),
    };
    let max = pawns.missing.saturating_sub(pawns.captured_at_home);
    if pawns.needed == 0 {
        return report_bishop(facts, structure, &pawns, &missing, findings);
    }
    // Without two pawns on one file, no capture is needed.
    let ours = facts.board.as_ref().map_or(Bitboard::EMPTY, |board| board.by_piece(pawns.color.pawn()));
    let files = File::ALL.into_iter().map(|file| ours & Bitboard::from_file(file));
    let doubled: Bitboard = files.filter(|on_file| on_file.count() > 1).flatten().collect();
    findings
        .add(&RULE, facts.placement_place())
        .found(format!("{} captures", pawns.needed))
        .expected(format!("{max} at most"))
        .message(format!(
            "{}'s pawns have made at least {}, but {} has lost {missing}{at_home}",
            color_name(pawns.color),
            quantity(pawns.needed, "capture", "captures"),
            color_name(!pawns.color)
        ))
        .squares(doubled);
}

/// Reports a side that has lost fewer pieces than bishops on their home squares.
fn report_bishop(facts: &PositionFacts<'_>, structure: &Structure, pawns: &PawnCaptures, missing: &str, findings: &mut Findings) {
    let color = !pawns.color;
    let homes: Vec<String> = pawns.homes.into_iter().map(|home| home.to_string()).collect();
    let is_single = homes.len() == 1;
    let bishops = if is_single { "a bishop was" } else { "bishops were" };
    let candidates = structure.promotion_candidates(color);
    let promoted = named(facts, candidates, pawns.captured_at_home);
    let promoted = match promoted.as_str() {
        "" => String::new(),
        names if is_single => format!("; a promoted piece{names} replaces it"),
        names => format!("; promoted pieces{names} replace them"),
    };
    findings
        .add(&RULE, facts.placement_place())
        .message(format!(
            "{} has lost {missing}, but {bishops} captured on {}, shut in by unmoved pawns{promoted}",
            color_name(color),
            join_and(&homes),
        ))
        .squares(pawns.homes | candidates);
}
