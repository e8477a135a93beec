//! TAG04: tags that nobody looks for.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Repair, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG04"),
    name: "tag-name",
    severity: Severity::Warning,
    summary: "The name of a tag is misspelt",
    what: "A name of other characters than letters, digits and underscores; one that differs from a tag of the standard or of wide use in case only (`Fen`, `WhiteELO`); \
           one of five letters or more that is one letter, or two exchanged ones, away from such a tag (`PlayCount`). Digits at the end of a name are spared. \
           Once per input and name.",
    why: "Names are case-sensitive: readers do not find the tag, and play a game with `Fen` from the initial array.",
    fix: "Rename the tag.",
    source: "PGN standard 8.1.1",
    fires: &[Sample::Tags("[⟦eco⟧ \"C20\"]"), Sample::Tags("[⟦PlayCount⟧ \"2\"]"), Sample::Tags("[⟦Anotator⟧ \"Nunn\"]")],
    silent: &[Sample::Tags("[ECO \"C20\"]\n[Elos \"?\"]\n[Annotator2 \"Nunn\"]\n[Tournament \"x\"]")],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    // Nearly always all names are known.
    for pair in facts.pairs {
        let name = pair.name.of(facts.text);
        if KnownTag::named(name).is_some() {
            continue;
        }
        let unusual = !name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let meant = KnownTag::ALL.iter().find(|tag| is_meant(name, tag.name().as_bytes()));
        if !unusual && meant.is_none() {
            continue;
        }
        let found = shown(name);
        let finding = findings.add(&RULE, pair.name);
        match meant {
            Some(meant) => {
                finding.repair = Some(Repair::Likely);
                finding
                    .expected(meant.name())
                    .message(format!("readers do not know the tag `{found}`; {} is probably meant", meant.name()));
            }
            None => {
                finding.message(format!("the name `{found}` holds other characters than letters, digits and underscores"));
            }
        }
        finding.once_per_input_and(found.as_str()).found(found);
    }
}

/// Whether `name` is `known` in another case, or with one slip of the pen.
fn is_meant(name: &[u8], known: &[u8]) -> bool {
    if name.eq_ignore_ascii_case(known) {
        return true;
    }
    let long = name.len().min(known.len()) >= 5;
    let numbered = name.last().is_some_and(u8::is_ascii_digit);
    long && !numbered && is_one_slip(name, known)
}

/// Whether one letter too many, one too few, another one, or two exchanged ones make the difference.
pub(super) fn is_one_slip(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let same = |a: &u8, b: &u8| a.eq_ignore_ascii_case(b);
    let at = short.iter().zip(long).take_while(|(a, b)| same(a, b)).count();
    let rest_is_same = |a: &[u8], b: &[u8]| a.eq_ignore_ascii_case(b);
    match long.len() - short.len() {
        0 if at == short.len() => false,
        0 => {
            rest_is_same(&short[at + 1..], &long[at + 1..])
                || (at + 1 < short.len()
                    && same(&short[at], &long[at + 1])
                    && same(&short[at + 1], &long[at])
                    && rest_is_same(&short[at + 2..], &long[at + 2..]))
        }
        1 => rest_is_same(&short[at..], &long[at + 1..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips() {
        for (one, other, slip) in [
            ("Annotator", "Anotator", true),
            ("Annotator", "Annotatro", true),
            ("Annotator", "Annotater", true),
            ("Annotator", "annotator", false),
            ("Annotator", "Annotations", false),
            ("Event", "Events", true),
            ("Event", "Evetn", true),
            ("Event", "Eevnt", true),
            ("Event", "Vesnt", false),
        ] {
            assert_eq!(is_one_slip(one.as_bytes(), other.as_bytes()), slip, "{one} {other}");
            assert_eq!(is_one_slip(other.as_bytes(), one.as_bytes()), slip, "{other} {one}");
        }
    }

    #[test]
    fn no_known_tag_is_a_slip_of_another() {
        for tag in KnownTag::ALL {
            let alike: Vec<_> =
                KnownTag::ALL.iter().filter(|other| *other != tag && tag.name().eq_ignore_ascii_case(other.name())).collect();
            assert!(alike.is_empty(), "{}: {alike:?}", tag.name());
        }
    }
}
