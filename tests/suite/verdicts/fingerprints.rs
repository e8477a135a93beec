//! Fingerprints: what is found in a record keeps its identity wherever the record stands and
//! however it is written down.

use std::collections::BTreeMap;

use crate::common::{
    audit, everything, fixture,
    packs::{PACKS, zip_stored},
};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::{Options, Settings},
    rules::{Profile, Scope, Selection},
    text::Format,
};
use proptest::{prelude::*, sample::Index};

/// How often each fingerprint occurs in these inputs. What is reported once per input, or depends
/// on the rest of the input, is left aside.
fn fingerprints_with(settings: Settings, inputs: Vec<Input>) -> BTreeMap<u64, usize> {
    let audit_result = audit(inputs, settings);
    assert!(audit_result.failures.is_empty(), "{:?}", audit_result.failures);
    let mut found = BTreeMap::new();
    for (_, finding) in audit_result.findings {
        let by_itself = finding.conditions.is_empty() && !finding.rule.check.is_about_inputs();
        if !matches!(finding.scope, Scope::Input { .. }) && by_itself {
            *found.entry(finding.fingerprint).or_insert(0) += 1;
        }
    }
    found
}

fn input(name: &str, bytes: &[u8], format: Option<Format>) -> Input {
    Input { name: name.to_owned(), source: Source::Bytes(bytes.into()), format, scanned: false }
}

fn fingerprints(text: &str) -> BTreeMap<u64, usize> {
    fingerprints_with(everything(), vec![input("games.pgn", text.as_bytes(), Some(Format::Pgn))])
}

/// The games of the showcase that harm no others: each begins with a tag section and ends with its
/// marker.
fn games() -> Vec<String> {
    let text = std::fs::read_to_string(fixture("showcase.pgn")).expect("the fixture is there");
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).chain([text.len()]).collect();
    let whole = |game: &&str| {
        ["1-0", "0-1", "1/2-1/2", "*"].iter().any(|marker| game.trim_end().ends_with(marker))
            && game.matches('{').count() == game.matches('}').count()
            && game.matches('(').count() == game.matches(')').count()
    };
    starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).filter(whole).map(|game| format!("{}\n\n", game.trim_end())).collect()
}

