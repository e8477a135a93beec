//! Our replay held against shakmaty's, on games made at random by legal play and on the fixtures.

use std::{fs, ops::ControlFlow, path::Path, sync::OnceLock};

use crate::common::extent::stride;
use crate::common::{
    AuditResult, Numbers, audit, audit_text, everything, fixture,
    games::{Game, fen, games, position},
    line,
};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::Settings,
    rules::{Finding, RULES, Severity},
    text::Format,
};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{
    Chess, Color, EnPassantMode, FromSetup, Position, Role, Square,
    san::{San, Suffix},
};

const GAMES: usize = 10_000;

fn all() -> &'static [Game] {
    static ALL: OnceLock<Vec<Game>> = OnceLock::new();
    ALL.get_or_init(|| games(GAMES))
}

/// Audits texts, each as an input of its own named by its number; the findings of each.
fn audit_each(texts: impl Iterator<Item = String>) -> (AuditResult, Vec<Vec<Finding>>) {
    let inputs: Vec<Input> = texts
        .enumerate()
        .map(|(number, text)| Input {
            name: number.to_string(),
            source: Source::Bytes(text.into_bytes().into()),
            format: Some(Format::Pgn),
            scanned: false,
        })
        .collect();
    let mut each = vec![Vec::new(); inputs.len()];
    let mut audit_result = audit(inputs, Settings { threads: 2, ..everything() });
    for (input, finding) in audit_result.findings.drain(..) {
        each[input.parse::<usize>().expect("inputs are named by numbers")].push(finding);
    }
    (audit_result, each)
}

fn serious(findings: &[(String, Finding)]) -> Vec<String> {
    findings.iter().map(|(_, finding)| finding).filter(|finding| finding.severity > Severity::Info).map(line).collect()
}

#[test]
fn the_games_are_of_every_kind() {
    let count = |kind: &dyn Fn(&Game) -> bool| all().iter().filter(|game| kind(game)).count();
    let kinds: [(&str, usize); 8] = [
        ("mate", count(&|game| game.end.is_checkmate())),
        ("stalemate", count(&|game| game.end.is_stalemate())),
        ("insufficient material", count(&|game| game.end.is_insufficient_material())),
        ("Chess960", count(&|game| game.fen.is_some())),
        ("Chess960 with castling", count(&|game| game.fen.is_some() && game.moves.iter().any(|played| played.is_castle()))),
        ("en passant", count(&|game| game.moves.iter().any(|played| played.is_en_passant()))),
        ("promotion", count(&|game| game.moves.iter().any(|played| played.is_promotion()))),
        ("no move at all", count(&|game| game.moves.is_empty())),
    ];
    for (kind, games) in kinds {
        assert!(games >= 20, "{kind}: {games}");
    }
}

#[test]
fn nothing_is_wrong_with_games_of_legal_moves_and_every_ply_is_counted() {
    let (mut text, mut plies) = (String::new(), 0);
    for game in all() {
        let written = game.annotated();
        text.push_str(&written.text);
        plies += written.plies;
    }
    let audit_result = audit_text(text.as_bytes(), Format::Pgn);
    assert_eq!(serious(&audit_result.findings), Vec::<String>::new());
    assert_eq!(audit_result.findings.len(), 0, "nor is there anything to remark: {:#?}", audit_result.lines());
    assert_eq!(audit_result.summary.counts.games, GAMES as u64);
    assert_eq!((audit_result.summary.counts.plies, audit_result.summary.counts.plies_not_examined), (plies, 0));
    // The second reader sees the same plies.
    let seen: u64 = second_reader(text.as_bytes()).iter().map(|seen| seen.sans).sum();
    assert_eq!(seen, plies);
}

#[test]
fn every_game_by_itself_has_its_plies() {
    let some = || all().iter().step_by(stride());
    let (audit_result, each) = audit_each(some().map(|game| game.annotated().text));
    for (game, (input, findings)) in some().zip(audit_result.inputs.iter().zip(each)) {
        assert_eq!(input.counts.plies, game.annotated().plies, "game {}", game.number);
        assert!(findings.is_empty(), "game {}: {}", game.number, line(&findings[0]));
    }
}

