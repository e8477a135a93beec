//! The contract of the rule table: every sample fires, or does not, as it says; everything that is
//! derived from the table is what the table says.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use crate::common::{AuditResult, audit, audit_text, everything, input, layout_too, line, oracles, small_engine};
use chess_audit::internals::{
    corpus::{Globs, Input},
    identity::RatingList,
    pipeline::{Expectations, ExpectedInputs, ExpectedOfRun, Options, SetAt, Settings},
    rules::{
        Bounds, Ceiling, Check, Demand, DeniedGames, Finding, HouseNote, HouseRules, Need, Quantity, RULES, Rule, Sample,
        Severity, TagDemand, shown,
    },
    text::Format,
};

fn format(sample: Sample) -> Format {
    if sample.is_pgn() { Format::Pgn } else { Format::Epd }
}

/// What is expected of a sample of `rule`, if it is about that.
fn expected_of_sample(rule: &Rule) -> Expectations {
    let set_at = SetAt { file: "chess-audit.toml".to_owned(), line: 1, byte: 0 };
    let of_run = match rule.name {
        "unexpected-count" => vec![(set_at, ExpectedOfRun::Count(Quantity::Plies, Bounds { min: Some(3), max: None }))],
        "too-many-findings" => {
            let illegal = RULES.iter().filter(|rule| rule.name == "illegal-move").map(|rule| rule.code).collect();
            vec![(set_at, ExpectedOfRun::Findings("MOV01".to_owned(), illegal, Ceiling { most: 0, is_per_million: true }))]
        }
        "other-digest" => {
            vec![(set_at, ExpectedOfRun::Digest { file: "sample.pgn".to_owned(), sha256: "0".repeat(64) })]
        }
        "missing-input" => {
            // That is the name of the sample that must not fire.
            let glob = "sample.epd".to_owned();
            let names = Globs::new(&[&glob], Path::new("/nowhere")).expect("a glob");
            let expected = ExpectedInputs { glob, names, counts: Vec::new() };
            return Expectations { of_inputs: vec![(set_at, expected)], ..Expectations::default() };
        }
        _ => Vec::new(),
    };
    Expectations { of_run, ..Expectations::default() }
}

/// House rules for a sample of `rule`, if it is about them.
fn house_of_sample(rule: &Rule) -> HouseRules {
    let values = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    let (tag, demand) = match rule.name {
        "required-tag" => ("Annotator", Demand::Required),
        "value-not-allowed" => ("Source", Demand::OneOf(values(&["book", "score sheet"]))),
        "value-denied" => ("WhiteTitle", Demand::NoneOf(values(&["BOT"]))),
        "game-denied" => {
            let denied = Some(DeniedGames::read("abcd1234\n", HouseNote::default()));
            return HouseRules { denied, ..HouseRules::default() };
        }
        _ => return HouseRules::default(),
    };
    HouseRules { tags: vec![TagDemand { tag: tag.to_owned(), demand, note: HouseNote::default() }], denied: None }
}

/// A rating list with the player of the samples.
fn rating_list() -> Arc<RatingList> {
    let text = "ID Number      Name                Fed Sex B-day Flag\n1234567        Quill, Ada          LAT F   1980\n\
                2345678        Tal, Mihail         LAT M   1936\n";
    Arc::new(RatingList::read(text.as_bytes()).expect("a list"))
}

/// Audits a sample of `rule`; the rules about layout are asked about their own samples alone.
pub fn audit_sample(rule: &Rule, sample: Sample) -> AuditResult {
    audit_as_sample(rule, sample, &sample.input().0)
}

