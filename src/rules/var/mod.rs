//! Variants and Chess960.

pub(crate) mod chess960_undeclared;
pub(crate) mod fen_required;
pub(crate) mod invalid_chess960_start;
pub(crate) mod odds_start;
pub(crate) mod set_up_start;
pub(crate) mod unknown_variant;
pub(crate) mod variant_marks;

family! {
    unknown_variant, fen_required, invalid_chess960_start, chess960_undeclared, variant_marks,
    odds_start, set_up_start,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{
        Check, Declared, Finding, Findings, Origin, Rule, Scope, Severity, Span,
        facts::PositionFacts,
        testing::{found_in_tags, marked},
    };

    /// What `rule` finds in the value of a FEN tag.
    fn found_in_fen(rule: &'static Rule, fen: &str, chess960: bool) -> Vec<Finding> {
        let declared = Declared { chess960, ..Declared::default() };
        let facts = PositionFacts::read(fen.as_bytes(), Span::new(0, fen.len()), Origin::FenTag, declared);
        let mut findings = Findings::new();
        match rule.check {
            Check::Position(check) => check(&facts, &mut findings),
            _ => panic!("{} does not check positions", rule.code),
        }
        std::mem::take(findings.all())
    }

    #[test]
    fn pieces_at_fault_are_marked() {
        for (rule, fen, chess960, message, squares) in [
            (
                &invalid_chess960_start::RULE,
                "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BNBRKRQN w - - 0 1",
                true,
                "White has both bishops on squares of the same colour, and neither can have moved",
                "a1 c1",
            ),
            (
                &invalid_chess960_start::RULE,
                "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRRK w - - 0 1",
                true,
                "White's king is not between the rooks",
                "f1 g1 h1",
            ),
            (
                &chess960_undeclared::RULE,
                "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1",
                false,
                "the castling rights `KQkq` fit only Chess960, but no Variant tag says so",
                "f1 g1 h1 f8 g8 h8",
            ),
            (
                &variant_marks::RULE,
                "rnb1kbnr/ppp1pppp/8/3q~4/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 9",
                false,
                "`q~` marks a promoted piece, as in crazyhouse, but no variant is declared",
                "d5",
            ),
            (
                &variant_marks::RULE,
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +0+0",
                false,
                "`+0+0` counts checks, as in three-check, but no variant is declared",
                "",
            ),
            (
                &odds_start::RULE,
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1",
                false,
                "White starts without the knight on b1",
                "b1",
            ),
            (
                &odds_start::RULE,
                "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                false,
                "Black starts without the pawn on f7",
                "f7",
            ),
            (
                &odds_start::RULE,
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R w KQkq - 0 1",
                false,
                "White starts without the pieces on b1 and g1",
                "b1 g1",
            ),
        ] {
            let found = found_in_fen(rule, fen, chess960);
            assert_eq!(found.len(), 1, "{fen}");
            let marked: Vec<String> = found[0].marks.squares.into_iter().map(|square| square.to_string()).collect();
            assert_eq!((found[0].message.as_str(), marked.join(" ").as_str()), (message, squares), "{fen}");
        }
    }

    #[test]
    fn names_of_variants() {
        for (value, severity) in [
            ("Standard", None),
            ("", None),
            ("chess 960", None),
            ("Three-check", None),
            ("bughouse", Some(Severity::Info)),
            ("No king", Some(Severity::Info)),
            ("Foochess", Some(Severity::Warning)),
            ("Chess961", Some(Severity::Warning)),
        ] {
            let text = format!("[Variant \"{value}\"]\n");
            let all = found_in_tags(&unknown_variant::RULE, &text);
            assert_eq!(all.first().map(|finding| finding.severity), severity, "{value}");
            for finding in &all {
                assert_eq!(marked(&text, finding), value);
                assert_eq!(finding.scope == Scope::Place, severity == Some(Severity::Warning), "{value}");
            }
        }
        assert!(found_in_tags(&unknown_variant::RULE, "[Event \"Foochess\"]\n").is_empty());
    }

    #[test]
    fn variants_that_require_a_fen() {
        const FEN: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";
        for (text, severity) in [
            ("[Variant \"From Position\"]\n".to_owned(), Some(Severity::Error)),
            (format!("[Variant \"From Position\"]\n{FEN}"), None),
            // Chess960 position 518 is the standard starting position, so nothing is proven.
            ("[Variant \"Chess960\"]\n".to_owned(), Some(Severity::Warning)),
            ("[Variant \"Chess960\"]\n[SetUp \"1\"]\n".to_owned(), Some(Severity::Error)),
            ("[Variant \"Chess960\"]\n[SetUp \"0\"]\n".to_owned(), None),
            (format!("[Variant \"Chess960\"]\n{FEN}"), None),
            ("[Variant \"Horde\"]\n".to_owned(), None),
            ("[Variant \"Standard\"]\n".to_owned(), None),
            (String::new(), None),
        ] {
            let all = found_in_tags(&fen_required::RULE, &text);
            assert_eq!(all.first().map(|finding| finding.severity), severity, "{text}");
            assert!(all.iter().all(|finding| finding.cause.is_none()), "{text}");
        }
        let misspelled =
            found_in_tags(&fen_required::RULE, &format!("[Variant \"From Position\"]\n{}", FEN.replace("FEN", "Fen")));
        assert_eq!(misspelled[0].cause, Some(code!("TAG04")));
    }
}
