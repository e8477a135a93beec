//! SAN and replay: legal moves are never accused, and moves that shakmaty refuses are never played.

use chess_audit::internals::{
    chess::{WrittenMove, WrittenSan, checkers_after, resolve},
    rules::Severity,
    text::Format,
};
use shakmaty::{
    Chess, EnPassantMode, Position, Role,
    fen::Fen,
    san::{San, SanPlus},
};

use crate::{
    common::{audit_as_it_is, everything, games::position, invariants},
    differential::second_reader,
    fast_path_games,
};

/// Starts other than the starting position: `0` chooses that.
const STARTS: [&str; 9] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "nrb1kbrq/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/NRB1KBRQ w GBgb - 0 3",
    "3k4/8/8/KPp4r/8/8/8/8 w - c6 0 2",
    "7k/8/3N4/8/2N1N3/8/8/2N1K3 w - - 0 40",
    "8/8/8/8/8/5k2/7p/7K b - - 0 60",
];

/// How many plies of a game are read.
const MAX_PLIES: usize = 120;

/// A game as it is being written.
struct Game {
    text: String,
    position: Chess,
    plies: u64,
    /// Whether everything written so far is canonical.
    is_canonical: bool,
}

/// The first byte chooses the start, each byte after it a legal move, a change of its text, or
/// another word.
pub fn run(bytes: &[u8]) {
    let Some((&first, choices)) = bytes.split_first() else { return };
    let start = usize::from(first).checked_sub(1).map(|number| STARTS[number % STARTS.len()]);
    let mut game = Game { text: header(start), position: start.map(position).unwrap_or_default(), plies: 0, is_canonical: true };
    let mut choices = choices.iter().copied();
    let mut refused = None;
    while let (Some(choice), true) = (choices.next(), game.plies < MAX_PLIES as u64) {
        let legal = game.position.legal_moves();
        if choice < 200 {
            let Some(&played) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            let mut after = game.position.clone();
            let san = SanPlus::from_move_and_play_unchecked(&mut after, played).to_string();
            game.write(&san);
            assert_eq!(checkers_after(&after, played), after.checkers(), "{}", game.text);
            game.position = after;
            game.plies += 1;
            continue;
        }
        let word = match (choice, legal.get(usize::from(choice) % legal.len().max(1))) {
            (200..=239, Some(&played)) => {
                let san = SanPlus::from_move_and_play_unchecked(&mut game.position.clone(), played).to_string();
                changed(&san, choices.next().unwrap_or_default(), choices.next().unwrap_or_default())
            }
            _ => {
                (&mut choices).take(usize::from(choice) % 8).filter(|byte| (b'!'..=b'~').contains(byte)).map(char::from).collect()
            }
        };
        if word.is_empty() || word.starts_with(['%', ';', '{', '[', '(', ')', '}', '*', '$', '!', '?']) {
            continue;
        }
        game.is_canonical = false;
        if !game.try_word(&word) {
            refused = Some(word);
            break;
        }
    }
    game.end(refused.as_deref());
}

