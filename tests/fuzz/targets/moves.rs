//! SAN: each word is read as shakmaty reads it, and games that it wrote are accepted with all
//! plies.

use std::sync::LazyLock;

use chess_audit::internals::{
    chess::{WrittenMove, WrittenSan, checkers_after, resolve},
    record::FastGames,
    rules::{ActiveRules, Selection},
};
use shakmaty::{
    Chess, EnPassantMode, Position, Role,
    fen::Fen,
    san::{San, SanPlus},
};

use crate::common::games::position;

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
pub struct Game {
    /// Its text.
    pub text: String,
    position: Chess,
    /// How many were written that shakmaty plays.
    pub plies: u64,
    /// Whether everything written so far is canonical.
    pub is_canonical: bool,
}

/// Writes a game and reads its words.
pub fn run(bytes: &[u8]) {
    let Some((game, _)) = written(bytes) else { return };
    let accepted = FastGames::default().accept(game.text.as_bytes(), 0, &CHECKS);
    if let Some(accepted) = accepted.filter(|_| game.is_canonical) {
        assert_eq!(u64::from(accepted.plies), game.plies, "{}", game.text);
    }
}

static CHECKS: LazyLock<ActiveRules> = LazyLock::new(|| ActiveRules::of(&Selection::default()));

/// A game, and the word that ends it because shakmaty refuses it. The first byte chooses the start,
/// each byte after it a legal move, a change of its text, or another word.
pub fn written(bytes: &[u8]) -> Option<(Game, Option<String>)> {
    let (&first, choices) = bytes.split_first()?;
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
    game.text.push_str("*\n\n");
    Some((game, refused))
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
}
