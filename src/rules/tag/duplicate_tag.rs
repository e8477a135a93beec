//! TAG03: tags given twice.

use crate::{
    chess::Variant,
    pgn::TagPair,
    pgn::result_of_tag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG03"),
    name: "duplicate-tag",
    severity: Severity::Error,
    summary: "A tag name stands twice in one tag section",
    what: "Two tag pairs of one game have the same name. A warning; an error where the two say different things about FEN, Result or Variant, \
           for then the game means different things to different readers. Another spelling of the same result, variant or position is no contradiction. \
           One finding for each game, at the second pair of the gravest name; the message lists the others.",
    why: "Some readers take the first value, some the last. A repeated roster shows that two games became one.",
    fix: "Keep the right one; where two tag sections stand together, find the movetext that is missing between them.",
    source: "PGN standard 8.1",
    fires: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n⟦[Event \"Another\"]⟧\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n\
             1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1-0\"]\n⟦[Result \"0-1\"]⟧\n\n\
             1. e4 e5 1-0\n",
        ),
    ],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[EventDate \"????.??.??\"]\n\n\
         1. e4 e5 *\n",
    )],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    if has_repetition(facts) {
        report(facts, findings);
    }
}

/// Whether some name may stand twice; surely so up to 64 tag pairs.
fn has_repetition(facts: &TagSection<'_>) -> bool {
    if facts.pairs.len() > 64 {
        return true;
    }
    let mut seen = 0_u64;
    for (index, pair) in facts.pairs.iter().enumerate() {
        let name = pair.name.of(facts.text);
        let (first, last) = (name.first().copied().unwrap_or_default(), name.last().copied().unwrap_or_default());
        let bit = 1 << ((name.len() * 7 + usize::from(first) * 5 + usize::from(last)) % 64);
        if seen & bit != 0 && facts.pairs[..index].iter().any(|other| other.name.of(facts.text) == name) {
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
    pairs.sort_by_key(|pair| (name_of(pair), pair.place.start));
    // For each repeated name: whether values contradict each other, the first pair and the one to be shown.
    let mut repeated: Vec<(bool, TagPair, TagPair)> = pairs
        .chunk_by(|one, other| name_of(one) == name_of(other))
        .filter(|group| group.len() > 1)
        .map(|group| {
            let value = |pair: &TagPair| pair.value.of(facts.text);
            let contrary = group[1..].iter().find(|pair| contradict(name_of(pair), value(&group[0]), value(pair)));
            (contrary.is_some(), group[0], *contrary.unwrap_or(&group[1]))
        })
        .collect();
    repeated.sort_by_key(|(contrary, _, second)| (!contrary, second.place.start));
    let Some((contrary, first, second)) = repeated.first() else { return };
    let (one, other) = (shown(first.value.of(facts.text)), shown(second.value.of(facts.text)));
    let name = shown(name_of(second));
    let mut message = if *contrary {
        format!("{name} stands twice and says two things: `{one}` and `{other}`")
    } else if one == other {
        format!("{name} stands twice, with the same value")
    } else {
        format!("{name} stands twice: `{one}` and `{other}`")
    };
    if repeated.len() > 1 {
        const MOST: usize = 10;
        let mut others: Vec<String> = repeated[1..].iter().take(MOST).map(|(_, _, pair)| shown(name_of(pair))).collect();
        if repeated.len() - 1 > MOST {
            others.push(format!("{} more", repeated.len() - 1 - MOST));
        }
        message.push_str(&format!("; repeated too: {}; two tag sections may have become one", others.join(", ")));
    }
    let severity = if *contrary { Severity::Error } else { Severity::Warning };
    findings.add(&RULE, second.place).severity(severity).found(shown(second.place.of(facts.text))).message(message);
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
            // Counters may be left out.
            let fields = |value: &'_ [u8]| value.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).count();
            let short = fields(one).min(fields(other)).max(1);
            let start = |value| -> Vec<Vec<u8>> {
                let value: &[u8] = value;
                value.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).take(short).map(<[u8]>::to_vec).collect()
            };
            start(one) != start(other)
        }
        _ => false,
    }
}
