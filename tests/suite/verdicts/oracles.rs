//! Tablebases: what they prove is found, and nobody is accused whom they do not refute.

use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc};

use chess_audit::Variant;
use chess_audit::internals::{
    oracle::{
        Engine, NoVerdict, Oracles, Prospect, Syzygy, TableVerdict, Tables,
        engine::{Answer, EngineError, Question, Score},
    },
    pipeline::Settings,
    record::{Consulted, explain_line},
    report::ExplanationRecord,
    text::Format,
};
use serde_json::Value;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position, Role, Setup, Square,
    fen::{Epd, Fen},
    san::SanPlus,
};

use crate::common::{
    AuditResult, Numbers, audit, corpora, everything, input, oracles, small_engine::SmallEngine, small_tables::SmallTables,
};

/// Number of endgames, each with one claim that is true or false.
const ENDGAMES: usize = 10_000;

/// A position with kings and these pieces, White to move or Black, nobody in check.
fn placed(pieces: &[Piece], numbers: &mut Numbers) -> Option<Chess> {
    let mut setup = Setup::empty();
    let kings = [Color::White.king(), Color::Black.king()];
    for piece in kings.iter().chain(pieces) {
        let square = Square::new(numbers.below(64) as u32);
        let is_misplaced = piece.role == Role::Pawn && shakmaty::Bitboard::BACKRANKS.contains(square);
        if setup.board.piece_at(square).is_some() || is_misplaced {
            return None;
        }
        setup.board.set_piece_at(square, *piece);
    }
    setup.turn = if numbers.below(2) == 0 { Color::White } else { Color::Black };
    Chess::from_setup(setup, CastlingMode::Standard).ok().filter(|position| !position.is_check())
}

/// Pieces other than kings, `count` of them.
fn pieces(count: usize, numbers: &mut Numbers) -> Vec<Piece> {
    let roles = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::Queen];
    let mut piece = || Piece { color: Color::from_white(numbers.below(3) > 0), role: roles[numbers.below(roles.len())] };
    (0..count).map(|_| piece()).collect()
}

fn after(position: &Chess, played: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(played);
    next
}

/// What is claimed about a game or a position, and the rules of which one reports it; none if it is
/// true or not refuted.
struct Claim {
    record: String,
    reported: &'static [&'static str],
}

/// The number of the first move of a game from a position.
const FIRST_MOVE: u32 = 150;