/// The position lines of the showcase, comments left out.
fn lines() -> Vec<String> {
    let text = std::fs::read_to_string(fixture("showcase.epd")).expect("the fixture is there");
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

fn clean(number: usize) -> String {
    format!(
        "[Event \"E\"]\n[Site \"S\"]\n[Date \"2020.01.01\"]\n[Round \"{number}\"]\n[White \"A, B\"]\n[Black \"C, D\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n\n"
    )
}

/// How a corpus is written down.
#[derive(Clone, Debug)]
struct Writing {
    /// Where clean records are put in.
    added: Vec<Index>,
    /// Where the next file begins.
    cuts: Vec<Index>,
    /// Of each file: whether lines end with carriage returns, how it is packed, and what it is
    /// called.
    files: Vec<(bool, usize, String)>,
}

fn writing() -> impl Strategy<Value = Writing> {
    let index = any::<Index>;
    let file = (any::<bool>(), 0..PACKS.len() + 2, "[a-z]{1,8}(/[a-z]{1,8})?");
    (prop::collection::vec(index(), 0..4), prop::collection::vec(index(), 0..3), prop::collection::vec(file, 3))
        .prop_map(|(added, cuts, files)| Writing { added, cuts, files })
}

impl Writing {
    /// The inputs that hold these records, with clean ones among them.
    fn inputs(&self, mut records: Vec<String>, clean: impl Fn(usize) -> String, ending: &str) -> Vec<Input> {
        for (number, at) in self.added.iter().enumerate() {
            records.insert(at.index(records.len() + 1), clean(number));
        }
        let mut cuts: Vec<usize> = self.cuts.iter().map(|cut| cut.index(records.len())).chain([0, records.len()]).collect();
        cuts.sort_unstable();
        let parts = cuts.windows(2).map(|pair| records[pair[0]..pair[1]].concat()).filter(|text| !text.is_empty());
        let written = |(text, (carriage_returns, pack, name)): (String, &(bool, usize, String))| {
            let text = if *carriage_returns { text.replace('\n', "\r\n") } else { text };
            let member = format!("{name}.{ending}");
            let (packing, bytes) = match PACKS.get(*pack) {
                Some((packing, pack)) => (*packing, pack(text.as_bytes())),
                None if *pack == PACKS.len() => ("zip", zip_stored(&[(&member, text.as_bytes())])),
                None => ("", text.into_bytes()),
            };
            input(&format!("{name}.{ending}.{packing}"), &bytes, None)
        };
        parts.zip(&self.files).map(written).collect()
    }
}

#[test]
fn there_is_something_to_find() {
    assert!(games().len() > 15, "{}", games().len());
    assert!(fingerprints(&games().concat()).len() > 15);
    assert!(lines().len() > 30, "{}", lines().len());
}

/// What else is asked, and what else is found, changes no identity.
#[test]
fn other_settings_change_no_fingerprint() {
    let mut text = games().concat();
    // An info before a warning of the same rule.
    text.push_str(&clean(1).replace("[Result", "[WhiteElo \"1500?\"]\n[BlackElo \"28500\"]\n[Result"));
    // And one about words that are marked by both.
    text.push_str(&clean(2).replace("\n\n1. e4 e5 2", " 1. e4 e5\n\n2"));
    let of = |profile, exhaustive| {
        let settings =
            Settings { selection: Selection::of(profile), options: Options { exhaustive, ..Options::default() }, ..everything() };
        fingerprints_with(settings, vec![input("games.pgn", text.as_bytes(), Some(Format::Pgn))])
    };
    let (standard, strict) = (of(Profile::Standard, false), of(Profile::Strict, false));
    assert!(standard.len() > 15 && standard.len() < strict.len());
    for more in [strict, of(Profile::Export, false), of(Profile::Standard, true)] {
        assert!(standard.keys().all(|fingerprint| more.contains_key(fingerprint)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn games_written_down_otherwise_keep_their_fingerprints(
        order in Just((0..games().len()).collect::<Vec<_>>()).prop_shuffle(),
        writing in writing(),
        blanks in 0usize..3,
        wrapped in any::<bool>(),
    ) {
        let games = games();
        let expected = fingerprints(&games.concat());
        let moved = order.iter().map(|&index| {
            // Where no line means anything, the movetext may be wrapped otherwise.
            let (tags, movetext) = games[index].split_once("\n\n").unwrap_or((&games[index], ""));
            let plain = wrapped && !movetext.contains([';', '%', '{']) && !movetext.trim().contains("\n\n");
            let movetext = if plain { movetext.trim_end().replace('\n', " ") + "\n\n" } else { movetext.to_owned() };
            format!("{tags}\n\n{movetext}{}", "\n".repeat(blanks))
        });
        let inputs = writing.inputs(moved.collect(), clean, "pgn");
        prop_assert_eq!(fingerprints_with(everything(), inputs), expected);
    }

    #[test]
    fn lines_written_down_otherwise_keep_their_fingerprints(
        order in Just((0..lines().len()).collect::<Vec<_>>()).prop_shuffle(),
        writing in writing(),
    ) {
        let lines = lines();
        let expected = fingerprints_with(everything(), vec![input("a.epd", lines.concat().as_bytes(), None)]);
        let moved = order.iter().map(|&index| lines[index].clone()).collect();
        let inputs = writing.inputs(moved, |number| format!("4k3/8/8/8/8/8/8/R3K3 w Q - id \"clean {number}\";\n"), "epd");
        prop_assert_eq!(fingerprints_with(everything(), inputs), expected);
    }

    #[test]
    fn a_changed_move_changes_only_the_fingerprints_of_its_game(game in any::<Index>(), at in any::<Index>()) {
        let mut games = games();
        let before = fingerprints(&games.concat());
        let changed = game.index(games.len());
        let own = fingerprints(&games[changed]);
        let (tags, movetext) = games[changed].split_once("\n\n").unwrap_or((&games[changed], ""));
        let moves: Vec<usize> = movetext
            .match_indices([' ', '\n'])
            .map(|(blank, _)| blank + 1)
            .filter(|&start| movetext[start..].starts_with(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'N', 'B', 'R', 'Q', 'K']))
            .collect();
        prop_assume!(!moves.is_empty());
        let start = moves[at.index(moves.len())];
        let end = movetext[start..].find([' ', '\n']).map_or(movetext.len(), |length| start + length);
        let other = if &movetext[start..end] == "a3" { "h3" } else { "a3" };
        games[changed] = format!("{tags}\n\n{}{other}{}", &movetext[..start], &movetext[end..]);
        let after = fingerprints(&games.concat());
        // All that was found in the game is another finding now, and nothing else is.
        let of_others: BTreeMap<u64, usize> =
            before.iter().filter(|(fingerprint, _)| !own.contains_key(fingerprint)).map(|(a, b)| (*a, *b)).collect();
        prop_assert!(own.keys().all(|fingerprint| !after.contains_key(fingerprint)));
        prop_assert!(of_others.iter().all(|(fingerprint, times)| after.get(fingerprint) == Some(times)));
        let new: Vec<&u64> = after.keys().filter(|fingerprint| !of_others.contains_key(fingerprint)).collect();
        let own_now = fingerprints(&games[changed]);
        prop_assert!(new.into_iter().all(|fingerprint| own_now.contains_key(fingerprint)));
    }
}
