//! What the last move can have been: held against play, in which it is known.

use std::{collections::BTreeMap, fs, ops::ControlFlow};

use crate::common::lines::examine_line;
use crate::common::{Numbers, corpora, games::games};
use chess_audit::internals::{
    chess::retro::{ANY_START, KnownHistory, LastMoves, STANDARD_START, StartingRanks},
    rules::{Findings, Span},
};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, File, Move, Piece, Position, PositionError, Rank,
    Role, Setup, Square, fen::Fen, san::San,
};

/// So many bytes of each corpus of games are played.
const MOST: usize = 1 << 20;

/// What a FEN of the position tells, with the en passant square or without.
fn known(after: &Chess, double_step: Option<Move>, start: StartingRanks) -> KnownHistory {
    let rooks = after.castles().castling_rights();
    let kings = Color::ALL.into_iter().filter(|&color| (rooks & after.board().by_color(color)).any());
    let kings: Bitboard = kings.filter_map(|color| after.board().king_of(color)).collect();
    let double_step = double_step.and_then(|played| played.from().map(|from| (from, played.to())));
    KnownHistory { unmoved: rooks | kings, double_step, start }
}

fn is_double_step(played: Move) -> bool {
    let ranks = |from: shakmaty::Square| from.rank().distance(played.to().rank());
    played.role() == Role::Pawn && played.from().map(ranks) == Some(2)
}

fn last_moves(after: &Chess, known: KnownHistory) -> LastMoves {
    LastMoves::new(after.board(), after.turn(), known).expect("each side has its king")
}

/// A game in which what is rare is sought: double checks, en passant, promotions, castling, and
/// checks by any of them.
fn directed(number: usize) -> (Chess, Vec<Move>) {
    let mut numbers = Numbers::new(number as u64 + 77);
    let start = if number % 4 == 3 {
        let mut setup = Setup::initial();
        setup.board = Board::chess960(numbers.below(960) as u32);
        setup.castling_rights = setup.board.rooks();
        setup.position(CastlingMode::Chess960).expect("a start is legal")
    } else {
        Chess::default()
    };
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < 200 && !position.is_game_over() {
        let mut score = |played: Move| {
            let mut after = position.clone();
            after.play_unchecked(played);
            let rare = usize::from(played.is_en_passant()) + usize::from(played.is_promotion()) + usize::from(played.is_castle());
            let inviting = is_double_step(played) && after.legal_moves().iter().any(|reply| reply.is_en_passant());
            60 * rare * after.checkers().count()
                + 30 * rare
                + 40 * usize::from(after.checkers().count() == 2)
                + 25 * usize::from(inviting)
                + 8 * usize::from(played.role() == Role::Pawn)
                + numbers.below(20)
        };
        let chosen = position.legal_moves().into_iter().max_by_key(|&played| score(played)).expect("the game is not over");
        position.play_unchecked(chosen);
        moves.push(chosen);
    }
    (start, moves)
}

