//! TAG14: titles and ids of another form.

use crate::{
    pgn::KnownTag,
    rules::{Check, Findings, Rule, Sample, Severity, facts::TagSection, shown},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("TAG14"),
    name: "title-or-id",
    severity: Severity::Info,
    summary: "A title, FIDE id or board number is of another form",
    what: "WhiteTitle and BlackTitle hold a title of FIDE (GM, IM, FM, CM, with W before it those of women, arena titles), of a national federation (NM, WNM, LM) or of a server (BOT); \
           WhiteFideId and BlackFideId hold digits; Board and Table an integer. Nothing, `-` and `?` are spared. Once per input and tag.",
    why: "Programs that filter by title or join by id miss the game.",
    fix: "Correct the value.",
    source: "PGN standard 9.1.1, 9.3; FIDE Title Regulations",
    fires: &[Sample::Tags("[WhiteTitle \"⟦gm⟧\"]"), Sample::Tags("[BlackFideId \"⟦4OOO41⟧\"]")],
    silent: &[Sample::Tags("[WhiteTitle \"WGM\"]\n[BlackTitle \"-\"]\n[WhiteFideId \"400041\"]\n[Board \"3\"]")],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

const TITLES: [&[u8]; 18] = [
    b"GM", b"IM", b"FM", b"CM", b"WGM", b"WIM", b"WFM", b"WCM", b"AGM", b"AIM", b"AFM", b"ACM", b"NM", b"WNM", b"LM", b"WF",
    b"WM", b"BOT",
];

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    for tag in [
        KnownTag::WhiteTitle,
        KnownTag::BlackTitle,
        KnownTag::WhiteFideId,
        KnownTag::BlackFideId,
        KnownTag::Board,
        KnownTag::Table,
    ] {
        let Some(pair) = facts.pair(tag) else { continue };
        let value = pair.value.of(facts.text);
        let is_title = matches!(tag, KnownTag::WhiteTitle | KnownTag::BlackTitle);
        let fair = if is_title { TITLES.contains(&value) } else { value.iter().all(u8::is_ascii_digit) };
        if fair || matches!(value, b"" | b"-" | b"?") {
            continue;
        }
        let found = shown(value);
        let what = if is_title { "no title that is known" } else { "no number" };
        let finding = findings.add(&RULE, pair.value);
        finding.once_per_input_and(tag.name()).message(format!("{} `{found}` is {what}", tag.name()));
        let upper = value.to_ascii_uppercase();
        if is_title && TITLES.contains(&upper.as_slice()) {
            finding.expected(shown(&upper));
        }
        finding.found(found);
    }
}
