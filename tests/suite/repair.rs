//! Repairs: one ply of a good game is damaged, and the auditor is asked what was meant.

use std::{collections::BTreeMap, error::Error, fmt::Write, fs, ops::Range, path::Path};

use crate::common::{Numbers, audit, corpora, games::games, input};
use assert_cmd::Command;
use chess_audit::{
    pipeline::Settings,
    rules::{Finding, Repair},
    text::Format,
};

type Outcome = Result<(), Box<dyn Error>>;

/// How a ply is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Letter,
    Digit,
    Swapped,
    Confused,
    Piece,
    NoOrigin,
    NoPromotion,
    Foreign,
    Omitted,
    Doubled,
    Slipped,
}

const KINDS: [Kind; 11] = [
    Kind::Letter,
    Kind::Digit,
    Kind::Swapped,
    Kind::Confused,
    Kind::Piece,
    Kind::NoOrigin,
    Kind::NoPromotion,
    Kind::Foreign,
    Kind::Omitted,
    Kind::Doubled,
    Kind::Slipped,
];

/// Characters that are taken for one another.
const CONFUSED: [(char, char); 8] =
    [('c', 'e'), ('f', 't'), ('1', 'l'), ('1', '7'), ('b', '6'), ('g', '9'), ('O', '0'), ('B', '8')];

/// Letters of pieces in German, Dutch, French, Spanish and Italian.
const FOREIGN: [(char, &str); 5] = [('N', "SPC"), ('B', "LFA"), ('R', "T"), ('Q', "D"), ('K', "R")];

/// The moves of a game, and where they stand in its text.
fn moves(text: &str) -> Vec<(Range<usize>, &str)> {
    let movetext = text.find("\n\n").map_or(0, |at| at + 2);
    let mut moves = Vec::new();
    let mut at = movetext;
    for word in text[movetext..].split(|letter: char| letter.is_ascii_whitespace()) {
        let start = at + word.rfind('.').map_or(0, |dot| dot + 1);
        let token = &text[start..at + word.len()];
        if token.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            moves.push((start..start + token.len(), token));
        }
        at += word.len() + 1;
    }
    moves
}

fn pick<T: Copy>(list: &[T], numbers: &mut Numbers) -> Option<T> {
    (!list.is_empty()).then(|| list[numbers.below(list.len())])
}

/// The tokens that a move may turn into.
fn misspellings(kind: Kind, token: &str) -> Vec<String> {
    let replaced = |at: usize, by: &str| format!("{}{by}{}", &token[..at], &token[at + 1..]);
    let each = |wanted: &dyn Fn(char) -> Vec<String>| -> Vec<String> {
        token
            .char_indices()
            .flat_map(|(at, letter)| wanted(letter).into_iter().map(move |by| (at, by)))
            .map(|(at, by)| replaced(at, &by))
            .collect()
    };
    let castles = token.starts_with('O');
    match kind {
        Kind::Letter => each(&|letter| match letter {
            'a'..='h' => ('a'..='h').filter(|other| *other != letter).map(String::from).collect(),
            _ => Vec::new(),
        }),
        Kind::Digit => each(&|letter| match letter {
            '1'..='8' => ('1'..='8').filter(|other| *other != letter).map(String::from).collect(),
            _ => Vec::new(),
        }),
        Kind::Swapped => (1..token.len())
            .map(|at| (at, token.as_bytes()))
            .filter(|(at, bytes)| {
                bytes[*at].is_ascii_alphanumeric() && bytes[at - 1].is_ascii_alphanumeric() && bytes[*at] != bytes[at - 1]
            })
            .map(|(at, bytes)| format!("{}{}{}{}", &token[..at - 1], bytes[at] as char, bytes[at - 1] as char, &token[at + 1..]))
            .collect(),
        Kind::Confused => each(&|letter| {
            let other = |pair: &(char, char)| match pair {
                (one, other) if *one == letter => Some(other.to_string()),
                (other, one) if *one == letter => Some(other.to_string()),
                _ => None,
            };
            CONFUSED.iter().filter_map(other).collect()
        }),
        Kind::Piece if !castles => {
            let first = &token[..1];
            ["N", "B", "R", "Q", "K"]
                .iter()
                .filter(|letter| "NBRQK".contains(first) && **letter != first)
                .map(|letter| replaced(0, letter))
                .collect()
        }
        Kind::NoOrigin => {
            let core = token.trim_end_matches(['+', '#']).replace('x', "");
            let given = core.starts_with(['N', 'B', 'R', 'Q']) && core.len() == 4;
            if given { vec![replaced(1, "")] } else { Vec::new() }
        }
        Kind::NoPromotion => token.find('=').map(|at| format!("{}{}", &token[..at], &token[at + 2..])).into_iter().collect(),
        Kind::Foreign => {
            let letters = FOREIGN.iter().find(|(letter, _)| token.starts_with(*letter)).map_or("", |(_, letters)| letters);
            letters.chars().map(|letter| replaced(0, &letter.to_string())).collect()
        }
        _ => Vec::new(),
    }
}