/// How often each kind of move led to how many checks.
type Counts = BTreeMap<(&'static str, usize), usize>;

/// Holds the moves found at every position of a game against those that were played.
fn compare(start: &Chess, standard: bool, moves: &[Move], counts: &mut Counts) {
    let mut after = start.clone();
    for &played in moves {
        after.play_unchecked(played);
        let double_steps: &[Option<Move>] = if is_double_step(played) { &[None, Some(played)] } else { &[None] };
        let starts: &[bool] = if standard { &[false, true] } else { &[false] };
        for (&standard, &double_step) in starts.iter().flat_map(|start| double_steps.iter().map(move |step| (start, step))) {
            let last = last_moves(&after, known(&after, double_step, if standard { STANDARD_START } else { ANY_START }));
            let place = || format!("{} after {played}", crate::common::games::fen(&after));
            let at_first_sight = last.at_first_sight();
            assert!(at_first_sight.contains(&played), "{}: {at_first_sight:?}", place());
            assert!(last.can_be(|other| other == played), "{}", place());
            assert!(last.exist(), "{}", place());
            assert!(if played.is_zeroing() { last.zeroing() } else { last.quiet() }, "{}", place());
            if double_step.is_some() {
                assert_eq!(at_first_sight, [played], "{}", place());
            }
        }
        let kind = match played {
            Move::Castle { .. } => "castling",
            Move::EnPassant { .. } => "en passant",
            Move::Normal { promotion: Some(_), capture: Some(_), .. } => "capturing promotion",
            Move::Normal { promotion: Some(_), .. } => "promotion",
            Move::Normal { capture: Some(_), .. } => "capture",
            _ if is_double_step(played) => "double step",
            Move::Normal { role: Role::Pawn, .. } => "step",
            _ => "quiet move",
        };
        *counts.entry((kind, after.checkers().count())).or_insert(0) += 1;
    }
}

#[test]
fn the_move_that_was_played_is_among_those_found() {
    let mut counts = Counts::new();
    for game in games(300) {
        compare(&game.start, game.fen.is_none(), &game.moves, &mut counts);
    }
    for number in 0..300 {
        let (start, moves) = directed(number);
        compare(&start, number % 4 != 3, &moves, &mut counts);
    }
    println!("{counts:?}");
    for (kind, checks) in [
        ("castling", 0),
        ("en passant", 1),
        ("capturing promotion", 2),
        ("promotion", 1),
        ("promotion", 2),
        ("capture", 2),
        ("double step", 1),
        ("step", 1),
        ("quiet move", 2),
    ] {
        assert!(counts.contains_key(&(kind, checks)), "no {kind} with {checks} checks: {counts:?}");
    }
}

#[test]
fn rare_checks() {
    for (line, kind, checks) in [
        ("f4 f5 g4 fxg4 f5 Kf7 f6 Kxf6 Nh3 a6 Bg2 a5 O-O", "castling", 1),
        // The pawn checks, and opens the file that it has left.
        ("e4 e5 f4 exf4 e5 Ke7 Qe2 d5 exd6", "en passant", 2),
        // It opens the file that it has left, and the diagonal of the pawn that it took.
        ("e4 e5 f4 exf4 e5 Ke7 Bb5 Ke6 Qe2 a6 Bc4 d5 exd6", "en passant", 2),
    ] {
        let mut position = Chess::default();
        let moves = line.split(' ').map(|san| {
            let san: San = san.parse().expect("SAN is well formed");
            let played = san.to_move(&position).expect("the move is legal");
            position.play_unchecked(played);
            played
        });
        let moves: Vec<Move> = moves.collect();
        let mut counts = Counts::new();
        compare(&Chess::default(), true, &moves, &mut counts);
        assert_eq!(counts.get(&(kind, checks)), Some(&1), "{line}: {counts:?}");
    }
}

/// The position before a move, put together by its own means; `None` where shakmaty knows it to be
/// impossible.
fn position_before(after: &Chess, last: Move) -> Option<Chess> {
    let (mover, other) = (!after.turn(), after.turn());
    let mut setup = Setup::empty();
    setup.board = after.board().clone();
    setup.turn = mover;
    for square in Square::ALL {
        let piece = match last {
            Move::Normal { from, role, .. } if square == from => Some(role.of(mover)),
            Move::Normal { to, capture, .. } if square == to => capture.map(|role| role.of(other)),
            Move::EnPassant { from, .. } if square == from => Some(mover.pawn()),
            Move::EnPassant { to, .. } if square == to => None,
            Move::EnPassant { from, to } if square == Square::from_coords(to.file(), from.rank()) => Some(other.pawn()),
            Move::Castle { king, .. } if square == king => Some(mover.king()),
            Move::Castle { rook, .. } if square == rook => Some(mover.rook()),
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                let gone = [side.king_to(mover), side.rook_to(mover)].contains(&square);
                after.board().piece_at(square).filter(|_| !gone)
            }
            _ => after.board().piece_at(square),
        };
        match piece {
            Some(piece) => setup.board.set_piece_at(square, piece),
            None => setup.board.discard_piece_at(square),
        }
    }
    match last {
        Move::Castle { rook, .. } => setup.castling_rights = Bitboard::from(rook),
        Move::EnPassant { to, .. } => setup.ep_square = Some(to),
        _ => {}
    }
    let position = setup.position(CastlingMode::Chess960);
    // Checks that no move can have given are left to what came before.
    position.or_else(PositionError::ignore_impossible_check).ok()
}

