//! Copies of games and positions are found, and no look-alikes. Both are planted among other games.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    path::Path,
};

use crate::common::{
    likeness::{Expected, Facts, is_better, judge, makes_copies},
    planted::{Kind, Planted, PlantedGame, PlantedPair},
    program::{Outcome, run},
};

/// The planted games of the tests that run each time.
fn small() -> Planted {
    Planted::new(51, 2000, 3)
}

/// All pairs that have a name, an id, the first plies or the end in common.
fn pairs_to_judge(facts: &[Facts]) -> BTreeSet<[usize; 2]> {
    let mut games_with: HashMap<String, Vec<usize>> = HashMap::new();
    for (game, facts) in facts.iter().enumerate() {
        facts.shared().into_iter().for_each(|shared| games_with.entry(shared).or_default().push(game));
    }
    let pairs = |games: &Vec<usize>| -> Vec<[usize; 2]> {
        games.iter().flat_map(|&a| games.iter().filter(move |&&b| a < b).map(move |&b| [a, b])).collect()
    };
    games_with.values().flat_map(pairs).collect()
}

/// Planted pairs that are not what they are planted as.
fn problems_of_plants(planted: &Planted) -> Vec<String> {
    let problem = |pair: &PlantedPair| {
        let [a, b] = pair.games.map(|game| Facts::of(&planted.games[game]));
        let judged = judge(&a, &b);
        let is_right = match pair.expected.is_required {
            true => {
                let severities = pair.expected.severities.iter().all(|severity| judged.severities.contains(severity));
                judged.is_required && judged.codes == pair.expected.codes && severities
            }
            false => pair.expected.may_warn() || !judged.may_warn(),
        };
        (!is_right).then(|| format!("{pair:?} is judged as {judged:?}"))
    };
    planted.pairs.iter().filter_map(problem).collect()
}

#[test]
fn what_is_planted_is_what_the_definitions_say() {
    let planted = small();
    let mut problems = problems_of_plants(&planted);
    let facts: Vec<Facts> = planted.games.iter().map(Facts::of).collect();
    let known: BTreeSet<[usize; 2]> = planted.pairs.iter().map(|pair| pair.games).collect();
    for [a, b] in pairs_to_judge(&facts) {
        let judged = judge(&facts[a], &facts[b]);
        if !known.contains(&[a, b]) && (judged.is_required || judged.may_warn()) {
            problems.push(format!("games {a} and {b}, which are not planted, are judged as {judged:?}"));
        }
    }
    let count = |kind: Kind| planted.pairs.iter().filter(|pair| pair.kind == kind).count();
    assert!(Kind::ALL.into_iter().all(|kind| count(kind) >= 10));
    assert!(problems.is_empty(), "{} problems, the first of them: {:#?}", problems.len(), &problems[..problems.len().min(10)]);
}

/// A row of `duplicates.csv` about games. Games are numbered as in [`Planted`].
#[derive(Clone, Debug)]
struct Row {
    rule: String,
    severity: String,
    game: usize,
    partner: usize,
    cluster: String,
    keep: String,
}

/// The rows of a CSV file by column.
fn table(path: &Path) -> Outcome<Vec<BTreeMap<String, String>>> {
    Ok(csv::Reader::from_path(path)?.deserialize().collect::<Result<_, _>>()?)
}

const FILES: [&str; 3] = ["a.pgn", "b.pgn", "c.pgn"];

/// The places of the planted games, by input and ordinal.
fn places(planted: &Planted) -> HashMap<(String, String), usize> {
    let place = |(file, games): (usize, &Vec<usize>)| -> Vec<_> {
        games.iter().enumerate().map(|(at, &game)| ((FILES[file].to_owned(), (at + 1).to_string()), game)).collect()
    };
    planted.files.iter().enumerate().flat_map(place).collect()
}

