//! TAG03: tags that occur twice in one game.

use crate::chess::Variant;
use crate::pgn::{TagPair, result_of_tag};
use crate::rules::patches::without_line;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG03"),
    name: "duplicate-tag",
    severity: Severity::Error,
    summary: "A tag occurs twice in one game",
    what: "Two tag pairs of one game have the same name, apart from its case. This is an error if the two values of \
           FEN, Result or Variant contradict each other, otherwise a warning. Two spellings of the \
           same position, result or variant do not contradict each other. One finding per game \
           marks the second tag pair and lists the other repeated tags.",
    why: "Some readers take the first value, some the last. A repeated roster often means that two \
           games were merged into one.",
    fix: "Keep the correct value. If two tag sections follow each other, restore the movetext that \
           is missing between them.",
    source: "PGN standard 8.1",
    repairs: Some(Certainty::Certain),
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n⟦[Event \"Another\"]⟧\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n\
             1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n⟦[Result \"0-1\"]⟧\n\n\
             1. e4 e5 1-0\n",
        ),
        Sample::Tags("[ECO \"C20\"]\n⟦[Eco \"C20\"]⟧"),
    ],
    silent: &[Sample::Game { tags: "[EventDate \"????.??.??\"]", moves: "1. e4 e5 *" }],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

/// Maximum number of other repeated tags that a message lists.
const MAX_LISTED: usize = 10;

/// The finding is about the first contradiction; without one, about the first repeated name.
fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    if has_repetition(facts) {
        report(facts, findings);
    }
}

/// Whether a name may occur twice. The answer is exact up to 64 tag pairs.
fn has_repetition(facts: &TagSection<'_>) -> bool {
    if facts.pairs.len() > 64 {
        return true;
    }
    let mut seen = 0_u64;
    for (index, pair) in facts.pairs.iter().enumerate() {
        let name = pair.name.of(facts.text);
        let lowercase = |byte: Option<&u8>| byte.map_or(0, u8::to_ascii_lowercase);
        let (first, last) = (lowercase(name.first()), lowercase(name.last()));
        let bit = 1 << ((name.len() * 7 + usize::from(first) * 5 + usize::from(last)) % 64);
        if seen & bit != 0 && facts.pairs[..index].iter().any(|other| other.name.of(facts.text).eq_ignore_ascii_case(name)) {
            return true;
        }
        seen |= bit;
    }
    false
}

#[cold]
fn report(facts: &TagSection<'_>, findings: &mut Findings) {
    let name_of = |pair: &TagPair| pair.name.of(facts.text);
    let mut pairs = facts.pairs.to_vec();
    pairs.sort_by_key(|pair| (name_of(pair).to_ascii_lowercase(), pair.place.start));
    // For each repeated name: whether its values contradict each other, the first pair, and the
    // pair to report.
    let mut repeated: Vec<(bool, TagPair, TagPair)> = pairs
        .chunk_by(|one, other| name_of(one).eq_ignore_ascii_case(name_of(other)))
        .filter(|group| group.len() > 1)
        .map(|group| {
            let value = |pair: &TagPair| pair.value.of(facts.text);
            let contradiction = group[1..].iter().find(|pair| contradict(name_of(pair), value(&group[0]), value(pair)));
            (contradiction.is_some(), group[0], *contradiction.unwrap_or(&group[1]))
        })
        .collect();
    repeated.sort_by_key(|(is_contradiction, _, second)| (!is_contradiction, second.place.start));
    let Some((is_contradiction, first, second)) = repeated.first() else { return };
    let (one, other) = (shown(first.value.of(facts.text)), shown(second.value.of(facts.text)));
    let name = shown(name_of(second));
    let mut message = if *is_contradiction {
        format!("{name} occurs twice with contradictory values: `{one}` and `{other}`")
    } else if one == other {
        format!("{name} occurs twice with the same value")
    } else {
        format!("{name} occurs twice: `{one}` and `{other}`")
    };
    if repeated.len() > 1 {
        let mut others: Vec<String> = repeated[1..].iter().take(MAX_LISTED).map(|(_, _, pair)| shown(name_of(pair))).collect();
        if repeated.len() - 1 > MAX_LISTED {
            others.push(format!("{} more", repeated.len() - 1 - MAX_LISTED));
        }
        let do_so = if others.len() == 1 { "so does" } else { "so do" };
        message.push_str(&format!("; {do_so} {}; two games may have been merged into one", join_and(&others)));
    }
    let severity = if *is_contradiction { Severity::Error } else { Severity::Warning };
    let finding = findings
        .add(&RULE, second.place)
        .severity(severity)
        .once_if_usual(name)
        .found(shown(second.place.of(facts.text)))
        .message(message);
    let groups = || pairs.chunk_by(|one, other| name_of(one).eq_ignore_ascii_case(name_of(other)));
    let is_same = |group: &[TagPair]| group.iter().all(|pair| pair.value.of(facts.text) == group[0].value.of(facts.text));
    // If a tag pair cannot be read, it may have been cut off together with the rest of its game.
    if !groups().all(is_same) || !facts.names.is_empty() {
        return;
    }
    // Two games with the same tags may have been merged into one.
    let certainty = if repeated.len() == 1 { Certainty::Certain } else { Certainty::Likely };
    for group in groups() {
        // A name in the right case stays.
        let kept = group.iter().position(|pair| KnownTag::named(name_of(pair)).is_some()).unwrap_or(0);
        let others = group.iter().enumerate().filter(|(index, _)| *index != kept).map(|(_, pair)| pair);
        for pair in others {
            finding.repair(certainty, without_line(facts.text, pair.place));
        }
    }
}

/// Whether two values of the tag `name` cannot both be true.
fn contradict(name: &[u8], one: &[u8], other: &[u8]) -> bool {
    match name {
        b"Result" => match (result_of_tag(one), result_of_tag(other)) {
            (Some(one), Some(other)) => one.outcome() != other.outcome(),
            _ => one.trim_ascii() != other.trim_ascii(),
        },
        b"Variant" => {
            let (means, means_too) = (Variant::named(one), Variant::named(other));
            means != means_too || (means == Variant::Unknown && !one.trim_ascii().eq_ignore_ascii_case(other.trim_ascii()))
        }
        b"FEN" => {
            // Only the fields that both values have are compared: counters may be missing.
            let fields = |value: &'_ [u8]| value.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).count();
            let common = fields(one).min(fields(other)).max(1);
            let start = |value| -> Vec<Vec<u8>> {
                let value: &[u8] = value;
                value.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).take(common).map(<[u8]>::to_vec).collect()
            };
            start(one) != start(other)
        }
        _ => false,
    }
}
