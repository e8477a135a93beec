//! TAG12: ratings that are none.

use crate::{
    pgn::KnownTag,
    rules::{Check, Code, Family, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: Code::new(Family::Tag, 12),
    name: "elo-value",
    severity: Severity::Warning,
    summary: "The rating is no integer from 1 to 4000",
    what: "WhiteElo and BlackElo hold an integer from 1 to 4000, or nothing: `-` for an unrated player, `?`, an empty string. \
           A consultation game may list several, separated by colons. \
           `0`, which many programs write for an unknown rating, is an info, once per input; so are decimals and the question mark of a \
           provisional rating (`1500?`).",
    why: "A digit too many, or the value of another field, makes averages and rating filters wrong.",
    fix: "Look the rating up, or write `-` (unrated) or `?` (unknown).",
    source: "PGN standard 9.1.2",
    reachability: false,
    layout: false,
    yields: &[],
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[BlackElo \"-\"]\n\
         [WhiteElo \"⟦28500⟧\"]\n\n1. e4 e5 *\n",
    )],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[BlackElo \"?\"]\n\
         [WhiteElo \"2850\"]\n\n1. e4 e5 *\n",
    )],
    check: Check::Tags(check),
};

/// What is odd about a rating, the gravest last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Oddity {
    None,
    Zero,
    Provisional,
    Decimal,
    OutOfRange,
    NoNumber,
}

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for tag in [KnownTag::WhiteElo, KnownTag::BlackElo] {
        let Some(pair) = facts.pair(tag) else { continue };
        let value = pair.value.of(facts.text);
        let oddity = value.split(|byte| *byte == b':').map(judge).max().unwrap_or(Oddity::None);
        if oddity == Oddity::None {
            continue;
        }
        let (name, found) = (tag.name(), shown(value));
        let finding = findings.add(&RULE, pair.value);
        match oddity {
            Oddity::None | Oddity::Zero => {
                finding
                    .severity(Severity::Info)
                    .message(format!("{name} is 0: an unrated player has `-`, an unknown rating `?`"));
                finding.once_per_input_and("0");
            }
            Oddity::Provisional => {
                finding
                    .severity(Severity::Info)
                    .message(format!("{name} `{found}` bears the question mark of a provisional rating"));
            }
            Oddity::Decimal => {
                finding.severity(Severity::Info).message(format!("{name} `{found}` is not an integer"));
            }
            Oddity::OutOfRange => {
                finding.message(format!("{name} `{found}` is not between 1 and 4000"));
            }
            Oddity::NoNumber => {
                finding.message(format!("{name} `{found}` is no rating: an integer, `-` or `?` belongs there"));
            }
        }
        finding.found(found);
    }
}

fn judge(value: &[u8]) -> Oddity {
    let value = value.trim_ascii();
    if matches!(value, b"" | b"-" | b"?") {
        return Oddity::None;
    }
    let (number, provisional) = value.strip_suffix(b"?").map_or((value, false), |number| (number, true));
    let (whole, decimals) = match number.iter().position(|byte| matches!(byte, b'.' | b',')) {
        Some(at) => (&number[..at], Some(&number[at + 1..])),
        None => (number, None),
    };
    let digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let unsigned = whole.strip_prefix(b"-").unwrap_or(whole);
    if !digits(unsigned) || decimals.is_some_and(|decimals| !digits(decimals)) {
        return Oddity::NoNumber;
    }
    let rating = unsigned.iter().fold(0_u32, |rating, digit| rating.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
    match rating {
        0 => Oddity::Zero,
        1..=4000 if unsigned.len() < whole.len() => Oddity::OutOfRange,
        1..=4000 if provisional => Oddity::Provisional,
        1..=4000 if decimals.is_some() => Oddity::Decimal,
        1..=4000 => Oddity::None,
        _ => Oddity::OutOfRange,
    }
}