/// Checks the files in `home` and reads the rows about games.
fn found(home: &Path, planted: &Planted, more: &[&str]) -> Outcome<Vec<Row>> {
    let check = ["check", "--no-config", "--duplicates", "--quiet", "--fail-on", "never", "-o", "report"];
    let output = run(home, &[&check, more].concat())?;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let places = places(planted);
    let mut rows = Vec::new();
    // Findings about better tags and spellings are not about what two games are.
    let is_about_pair = |row: &BTreeMap<String, String>| !matches!(row["rule"].as_str(), "DUP12" | "DUP13");
    for row in table(&home.join("report/duplicates.csv"))?.into_iter().filter(is_about_pair) {
        let value = |column: &str| row.get(column).cloned().ok_or_else(|| format!("there is no column {column}"));
        let place = |input: &str, game: &str| -> Outcome<usize> {
            let place = (value(input)?, value(game)?);
            Ok(*places.get(&place).ok_or_else(|| format!("{place:?} is not a game: {row:?}"))?)
        };
        rows.push(Row {
            rule: value("rule")?,
            severity: value("severity")?,
            game: place("input", "game")?,
            partner: place("partner_input", "partner_game")?,
            cluster: value("cluster")?,
            keep: value("keep")?,
        });
    }
    Ok(rows)
}

/// Sets of games that are joined to each other.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize, joined: impl IntoIterator<Item = [usize; 2]>) -> Sets {
        let mut sets = Sets((0..count).collect());
        for [a, b] in joined {
            let (a, b) = (sets.of(a), sets.of(b));
            sets.0[a] = b;
        }
        sets
    }

    fn of(&self, mut game: usize) -> usize {
        while self.0[game] != game {
            game = self.0[game];
        }
        game
    }

    fn are_joined(&self, [a, b]: [usize; 2]) -> bool {
        self.of(a) == self.of(b)
    }
}

/// What is wrong with the rows: copies that are not found, and findings that are false. `expected`
/// are the pairs of games about which anything may be reported.
fn problems(planted: &Planted, expected: &[([usize; 2], Expected)], rows: &[Row]) -> Vec<String> {
    let count = planted.games.len();
    let says_copies = |row: &&Row| row.severity == "warning" && makes_copies(&row.rule);
    let mut first_of_cluster = HashMap::new();
    let in_cluster: Vec<[usize; 2]> = rows
        .iter()
        .filter(|row| !row.cluster.is_empty())
        .map(|row| [*first_of_cluster.entry(&row.cluster).or_insert(row.game), row.game])
        .collect();
    let joined = rows.iter().filter(says_copies).map(|row| [row.game, row.partner]);
    let clusters = Sets::new(count, joined.chain(in_cluster));
    let allowed = Sets::new(count, expected.iter().filter(|(_, expected)| expected.may_be_copies()).map(|(pair, _)| *pair));
    let by_pair: HashMap<[usize; 2], Expected> = expected.iter().copied().collect();
    let mut rows_of_pair: HashMap<[usize; 2], Vec<&Row>> = HashMap::new();
    let mut problems = Vec::new();
    let name = |game: usize| {
        let planted = &planted.games[game];
        let PlantedTags { white, black, date, round } = PlantedTags::of(planted);
        format!("{white} - {black}, {date}, {round}, {} plies, {}", planted.moves.len(), planted.result)
    };
    let kinds: HashMap<usize, Kind> = planted.pairs.iter().flat_map(|pair| pair.games.map(|game| (game, pair.kind))).collect();
    let kind = |game: usize| kinds.get(&game).map_or_else(|| "not planted".to_owned(), |kind| format!("{kind:?}"));

    let order: HashMap<usize, usize> = planted.files.iter().flatten().enumerate().map(|(at, &game)| (game, at)).collect();
    for row in rows {
        let pair = [row.game.min(row.partner), row.game.max(row.partner)];
        rows_of_pair.entry(pair).or_default().push(row);
        let judged = by_pair
            .get(&pair)
            .copied()
            .unwrap_or_else(|| judge(&Facts::of(&planted.games[pair[0]]), &Facts::of(&planted.games[pair[1]])));
        let is_as_expected = judged.codes.contains(&row.rule.as_str()) && judged.severities.contains(&row.severity.as_str());
        // Short draws are repeated, and games with the same opening part early: these may be infos.
        let plies = pair.map(|game| planted.games[game].moves.len()).into_iter().min().unwrap_or_default();
        let is_careful = row.severity == "info" && plies < 36 && judged.codes.contains(&row.rule.as_str());
        // Copies of one game may be nearest to each other only by a third one.
        let is_joined = says_copies(&row) && allowed.are_joined(pair);
        if !(is_as_expected || is_careful || is_joined) {
            problems.push(format!("false: {row:?}, {judged:?}, {}: {} / {}", kind(row.game), name(row.game), name(row.partner)));
        }
        if !says_copies(&row) && order[&row.game] < order[&row.partner] {
            problems.push(format!("a row about a pair is not about the later game: {row:?}"));
        }
    }
    for game in 0..count {
        let first = clusters.of(game);
        if first != game && !allowed.are_joined([first, game]) {
            problems.push(format!("in one cluster, {}: {} / {}", kind(game), name(game), name(first)));
        }
    }
    for (pair, expected) in expected.iter().filter(|(_, expected)| expected.is_required) {
        let rows = rows_of_pair.get(pair).map_or(&[][..], Vec::as_slice);
        let is_direct = rows.iter().any(|row| expected.codes.contains(&row.rule.as_str()));
        let is_joined = expected.may_be_copies() && clusters.are_joined(*pair);
        if !(is_direct || is_joined) {
            problems.push(format!("not found, {}: {expected:?}: {} / {}", kind(pair[0]), name(pair[0]), name(pair[1])));
        }
    }
    problems.extend(problems_of_kept(planted, &clusters, rows));
    problems
}

