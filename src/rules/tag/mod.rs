//! Tag pairs.

mod date;
pub(crate) mod date_format;
pub(crate) mod date_implausible;
pub(crate) mod date_impossible;
pub(crate) mod duplicate_tag;
pub(crate) mod eco_mismatch;
pub(crate) mod eco_value;
pub(crate) mod elo_value;
pub(crate) mod empty_value;
pub(crate) mod fen_not_start;
pub(crate) mod fide_id_conflict;
pub(crate) mod field_swap;
pub(crate) mod missing_roster;
pub(crate) mod name_format;
pub(crate) mod plycount_mismatch;
pub(crate) mod rating_diff_sign;
pub(crate) mod round_format;
pub(crate) mod self_play;
pub(crate) mod setup_fen_mismatch;
pub(crate) mod tag_name;
pub(crate) mod tag_order;
pub(crate) mod termination_value;
pub(crate) mod time_control_format;
pub(crate) mod title_or_id_format;

family! {
    missing_roster, tag_order, duplicate_tag, tag_name, empty_value, date_format, date_impossible,
    date_implausible, round_format, self_play, name_format, elo_value, rating_diff_sign,
    title_or_id_format, eco_value, eco_mismatch, plycount_mismatch, setup_fen_mismatch,
    fen_not_start, time_control_format, termination_value, field_swap, fide_id_conflict,
}

pub use date::Age;
pub(crate) use date::ZERO as ZERO_DATE;
pub(crate) use name_format::name_fault;
pub(crate) use self_play::have_same_letters;
pub(crate) use tag_name::{is_only_misspelled, is_other_tag};
pub(crate) use termination_value::is_known_termination;

use crate::pgn::KnownTag;