/// A game with one ply damaged.
struct Damaged {
    kind: Kind,
    original: String,
    text: String,
    /// The move that stood there.
    token: String,
}

fn damage(original: &str, kind: Kind, numbers: &mut Numbers) -> Option<Damaged> {
    let moves = moves(original);
    if moves.len() < 20 {
        return None;
    }
    let able: Vec<usize> = (0..moves.len() - 1)
        .filter(|ply| match kind {
            Kind::Omitted | Kind::Doubled => true,
            Kind::Slipped => moves[*ply].1 != moves[ply + 1].1,
            kind => !misspellings(kind, moves[*ply].1).is_empty(),
        })
        .collect();
    let ply = pick(&able, numbers)?;
    let (place, token) = moves[ply].clone();
    let (before, behind) = (&original[..place.start], &original[place.end..]);
    let text = match kind {
        Kind::Omitted => format!("{before}{}", behind.strip_prefix([' ', '\n'])?),
        Kind::Doubled => format!("{before}{token} {token}{behind}"),
        Kind::Slipped => {
            let (next, other) = moves[ply + 1].clone();
            format!("{before}{other}{}{token}{}", &original[place.end..next.start], &original[next.end..])
        }
        kind => {
            let spellings = misspellings(kind, token);
            format!("{before}{}{behind}", spellings[numbers.below(spellings.len())])
        }
    };
    Some(Damaged { kind, original: original.to_owned(), text, token: token.to_owned() })
}

/// Damaged games, `each` of every kind; every game is used once, as far as there are enough of them.
fn damaged(games: &[String], each: usize) -> Vec<Damaged> {
    let mut numbers = Numbers::new(2026);
    let mut free: Vec<Option<&String>> = games.iter().map(Some).collect();
    let mut list = Vec::new();
    // What can be done to few games only is done first.
    let mut kinds = KINDS;
    kinds.sort_by_key(|kind| !matches!(kind, Kind::NoPromotion | Kind::NoOrigin));
    for kind in kinds {
        let mut count = 0;
        for slot in &mut free {
            if count == each {
                break;
            }
            let Some(one) = slot.and_then(|game| damage(game, kind, &mut numbers)) else { continue };
            *slot = None;
            list.push(one);
            count += 1;
        }
    }
    list
}

/// What came of games of one kind.
#[derive(Debug, Default)]
struct Tally {
    games: u32,
    replays: u32,
    broken: u32,
    named: u32,
    first: u32,
    certain: u32,
    wrong: Vec<String>,
    missed: Vec<String>,
}

fn tokens(text: &str) -> Vec<&str> {
    moves(text).into_iter().map(|(_, token)| token).collect()
}