/// A game of up to four moves from a position with any halfmove clock. The number of pieces at its
/// end is at most `most`.
fn game(most: usize, truth: &dyn Tables, numbers: &mut Numbers) -> Option<Claim> {
    let count = most - 1 - numbers.below(2);
    let mut setup = placed(&pieces(count, numbers), numbers)?.to_setup(EnPassantMode::Legal);
    (setup.halfmoves, setup.fullmoves) = (numbers.below(100) as u32, FIRST_MOVE.try_into().ok()?);
    let start = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    let mut position = start.clone();
    let mut sans = Vec::new();
    let begins_zeroing = numbers.below(2) == 0;
    for number in 0..1 + numbers.below(4) {
        let mut moves = position.legal_moves();
        moves.retain(|played| number > 0 || !begins_zeroing || played.is_zeroing());
        let played = *moves.get(numbers.below(moves.len().max(1)))?;
        sans.push(SanPlus::from_move(position.clone(), played).to_string());
        position.play_unchecked(played);
    }
    if position.legal_moves().len() < 2 || position.board().occupied().count() > most {
        return None;
    }
    // Dead positions have rules of their own. Some positions with one move are dead.
    if position.is_insufficient_material() {
        return None;
    }
    let verdict = truth.verdict(&position, Some(position.halfmoves())).ok()?;
    // Syzygy may be wrong by one ply.
    if verdict.zeroing_plies.is_some_and(|plies| (99..=101).contains(&(plies + position.halfmoves()))) {
        return None;
    }
    let winner = verdict.certain_winner(position.turn());
    let is_drawn = verdict == TableVerdict::DRAW;
    let side = Color::from_white(numbers.below(2) == 0);
    let words = |winner: Option<Color>| match winner {
        Some(Color::White) => ("1-0", "White wins by adjudication: SyzygyTB"),
        Some(Color::Black) => ("0-1", "Black wins by adjudication: SyzygyTB"),
        None => ("1/2-1/2", "Draw by adjudication: SyzygyTB"),
    };
    let (result, comment, reported): (_, String, &'static [&'static str]) = match numbers.below(7) {
        // The true result, adjudicated or played.
        0 if is_drawn || winner.is_some() => (words(winner).0, words(winner).1.to_owned(), &[]),
        1 if is_drawn || winner.is_some() => (words(winner).0, String::new(), &[]),
        2 => (words(Some(!verdict.winner(position.turn())?)).0, String::new(), &["TRU02", "RES09"]),
        3 if is_drawn => (words(Some(side)).0, String::new(), &["TRU15", "RES09"]),
        3 => winner.map(|_| ("1/2-1/2", String::new(), &["TRU03"] as &[_]))?,
        4 if winner != Some(side) && (is_drawn || winner.is_some()) => {
            (words(Some(side)).0, words(Some(side)).1.to_owned(), &["TRU01"])
        }
        5 => winner.map(|_| ("1/2-1/2", words(None).1.to_owned(), &["TRU01"] as &[_]))?,
        // The winner has too few moves left, and won or drew all the same.
        6 if winner.is_none() && !is_drawn => {
            (words(verdict.winner(position.turn()).filter(|_| side.is_white())).0, String::new(), &[])
        }
        6 if is_drawn => ("*", format!("[%eval #{}]", side.fold_wb(12, -12)), &["TRU06", "CLK07"]),
        6 if winner.is_some() => ("*", format!("[%eval #{}]", winner?.fold_wb(25, -25)), &[]),
        _ => return None,
    };
    let turn = start.turn();
    let number = |ply: usize| match (ply, turn) {
        (0, Color::Black) => format!("{FIRST_MOVE}... "),
        (ply, _) if (ply + usize::from(turn.is_black())) % 2 == 0 => {
            format!("{}. ", (ply + usize::from(turn.is_black())) / 2 + FIRST_MOVE as usize)
        }
        _ => String::new(),
    };
    let moves: Vec<String> = sans.iter().enumerate().map(|(ply, san)| format!("{}{san}", number(ply))).collect();
    let comment = if comment.is_empty() { comment } else { format!("{{{comment}}} ") };
    let fen = Fen::from_position(&start, EnPassantMode::Legal);
    let record = format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"{result}\"]\n\
         [SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{} {comment}{result}\n\n",
        moves.join(" ")
    );
    Some(Claim { record, reported })
}