/// The seven tag roster in its order (PGN standard 8.1.1).
pub(super) const SEVEN_TAG_ROSTER: [KnownTag; 7] =
    [KnownTag::Event, KnownTag::Site, KnownTag::Date, KnownTag::Round, KnownTag::White, KnownTag::Black, KnownTag::Result];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{
        Rule, Scope, Severity,
        testing::{found_in_tags, marked},
    };

    /// The severity of the only finding of `rule` about `[name "value"]`, if there is one.
    fn judged(rule: &'static Rule, name: &str, value: &str) -> Option<Severity> {
        let text = format!("[{name} \"{value}\"]\n");
        let all = found_in_tags(rule, &text);
        assert!(all.len() <= 1, "{name} {value}: {}", all.len());
        all.first().map(|finding| {
            assert_eq!(marked(&text, finding), value);
            assert!(!finding.message.is_empty());
            finding.severity
        })
    }

    #[test]
    fn real_dates_are_silent() {
        for date in [
            "2020.02.29",
            "2000.02.29",
            "1999.12.31",
            "????.??.??",
            "2020.??.??",
            "2020.02.??",
            "2020.??.31",
            "????.02.29",
            "????.12.??",
            "0001.01.01",
            "1500.02.29",
            "2400.02.29",
        ] {
            assert_eq!(judged(&date_format::RULE, "Date", date), None, "{date}");
            assert_eq!(judged(&date_impossible::RULE, "Date", date), None, "{date}");
        }
    }

    #[test]
    fn dates_that_do_not_exist_are_errors() {
        for date in [
            "2020.02.30",
            "2021.02.29",
            "2100.02.29",
            "2200.02.29",
            "2020.00.01",
            "2020.13.01",
            "2020.04.31",
            "2020.01.00",
            "2020.01.32",
            "2020.??.32",
            "2020.??.00",
            "????.02.30",
            "????.13.??",
            "0000.00.00",
            "1927.02.29",
        ] {
            assert_eq!(judged(&date_format::RULE, "UTCDate", date), None, "{date}");
            assert_eq!(judged(&date_impossible::RULE, "UTCDate", date), Some(Severity::Error), "{date}");
        }
    }

    #[test]
    fn old_style_dates_are_warnings() {
        for date in ["1900.02.29", "1700.02.29", "1712.02.30"] {
            assert_eq!(judged(&date_impossible::RULE, "Date", date), Some(Severity::Warning), "{date}");
        }
    }

    #[test]
    fn malformed_dates_are_not_checked_for_existence() {
        for date in [
            "10/31/2000",
            "2020-1-5",
            "2020.1.5",
            "2020.13.5",
            "2020",
            "2020.02",
            "202?.01.01",
            "2020.0?.01",
            "2020.01.3?",
            "2020.02.30.",
            "unknown",
            "2020/02/30",
            "٢٠٢٠.٠١.٠١",
        ] {
            assert_eq!(judged(&date_format::RULE, "EventDate", date), Some(Severity::Warning), "{date}");
            assert_eq!(judged(&date_impossible::RULE, "EventDate", date), None, "{date}");
        }
    }

    #[test]
    fn missing_dates_have_no_format() {
        for value in ["", "?", "-"] {
            assert_eq!(judged(&date_format::RULE, "EventDate", value), None, "{value}");
            assert_eq!(judged(&date_format::RULE, "Time", value), None, "{value}");
        }
    }

    #[test]
    fn common_dialects_are_infos() {
        assert_eq!(judged(&date_format::RULE, "Date", "?.??.??"), Some(Severity::Info));
        assert_eq!(judged(&date_format::RULE, "Date", "????.??"), Some(Severity::Info));
        assert_eq!(judged(&date_format::RULE, "Date", "?.??.01"), Some(Severity::Warning));
    }

    #[test]
    fn times() {
        for (time, format, impossible) in [
            ("00:00:00", None, None),
            ("23:59:59", None, None),
            ("??:??:??", None, None),
            ("12:??:??", None, None),
            ("24:00:00", None, Some(Severity::Warning)),
            ("23:59:60", None, Some(Severity::Warning)),
            ("24:00:01", None, Some(Severity::Error)),
            ("25:61:00", None, Some(Severity::Error)),
            ("12:60:00", None, Some(Severity::Error)),
            ("12:00:61", None, Some(Severity::Error)),
            ("12:00", Some(Severity::Warning), None),
            ("9:05:00", Some(Severity::Warning), None),
            ("4:35:12 p.m.", Some(Severity::Info), None),
            ("14:35:12 p.m.", Some(Severity::Warning), None),
            ("12.00.00", Some(Severity::Warning), None),
        ] {
            for name in ["Time", "UTCTime"] {
                assert_eq!(judged(&date_format::RULE, name, time), format, "{time}");
                assert_eq!(judged(&date_impossible::RULE, name, time), impossible, "{time}");
            }
        }
    }

    #[test]
    fn dates_with_one_possible_reading_have_a_repair() {
        for (name, value, expected) in [
            ("Date", "2020-1-5", "2020.01.05"),
            ("Date", "2020/01/05", "2020.01.05"),
            ("Date", "10/31/2000", "2000.10.31"),
            ("Date", "31.10.2000", "2000.10.31"),
            ("Date", "05/06/2000", ""),
            ("Date", "05/05/2000", "2000.05.05"),
            ("Date", "2020", "2020.??.??"),
            ("Date", "2020.02", "2020.02.??"),
            ("Date", "?.??.??", "????.??.??"),
            ("Date", "2020.02.30.", ""),
            ("Date", "13/13/2000", ""),
            ("Date", "0/5/2000", ""),
            ("Time", "9:05:00", "09:05:00"),
            ("Time", "12:00", ""),
            ("Time", "4:35:12 p.m.", "16:35:12"),
            ("Time", "12:05:00 AM", "00:05:00"),
            ("Time", "12:05:00 pm", "12:05:00"),
            ("Time", "13:05:00 pm", ""),
        ] {
            let all = found_in_tags(&date_format::RULE, &format!("[{name} \"{value}\"]\n"));
            assert_eq!(all.len(), 1, "{value}");
            assert_eq!(all[0].expected, expected, "{value}");
            assert_eq!(all[0].repair.is_some(), !expected.is_empty(), "{value}");
        }
    }

    #[test]
    fn ratings() {
        for (value, severity) in [
            ("2850", None),
            ("100", None),
            ("4000", None),
            ("", None),
            ("-", None),
            ("?", None),
            ("2400:-:2300", None),
            ("0", Some(Severity::Info)),
            ("1", Some(Severity::Info)),
            ("1500?", Some(Severity::Info)),
            ("2400.5", Some(Severity::Info)),
            ("4001", Some(Severity::Warning)),
            ("99999", Some(Severity::Warning)),
            ("99999999999999999999999999", Some(Severity::Warning)),
            ("-100", Some(Severity::Warning)),
            ("9999?", Some(Severity::Warning)),
            ("9999.5", Some(Severity::Warning)),
            ("2400.", Some(Severity::Warning)),
            ("abc", Some(Severity::Warning)),
            ("2400:abc", Some(Severity::Warning)),
            ("0:abc", Some(Severity::Warning)),
            ("2400 GM", Some(Severity::Warning)),
        ] {
            assert_eq!(judged(&elo_value::RULE, "BlackElo", value), severity, "{value}");
        }
        assert_eq!(judged(&elo_value::RULE, "WhiteUSCF", "abc"), None);
    }

    #[test]
    fn roster() {
        let text = "[Event \"?\"]\n[Site \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[ECO \"A00\"]\n";
        let all = found_in_tags(&missing_roster::RULE, text);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].expected, "Date, Round");
        assert_eq!(marked(text, &all[0]), text.trim_end());
        assert!(found_in_tags(&missing_roster::RULE, &format!("[Date \"?\"]\n{text}[Round \"?\"]\n")).is_empty());
        assert_eq!(found_in_tags(&missing_roster::RULE, "").len(), 1);
        assert!(found_in_tags(&missing_roster::RULE, &format!("[date \"?\"]\n{text}[Round \"?\"]\n")).is_empty());
    }

    #[test]
    fn contradictory_duplicates_are_errors() {
        for (text, severity, second) in [
            ("[Event \"a\"]\n[Event \"b\"]\n", Severity::Warning, "[Event \"b\"]"),
            ("[Result \"1-0\"]\n[Result \"1-0\"]\n", Severity::Warning, "[Result \"1-0\"]"),
            ("[Result \"1-0\"]\n[Result \"0-1\"]\n", Severity::Error, "[Result \"0-1\"]"),
            ("[Result \"1/2\"]\n[Result \"1/2-1/2\"]\n", Severity::Warning, "[Result \"1/2-1/2\"]"),
            ("[Variant \"Chess960\"]\n[Variant \"chess 960\"]\n", Severity::Warning, "[Variant \"chess 960\"]"),
            ("[Variant \"Chess960\"]\n[Variant \"Standard\"]\n", Severity::Error, "[Variant \"Standard\"]"),
            ("[FEN \"8/8 w - - 0 1\"]\n[FEN \"8/8  w - -\"]\n", Severity::Warning, "[FEN \"8/8  w - -\"]"),
            ("[FEN \"8/8 w - - 0 1\"]\n[FEN \"8/8 b - - 0 1\"]\n", Severity::Error, "[FEN \"8/8 b - - 0 1\"]"),
            ("[Event \"a\"]\n[Event \"b\"]\n[Result \"1-0\"]\n[Result \"0-1\"]\n", Severity::Error, "[Result \"0-1\"]"),
        ] {
            let all = found_in_tags(&duplicate_tag::RULE, text);
            assert_eq!(all.len(), 1, "{text}");
            assert_eq!(all[0].severity, severity, "{text}");
            // The first pair may have the same text as the second.
            assert_eq!(marked(text, &all[0]), second, "{text}");
            assert!(all[0].place.start > 0, "{text}");
        }
        assert!(found_in_tags(&duplicate_tag::RULE, "[Event \"a\"]\n[Events \"a\"]\n").is_empty());
        assert_eq!(found_in_tags(&duplicate_tag::RULE, "[Event \"a\"]\n[event \"a\"]\n").len(), 1);
    }

    #[test]
    fn duplicates_are_found_among_very_many_tags() {
        let mut text: String = (0..5000).map(|number| format!("[Tag{number} \"x\"]\n")).collect();
        assert!(found_in_tags(&duplicate_tag::RULE, &text).is_empty());
        text.push_str("[Tag4321 \"y\"]\n");
        assert_eq!(found_in_tags(&duplicate_tag::RULE, &text).len(), 1);
    }

    #[test]
    fn setup_and_fen() {
        const STARTING: &str = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 9\"]\n";
        const OTHER: &str = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";
        for (text, severity) in [
            (String::new(), None),
            (OTHER.to_owned(), Some(Severity::Info)),
            (format!("[SetUp \"1\"]\n{OTHER}"), None),
            (format!("[SetUp \"1\"]\n{STARTING}"), None),
            ("[SetUp \"1\"]\n".to_owned(), Some(Severity::Error)),
            // TAG04 and SYN02 report these.
            ("[SetUp \"1\"]\n[Fen \"8/8 w - -\"]\n".to_owned(), None),
            ("[SetUp \"0\"]\n".to_owned(), None),
            (format!("[SetUp \"0\"]\n{STARTING}"), None),
            (format!("[SetUp \"0\"]\n{OTHER}"), Some(Severity::Warning)),
            (format!("[SetUp \"true\"]\n{OTHER}"), Some(Severity::Warning)),
            ("[SetUp \"\"]\n".to_owned(), Some(Severity::Warning)),
        ] {
            let all = found_in_tags(&setup_fen_mismatch::RULE, &text);
            assert_eq!(all.first().map(|finding| finding.severity), severity, "{text}");
            assert!(all.len() <= 1, "{text}");
            assert_eq!(
                all.iter().any(|finding| matches!(finding.scope, Scope::Input { .. })),
                severity == Some(Severity::Info),
                "{text}: only the info is reported once per input"
            );
        }
    }
}