/// Whether a finding stops the replay of the main line.
fn stops(finding: &Finding) -> bool {
    let code = finding.rule.code.to_string();
    finding.variation.is_empty()
        && (matches!(code.as_str(), "MOV01" | "MOV02" | "MOV03" | "MOV04" | "MOV05" | "MOV06") || finding.patch.is_some())
}

fn tally(list: &[Damaged]) -> BTreeMap<Kind, Tally> {
    let text: String = list.iter().map(|one| one.text.as_str()).collect();
    let audit_result = audit(vec![input(text.as_bytes(), Format::Pgn)], Settings { threads: 1, ..Settings::default() });
    assert_eq!(audit_result.summary.counts.games, list.len() as u64);
    let mut starts = vec![0];
    list.iter().for_each(|one| starts.push(starts[starts.len() - 1] + one.text.len()));
    let mut tallies: BTreeMap<Kind, Tally> = BTreeMap::new();
    for (index, one) in list.iter().enumerate() {
        let tally = tallies.entry(one.kind).or_default();
        tally.games += 1;
        let own: Vec<&Finding> =
            audit_result.findings.iter().map(|(_, finding)| finding).filter(|finding| finding.game == index as u64 + 1).collect();
        let Some(finding) = own.iter().copied().find(|finding| stops(finding)) else {
            // A token that is no move in English, but says which one is meant.
            let unknown = own.iter().find(|finding| finding.rule.code.to_string() == "SYN10");
            if let Some(unknown) = unknown {
                tally.broken += 1;
                let named = unknown.expected == one.token;
                tally.named += u32::from(named);
                if !named {
                    tally.missed.push(format!("{}: {}", one.token, own[0].message));
                }
            } else {
                tally.replays += 1;
            }
            continue;
        };
        tally.broken += 1;
        let mended = finding.patch.as_ref().map(|patch| {
            let (start, end) = (patch.place.start - starts[index], patch.place.end - starts[index]);
            assert_eq!(&one.text.as_bytes()[start..end], patch.old, "the old bytes stand there");
            format!("{}{}{}", &one.text[..start], String::from_utf8_lossy(&patch.new), &one.text[end..])
        });
        let right = mended.as_ref().is_some_and(|mended| tokens(mended) == tokens(&one.original));
        let named = right || finding.expected.split(" or ").any(|name| name.split(' ').next_back() == Some(&one.token));
        tally.named += u32::from(named);
        tally.first += u32::from(right);
        let case = || format!("{} -> {:?}, {:?}: {}", one.token, finding.found, finding.expected, finding.message);
        if !named {
            tally.missed.push(case());
        }
        if finding.repair == Some(Repair::Certain) {
            tally.certain += 1;
            if !right {
                tally.wrong.push(case());
            }
        }
    }
    tallies
}

/// The tallies as a table, and whether they hold what is promised.
fn judge(name: &str, list: &[Damaged]) {
    let tallies = tally(list);
    let mut table = format!("{name}: {} games\nkind         games replays broken named first certain wrong\n", list.len());
    for (kind, tally) in &tallies {
        let Tally { games, replays, broken, named, first, certain, .. } = tally;
        let _ = writeln!(
            table,
            "{:12} {games:5} {replays:7} {broken:6} {named:5} {first:5} {certain:7} {:5}",
            format!("{kind:?}"),
            tally.wrong.len()
        );
    }
    let sum = |count: fn(&Tally) -> u32, of: fn(&Kind) -> bool| -> u32 {
        tallies.iter().filter(|(kind, _)| of(kind)).map(|(_, tally)| count(tally)).sum()
    };
    let kept = |kind: &Kind| *kind != Kind::Omitted;
    let (broken, named) = (sum(|tally| tally.broken, kept), sum(|tally| tally.named, kept));
    let certain = sum(|tally| tally.certain, |_| true);
    let _ =
        writeln!(table, "named {named} of {broken} ({:.1} %), {certain} certain", 100.0 * f64::from(named) / f64::from(broken));
    println!("{table}");
    if std::env::var_os("SHOW").is_some() {
        for (kind, tally) in &tallies {
            for case in tally.missed.iter().take(12) {
                println!("{kind:?} missed {case}");
            }
        }
    }
    let wrong: Vec<&String> = tallies.values().flat_map(|tally| &tally.wrong).collect();
    assert!(wrong.is_empty(), "{table}{wrong:#?}");
    assert!(named * 100 >= broken * 90, "{table}");
    assert!(certain * 100 >= broken * 20, "{table}");
    assert!(broken * 2 > list.len() as u32, "{table}");
}

