//! Variants and Chess960.

family! {
    unknown_variant,
    fen_required,
    chess960_array,
    chess960_undeclared,
    variant_marks,
    odds_start,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{
        Scope, Severity,
        testing::{found_in_tags, marked},
    };

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
    fn variants_that_want_a_fen() {
        const FEN: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";
        for (text, severity) in [
            ("[Variant \"From Position\"]\n".to_owned(), Some(Severity::Error)),
            (format!("[Variant \"From Position\"]\n{FEN}"), None),
            // Array 518 is the initial array, so nothing is proven.
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
        let misspelt = found_in_tags(&fen_required::RULE, &format!("[Variant \"From Position\"]\n{}", FEN.replace("FEN", "Fen")));
        assert_eq!(misspelt[0].cause, Some(code!("TAG04")));
    }
}
