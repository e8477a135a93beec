//! `caged-piece`.

use crate::{
    chess::{color_name, retro::Structure, role_name},
    rules::{Check, Findings, Rule, Sample, Severity, facts::PositionFacts},
};

/// POS15: a piece that cannot have left its home.
pub static RULE: Rule = Rule {
    code: code!("POS15"),
    name: "caged-piece",
    severity: Severity::Error,
    summary: "A piece stands where neither an original nor a promoted one can have come",
    what: "Squares of men that have never moved were blocked for the whole game: pawns on their second rank, kings and rooks that hold a castling right, home bishops behind two unmoved pawns. The piece can have come to its square over other squares neither from the home of such a piece (or the square that castling puts a rook on) nor from a square where a pawn was promoted. For the standard array only: off in inputs of Chess960, and an info where no record of the input shows the standard array.",
    why: "The position cannot arise.",
    fix: "Correct the placement.",
    source: "Laws of Chess, articles 3.1 to 3.8",
    reachability: true,
    fires: &[Sample::Positions("r3k2r/pppppppp/8/8/8/4⟦B⟧3/1P1PP1P1/R3K2R w KQkq - 0 40")],
    silent: &[Sample::Positions("r3k1nr/pppp1ppp/8/8/8/4B3/1P1PP1P1/R3K1NR b KQkq - 3 40")],
    check: Check::Structure(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, structure: &Structure, findings: &mut Findings) {
    let Some((color, role, square)) = structure.caged_piece() else { return };
    findings.add(&RULE, facts.square_place(square)).found(square.to_string()).message(format!(
        "the {} of {} on {square} can neither have come there from its home, past men that have never moved, nor have been promoted",
        role_name(role),
        color_name(color)
    ));
}
