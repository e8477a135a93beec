//! Findings of one kind that most records of an input share are reported once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::common::{AuditResult, audit, everything, input};
use chess_audit::internals::{
    corpus::Input,
    pipeline::{Audit, InputSummary, Progress, Settings, SharedFault, Sink},
    record,
    rules::{Finding, MIN_GROUPED, Severity},
    text::Format,
};

const GAME: &str = "[Event \"A\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";

/// `lacking` games without a Round tag, after `whole` games with one.
fn games(whole: usize, lacking: usize) -> Input {
    let without = GAME.replace("[Round \"1\"]\n", "");
    input(format!("{}{}", GAME.repeat(whole), without.repeat(lacking)).as_bytes(), Format::Pgn)
}

fn audited(input: &Input, chunk_bytes: usize) -> AuditResult {
    audit(vec![input.clone()], Settings { chunk_bytes, threads: 2, ..everything() })
}

#[test]
fn few_findings_have_their_places_and_many_are_one() {
    let many = usize::try_from(MIN_GROUPED).expect("a small number");
    // Games with the tag, games without it, findings, severity.
    let cases = [(0, many - 1, many - 1, Severity::Warning), (0, many, 1, Severity::Info), (many, many, 1, Severity::Warning)];
    for (whole, lacking, count, severity) in cases {
        let input = games(whole, lacking);
        let expected = audited(&input, 1 << 18);
        assert_eq!(expected.codes(), vec!["TAG01"; count], "{whole} {lacking}");
        let first = &expected.findings[0].1;
        assert_eq!((first.severity, first.game), (severity, whole as u64 + 1));
        assert_eq!(first.message.contains(&format!("{lacking} times in this input")), count == 1, "{}", first.message);
        for chunk_bytes in [1, 100, 1000] {
            assert_eq!(audited(&input, chunk_bytes).lines(), expected.lines(), "{whole} {lacking} {chunk_bytes}");
        }
    }
}

#[test]
fn a_group_is_known_by_its_kind() {
    let fingerprint = |input: &Input| audited(input, 1 << 18).findings[0].1.fingerprint;
    assert_eq!(fingerprint(&games(0, 20)), fingerprint(&games(100, 40)));
    assert_ne!(fingerprint(&games(0, 20)), fingerprint(&games(0, 19)));
}

/// Counts findings and repairs.
#[derive(Default)]
struct Counts {
    findings: usize,
    repairs: usize,
}

impl Sink for Counts {
    fn finding(&mut self, _: &str, _: &Finding) -> std::io::Result<()> {
        self.findings += 1;
        Ok(())
    }

    fn repair(&mut self, _: &str, finding: &Finding) -> std::io::Result<()> {
        self.repairs += finding.patches().len();
        Ok(())
    }

    fn input(&mut self, _: &InputSummary) -> std::io::Result<()> {
        Ok(())
    }

