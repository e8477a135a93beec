//! CAS02: a castling right has no rook to castle with.

use shakmaty::File;

use super::exception;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("CAS02"),
    name: "rook-missing",
    severity: Severity::Error,
    summary: "A castling right has no rook to castle with",
    what: "`K` and `Q` need a rook of the same side on the back rank, on that side of the king. A \
        file letter needs a rook on that file. No such rook is an error. If there is one, but not \
        on the corner square, this is a warning, unless tags, `--variant chess960` or most positions of \
        the input show that it is Chess960. With `--variant standard`, it is an error. If 20 or more records have such a rook, this is \
        reported once per input. If a king is not at home either, CAS01 reports the whole field.",
    why: "The rook has moved or was captured, so the castling right is lost.",
    fix: "Remove the castling letter.",
    source: "FIDE Laws 3.8.2",
    repairs: Some(Certainty::Likely),
    fires: &[
        Sample::Positions("rn2k3/8/8/8/8/8/8/4K2R w K⟦k⟧ - 0 1"),
        Sample::Positions("r3k1r1/8/8/8/8/8/8/4K2R w K⟦k⟧ - 0 1"),
        Sample::Positions("nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk⟦q⟧ - 0 1"),
    ],
    silent: &[
        Sample::Positions("r3k3/8/4p3/8/8/8/8/4K2R w Kq - 0 1"),
        // Most positions are Chess960.
        Sample::Positions("r3k1r1/8/8/8/8/8/8/4K2R w Kk - 0 1\nr3k1r1/8/8/8/8/8/8/4K1R1 w Kk - 0 1"),
    ],
    check: Check::Position(check),
    ..Rule::DEFAULTS
};

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    super::king_not_home::report(facts, findings, &RULE);
    if let Some(exception) = exception(facts, |king| king == File::E) {
        let squares: Vec<String> = exception.rooks.into_iter().map(|square| square.to_string()).collect();
        let rights = if exception.letters.len() == 1 { "the right is" } else { "the rights are" };
        let (letters, squares) = (&exception.letters, join_or(&squares));
        let fault = format!("no rook on {squares} for `{letters}`");
        exception.report(&RULE, fault, &format!("{rights} stale"), findings);
    }
}
