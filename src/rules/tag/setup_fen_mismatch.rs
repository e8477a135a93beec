//! TAG18: SetUp and FEN tags that do not match.

use crate::pgn::TagPair;
use crate::rules::patches::line_break;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("TAG18"),
    name: "setup-fen-mismatch",
    severity: Severity::Error,
    summary: "The tags SetUp and FEN do not match",
    what: "SetUp `1` without a FEN tag is an error: the position in which the game starts is \
           missing. SetUp `0` with a FEN that is not the starting position is a warning, and so is \
           a SetUp that is neither `0` nor `1`. A FEN tag without SetUp is so common that it is an \
           info, reported once per input.",
    why: "Readers that rely on SetUp start such a game from the starting position, and its moves \
           become illegal.",
    fix: "Write both tags or neither. With a FEN tag, write `[SetUp \"1\"]`.",
    source: "PGN standard 9.7",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("VAR02")]),
    fires: &[
        Sample::Game { tags: "⟦[SetUp \"1\"]⟧", moves: "1. e4 e5 *" },
        Sample::Game { tags: "⟦[SetUp \"0\"]⟧\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]", moves: "1. e4 *" },
        Sample::Game { tags: "⟦[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]⟧", moves: "1. e4 *" },
    ],
    silent: &[
        Sample::Game { tags: "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]", moves: "1. e4 *" },
        Sample::Game { tags: "[SetUp \"0\"]", moves: "1. e4 e5 *" },
    ],
    check: Check::Tags(check),
    ..Rule::DEFAULTS
};

fn check(facts: &TagSection<'_>, findings: &mut Findings) {
    match (facts.pair(KnownTag::SetUp), facts.pair(KnownTag::Fen)) {
        (None, None) => {}
        (None, Some(fen)) => {
            // TAG04 reports a SetUp tag that is misspelled.
            if facts.pair_in_any_case("SetUp").is_none() {
                let finding = findings.add(&RULE, fen.place).severity(Severity::Info).expected("[SetUp \"1\"]");
                finding.message("there is a FEN tag, but no SetUp tag").once_per_input();
                let line_break = line_break(facts.text, fen.place.end);
                finding.repair(Certainty::Likely, Patch::insert(fen.place.end, [line_break, "[SetUp \"1\"]"].concat()));
            }
        }
        (Some(setup), fen) => judge(facts, setup, fen, findings),
    }
}

/// Whether there is a tag pair such as `[fen "…"]` or `[FEN …]`.
fn has_fen_in_any_form(facts: &TagSection<'_>) -> bool {
    facts.pair_in_any_case("FEN").is_some() || facts.names.iter().any(|name| name.of(facts.text).eq_ignore_ascii_case(b"FEN"))
}

fn judge(facts: &TagSection<'_>, setup: TagPair, fen: Option<TagPair>, findings: &mut Findings) {
    let value = setup.value.of(facts.text);
    match (value, fen) {
        (b"1", Some(_)) | (b"0", None) => {}
        // TAG04 or SYN02 reports a FEN tag that is misspelled or has no quotes.
        (b"1", None) if has_fen_in_any_form(facts) => {}
        (b"1", None) => {
            findings
                .add(&RULE, setup.place)
                .once_if_usual("1")
                .found(shown(setup.place.of(facts.text)))
                .message("SetUp is 1, but there is no FEN tag with the position in which the game starts");
        }
        (b"0", Some(fen)) if is_starting_position(fen.value.of(facts.text)) => {}
        (b"0", Some(_)) => {
            findings
                .add(&RULE, setup.place)
                .severity(Severity::Warning)
                .once_if_usual("0")
                .found(shown(setup.place.of(facts.text)))
                .expected("[SetUp \"1\"]")
                .message("SetUp is 0, but the FEN tag is not the starting position")
                .repair(Certainty::Likely, Patch::replace(facts.text, setup.value, *b"1"));
        }
        (value, fen) => {
            let found = shown(value);
            let right = if fen.is_some() { "1" } else { "0" };
            findings
                .add(&RULE, setup.place)
                .severity(Severity::Warning)
                .once_if_usual("value")
                .message(format!("SetUp `{found}` is neither 0 nor 1"))
                .expected(right)
                .found(found)
                .repair(Certainty::Likely, Patch::replace(facts.text, setup.value, right));
        }
    }
}

/// Whether `fen` is the starting position. Counters do not count, and missing fields match.
fn is_starting_position(fen: &[u8]) -> bool {
    let mut fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let placement = fields.next() == Some(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    let turn = fields.next().is_none_or(|turn| turn == b"w");
    let castling = fields.next().is_none_or(|castling| {
        let mut letters = castling.to_vec();
        letters.sort_unstable();
        matches!(letters.as_slice(), b"KQkq" | b"AHah")
    });
    placement && turn && castling && fields.next().is_none_or(|target| target == b"-")
}
