//! Games of other variants than chess: replayed under their own laws, and found where they are
//! damaged.

use crate::common::{AuditResult, Numbers, audit_text};
use chess_audit::internals::{
    rules::{Finding, Severity},
    text::Format,
};
use shakmaty::{
    EnPassantMode, KnownOutcome, Outcome, Position,
    fen::Fen,
    san::SanPlus,
    variant::{Variant, VariantPosition},
};

/// The names under which variants are written, and the laws that they mean.
const VARIANTS: [(&str, Variant); 9] = [
    ("Crazyhouse", Variant::Crazyhouse),
    ("Atomic", Variant::Atomic),
    ("Antichess", Variant::Antichess),
    ("giveaway", Variant::Antichess),
    ("suicide", Variant::Antichess),
    ("Horde", Variant::Horde),
    ("Three-check", Variant::ThreeCheck),
    ("King of the Hill", Variant::KingOfTheHill),
    ("Racing Kings", Variant::RacingKings),
];

struct Game {
    name: &'static str,
    fen: Option<String>,
    sans: Vec<String>,
    /// A move that could have been played instead of each.
    others: Vec<Option<String>>,
    result: &'static str,
    first: usize,
}

fn san(position: &VariantPosition, index: usize) -> String {
    SanPlus::from_move(position.clone(), position.legal_moves()[index]).to_string()
}

/// A game of random legal moves. Every third begins in the middle, from a FEN tag.
fn game(name: &'static str, laws: Variant, seed: usize) -> Game {
    let mut numbers = Numbers::new(seed as u64 + 77);
    let mut position = VariantPosition::new(laws);
    for _ in 0..if seed % 3 == 2 { 2 * numbers.below(15) } else { 0 } {
        let legal = position.legal_moves();
        if !legal.is_empty() {
            position.play_unchecked(legal[numbers.below(legal.len())]);
        }
    }
    let fen = (seed % 3 == 2).then(|| Fen::from_position(&position, EnPassantMode::Legal).to_string());
    let first = 2 * position.fullmoves().get() as usize - if position.turn().is_white() { 2 } else { 1 };
    let (mut sans, mut others) = (Vec::new(), Vec::new());
    while sans.len() < 120 && position.outcome() == Outcome::Unknown {
        let legal = position.legal_moves();
        let index = numbers.below(legal.len());
        sans.push(san(&position, index));
        others.push((legal.len() > 1).then(|| san(&position, (index + 1) % legal.len())));
        position.play_unchecked(legal[index]);
    }
    let over = position.is_variant_end() || position.legal_moves().is_empty();
    let result = match position.outcome() {
        Outcome::Known(KnownOutcome::Decisive { winner }) if over => KnownOutcome::Decisive { winner }.as_str(),
        Outcome::Known(KnownOutcome::Draw) if over => "1/2-1/2",
        _ => "*",
    };
    Game { name, fen, sans, others, result, first }
}