/// A position line with a claim.
fn line(most: usize, truth: &dyn Tables, numbers: &mut Numbers) -> Option<Claim> {
    let start = placed(&pieces(most - 2, numbers), numbers)?;
    if start.is_insufficient_material() {
        return None;
    }
    let ask = |position: &Chess| truth.verdict(position, Some(position.halfmoves())).ok();
    let verdict = ask(&start)?;
    let mut kept = Vec::new();
    let mut lost = Vec::new();
    for played in start.legal_moves() {
        let reached = ask(&after(&start, played))?;
        match (reached.unlimited.reversed().cmp(&verdict.unlimited), reached.limited?.reversed().cmp(&verdict.limited?)) {
            (std::cmp::Ordering::Less, std::cmp::Ordering::Less) => lost.push(played),
            (std::cmp::Ordering::Equal, std::cmp::Ordering::Equal) => kept.push(played),
            _ => return None,
        }
    }
    let mut san = |moves: &[Move]| {
        let played = *moves.get(numbers.below(moves.len().max(1)))?;
        Some(SanPlus::from_move(start.clone(), played).to_string())
    };
    let wins = verdict.unlimited == Prospect::Win;
    let (kept, lost) = (san(&kept), san(&lost));
    let (operation, reported): (String, &'static [&'static str]) = match numbers.below(9) {
        0 => (format!("bm {};", kept?), &[]),
        1 => (format!("bm {};", lost?), &["TRU04"]),
        2 => (format!("am {};", lost?), &[]),
        3 if verdict.unlimited > Prospect::Loss => (format!("am {};", kept?), &["TRU05"]),
        4 => (format!("pv {};", lost?), &["TRU07"]),
        5 => (format!("pv {};", kept?), &[]),
        6 if !wins => ("dm 12;".to_owned(), &["TRU09"]),
        6 => {
            let plies = verdict.zeroing_plies.filter(|plies| *plies > 9)?;
            (format!("dm {};", plies / 2 - 1), &["TRU09"])
        }
        7 if wins => ("dm 40;".to_owned(), &[]),
        8 if !wins => ("ce 32720;".to_owned(), &["TRU10", "EPD12"]),
        8 => ("ce 900;".to_owned(), &[]),
        _ => return None,
    };
    let epd = Epd::from_position(&start, EnPassantMode::Legal);
    Some(Claim { record: format!("{epd} {operation}\n"), reported })
}

/// The codes of findings of oracles, and of rules that take precedence over them, by record.
fn reported(audited: &AuditResult) -> BTreeMap<u64, Vec<String>> {
    let mut codes: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for (_, finding) in &audited.findings {
        let code = finding.rule.code.to_string();
        if code.starts_with("TRU") || matches!(code.as_str(), "RES09" | "EPD12" | "CLK07") {
            codes.entry(finding.game).or_default().push(code);
        }
    }
    codes
}

/// Makes a record with a claim, or fails.
type Claimed = fn(usize, &dyn Tables, &mut Numbers) -> Option<Claim>;

/// Audits endgames with at most `most` pieces and one claim each. What is false by `truth` is
/// reported, and nothing else.
fn assert_false_claims_are_found(most: usize, truth: &dyn Tables, asked: &Arc<Oracles>) {
    let kinds: [(Format, Claimed); 2] = [(Format::Pgn, game), (Format::Epd, line)];
    for (format, claim) in kinds {
        let mut numbers = Numbers::new(16);
        let claims: Vec<Claim> =
            std::iter::repeat_with(|| claim(most, truth, &mut numbers)).flatten().take(ENDGAMES / 2).collect();
        let text: String = claims.iter().map(|claim| claim.record.as_str()).collect();
        let settings = Settings { oracles: Arc::clone(asked), ..everything() };
        let audited = audit(vec![input(text.as_bytes(), format)], settings);
        let found = reported(&audited);
        let mut wrong = Vec::new();
        let mut planted: BTreeMap<&str, usize> = BTreeMap::new();
        for (number, claim) in (1..).zip(&claims) {
            let codes = found.get(&number).map(Vec::as_slice).unwrap_or_default();
            let is_right = match codes {
                [] => claim.reported.is_empty(),
                [code] => claim.reported.contains(&code.as_str()),
                _ => false,
            };
            if !is_right {
                wrong.push(format!("{codes:?} instead of {:?}: {}", claim.reported, claim.record));
            }
            *planted.entry(claim.reported.first().unwrap_or(&"none")).or_default() += 1;
        }
        assert!(wrong.is_empty(), "{} of {} are wrong:\n{}", wrong.len(), claims.len(), wrong[..wrong.len().min(10)].join("\n"));
        assert!(planted.len() >= 5 && planted.values().all(|count| *count > 100), "every kind is planted: {planted:?}");
        let missing = audited.summary.counts.oracles.missing_tables;
        assert!(missing == 0 || asked.max_table_pieces() > most, "{missing} tables are missing");
        assert!(audited.failures.is_empty(), "{:?}", audited.failures);
    }
}