/// A move that no piece of that kind can make.
fn illegal_move(position: &Chess, numbers: &mut Numbers) -> String {
    let legal = position.legal_moves();
    loop {
        let role = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight][numbers.below(5)];
        let to = Square::new(numbers.below(64) as u32);
        let reached = legal.iter().any(|played| played.role() == role && played.to() == to);
        // A king's move to another file may be read as castling.
        if reached
            || (role == Role::King && (position.castles().any() || position.board().by_color(position.turn()).contains(to)))
        {
            continue;
        }
        let capture = if position.board().occupied().contains(to) { "x" } else { "" };
        let token = format!("{}{capture}{to}", role.upper_char());
        assert!(San::from_ascii(token.as_bytes()).expect("it is SAN").to_move(position).is_err(), "shakmaty refuses {token}");
        return token;
    }
}

#[test]
fn the_position_before_an_illegal_move_is_shakmatys() {
    let mut numbers = Numbers::new(77);
    let spoiled: Vec<(usize, String, String)> = all()
        .iter()
        .map(|game| {
            let ply = numbers.below(game.moves.len() + 1);
            let before = game.position_after(ply);
            let token = illegal_move(&before, &mut numbers);
            let mut sans = game.sans.clone();
            if ply < sans.len() {
                sans[ply].clone_from(&token);
            } else {
                sans.push(token.clone());
            }
            (ply, fen(&before), game.with_moves(&sans))
        })
        .collect();
    let (audit_result, each) = audit_each(spoiled.iter().map(|(_, _, text)| text.clone()));
    for (((ply, fen, text), findings), input) in spoiled.iter().zip(each).zip(&audit_result.inputs) {
        let [finding] = findings.as_slice() else {
            panic!("{} findings instead of one: {:#?}\n{text}", findings.len(), findings.iter().map(line).collect::<Vec<_>>());
        };
        assert!(matches!(finding.rule.code.to_string().as_str(), "MOV01" | "MOV06"), "{}\n{text}", line(finding));
        assert_eq!(finding.fen, *fen, "{text}");
        assert_eq!(finding.ply, Some(*ply as u32 + 1), "{text}");
        assert_eq!(input.counts.plies, *ply as u64, "{text}");
    }
}

#[test]
fn the_position_is_known_at_every_ply_of_a_long_line_and_of_its_variations() {
    // The ply played, and a variation that replaces it.
    const SHUFFLE: [(&str, [&str; 2]); 4] =
        [("Nf3", ["Nc3", "Na6"]), ("Nf6", ["Nc6", "Na3"]), ("Ng1", ["Nd4", "Na6"]), ("Ng8", ["Nd5", "Na3"])];
    let mut movetext = String::new();
    let mut expected = Vec::new();
    let mut play = |position: &mut Chess, san: &str| {
        expected.push(fen(position));
        let san: San = san.parse().expect("it is SAN");
        position.play_unchecked(san.to_move(position).expect("it is legal"));
    };
    let mut position = Chess::default();
    for ply in 0..400 {
        let (played, variation) = SHUFFLE[ply % 4];
        movetext.push_str(&format!("{played}+ ({}+) ", variation.join("+ ")));
        let mut branch = position.clone();
        play(&mut position, played);
        variation.iter().for_each(|san| play(&mut branch, san));
    }
    let audit_result = audit_text(format!("[Event \"?\"]\n\n{movetext}*\n").as_bytes(), Format::Pgn);
    let marks = audit_result.findings.iter().filter(|(_, finding)| finding.rule.name == "check-mark-false");
    assert!(marks.map(|(_, finding)| finding.fen.as_str()).eq(expected.iter().map(String::as_str)));
}

/// What rules about marks of check report in a game: those reported at every place, and the first
/// place and number of those reported once.
#[derive(Debug, Default, PartialEq, Eq)]
struct Marks {
    check_false: Vec<u32>,
    mate_false: Vec<u32>,
    check_missing: Option<(u32, usize)>,
    mate_missing: Option<(u32, usize)>,
}

fn note(once: &mut Option<(u32, usize)>, ply: u32) {
    once.get_or_insert((ply, 0)).1 += 1;
}