fn made_up() -> Vec<String> {
    games(6_000).iter().filter(|game| game.sans.len() >= 20).map(|game| game.plain()).collect()
}

#[test]
fn what_was_meant_is_found_in_games_made_up() {
    judge("made up", &damaged(&made_up(), 182));
}

#[test]
fn what_was_meant_is_found_in_real_games() -> Outcome {
    let Some(folder) = corpora() else { return Ok(()) };
    let mut text = String::new();
    for name in ["twic1599_1000k.pgn", "pgn4web_twic944.pgn"] {
        text.push_str(&String::from_utf8_lossy(&fs::read(folder.join("pgn").join(name))?).replace('\r', ""));
        text.push('\n');
    }
    let games: Vec<String> = text
        .split("[Event ")
        .skip(1)
        .filter(|game| !game.contains('{') && !game.contains('('))
        .map(|game| format!("[Event {game}"))
        .collect();
    let clean: Vec<String> = {
        let joined: String = games.concat();
        let audit_result = audit(vec![input(joined.as_bytes(), Format::Pgn)], Settings { threads: 1, ..Settings::default() });
        let bad: Vec<u64> = audit_result.findings.iter().map(|(_, finding)| finding.game).collect();
        games.into_iter().zip(1..).filter(|(_, number)| bad.binary_search(number).is_err()).map(|(game, _)| game).collect()
    };
    judge("real", &damaged(&clean, 182));
    Ok(())
}

fn run(home: &Path, arguments: &[&str]) -> Result<(i32, String), Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_chess-audit")).current_dir(home).args(arguments).output()?;
    Ok((output.status.code().ok_or("killed")?, String::from_utf8(output.stderr)?))
}

#[test]
fn fix_gives_back_the_original_moves_and_changes_no_other_byte() -> Outcome {
    let home = tempfile::tempdir()?;
    let list = damaged(&made_up(), 30);
    let text: String = list.iter().map(|one| one.text.as_str()).collect();
    fs::write(home.path().join("a.pgn"), &text)?;
    let check = ["check", "a.pgn", "--repairs", "a.csv", "-q", "--fail-on", "never"];
    assert_eq!(run(home.path(), &check)?, (0, String::new()));
    let rows = fs::read(home.path().join("a.csv"))?;
    assert_eq!(run(home.path(), &[&check[..], &["--threads", "1", "--chunk-size", "1000"]].concat())?, (0, String::new()));
    assert!(fs::read(home.path().join("a.csv"))? == rows, "the list is the same for all threads and chunks");

    let fix = ["fix", "a.pgn", "--repairs", "a.csv", "-o", "b.pgn", "-q"];
    assert_eq!(run(home.path(), &fix)?, (0, String::new()));
    let fixed = fs::read_to_string(home.path().join("b.pgn"))?;

    // Headers are not damaged, so they identify the games.
    let parts = |text: &str| text.split("[Event ").skip(1).map(str::to_owned).collect::<Vec<_>>();
    let audit_result = audit(vec![input(text.as_bytes(), Format::Pgn)], Settings { threads: 1, ..Settings::default() });
    let mut certain = 0;
    let mut expected = text.clone().into_bytes();
    for (_, finding) in audit_result.findings.iter().rev() {
        if let (Some(patch), Some(Repair::Certain)) = (&finding.patch, finding.repair) {
            expected.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
            certain += 1;
        }
    }
    assert!(certain >= 60, "{certain}");
    assert!(fixed.as_bytes() == expected, "only the bytes of certain repairs have changed");
    let mut mended = 0;
    for ((one, before), after) in list.iter().zip(parts(&text)).zip(parts(&fixed)) {
        if before != after {
            mended += 1;
            let whole = format!("[Event {after}");
            assert_eq!(tokens(&whole), tokens(&one.original));
            if !matches!(one.kind, Kind::Omitted | Kind::Doubled) {
                assert_eq!(whole, one.original);
            }
        }
    }
    assert_eq!(mended, certain);

    // It overwrites only with --force, and never its own input.
    let (code, message) = run(home.path(), &fix)?;
    assert!(code == 2 && message.contains("--force"), "{message}");
    assert_eq!(run(home.path(), &[&fix[..], &["--force", "--likely"]].concat())?.0, 0);
    assert!(fs::read_to_string(home.path().join("b.pgn"))? != fixed, "likely repairs are made when asked for");
    let own = ["fix", "a.pgn", "--repairs", "a.csv", "-o", "a.pgn", "--force"];
    let (code, message) = run(home.path(), &own)?;
    assert!(code == 2 && message.contains("cannot be overwritten"), "{message}");
    assert_eq!(fs::read_to_string(home.path().join("a.pgn"))?, text);
    Ok(())
}