#[test]
fn false_claims_about_small_endgames_are_found_and_true_ones_are_not() {
    assert_false_claims_are_found(3, &SmallTables, &oracles());
}

/// The folder of Syzygy tables that acceptance tests use, if it is there.
fn syzygy() -> Option<PathBuf> {
    corpora().map(|corpora| corpora.join("tables/syzygy")).filter(|folder| folder.is_dir())
}

#[test]
fn syzygy_tables_refute_false_claims_only() {
    let Some(folder) = syzygy() else { return };
    let tables = || Syzygy::open(&[&folder]).expect("the tables can be read");
    let asked = Arc::new(Oracles { tables: Some(Box::new(tables())), ..Oracles::default() });
    assert_false_claims_are_found(3, &SmallTables, &asked);
    assert_false_claims_are_found(4, &tables(), &asked);
}

#[test]
fn syzygy_tables_know_what_the_tests_solve() {
    let Some(folder) = syzygy() else { return };
    let tables = Syzygy::open(&[&folder]).expect("the tables can be read");
    let mut numbers = Numbers::new(3);
    let mut compared = 0;
    while compared < 20_000 {
        let Some(position) = placed(&pieces(1, &mut numbers), &mut numbers) else { continue };
        compared += 1;
        let [theirs, ours] =
            [&tables as &dyn Tables, &SmallTables].map(|tables| tables.verdict(&position, Some(0)).expect("there is a table"));
        assert_eq!((theirs.unlimited, theirs.limited), (ours.unlimited, ours.limited), "{position:?}");
        // Syzygy may round down by one.
        if let (Some(theirs), Some(ours)) = (theirs.zeroing_plies, ours.zeroing_plies) {
            assert!(theirs == ours || theirs + 1 == ours, "{theirs} {ours} {position:?}");
        }
    }
}

#[test]
fn syzygy_tables_say_what_is_recorded() {
    let Some(folder) = syzygy() else { return };
    let recorded = fs::read_to_string(folder.with_file_name("shakmaty_expected.csv")).expect("the values are there");
    let tables = Syzygy::open(&[&folder]).expect("the tables can be read");
    let mut compared = 0;
    for row in recorded.lines().skip(1) {
        let mut cells = row.split(',');
        let epd: Epd = cells.next().and_then(|epd| epd.parse().ok()).expect("a position");
        let [wdl, dtz] = [(); 2].map(|()| cells.next().and_then(|number| number.parse::<i32>().ok()).expect("a number"));
        let position: Chess = epd.into_position(CastlingMode::Standard).expect("a legal position");
        if position.board().occupied().count() > 4 {
            assert_eq!(tables.verdict(&position, Some(0)), Err(NoVerdict::NotAsked), "{row}");
            continue;
        }
        compared += 1;
        let verdict = tables.verdict(&position, Some(0)).expect("there is a table");
        let prospect = |value: i32| [Prospect::Loss, Prospect::Draw, Prospect::Win][(value.signum() + 1) as usize];
        assert_eq!(verdict.unlimited, prospect(wdl), "{row}");
        assert_eq!(verdict.limited, Some(prospect(if wdl.abs() == 2 { wdl } else { 0 })), "{row}");
        assert_eq!(verdict.zeroing_plies.unwrap_or(0), dtz.unsigned_abs(), "{row}");
    }
    assert_eq!(compared, 200, "all positions with at most four pieces");
}