#[test]
fn each_move_found_is_legal_in_the_position_before() {
    let mut found = 0;
    for number in 0..40 {
        let (mut after, moves) = directed(number);
        for played in moves {
            after.play_unchecked(played);
            for last in last_moves(&after, known(&after, None, ANY_START)).at_first_sight() {
                found += 1;
                let place = || format!("{last:?} before {}", crate::common::games::fen(&after));
                let mut before = position_before(&after, last).unwrap_or_else(|| panic!("{}", place()));
                assert!(before.is_legal(last), "{}", place());
                before.play_unchecked(last);
                assert_eq!(before.board(), after.board(), "{}", place());
            }
        }
    }
    println!("{found} moves found");
    assert!(found > 100_000, "{found}");
}

/// Pieces on squares of their own, those without a square anywhere.
fn sparse(pieces: &[(Piece, Option<Square>)], turn: Color, ep_square: Option<Square>, numbers: &mut Numbers) -> Option<Chess> {
    let mut board = Board::empty();
    for &(piece, square) in pieces {
        let square = square.unwrap_or_else(|| Square::new(numbers.below(64) as u32));
        if board.occupied().contains(square) {
            return None;
        }
        board.set_piece_at(square, piece);
    }
    let setup = Setup { board, turn, ep_square, ..Setup::empty() };
    let position = setup.position::<Chess>(CastlingMode::Chess960);
    position.or_else(PositionError::ignore_impossible_check).ok()
}

#[test]
fn every_move_from_sparse_positions_is_found() {
    let mut numbers = Numbers::new(31);
    let mut counts = BTreeMap::new();
    let mut positions = 0;
    while positions < 20_000 {
        let turn = Color::from_white(numbers.below(2) == 0);
        let mut pieces = vec![(turn.king(), None), (turn.other().king(), None)];
        // A pawn that can take en passant, or one that is about to be promoted.
        let file = numbers.below(7) as u32;
        let square = |file: u32, rank: Rank| Square::from_coords(File::new(file), turn.fold_wb(rank, rank.flip_vertical()));
        let passing = numbers.below(2) == 0;
        if passing {
            pieces.push((turn.pawn(), Some(square(file, Rank::Fifth))));
            pieces.push((turn.other().pawn(), Some(square(file + 1, Rank::Fifth))));
        } else {
            pieces.push((turn.pawn(), Some(square(file, Rank::Seventh))));
        }
        for _ in 0..2 + numbers.below(4) {
            let role = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::Queen][numbers.below(5)];
            pieces.push((role.of(if numbers.below(3) == 0 { !turn } else { turn }), None));
        }
        let ep_square = passing.then(|| square(file + 1, Rank::Sixth));
        let Some(before) = sparse(&pieces, turn, ep_square, &mut numbers) else { continue };
        if passing {
            // What EPS05 is about: the double step cannot have been made.
            let mut earlier = before.board().clone();
            earlier.discard_piece_at(square(file + 1, Rank::Fifth));
            earlier.set_piece_at(square(file + 1, Rank::Seventh), turn.other().pawn());
            let king = before.board().king_of(turn).expect("there is a king");
            if earlier.attacks_to(king, !turn, earlier.occupied()).any() {
                continue;
            }
        }
        positions += 1;
        for played in before.legal_moves() {
            let mut after = before.clone();
            after.play_unchecked(played);
            // A double check that is impossible before the move may be so for the position after
            // it.
            if after.checkers().is_empty() && played.role() != Role::Pawn || before.checkers().count() > 1 {
                continue;
            }
            let found = last_moves(&after, known(&after, None, ANY_START)).at_first_sight();
            assert!(found.contains(&played), "{played:?} before {}", crate::common::games::fen(&after));
            let kind = (played.role(), played.is_en_passant(), played.is_promotion(), after.checkers().count());
            *counts.entry(kind).or_insert(0) += 1;
        }
    }
    println!("{counts:?}");
    for (en_passant, promotion, checks) in
        [(true, false, 0), (true, false, 1), (true, false, 2), (false, true, 1), (false, true, 2)]
    {
        assert!(counts.contains_key(&(Role::Pawn, en_passant, promotion, checks)), "{counts:?}");
    }
}