/// The tags by which a person recognises a game.
struct PlantedTags<'a> {
    white: &'a str,
    black: &'a str,
    date: &'a str,
    round: &'a str,
}

impl<'a> PlantedTags<'a> {
    fn of(game: &'a PlantedGame) -> PlantedTags<'a> {
        PlantedTags { white: &game.white, black: &game.black, date: &game.date, round: &game.round }
    }
}

/// Whether only a person can find out which of two copies is right.
fn is_to_check(rule: &str) -> bool {
    matches!(rule, "DUP03" | "DUP05")
}

/// Each copy but the best one of a cluster has one row that says that it need not be kept.
fn problems_of_kept(planted: &Planted, clusters: &Sets, rows: &[Row]) -> Vec<String> {
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    (0..planted.games.len()).for_each(|game| members.entry(clusters.of(game)).or_default().push(game));
    let mut not_kept: HashMap<usize, usize> = HashMap::new();
    rows.iter()
        .filter(|row| matches!(row.keep.as_str(), "no" | "check"))
        .for_each(|row| *not_kept.entry(row.game).or_default() += 1);
    let is_safe = |row: &&Row| row.keep == "no" && is_to_check(&row.rule);
    let mut problems: Vec<String> = rows.iter().filter(is_safe).map(|row| format!("one would be removed: {row:?}")).collect();
    for cluster in members.into_values().filter(|members| members.len() > 1) {
        let kept: Vec<usize> = cluster.iter().copied().filter(|game| !not_kept.contains_key(game)).collect();
        let repeated = cluster.iter().filter(|game| not_kept.get(game).is_some_and(|count| *count > 1)).count();
        if kept.len() != 1 || repeated > 0 {
            problems.push(format!(
                "{} of {} copies are kept, {repeated} are named twice: {cluster:?}",
                kept.len(),
                cluster.len()
            ));
            continue;
        }
        let facts = Facts::of(&planted.games[kept[0]]);
        for &other in cluster.iter().filter(|game| **game != kept[0]) {
            let other = Facts::of(&planted.games[other]);
            if is_better(&other, &facts) == Some(true) {
                problems.push(format!("the better copy is not kept: {:?} / {:?}", other.game.tags(), facts.game.tags()));
            }
        }
    }
    problems
}

fn is_as_expected(planted: &Planted, expected: &[([usize; 2], Expected)], rows: &[Row]) {
    let problems = problems(planted, expected, rows);
    let first = &problems[..problems.len().min(20)];
    assert!(problems.is_empty(), "{} problems, the first of them: {first:#?}", problems.len());
}

/// Writes the planted games to a directory.
fn home_of(planted: &Planted) -> Outcome<tempfile::TempDir> {
    let home = tempfile::tempdir()?;
    for (file, name) in FILES.iter().enumerate() {
        fs::write(home.path().join(name), planted.text(file))?;
    }
    Ok(home)
}

fn judged_pairs(planted: &Planted) -> Vec<([usize; 2], Expected)> {
    let facts: Vec<Facts> = planted.games.iter().map(Facts::of).collect();
    pairs_to_judge(&facts).into_iter().map(|[a, b]| ([a, b], judge(&facts[a], &facts[b]))).collect()
}

/// The rows of a program that finds what is expected.
fn perfect_rows(planted: &Planted, expected: &[([usize; 2], Expected)]) -> Vec<Row> {
    let copies = |expected: &Expected| expected.is_required && expected.may_be_copies();
    let clusters = Sets::new(planted.games.len(), expected.iter().filter(|(_, it)| copies(it)).map(|(pair, _)| *pair));
    let mut kept: HashMap<usize, usize> = HashMap::new();
    for game in 0..planted.games.len() {
        let best = kept.entry(clusters.of(game)).or_insert(game);
        if is_better(&Facts::of(&planted.games[game]), &Facts::of(&planted.games[*best])) == Some(true) {
            *best = game;
        }
    }
    let order: HashMap<usize, usize> = planted.files.iter().flatten().enumerate().map(|(at, &game)| (game, at)).collect();
    let row = |([a, b], expected): &([usize; 2], Expected)| -> Option<Row> {
        let cluster = clusters.of(*a);
        let (game, partner) = match () {
            () if !copies(expected) => {
                if order[a] < order[b] {
                    (*b, *a)
                } else {
                    (*a, *b)
                }
            }
            () if kept[&cluster] == *a => (*b, *a),
            () if kept[&cluster] == *b => (*a, *b),
            () => return None,
        };
        let keep = if is_to_check(expected.codes[0]) { "check" } else { "no" };
        let [cluster, keep] = if copies(expected) { [cluster.to_string(), keep.to_owned()] } else { Default::default() };
        let (rule, severity) = (expected.codes[0].to_owned(), expected.severities[0].to_owned());
        Some(Row { rule, severity, game, partner, cluster, keep })
    };
    expected.iter().filter(|(_, expected)| expected.is_required).filter_map(row).collect()
}

#[test]
fn missing_and_false_rows_are_seen() {
    let planted = Planted::new(6, 300, 3);
    let expected = judged_pairs(&planted);
    let rows = perfect_rows(&planted, &expected);
    is_as_expected(&planted, &expected, &rows);
    for at in 0..rows.len() {
        let mut rows = rows.clone();
        rows.remove(at);
        assert!(!problems(&planted, &expected, &rows).is_empty(), "without row {at}");
    }
    let look_alikes = planted.pairs.iter().filter(|pair| !pair.expected.is_required && !pair.expected.may_warn());
    for pair in look_alikes {
        let mut rows = rows.clone();
        let [game, partner] = pair.games;
        let [rule, severity, keep] = ["DUP05", "warning", "no"].map(str::to_owned);
        rows.push(Row { rule, severity, game, partner, cluster: "x".to_owned(), keep });
        assert!(!problems(&planted, &expected, &rows).is_empty(), "with {pair:?}");
    }
    for at in (0..rows.len()).filter(|&at| rows[at].keep == "check") {
        let mut rows = rows.clone();
        rows[at].keep = "no".to_owned();
        assert!(!problems(&planted, &expected, &rows).is_empty(), "if {:?} can be removed", rows[at]);
    }
    let damage: [fn(&mut Row); 4] = [
        |row| row.severity = if row.severity == "info" { "warning".to_owned() } else { "info".to_owned() },
        |row| row.rule = if row.rule == "DUP02" { "DUP01".to_owned() } else { "DUP02".to_owned() },
        |row| std::mem::swap(&mut row.game, &mut row.partner),
        |row| row.keep = if row.keep == "no" { "yes".to_owned() } else { "no".to_owned() },
    ];
    let mut unseen = [0; 4];
    let copies: Vec<usize> = (0..rows.len()).filter(|&at| rows[at].keep == "no").collect();
    for (kind, damage) in damage.iter().enumerate() {
        for &at in &copies {
            let mut rows = rows.clone();
            damage(&mut rows[at]);
            unseen[kind] += usize::from(problems(&planted, &expected, &rows).is_empty());
        }
    }
    // Short games may be infos, and some copies are as good as each other, so that either may be
    // kept.
    let is_rare = |unseen: usize| unseen <= copies.len() / 4;
    let [careful, 0, equal, 0] = unseen else { panic!("{unseen:?} of {}", copies.len()) };
    assert!(is_rare(careful) && is_rare(equal), "{unseen:?} of {}", copies.len());
}

#[test]
fn all_planted_copies_are_found_and_no_look_alike() -> Outcome {
    let planted = small();
    let home = home_of(&planted)?;
    let rows = found(home.path(), &planted, &[&["--profile", "strict"], &FILES[..]].concat())?;
    is_as_expected(&planted, &judged_pairs(&planted), &rows);
    Ok(())
}

#[test]
fn infos_about_copies_are_hidden_by_default() -> Outcome {
    let planted = Planted::new(7, 400, 3);
    let home = home_of(&planted)?;
    let rows = found(home.path(), &planted, &FILES)?;
    assert!(rows.iter().all(|row| row.severity == "warning"), "{rows:#?}");
    let required = |(_, expected): &([usize; 2], Expected)| expected.severities == ["warning"] || !expected.is_required;
    let expected: Vec<_> = judged_pairs(&planted).into_iter().filter(required).collect();
    is_as_expected(&planted, &expected, &rows);
    Ok(())
}

#[test]
fn copies_do_not_depend_on_how_inputs_are_found_or_threads() -> Outcome {
    let planted = Planted::new(8, 600, 3);
    let home = home_of(&planted)?;
    let sorted = |arguments: &[&str]| -> Outcome<Vec<String>> {
        found(home.path(), &planted, &[&["--profile", "strict"], arguments].concat())?;
        let text = fs::read_to_string(home.path().join("report/duplicates.csv"))?;
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        Ok(lines)
    };
    let lines = sorted(&FILES)?;
    assert!(lines.len() > 60, "{} lines", lines.len());
    assert_eq!(lines, sorted(&["[a-c].pgn", "--threads", "1"])?);
    Ok(())
}

#[test]
#[ignore = "takes minutes; the other tests check 2,000 games"]
fn all_copies_are_found_among_200_000_games() -> Outcome {
    let planted = Planted::new(52, 200_000, 3);
    assert_eq!(problems_of_plants(&planted), Vec::<String>::new());
    let home = home_of(&planted)?;
    let rows = found(home.path(), &planted, &[&["--profile", "strict"], &FILES[..]].concat())?;
    let expected: Vec<_> = planted.pairs.iter().map(|pair| (pair.games, pair.expected)).collect();
    is_as_expected(&planted, &expected, &rows);
    Ok(())
}

/// Lines of positions, each with the rules that may join it to its neighbour. The first rule must.
const POSITIONS: &[(&str, &[&str])] = &[
    // Only the counters differ.
    ("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n", &["DUP08"]),
    ("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 4 5\n", &["DUP08"]),
    // No pawn can capture on e3.
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n", &["DUP09", "DUP08"]),
    ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n", &["DUP09", "DUP08"]),
    // The capture on d6 is legal, so the square makes another position.
    ("rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3\n", &[]),
    ("rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3\n", &[]),
    // Other castling rights, and the other side to move.
    ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1\n", &[]),
    ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 1\n", &[]),
    ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 1\n", &[]),
];

/// The same for EPD.
const OPERATIONS: &[(&str, &[&str])] = &[
    ("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; id \"a.1\";\n", &["DUP10", "DUP08"]),
    ("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm c3 Nc3; id \"b.1\";\n", &["DUP10", "DUP08"]),
    ("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - bm c4; id \"a.2\";\n", &["DUP10", "DUP08"]),
    ("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - am c4; id \"b.2\";\n", &["DUP10", "DUP08"]),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - ce 120; id \"a.3\";\n", &["DUP10", "DUP08"]),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - ce -190; id \"b.3\";\n", &["DUP10", "DUP08"]),
    // One best move in common.
    ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3 Nc3; id \"a.4\";\n", &["DUP08"]),
    ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; id \"b.4\";\n", &["DUP08"]),
    // Evaluations of one sign.
    ("4k3/8/8/8/8/8/3P4/4K3 w - - ce 120; id \"a.5\";\n", &["DUP08"]),
    ("4k3/8/8/8/8/8/3P4/4K3 w - - ce 90; id \"b.5\";\n", &["DUP08"]),
    // Conflicting answers to different questions.
    ("4k3/8/8/8/8/8/2P5/4K3 w - - bm c3; id \"a.6\";\n", &[]),
    ("4k3/8/8/8/8/8/2P5/4K3 b - - bm Kd7; id \"b.6\";\n", &[]),
];

