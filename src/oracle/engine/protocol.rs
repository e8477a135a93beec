//! What an engine writes in UCI, as text.

use shakmaty::{Chess, Move, Position, uci::UciMove};

use super::{
    answer::{Answer, MateLine, Score},
    error::{Lie, shown},
    question::Question,
};

/// A line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply<'a> {
    UciOk,
    ReadyOk,
    /// The name of the engine.
    Name(&'a str),
    /// The name of an option.
    Option(&'a str),
    Info(Info<'a>),
    BestMove(&'a str),
    /// Anything else. Engines may write what they like.
    Other,
}

/// What is needed of a line `info`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Info<'a> {
    depth: u32,
    nodes: u64,
    /// An exact score: no bound.
    score: Option<Score>,
    /// The moves of the line, as far as they are written as moves.
    line: Vec<&'a str>,
}

/// Reads a line.
pub(super) fn read_reply(text: &str) -> Result<Reply<'_>, Lie> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim_start();
    Ok(match word {
        "uciok" => Reply::UciOk,
        "readyok" => Reply::ReadyOk,
        "id" => rest.strip_prefix("name ").map_or(Reply::Other, |name| Reply::Name(name.trim())),
        "option" => option_name(rest).map_or(Reply::Other, Reply::Option),
        "info" => Reply::Info(info(rest).ok_or_else(|| Lie::Nonsense(shown(text)))?),
        "bestmove" => Reply::BestMove(rest.split_whitespace().next().ok_or_else(|| Lie::Nonsense(shown(text)))?),
        _ => Reply::Other,
    })
}

/// The name in `name Clear Hash type button`.
fn option_name(text: &str) -> Option<&str> {
    let name = text.strip_prefix("name ")?;
    Some(name.find(" type ").map_or(name, |end| &name[..end]).trim())
}

/// Reads what follows `info`; `None` if a number is not a number.
fn info(text: &str) -> Option<Info<'_>> {
    let mut info = Info::default();
    let mut is_bound = false;
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "string" | "refutation" | "currline" => break,
            "depth" => info.depth = words.next()?.parse().ok()?,
            "nodes" => info.nodes = words.next()?.parse().ok()?,
            // Only the first line is asked for.
            "multipv" if words.next()? != "1" => return Some(Info::default()),
            "score" => {
                info.score = Some(match (words.next()?, words.next()?) {
                    ("cp", number) => Score::Centipawns(number.parse().ok()?),
                    ("mate", number) => Score::Mate(number.parse().ok()?),
                    _ => return None,
                });
            }
            "lowerbound" | "upperbound" => is_bound = true,
            "pv" => {
                info.line = words.by_ref().take_while(|word| UciMove::from_ascii(word.as_bytes()).is_ok()).collect();
            }
            _ => {}
        }
    }
    if is_bound {
        info.score = None;
    }
    Some(info)
}

/// The last score of a search, with its line.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    last: Option<(Score, u32, u64, Vec<String>)>,
}

impl Search {
    /// Notes a line `info`. Lines without an exact score depend on the time, and do not count.
    pub fn note(&mut self, info: &Info) {
        if let Some(score) = info.score {
            let line = info.line.iter().map(|text| (*text).to_owned()).collect();
            self.last = Some((score, info.depth, info.nodes, line));
        }
    }

    /// The answer, when the best move is known.
    pub fn answer(self, best_move: &str, question: &Question) -> Result<Answer, Lie> {
        let position = &question.position;
        if matches!(best_move, "(none)" | "none" | "0000" | "NULL" | "null") {
            return Err(Lie::NoMove);
        }
        let best = legal_move(best_move, position).ok_or_else(|| Lie::IllegalMove(shown(best_move)))?;
        if !question.search_moves.is_empty() && !question.search_moves.contains(&best) {
            return Err(Lie::OtherMove(shown(best_move)));
        }
        let (score, depth, nodes, texts) = self.last.ok_or(Lie::NoScore)?;
        let (line, illegal) = legal_line(&texts, position);
        // The line is the proof of a mate. The end of other lines is not used.
        if let Some(text) = illegal
            && (line.is_empty() || matches!(score, Score::Mate(_)))
        {
            return Err(Lie::IllegalMove(shown(text)));
        }
        let answer = Answer { score, best_move: Some(best), line, depth, nodes };
        match (score, answer.mate_line(position)) {
            (Score::Mate(moves), MateLine::False) => Err(Lie::FalseMate(moves)),
            _ => Ok(answer),
        }
    }
}

/// The legal move that is written. Castling may be the move of the king or the king that takes its
/// rook.
fn legal_move(text: &str, position: &Chess) -> Option<Move> {
    text.parse::<UciMove>().ok()?.to_move(position).ok()
}