/// Audits `text` as a sample of `rule`, which `sample` is.
fn audit_as_sample(rule: &Rule, sample: Sample, text: &[u8]) -> AuditResult {
    let settings = if rule.layout { layout_too() } else { everything() };
    // Samples of other rules may contain claims that oracles refute.
    let oracles = match rule.needs {
        [Need::Tables, ..] => oracles(),
        [Need::Engine] => small_engine(),
        _ => Arc::default(),
    };
    let exhaustive = rule.needs.contains(&Need::EveryPosition);
    let expectations = expected_of_sample(rule).into();
    let duplicates = rule.needs.contains(&Need::Duplicates);
    let house = house_of_sample(rule).into();
    let players = rule.needs.contains(&Need::RatingList).then(rating_list);
    let options = Options { exhaustive, duplicates, ..Options::default() };
    let settings = Settings { options, oracles, expectations, house, players, ..settings };
    // Rules about whole inputs may depend on how the input was found.
    let scanned = matches!(rule.check, Check::Input);
    let sample_input = input(text, format(sample));
    let name = if sample.is_pgn() { "sample.pgn" } else { "sample.epd" };
    let name = if scanned { name.to_owned() } else { sample_input.name };
    let format = sample_input.format.filter(|_| !scanned);
    let mut audit_result = audit(vec![Input { scanned, name, format, ..sample_input }], settings);
    if matches!(rule.check, Check::PositionPair(_)) {
        // A useless en passant square is also an info.
        audit_result.findings.retain(|(_, finding)| finding.partner.is_some());
    }
    if rule.needs.contains(&Need::Expectations) {
        // What there may not be too much of is reported, too.
        audit_result.findings.retain(|(_, finding)| finding.rule.code == rule.code);
    }
    if rule.needs.contains(&Need::RatingList) {
        // Two names with one id are reported without a list, too.
        audit_result.findings.retain(|(_, finding)| finding.rule.code == rule.code);
    }
    if matches!(rule.check, Check::Kept(_) | Check::Spelling(_)) {
        // Copies are reported, too. Evidence of a spelling takes two games, of which the first
        // counts here.
        audit_result.findings.retain(|(_, finding)| finding.rule.code == rule.code);
        audit_result.findings.truncate(1);
    }
    audit_result
}

/// What is wrong with a sample that must fire; empty when nothing is.
fn judge_firing(rule: &Rule, sample: Sample) -> String {
    let place = sample.input().1;
    let Some(place) = place else { return "marks no place".to_owned() };
    let audit_result = audit_sample(rule, sample);
    let fired: Vec<String> = audit_result.findings.iter().map(|(_, finding)| line(finding)).collect();
    // A hint is never a finding of its own, but the cause of one.
    let fires = |finding: &Finding| match rule.check {
        Check::Hint => finding.cause == Some(rule.code),
        _ => finding.rule.code == rule.code,
    };
    match audit_result.findings.as_slice() {
        [(_, finding)] if fires(finding) && finding.place == place => String::new(),
        [(_, finding)] if fires(finding) => {
            format!("fires at {:?} instead of {place:?}: {}", finding.place, fired[0])
        }
        _ => format!("fires {:?}: {fired:#?}", audit_result.codes()),
    }
}

/// What is reported on a text apart from bytes: they depend on the length of line ends.
fn by_line(rule: &Rule, text: &[u8], format: Format) -> Vec<String> {
    let settings = if rule.layout { layout_too() } else { everything() };
    let exhaustive = rule.needs.contains(&Need::EveryPosition);
    let duplicates = rule.needs.contains(&Need::Duplicates);
    let players = rule.needs.contains(&Need::RatingList).then(rating_list);
    let settings = Settings { options: Options { exhaustive, duplicates, ..Options::default() }, players, ..settings };
    let audit_result = audit(vec![input(text, format)], settings);
    let findings = audit_result.findings.iter().map(|(_, finding)| finding);
    // This one is about the line ends themselves.
    let others = findings.filter(|finding| finding.rule.name != "line-format");
    others
        .map(|finding| {
            let Finding { line, column, ply, message, severity, .. } = finding;
            // Another parser may read these line ends in another way.
            let message = message.split("; pgn-reader").next().unwrap_or_default();
            format!("{} {severity:?} {line}:{column} {ply:?} {message} {:?}", finding.rule.code, finding.certainty())
        })
        .collect()
}

