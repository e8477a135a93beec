//! Names in every encoding that PGN files come in are reported legibly, and places are counted in
//! bytes.

use crate::common::{AuditResult, audit, everything, input, packs::gzip};
use chess_audit::internals::{
    corpus::Input,
    pipeline::Settings,
    rules::{Finding, Severity},
    text::Format,
};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GBK, IBM866, ISO_8859_2, ISO_8859_5, KOI8_R, MACINTOSH, SHIFT_JIS, UTF_8, WINDOWS_1250,
    WINDOWS_1251, WINDOWS_1252, WINDOWS_1254, WINDOWS_1257,
};

/// A game in which an illegal move is the only thing wrong.
const GAME: &str = "[Event \"Köln à la carte\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"Müller, Renée\"]\n\
                    [Black \"Ångström, François\"]\n[Result \"*\"]\n\n1. e4 {très bon} e5 2. Ke3 Nc6 *\n\n";

fn audit_result(bytes: &[u8]) -> AuditResult {
    audit(vec![input(bytes, Format::Pgn)], Settings { threads: 1, ..Settings::default() })
}

fn only(audit_result: &AuditResult) -> &Finding {
    assert_eq!(audit_result.findings.len(), 1, "{:#?}", audit_result.lines());
    &audit_result.findings[0].1
}