#[test]
fn damaged_tables_are_failures_without_a_panic() {
    let Some(folder) = syzygy() else { return };
    let home = tempfile::tempdir().expect("a temporary directory");
    let names = ["KRvK.rtbw", "KRvK.rtbz", "KRvKP.rtbw", "KRvKP.rtbz"];
    let sound = names.map(|name| fs::read(folder.join(name)).expect("the tables can be read"));
    let mut numbers = Numbers::new(5);
    // The true results with every move that keeps them, so that sound tables have nothing to say.
    let tables = Syzygy::open(&[&folder]).expect("the tables can be read");
    let mut text = String::new();
    for _ in 0..400 {
        let pieces = [Color::White.rook(), Color::Black.pawn()];
        let Some(position) = placed(&pieces[..1 + numbers.below(2)], &mut numbers) else { continue };
        let verdict = tables.verdict(&position, Some(0)).expect("there is a table");
        let keeps = |played: &Move| {
            let reached = tables.verdict(&after(&position, *played), Some(0));
            reached.is_ok_and(|reached| verdict.is_given_up(&reached) == Some(false))
        };
        let Some(best) = position.legal_moves().into_iter().find(keeps) else { continue };
        let epd = Epd::from_position(&position, EnPassantMode::Legal);
        text.push_str(&format!("{epd} bm {};\n", SanPlus::from_move(position, best)));
    }
    let asked = || {
        let tables = Syzygy::open(&[home.path()]).expect("their sizes are possible");
        let oracles = Arc::new(Oracles { tables: Some(Box::new(tables)), ..Oracles::default() });
        audit(vec![input(text.as_bytes(), Format::Epd)], Settings { oracles, ..everything() })
    };
    let write = |number: usize, bytes: &[u8]| fs::write(home.path().join(names[number]), bytes).expect("a copy");
    (0..names.len()).for_each(|number| write(number, &sound[number]));
    let audited = asked();
    assert!(reported(&audited).is_empty() && audited.failures.is_empty(), "{audited:?}");
    let mut failures = 0;
    for (number, sound) in sound.iter().enumerate() {
        for trial in 0..40 {
            let mut damaged = sound.clone();
            // The first bytes say what the file is, and where everything is.
            let start = if trial < 20 { 4 * trial } else { numbers.below(damaged.len()) };
            let end = damaged.len().min(start + 1 + numbers.below(64));
            let byte = [0, 0xff, numbers.below(256) as u8][trial % 3];
            damaged[start..end].fill(byte);
            write(number, &damaged);
            let audited = asked();
            for failure in &audited.failures {
                assert_eq!(failure.stage, "oracle", "{} from byte {start} with {byte}: {failure:?}", names[number]);
            }
            failures += audited.failures.len();
            if start == 0 {
                assert!(!audited.failures.is_empty(), "{} is not recognised", names[number]);
                assert!(reported(&audited).is_empty(), "{audited:?}");
            }
        }
        write(number, sound);
    }
    assert!(failures > 1000, "{failures} failures");
}