    fn failure(&mut self, _: &chess_audit::internals::pipeline::Failure) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_repairs_of_a_group_are_all_listed() -> std::io::Result<()> {
    let lines = "4k3/8/8/8/8/8/4P3/4K3  w - - 0 30\n".repeat(50);
    for chunk_bytes in [1, 1 << 18] {
        let mut counts = Counts::default();
        let settings = Settings { chunk_bytes, threads: 2, repairs: true, ..Settings::default() };
        let inputs = vec![input(lines.as_bytes(), Format::Epd)];
        Audit::new(settings).run(inputs, &mut counts, &(), &AtomicBool::new(false))?;
        assert_eq!((counts.findings, counts.repairs), (1, 50), "{chunk_bytes}");
    }
    Ok(())
}

/// What was found before the last part was read, and in all.
#[derive(Default)]
struct Found {
    so_far: AtomicU64,
    before_last: AtomicU64,
}

impl Progress for Found {
    fn advanced(&self, _: record::Counts) {
        self.before_last.store(self.so_far.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    fn found(&self, findings: u64) {
        self.so_far.fetch_add(findings, Ordering::Relaxed);
    }
}

#[test]
fn the_progress_counts_findings_that_wait_for_the_end_of_the_input() {
    let illegal = GAME.replace("e5", "e5 2. Ke3");
    // The first game may belong to a group, so everything after it waits.
    let text = format!("{}{}", GAME.replace("[Round \"1\"]\n", ""), illegal.repeat(100));
    let (progress, mut counts) = (Found::default(), Counts::default());
    let settings = Settings { chunk_bytes: 1, threads: 1, ..everything() };
    let run =
        Audit::new(settings).run(vec![input(text.as_bytes(), Format::Pgn)], &mut counts, &progress, &AtomicBool::new(false));
    assert!(run.is_ok());
    let (before_last, in_all) = (progress.before_last.into_inner(), progress.so_far.into_inner());
    assert!(before_last >= 100, "{before_last} of {in_all}");
    assert_eq!(in_all, counts.findings as u64, "nothing is counted twice");
}

/// A line whose fullmove number is a move, as some programs write it.
fn own_counter(number: usize) -> String {
    format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}:e1d1:{number}\n")
}

const SOUND: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 30\n";

#[test]
fn what_half_of_the_records_share_is_one_finding_of_the_same_severity() {
    // Lines with the fault, lines without it, findings.
    for (faulty, sound, count) in [(19, 0, 19), (20, 0, 1), (20, 20, 1), (20, 21, 20), (38, 2, 1)] {
        let lines: String = (1..=faulty).map(own_counter).collect();
        let input = input(format!("{}{lines}", SOUND.repeat(sound)).as_bytes(), Format::Epd);
        let expected = audited(&input, 1 << 18);
        assert_eq!(expected.codes(), vec!["FEN08"; count], "{faulty} {sound}");
        let first = &expected.findings[0].1;
        assert_eq!((first.severity, first.line), (Severity::Error, sound as u64 + 1));
        let usual = format!("in {faulty} of {} records of this input", faulty + sound);
        assert_eq!(first.message.contains(&usual), count == 1, "{}", first.message);
        for chunk_bytes in [1, 100, 1000] {
            assert_eq!(audited(&input, chunk_bytes).lines(), expected.lines(), "{faulty} {sound} {chunk_bytes}");
        }
    }
}

#[test]
fn a_habit_is_counted_in_records_and_its_kinds_apart() {
    // Both counters are wrong in each line: two kinds.
    let both = "4k3/8/8/8/8/8/4P3/4K3 w - - x y\n".repeat(20);
    assert_eq!(audited(&input(both.as_bytes(), Format::Epd), 1 << 18).codes(), ["FEN08"; 2]);
    // Ten records with two findings of a kind each are not twenty records.
    let twice = "4k3/8/8/8/8/8/4P3/4K3 w - - acd 1; acd 1; acd 1;\n".repeat(10);
    let twice = audited(&input(twice.as_bytes(), Format::Epd), 1 << 18);
    assert_eq!(twice.codes().iter().filter(|code| **code == "EPD05").count(), 20);
}

#[test]
fn facts_that_differ_from_record_to_record_are_never_one_finding() {
    let illegal = GAME.replace("1. e4 e5", "1. e4 e4").repeat(40);
    assert_eq!(audited(&input(illegal.as_bytes(), Format::Pgn), 1 << 18).codes(), vec!["MOV01"; 40]);
}

#[test]
fn pairings_without_moves_are_one_finding_whatever_their_share() {
    let pairing = GAME.replace("1. e4 e5 *", "*").replace("[Result \"*\"]", "[Result \"0-1\"]");
    for (pairings, games) in [(1, 0), (2, 50), (27, 3)] {
        let text = format!("{}{}", GAME.repeat(games), pairing.repeat(pairings));
        let result = audited(&input(text.as_bytes(), Format::Pgn), 1000);
        assert_eq!(result.codes(), ["RES04"], "{pairings} {games}");
        let finding = &result.findings[0].1;
        assert_eq!((finding.severity, finding.expected.as_str()), (Severity::Info, "0-1"));
        let counted = finding.message.contains(&format!("{pairings} times in this input"));
        assert!(counted == (pairings > 1) && finding.message.contains("the game has no moves"), "{}", finding.message);
    }
    // With moves, the places are needed, unless half of the games are like that.
    let played = GAME.replace("[Result \"*\"]", "[Result \"0-1\"]");
    for (played_games, others, count) in [(19, 0, 19), (20, 20, 1), (20, 21, 20)] {
        let text = format!("{}{}", GAME.repeat(others), played.repeat(played_games));
        assert_eq!(audited(&input(text.as_bytes(), Format::Pgn), 1000).codes(), vec!["RES04"; count]);
    }
}

#[test]
fn a_marker_that_all_games_share_proves_nothing() {
    let game = |moves: &str, tag: &str, marker: &str| {
        GAME.replace("1. e4 e5 *", &format!("{moves} {marker}")).replace("[Result \"*\"]", &format!("[Result \"{tag}\"]"))
    };
    let (open, mate) = ("1. e4 e5 2. Nf3 Nc6", "1. f3 e5 2. g4 Qh4#");
    // Tag and marker of 19 games and of mates, number of mates, findings about them.
    for (tag, marker, mates, found) in [
        ("*", "*", 1, vec![("RES07", Severity::Info)]),
        ("*", "1/2-1/2", 2, vec![("RES05", Severity::Info)]),
        ("1/2-1/2", "1/2-1/2", 2, vec![("RES05", Severity::Info)]),
        ("0-0", "0-0", 1, vec![("RES05", Severity::Info)]),
        ("1-0", "1-0", 1, vec![("RES05", Severity::Error)]),
        ("1-0", "1-0", 3, vec![("RES05", Severity::Info)]),
        // The tags are no placeholders.
        ("1-0", "*", 1, vec![("RES05", Severity::Error)]),
    ] {
        let text = format!("{}{}", game(open, tag, marker).repeat(19), game(mate, tag, marker).repeat(mates));
        let expected = audited(&input(text.as_bytes(), Format::Pgn), 1 << 18);
        let judged = |result: &AuditResult| {
            let about_mates = result.findings.iter().map(|(_, finding)| finding).filter(|finding| finding.line > 190);
            about_mates.map(|finding| (finding.rule.code.to_string(), finding.severity)).collect::<Vec<_>>()
        };
        let found: Vec<_> = found.into_iter().map(|(code, severity)| (code.to_owned(), severity)).collect();
        assert_eq!(judged(&expected), found, "{tag} {marker}");
        for chunk_bytes in [1, 300] {
            assert_eq!(audited(&input(text.as_bytes(), Format::Pgn), chunk_bytes).lines(), expected.lines(), "{tag} {marker}");
        }
        // Another marker shows that they are results.
        let others = format!("{text}{}", game(open, "0-1", "0-1"));
        let severities: Vec<Severity> =
            judged(&audited(&input(others.as_bytes(), Format::Pgn), 300)).into_iter().map(|(_, of)| of).collect();
        let alone = if marker == "*" && tag == "*" || marker == "0-0" { Severity::Warning } else { Severity::Error };
        assert_eq!(severities, vec![alone; mates], "{tag} {marker}");
    }
}

#[test]
fn counters_from_a_set_up_position_are_one_finding() {
    // Of some positions, only the clock shows it.
    let few = |number: usize| match number % 4 {
        0 => "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 22 15\n".to_owned(),
        _ => format!("4k3/2P5/8/8/8/8/8/4K3 b - - {} {}\n", number % 3, 2 + number % 8),
    };
    let real = |number: usize| format!("4k3/8/8/8/8/8/4P3/4K3 w - - {} {}\n", number % 7, 30 + number);
    for (of_few, others, count) in [(19, 0, 19), (20, 20, 1), (20, 21, 20)] {
        let text: String = (0..others).map(real).chain((0..of_few).map(few)).collect();
        let result = audited(&input(text.as_bytes(), Format::Epd), 1000);
        assert_eq!(result.codes(), vec!["CTR06"; count], "{of_few} {others}");
        let message = &result.findings[0].1.message;
        assert_eq!(message.contains("count from a set-up position"), count == 1, "{message}");
    }
}

#[test]
fn a_line_that_ends_after_the_placement_has_one_cause() {
    let lines = "4k3/8/8/8/8/8/4P3/4K3 ;\n".repeat(20);
    let result = audited(&input(lines.as_bytes(), Format::Epd), 1 << 18);
    assert_eq!(result.codes(), ["FEN01"]);
    let message = &result.findings[0].1.message;
    assert!(message.starts_with("1 of 4 required fields found; missing: side to move"), "{message}");
}

#[test]
fn a_time_control_in_minutes_is_named_before_its_symptoms() {
    let tags = GAME
        .replace("\n\n1. e4 e5 *", "\n[TimeControl \"90+30\"]\n\n1. e4 {[%clk 1:30:21]} e5 {[%clk 1:30:10]} 2. Nf3 {CLOCK} *");
    let codes = |clock: &str| {
        let games = tags.replace("CLOCK", &format!("[%clk {clock}]")).repeat(3);
        let result = audited(&input(games.as_bytes(), Format::Pgn), 1 << 18);
        let codes = result.codes().iter().map(|code| (*code).to_owned()).collect::<Vec<_>>();
        (codes, result.findings.last().map(|(_, finding)| (finding.expected.clone(), finding.severity)))
    };
    let expected = Some(("5400+30".to_owned(), Severity::Warning));
    assert_eq!(codes("1:30:40"), (vec!["TAG20".to_owned()], expected.clone()));
    // The increment is thirty seconds, not thirty minutes.
    let (found, _) = codes("1:40:00");
    assert_eq!(found.iter().filter(|code| *code == "CLK02").count(), 3);
    assert_eq!(found.iter().filter(|code| *code == "TAG20").count(), 1);
}

#[test]
fn a_fault_that_several_inputs_share_is_counted_over_the_run() {
    let named = |name: &str, faulty: usize| {
        let lines: String = (1..=faulty).map(own_counter).collect();
        Input { name: name.to_owned(), ..input(lines.as_bytes(), Format::Epd) }
    };
    let result = audit(vec![named("a", 30), named("b", 40), named("c", 3)], everything());
    // The third input is too small for a habit.
    assert_eq!(result.codes(), ["FEN08"; 5]);
    let rule = result.summary.rules.values().next().expect("one rule");
    assert_eq!((rule.findings, rule.places, rule.inputs), (5, 73, 3));
    let shared: Vec<SharedFault> = result.summary.shared.values().copied().collect();
    assert_eq!(shared, [SharedFault { places: 70, inputs: 2 }]);
}
