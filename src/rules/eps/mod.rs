//! En passant target square.

pub(crate) mod ep_convention_mixed;
pub(crate) mod ep_impossible_check;
pub(crate) mod ep_no_pawn;
pub(crate) mod ep_not_capturable;
pub(crate) mod ep_occupied;
pub(crate) mod ep_prior_check;
pub(crate) mod ep_wrong_rank;

family! {
    ep_wrong_rank, ep_no_pawn, ep_occupied, ep_impossible_check, ep_prior_check, ep_not_capturable,
    ep_convention_mixed,
}

use super::{Certainty, Finding, Findings, Patch, Rule, Span, facts::PositionFacts, shown};

/// Reports an en passant target square at `place` that breaks `rule`. Probably there is none.
fn impossible<'f>(rule: &'static Rule, facts: &PositionFacts<'_>, place: Span, findings: &'f mut Findings) -> &'f mut Finding {
    findings
        .add(rule, place)
        .found(shown(place.of(facts.text)))
        .expected("-")
        .repair(Certainty::Likely, Patch::replace(facts.text, place, *b"-"))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::squares_marked;

    #[test]
    fn squares_of_the_double_step_are_marked() {
        for (code, line, squares) in [
            ("EPS01", "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "e3"),
            ("EPS02", "4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1", "e3 e4"),
            ("EPS03", "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1", "e2 e3 e4"),
            ("EPS04", "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 30", "h3 d5 d6 d7"),
            ("EPS05", "b6k/8/8/3pP3/8/8/8/7K w - d6 0 30", "h1 d5 d6 d7 a8"),
            ("EPS06", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "e3"),
        ] {
            assert_eq!(squares_marked(code, line), squares, "{code} in {line}");
        }
    }
}