#[test]
fn explanations_have_verdicts_of_tables_and_opinions_of_engines() {
    let both = Oracles { tables: Some(Box::new(SmallTables)), engine: Some(Box::new(SmallEngine)), nodes: 7 };
    let record = |line: &str| {
        let explanation = explain_line(line.as_bytes(), None).expect("a position");
        let consulted = Consulted::about(&explanation, &both);
        assert!(consulted.failures().is_empty(), "{consulted:?}");
        serde_json::to_value(ExplanationRecord::new(&explanation, &consulted, None)).expect("JSON")
    };
    let tables = |result: &str, limited: Option<&str>, plies: Option<u32>| serde_json::json!({"result": result, "result_with_fifty_move_rule": limited, "zeroing_plies": plies, "error": null});
    assert_eq!(record("8/8/8/8/8/1k6/1q6/K7 w - - 0 1")["tables"], Value::Null, "checkmate");
    assert_eq!(record("k7/8/1K6/8/8/8/8/7R w - - 0 1")["tables"], tables("white", Some("white"), Some(1)));
    assert_eq!(record("k7/8/1K6/8/8/8/8/7R w - - 100 80")["tables"], tables("white", Some("draw"), Some(1)));
    assert_eq!(record("k7/8/1K6/8/8/8/8/7R w - - x 80")["tables"], tables("white", None, Some(1)));
    assert_eq!(record("k7/8/1K6/8/8/8/8/7R w - -")["tables"], tables("white", Some("white"), Some(1)));
    assert_eq!(record("7r/8/8/8/8/1k6/8/K7 b - - 0 1")["tables"], tables("black", Some("black"), Some(1)));
    assert_eq!(record("8/8/8/3k4/8/8/8/KB6 w - - 0 1")["tables"], tables("draw", Some("draw"), None));
    let missing = record("8/8/8/3k4/8/8/8/KQR5 w - - 0 1");
    assert_eq!(missing["tables"]["error"], "the table for this material is missing");
    let castling = record("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(
        castling["tables"]["error"],
        "the tables do not contain positions with this number of pieces or with castling rights"
    );
    let engine = &record("4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1")["engine"];
    assert_eq!((&engine["best_move"], &engine["nodes"], &engine["name"]), (&"Qxd5".into(), &7.into(), &Value::Null));
    assert_eq!(engine["line"], serde_json::json!(["Qxd5"]));
    let mate = &record("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1");
    assert!(mate.get("engine").is_none() && mate.get("tables").is_none(), "the position cannot be played from");
}

#[test]
fn clocks_that_are_not_known_prove_nothing() {
    // White wins with the queen, but the clock of a FEN tag may be a placeholder.
    let game = |counters: &str, moves: &str| {
        format!(
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\
             [Termination \"adjudication\"]\n[SetUp \"1\"]\n[FEN \"6k1/8/8/8/8/8/8/KQ6 w - -{counters}\"]\n\n{moves} \
             {{Draw by adjudication: SyzygyTB}} 1/2-1/2\n\n"
        )
    };
    let codes = |games: &str| {
        let settings = Settings { oracles: oracles(), ..everything() };
        let codes = audit(vec![input(games.as_bytes(), Format::Pgn)], settings).codes();
        codes.into_iter().filter(|code| code.starts_with("TRU")).collect::<Vec<_>>()
    };
    for (counters, reported) in [("", 0), (" 0 1", 0), (" 1 1", 0), (" x 9", 0), (" 4 90", 1), (" 0 90", 1), (" 97 90", 0)] {
        let number = counters.split(' ').nth(2).unwrap_or("1");
        assert_eq!(codes(&game(counters, &format!("{number}. Qb2 Kf7"))).len(), reported, "{counters}");
    }
    // The same clock everywhere is a placeholder.
    let many =
        |count: u32| (0..count).map(|n| game(&format!(" 0 {}", n + 90), &format!("{}. Qb2 Kf7", n + 90))).collect::<String>();
    assert_eq!((codes(&many(19)).len(), codes(&many(20)).len()), (19, 0));
    assert_eq!(codes(&game(" 4 90", "90. Qb2 Kf7").replace("/KQ6", "/KR6").replace("Qb2", "Rb2")), ["TRU01"]);
}

/// The rules that report something in a game from a position with a pawn that promotes.
fn codes_of(tags: &str, moves: &str) -> Vec<String> {
    codes_from("7k/P5p1/8/8/8/8/8/K7 w - - 0 1", tags, moves)
}

/// The rules that report something in a game from a position.
fn codes_from(fen: &str, tags: &str, moves: &str) -> Vec<String> {
    let result = moves.split_whitespace().last().unwrap_or("*");
    let game = format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"{result}\"]\n\
         [SetUp \"1\"]\n[FEN \"{fen}\"]\n{tags}\n{moves}\n"
    );
    let settings = Settings { oracles: oracles(), ..everything() };
    let codes = audit(vec![input(game.as_bytes(), Format::Pgn)], settings).codes();
    codes.into_iter().filter(|code| code.starts_with("TRU")).collect()
}

