//! TAG12: values that are not ratings.

use crate::pgn::Limits;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG12"),
    name: "elo-value",
    severity: Severity::Warning,
    summary: "The rating is not an integer from 1 to 4000",
    what: "WhiteElo or BlackElo is not an integer from 1 to 4000. The settings can change the \
           range (`elo`). Empty values, `-`, `?` and several ratings separated by colons are \
           allowed. Decimals, provisional ratings (`1500?`) and ratings below 100 are infos; so is \
           `0`, which is reported once per input.",
    why: "An extra digit, or the value of another tag, distorts averages and rating filters.",
    fix: "Look up the rating. Write `-` for an unrated player, `?` for an unknown rating.",
    source: "PGN standard 9.1.2",
    fires: &[
        Sample::Game { tags: "[BlackElo \"-\"]\n[WhiteElo \"⟦28500⟧\"]", moves: "1. e4 e5 *" },
        Sample::Tags("[WhiteElo \"⟦88⟧\"]"),
    ],
    silent: &[Sample::Game { tags: "[BlackElo \"?\"]\n[WhiteElo \"2850\"]", moves: "1. e4 e5 *" }],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

/// What is wrong with a rating, the worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    None,
    Zero,
    Low,
    Provisional,
    Decimal,
    OutOfRange,
    NotANumber,
}

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for tag in [KnownTag::WhiteElo, KnownTag::BlackElo] {
        let Some(pair) = facts.pair(tag) else { continue };
        let value = pair.value.of(facts.text);
        let fault = value.split(|byte| *byte == b':').map(|rating| judge(rating, &facts.limits)).max().unwrap_or(Fault::None);
        if fault == Fault::None {
            continue;
        }
        let (name, found) = (tag.name(), shown(value));
        let finding = findings.add(&RULE, pair.value);
        match fault {
            Fault::None | Fault::Zero => {
                finding
                    .severity(Severity::Info)
                    .message(format!("{name} is 0: write `-` for an unrated player, `?` for an unknown rating"));
                finding.once_per_input_and("0");
            }
            Fault::Low => {
                finding
                    .severity(Severity::Info)
                    .once_if_usual(format!("{name} low"))
                    .message(format!("{name} `{found}` is below 100: it may be a grade, or a digit is missing"));
            }
            Fault::Provisional => {
                finding
                    .severity(Severity::Info)
                    .once_if_usual(format!("{name} provisional"))
                    .message(format!("{name} `{found}` has the question mark of a provisional rating"));
            }
            Fault::Decimal => {
                finding.severity(Severity::Info).once_if_usual(format!("{name} decimal"));
                finding.message(format!("{name} `{found}` is not an integer"));
            }
            Fault::OutOfRange => {
                finding.once_if_usual(format!("{name} range"));
                finding.message(format!("{name} `{found}` is not between {} and {}", facts.limits.min_elo, facts.limits.max_elo));
            }
            Fault::NotANumber => {
                finding.once_if_usual(format!("{name} words"));
                finding.message(format!("{name} `{found}` is not a rating: write an integer, `-` or `?`"));
            }
        }
        finding.found(found);
    }
}

fn judge(value: &[u8], limits: &Limits) -> Fault {
    let value = value.trim_ascii();
    if matches!(value, b"" | b"-" | b"?") {
        return Fault::None;
    }
    let (number, provisional) = value.strip_suffix(b"?").map_or((value, false), |number| (number, true));
    let (whole, decimals) = match number.iter().position(|byte| matches!(byte, b'.' | b',')) {
        Some(at) => (&number[..at], Some(&number[at + 1..])),
        None => (number, None),
    };
    let digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let unsigned = whole.strip_prefix(b"-").unwrap_or(whole);
    if !digits(unsigned) || decimals.is_some_and(|decimals| !digits(decimals)) {
        return Fault::NotANumber;
    }
    let rating = unsigned.iter().fold(0_u32, |rating, digit| rating.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
    let negative = unsigned.len() < whole.len();
    match rating {
        0 if limits.min_elo > 0 => Fault::Zero,
        _ if negative || !(limits.min_elo..=limits.max_elo).contains(&rating) => Fault::OutOfRange,
        _ if provisional => Fault::Provisional,
        _ if decimals.is_some() => Fault::Decimal,
        1..100 => Fault::Low,
        _ => Fault::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_change_the_range() {
        let narrow = Limits { min_elo: 1000, max_elo: 2900, ..Limits::DEFAULT };
        let wide = Limits { min_elo: 0, max_elo: 5000, ..Limits::DEFAULT };
        for (value, by_default, in_narrow, in_wide) in [
            ("0", Fault::Zero, Fault::Zero, Fault::None),
            ("1", Fault::Low, Fault::OutOfRange, Fault::Low),
            ("99", Fault::Low, Fault::OutOfRange, Fault::Low),
            ("100", Fault::None, Fault::OutOfRange, Fault::None),
            ("999", Fault::None, Fault::OutOfRange, Fault::None),
            ("1000", Fault::None, Fault::None, Fault::None),
            ("2900", Fault::None, Fault::None, Fault::None),
            ("2901", Fault::None, Fault::OutOfRange, Fault::None),
            ("4001", Fault::OutOfRange, Fault::OutOfRange, Fault::None),
            ("5001", Fault::OutOfRange, Fault::OutOfRange, Fault::OutOfRange),
            ("-1500", Fault::OutOfRange, Fault::OutOfRange, Fault::OutOfRange),
            ("1500?", Fault::Provisional, Fault::Provisional, Fault::Provisional),
            ("?", Fault::None, Fault::None, Fault::None),
        ] {
            let judged = [Limits::DEFAULT, narrow, wide].map(|limits| judge(value.as_bytes(), &limits));
            assert!(judged == [by_default, in_narrow, in_wide], "{value}");
        }
    }
}
