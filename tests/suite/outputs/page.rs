//! The page of a report: what is in it, which findings it shows, and that nothing but the input
//! decides about it.

use std::{collections::BTreeSet, error::Error, fs, path::Path, sync::atomic::AtomicBool};

use base64::Engine;

use crate::common::{everything, fixture};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::{Audit, Options, Settings},
    report::{Report, RunSettings},
    rules::{Check, Family, RULES, Rule},
    text::Format,
};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const GAME: &str = "[Event \"Club <b>match</b>\"]\n[Site \"https://lichess.org/abcdefgh\"]\n[Date \"2024.01.02\"]\n[Round \"1\"]\n\
                    [White \"A & B\"]\n[Black \"שלום\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. nf3 Nc6 3. Bb5 a6 4. Ke7 Nf6 1-0\n\n";

/// An input that is all at hand, or one that is read piece by piece.
fn input(name: &str, text: &str, format: Format) -> Input {
    Input { name: name.to_owned(), source: Source::Bytes(text.as_bytes().into()), format: Some(format), scanned: false }
}

/// The page that is written about `inputs`.
fn page(inputs: Vec<Input>, rows: u64, settings: Settings) -> Outcome<String> {
    page_with(inputs, RunSettings { html_rows: Some(rows), ..RunSettings::default() }, settings)
}

/// The page that is written about `inputs` with these settings of the report.
fn page_with(inputs: Vec<Input>, run_settings: RunSettings, settings: Settings) -> Outcome<String> {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    let examples = run_settings.html_rows.unwrap_or(0);
    let mut report = Report::create(&place, run_settings)?;
    let summary = Audit::new(Settings { examples, ..settings }).run(inputs, &mut report, &(), &AtomicBool::new(false))?;
    report.complete(&summary)?.finish()?;
    Ok(fs::read_to_string(place.join("report.html"))?)
}

/// A rule with findings of two severities has a row for each, and links lead to the first.
#[test]
fn errors_and_warnings_of_a_rule_have_rows_of_their_own() -> Outcome {
    let variations = "(1. xx) ".repeat(60);
    let text = GAME.replace("1. e4 e5", &format!("1. e4 {variations} e5")).replace("4. Ke7", "4. xx");
    let page = page(vec![input("a.pgn", &text, Format::Pgn)], 50, Settings::default())?;
    for (id, severity, intro, shown) in
        [("SYN10", "error", "1 finding in 1 input.", 1), ("SYN10-warning", "warning", "The first 50 of 60 findings.", 50)]
    {
        let start = format!("id=\"{id}\" data-severity=\"{severity}\"");
        let rule = page.split("<tbody ").find(|rule| rule.starts_with(&start)).ok_or("no SYN10")?;
        assert!(rule.contains(intro), "{rule}");
        assert_eq!(rule.matches("<article class=\"finding").count(), shown);
    }
    assert!(page.find("id=\"SYN10\"") < page.find("id=\"SYN10-warning\""));
    assert!(page.contains("href=\"#SYN10\" aria-label=\"SYN10 unknown-token 61\""));
    Ok(())
}

/// The rows of a rule on a page.
fn rows_of<'p>(page: &'p str, code: &str) -> Outcome<&'p str> {
    let start = format!("id=\"{code}\" data-severity=");
    Ok(page.split("<tbody ").find(|rule| rule.starts_with(&start)).ok_or_else(|| format!("no {code}"))?)
}

/// The games that a sample puts next to each other.
fn pairs_of_sample(code: &str) -> Outcome<Vec<String>> {
    let rule = RULES.iter().find(|rule| rule.code.to_string() == code).ok_or("no rule")?;
    let mut pairs = Vec::new();
    for sample in rule.fires {
        let text = String::from_utf8(sample.input().0)?;
        let format = if sample.is_pgn() { Format::Pgn } else { Format::Epd };
        let page = page(
            vec![input("a", &text, format)],
            50,
            Settings { options: Options { duplicates: true, ..Options::default() }, ..everything() },
        )?;
        let findings = rows_of(&page, code)?.split("<article class=\"finding\"").skip(1);
        let cards = findings.filter_map(|finding| finding.split("</article>").next());
        pairs.extend(cards.map(|card| card.split("<div class=\"pair\">").nth(1).unwrap_or_default().to_owned()));
    }
    Ok(pairs)
}

#[test]
fn each_kind_of_copies_has_two_boards() -> Outcome {
    let mut kinds = 0;
    // A spelling is that of one game.
    let is_about_two = |rule: &&&Rule| rule.code.family() == Family::Dup && !matches!(rule.check, Check::Spelling(_));
    for rule in RULES.iter().filter(is_about_two) {
        let code = rule.code.to_string();
        let pairs = pairs_of_sample(&code)?;
        assert_eq!(pairs.len(), rule.fires.len(), "{code}");
        for pair in pairs {
            assert_eq!(pair.matches("<figure>").count(), 2, "{code}: {pair}");
            assert_eq!(pair.matches("<svg class=\"board\"").count(), 2, "{code}: {pair}");
        }
        kinds += 1;
    }
    assert!(kinds > 9, "{kinds}");
    Ok(())
}