#[test]
fn only_adjudications_are_taken_for_adjudications() {
    assert_eq!(codes_of("", "1. a8=Q+ Kh7 {Draw by adjudication: SyzygyTB} 1/2-1/2"), ["TRU01"]);
    assert_eq!(codes_of("[Termination \"GUI TB adjudication\"]\n", "1. a8=Q+ Kh7 1/2-1/2"), ["TRU01"]);
    assert_eq!(codes_of("[TerminationDetails \"SyzygyTB\"]\n", "1. a8=Q+ Kh7 0-1"), ["TRU01"]);
    // People agree to draws in positions that they know to be won, and resign in them.
    assert_eq!(codes_of("", "1. a8=Q+ Kh7 {the tablebase says that White wins} 1/2-1/2"), ["TRU03"]);
    assert_eq!(codes_of("", "1. a8=Q+ Kh7 {White resigns, but by the tablebase it wins} 0-1"), [""; 0]);
    assert_eq!(codes_of("", "1. a8=Q+ Kh7 {Black wins on time, TB win for White} 0-1"), [""; 0]);
}

#[test]
fn a_position_with_a_result_is_a_claim_without_moves() {
    for (result, expected) in [("0-1", &["TRU02"][..]), ("1/2-1/2", &["TRU03"]), ("1-0", &[]), ("*", &[])] {
        assert_eq!(codes_from("Q7/6pk/8/8/8/8/8/K7 w - - 1 60", "", result), expected, "{result}");
    }
}

#[test]
fn positions_that_are_not_certain_are_not_asked_about() {
    assert_eq!(codes_of("", "1. a8=Q+ Kh7 0-1"), ["TRU02"]);
    assert_eq!(codes_of("", "1. a8=Q+ Kh7 2. -- g6 3. -- g5 4. -- g4 0-1"), [""; 0], "null moves");
    assert_eq!(codes_of("[Variant \"Antichess\"]\n", "1. a8=Q g6 0-1"), [""; 0], "a variant");
    let line = |variant: Option<Variant>| {
        let settings = Settings { oracles: oracles(), variant, ..everything() };
        audit(vec![input(b"7k/8/6K1/8/8/8/8/5Q2 w - - bm Qf7;\n", Format::Epd)], settings).codes()
    };
    assert_eq!(line(None), ["TRU04"]);
    assert_eq!(line(Some(Variant::Antichess)), [""; 0]);
}

/// The rules that report something in a position line, with the oracles of the tests.
fn codes_of_line(oracles: Arc<Oracles>, line: &str) -> Vec<String> {
    let codes = audit(vec![input(line.as_bytes(), Format::Epd)], Settings { oracles, ..everything() }).codes();
    codes.into_iter().filter(|code| code.starts_with("TRU")).collect()
}

#[test]
fn halfmove_clocks_of_lines_count() {
    let codes = |line: &str| codes_of_line(oracles(), line);
    assert_eq!(codes("7k/8/6K1/8/8/8/8/5Q2 w - - bm Qf7; hmvc 0;"), ["TRU04"]);
    assert_eq!(codes("7k/8/6K1/8/8/8/8/5Q2 w - - bm Qf7; hmvc 100;"), [""; 0], "the game is drawn already");
    assert_eq!(codes("7k/8/6K1/8/8/8/8/5Q2 w - - 100 90 bm Qf7;"), [""; 0]);
    // After Qe1, Black plays, and White mates: three plies.
    assert_eq!(codes("7k/8/6K1/8/8/8/8/5Q2 w - - am Qe1; hmvc 97;"), ["TRU05"]);
    assert_eq!(codes("7k/8/6K1/8/8/8/8/5Q2 w - - am Qe1; hmvc 98;"), [""; 0], "the move is too slow");
    assert_eq!(codes("7k/8/6K1/8/8/8/8/5Q2 w - - 0 90 bm Qf7; hmvc 50;"), [""; 0], "the clock is not certain");
}