#[test]
fn copies_of_positions_are_found() -> Outcome {
    let home = tempfile::tempdir()?;
    for (name, lines) in [("a.fen", POSITIONS), ("b.epd", OPERATIONS)] {
        fs::write(home.path().join(name), lines.iter().map(|(line, _)| *line).collect::<String>())?;
    }
    let arguments = ["check", "--no-config", "--duplicates", "--profile", "strict", "-q", "--fail-on", "never", "-o", "report"];
    let output = run(home.path(), &[&arguments[..], &["a.fen", "b.epd"]].concat())?;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut joined: BTreeMap<(String, u64, u64), BTreeSet<String>> = BTreeMap::new();
    for row in table(&home.path().join("report/duplicates.csv"))? {
        assert_eq!(row["input"], row["partner_input"], "{row:?}");
        let severity = if row["rule"] == "DUP08" { "info" } else { "warning" };
        assert_eq!(row["severity"], severity, "{row:?}");
        let lines = (row["input"].clone(), row["partner_line"].parse()?, row["line"].parse()?);
        joined.entry(lines).or_default().insert(row["rule"].clone());
    }
    for (name, lines) in [("a.fen", POSITIONS), ("b.epd", OPERATIONS)] {
        for (at, (line, codes)) in lines.iter().enumerate() {
            let number = at as u64 + 1;
            let found: BTreeMap<_, _> =
                joined.iter().filter(|((input, a, b), _)| input == name && [*a, *b].contains(&number)).collect();
            let Some(first) = codes.first() else {
                assert!(found.is_empty(), "{line}: {found:?}");
                continue;
            };
            let [(lines, rules)] = found.into_iter().collect::<Vec<_>>()[..] else { panic!("{line} is not in one pair") };
            assert_eq!(lines.1 + 1, lines.2, "{line}");
            let are_allowed = rules.iter().all(|rule| codes.contains(&rule.as_str()));
            assert!(rules.contains(*first) && are_allowed, "{line}: {rules:?}");
        }
    }
    Ok(())
}