#[test]
fn boards_of_copies_show_what_differs() -> Outcome {
    let only_pair = |code: &str| -> Outcome<String> { Ok(pairs_of_sample(code)?.swap_remove(0)) };
    // The moves with which two versions part, on the same position.
    let versions = only_pair("DUP05")?;
    for part in ["This game, ply 36: Qxa1+", "Other game, ply 36: Bxg1", "move as written: b2-a1", "move as written: c5-g1"] {
        assert!(versions.contains(part), "{part}: {versions}");
    }
    // The last position of each game.
    let beginning = only_pair("DUP04")?;
    for part in ["This game, after 24 plies", "Other game, after 45 plies", "move as written: d6-e7"] {
        assert!(beginning.contains(part), "{part}: {beginning}");
    }
    // Values that differ are marked, others are not, and equal last moves have no arrow.
    let header = only_pair("DUP03")?;
    assert!(header.contains("<mark>round 4</mark>") && header.contains("<mark>round 1</mark>"), "{header}");
    assert_eq!(header.matches("<mark>").count(), 2, "{header}");
    assert!(header.contains("<bdi>Anderssen, Adolf</bdi> · ") && !header.contains("move as written"), "{header}");
    // What position lines say, and the square that only one of them has.
    let answers = only_pair("DUP10")?;
    for part in ["move as written: e1-d2", "move as written: e2-e4", "<mark>bm e4; id "] {
        assert!(answers.contains(part), "{part}: {answers}");
    }
    assert_eq!(only_pair("DUP09")?.matches("problem: e3").count(), 1);
    Ok(())
}

/// What lies between two texts, cut out.
fn without(text: &str, from: &str, to: &str) -> Outcome<String> {
    let (before, rest) = text.split_once(from).ok_or("no beginning")?;
    let (_, after) = rest.split_once(to).ok_or("no end")?;
    Ok(format!("{before}{from}{to}{after}"))
}

/// How often each input is named among the findings that the page shows.
fn shown(page: &str, name: &str) -> usize {
    let rules = page.split_once("<table id=\"table\">").map_or("", |(_, rules)| rules);
    rules.matches(&format!("<bdi>{name}</bdi><span")).count()
}

#[test]
fn a_page_is_what_it_was() -> Outcome {
    let position = "3Pk3/8/8/8/8/8/5PPP/6K1 b - -\n";
    let inputs = vec![input("club.pgn", GAME, Format::Pgn), input("positions.epd", position, Format::Epd)];
    let page = page(inputs, 50, Settings { examples: 50, ..everything() })?;
    // Style, script and pieces are in files of their own.
    let page = without(&without(&without(&page, "<style>", "</style>")?, "<script>", "</script>")?, "<defs>", "</defs>")?;
    let hidden = ["Content-Security-Policy", "<script type=\"application/octet-stream\""];
    let page = page.lines().filter(|line| !hidden.iter().any(|part| line.contains(part))).collect::<Vec<_>>().join("\n") + "\n";
    let path = fixture("page.html");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, page)?;
    } else {
        assert_eq!(page, fs::read_to_string(path)?, "run `UPDATE=1 cargo test --test suite page`");
    }
    Ok(())
}

#[test]
fn the_first_findings_of_every_input_are_shown() -> Outcome {
    let bad = "4k3/8/8/8/8/8/8/P3K3 w - -\n";
    let inputs = || {
        let many = |name: &str, lines: usize| input(name, &bad.repeat(lines), Format::Epd);
        vec![many("a.epd", 10), many("b.epd", 1), many("c.epd", 3)]
    };
    let counts = |rows: u64| -> Outcome<[usize; 3]> {
        let page = page(inputs(), rows, Settings::default())?;
        Ok(["a.epd", "b.epd", "c.epd"].map(|name| shown(&page, name)))
    };
    assert_eq!(counts(0)?, [0, 0, 0]);
    assert_eq!(counts(2)?, [1, 1, 0]);
    assert_eq!(counts(3)?, [1, 1, 1]);
    assert_eq!(counts(6)?, [3, 1, 2]);
    assert_eq!(counts(50)?, [10, 1, 3]);
    assert!(page(inputs(), 2, Settings::default())?.contains("2 of 14 findings: the first of each input."));
    Ok(())
}

#[test]
fn chunks_and_threads_change_nothing() -> Outcome {
    let showcase = fs::read_to_string(fixture("showcase.pgn"))?;
    let twice = showcase.repeat(2);
    let with = |chunk_bytes: usize, threads: usize| {
        page(vec![input("a.pgn", &twice, Format::Pgn)], 1, Settings { chunk_bytes, threads, ..everything() })
    };
    let whole = with(1 << 20, 1)?;
    assert!(whole.contains("<mark>Ne4</mark>"));
    for (chunk_bytes, threads) in [(1, 1), (100, 2), (1 << 12, 4)] {
        assert!(with(chunk_bytes, threads)? == whole, "chunks of {chunk_bytes} bytes, {threads} threads");
    }
    Ok(())
}