#[test]
fn kings_and_two_checkers() {
    let mut numbers = Numbers::new(8);
    for (roles, ever) in [
        // Of these neither can have uncovered the other.
        ([Role::Knight, Role::Knight], false),
        ([Role::Pawn, Role::Knight], false),
        ([Role::Pawn, Role::Bishop], false),
        ([Role::Bishop, Role::Knight], true),
        ([Role::Rook, Role::Rook], true),
        ([Role::Queen, Role::Queen], true),
    ] {
        let pieces = [Color::White.king(), Color::Black.king(), roles[0].of(Color::White), roles[1].of(Color::White)];
        let pieces = pieces.map(|piece| (piece, None));
        let (mut without, mut total) = (0, 0);
        while total < 400 {
            let Some(position) =
                sparse(&pieces, Color::Black, None, &mut numbers).filter(|position| position.checkers().count() == 2)
            else {
                continue;
            };
            total += 1;
            without += usize::from(!last_moves(&position, KnownHistory::default()).exist());
        }
        println!("{roles:?}: {without} of {total} without a last move");
        assert!(if ever { (250..400).contains(&without) } else { without == 400 }, "{roles:?}: {without}");
    }
}

/// Plays the games of a corpus, and holds each position against the move that led to it.
struct Replay {
    positions: usize,
    counts: Counts,
}

impl Visitor for Replay {
    type Tags = Option<Chess>;
    type Movetext = (Chess, Vec<Move>);
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Self::Tags> {
        ControlFlow::Continue(Some(Chess::default()))
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        // Where a game does not begin in the usual position, it may have begun in any.
        if matches!(name, b"FEN" | b"Variant") {
            *tags = None;
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<(), Self::Movetext> {
        tags.map_or(ControlFlow::Break(()), |start| ControlFlow::Continue((start, Vec::new())))
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, (position, moves): &mut Self::Movetext, san: SanPlus) -> ControlFlow<()> {
        let Ok(played) = san.san.to_move(position) else { return ControlFlow::Break(()) };
        position.play_unchecked(played);
        moves.push(played);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) {
        self.positions += moves.len();
        compare(&Chess::default(), true, &moves, &mut self.counts);
        let mut position = Chess::default();
        for played in moves {
            position.play_unchecked(played);
            let mode = if self.positions.is_multiple_of(2) { EnPassantMode::Always } else { EnPassantMode::Legal };
            let fen = Fen::from_position(&position, mode).to_string();
            let mut findings = Findings::new();
            examine_line(fen.as_bytes(), Span::new(0, fen.len()), &mut findings);
            for finding in findings.all() {
                assert!(!ABOUT_LAST_MOVES.contains(&finding.rule.name), "{} in {fen}: {}", finding.rule.code, finding.message);
            }
        }
    }
}

const ABOUT_LAST_MOVES: [&str; 5] =
    ["no-last-move", "clock-last-move", "ep-prior-check", "ep-impossible-check", "pawn-check-clock"];

#[test]
fn corpora_of_games() {
    let Some(folder) = corpora() else { return };
    let mut replay = Replay { positions: 0, counts: Counts::new() };
    for name in ["twic1599_1000k.pgn", "lichess_db_1000k.pgn", "gnuchess_book_1.02.pgn"] {
        let text = fs::read(folder.join("pgn").join(name)).expect("the corpus can be read");
        let text = &text[..text.len().min(MOST)];
        let mut reader = Reader::new(text);
        while reader.read_game(&mut replay).expect("bytes can be read").is_some() {}
    }
    println!("{} positions: {:?}", replay.positions, replay.counts);
    assert!(replay.positions > 100_000, "{}", replay.positions);
}