#[test]
fn a_line_may_end_in_any_way() {
    let mut wrong = Vec::new();
    let mut tried = 0;
    for rule in RULES.iter().filter(|rule| rule.name != "line-format") {
        for (number, sample) in (1..).zip(rule.fires.iter().chain(rule.silent)) {
            let text = sample.input().0;
            // Text in UTF-16 has other line ends.
            if text.iter().any(|byte| matches!(byte, b'\r' | 0)) || !text.contains(&b'\n') {
                continue;
            }
            let with = |line_end: &[u8]| {
                let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
                by_line(rule, &lines.join(line_end), format(*sample))
            };
            let expected = with(b"\n");
            tried += 1;
            for line_end in ["\r\n", "\r"] {
                let found = with(line_end.as_bytes());
                if found != expected {
                    wrong.push(format!("{}, sample {number}, {line_end:?}:\n{found:#?}\ninstead of\n{expected:#?}", rule.code));
                }
            }
        }
    }
    assert!(tried > 300, "{tried} were tried");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn what_follows_a_move_may_be_on_the_next_line() {
    let roster = "[Event \"A\"]\n[Site \"?\"]\n[Date \"2001.01.01\"]\n[Round \"1\"]\n[White \"B\"]\n[Black \"C\"]\n";
    for (movetext, code) in [("1. f3 e5 2. g4 Qh4\n# 0-1", "SYN11"), ("1. e4 e5 2. Nf3 Nc6\n! *", "SYN11")] {
        let result = movetext.rsplit(' ').next().unwrap_or_default();
        let text = format!("{roster}[Result \"{result}\"]\n\n{movetext}\n");
        for line_end in ["\n", "\r\n", "\r"] {
            let audit_result = audit_text(text.replace('\n', line_end).as_bytes(), Format::Pgn);
            let codes: Vec<String> = audit_result.codes().into_iter().filter(|code| code != "ENC08").collect();
            assert_eq!(codes, [code], "{movetext:?}, {line_end:?}: {:#?}", audit_result.lines());
        }
    }
}

#[test]
fn every_firing_sample_fires_its_rule_alone_at_the_marked_place() {
    let mut wrong = Vec::new();
    for rule in RULES {
        assert!(!rule.fires.is_empty(), "{} shows no sample that fires", rule.code);
        for sample in rule.fires {
            let complaint = judge_firing(rule, *sample);
            if !complaint.is_empty() {
                wrong.push(format!("{} on `{}`: {complaint}", rule.code, sample.text()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn near_misses_are_silent() {
    let mut wrong = Vec::new();
    for rule in RULES {
        assert!(!rule.silent.is_empty(), "{} shows no near miss", rule.code);
        for sample in rule.silent {
            let audit_result = audit_sample(rule, *sample);
            if !audit_result.findings.is_empty() {
                wrong.push(format!("{} on `{}`: {:#?}", rule.code, sample.text(), audit_result.lines()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn codes_are_in_order_and_names_are_unique_and_in_kebab_case() {
    assert!(RULES.is_sorted_by(|a, b| a.code < b.code), "codes are unique and in order");
    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), RULES.len(), "names are unique");
    for name in names {
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'), "{name}");
    }
}

#[test]
fn documentation_is_whole() {
    for rule in RULES {
        let code = rule.code;
        assert!(!rule.summary.ends_with('.'), "{code}: a summary has no full stop");
        assert!(!rule.summary.contains("should"), "{code}: a summary says what is wrong, not what should be");
        assert!(!rule.summary.contains('\n'), "{code}: a summary is one line");
        for (part, text) in
            [("summary", rule.summary), ("what", rule.what), ("why", rule.why), ("fix", rule.fix), ("source", rule.source)]
        {
            assert!(text.trim().len() > 5, "{code}: {part} is missing");
        }
    }
}

#[test]
fn rules_yield_to_rules_that_are_there() {
    for rule in RULES {
        for before in rule.yields {
            let (chess_audit::internals::rules::Yield::InRecord(code) | chess_audit::internals::rules::Yield::AtPly(code)) =
                before;
            assert!(chess_audit::internals::rules::rule(*code).is_some(), "{} yields to {code}, which is not there", rule.code);
            assert_ne!(*code, rule.code, "{} yields to itself", rule.code);
        }
    }
}

/// The findings in a game with these moves: rule and column of each.
fn found_in_moves(moves: &str) -> Vec<String> {
    const ROSTER: &str =
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";
    let audit_result = audit_text(format!("{ROSTER}\n{moves}\n").as_bytes(), Format::Pgn);
    audit_result.findings.iter().map(|(_, finding)| format!("{} {}", finding.rule.code, finding.column)).collect()
}

#[test]
fn a_rule_yields_at_the_same_ply_only() {
    // A false `#` is not reported as a false `+` at the same ply, but it is at another one.
    assert_eq!(found_in_moves("1. e4 e5 2. Qh5# *"), ["MOV14 13"]);
    assert_eq!(found_in_moves("1. e4+ e5 2. Qh5# *"), ["MOV12 4", "MOV14 14"]);
}

#[test]
fn moves_after_a_nested_comment_are_read() {
    // The comment ends at the first closing brace, so that the second one is stray.
    assert_eq!(found_in_moves("1. e4 {a {b} e5 } 2. Nf3 Nc6 *"), ["SYN06 10", "SYN06 17"]);
}

#[test]
fn a_variation_after_the_marker_is_movetext() {
    assert_eq!(found_in_moves("1. e4 e5 2. Nf3 * (2. Nc3 Nc6)"), ["RES02 19"]);
    // Its number 1 does not begin a game.
    assert_eq!(found_in_moves("1. e4 e5 * (1. d4 (1. c4) d5)"), ["RES02 12"]);
    // Without its end, it may.
    assert_eq!(found_in_moves("1. e4 e5 * (1. d4 d5 *\n\n1. c4 *"), ["RES02 12", "TAG01 13", "TAG01 1", "SYN12 11"]);
}

#[test]
fn messages_are_sentences_without_capital_and_full_stop() {
    let starts_plainly = |message: &str| {
        let first = message.split(' ').next().unwrap_or_default();
        // Names, moves, tags and codes keep their capitals; articles and the like have none.
        !matches!(first, "The" | "A" | "An" | "It" | "This" | "No" | "There" | "Text")
    };
    for rule in RULES {
        for sample in rule.fires {
            for (_, finding) in audit_sample(rule, *sample).findings {
                let message = &finding.message;
                assert!(!message.is_empty() && !message.ends_with('.') && starts_plainly(message), "{}: {message}", rule.code);
            }
        }
    }
}

#[test]
fn severities_never_exceed_the_declared_one() {
    for rule in RULES.iter().filter(|rule| !matches!(rule.check, Check::Hint)) {
        let reached =
            rule.fires.iter().flat_map(|sample| audit_sample(rule, *sample).findings).map(|(_, finding)| finding.severity).max();
        assert_eq!(reached, Some(rule.severity), "{}: a sample shows the declared severity", rule.code);
    }
    assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Info);
}

/// What is wrong after the repair of the finding in a sample; empty when nothing is.
fn judge_repair(rule: &Rule, sample: Sample, finding: &Finding) -> String {
    let mut text = sample.input().0;
    let mut patches = finding.patches().to_vec();
    patches.sort_by_key(|patch| patch.place.start);
    for patch in patches.iter().rev() {
        if patch.place.of(&text) != patch.old {
            return format!("the bytes at {:?} are not `{}`", patch.place, shown(&patch.old));
        }
        text.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
    }
    let after = audit_as_sample(rule, sample, &text).findings;
    let is_bad = |new: &Finding| new.rule.code == rule.code || new.severity >= finding.severity;
    let bad: Vec<String> = after.iter().map(|(_, new)| new).filter(|new| is_bad(new)).map(line).collect();
    if bad.is_empty() { String::new() } else { format!("`{}`: {bad:#?}", String::from_utf8_lossy(&text)) }
}

/// A rule declares exactly the repairs that its samples show, and they leave nothing behind.
#[test]
fn repairs_of_samples_remove_the_fault() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let mut most = None;
        for sample in rule.fires {
            for (_, finding) in audit_sample(rule, *sample).findings.iter().filter(|(_, finding)| finding.repair.is_some()) {
                if finding.rule.code == rule.code {
                    most = most.max(finding.certainty());
                }
                let reason = judge_repair(finding.rule, *sample, finding);
                if !reason.is_empty() {
                    wrong.push(format!("{} {sample:?}: {reason}", rule.code));
                }
            }
        }
        // Samples of moves that cannot be played end there. What follows can make their repair
        // certain.
        let is_declared = match rule.check {
            Check::Unplayable(_) => rule.repairs >= most,
            _ => rule.repairs == most,
        };
        if !is_declared {
            wrong.push(format!("{}: declares {:?}, but its samples show {most:?}", rule.code, rule.repairs));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_kind_of_check_is_used() {
    let name = |text: &str| text.split(['(', ',', ' ']).next().unwrap_or_default().to_owned();
    let used: BTreeSet<String> = RULES.iter().map(|rule| name(&format!("{:?}", rule.check))).collect();
    let text = include_str!("../../../src/rules/rule/mod.rs");
    let (_, declared) = text.split_once("\npub enum Check {\n").expect("the kinds are declared");
    let (declared, _) = declared.split_once("\n}\n").expect("the declaration ends");
    let is_variant = |line: &&str| line.starts_with("    ") && line[4..].starts_with(|first: char| first.is_ascii_uppercase());
    let declared: BTreeSet<String> = declared.lines().filter(is_variant).map(|line| name(line.trim_start())).collect();
    assert_eq!(used, declared);
    assert!(matches!(RULES[0].check, Check::Input), "ENC01 is about an input as a whole");
}
