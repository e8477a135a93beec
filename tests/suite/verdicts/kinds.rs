//! One game and one list of positions, written in many ways: the findings about chess are always
//! those of the plain text, or one message says that the input is not audited.

use crate::common::{AuditResult, audit, everything};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::Settings,
    rules::{Family, Severity},
};
use encoding_rs::Encoding;

const TAGS: &str =
    "[Event \"Open\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n";

/// A check mark that is false, and a king move that is illegal.
const GAMES: [&str; 3] = [
    "1. e4 e5 2. Nf3+ f6 3. Nxe5 fxe5 4. Qh5+ g6 5. Qxe5+ Kf7 6. Ke3 *",
    "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 *",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *",
];

/// A castling right without a rook, an en passant square without a pawn, and a side in check that
/// is not to move.
const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    "8/8/4k3/8/8/4K3/4P3/8 w Q - 0 40",
    "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2",
    "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 40",
];

fn read(name: &str, text: &[u8], chunk_bytes: usize) -> AuditResult {
    let source = Source::Bytes(text.into());
    let settings = Settings { threads: 2, chunk_bytes, ..everything() };
    audit(vec![Input { name: name.to_owned(), source, format: None, scanned: false }], settings)
}

/// The findings about chess: rule, severity and what was found, in the order of the text.
fn about_chess(found: &AuditResult) -> Vec<String> {
    let is_about_chess = |family: Family| {
        use Family::{Cas, Clk, Ctr, Eps, Mov, Pos, Res, Tru, Var};
        matches!(family, Mov | Pos | Cas | Eps | Ctr | Res | Tru | Var | Clk)
    };
    let findings = found.findings.iter().map(|(_, finding)| finding);
    findings
        .filter(|finding| is_about_chess(finding.rule.code.family()) && finding.severity > Severity::Info)
        .filter(|finding| finding.rule.name != "missing-marker")
        .map(|finding| format!("{} {} {}", finding.rule.code, finding.severity, finding.found))
        .collect()
}

/// Whether one message says that the input is not audited.
fn is_refused(found: &AuditResult) -> bool {
    found.findings.is_empty() && found.failures.len() == 1 && found.summary.counts.records() == 0
}

/// A table: each cell in quotes if it is `quoted` or has to be.
fn table(rows: &[Vec<&str>], delimiter: char, quoted: bool) -> String {
    let cell = |cell: &&str| {
        let needs_quotes = quoted || cell.contains([delimiter, '"', '\n']);
        if needs_quotes { format!("\"{}\"", cell.replace('"', "\"\"")) } else { (*cell).to_owned() }
    };
    let row = |row: &Vec<&str>| row.iter().map(cell).collect::<Vec<_>>().join(&delimiter.to_string()) + "\n";
    rows.iter().map(row).collect()
}

