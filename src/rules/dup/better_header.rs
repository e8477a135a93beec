//! DUP12: tags that a copy of the kept game has more complete.

use crate::identity::GameDate;
use crate::rules::patches::replace_value;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("DUP12"),
    name: "better-header",
    severity: Severity::Info,
    summary: "A copy of the game has better tags",
    what: "Of several copies, this game is the one to keep, but another one has more complete tags. \
           Such a tag is missing or unknown here, or its date, round or name has fewer parts. \
           Nothing is reported if the best values of two copies differ, or if the headers of \
           a copy contradict those of this game. There is a repair if the other copy need not be \
           kept. A number after an event or a site, and a title or a country after a name, do not make \
           a value better. A name with fewer games in this run is not better either.",
    why: "What the other copy knows is lost when it is removed.",
    fix: "Copy the tags before the other game is removed.",
    source: "Scid, finding twin games",
    repairs: Some(Certainty::Likely),

    needs: &[Need::Duplicates],
    fires: &[Sample::Pgn(games!(
        marked!(game!("London", "1851.06.??", "?", "Anderssen, Adolf", "Kieseritzky, L", "1-0", immortal!())),
        game!("London", "1851.06.21", "1", "Anderssen, A", "Kieseritzky, Lionel", "*", immortal!())
    ))],
    // The dates of two copies differ.
    silent: &[Sample::Pgn(games!(
        game!("London", "1851.??.??", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        game!("London", "1851.06.21", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!()),
        game!("London", "1851.06.12", "1", "Anderssen, Adolf", "Kieseritzky, Lionel", "1-0", immortal!())
    ))],
    check: Check::Kept(check),
    ..Rule::DEFAULTS
};

fn check(facts: &KeptFacts<'_>, findings: &mut Findings) {
    let KeptFacts { game, better } = *facts;
    if better.is_empty() {
        return;
    }
    let mut copies: Vec<String> = Vec::new();
    // The tags of one copy are named together, in the order of the first of them.
    for (at, first) in better.iter().enumerate() {
        let is_of = |tag: &&BetterTag<'_>| tag.copy.place == first.copy.place;
        if better[..at].iter().any(|tag| is_of(&tag)) {
            continue;
        }
        let values = better.iter().filter(is_of).map(|BetterTag { tag, value, .. }| match game.tag(*tag) {
            "" => format!("{} `{value}` (unknown here)", tag.name()),
            own => format!("{} `{value}` (`{own}` here)", tag.name()),
        });
        let copy = named_game(first.copy.place, first.copy_input);
        copies.push(format!("{copy} has {}", join_and(&values.collect::<Vec<_>>())));
    }
    let pair = |tag: KnownTag, value: &str| format!("[{} \"{value}\"]", tag.name());
    let own = better.iter().map(|BetterTag { tag, .. }| (*tag, game.tag(*tag))).filter(|(_, own)| !own.is_empty());
    let found: Vec<String> = own.map(|(tag, own)| pair(tag, own)).collect();
    let expected: Vec<String> = better.iter().map(|BetterTag { tag, value, .. }| pair(*tag, value)).collect();
    let finding = findings.add(&RULE, game.place.span());
    finding.message(copies.join("; ")).found(found.join(" ")).expected(expected.join(" "));
    // A copy that stays keeps what it knows.
    let replaced = better.iter().filter(|BetterTag { tag, value, is_surplus, .. }| *is_surplus && is_standard(*tag, value));
    for patch in replaced.filter_map(|BetterTag { tag, value, .. }| replace_value(game, *tag, value)) {
        finding.repair(Certainty::Likely, patch);
    }
}

/// Whether a value can be written without another finding about it. The result is also in the
/// movetext.
fn is_standard(tag: KnownTag, value: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match tag {
        KnownTag::Result => false,
        KnownTag::Date | KnownTag::EventDate | KnownTag::UtcDate => {
            let lengths: Vec<usize> = value.split('.').map(str::len).collect();
            lengths == [4, 2, 2] && GameDate::new(value).is_known()
        }
        // TAG11 reports countries and ratings in brackets.
        KnownTag::White | KnownTag::Black => !value.contains('('),
        KnownTag::Round => value.split('.').all(is_number),
        KnownTag::WhiteElo | KnownTag::BlackElo | KnownTag::WhiteFideId | KnownTag::BlackFideId => is_number(value),
        _ => true,
    }
}
