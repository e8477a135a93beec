//! Any byte may be anywhere. The fast path, the thorough path and the profiles see the same faults
//! in it.

use rayon::prelude::*;

use crate::common::{Numbers, audit_as_it_is, line};
use chess_audit::internals::{
    pipeline::{Options, Settings},
    rules::{Finding, Profile, Selection, Severity},
    text::Format,
};

const ROSTER: &str =
    "[Event \"A\"]\n[Site \"?\"]\n[Date \"2001.01.01\"]\n[Round \"1\"]\n[White \"B\"]\n[Black \"C\"]\n[Result \"*\"]\n";

/// Movetexts of games in which the bytes are changed.
const MOVETEXTS: [&str; 12] = [
    "1. e4 e5 *",
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O *",
    "1. e4 {first} e5 2. Nf3 *",
    "1. e4 (1. d4 d5) 1... e5 *",
    "1. e4 $1 e5! 2. Nf3?? *",
    "1. e4\ne5 2.\nNf3 Nc6\n*",
    "1. f3 e5 2. g4 Qh4#\n*",
    "1. e4 {[%clk 0:01:00]} e5 {[%clk 0:01:00]} *",
    "{before} 1. e4 ; a line\ne5 *",
    "1. e4 e5 2. Ke3 Nc6 *",
    "1. e4 e5 3. Nf3 Nc6 *",
    "1. e4 d5 2. exd5 c5 3. dxc6 *",
];

/// Games that are tags for the most part.
const HEADERS: [&str; 2] = [
    "[Event \"A\"]\n[Site \"?\"]\n[Result \"*\"]\n\n*\n",
    "[Event \"A\"]\n[Result \"*\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n",
];

const LINES: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3\n",
    "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a.1\";\n",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1; a remark\n",
    "4k3/8/8/8/8/8/4P3/4K3 b - - hmvc 0; fmvn 1;\n",
    "# a comment\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n",
];

/// All texts, whole.
fn texts() -> Vec<(Vec<u8>, Format)> {
    let games = MOVETEXTS.iter().map(|movetext| format!("{ROSTER}\n{movetext}\n"));
    let games = games.chain(HEADERS.map(str::to_owned)).map(|game| (game.into_bytes(), Format::Pgn));
    games.chain(LINES.map(|line| (line.as_bytes().to_vec(), Format::Epd))).collect()
}

/// A byte that is inserted into a text, or that replaces one of its bytes.
#[derive(Clone, Copy, Debug)]
struct Change {
    at: usize,
    byte: u8,
    inserts: bool,
}

impl Change {
    /// All changes of a text.
    fn all(text: &[u8]) -> impl Iterator<Item = Change> {
        let places = (0..text.len()).map(|at| (at, false)).chain((0..=text.len()).map(|at| (at, true)));
        places.flat_map(|(at, inserts)| (0..=255).map(move |byte| Change { at, byte, inserts }))
    }

    fn apply(self, text: &[u8]) -> Vec<u8> {
        let rest = self.at + usize::from(!self.inserts);
        [&text[..self.at], &[self.byte], &text[rest..]].concat()
    }
}

/// What is reported on a text in some settings, except for infos.
fn serious(text: &[u8], format: Format, settings: Settings) -> Vec<String> {
    let audit_result = audit_as_it_is(text, format, settings);
    let findings = audit_result.findings.iter().map(|(_, finding)| finding);
    let serious = findings.filter(|finding| finding.severity > Severity::Info);
    // Where infos are shown, those that follow from a finding are repaired together with it.
    let without_patches = |finding: &Finding| {
        let mut finding = finding.clone();
        finding.repair.iter_mut().for_each(|repair| repair.patches.clear());
        line(&finding)
    };
    serious.map(without_patches).collect()
}

/// How the readers of a text differ; `None` if they agree.
fn difference(text: &[u8], format: Format) -> Option<String> {
    let of = |profile| Settings { selection: Selection::of(profile), threads: 1, ..Settings::default() };
    let standard = serious(text, format, of(Profile::Standard));
    let others = [
        ("thorough", Settings { thorough: true, ..of(Profile::Standard) }),
        ("strict", of(Profile::Strict)),
        ("exhaustive", Settings { options: Options { exhaustive: true, ..Options::default() }, ..of(Profile::Standard) }),
    ];
    others.into_iter().find_map(|(name, settings)| {
        let other = serious(text, format, settings);
        (other != standard).then(|| format!("{}\nstandard: {standard:#?}\n{name}: {other:#?}", text.escape_ascii()))
    })
}

/// Checks all changes of all texts that are `chosen`. Returns how many there were.
fn check(chosen: impl Fn(usize, Change) -> bool + Sync) -> usize {
    let changed: Vec<_> = texts()
        .into_iter()
        .enumerate()
        .flat_map(|(number, (text, format))| {
            let changes = Change::all(&text).filter(|change| chosen(number, *change)).collect::<Vec<_>>();
            changes.into_iter().map(move |change| (change.apply(&text), format))
        })
        .collect();
    let wrong: Vec<String> = changed.par_iter().filter_map(|(text, format)| difference(text, *format)).collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), changed.len(), wrong[..wrong.len().min(5)].join("\n\n"));
    changed.len()
}

#[test]
fn a_sample_of_bytes() {
    // Bytes that mean something come up at every place.
    const MEANT: &[u8] = b"\0\x02\t\n\r\x0C\x1A \"#$%()*+-./0128:;=BEOR[\\]ae{}\x7F\x80\xA0\xC2\xEF\xFF";
    let chosen = |number, change: Change| {
        let kept = if MEANT.contains(&change.byte) { 24 } else { 160 };
        Numbers::new((number * 1000 + change.at) as u64 * 512 + u64::from(change.byte) + 256 * u64::from(change.inserts) + 1)
            .below(kept)
            == 0
    };
    let tried = check(chosen);
    assert!(tried > 3000, "{tried} were tried");
}

#[test]
fn a_control_byte_before_the_first_number() {
    let tried = check(|number, change| {
        let before = ROSTER.len() + 1;
        number < MOVETEXTS.len()
            && change.inserts
            && change.at.abs_diff(before) <= 1
            && (change.byte < b' ' || change.byte == 127)
    });
    assert_eq!(tried, MOVETEXTS.len() * 3 * 33);
}

#[test]
fn a_control_byte_before_an_operand() {
    let lines = MOVETEXTS.len() + HEADERS.len()..;
    let tried = check(|number, change| lines.contains(&number) && change.inserts && (change.byte < b' ' || change.byte == 127));
    assert!(tried > 5000, "{tried} were tried");
}

#[test]
#[ignore = "takes minutes; the other tests try a sample"]
fn every_byte_at_every_place() {
    let tried = check(|_, _| true);
    assert!(tried > 500_000, "{tried} were tried");
}