/// Tables with one record per row in the column in the middle, with and without header and quotes,
/// and one in which the column is the first.
fn tables(records: &[&str], names: [&'static str; 2]) -> Vec<(String, String)> {
    let numbers = ["1", "2", "3", "4", "5"];
    let mut shapes = Vec::new();
    for (delimiter, extension) in [(',', "csv"), ('\t', "tsv"), (';', "csv"), ('|', "txt")] {
        let rows: Vec<Vec<&str>> = numbers.iter().zip(records).map(|(number, record)| vec![*number, *record, "0.35"]).collect();
        for quoted in [false, true] {
            for name in names {
                let with_header = [vec![vec!["id", name, "value"]], rows.clone()].concat();
                shapes.push((format!("{name}{quoted}.{extension}"), table(&with_header, delimiter, quoted)));
            }
            shapes.push((format!("rows{quoted}.{extension}"), table(&rows, delimiter, quoted)));
            let first: Vec<Vec<&str>> = rows.iter().map(|row| row[1..].to_vec()).collect();
            shapes.push((format!("first{quoted}.{extension}"), table(&first, delimiter, quoted)));
        }
    }
    shapes
}

/// Each game in a string of a program, or between fences.
pub fn strings_with(games: &[&str]) -> Vec<(String, String)> {
    let all = |game: &dyn Fn(&str) -> String| games.iter().map(|text| game(text)).collect::<String>();
    let escaped = |game: &str| game.replace('"', "\\\"").replace('\n', "\\n");
    let parts = |game: &str| game.lines().map(|line| format!("\"{}\"", escaped(&format!("{line}\n")))).collect::<Vec<_>>();
    // The quotes of strings take turns.
    let mixed = |game: &str| {
        let quoted = |(line, quote): (&str, &&str)| {
            let escaped = format!("{line}\n").replace('\n', "\\n").replace(*quote, &format!("\\{quote}"));
            format!("    {quote}{escaped}{quote}\n")
        };
        game.lines().zip(["'", "\""].iter().cycle()).map(quoted).collect::<String>()
    };
    let listed = |game: &str| game.lines().map(|line| format!("  '{line}',\n")).collect::<String>();
    let shapes = [
        ("mixed.py", all(&|game| format!("GAME = (\n{})\nOTHER = {{}}\n", mixed(game)))),
        ("listed.ts", all(&|game| format!("const GAME = [\n{}].join('\\n');\n", listed(game)))),
        (
            "concat.rs",
            all(&|game| format!("fn a() {{\n    read(concat!(\n        {},\n    ));\n}}\n", parts(game).join(",\n        "))),
        ),
        ("values.sql", all(&|game| format!("INSERT INTO games VALUES (1, '{}');\n", game.trim_end()))),
        ("forum.txt", all(&|game| format!("Look at this:\n[pgn]\n{game}[/pgn]\nWhat do you think?\n\n"))),
        ("forum_one_line.txt", all(&|game| format!("Look at this:\n[PGN theme=blue]{}[/PGN]\n\n", game.trim_end()))),
        ("template.ts", format!("export const games = [\n{}];\n", all(&|game| format!("`{game}\n`,")))),
        ("indented.js", all(&|game| format!("const game = {{ pgn: `\n    {}` }};\n", game.replace('\n', "\n    ")))),
        ("breaks.js", all(&|game| format!("load(`{}`, {{ a: 1 }});\n", game.replace('\n', "\\n")))),
        ("single.js", all(&|game| format!("load('{}', {{ a: 1 }});\n", game.replace('\n', "\\n")))),
        ("triple.py", all(&|game| format!("def test():\n    read(\"\"\"\\\n{game}\"\"\", {{1: 2}})\n\n"))),
        ("other.py", all(&|game| format!("GAME = '''{game}'''\nOTHER = {{}}\n"))),
        ("adjacent.py", all(&|game| format!("GAME = (\n    {}\n)\nOTHER = {{}}\n", parts(game).join("\n    ")))),
        ("verbatim.cs", format!("class A {{\n{}}}\n", all(&|game| format!("string a =\n@\"{}\";\n", game.replace('"', "\"\""))))),
        ("joined.java", all(&|game| format!("class A {{\n  String a =\n    {};\n}}\n", parts(game).join(" +\n    ")))),
        ("raw.rs", all(&|game| format!("fn a() {{\n    read(r#\"\n{game}\"#);\n}}\n"))),
        ("raw.cpp", all(&|game| format!("void a() {{\n    read(R\"PGN({game})PGN\");\n}}\n"))),
        ("fence.md", format!("# Games\n\nSome {{ text }}.\n\n{}", all(&|game| format!("```pgn\n{game}```\n\nText `a`.\n\n")))),
        ("tilde.md", all(&|game| format!("* A game\n\n  ~~~\n  {}~~~\n", game.replace('\n', "\n  ")))),
        ("one.json", format!("[{}\"\"]\n", all(&|game| format!("{{\"pgn\":\"{}\"}},", escaped(game))))),
        ("lines.json", format!("[\n{}  null\n]\n", all(&|game| format!("  {{ \"pgn\": \"{}\" }},\n", escaped(game))))),
        ("pgn.jsonl", all(&|game| format!("{{\"id\": 1, \"pgn\": \"{}\"}}\n", escaped(game)))),
        ("several.ts", format!("const games = `\n{}`;\n", all(&|game| format!("{game}\n")))),
        ("several.cs", format!("var games = @\"{}\";\n", all(&|game| format!("{game}\n")).replace('"', "\"\""))),
        ("several.json", format!("{{\"games\": \"{}\"}}\n", all(&|game| escaped(&format!("{game}\n"))))),
    ];
    shapes.map(|(name, text)| (name.to_owned(), text)).to_vec()
}

/// One JSON object per line.
fn json_lines(records: &[&str], key: &str) -> String {
    records.iter().map(|record| format!("{{\"id\": 1, \"{key}\": \"{record}\", \"cp\": 30}}\n")).collect()
}

#[track_caller]
fn hold_against(expected: &[String], shapes: Vec<(String, Vec<u8>)>, may_be_refused: &[&str]) {
    let mut wrong = Vec::new();
    let count = shapes.len();
    for (name, text) in shapes {
        for chunk_bytes in [1 << 18, 100] {
            let found = read(&name, &text, chunk_bytes);
            let refused = is_refused(&found);
            let is_right = if refused {
                may_be_refused.iter().any(|known| name.starts_with(known))
            } else {
                found.failures.is_empty() && about_chess(&found) == expected
            };
            if !is_right {
                let (codes, failures) = (found.codes(), &found.failures);
                wrong.push(format!("{name}, chunks of {chunk_bytes}: {codes:?} {failures:?}"));
            }
        }
    }
    assert!(count >= 20, "{count} shapes");
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The texts with each kind of line end, and with NUL bytes.
fn in_bytes(shapes: Vec<(String, String)>) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for (name, text) in shapes {
        all.push((name.clone(), text.replace('\n', "\r\n").into_bytes()));
        all.push((name.clone(), text.replace('\n', "\r").into_bytes()));
        all.push((name, text.into_bytes()));
    }
    all
}

#[test]
fn a_game_is_judged_alike_in_every_shape() {
    let plain: String = GAMES.iter().map(|game| format!("{TAGS}\n{game}\n\n").replace("1/2-1/2", "*")).collect();
    let expected = about_chess(&read("plain.pgn", plain.as_bytes(), 1 << 18));
    assert_eq!(expected.len(), 2, "{expected:?}");
    let whole: Vec<String> = GAMES.iter().map(|game| format!("{TAGS}\n{game}\n").replace("1/2-1/2", "*")).collect();
    let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
    let mut shapes = vec![("plain.txt".to_owned(), plain.clone())];
    shapes.extend(tables(&GAMES, ["game", "movetext"]));
    shapes.extend(tables(&whole, ["pgn", "transcript"]));
    shapes.push(("prose.txt".to_owned(), format!("These are the games of our club.\n\n{plain}")));
    shapes.push(("prose.pgn".to_owned(), format!("These are the games of our club.\n\n{plain}")));
    let lines = GAMES.map(|game| game.trim_end_matches(" *"));
    shapes.push(("lines.txt".to_owned(), lines.join("\n") + "\n"));
    shapes.push(("lines.pgn".to_owned(), GAMES.join("\n") + "\n"));
    let labelled = |label: &str| lines.iter().map(|line| format!("{label}{line}\n")).collect::<String>();
    shapes.push(("numbers.txt".to_owned(), labelled("7) ")));
    shapes.push(("labels.txt".to_owned(), labelled("Game 7: ")));
    shapes.push(("comments.txt".to_owned(), labelled("# A title\n")));
    shapes.push(("game.jsonl".to_owned(), json_lines(&GAMES, "pgn")));
    shapes.push(("moves.jsonl".to_owned(), json_lines(&lines, "moves")));
    shapes.extend(strings_with(&whole));
    let mut shapes = in_bytes(shapes);
    shapes.push(("nul.pgn".to_owned(), plain.replace("\n\n[", "\n\0\0\0\n[").into_bytes()));
    hold_against(&expected, shapes, &["game.jsonl", "moves.jsonl"]);
}

#[test]
fn positions_are_judged_alike_in_every_shape() {
    let plain = POSITIONS.join("\n") + "\n";
    let expected = about_chess(&read("plain.fen", plain.as_bytes(), 1 << 18));
    assert_eq!(expected.len(), 3, "{expected:?}");
    let mut shapes = vec![("plain.txt".to_owned(), plain.clone())];
    shapes.extend(tables(&POSITIONS, ["fen", "position"]));
    shapes.push(("prose.txt".to_owned(), format!("These are the positions of our club.\n\n{plain}")));
    let quoted = POSITIONS.map(|position| format!("    \"{position}\",\n")).concat();
    shapes.push(("list.py".to_owned(), format!("import chess\n\nPOSITIONS = [\n{quoted}]\n")));
    shapes.push(("list.c".to_owned(), format!("static const char *positions[] = {{\n{quoted}}};\n")));
    shapes.push(("list.json".to_owned(), format!("{{\"positions\": [\n{quoted}]}}\n").replace(",\n]", "\n]")));
    shapes.push((
        "one.json".to_owned(),
        format!("[{}]", POSITIONS.map(|position| format!("{{\"fen\":\"{position}\"}}")).join(",")),
    ));
    shapes.push(("positions.jsonl".to_owned(), json_lines(&POSITIONS, "fen")));
    shapes.push(("escaped.jsonl".to_owned(), json_lines(&POSITIONS, "fen").replace('/', "\\/")));
    let mut shapes = in_bytes(shapes);
    shapes.push(("nul.fen".to_owned(), [plain.as_bytes(), &[0; 100]].concat()));
    hold_against(&expected, shapes, &[]);
}

#[test]
fn a_game_is_judged_alike_in_every_encoding() {
    let names = [
        ("windows-1250", "Łukasz Żyła"),
        ("windows-1251", "Иван Щукин"),
        ("windows-1252", "Jörg Müller"),
        ("windows-1254", "Şahin Yılmaz"),
        ("windows-1257", "Šarūnas Žukas"),
        ("iso-8859-2", "Dušan Růžička"),
        ("koi8-r", "Пётр Юдин"),
        ("ibm866", "Иван Щукин"),
        ("macintosh", "Jörg Müller"),
        ("gbk", "丁立人"),
        ("big5", "謝軍"),
        ("euc-kr", "김철수"),
        ("shift_jis", "小島慎也"),
    ];
    let plain: String = GAMES.iter().map(|game| format!("{TAGS}\n{game}\n\n").replace("1/2-1/2", "*")).collect();
    let expected = about_chess(&read("plain.pgn", plain.as_bytes(), 1 << 18));
    let mut shapes = Vec::new();
    for (label, name) in names {
        let encoding = Encoding::for_label(label.as_bytes()).expect("a known encoding");
        let text = plain.replace("\"A\"", &format!("\"{name}\""));
        let (bytes, _, is_lossy) = encoding.encode(&text);
        assert!(!is_lossy, "{label} has these letters");
        shapes.push((format!("{label}.pgn"), bytes.into_owned()));
        let rows: Vec<Vec<&str>> = [vec!["name", "game"]].into_iter().chain(GAMES.iter().map(|game| vec![name, *game])).collect();
        shapes.push((format!("{label}.csv"), encoding.encode(&table(&rows, ',', false)).0.into_owned()));
    }
    for (name, bytes) in [
        ("utf-16le.pgn", plain.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        ("utf-16be.pgn", plain.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ] {
        shapes.push((name.to_owned(), bytes));
    }
    hold_against(&expected, shapes, &[]);
}

#[test]
fn text_around_positions_keeps_its_encoding() {
    let text = format!("“{}”\n«{}»\n", POSITIONS[0], POSITIONS[0]);
    assert_eq!(read("a.txt", text.as_bytes(), 1 << 18).codes(), ["SYN18"]);
}