/// A game of an event in 1974 between these players, and one that is planted with its moves.
fn played(moves: &PlantedGame, white: &str, black: &str, round: usize) -> PlantedGame {
    let [white, black] = [white, black].map(str::to_owned);
    let (event, date, round) = ("Moscow".to_owned(), "1974.??.??".to_owned(), round.to_string());
    PlantedGame { event, date, round, white, black, ratings: [0, 2600], extra: Vec::new(), result: "1-0", ..moves.clone() }
}

#[test]
fn names_of_one_player_are_found_by_games_with_equal_moves() -> Outcome {
    let planted = small();
    let is_long = |game: &&PlantedGame| game.moves.len() >= 60 && game.fen.is_none();
    let mut first_moves = BTreeSet::new();
    let long: Vec<&PlantedGame> = planted
        .games
        .iter()
        .filter(is_long)
        .filter(|game| first_moves.insert(format!("{:?}", &game.moves[..20])))
        .take(4)
        .collect();
    let [one, two, three, four] = long[..] else { panic!("there are {} long games", long.len()) };
    let files = [("a.pgn", "Jussupow, Artur"), ("b.pgn", "Yusupov, Artur")].map(|(file, name)| {
        let games = [
            played(one, name, "Karpov, Anatoly", 1),
            played(two, "Hort, Vlastimil", name, 2),
            // The second file has two plies less.
            played(three, name, "Tal, Mihail", 3),
            // Another player with the same moves: a wrong header.
            played(four, name, if file == "a.pgn" { "Petrosian, Tigran" } else { "Geller, Efim" }, 4),
        ];
        (file, games)
    });
    let home = tempfile::tempdir()?;
    for (file, mut games) in files {
        if file == "b.pgn" {
            let moves = games[2].moves.len() - 2;
            games[2].moves.truncate(moves);
        }
        fs::write(home.path().join(file), games.iter().map(PlantedGame::text).collect::<String>())?;
    }
    let report = |files: &[&str]| -> Outcome<[Vec<BTreeMap<String, String>>; 2]> {
        let check = ["check", "--no-config", "--duplicates", "--quiet", "--fail-on", "never", "-o", "report"];
        let output = run(home.path(), &[&check[..], &["--profile", "strict"], files].concat())?;
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let place = home.path().join("report");
        Ok([table(&place.join("players.csv"))?, table(&place.join("duplicates.csv"))?])
    };
    let [players, duplicates] = report(&["a.pgn", "b.pgn"])?;
    assert_eq!(report(&["[ab].pgn"])?, [players.clone(), duplicates.clone()]);
    assert_eq!(report(&["b.pgn", "a.pgn"])?[0], players, "players do not depend on the order");
    let names: Vec<&str> = players.iter().map(|row| row["name"].as_str()).collect();
    assert_eq!(
        names,
        ["geller efim", "hort vlastimil", "jussupow artur", "karpov anatoly", "petrosian tigran", "tal mihail", "yusupov artur"]
    );
    let columns = ["spellings", "games", "first_year", "last_year", "lowest_rating", "fide_ids", "inputs", "same_as", "evidence"];
    let cells = |row: usize| columns.map(|column| players[row][column].as_str());
    let evidence = "equal games against 2 opponents";
    assert_eq!(cells(2), ["Jussupow, Artur (4)", "4", "1974", "1974", "2600", "", "1", "yusupov artur", evidence]);
    assert_eq!(cells(3), ["Karpov, Anatoly (2)", "2", "1974", "1974", "2600", "", "2", "", ""]);
    let found: Vec<[&str; 4]> =
        duplicates.iter().map(|row| ["rule", "input", "game", "partner_game"].map(|column| row[column].as_str())).collect();
    assert_eq!(
        found,
        [
            ["DUP01", "b.pgn", "1", "1"],
            ["DUP01", "b.pgn", "2", "2"],
            ["DUP04", "b.pgn", "3", "3"],
            ["DUP02", "b.pgn", "4", "4"],
            // Both names have four games, so the first in order is the main one.
            ["DUP13", "b.pgn", "1", ""],
            ["DUP13", "b.pgn", "2", ""],
            ["DUP13", "b.pgn", "3", ""],
            ["DUP13", "b.pgn", "4", ""],
        ]
    );
    Ok(())
}