/// The moves of a line up to the first that is not legal, and that one.
fn legal_line<'a>(texts: &'a [String], position: &Chess) -> (Vec<Move>, Option<&'a str>) {
    let mut position = position.clone();
    let mut line = Vec::with_capacity(texts.len());
    for text in texts {
        let Some(next) = legal_move(text, &position) else { return (line, Some(text)) };
        position.play_unchecked(next);
        line.push(next);
    }
    (line, None)
}

/// An answer as the two lines of an engine, without a line break, for [`read_answer`].
pub(super) fn write_answer(answer: &Answer) -> Option<String> {
    let mut text = match answer.score {
        Score::Centipawns(score) => format!("depth {} nodes {} score cp {score}", answer.depth, answer.nodes),
        Score::Mate(moves) => format!("depth {} nodes {} score mate {moves}", answer.depth, answer.nodes),
    };
    if !answer.line.is_empty() {
        text.push_str(" pv");
    }
    for next in &answer.line {
        text.push(' ');
        UciMove::from_chess960(*next).append_to_string(&mut text);
    }
    text.push_str(" bestmove ");
    UciMove::from_chess960(answer.best_move?).append_to_string(&mut text);
    Some(text)
}

/// Reads what [`write_answer`] has written, with the same checks as an answer of the engine.
pub(super) fn read_answer(text: &str, question: &Question) -> Option<Answer> {
    let (search, best_move) = text.split_once(" bestmove ")?;
    let mut noted = Search::default();
    noted.note(&info(search)?);
    noted.answer(best_move, question).ok()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::oracle::engine::Limit;

    fn question(fen: &str, mode: CastlingMode) -> Question {
        let position = fen.parse::<Fen>().expect("a FEN").into_position(mode).expect("a position");
        Question::new(position, Limit::Nodes(1))
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/1p6/8/R6K w - - 0 1";

    /// The answer to lines of an engine.
    fn answer(fen: &str, lines: &[&str], best_move: &str) -> Result<Answer, Lie> {
        let mut search = Search::default();
        for line in lines {
            if let Reply::Info(info) = read_reply(line)? {
                search.note(&info);
            }
        }
        search.answer(best_move, &question(fen, CastlingMode::Chess960))
    }

    #[test]
    fn replies_are_read() {
        for (text, reply) in [
            ("uciok", Reply::UciOk),
            ("  readyok  ", Reply::ReadyOk),
            ("id name  Stockfish 17 ", Reply::Name("Stockfish 17")),
            ("id author somebody", Reply::Other),
            ("option name Clear Hash type button", Reply::Option("Clear Hash")),
            ("option name UCI_Chess960 type check default false", Reply::Option("UCI_Chess960")),
            ("bestmove e2e4 ponder e7e5", Reply::BestMove("e2e4")),
            ("bestmove\te2e4", Reply::BestMove("e2e4")),
            ("info string score cp x", Reply::Info(Info::default())),
            ("info depth 5 multipv 2 score cp 3 pv e2e4", Reply::Info(Info::default())),
            ("copyprotection ok", Reply::Other),
            ("", Reply::Other),
        ] {
            assert_eq!(read_reply(text), Ok(reply), "{text}");
        }
        let read = "info depth 3 seldepth 4 multipv 1 score cp -12 nodes 77 nps 9 hashfull 0 tbhits 0 time 1 pv e2e4 e7e5";
        let info = Info { depth: 3, nodes: 77, score: Some(Score::Centipawns(-12)), line: vec!["e2e4", "e7e5"] };
        assert_eq!(read_reply(read), Ok(Reply::Info(info)));
        for bound in ["lowerbound", "upperbound"] {
            let text = format!("info depth 3 score cp 5 {bound} nodes 7");
            let Ok(Reply::Info(info)) = read_reply(&text) else { panic!("{text}") };
            assert_eq!(info.score, None, "{text}");
        }
    }

    #[test]
    fn nonsense_is_an_error() {
        for text in ["bestmove", "info depth x", "info score", "info score cp", "info score cp e4", "info score mate 99999999999"]
        {
            assert_eq!(read_reply(text), Err(Lie::Nonsense(text.to_owned())));
        }
        let long = format!("info score cp \u{1b}{}", "9".repeat(1000));
        let Err(Lie::Nonsense(shown)) = read_reply(&long) else { panic!("{long}") };
        assert!(shown.len() < 200 && !shown.contains('\u{1b}'), "{shown}");
    }

    #[test]
    fn answers_are_legal() {
        let scored = "info depth 1 score cp 7 nodes 5";
        for (best_move, lie) in [
            ("a1b2", Lie::IllegalMove("a1b2".to_owned())),
            ("g8h8", Lie::IllegalMove("g8h8".to_owned())),
            ("e7e8q", Lie::IllegalMove("e7e8q".to_owned())),
            ("Ra8", Lie::IllegalMove("Ra8".to_owned())),
            ("(none)", Lie::NoMove),
            ("0000", Lie::NoMove),
        ] {
            assert_eq!(answer(BACK_RANK, &[scored], best_move), Err(lie));
        }
        assert_eq!(answer(BACK_RANK, &[], "a1a8"), Err(Lie::NoScore));
        assert_eq!(answer(BACK_RANK, &["info depth 1 score cp 7 lowerbound"], "a1a8"), Err(Lie::NoScore));
        assert_eq!(
            answer(BACK_RANK, &["info score cp 7 pv a1b2 h7h6"], "a1a8"),
            Err(Lie::IllegalMove("a1b2".to_owned())),
            "the first move of the line"
        );
        // The end of a line is cut off where it is not legal.
        let cut = answer(BACK_RANK, &["info score cp 7 pv a1a2 b3a2 a2a3"], "a1a2").expect("an answer");
        assert_eq!(cut.line.len(), 2);
    }

    #[test]
    fn a_mate_is_replayed() {
        let mate = |moves: i32, line: &str| answer(BACK_RANK, &[&format!("info depth 9 score mate {moves} pv {line}")], "a1a8");
        assert!(mate(1, "a1a8").is_ok());
        assert!(mate(4, "a1a8").is_ok());
        assert!(mate(2, "h1g1 h7h6").is_ok(), "the line is short");
        assert_eq!(mate(1, "a1a7"), Err(Lie::FalseMate(1)));
        assert_eq!(mate(2, "h1g1 h7h6 a1a8"), Err(Lie::FalseMate(2)));
        assert_eq!(mate(3, "h1g1 h7h6 a1a9"), Ok(mate(3, "h1g1 h7h6").expect("no move")), "this is no move at all");
        assert_eq!(mate(3, "h1g1 h7h6 a1b8"), Err(Lie::IllegalMove("a1b8".to_owned())));
        assert_eq!(mate(0, ""), Err(Lie::FalseMate(0)));
        assert_eq!(mate(-1, "a1a8"), Err(Lie::FalseMate(-1)));
    }

    #[test]
    fn only_requested_moves_are_answers() {
        let mut asked = question(BACK_RANK, CastlingMode::Standard);
        asked.search_moves.extend(legal_move("a1a7", &asked.position));
        let mut search = Search::default();
        search.note(&Info { score: Some(Score::Centipawns(1)), ..Info::default() });
        assert_eq!(search.clone().answer("a1a8", &asked), Err(Lie::OtherMove("a1a8".to_owned())));
        assert!(search.answer("a1a7", &asked).is_ok());
    }

    #[test]
    fn castling_and_promotion_are_read_in_both_forms() {
        let castle =
            |fen: &str, mode, text: &str| legal_move(text, &question(fen, mode).position).is_some_and(|it| it.is_castle());
        let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in ["e1g1", "e1h1", "e1c1", "e1a1"] {
            assert!(castle(standard, CastlingMode::Standard, text), "{text}");
            assert!(castle(standard, CastlingMode::Chess960, text), "{text}");
        }
        let other = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1";
        for text in ["e1g1", "e1b1"] {
            assert!(castle(other, CastlingMode::Chess960, text), "{text}");
        }
        assert!(!castle(other, CastlingMode::Chess960, "e1f1"));
        let promotion = question("8/P6k/8/8/8/8/8/K7 w - - 0 1", CastlingMode::Standard);
        for (text, is_legal) in [("a7a8q", true), ("a7a8N", true), ("a7a8", false), ("a7a8k", false), ("a7a8p", false)] {
            assert_eq!(legal_move(text, &promotion.position).is_some(), is_legal, "{text}");
        }
    }

    #[test]
    fn answers_can_be_written_and_read_again() {
        for (fen, lines, best_move) in [
            (BACK_RANK, &["info depth 9 nodes 12 score mate 1 pv a1a8"][..], "a1a8"),
            (BACK_RANK, &["info depth 1 score cp -7 nodes 18446744073709551615"], "a1a7"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &["info score cp 0 pv e1g1 e8c8 f1f8"], "e1g1"),
            ("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1", &["info score cp 0 pv e1b1 e8g8 g1f1"], "e1b1"),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", &["info score cp 900 pv a7a8q h7g7"], "a7a8q"),
        ] {
            let answer = answer(fen, lines, best_move).expect("an answer");
            let written = write_answer(&answer).expect("there is a move");
            assert_eq!(read_answer(&written, &question(fen, CastlingMode::Chess960)), Some(answer), "{written}");
        }
        for text in ["", "score cp 1", "score cp 1 bestmove a1b2", "bestmove a1a8", "score cp x bestmove a1a8"] {
            assert_eq!(read_answer(text, &question(BACK_RANK, CastlingMode::Standard)), None, "{text}");
        }
    }
}