fn header(start: Option<&str>) -> String {
    let setup = start.map(|fen| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")).unwrap_or_default();
    let variant = if start.is_some_and(|fen| fen.contains("GBgb")) { "[Variant \"Chess960\"]\n" } else { "" };
    format!(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n[Black \"B\"]\n\
         [Result \"*\"]\n{variant}{setup}\n"
    )
}

/// The word with a byte replaced, removed or inserted.
fn changed(word: &str, how: u8, with: u8) -> String {
    let mut bytes = word.as_bytes().to_vec();
    let at = usize::from(how) % bytes.len();
    let letter = b"abcdefgh12345678KQRBNxO-+#=0kqrbnP"[usize::from(with) % 34];
    match how / 64 {
        0 => bytes[at] = letter,
        1 => drop(bytes.remove(at)),
        2 => bytes.insert(at, letter),
        _ => bytes.push(letter),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Game {
    fn write(&mut self, word: &str) {
        let number = self.position.fullmoves();
        match self.position.turn() {
            shakmaty::Color::White => self.text.push_str(&format!("{number}. {word} ")),
            shakmaty::Color::Black if self.plies == 0 || !self.is_canonical => {
                self.text.push_str(&format!("{number}... {word} "));
            }
            shakmaty::Color::Black => self.text.push_str(&format!("{word} ")),
        }
    }

    /// Writes a word that may be a move, and plays it if shakmaty does. Returns whether reading
    /// goes on.
    fn try_word(&mut self, word: &str) -> bool {
        let ours = WrittenSan::read(word.as_bytes());
        let theirs = SanPlus::from_ascii(word.as_bytes()).ok();
        let meant = theirs.as_ref().and_then(|san| san.san.to_move(&self.position).ok());
        let resolved = ours.as_ref().and_then(|san| resolve(&self.position, self.position.checkers(), san));
        // `7b5` is the move b5 after a number without a period.
        let begins_with_number = word.starts_with(|first: char| first.is_ascii_digit());
        if let (Some(meant), Some(theirs)) = (meant, &theirs)
            && !begins_with_number
            && !matches!(
                theirs.san,
                San::Null | San::Put { .. } | San::Normal { role: Role::Pawn, file: None, capture: true, .. }
            )
        {
            assert!(ours.is_some(), "shakmaty reads {word}");
            let resolved = resolved.map(|resolved| resolved.played);
            assert_eq!(resolved, Some(meant), "{word} in {}", Fen::from_position(&self.position, EnPassantMode::Always));
        }
        if let Some(resolved) = resolved {
            assert!(self.position.is_legal(resolved.played), "{word} in {:?}", self.position);
            let ours = ours.expect("it was resolved");
            if matches!(ours.what, WrittenMove::Normal { .. }) && ours.capture == resolved.played.is_capture() && theirs.is_some()
            {
                assert_eq!(meant, Some(resolved.played), "{word}");
            }
        }
        self.write(word);
        match (theirs.map(|theirs| theirs.san), meant) {
            (Some(San::Null | San::Put { .. }) | None, _) | (_, None) => false,
            (Some(_), Some(played)) => {
                self.position.play_unchecked(played);
                self.plies += 1;
                true
            }
        }
    }

    /// Audits the game. After the word `refused`, nothing is known.
    fn end(mut self, refused: Option<&str>) {
        self.text.push_str("*\n\n");
        let text = self.text.as_bytes();
        let result = audit_as_it_is(text, Format::Pgn, everything());
        invariants::check(text, &result);
        let plies = result.summary.counts.plies;
        let moves = |code: &str| code.starts_with("MOV") || code.starts_with("SYN") || code.starts_with("NUM");
        if self.is_canonical {
            assert_eq!((plies, result.summary.counts.games), (self.plies, 1), "{}", self.text);
            let accused: Vec<String> = invariants::accusations(&result.findings)
                .filter(|finding| moves(&finding.rule.code.to_string()))
                .map(ToString::to_string)
                .collect();
            assert!(accused.is_empty(), "{accused:?}\n{}", self.text);
            let seen: u64 = second_reader(text).iter().map(|seen| seen.plies).sum();
            assert_eq!(seen, self.plies, "{}", self.text);
        } else {
            assert!(plies >= self.plies || !result.findings.is_empty(), "{plies} of {} plies: {}", self.plies, self.text);
        }
        // What SAN can say and shakmaty refuses is not played silently. Annotations such as `!` are
        // not SAN for it.
        let is_san =
            |word: &&str| WrittenSan::canonical(word.as_bytes()).is_some() && SanPlus::from_ascii(word.as_bytes()).is_ok();
        if let Some(word) = refused.filter(|word| is_san(word) && *word != "--") {
            let is_said = result.findings.iter().any(|(_, finding)| finding.severity >= Severity::Info);
            assert!(is_said, "{word} is accepted silently: {}", self.text);
        }
        fast_path_games::compare_once(text);
    }
}
