//! TAG12: ratings that are none.

use crate::{
    pgn::{KnownTag, Limits},
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG12"),
    name: "elo-value",
    severity: Severity::Warning,
    summary: "The rating is no integer from 1 to 4000",
    what: "WhiteElo and BlackElo hold an integer from 1 to 4000, or nothing: `-` for an unrated player, `?`, an empty string. \
           A consultation game may list several, separated by colons. The settings can draw the range closer or wider (`elo`). \
           `0`, which many programs write for an unknown rating, is an info, once per input; so are decimals and the question mark of a \
           provisional rating (`1500?`).",
    why: "A digit too many, or the value of another field, makes averages and rating filters wrong.",
    fix: "Look the rating up, or write `-` (unrated) or `?` (unknown).",
    source: "PGN standard 9.1.2",
    fires: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[BlackElo \"-\"]\n\
         [WhiteElo \"⟦28500⟧\"]\n\n1. e4 e5 *\n",
    )],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[BlackElo \"?\"]\n\
         [WhiteElo \"2850\"]\n\n1. e4 e5 *\n",
    )],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
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
        let oddity = value.split(|byte| *byte == b':').map(|rating| judge(rating, &facts.limits)).max().unwrap_or(Oddity::None);
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
                finding.message(format!(
                    "{name} `{found}` is not between {} and {}",
                    facts.limits.least_elo, facts.limits.greatest_elo
                ));
            }
            Oddity::NoNumber => {
                finding.message(format!("{name} `{found}` is no rating: an integer, `-` or `?` belongs there"));
            }
        }
        finding.found(found);
    }
}

fn judge(value: &[u8], limits: &Limits) -> Oddity {
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
    let negative = unsigned.len() < whole.len();
    match rating {
        0 if limits.least_elo > 0 => Oddity::Zero,
        _ if negative || !(limits.least_elo..=limits.greatest_elo).contains(&rating) => Oddity::OutOfRange,
        _ if provisional => Oddity::Provisional,
        _ if decimals.is_some() => Oddity::Decimal,
        _ => Oddity::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_is_that_of_the_settings() {
        let narrow = Limits { least_elo: 1000, greatest_elo: 2900, ..Limits::DEFAULT };
        let wide = Limits { least_elo: 0, greatest_elo: 5000, ..Limits::DEFAULT };
        for (value, by_default, in_narrow, in_wide) in [
            ("0", Oddity::Zero, Oddity::Zero, Oddity::None),
            ("1", Oddity::None, Oddity::OutOfRange, Oddity::None),
            ("999", Oddity::None, Oddity::OutOfRange, Oddity::None),
            ("1000", Oddity::None, Oddity::None, Oddity::None),
            ("2900", Oddity::None, Oddity::None, Oddity::None),
            ("2901", Oddity::None, Oddity::OutOfRange, Oddity::None),
            ("4001", Oddity::OutOfRange, Oddity::OutOfRange, Oddity::None),
            ("5001", Oddity::OutOfRange, Oddity::OutOfRange, Oddity::OutOfRange),
            ("-1500", Oddity::OutOfRange, Oddity::OutOfRange, Oddity::OutOfRange),
            ("1500?", Oddity::Provisional, Oddity::Provisional, Oddity::Provisional),
            ("?", Oddity::None, Oddity::None, Oddity::None),
        ] {
            let judged = [Limits::DEFAULT, narrow, wide].map(|limits| judge(value.as_bytes(), &limits));
            assert!(judged == [by_default, in_narrow, in_wide], "{value}");
        }
    }
}