/// What waits until its input has been read is shown with its moves all the same.
#[test]
fn findings_that_waited_have_their_surroundings() -> Outcome {
    let sound = GAME.replace("nf3", "Nf3").replace("4. Ke7 Nf6 ", "");
    // The only game without a marker: that is known in the end.
    let text = format!("{}{sound}", sound.trim_end().trim_end_matches("1-0"));
    let page = page(vec![input("a.pgn", &text, Format::Pgn)], 50, Settings::default())?;
    assert!(page.contains("3. Bb5 a6"), "{}", &page[page.find("<ol").unwrap_or(0)..]);
    Ok(())
}

#[test]
fn a_stream_makes_the_same_page() -> Outcome {
    let home = tempfile::tempdir()?;
    let file = home.path().join("a.pgn");
    fs::write(&file, fs::read_to_string(fixture("showcase.pgn"))?)?;
    let read = |map: bool, path: &Path| {
        let input =
            Input { name: "a.pgn".into(), source: Source::File(path.to_owned()), format: Some(Format::Pgn), scanned: false };
        page(vec![input], 50, Settings { map, chunk_bytes: 700, ..everything() })
    };
    assert!(read(true, &file)? == read(false, &file)?);
    Ok(())
}

#[test]
fn a_clean_run_has_a_page_too() -> Outcome {
    let page = page(vec![input("a.epd", "4k3/8/8/8/8/8/8/R3K3 w Q -\n", Format::Epd)], 50, Settings::default())?;
    assert!(page.contains("No findings in 1 record."));
    assert!(!page.contains("<table"));
    Ok(())
}

/// A finding as the script reads it.
struct Packed {
    severity: String,
    rule: String,
    input: String,
    card: String,
}

/// The findings that the script reads.
fn data(page: &str) -> Outcome<Vec<Packed>> {
    let (_, rest) = page.split_once("id=\"data\"").ok_or("no data")?;
    let text = rest.split(['>', '<']).nth(1).ok_or("no text")?;
    let packed = base64::engine::general_purpose::STANDARD.decode(text)?;
    let text = std::io::read_to_string(flate2::read::DeflateDecoder::new(&*packed))?;
    let (mut findings, mut rest) = (Vec::new(), &*text);
    while let Some((line, after)) = rest.split_once('\n') {
        let fields: Vec<&str> = line.split('\t').collect();
        let [severity, rule, input] = [6, 7, 8].map(|field| fields[field].to_owned());
        let (card, after) = after.split_at_checked(fields[1].parse()?).ok_or("no card")?;
        findings.push(Packed { severity, rule, input, card: card.to_owned() });
        rest = after;
    }
    assert!(page.contains(&format!("data-findings=\"{}\"", findings.len())));
    Ok(findings)
}

#[test]
fn cards_are_the_same_with_and_without_script() -> Outcome {
    let showcase = fs::read_to_string(fixture("showcase.pgn"))?;
    let inputs = vec![input("a.pgn", &showcase, Format::Pgn), input("b/c.pgn", GAME, Format::Pgn)];
    let settings = Settings { options: Options { duplicates: true, ..Options::default() }, examples: 50, ..everything() };
    let page = page(inputs, 50, settings)?;
    let packed: BTreeSet<String> = data(&page)?.into_iter().map(|finding| finding.card).collect();
    let shown = page.split("<li>").filter(|card| card.starts_with("<article ")).filter_map(|card| card.split_once("</li>"));
    let shown: BTreeSet<String> = shown.map(|(card, _)| card.to_owned()).collect();
    assert!(shown.len() > 20, "{}", shown.len());
    // Of a fault that both inputs share, one card is shown without the script.
    assert!(shown.is_subset(&packed), "{:?}", shown.difference(&packed).next());
    Ok(())
}

#[test]
fn data_is_complete_or_a_fair_sample() -> Outcome {
    let text = |file: usize| -> String {
        (0..150).map(|game| GAME.replace("A & B", &format!("Player {file} {game}")).replace("4. Ke7", "(4. xx) 4. Ke7")).collect()
    };
    let sized = |html_size: u64| -> Outcome<Vec<Packed>> {
        let inputs = (0..9).map(|file| input(&format!("{file}.pgn"), &text(file), Format::Pgn)).collect();
        let settings = RunSettings { html_rows: Some(1), html_size: Some(html_size), ..RunSettings::default() };
        let page = page_with(inputs, settings, Settings::default())?;
        assert!(page.len() as u64 <= html_size, "{} bytes", page.len());
        data(&page)
    };
    let all = sized(10_000_000)?;
    let few = sized(120_000)?;
    let kinds = |of: &[Packed], name: fn(&Packed) -> &str| -> BTreeSet<String> {
        of.iter().map(|finding| format!("{} {}", name(finding), finding.severity)).collect()
    };
    assert!(all.len() > 3000 && few.len() < all.len(), "{} of {}", few.len(), all.len());
    let names: [fn(&Packed) -> &str; 2] = [|finding| &finding.rule, |finding| &finding.input];
    for name in names {
        assert_eq!(kinds(&few, name), kinds(&all, name));
    }
    Ok(())
}
