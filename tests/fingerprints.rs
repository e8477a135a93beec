//! Fingerprints: what is found in a record keeps its identity wherever the record stands and however it is written down.

mod common;

use std::collections::BTreeMap;

use chess_audit::{
    corpus::{Format, Input, Source},
    rules::Scope,
};
use common::{audit, everything, fixture};
use proptest::prelude::*;

/// How often each fingerprint occurs in these inputs. What is told once of a whole input is left aside.
fn fingerprints(inputs: &[String]) -> BTreeMap<u64, usize> {
    let inputs = inputs.iter().enumerate().map(|(number, text)| Input {
        name: format!("{number}.pgn"),
        source: Source::Bytes(text.as_bytes().into()),
        format: Some(Format::Pgn),
    });
    let mut found = BTreeMap::new();
    for (_, finding) in audit(inputs.collect(), everything()).findings {
        if finding.scope == Scope::Place {
            *found.entry(finding.fingerprint).or_insert(0) += 1;
        }
    }
    found
}

/// The games of the showcase that harm no others: each begins with a tag section and ends with its marker.
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

fn clean(number: usize) -> String {
    format!(
        "[Event \"E\"]\n[Site \"S\"]\n[Date \"2020.01.01\"]\n[Round \"{number}\"]\n[White \"A, B\"]\n[Black \"C, D\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 *\n\n"
    )
}

#[test]
fn there_is_something_to_find() {
    assert!(games().len() > 15, "{}", games().len());
    assert!(fingerprints(&[games().concat()]).len() > 15);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn moving_games_about_changes_no_fingerprint(
        order in Just((0..games().len()).collect::<Vec<_>>()).prop_shuffle(),
        before in 0usize..4,
        split in 0usize..16,
        carriage_returns in any::<bool>(),
        blanks in 0usize..3,
    ) {
        let games = games();
        let expected = fingerprints(&[games.concat()]);
        let mut moved: Vec<String> = order.iter().map(|&index| games[index].clone()).collect();
        for number in 0..before {
            moved.insert(0, clean(number));
        }
        for game in &mut moved {
            game.push_str(&"\n".repeat(blanks));
            if carriage_returns {
                *game = game.replace('\n', "\r\n");
            }
        }
        let second = moved.split_off(split.min(moved.len()));
        let inputs: Vec<String> = [moved.concat(), second.concat()].into_iter().filter(|text| !text.is_empty()).collect();
        prop_assert_eq!(fingerprints(&inputs), expected);
    }

    #[test]
    fn a_changed_move_changes_only_the_fingerprints_of_its_game(at in 0usize..15) {
        let mut games = games();
        let before: Vec<_> = games.iter().map(|game| fingerprints(std::slice::from_ref(game))).collect();
        let changed = at % games.len();
        games[changed] = games[changed].replacen("1. ", "1. a3 {was another} 1... ", 1);
        for (index, (game, before)) in games.iter().zip(&before).enumerate() {
            let after = fingerprints(std::slice::from_ref(game));
            if index == changed {
                prop_assert!(after.keys().all(|fingerprint| !before.contains_key(fingerprint)), "game {}", index);
            } else {
                prop_assert_eq!(&after, before, "game {}", index);
            }
        }
    }
}