impl Game {
    /// The game as PGN, with a variation and a comment here and there where `annotated`.
    fn pgn(&self, annotated: bool) -> String {
        let mut text = format!(
            "[Event \"Made up\"]\n[Site \"Nowhere\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"White A\"]\n[Black \"Black B\"]\n[Result \"{}\"]\n",
            self.result,
        );
        if let Some(fen) = &self.fen {
            text.push_str(&format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n"));
        }
        text.push_str(&format!("[Variant \"{}\"]\n\n", self.name));
        let mut restart = true;
        for (index, san) in self.sans.iter().enumerate() {
            let ply = self.first + index;
            let number = |dots: &str| format!("{}{dots} ", ply / 2 + 1);
            match ply % 2 {
                0 => text.push_str(&number(".")),
                _ if restart => text.push_str(&number("...")),
                _ => {}
            }
            text.push_str(san);
            text.push('\n');
            restart = false;
            if let Some(other) = self.others[index].as_ref().filter(|_| annotated && index % 7 == 3) {
                let dots = if ply.is_multiple_of(2) { "." } else { "..." };
                text.push_str(&format!(
                    "{{so}} ({}{other} {{is another}})\n",
                    number(dots).trim_end().trim_end_matches('.').to_owned() + dots + " "
                ));
                restart = true;
            }
        }
        text.push_str(self.result);
        text.push_str("\n\n");
        text
    }
}

fn audited(text: &str) -> AuditResult {
    audit_text(text.as_bytes(), Format::Pgn)
}

/// The rules that matter here: layout of export format and tags are others' business.
fn of_moves(audit_result: &AuditResult) -> Vec<&Finding> {
    let families = ["MOV", "NUM", "RES", "POS", "CAS", "CTR", "EPS", "FEN", "VAR", "SYN"];
    let counts = |finding: &&Finding| {
        families.iter().any(|family| finding.rule.code.to_string().starts_with(family)) && !finding.rule.layout
    };
    audit_result.findings.iter().map(|(_, finding)| finding).filter(counts).collect()
}

#[test]
fn random_games_of_every_variant_are_clean() {
    let (mut plies, mut ended) = (0, 0);
    for (name, laws) in VARIANTS {
        for seed in 0..25 {
            let game = game(name, laws, seed);
            let text = game.pgn(seed % 2 == 0);
            let audit_result = audited(&text);
            assert!(of_moves(&audit_result).is_empty(), "{name}: {:?}\n{text}", of_moves(&audit_result));
            assert_eq!(audit_result.inputs[0].counts.plies_not_examined, 0, "{text}");
            plies += audit_result.inputs[0].counts.plies;
            ended += usize::from(game.result != "*");
        }
    }
    assert!(plies > 10_000 && ended > 50, "{plies} plies, {ended} ended");
}

#[test]
fn a_damaged_game_is_found_where_it_is_damaged() {
    for (name, laws) in VARIANTS {
        for seed in 0..8 {
            let mut game = game(name, laws, seed);
            let ply = game.sans.len() / 2;
            // From no square of any position a knight goes here.
            game.sans[ply] = "Nh1h8".to_owned();
            game.others[ply] = None;
            let text = game.pgn(false);
            let audit_result = audited(&text);
            let found = of_moves(&audit_result);
            assert_eq!(found.len(), 1, "{name}: {found:?}\n{text}");
            assert_eq!(found[0].rule.code.to_string(), "MOV01", "{text}");
            assert_eq!(found[0].severity, Severity::Error, "{text}");
            assert_eq!(found[0].ply, Some(ply as u32 + 1));
            assert_eq!(&text[found[0].place.start..found[0].place.end], "Nh1h8");
            assert!(!found[0].fen.is_empty() && found[0].message.contains("no knight on h1 can reach h8"), "{:?}", found[0]);
            let after = (game.sans.len() - ply - 1) as u64;
            assert_eq!(audit_result.inputs[0].counts.plies_not_examined, after + 1);
            assert_eq!(found[0].message.contains(&format!("{after} plies not checked")), after > 1, "{:?}", found[0]);
        }
    }
}

fn codes(variant: &str, result: &str, moves: &str) -> Vec<String> {
    let text = format!(
        "[Event \"Made up\"]\n[Site \"Nowhere\"]\n[Date \"2024.01.01\"]\n[Round \"1\"]\n[White \"A, A\"]\n[Black \"B, B\"]\n[Result \"{result}\"]\n{variant}\n\n{moves} {result}\n"
    );
    of_moves(&audited(&text))
        .iter()
        .map(|finding| format!("{} {} {}", finding.rule.code, finding.severity, finding.message))
        .collect()
}

#[test]
fn every_reason_is_told() {
    for (variant, moves, audit_result) in [
        (
            "Crazyhouse",
            "1. e4 d5 2. exd5 Qxd5 3. N@e5",
            "MOV01 error N@e5 is not legal here: there is no knight in hand to drop (crazyhouse)",
        ),
        (
            "Crazyhouse",
            "1. e4 d5 2. exd5 Qxd5 3. P@d2",
            "MOV01 error P@d2 is not legal here: a pawn cannot be dropped on d2 (crazyhouse)",
        ),
        (
            "Antichess",
            "1. e3 b5 2. d3",
            "MOV01 warning d3 is not legal here: a capture is possible, and capturing is mandatory (antichess)",
        ),
        (
            "Atomic",
            "1. e4 d5 2. Bb5+ Bd7 3. Bxd7 Qd6",
            "MOV06 warning Qd6 comes after the end of the game: a king has exploded (atomic chess)",
        ),
        (
            "Three-check",
            "1. Nf3 Nf6 2. d3 d5 3. Nd2",
            "MOV03 error Nd2 is ambiguous: the knights on b1 and f3 can both go there (three-check)",
        ),
        (
            "King of the Hill",
            "1. e4 e5 2. O-O",
            "MOV02 error O-O is not legal here: castling is not possible in this position (king of the hill)",
        ),
        ("Racing Kings", "1. Kg3 Kb3 2. Rg8", "MOV01 error"),
        ("Horde", "1. e5 (1. e6) 1... e6", "MOV08 warning"),
        ("Crazyhouse", "1. e4 e5 3. Nf3", "NUM01 warning"),
        ("Three-check", "1. e4 e5 2. Nf3+", "MOV12 warning"),
    ] {
        let found = codes(&format!("[Variant \"{variant}\"]"), "*", moves);
        assert!(found.len() == 1 && found[0].starts_with(audit_result), "{variant} {moves}: {found:?}");
    }
}

#[test]
fn the_end_on_the_board_is_held_against_the_result() {
    const HILL: &str = "1. e4 a6 2. Ke2 a5 3. Ke3 a4 4. Kd4 a3";
    let hill = "1. e4 a6 2. Ke2 a5 3. Ke3 a4 4. Kd4";
    let three = "1. e4 e5 2. Qh5 a6 3. Qxf7+ Kxf7 4. Bc4+ d5 5. Bxd5+";
    let atomic = "1. Nf3 a6 2. Ne5 a5 3. Nxd7";
    for (variant, result, moves, expected) in [
        ("King of the Hill", "1-0", hill, None),
        ("King of the Hill", "0-1", hill, Some("RES05 error a king has reached the hill after Kd4, but the result is `0-1`")),
        ("koth", "*", hill, Some("RES07 warning a king has reached the hill after Kd4, but the result is `*`")),
        ("King of the Hill", "1-0", HILL, Some("MOV06 error a3 comes after the end of the game: a king has reached the hill")),
        ("3check", "1-0", three, None),
        ("3check", "1/2-1/2", three, Some("RES05 error the third check has been given after Bxd5+, but the result is `1/2-1/2`")),
        ("atomic", "1-0", atomic, None),
        ("atomic", "0-1", atomic, Some("RES05 error a king has exploded after Nxd7, but the result is `0-1`")),
    ] {
        let found = codes(&format!("[Variant \"{variant}\"]"), result, moves);
        match expected {
            None => assert!(found.is_empty(), "{variant} {moves}: {found:?}"),
            Some(audit_result) => assert!(found.len() == 1 && found[0].starts_with(audit_result), "{variant} {moves}: {found:?}"),
        }
    }
    let no_pieces = "[Variant \"Antichess\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/8/8/1p6/P7/8 w - - 0 1\"]";
    assert_eq!(
        codes(no_pieces, "1-0", "1. axb3"),
        ["RES05 error one side has no pieces left after axb3, but the result is `1-0`"]
    );
}

#[test]
fn a_forbidden_capture_is_told_from_an_impossible_one() {
    let king_beside = "[Variant \"Atomic\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/4p3/3PK3/8 w - - 0 1\"]";
    let found = codes(king_beside, "*", "1. dxe3");
    let expected = "MOV01 warning dxe3 is not legal here: the capture would explode the king of the side to move (atomic chess)";
    assert_eq!(found, [expected]);
}

#[test]
fn positions_of_variants_bear_their_marks() {
    for (variant, fen, moves) in [
        ("Crazyhouse", "r1bqkb1r/ppp1pppp/2n5/3q~4/8/8/PPPP1PPP/RNBQKB1R[Nn] w KQkq - 0 6", "6. N@e3"),
        ("crazyhouse", "rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR/Pp w KQkq - 0 3", "3. P@d5"),
        ("Three-check", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1+3 0 5", "5. e4"),
        ("Three-check", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 5 +2+0", "5. e4"),
        ("Antichess", "8/8/8/8/8/2K1K3/8/k6k w - - 0 40", "40. Kb4"),
        ("Horde", "8/8/8/8/8/8/7P/k6P w - - 0 40", "40. h4"),
    ] {
        let tags = format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]");
        assert_eq!(codes(&tags, "*", moves), Vec::<String>::new(), "{variant} {fen}");
    }
}

#[test]
fn castling_in_chess960_is_read_in_every_notation() {
    let fen = "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"]";
    for castling in ["O-O", "0-0", "Kg1", "Kxg1", "e1g1", "O-O-O", "Kc1", "e1c1", "e1b1", "Kxb1"] {
        assert!(
            codes(fen, "*", &format!("1. {castling} O-O"))
                .iter()
                .all(|found| found.starts_with("MOV18 info") || found.starts_with("MOV21 info") || !found.starts_with("MOV")),
            "{castling}"
        );
    }
    let double = "[Variant \"DFRC\"]\n[SetUp \"1\"]\n[FEN \"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBha - 0 1\"]";
    for moves in ["1. O-O O-O-O", "1. Kg1 Kc8", "1. Kxh1 Kxa8", "1. c1h1 e8a8"] {
        assert!(
            codes(double, "*", moves)
                .iter()
                .all(|found| found.starts_with("MOV18 info") || found.starts_with("MOV21 info") || !found.starts_with("MOV")),
            "{moves}"
        );
    }
}

#[test]
fn what_no_king_can_mean_is_no_castling() {
    // In standard chess the king's two steps are written O-O.
    let found = codes("[Variant \"Standard\"]", "*", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. Kg1");
    assert!(found.len() == 1 && found[0].starts_with("MOV01 error"), "{found:?}");
}

#[test]
fn variations_too_deep_to_be_replayed_accuse_nobody() {
    for tag in ["[Variant \"Standard\"]", "[Variant \"Crazyhouse\"]"] {
        let depth = 1_000;
        let moves = format!("1. e4 {}{} 1... e5 2. Nf3", "(1. d4 ".repeat(depth), ")".repeat(depth));
        assert_eq!(codes(tag, "*", &moves), Vec::<String>::new());
    }
}

fn eco_mismatch() -> chess_audit::internals::rules::Code {
    "TAG16".parse().expect("a code")
}

#[test]
fn a_code_is_held_against_the_classification() {
    let both = ["eco/openings.tsv", "eco/openings.eco"].map(|name| {
        let text = std::fs::read(crate::common::fixture(name)).expect("the fixture is there");
        std::sync::Arc::new(chess_audit::internals::pgn::EcoBook::read(&text).expect("the fixture is sound"))
    });
    for book in both {
        for (code, fen, moves, audit_result) in [
            ("C20", "", "1. e4 e5", None),
            ("C20", "", "1. e3 e6 2. e4 e5 3. a3", None),
            ("B20", "", "1. e4 e5 2. Nf3", Some("C40")),
            ("B20/04", "", "1. d4 Nf6", Some("A45")),
            ("B20", "", "1. Nf3 d5 2. g3 Nf6", Some("A04")),
            ("B20", "", "1. a3 a6 2. b3", None),
            ("B20", "", "1. e4 e5 2. Ke3", None),
            ("x", "", "1. e4 e5", None),
            ("B20", "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n", "1. e4", None),
        ] {
            let text = format!("[Event \"A\"]\n[ECO \"{code}\"]\n{fen}\n{moves} *\n");
            let settings = chess_audit::internals::pipeline::Settings { eco: Some(book.clone()), ..crate::common::everything() };
            let audited = crate::common::audit(vec![crate::common::input(text.as_bytes(), Format::Pgn)], settings);
            let expected: Vec<&str> = audited
                .findings
                .iter()
                .filter(|(_, finding)| finding.rule.name == "eco-mismatch")
                .map(|(_, finding)| finding.expected.as_str())
                .collect();
            assert_eq!(expected, audit_result.into_iter().collect::<Vec<_>>(), "{moves}");
            assert!(!audited.summary.not_run.contains(&eco_mismatch()));
        }
    }
    let without = chess_audit::internals::pipeline::Settings { eco: None, ..crate::common::everything() };
    let audited =
        crate::common::audit(vec![crate::common::input(b"[Event \"A\"]\n[ECO \"B20\"]\n\n1. e4 e5 *\n", Format::Pgn)], without);
    assert!(audited.summary.not_run.contains(&eco_mismatch()));
    assert!(audited.codes().iter().all(|code| code != "TAG16"));
}