/// What is decided about a pair stays decided, whichever of the two games is the better copy.
#[test]
fn a_pair_has_one_fingerprint() -> Outcome {
    let home = tempfile::tempdir()?;
    for (name, site, white) in [("a.pgn", "Ulm", "Ander, Uta"), ("b.pgn", "Bonn", "Ander,Uta")] {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 1-0";
        let game = format!(
            "[Event \"Cup\"]\n[Site \"{site}\"]\n[Date \"2001.02.03\"]\n[Round \"4\"]\n[White \"{white}\"]\n[Black \"Bode, \
             Max\"]\n[Result \"1-0\"]\n\n{moves}\n"
        );
        fs::write(home.path().join(name), game)?;
    }
    let check = |arguments: &[&str]| -> Outcome<BTreeMap<String, String>> {
        let options = ["check", "--no-config", "--select", "DUP", "-q", "--fail-on", "never", "-o", "report"];
        let output = run(home.path(), &[&options[..], arguments].concat())?;
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let rows = table(&home.path().join("report/duplicates.csv"))?;
        assert_eq!(rows.len(), 1, "{rows:?}");
        Ok(rows.into_iter().next().expect("a row"))
    };
    let one = check(&["a.pgn", "b.pgn"])?;
    assert_eq!((one["input"].as_str(), one["partner_input"].as_str(), one["known"].as_str()), ("b.pgn", "a.pgn", "false"));
    run(home.path(), &["baseline", "write", "report", "-o", "baseline.csv"])?;
    let other = check(&["b.pgn", "a.pgn", "--baseline", "baseline.csv"])?;
    assert_eq!((other["input"].as_str(), other["partner_input"].as_str(), other["known"].as_str()), ("a.pgn", "b.pgn", "true"));
    assert_eq!(one["fingerprint"], other["fingerprint"]);
    // With the other game first, earlier versions wrote another one.
    assert_eq!(one["fingerprint"], "k7af8edbfd3d6ea06");
    let before = "k7e9b1d338821c421";
    let baseline = fs::read_to_string(home.path().join("baseline.csv"))?.replace(one["fingerprint"].as_str(), before);
    fs::write(home.path().join("baseline.csv"), baseline)?;
    for files in [["a.pgn", "b.pgn"], ["b.pgn", "a.pgn"]] {
        let known = check(&[&files[..], &["--baseline", "baseline.csv"]].concat())?;
        assert_eq!((known["known"].as_str(), known["fingerprint"].as_str()), ("true", before), "{files:?}");
    }
    Ok(())
}
