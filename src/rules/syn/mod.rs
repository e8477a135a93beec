//! SYN: syntax and structure of games.

/// A game with the seven tag roster, for samples: event, result, further tag pairs, movetext.
macro_rules! game {
    ($event:literal, $result:literal, $moves:literal) => {
        game!($event, $result, "", $moves)
    };
    ($event:literal, $result:literal, $tags:literal, $moves:literal) => {
        concat!(
            "[Event \"",
            $event,
            "\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"",
            $result,
            "\"]\n",
            $tags,
            "\n",
            $moves,
            "\n"
        )
    };
}

pub(crate) mod bad_rav;
pub(crate) mod bad_tag_pair;
pub(crate) mod bad_tag_string;
pub(crate) mod blank_line;
pub(crate) mod empty_input;
pub(crate) mod enclosed_games;
pub(crate) mod enclosed_positions;
pub(crate) mod escape_line;
pub(crate) mod export_layout;
pub(crate) mod incomplete_row;
pub(crate) mod not_chess;
pub(crate) mod stray_brace;
pub(crate) mod stray_rav_close;
pub(crate) mod stray_text;
pub(crate) mod tag_in_movetext;
pub(crate) mod token_spacing;
pub(crate) mod truncated_file;
pub(crate) mod unclosed_comment;
pub(crate) mod unclosed_rav;
pub(crate) mod unknown_token;

family! {
    stray_text, bad_tag_pair, bad_tag_string, tag_in_movetext, unclosed_comment, stray_brace,
    unclosed_rav, stray_rav_close, bad_rav, unknown_token, token_spacing, blank_line, escape_line,
    truncated_file, export_layout, empty_input, not_chess, enclosed_positions, incomplete_row,
    enclosed_games,
}

#[cfg(test)]
mod tests {
    use shakmaty::Outcome;

    use crate::{
        pgn::{Lexer, TagFault, Token, line_end, read_tag},
        rules::{
            Check, Conditions, Family, Finding, Findings, RULES, Sample, Severity, Span,
            facts::{BraceFault, RavFault, SyntaxFault, SyntaxFaultKind},
        },
    };

    /// The findings of all rules about a fault.
    fn check_fault(text: &[u8], place: Span, kind: SyntaxFaultKind, in_variation: bool) -> Vec<Finding> {
        let mut findings = Findings::new();
        for rule in RULES {
            if let Check::Syntax(check) = rule.check {
                check(&SyntaxFault { text, place, kind: kind.clone(), in_variation }, &mut findings);
            }
        }
        std::mem::take(findings.all())
    }

    #[test]
    fn each_fault_has_one_rule() {
        use SyntaxFaultKind as Kind;
        let text = b"1. e4 e5\n[Event \"x\"]\n";
        for (kind, code, severity) in [
            (Kind::StrayText, "SYN01", Severity::Warning),
            (Kind::Tag(TagFault::Pair("")), "SYN02", Severity::Error),
            (Kind::Tag(TagFault::String("")), "SYN03", Severity::Warning),
            (Kind::Tag(TagFault::Truncated), "SYN14", Severity::Error),
            (Kind::TagInMovetext { next: 9, torn: None, result: Outcome::Unknown }, "SYN04", Severity::Error),
            (Kind::UnclosedComment { at_header: true, end: 9 }, "SYN05", Severity::Error),
            (Kind::UnclosedComment { at_header: false, end: 22 }, "SYN05", Severity::Error),
            (Kind::Brace(BraceFault::Stray), "SYN06", Severity::Warning),
            (Kind::Brace(BraceFault::Nested), "SYN06", Severity::Info),
            (Kind::Brace(BraceFault::NestedComment), "SYN06", Severity::Warning),
            (Kind::Brace(BraceFault::MeantBrace), "SYN05", Severity::Error),
            (Kind::MissingVariationOpen, "SYN08", Severity::Error),
            (Kind::UnclosedVariation { end: None }, "SYN07", Severity::Error),
            (Kind::StrayVariationClose, "SYN08", Severity::Error),
            (Kind::BadVariation(RavFault::Empty), "SYN09", Severity::Warning),
            (Kind::UnknownToken { meant: None }, "SYN10", Severity::Error),
            (Kind::UnknownToken { meant: Some("e4".to_owned()) }, "SYN10", Severity::Error),
            (Kind::SplitToken { joined: "e4".to_owned() }, "SYN11", Severity::Warning),
            (Kind::Truncated, "SYN14", Severity::Error),
            (Kind::AfterMarker { marker: true, tokens: 1 }, "RES02", Severity::Warning),
            (Kind::AfterMarker { marker: false, tokens: 3 }, "RES02", Severity::Warning),
        ] {
            let findings = check_fault(text, Span::new(3, 5), kind.clone(), false);
            let seen: Vec<_> =
                findings.iter().map(|finding| (finding.rule.code.to_string(), finding.severity, finding.conditions)).collect();
            assert_eq!(seen, [(code.to_owned(), severity, Conditions::NONE)], "{kind:?}");
        }
        let in_variation = check_fault(text, Span::new(3, 5), SyntaxFaultKind::UnknownToken { meant: None }, true);
        assert_eq!(in_variation[0].severity, Severity::Warning);
    }

    #[test]
    fn after_a_blank_line_only_the_marker_is_missing() {
        let text = b"1. e4 e5\n\n[Event \"x\"]\n";
        assert!(
            check_fault(
                text,
                Span::new(8, 8),
                SyntaxFaultKind::TagInMovetext { next: 10, torn: None, result: Outcome::Unknown },
                false
            )
            .is_empty()
        );
    }