#[test]
fn marks_of_check_are_shakmatys() {
    let mut numbers = Numbers::new(78);
    let spoiled: Vec<(Marks, String)> = all()
        .iter()
        .map(|game| {
            let mut marks = Marks::default();
            let mut sans = game.sans.clone();
            for (ply, san) in (1..).zip(&mut sans) {
                let right = san.chars().last().filter(|last| matches!(last, '+' | '#'));
                let wanted = if numbers.below(4) == 0 { [None, Some('+'), Some('#')][numbers.below(3)] } else { right };
                match (right, wanted) {
                    (None, Some('+')) => marks.check_false.push(ply),
                    (None | Some('+'), Some('#')) => marks.mate_false.push(ply),
                    (Some('+'), None) => note(&mut marks.check_missing, ply),
                    (Some('#'), None | Some('+')) => note(&mut marks.mate_missing, ply),
                    _ => {}
                }
                san.truncate(san.trim_end_matches(['+', '#']).len());
                san.extend(wanted);
            }
            (marks, game.with_moves(&sans))
        })
        .collect();
    let (_, each) = audit_each(spoiled.iter().map(|(_, text)| text.clone()));
    let mut total = [0; 4];
    for ((expected, text), findings) in spoiled.iter().zip(each) {
        let mut found = Marks::default();
        for finding in &findings {
            let ply = finding.ply.expect("the finding is about a ply");
            let times = || finding.message.rsplit_once("; ").and_then(|(_, times)| times.split_once(" times in this input"));
            let once = || Some((ply, times().map_or(1, |(times, _)| times.replace(',', "").parse().expect("it is a number"))));
            match finding.rule.code.to_string().as_str() {
                "MOV11" => found.check_missing = once(),
                "MOV12" => found.check_false.push(ply),
                "MOV13" => found.mate_missing = once(),
                "MOV14" => found.mate_false.push(ply),
                _ => panic!("{}\n{text}", line(finding)),
            }
        }
        assert_eq!(found, *expected, "{text}\n{:#?}", findings.iter().map(line).collect::<Vec<_>>());
        total[0] += expected.check_false.len();
        total[1] += expected.mate_false.len();
        total[2] += usize::from(expected.check_missing.is_some());
        total[3] += usize::from(expected.mate_missing.is_some());
    }
    assert!(total.iter().all(|&number| number > 20), "each mark is spoiled often enough: {total:?}");
}

// --- the second reader --------------------------------------------------------------------------

/// What `pgn-reader` and shakmaty make of a game.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Moves read, those of variations included.
    pub sans: u64,
    /// Moves played, those of variations included.
    pub plies: u64,
    /// Whether a move could not be played, or the game does not begin in a position that shakmaty
    /// knows.
    pub refused: bool,
    /// Marks of check and mate where there is none.
    pub false_marks: usize,
}

struct Second;

struct Replay {
    seen: Seen,
    position: Chess,
    before: Option<Chess>,
    outer: Vec<(Chess, Option<Chess>)>,
}

impl Visitor for Second {
    type Tags = (Option<Chess>, bool);
    type Movetext = Replay;
    type Output = Seen;

    fn begin_tags(&mut self) -> ControlFlow<Seen, Self::Tags> {
        ControlFlow::Continue((Some(Chess::default()), false))
    }

