//! ENC: encoding and bytes.

pub(crate) mod bom;
pub(crate) mod control_char;
pub(crate) mod invalid_utf8;
pub(crate) mod line_format;
pub(crate) mod mixed_encoding;
pub(crate) mod mojibake;
pub(crate) mod non_ascii_token;
pub(crate) mod not_text;

family! {
    not_text, invalid_utf8, mixed_encoding, mojibake, bom, control_char, non_ascii_token,
    line_format,
}

use super::{Span, facts::RecordBytes};

/// The first byte sequence of the record that is not valid UTF-8.
fn first_invalid(facts: &RecordBytes<'_>) -> Option<Span> {
    let record = facts.record();
    let valid = std::str::from_utf8(record).err()?.valid_up_to();
    let invalid = record[valid..].utf8_chunks().next()?.invalid();
    Some(Span::new(facts.start + valid, facts.start + valid + invalid.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Check, Finding, Findings, Rule, Scope, Severity};

    fn found_from(rule: &'static Rule, text: &[u8], start: usize, at_input_start: bool) -> Vec<Finding> {
        let mut findings = Findings::new();
        let facts = RecordBytes { text, start, end: text.len(), at_input_start };
        match rule.check {
            Check::Bytes(check) => check(&facts, &mut findings),
            _ => panic!("{} is not about bytes", rule.code),
        }
        std::mem::take(findings.all())
    }

    fn found(rule: &'static Rule, text: &[u8]) -> Vec<Finding> {
        found_from(rule, text, 0, true)
    }

    #[test]
    fn places_of_invalid_bytes_are_offsets_in_the_whole_text() {
        let text = b"one game \xE9\n[White \"J\xE1n \xC3\xA1\"]";
        for (rule, condition) in
            [(&invalid_utf8::RULE, invalid_utf8::ENCODING_LATIN), (&mixed_encoding::RULE, mixed_encoding::ENCODING_MIXED)]
        {
            let all = found_from(rule, text, 11, false);
            assert_eq!(all.len(), 1, "{}", rule.code);
            assert_eq!(all[0].place, Span::new(20, 21));
            assert_eq!(all[0].conditions, condition.into());
            assert_eq!(all[0].scope, Scope::Input { value: String::new() });
            assert!(found(rule, "[White \"Ján\"]".as_bytes()).is_empty());
        }
    }

    #[test]
    fn byte_order_mark_is_an_info_only_at_the_start_of_the_input() {
        let text = b"\xEF\xBB\xBF[Event \"\xEF\xBB\xBF\"] \xEF\xBB\xBF";
        let all = found(&bom::RULE, text);
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].place, all[0].severity), (Span::new(0, 3), Severity::Info));
        assert_eq!((all[1].place, all[1].severity), (Span::new(11, 14), Severity::Warning));
        assert!(all[1].message.contains('2'), "{}", all[1].message);
        // The record may begin after the mark.
        assert_eq!(found_from(&bom::RULE, b"\xEF\xBB\xBF[Event \"\"]", 3, true).len(), 1);
        assert_eq!(found_from(&bom::RULE, b"\xEF\xBB\xBF[Event \"\"]", 3, false).len(), 0);
        assert_eq!(found_from(&bom::RULE, b"\xEF\xBB\xBF[Event \"\"]", 0, false)[0].severity, Severity::Warning);
    }

    #[test]
    fn control_characters_are_counted_by_value() {
        let all = found(&control_char::RULE, b"a\0b\0\t\r\n\x0B\x0C\x1A\x7F");
        let places: Vec<_> = all.iter().map(|finding| (finding.place.start, finding.severity)).collect();
        assert_eq!(places, [(1, Severity::Warning), (9, Severity::Warning), (10, Severity::Warning)]);
        assert!(all[0].message.contains('2'), "{}", all[0].message);
        assert!(all.iter().all(|finding| finding.scope == Scope::Place));
    }

    #[test]
    fn windows_quotes_are_infos_and_utf8_is_not_reported() {
        let all = found(&control_char::RULE, b"{it\x92s} {it\x92s}");
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].place, all[0].severity), (Span::new(3, 4), Severity::Info));
        assert!(matches!(&all[0].scope, Scope::Input { value } if value == "92"));
        assert!(all[0].message.contains('’'), "{}", all[0].message);
        // Continuation bytes of valid UTF-8 are not control characters, even next to an invalid
        // byte.
        assert!(found(&control_char::RULE, "{Ā ’}".as_bytes()).is_empty());
        assert!(found(&control_char::RULE, b"{\xE2\x80\x99 \xE1}").is_empty());
    }

    #[test]
    fn inputs_that_are_not_text_are_named() {
        let mut findings = Findings::new();
        not_text::report(&mut findings, "UTF-16");
        not_text::report(&mut findings, "7z");
        let all = findings.all();
        assert_eq!((all[0].place, all[1].place), (Span::new(0, 0), Span::new(0, 4)));
        assert!(all[1].message.contains("7z"), "{}", all[1].message);
    }
}