    /// The faults of a text that the lexer and the tag reader find without replaying the game.
    fn faults(text: &[u8]) -> Vec<(Span, SyntaxFaultKind)> {
        let mut lexer = Lexer::new(text, 0);
        let mut faults = Vec::new();
        let mut depth = 0;
        loop {
            let token = lexer.next();
            let place = Span::new(lexer.start, lexer.at);
            match token {
                Token::End => return faults,
                Token::TagPair => {
                    let read = read_tag(text, lexer.start);
                    faults.extend(read.fault.map(|(fault, place)| (place, SyntaxFaultKind::Tag(fault))));
                    lexer.at = read.end;
                }
                // Before the movetext, everything that begins with a bracket is a tag pair.
                Token::Word if text[lexer.start] == b'[' => {
                    let read = read_tag(text, lexer.start);
                    faults.extend(read.fault.map(|(fault, place)| (place, SyntaxFaultKind::Tag(fault))));
                    lexer.at = read.end;
                }
                Token::UnclosedComment => faults.push((
                    Span::new(place.start, place.start + 1),
                    SyntaxFaultKind::UnclosedComment { at_header: lexer.at < text.len(), end: lexer.at },
                )),
                Token::StrayBrace => faults.push((place, SyntaxFaultKind::Brace(BraceFault::Stray))),
                Token::Open => depth += 1,
                Token::Close if depth == 0 => faults.push((place, SyntaxFaultKind::StrayVariationClose)),
                Token::Close => depth -= 1,
                _ => {}
            }
        }
    }

    #[test]
    fn lexer_and_tag_reader_find_the_marked_places_of_samples() {
        let mut seen = Vec::new();
        for rule in RULES.iter().filter(|rule| rule.code.family() == Family::Syn) {
            for sample in rule.silent {
                let (text, _) = sample.input();
                // The rules about positions report the faults of a FEN.
                if memchr::memmem::find(&text, b"[FEN").is_none() {
                    assert_eq!(faults(&text), [], "{sample:?}");
                }
            }
            for sample in rule.fires {
                let (text, marked) = sample.input();
                let marked = marked.expect("a firing sample marks a place");
                for (place, kind) in faults(&text) {
                    // If the position shows which bracket is wrong, the finding is elsewhere. The
                    // tests of all samples check that.
                    let bracket = matches!(
                        kind,
                        SyntaxFaultKind::Brace(_)
                            | SyntaxFaultKind::StrayVariationClose
                            | SyntaxFaultKind::UnclosedComment { .. }
                    ) || text[place.start..].starts_with(b"[1.");
                    if bracket && place != marked {
                        continue;
                    }
                    assert_eq!(place, marked, "{sample:?}");
                    let findings = check_fault(&text, place, kind, false);
                    assert_eq!(findings.len(), 1, "{sample:?}");
                    assert_eq!((findings[0].rule.code, findings[0].place), (rule.code, marked), "{sample:?}");
                    seen.push(rule.name);
                }
            }
        }
        seen.dedup();
        assert_eq!(
            seen,
            ["bad-tag-pair", "bad-tag-string", "unclosed-comment", "stray-brace", "stray-rav-close"],
            "rules whose samples need no replay"
        );
    }

    #[test]
    fn tag_pairs_are_completed_and_escaped() {
        for (line, found, expected) in [
            ("[Annotator Tal]", "[Annotator Tal]", "[Annotator \"Tal\"]"),
            ("[Annotator \"Tal\"", "[Annotator \"Tal\"", "[Annotator \"Tal\"]"),
            ("[Annotator \"Tal]", "[Annotator \"Tal]", "[Annotator \"Tal\"]"),
            ("[Annotator Tal\"]", "[Annotator Tal\"]", "[Annotator \"Tal\"]"),
            ("[\"Tal\"]", "[\"Tal\"]", ""),
            ("[Event \"5th \"Mikis\" Open\"]", "\"5th \"Mikis\" Open\"", "\"5th \\\"Mikis\\\" Open\""),
            ("[Event \"a\\b\"]", "\"a\\b\"", "\"a\\\\b\""),
            ("[A \"1\"][Event \"a\tb\"]", "\"a\\tb\"", "\"a b\""),
        ] {
            let text = format!("[Site \"?\"]\n{line}\n[Round \"?\"]\n");
            let text = text.as_bytes();
            let mut at = 11;
            let fault = loop {
                let read = read_tag(text, at);
                match read.fault {
                    Some(fault) => break fault,
                    None => at = read.end,
                }
                assert!(at < line_end(text, 11), "{line}: no fault");
            };
            let findings = check_fault(text, fault.1, SyntaxFaultKind::Tag(fault.0), false);
            assert_eq!((findings[0].found.as_str(), findings[0].expected.as_str()), (found, expected), "{line}");
        }
    }

    #[test]
    fn samples_of_whole_games_have_a_full_roster() {
        for rule in RULES.iter().filter(|rule| rule.code.family() == Family::Syn) {
            for sample in rule.fires.iter().chain(rule.silent) {
                // Text in another format is no game.
                if let Sample::Pgn(text) = sample
                    && rule.code != super::not_chess::RULE.code
                {
                    assert_eq!(text.matches("[Event ").count(), text.matches("[Result ").count(), "{text}");
                }
            }
        }
    }
}