    fn tag(&mut self, (start, _): &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Seen> {
        if name == b"FEN" {
            let fen = shakmaty::fen::Fen::from_ascii(value.as_bytes()).ok();
            *start = fen.and_then(|fen| fen.into_position(shakmaty::CastlingMode::Chess960).ok());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (start, _): Self::Tags) -> ControlFlow<Seen, Replay> {
        let seen = Seen { refused: start.is_none(), ..Seen::default() };
        ControlFlow::Continue(Replay { seen, position: start.unwrap_or_default(), before: None, outer: Vec::new() })
    }

    fn san(&mut self, replay: &mut Replay, san: SanPlus) -> ControlFlow<Seen> {
        replay.seen.sans += 1;
        let before = replay.position.clone();
        let after = if san.san == San::Null {
            let mut setup = before.to_setup(EnPassantMode::Legal);
            setup.swap_turn();
            setup.ep_square = None;
            Chess::from_setup(setup, before.castles().mode()).ok()
        } else {
            san.san.to_move(&before).ok().and_then(|played| before.clone().play(played).ok())
        };
        match after {
            Some(after) => {
                replay.seen.false_marks += usize::from(match san.suffix {
                    Some(Suffix::Check) => !after.is_check(),
                    Some(Suffix::Checkmate) => !after.is_checkmate(),
                    None => false,
                });
                replay.position = after;
                replay.before = Some(before);
                replay.seen.plies += 1;
            }
            None => replay.seen.refused = true,
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, replay: &mut Replay) -> ControlFlow<Seen, Skip> {
        replay.outer.push((replay.position.clone(), replay.before.clone()));
        match replay.before.take() {
            Some(before) => replay.position = before,
            None => replay.seen.refused = true,
        }
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, replay: &mut Replay) -> ControlFlow<Seen> {
        if let Some((position, before)) = replay.outer.pop() {
            replay.position = position;
            replay.before = before;
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, replay: Replay) -> Seen {
        replay.seen
    }
}

pub fn second_reader(text: &[u8]) -> Vec<Seen> {
    let mut reader = Reader::new(text);
    let mut games = Vec::new();
    while let Ok(Some(seen)) = reader.read_game(&mut Second) {
        games.push(seen);
    }
    games
}

#[test]
fn the_second_reader_plays_every_ply_that_we_play() {
    for game in &all()[..1000] {
        let written = game.annotated();
        let seen = second_reader(written.text.as_bytes());
        assert_eq!(
            seen.iter().map(|seen| (seen.plies, seen.refused)).collect::<Vec<_>>(),
            [(written.plies, false)],
            "{}",
            written.text
        );
    }
}

/// Rules that fire where we read or play something else than a lenient reader and shakmaty do, each
/// for a good reason.
const READ_OTHERWISE: &[(&str, &str)] = &[
    ("ENC07", "characters beyond ASCII"),
    ("FEN10", "shakmaty takes nothing behind the counters"),
    ("MOV08", "the move cannot be played, which is no error in a variation"),
    ("NUM01", "variations that go on after the move before them"),
    ("MOV15", "shakmaty wants the x of a capture"),
    ("MOV16", "shakmaty takes no x where nothing is captured"),
    ("MOV18", "castling with letters or zeros that pgn-reader does not know"),
    ("MOV19", "promotions without =, or with a small letter"),
    ("MOV20", "e.p. behind the move"),
    ("MOV21", "long notation and coordinates"),
    ("MOV22", "the letters of another language"),
    ("MOV23", "the lower-case letter of a piece"),
    ("MOV24", "marks and promotions in other forms"),
    ("MOV25", "kings that tell the result, which we do not replay"),
    ("FEN09", "a FEN with other separators, which we read"),
    ("TAG04", "a FEN tag in another spelling, which we read"),
    ("RES02", "movetext behind the marker, which we do not replay"),
    ("SYN01", "moves in the text between games"),
    ("SYN06", "braces that are missing or doubled"),
    ("SYN09", "variations that replace nothing"),
    ("SYN11", "a move that has fallen into parts"),
    ("TAG19", "a FEN that is not that of the start"),
    ("VAR07", "starting positions of servers that shakmaty refuses"),
    ("VAR01", "a variant that is not known is not replayed"),
    ("VAR02", "nor is one that lacks its start position"),
];

#[test]
fn fixtures_replay_and_mark_checks_as_shakmaty_does() {
    let mut texts: Vec<(String, Vec<u8>)> = pgn_files(&fixture(""))
        .into_iter()
        .map(|file| (file.display().to_string(), fs::read(&file).expect("the fixture can be read")))
        .collect();
    for rule in RULES {
        let samples = rule.silent.iter().filter(|sample| sample.is_pgn());
        texts.extend(samples.map(|sample| (format!("near miss of {}: {}", rule.code, sample.text()), sample.input().0)));
    }
    let mut games = 0;
    let mut wrong = Vec::new();
    for (name, text) in texts {
        let audit_result = audit_text(&text, Format::Pgn);
        // The second reader takes no CR on its own for a line end.
        if text.contains(&b'\r') && !text.contains(&b'\n') {
            continue;
        }
        let error = audit_result.findings.iter().any(|(_, finding)| finding.severity == Severity::Error);
        if error || audit_result.codes().iter().any(|code| READ_OTHERWISE.iter().any(|(other, _)| other == code)) {
            continue;
        }
        let seen = second_reader(&text);
        let plies: u64 = seen.iter().map(|seen| seen.plies).sum();
        let false_marks: usize = seen.iter().map(|seen| seen.false_marks).sum();
        let fired = audit_result.codes().iter().filter(|code| matches!(code.as_str(), "MOV12" | "MOV14")).count();
        games += audit_result.summary.counts.games;
        if (plies, false_marks) != (audit_result.summary.counts.plies, fired) || seen.iter().any(|seen| seen.refused) {
            wrong.push(format!("{name}: we have {:?}, {fired} false marks; seen {seen:?}", audit_result.summary.counts));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(games > 60, "{games} games");
}

fn pgn_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            files.extend(pgn_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "pgn") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn start_positions_are_read_as_shakmaty_reads_them() {
    for game in all().iter().filter(|game| game.fen.is_some()).take(100) {
        let start = game.fen.as_deref().map(position);
        assert_eq!(start.as_ref(), Some(&game.start));
        assert_eq!(game.start.turn(), Color::White);
    }
}
