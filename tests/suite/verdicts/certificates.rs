//! Certificates of positions: games are replayed by another reader, reports do not depend on how a
//! run is divided, and no rule contradicts a game.

use std::{fs, io, ops::ControlFlow, path::Path};

use crate::common::{
    Numbers,
    games::{fen, position},
    program::{Outcome, run, stderr},
};
use chess_audit::internals::record::Certificate;
use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Board, Chess, Color, EnPassantMode, Position, Role, Setup, Square, fen::Fen};

/// A position after random moves.
fn random(numbers: &mut Numbers, plies: usize) -> Chess {
    let mut position = Chess::default();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[numbers.below(moves.len())]);
    }
    position
}

/// Replays a game, and reads where it should lead.
#[derive(Default)]
struct Replay {
    goals: Vec<String>,
    reached: Vec<String>,
    position: Chess,
}

impl Visitor for Replay {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.position = Chess::default();
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"LeadsTo" {
            self.goals.push(value.decode_utf8_lossy().into_owned());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        let played = san.san.to_move(&self.position).expect("a proof game is legal");
        self.position.play_unchecked(played);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {
        self.reached.push(four_fields(&fen(&self.position)));
    }
}

fn four_fields(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn table(report: &Path) -> io::Result<Vec<Vec<String>>> {
    let text = fs::read_to_string(report.join("certificates.csv"))?;
    Ok(text.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect()).collect())
}

#[test]
fn proof_games_lead_to_their_positions_however_the_run_is_divided() -> Outcome {
    let home = tempfile::tempdir()?;
    let home = home.path();
    let mut numbers = Numbers::new(55);
    let mut text = String::new();
    for number in 0..24 {
        text += &match number % 6 {
            0 => "# a comment\nrnbqkbnr/pppppppp/8/8/5B2/8/PPPPPPPP/RN1QKBNR b KQkq - 0 1\n".to_owned(),
            1 => format!("{} id \"{number}\";\n", four_fields(&fen(&random(&mut numbers, 9)))),
            2 => "not a position\r\n".to_owned(),
            // One of the pawns has passed the other one, and nothing was captured.
            3 => "rnbqkbnr/pppp1ppp/8/4P3/4p3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 5\n".to_owned(),
            _ => format!("{}\n", fen(&random(&mut numbers, 6))),
        };
    }
    fs::write(home.join("a.epd"), &text)?;
    fs::write(home.join("b.epd"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")?;
    fs::write(home.join("c.pgn"), "[Event \"?\"]\n\n1. e4 *\n")?;
    let inputs = ["a.epd", "b.epd", "c.pgn"];
    let certify = ["--no-config", "--no-html", "-q", "--certify=3000", "--fail-on", "never"];
    let check = |output: &str, options: &[&str]| -> Outcome {
        let audited = run(home, &[&["check", "-o", output], &inputs[..], &certify, options].concat())?;
        assert!(audited.status.success(), "{}", stderr(&audited));
        Ok(())
    };
    check("whole", &["--threads", "1", "--chunk-size", "1000000"])?;
    check("divided", &["--threads", "3", "--chunk-size", "70"])?;
    let planned = run(home, &[&["shards", "plan", "--no-config", "--target-size", "600", "-o", "plan"], &inputs[..]].concat())?;
    assert!(planned.status.success(), "{}", stderr(&planned));
    let shards = fs::read_to_string(home.join("plan"))?.lines().count() - 1;
    assert!(shards > 1);
    for shard in 1..=shards {
        let shard = shard.to_string();
        let done = run(home, &[&["check", "--plan", "plan", "--shard", &shard, "-o", "parts"], &certify[..]].concat())?;
        assert!(done.status.success(), "{}", stderr(&done));
    }
    let merged = run(home, &[&["shards", "merge", "plan", "parts", "-o", "merged"], &certify[..]].concat())?;
    assert!(merged.status.success(), "{}", stderr(&merged));

    let whole = home.join("whole");
    for name in ["certificates.csv", "proof_games.pgn", "run.json"] {
        let expected = fs::read(whole.join(name))?;
        for other in ["divided", "merged"] {
            assert!(fs::read(home.join(other).join(name))? == expected, "{other}: {name} differs");
        }
    }
    let rows = table(&whole)?;
    let verdicts = |verdict: &str| rows.iter().filter(|row| row[3] == verdict).count();
    // The text without a position has no row.
    assert_eq!((rows.len(), verdicts("illegal")), (21, 8));
    assert!(verdicts("legal") >= 8 && verdicts("open") >= 1, "{rows:?}");
    assert_eq!(rows[0][..5], ["a.epd", "2", "1", "illegal", "POS15"]);
    let mut replay = Replay::default();
    Reader::new(&fs::read(whole.join("proof_games.pgn"))?[..]).visit_all_games(&mut replay)?;
    assert_eq!(replay.reached.len(), verdicts("legal"));
    assert_eq!(replay.reached, replay.goals);
    // Nothing in our own games is worth a warning.
    let audited = run(home, &["check", "--no-config", "-q", "--fail-on", "warning", "-o", "audited", "whole/proof_games.pgn"])?;
    assert!(audited.status.success(), "{}", stderr(&audited));
    // A report that replaces another one removes its files.
    let again = run(home, &["check", "--no-config", "-q", "--fail-on", "never", "-o", "whole", "a.epd"])?;
    assert!(again.status.success(), "{}", stderr(&again));
    assert!(!whole.join("proof_games.pgn").exists() && !whole.join("certificates.csv").exists());
    Ok(())
}

#[test]
fn fen_certifies_a_position() -> Outcome {
    let home = tempfile::tempdir()?;
    let home = home.path();
    let reached = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";
    let shown = run(home, &["fen", reached, "--certify"])?;
    let text = String::from_utf8(shown.stdout)?;
    assert!(text.contains("legal: a game of 1 ply leads to the position"), "{text}");
    assert!(text.contains("1. Nf3"), "{text}");
    let shown = run(home, &["fen", "--json", "--certify=20", reached])?;
    let record: serde_json::Value = serde_json::from_slice(&shown.stdout)?;
    assert_eq!(record["certificate"]["moves"], "1. Nf3");
    let caged = "rnbqkbnr/pppppppp/8/8/5B2/8/PPPPPPPP/RN1QKBNR b KQkq - 0 1";
    // Without a number, the option does not take the position for one, wherever it is.
    let shown = run(home, &["fen", "--certify", caged])?;
    assert!(String::from_utf8(shown.stdout)?.contains("illegal by POS15: "));
    let shown = run(home, &["fen", caged])?;
    assert!(!String::from_utf8(shown.stdout)?.contains("Certificate"));
    Ok(())
}

/// `--certify` has one form and one unit: `fen` gives the verdict that `check` gives with as many
/// nodes.
#[test]
fn fen_and_check_spend_as_many_nodes() -> Outcome {
    let home = tempfile::tempdir()?;
    let home = home.path();
    let line = fen(&random(&mut Numbers::new(7), 12));
    fs::write(home.join("a.epd"), format!("{line}\n"))?;
    let options = ["--no-config", "--no-html", "-q", "--fail-on", "never", "-o", "report"];
    let mut verdicts = Vec::new();
    for option in ["--certify=2", "--certify"] {
        let audited = run(home, &[&["check", option, "a.epd"], &options[..]].concat())?;
        assert!(audited.status.success(), "{}", stderr(&audited));
        let verdict = table(&home.join("report"))?[0][3].clone();
        let shown = run(home, &["fen", "--json", option, &line])?;
        let record: serde_json::Value = serde_json::from_slice(&shown.stdout)?;
        assert_eq!(record["certificate"]["verdict"], verdict.as_str(), "{option}");
        verdicts.push(verdict);
    }
    assert_eq!(verdicts, ["open", "legal"], "{line}");
    Ok(())
}

/// What was written in earlier versions is no path and no part of a FEN.
#[test]
fn a_number_without_an_equals_sign_is_refused() -> Outcome {
    let home = tempfile::tempdir()?;
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for words in [["fen", "--certify", "5", start], ["fen", start, "--certify", "5"], ["check", "--certify", "5", "."]] {
        let refused = run(home.path(), &words)?;
        assert_eq!(refused.status.code(), Some(2), "{words:?}");
        let said = "the number of `--certify` follows an equals sign: `--certify=5`";
        assert!(stderr(&refused).contains(said), "{words:?}: {}", stderr(&refused));
    }
    // A word after `--` is a path.
    fs::write(home.path().join("5"), format!("{start}\n"))?;
    let read = run(home.path(), &["check", "--no-config", "-q", "--format", "epd", "--certify", "--", "5"])?;
    assert_eq!(read.status.code(), Some(0), "{}", stderr(&read));
    for words in [["fen", "--certify=0", start], ["fen", "--certify=x", start]] {
        let refused = run(home.path(), &words)?;
        assert_eq!(refused.status.code(), Some(2), "{words:?}");
        assert!(stderr(&refused).contains("--certify"), "{}", stderr(&refused));
    }
    Ok(())
}

/// The position with one small defect: a piece is elsewhere, is missing, or is another one.
fn with_defect(position: &Chess, numbers: &mut Numbers) -> Setup {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    let mut board: Board = setup.board.clone();
    let pieces: Vec<Square> = board.occupied().into_iter().collect();
    let free: Vec<Square> = (!board.occupied()).into_iter().collect();
    let (from, to) = (pieces[numbers.below(pieces.len())], free[numbers.below(free.len())]);
    let Some(piece) = board.piece_at(from) else { return setup };
    match numbers.below(5) {
        0 if piece.role != Role::King => board.discard_piece_at(from),
        1 if piece.role != Role::King => {
            let role = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen][numbers.below(4)];
            board.set_piece_at(from, role.of(piece.color));
        }
        2 => setup.turn = !setup.turn,
        3 => setup.castling_rights.discard(from),
        _ => {
            board.discard_piece_at(from);
            board.set_piece_at(to, piece);
        }
    }
    setup.board = board;
    setup.ep_square = None;
    setup
}

#[test]
fn no_rule_contradicts_a_game() {
    let mut numbers = Numbers::new(5555);
    let (mut legal, mut illegal) = (0, 0);
    for number in 0..150 {
        let plies = 2 + number % 12;
        let setup = with_defect(&random(&mut numbers, plies), &mut numbers);
        let Ok(line) = Fen::try_from(setup).map(|fen| fen.to_string()) else { continue };
        let mut left = 5000;
        let certificate = Certificate::of_line(line.as_bytes(), &mut |nodes: u64| {
            left -= nodes.min(left);
            left > 0
        });
        let certificate = certificate.unwrap_or_else(|| panic!("{line} can be read"));
        assert_eq!(certificate.internal_error(), None, "{line}");
        match certificate.verdict() {
            "legal" => legal += 1,
            "illegal" => illegal += 1,
            _ => {}
        }
    }
    assert!(legal >= 20 && illegal >= 20, "{legal} legal, {illegal} illegal");
}

#[test]
fn a_game_outweighs_a_wrong_rule() {
    let reached = position("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
    let Some(Certificate::Legal(game)) = Certificate::of_line(fen(&reached).as_bytes(), &mut |_| true) else {
        panic!("the position is reached by one move");
    };
    let rule = "POS20".parse().expect("a code");
    let certificate = Certificate::Contradiction { rule, game };
    assert_eq!(certificate.verdict(), "legal");
    let error = certificate.internal_error().expect("a rule is wrong");
    assert!(error.contains("POS20") && error.contains("1. Nf3") && error.contains("please report"), "{error}");
}

/// Lines of positions with pieces and pawns anywhere, up to 21 on each side.
fn placements(count: usize) -> String {
    let mut numbers = Numbers::new(66);
    let mut text = String::new();
    for _ in 0..count {
        let mut board = Board::empty();
        let mut free: Vec<Square> = Square::ALL.into();
        let mut put = |piece, numbers: &mut Numbers| board.set_piece_at(free.swap_remove(numbers.below(free.len())), piece);
        Color::ALL.into_iter().for_each(|color| put(color.king(), &mut numbers));
        for color in Color::ALL {
            for _ in 0..numbers.below(21) {
                put([Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen][numbers.below(5)].of(color), &mut numbers);
            }
        }
        let side = ['w', 'b'][numbers.below(2)];
        text += &format!("{} {side} - - 0 1\n", board.board_fen());
    }
    text
}

/// Positions with more than 16 pieces and pawns of a side, which a search once failed on.
const CROWDED: &str = "6B1/P2n4/1N1k1BP1/P1R2npP/1bPp2N1/b1Q2P1r/2pBK1P1/N1B3B1 b - - 0 1
q3Qr2/P2pBP1q/1p1Pq2b/1PpPPbQB/PbNp2p1/rb3R2/k1p1Kp2/3n3R w - - 0 1
2K4B/pR1B1BpP/pNPb1P2/PpP1P3/nP5Q/1qp1k1Pn/Pb5p/3B3B b - - 0 1
r2q1b1r/QP1PP1kP/2KPp1P1/p5B1/P3p1P1/RNN1P2R/1p4pP/1BQ2NN1 b - - 0 1
1Nn1b1qk/q4p1N/2b1P1P1/1pB1pBK1/1pp1pRp1/p2p2p1/1R3pB1/4R3 w - - 0 1
R1n2b1K/1B4p1/n1Q1r3/p3p2N/1pbP2pn/2n2p2/2b2n2/1k4r1 w - - 0 1
";

#[test]
fn random_placements_are_certified_without_a_failure() -> Outcome {
    let home = tempfile::tempdir()?;
    let home = home.path();
    fs::write(home.join("a.epd"), CROWDED.to_owned() + &placements(300))?;
    let options = ["--no-config", "--no-html", "-q", "--certify=300", "--fail-on", "never", "-o", "report"];
    let audited = run(home, &[&["check", "a.epd"], &options[..]].concat())?;
    assert!(audited.status.success(), "{}", stderr(&audited));
    assert_eq!(table(&home.join("report"))?.len(), 306);
    for line in CROWDED.lines() {
        let shown = run(home, &["fen", "--certify=1", "--fail-on", "never", line])?;
        assert!(shown.status.success() && stderr(&shown).is_empty(), "{line}: {}", stderr(&shown));
        assert!(String::from_utf8(shown.stdout)?.contains("illegal by POS0"), "{line}");
    }
    Ok(())
}

#[test]
fn a_position_whose_search_fails_is_open() {
    let reached = fen(&position("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"));
    let certificate = Certificate::of_line(reached.as_bytes(), &mut |_| panic!("on trial")).expect("a position");
    assert_eq!((certificate.verdict(), certificate.game()), ("open", None));
    let error = certificate.internal_error().expect("a reason");
    assert_eq!(error, "the auditor failed on the certificate of this position: on trial; please report it with the record");
}