#[test]
fn an_input_that_has_changed_is_refused() -> Outcome {
    let home = tempfile::tempdir()?;
    let text: String = damaged(&made_up(), 3).iter().map(|one| one.text.as_str()).collect();
    fs::write(home.path().join("a.pgn"), &text)?;
    run(home.path(), &["check", "a.pgn", "--repairs", "a.csv", "-q", "--fail-on", "never"])?;
    let fix = ["fix", "a.pgn", "--repairs", "a.csv", "-o", "b.pgn"];
    for changed in [text.replacen("White", "Weiss", 1), format!("{text}\n")] {
        fs::write(home.path().join("a.pgn"), changed)?;
        let (code, message) = run(home.path(), &fix)?;
        assert!(code == 2 && message.contains("has changed since the audit"), "{message}");
    }
    // The same length and digest in the list, but other bytes at a place.
    fs::write(home.path().join("a.pgn"), &text)?;
    let rows = fs::read_to_string(home.path().join("a.csv"))?;
    let mut lines: Vec<String> = rows.lines().map(str::to_owned).collect();
    let certain = lines.iter().position(|line| line.contains(",certain,")).ok_or("a certain repair")?;
    let mut cells: Vec<String> = lines[certain].split(',').map(str::to_owned).collect();
    let shift = |cell: &str| cell.parse::<u64>().map(|byte| (byte - 1).to_string());
    (cells[3], cells[4]) = (shift(&cells[3])?, shift(&cells[4])?);
    lines[certain] = cells.join(",");
    fs::write(home.path().join("a.csv"), lines.join("\n") + "\n")?;
    let (code, message) = run(home.path(), &fix)?;
    assert!(code == 2 && message.contains("does not match the list of repairs"), "{message}");
    assert_eq!(
        fs::read_dir(home.path())?.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.file_name() == "b.pgn")).count(),
        0
    );

    // What is no list, and what stands where a list is to go.
    fs::write(home.path().join("c.csv"), "a,b\n1,2\n")?;
    let (code, message) = run(home.path(), &["fix", "a.pgn", "--repairs", "c.csv", "-o", "b.pgn"])?;
    assert!(code == 2 && message.contains("not a list of repairs"), "{message}");
    let (code, message) = run(home.path(), &["check", "a.pgn", "--repairs", "c.csv", "-q"])?;
    assert!(code == 2 && message.contains("choose another file"), "{message}");
    Ok(())
}