/// Tables in which White to move wins every position, but not under the fifty-move rule.
#[derive(Debug)]
struct TooLong;

impl Tables for TooLong {
    fn max_pieces(&self) -> usize {
        4
    }

    fn verdict(&self, _: &Chess, _: Option<u32>) -> Result<TableVerdict, NoVerdict> {
        Ok(TableVerdict { unlimited: Prospect::Win, limited: Some(Prospect::Draw), zeroing_plies: None })
    }
}

#[test]
fn wins_beyond_the_fifty_move_rule_are_not_short_mates() {
    let oracles = Arc::new(Oracles { tables: Some(Box::new(TooLong)), ..Oracles::default() });
    let settings = Settings { oracles: Arc::clone(&oracles), ..everything() };
    let audited = audit(vec![input(b"8/8/8/3k4/8/8/8/KR6 w - - dm 50;\n", Format::Epd)], settings);
    let messages: Vec<&str> = audited.findings.iter().map(|(_, finding)| finding.message.as_str()).collect();
    assert_eq!(messages, ["there is no mate in 50 moves: by the tablebases the win takes more than 50 moves"]);
    assert_eq!(codes_of_line(oracles, "8/8/8/3k4/8/8/8/KR6 w - - dm 51;"), [""; 0]);
}

/// An engine that has the same opinion of every position.
struct Convinced(i32);

impl Engine for Convinced {
    fn ask(&self, question: &Question) -> Result<Answer, EngineError> {
        let best = question.position.legal_moves().first().copied();
        Ok(Answer { score: Score::Centipawns(self.0), best_move: best, line: best.into_iter().collect(), depth: 1, nodes: 1 })
    }
}

/// The loser is ahead by five pawns and more. White is to move at the end.
#[test]
fn engines_see_the_loser_winning_from_five_pawns_on() {
    for (score, result, expected) in [
        (500, "0-1", &["TRU13"][..]),
        (499, "0-1", &[]),
        (0, "0-1", &[]),
        (-500, "0-1", &[]),
        (-500, "1-0", &["TRU13"]),
        (-499, "1-0", &[]),
        (0, "1-0", &[]),
        (500, "1-0", &[]),
        (900, "1/2-1/2", &[]),
    ] {
        let asked = Arc::new(Oracles { tables: None, engine: Some(Box::new(Convinced(score))), nodes: 7 });
        let game = format!(
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
             [Result \"{result}\"]\n\n1. e4 e5 {result}\n"
        );
        let settings = Settings { oracles: asked, ..everything() };
        assert_eq!(audit(vec![input(game.as_bytes(), Format::Pgn)], settings).codes(), expected, "{score} {result}");
    }
}

/// An engine that prefers the first legal move to others, by this many centipawns.
struct Partial(i32);

impl Engine for Partial {
    fn ask(&self, question: &Question) -> Result<Answer, EngineError> {
        let first = question.position.legal_moves()[0];
        let best = question.search_moves.first().copied().unwrap_or(first);
        let score = Score::Centipawns(if best == first { 50 } else { 50 - self.0 });
        Ok(Answer { score, best_move: Some(best), line: vec![best], depth: 1, nodes: 1 })
    }
}

/// An engine has another opinion from one pawn on.
#[test]
fn engines_disagree_from_one_pawn_on() {
    for (loss, expected) in [(99, &[][..]), (100, &["TRU11"]), (500, &["TRU11"])] {
        let asked = Arc::new(Oracles { tables: None, engine: Some(Box::new(Partial(loss))), nodes: 7 });
        let settings = Settings { oracles: asked, ..everything() };
        let line = "4k3/8/8/8/8/8/3R4/4K3 w - - bm Rd7;\n";
        assert_eq!(audit(vec![input(line.as_bytes(), Format::Epd)], settings).codes(), expected, "{loss}");
    }
}
