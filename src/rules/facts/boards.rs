//! Two related records, each with a board, so that people can compare them.

use shakmaty::Square;

use crate::{
    chess::{Arrow, fen_of, san_of},
    identity::{GameCard, PositionCard, answer_arrows},
    pgn::KnownTag,
    rules::{Marks, RecordBoard, shown},
    text::wording::quantity,
};

/// Two games: the position before a ply in which they differ, with both moves, or else the last
/// position of each. `None` if one cannot be replayed as chess.
pub fn boards_of_games(game: &GameCard<'_>, other: &GameCard<'_>, ply: Option<u32>) -> Option<[RecordBoard; 2]> {
    let differ = game.plies != other.plies;
    Some([game_board(game, "This game", ply, differ)?, game_board(other, "Other game", ply, differ)?])
}

/// The position before a ply with its move, or the last one. Its move is marked only if the games
/// differ.
fn game_board(card: &GameCard<'_>, name: &str, ply: Option<u32>, differ: bool) -> Option<RecordBoard> {
    let all = card.plies.len();
    let at = ply.map_or(all.checked_sub(1), |ply| usize::try_from(ply).ok()?.checked_sub(1));
    let before = card.position_after(at.unwrap_or(0))?;
    let played = at.and_then(|at| card.plies.get(at)?.played_in(&before));
    let arrow = played.filter(|_| differ).and_then(Arrow::of);
    let (title, position) = match ply.zip(played) {
        Some((ply, played)) => (format!("{name}, ply {ply}: {}", san_of(&before, played)), before),
        None => (format!("{name}, after {}", quantity(all, "ply", "plies")), card.position_after(all)?),
    };
    let marks = Marks { written: arrow.into_iter().collect(), ..Marks::default() };
    Some(RecordBoard { title, fen: fen_of(&position), marks, values: header(card) })
}

/// The values that tell games apart.
fn header(card: &GameCard<'_>) -> Vec<String> {
    let value = |tag| match (tag, card.tag(tag)) {
        (KnownTag::White | KnownTag::Black, "") => "?".to_owned(),
        (KnownTag::Round, round) if !round.is_empty() => format!("round {round}"),
        (_, value) => value.to_owned(),
    };
    let tags = [KnownTag::White, KnownTag::Black, KnownTag::Event, KnownTag::Date, KnownTag::Round, KnownTag::Result];
    tags.map(value).into()
}

/// Two position lines, with the moves and the en passant squares that they name.
pub fn boards_of_positions(position: &PositionCard<'_>, other: &PositionCard<'_>) -> Option<[RecordBoard; 2]> {
    Some([position_board(position, "This position")?, position_board(other, "Other position")?])
}

fn position_board(card: &PositionCard<'_>, name: &str) -> Option<RecordBoard> {
    let square: Option<Square> = card.en_passant_square().and_then(|square| square.parse().ok());
    let marks = Marks { written: answer_arrows(card), squares: square.into_iter().collect(), ..Marks::default() };
    let operations = shown(card.operations().of(card.text).trim_ascii());
    Some(RecordBoard { title: name.to_owned(), fen: shown(&card.fields()?), marks, values: vec![operations] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{CardUse, FirstPosition, MainLine, Ply};

    /// The card of a game of chess with these tags and plies.
    fn card<'a>(tags: &[(KnownTag, &'a str)], plies: &[[Square; 2]]) -> GameCard<'a> {
        let plies: Vec<Ply> = plies.iter().map(|[from, to]| Ply::new(*from, *to, None)).collect();
        let line = MainLine { plies, ..MainLine::default() };
        GameCard { keys: line.keys(CardUse::Copies), tags: tags.to_vec(), plies: line.plies.into(), ..GameCard::default() }
    }

    const OPEN: [[Square; 2]; 5] = [
        [Square::E2, Square::E4],
        [Square::E7, Square::E5],
        [Square::G1, Square::F3],
        [Square::B8, Square::C6],
        [Square::F1, Square::B5],
    ];

    fn arrows(board: &RecordBoard) -> Vec<String> {
        board.marks.written.iter().map(|arrow| arrow.to_string()).collect()
    }

    #[test]
    fn last_positions_are_shown_unless_a_ply_differs() {
        let castled = [&OPEN[..], &[[Square::G8, Square::F6], [Square::E1, Square::H1]]].concat();
        let (short, long) = (card(&[], &OPEN), card(&[(KnownTag::Round, "3")], &castled));
        let [own, other] = boards_of_games(&short, &long, None).expect("boards");
        assert_eq!((own.title.as_str(), other.title.as_str()), ("This game, after 5 plies", "Other game, after 7 plies"));
        assert_eq!(own.fen, "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
        // Castling is drawn as the move of the king.
        assert_eq!((arrows(&own), arrows(&other)), (vec!["f1b5".to_owned()], vec!["e1g1".to_owned()]));
        assert_eq!((own.values[4].as_str(), other.values[4].as_str()), ("", "round 3"));

        let version = [&OPEN[..4], &[[Square::F1, Square::C4]]].concat();
        let [own, other] = boards_of_games(&short, &card(&[], &version), Some(5)).expect("boards");
        assert_eq!((own.title.as_str(), other.title.as_str()), ("This game, ply 5: Bb5", "Other game, ply 5: Bc4"));
        assert_eq!(own.fen, other.fen);
        assert_eq!((arrows(&own), arrows(&other)), (vec!["f1b5".to_owned()], vec!["f1c4".to_owned()]));

        let [own, other] = boards_of_games(&short, &short, None).expect("boards");
        assert!(own.marks == Marks::default() && own.fen == other.fen);
    }

    #[test]
    fn null_moves_pass_and_variants_have_no_boards() {
        let null = [&OPEN[..3], &[[Square::A1, Square::A1]]].concat();
        let [own, _] = boards_of_games(&card(&[], &null), &card(&[], &[]), None).expect("boards");
        assert_eq!(own.fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
        assert_eq!(arrows(&own), [""; 0]);

        let first = FirstPosition::of_variant("atomic", "", shakmaty::Color::White);
        let atomic = GameCard { keys: MainLine { first, ..MainLine::default() }.keys(CardUse::Copies), ..card(&[], &OPEN) };
        assert_eq!(boards_of_games(&atomic, &atomic, None), None);
    }

    #[test]
    fn answers_and_en_passant_squares_are_marked() {
        let of = |line| PositionCard::of_line(line).expect("a card");
        let own = of(b"4k3/8/8/8/4P3/8/8/4K3 b - e3 bm Kd7; id \"a\";");
        let [own, other] = boards_of_positions(&own, &of(b"4k3/8/8/8/4P3/8/8/4K3 b - - am Kf8 Kd7;")).expect("boards");
        assert_eq!((arrows(&own), arrows(&other)), (vec!["e8d7".to_owned()], vec!["e8f8".to_owned(), "e8d7".to_owned()]));
        assert_eq!((own.marks.squares, other.marks.squares), (Square::E3.into(), shakmaty::Bitboard::EMPTY));
        assert_eq!(own.values, ["bm Kd7; id \"a\";"]);
    }
}
