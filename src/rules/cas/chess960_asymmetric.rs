//! `960-asymmetric`.

use crate::rules::{
    Check, Condition, Findings, Rule, Sample, Severity, Yield,
    facts::{Origin, PositionFacts},
    shown,
};

/// CAS05: the castling rights of a Chess960 game fit no array that both sides can have.
pub static RULE: Rule = Rule {
    code: code!("CAS05"),
    name: "960-asymmetric",
    severity: Severity::Warning,
    summary: "The castling rights of a Chess960 game imply different arrays for White and Black",
    what: "In Chess960 both sides start from one array: kings, and rooks on the same side of them, that may castle stand on the same files. Judged in games whose Variant tag says Chess960 by a name that is not double Chess960's. Where more games of the input have two arrays than have one, they are double Chess960, which is often declared as Chess960: nothing is reported then.",
    why: "A right is wrong, or the game is double Chess960.",
    fix: "Correct the castling availability or the placement; name the variant.",
    source: "FIDE Guidelines for Chess960",
    yields: &[Yield::InRecord(code!("CAS04")), Yield::InRecord(code!("VAR03"))],
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"1rk3r1/8/8/4p3/8/8/4P3/1R1K2R1 w ⟦GBgb⟧ - 0 30\"]\n[Variant \"Chess960\"]\n\n*\n\n\
             [Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"1rk3r1/8/8/4p3/8/8/4P3/1RK3R1 w GBgb - 0 30\"]\n[Variant \"Chess960\"]\n\n*\n",
    )],
    silent: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"1rk3r1/8/8/4p3/8/8/4P3/1R1K2R1 w GBgb - 0 30\"]\n[Variant \"Chess960\"]\n\n*\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[SetUp \"1\"]\n\
             [FEN \"1rk3r1/8/8/4p3/8/8/4P3/1R1K2R1 w GBgb - 0 30\"]\n[Variant \"DFRC\"]\n\n*\n",
        ),
        Sample::Positions("1rk3r1/8/8/4p3/8/8/4P3/1R1K2R1 w GBgb - 0 30"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let declared = facts.declared.chess960 && !facts.declared.double_chess960;
    if facts.origin != Origin::FenTag || !declared || facts.one_array() != Some(false) {
        return;
    }
    let Some(place) = facts.fen.castling() else { return };
    let found = shown(place.of(facts.text));
    findings
        .add(&RULE, place)
        .only_if(Condition::ArraysMirrored)
        .message(format!("kings and rooks that `{found}` lets castle stand on different files for White and Black"))
        .found(found);
}