#[test]
fn names_can_be_read_whatever_the_encoding() {
    for encoding in [UTF_8, WINDOWS_1252, MACINTOSH] {
        let (bytes, _, lost) = encoding.encode(GAME);
        assert!(!lost);
        let audit_result = audit_result(&bytes);
        let finding = only(&audit_result);
        assert_eq!(finding.rule.code.to_string(), "MOV01", "{}", encoding.name());
        assert_eq!(finding.game_label, "Müller, Renée - Ångström, François, Köln à la carte, 2020.01.01, round 1");
        assert_eq!(&bytes[finding.place.start..finding.place.end], b"Ke3", "{}", encoding.name());
        let line_start = bytes[..finding.place.start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        assert_eq!(finding.column, (finding.place.start - line_start + 1) as u64, "{}", encoding.name());
    }
}

#[test]
fn files_of_several_encodings_joined_are_told_game_by_game() {
    let all: Vec<u8> =
        [UTF_8, WINDOWS_1252, MACINTOSH].iter().flat_map(|encoding| encoding.encode(GAME).0.into_owned()).collect();
    let audit_result = audit_result(&all);
    let labels: Vec<&str> = audit_result
        .findings
        .iter()
        .map(|(_, finding)| finding)
        .filter(|finding| finding.rule.code.to_string() == "MOV01")
        .map(|finding| finding.game_label.as_str())
        .collect();
    assert_eq!(labels, ["Müller, Renée - Ångström, François, Köln à la carte, 2020.01.01, round 1"; 3]);
    assert!(audit_result.codes().contains(&"ENC03".to_owned()), "{:?}", audit_result.codes());
}

const RUSSIAN: &[&str] = &["Москва", "Сёмин", "Лев", "Чемпионат", "Иванов", "Кузнецов", "ход", "чем", "Фёдоров", "Её"];
const CHINESE: &[&str] = &["北京", "王皓", "為", "丁立人", "谢军", "侯逸凡", "伟", "上海"];

/// Encodings, what the report calls them, and words in them.
const ENCODINGS: [(&Encoding, &str, &[&str]); 15] = [
    (WINDOWS_1251, "Windows-1251", RUSSIAN),
    (IBM866, "CP866", RUSSIAN),
    (KOI8_R, "KOI8-R", RUSSIAN),
    (ISO_8859_5, "ISO-8859-5", RUSSIAN),
    (
        WINDOWS_1250,
        "Windows-1250",
        &["Łódź", "Šimáček", "Żółtowski", "Kraków", "Wojtaszek", "Świdnica", "Dąbrowa", "Jiří", "Čáslav"],
    ),
    (ISO_8859_2, "ISO-8859-2", &["Łódź", "Šimáček", "Żółtowski", "Kraków", "Świdnica", "Dąbrowa", "Plzeň", "Jiří", "Čáslav"]),
    (WINDOWS_1252, "Windows-1252", &["Müller", "François", "Núñez", "Köln", "Élie", "São", "Møller", "Jörg", "CAFÉ»"]),
    (WINDOWS_1254, "Windows-1254", &["Işık", "Yılmaz", "Gökçe", "Doğan", "İstanbul", "Eskişehir", "Çağrı", "Şahin", "Öztürk"]),
    (
        WINDOWS_1257,
        "Windows-1257",
        &["Šiauliai", "Panevėžys", "Tauragė", "Kazlauskienė", "Žukauskas", "Šimkus", "Vilčinskas", "Rūta", "Eglė", "Žydrūnas"],
    ),
    (MACINTOSH, "Mac Roman", &["Müller", "François", "Núñez", "Köln", "Élie", "São", "Møller", "Jörg", "Pérez"]),
    (GBK, "GBK", CHINESE),
    (BIG5, "Big5", &["臺北", "高雄", "陳慶", "劉德華", "為", "林"]),
    (EUC_KR, "EUC-KR", &["서울", "홍길동", "홍", "채", "김민수", "최영희", "부산"]),
    (SHIFT_JIS, "Shift_JIS", &["東京", "羽生善治", "将棋", "さくら", "小島"]),
    (EUC_JP, "EUC-JP", &["東京", "羽生善治", "将棋", "さくら", "小島"]),
];

/// Games by players with these names. A move of the first one is illegal.
fn games_with(words: &[&str]) -> String {
    let game = |(number, word): (usize, &&str)| {
        let other = words[(number + 1) % words.len()];
        let moves = if number == 0 { "2. Ke3" } else { "2. Nf3" };
        format!(
            "[Event \"{word}\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"{}\"]\n[White \"{word}\"]\n[Black \"{other}\"]\n\
             [Result \"1-0\"]\n\n1. e4 {{{other}}} e5 {moves} 1-0\n\n",
            number + 1
        )
    };
    words.iter().enumerate().map(game).collect()
}

/// In an encoding, a few bytes may happen to be valid UTF-8.
#[test]
fn other_encodings_are_named_and_not_taken_for_a_mixture() {
    for (encoding, name, words) in ENCODINGS {
        let text = games_with(words);
        let (bytes, _, lost) = encoding.encode(&text);
        assert!(!lost, "{name}");
        let about_text = |code: &String| code != "ENC02" && code != "ENC06";
        let plain: Vec<String> = audit(vec![input(text.as_bytes(), Format::Pgn)], everything()).codes();
        let mut whole = Vec::new();
        for chunk_bytes in [1 << 18, 1, 200] {
            let settings = Settings { chunk_bytes, threads: 2, ..everything() };
            let found = audit(vec![input(&bytes, Format::Pgn)], settings);
            let codes: Vec<String> = found.codes().into_iter().filter(about_text).collect();
            assert_eq!(codes, plain, "{name}: {:#?}", found.lines());
            let messages: Vec<&str> =
                found.findings.iter().map(|(_, finding)| &*finding.message).filter(|message| message.contains("UTF-8")).collect();
            assert!(messages.len() == 1 && messages[0].contains(&format!(", probably {name}")), "{name}: {messages:?}");
            if whole.is_empty() {
                whole = found.lines();
            }
            assert_eq!(found.lines(), whole, "{name}, {chunk_bytes}");
        }
        // A game in UTF-8 among them, which the fast path accepts.
        for added in [&["Malmö", "Jörg"][..], &["Москва", "Сёмин"], &["北京", "侯逸凡"]] {
            let both = [&bytes, games_with(added).replace("Ke3", "Nf3").as_bytes()].concat();
            let found = audit(vec![input(&both, Format::Pgn)], everything());
            assert!(found.codes().contains(&"ENC03".to_owned()), "{name}, {added:?}: {:?}", found.codes());
            assert!(!found.codes().contains(&"ENC02".to_owned()), "{name}, {added:?}: {:?}", found.codes());
            assert!(
                found.findings.iter().any(|(_, finding)| finding.message.contains(&format!(", probably UTF-8 and {name}"))),
                "{name}, {added:?}"
            );
        }
    }
}

/// A crash, or a program that writes a whole buffer, leaves NUL bytes after the text.
#[test]
fn text_padded_with_nul_bytes_is_audited_and_repaired() {
    let nuls = "\0".repeat(400);
    for text in [format!("{GAME}{nuls}"), format!("{}{nuls}", GAME.trim_end()), format!("{GAME}{nuls}\n\n{GAME}\0\n")] {
        let result = audit_result(text.as_bytes());
        assert!(result.failures.is_empty(), "{:?}", result.failures);
        let games = text.matches("[Event").count();
        assert_eq!(result.inputs[0].counts.games, games as u64);
        let findings = result.findings.iter().map(|(_, finding)| finding);
        let found = |code: &'static str| findings.clone().filter(move |finding| finding.rule.code.to_string() == code);
        assert_eq!((found("MOV01").count(), found("ENC06").count(), result.findings.len()), (games, games, 2 * games));
        let mut repaired = text.clone().into_bytes();
        let mut patches: Vec<_> = found("ENC06").flat_map(Finding::patches).collect();
        patches.sort_by_key(|patch| std::cmp::Reverse(patch.place.start));
        for patch in patches {
            assert_eq!((&repaired[patch.place.start..patch.place.end], &patch.new[..]), (&patch.old[..], &b""[..]));
            repaired.drain(patch.place.start..patch.place.end);
        }
        assert_eq!(String::from_utf8_lossy(&repaired), text.replace('\0', ""));
    }
    // Without the byte, two words would be one.
    let joined = audit_result(GAME.replace("e5 2.", "e5\x002.").as_bytes());
    let of_rule = joined.findings.iter().find(|(_, finding)| finding.rule.code.to_string() == "ENC06");
    assert!(of_rule.is_some_and(|(_, finding)| finding.repair.is_none()), "{:?}", joined.lines());
}

/// Wherever NULs are and however many, they are one finding, and all else is found as without them.
#[test]
fn nul_bytes_anywhere_are_one_finding() {
    const LINES: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n4k3/8/8/8/8/8/4P3/4K3 w K - 0 1\n";
    const TABLE: &str = "Id,FEN,Moves\n1,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,e2e4\n\
                         2,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,e2e5\n";
    let game = GAME.replace(|character: char| !character.is_ascii(), "x");
    let audit_bytes = |bytes: &[u8], chunk_bytes: usize| {
        let one = Input { format: None, name: "input.txt".to_owned(), ..input(bytes, Format::Pgn) };
        audit(vec![one], Settings { chunk_bytes, threads: 1, ..Settings::default() })
    };
    for (text, middle) in [(&*game, " 2."), (LINES, " w"), (TABLE, ",e2")] {
        let middle = text.find(middle).unwrap_or_default();
        let codes = audit_bytes(text.as_bytes(), 1 << 18).codes();
        for length in [20, 300, 20_000] {
            let nuls = "\0".repeat(length);
            for at in [0, middle, text.len() - 1, text.len()] {
                let padded = [&text[..at], &nuls, &text[at..]].concat();
                for (bytes, chunk_bytes) in [
                    (padded.clone().into_bytes(), 1 << 18),
                    (padded.clone().into_bytes(), 100),
                    (gzip(padded.as_bytes()), 1 << 18),
                ] {
                    let found = audit_bytes(&bytes, chunk_bytes);
                    let mut rest = found.codes();
                    rest.retain(|code| code != "ENC06");
                    assert_eq!(
                        (&rest, found.findings.len()),
                        (&codes, codes.len() + 1),
                        "{length} at {at}: {:#?}",
                        found.lines()
                    );
                    let repaired = found.findings.iter().any(|(_, finding)| finding.found == "\\x00" && finding.repair.is_some());
                    assert!(repaired && found.failures.is_empty(), "{length} at {at}: {:#?}", found.lines());
                }
            }
        }
    }
    for bytes in [vec![0; 300], vec![0; 40_000], gzip(&[0; 40_000])] {
        let found = audit_bytes(&bytes, 1 << 18);
        assert_eq!(found.failures.len(), 1, "{:?}", found.failures);
        assert_eq!(found.failures[0].message, "not a text file");
    }
}

/// Characters that look like others, or like nothing, by name.
#[test]
fn characters_that_cannot_be_told_apart_have_names() {
    for (character, name) in [
        ('\u{85}', "next line"),
        ('\u{A0}', "no-break space"),
        ('\u{AD}', "soft hyphen"),
        ('\u{200B}', "zero width space"),
        ('\u{200C}', "zero width non-joiner"),
        ('\u{200D}', "zero width joiner"),
        ('\u{200F}', "text direction mark"),
        ('\u{202A}', "text direction mark"),
        ('\u{2066}', "text direction mark"),
        ('\u{2003}', "non-ASCII space"),
        ('\u{202F}', "non-ASCII space"),
        ('\u{3000}', "non-ASCII space"),
        ('\u{2011}', "hyphen"),
        ('\u{2013}', "en dash"),
        ('\u{2014}', "em dash"),
        ('\u{201C}', "quotation mark"),
        ('\u{2026}', "ellipsis"),
        ('\u{2028}', "line separator"),
        ('\u{2029}', "paragraph separator"),
        ('\u{2060}', "word joiner"),
        ('\u{2212}', "minus sign"),
        ('\u{2658}', "figurine"),
        ('\u{3B1}', "Greek letter"),
        ('\u{441}', "Cyrillic letter"),
        ('\u{FF21}', "fullwidth form"),
        ('é', "é"),
    ] {
        let game = GAME.replace("Ke3", &format!("N{character}f3"));
        let audit_result = audit_result(game.as_bytes());
        let code = format!("U+{:04X} ({name})", u32::from(character));
        let named = audit_result.findings.iter().filter(|(_, finding)| finding.message.contains(&code)).count();
        assert_eq!(named, 1, "{code}: {:#?}", audit_result.lines());
    }
}

/// Bytes that are no text count as one each.
#[test]
fn control_characters_after_other_encodings_are_where_they_are() {
    let game = GAME.replace("bon}", "b\u{1}on\u{2}}");
    let (bytes, ..) = WINDOWS_1252.encode(&game);
    let audit_result = audit_result(&bytes);
    let of_rule = audit_result.findings.iter().filter(|(_, finding)| finding.rule.code.to_string() == "ENC06");
    let found: Vec<&[u8]> = of_rule.map(|(_, finding)| &bytes[finding.place.start..finding.place.end]).collect();
    assert_eq!(found, [b"\x01", b"\x02"]);
}

fn utf16(text: &str, little: bool) -> Vec<u8> {
    text.encode_utf16().flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
}

#[test]
fn utf16_is_audited_as_the_same_text_in_utf8() {
    let expected = audit_result(GAME.as_bytes());
    for little in [true, false] {
        let bytes = utf16(&format!("\u{FEFF}{GAME}"), little);
        for bytes in [gzip(&bytes), bytes] {
            for (chunk_bytes, format) in [(1, None), (1 << 18, Some(Format::Pgn))] {
                let one = Input { format, ..input(&bytes, Format::Pgn) };
                let found = audit(vec![one], Settings { chunk_bytes, threads: 1, ..Settings::default() });
                let (lines, last) = (found.lines(), &found.findings[found.findings.len() - 1].1);
                assert_eq!(lines[..lines.len() - 1], expected.lines(), "{little} {chunk_bytes}");
                assert_eq!((last.rule.code.to_string().as_str(), last.severity), ("ENC01", Severity::Warning));
                assert_eq!((found.summary.counts, found.failures.len()), (expected.summary.counts, 0));
            }
        }
        // Without its mark, the zeros show the encoding.
        let found = audit(vec![input(&utf16(GAME, little), Format::Pgn)], Settings::default());
        assert_eq!(found.lines()[..found.findings.len() - 1], expected.lines(), "{little}");
        assert_eq!((found.summary.counts, found.failures.len()), (expected.summary.counts, 0));
    }
}

#[test]
fn a_byte_order_mark_between_games_is_told_and_harms_neither() {
    let bom = "\u{FEFF}";
    let audit_result = audit_result(format!("{bom}{GAME}{bom}{GAME}").as_bytes());
    assert_eq!(audit_result.codes(), ["MOV01", "ENC05", "MOV01"]);
    assert_eq!(audit_result.summary.counts.games, 2);
    let inner = audit_result.findings.iter().map(|(_, finding)| finding).find(|finding| finding.rule.code.to_string() == "ENC05");
    assert_eq!(inner.map(|finding| finding.place.start), Some(3 + GAME.len()));
}

/// Nothing about an encoding depends on where an input is cut.
#[test]
fn labels_are_the_same_for_every_size_of_chunk() {
    let all: Vec<u8> = [MACINTOSH, WINDOWS_1252, UTF_8, MACINTOSH]
        .into_iter()
        .flat_map(|encoding: &'static Encoding| encoding.encode(GAME).0.into_owned())
        .collect();
    let whole = audit_result(&all).lines();
    for chunk_bytes in [1, 64, 200, 300, 1000] {
        let settings = Settings { threads: 2, chunk_bytes, ..Settings::default() };
        assert_eq!(audit(vec![input(&all, Format::Pgn)], settings).lines(), whole, "{chunk_bytes}");
    }
}

#[test]
fn a_backslash_may_be_a_part_of_a_character() {
    for (encoding, name) in
        [(encoding_rs::SHIFT_JIS, "五十嵐 十"), (encoding_rs::SHIFT_JIS, "表ソ能"), (encoding_rs::BIG5, "許功蓋")]
    {
        let (bytes, _, lost) = encoding.encode(name);
        assert!(!lost && bytes.contains(&b'\\'), "{name}");
        let text = [&b"[White \""[..], &bytes, b"\"]\n[Black \"x\"]\n\n1. e4 *\n"].concat();
        let codes = audit_result(&text).codes();
        assert!(!codes.iter().any(|code| code.starts_with("SYN")), "{name}: {codes:?}");
    }
    let codes = audit_result("[White \"É\\\"]\n[Black \"x\"]\n\n1. e4 *\n".as_bytes()).codes();
    assert!(codes.contains(&"SYN02".to_owned()), "{codes:?}");
}
