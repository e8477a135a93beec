use shakmaty::{CastlingMode, Color, EnPassantMode, Position, PositionError, fen::Fen};

use super::{structures::Captures, *};
use crate::chess::Board;

/// A position, which may have any number of promoted pieces.
fn chess(fen: &str) -> Chess {
    let position = fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard);
    position.or_else(PositionError::ignore_too_much_material).expect(fen)
}

/// What is proven without a search.
fn quick_winnability(position: &Chess, winner: Color) -> Winnability {
    let (position, castling) = SearchPosition::new(position).expect("kings");
    quick(&position, &castling, winner)
}

/// What is proven with a search of up to `max_positions` positions.
fn winnability(position: &Chess, winner: Color, max_positions: usize) -> Winnability {
    let (position, castling) = SearchPosition::new(position).expect("kings");
    match quick(&position, &castling, winner) {
        Winnability::Undecided => search(&position, &castling, winner, max_positions, |_| false),
        decided => decided,
    }
}

/// What is proven about White and Black, without a search and with one.
fn both(fen: &str) -> [String; 2] {
    let position = chess(fen);
    let shown = |verdicts: [Winnability; 2]| {
        let letters = verdicts.map(|verdict| match verdict {
            Winnability::Winnable => '+',
            Winnability::Unwinnable => '-',
            Winnability::Undecided => '?',
        });
        letters.into_iter().collect()
    };
    let colors = [Color::White, Color::Black];
    [
        shown(colors.map(|color| quick_winnability(&position, color))),
        shown(colors.map(|color| winnability(&position, color, MAX_POSITIONS))),
    ]
}

#[test]
fn pieces_that_can_checkmate() {
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--"),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "--"),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "--"),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", "+-"),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", "+-"),
        ("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", "+-"),
        // A queen never leaves its king without an answer to a lone knight. The others may.
        ("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", "-+"),
        ("3rk3/8/8/8/8/8/8/4KN2 w - - 0 1", "++"),
        ("3bk3/8/8/8/8/8/8/4KN2 w - - 0 1", "++"),
        ("3nk3/8/8/8/8/8/8/4KN2 w - - 0 1", "++"),
        ("4k3/3p4/8/8/8/8/8/4KN2 w - - 0 1", "++"),
        // A lone bishop needs a piece on the squares of the other colour that cannot capture it.
        ("3qk3/8/8/8/8/8/8/4KB2 w - - 0 1", "-+"),
        ("3rk3/8/8/8/8/8/8/4KB2 w - - 0 1", "-+"),
        ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", "--"),
        ("3bk3/8/8/8/8/8/8/4KB2 w - - 0 1", "++"),
        ("3nk3/8/8/8/8/8/8/4KB2 w - - 0 1", "++"),
        ("4k3/3p4/8/8/8/8/8/4KB2 w - - 0 1", "++"),
    ] {
        assert_eq!(both(fen)[1], expected, "{fen}");
    }
}

#[test]
fn blocked_positions() {
    for (fen, expected) in [
        // The bishop never attacks a pawn, and the kings cannot pass.
        ("8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 w - - 0 1", "--"),
        ("8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - - 0 1", "??"),
        // White's pawns come as far as the black ones, which they cannot capture.
        ("1k6/p1p1p1p1/P1P1P1P1/p1p1p1p1/8/8/P1P1P1P1/4K3 w - - 0 1", "--"),
        // Black's bishops never attack the square of a king that cannot leave.
        ("8/4b3/3b1k2/8/8/5Bp1/6Pp/7K w - - 0 1", "?-"),
        ("8/4b3/2b2k2/8/8/5Bp1/6Pp/7K w - - 0 1", "??"),
        // Black's pawn can pass the one that blocks it, by a capture en passant on the next file.
        ("5kBR/2b1pP1P/1p1pP2P/1P1P4/7p/7P/K5P1/8 w - - 0 1", "??"),
        // The chain lets pieces through on the h-file.
        ("5k2/4p3/3pPp2/2pP1Pp1/1pPK2Pp/pP5P/P7/8 w - - 0 1", "--"),
        ("5k2/4r3/3pPp2/2pP1Pp1/1pPK2Pp/pP5P/P7/8 w - - 0 1", "??"),
    ] {
        assert_eq!(both(fen)[0], expected, "{fen}");
    }
    assert_eq!(both("8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - - 0 1")[1], "++");
    assert_eq!(both("5k2/4r3/3pPp2/2pP1Pp1/1pPK2Pp/pP5P/P7/8 w - - 0 1")[1], "++");
}

#[test]
fn forced_moves() {
    for (fen, expected) in [
        // Black must capture the last pawn.
        ("6nk/6Pp/8/8/7K/8/8/8 b - - 0 1", "-?"),
        ("8/8/8/7p/5k1K/7P/8/8 w - - 0 1", "?-"),
        // Checkmate and stalemate.
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "+-"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--"),
        ("5k2/5P2/5K2/8/8/8/8/8 b - - 0 1", "--"),
    ] {
        assert_eq!(both(fen)[0], expected, "{fen}");
    }
}

#[test]
fn castling_and_en_passant_are_moves() {
    let position = chess("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1");
    let (mut next, _) = SearchPosition::new(&position).expect("kings");
    assert!(Confinement::of(&next, Color::Black).is_some());
    next.en_passant = Some(shakmaty::Square::E6);
    assert!(Confinement::of(&next, Color::Black).is_none(), "a capture en passant is left to the search");
    let castled = chess("4k3/8/8/8/8/p1p1p1p1/P1P1P1P1/4K2R w K - 0 1");
    assert_eq!(winnability(&castled, Color::White, MAX_POSITIONS), Winnability::Winnable);
}

#[test]
fn limits_leave_positions_undecided() {
    let position = Chess::default();
    assert_eq!(winnability(&position, Color::White, 10), Winnability::Undecided);
    assert_eq!(winnability(&position, Color::White, 100_000), Winnability::Winnable);
}

/// Ordinary positions are not searched. What is not proven passes.
#[test]
fn a_glance_leaves_ordinary_positions_alone() {
    for (fen, white, black) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true, true),
        ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", true, true),
        ("4k3/4p3/8/8/8/8/3P4/4K3 w - - 0 1", true, true),
        ("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", true, false),
        ("8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 w - - 0 1", false, false),
        ("8/2k2r2/8/1p1p1p1p/1P1P1P1P/4BR2/2K5/8 w - - 0 1", false, false),
        ("8/2k2r2/7p/1p1p1p2/1P1P1P1P/4BR2/2K5/8 w - - 0 1", true, true),
        ("6nk/6Pp/8/8/7K/8/8/8 b - - 0 1", false, true),
        // Black has two moves, and White keeps the queen; Black has one, which captures the last
        // pawn.
        ("8/8/8/8/2K5/Q7/8/1k6 b - - 0 1", true, false),
        ("8/8/8/8/8/8/5k1p/7K w - - 0 1", false, false),
    ] {
        let (position, _) = SearchPosition::new(&chess(fen)).expect(fen);
        assert_eq!([Color::White, Color::Black].map(|color| position.looks_winnable(color)), [white, black], "{fen}");
    }
}

/// Positions of random games look the same on the fast board, which counts moves first.
#[test]
fn the_fast_board_looks_the_same() {
    let (mut state, mut seen) = (5_u64, [0; 4]);
    for _ in 0..150 {
        let mut position = Chess::default();
        for _ in 0..300 {
            let board = Board::of(&position);
            let (searched, _) = SearchPosition::new(&position).expect("kings");
            let (black, legal) = (position.turn().is_black(), position.legal_moves());
            let looks = [Color::White, Color::Black].map(|color| searched.looks_winnable(color));
            let fen = Fen::from_position(&position, EnPassantMode::Legal);
            assert_eq!([0, 1].map(|side| board.looks_winnable(side, black)), looks, "{fen}");
            assert_eq!(board.can_move(black), !legal.is_empty(), "{fen}");
            seen[usize::from(looks[0]) + 2 * usize::from(!legal.is_empty())] += 1;
            if legal.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position.play_unchecked(legal[(state >> 33) as usize % legal.len()]);
        }
    }
    let [lost, _, forced, usual] = seen;
    assert!(lost > 5 && forced > 300 && usual > 20_000, "{seen:?}");
}

/// All moves that look simple are those of pinned pieces, or of pieces that do not answer the
/// check.
#[test]
fn moves_that_are_not_legal_are_no_choice() {
    for fen in [
        "2k5/8/8/8/8/1q6/8/KNr5 w - - 0 1",
        "2k5/8/8/8/8/1r6/8/KQr5 w - - 0 1",
        "k6B/p2Q4/1p6/2p5/8/8/8/6KR b - - 0 1",
        "6k1/8/8/8/8/8/5PPP/4r1K1 w - - 0 1",
    ] {
        let position = chess(fen);
        let (board, legal) = (Board::of(&position), position.legal_moves());
        let (searched, _) = SearchPosition::new(&position).expect(fen);
        for (side, color) in [Color::White, Color::Black].into_iter().enumerate() {
            let black = position.turn().is_black();
            assert_eq!(board.looks_winnable(side, black), searched.looks_winnable(color), "{fen}");
        }
        assert_eq!(board.can_move(position.turn().is_black()), !legal.is_empty(), "{fen}: {legal:?}");
    }
}

/// No position in reach looks open, so what is proven is said.
#[test]
fn the_way_to_open_positions_hides_no_proof() {
    for (fen, winner) in [
        ("8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1", Color::White),
        ("8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1", Color::Black),
        ("8/1p2B1B1/1PpB1B2/k1P5/p1P5/P7/5K2/8 w - - 0 1", Color::Black),
        ("8/6b1/1p6/bPp5/PpP2k2/1Pp5/B1P5/RB5K w - - 0 1", Color::White),
        ("8/4b3/3b1k2/8/8/5Bp1/6Pp/7K w - - 0 1", Color::Black),
    ] {
        let position = chess(fen);
        assert_eq!(winnability(&position, winner, MAX_POSITIONS), Winnability::Unwinnable, "{fen}: {winner}");
        assert!(cannot_checkmate(&position, winner), "{fen}: {winner}");
    }
    let open = chess("4k3/8/8/8/8/p7/P7/4K3 w - - 0 1");
    assert!(!cannot_checkmate(&open, Color::White) && !cannot_checkmate(&open, Color::Black));
}

/// What follows from pawn structures, whatever else moves.
#[test]
fn pawn_structures() {
    for (fen, white, black) in [
        // Black's king can capture on g2 only when White is left without a move. The bishops check
        // on dark squares, but neither they nor the king give check then.
        ("8/b1b5/k6p/2b2p1P/1b3p2/5PpK/6P1/8 w - - 0 1", false, false),
        // A knight may check in time, or be captured.
        ("8/b1b5/k6p/2n2p1P/1b3p2/5PpK/6P1/8 w - - 0 1", true, true),
        // Black is stalemated as soon as White's king gets through.
        ("8/1p2B1B1/1PpB1B2/k1P5/p1P5/P7/5K2/8 w - - 0 1", false, false),
        // The rams leave neither king a way, and the bishops have nothing to capture.
        ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", false, false),
        // Without pawns, only a move of a piece checkmates.
        ("4k3/8/8/8/8/8/8/4KR2 w - - 0 1", true, false),
        // The knight keeps the pawns, until White's king captures it.
        ("7n/k4p1P/5Pp1/6P1/8/8/8/3K4 w - - 0 1", true, true),
        // En passant opens the wall.
        ("4k3/8/8/p1p1pPp1/P1P1P1P1/8/8/4K3 w - - 0 1", true, true),
        ("4k3/8/8/pPp1pPpP/P1P1P1P1/8/8/4K3 w - c6 0 1", true, true),
        // If White's king captures the bishop, rook and bishop still cannot get out.
        ("8/8/3k4/8/p1p1p1p1/P1P1PpP1/b4P1K/6BR b - - 0 1", false, false),
        // The knight can only leave the corner for c2, where it checkmates. It is needed next to
        // Black's king. A bishop on dark squares can be there, too.
        ("8/5b2/3k4/8/8/1p1p1p2/1P1PpP2/n3K1B1 b - - 0 1", false, true),
        ("8/4b3/3k4/8/8/1p1p1p2/1P1PpP2/n3K1B1 b - - 0 1", true, true),
        // One bishop does not attack all squares that it can get to at once. A knight helps it.
        ("2k5/2P5/1PPPp1p1/1p1pP1P1/1P1P4/3K4/1B6/7b w - - 0 1", true, false),
        ("2k5/2P5/1PPPp1p1/1p1pP1P1/1P1P4/3K4/1B6/6nb w - - 0 1", true, true),
        // Only a move of the king that uncovers its bishop checkmates.
        ("8/6b1/1p6/bPp5/PpP2k2/1Pp5/B1P5/RB5K w - - 0 1", false, true),
        ("rb5k/b1p5/1pP5/pPp2K2/BpP5/1P6/6B1/8 b - - 0 1", true, false),
        // Next to Black's king the queen is captured, and Black's knight cannot move without
        // checkmate by the bishop. That changes if the other knight does not guard c2, if a4 is
        // empty, or if White has another piece.
        ("8/6pp/8/8/ppp5/bkp4Q/qnp5/n1K5 b - - 0 1", false, true),
        ("8/6pp/8/8/ppp5/bkp4Q/qnp5/2K5 b - - 0 1", true, true),
        ("8/6pp/8/8/1pp5/bkp4Q/qnp5/n1K5 b - - 0 1", true, true),
        ("8/6pp/8/8/ppp5/bkp2N1Q/qnp5/n1K5 b - - 0 1", true, true),
        // Black's rook gives no check when it moves: it stands behind its bishop.
        ("8/8/1b6/8/1p6/1Pp1p3/1pPpP1B1/krbK4 w - - 0 1", true, true),
        // White's bishops always guard the pawns, whichever of them moves to h7. With two empty
        // squares among them, or a knight, they do not.
        ("B1B1B1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k2K4 b - - 0 1", false, false),
        ("B1B1B3/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k2K4 b - - 0 1", true, true),
        ("B1B1N1B1/pBpBpBp1/P1P1P1P1/4b3/5b2/8/8/k2K4 b - - 0 1", true, true),
        ("B1B1B1B1/pBpBpBp1/P1P1P1P1/4n3/5b2/8/8/k2K4 b - - 0 1", true, true),
    ] {
        let (position, _) = SearchPosition::new(&chess(fen)).expect(fen);
        let is_unwinnable = |color| {
            [Captures::Ignored, Captures::Followed].into_iter().any(|how| structures::is_unwinnable(&position, color, how))
        };
        let may_win = [Color::White, Color::Black].map(|color| !is_unwinnable(color));
        assert_eq!(may_win, [white, black], "{fen}");
    }
}

/// White must capture the rook that gives check. After that, pawn structures are a proof.
#[test]
fn answers_to_a_check() {
    for (fen, expected) in [
        ("1bB5/k7/r7/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 w - - 0 1", Winnability::Unwinnable),
        ("1bB5/k7/1r6/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 w - - 0 1", Winnability::Winnable),
    ] {
        for winner in Color::ALL {
            assert_eq!(winnability(&chess(fen), winner, MAX_POSITIONS), expected, "{fen} {winner}");
        }
    }
}

/// Walls of pawns, some with a gap, and a few pieces: what the search can win is never proven
/// unwinnable.
#[test]
fn pawn_structures_agree_with_the_search() {
    const WALLS: [&str; 9] = [
        "11111111/11111111/11111111/1p1p1p1p/1P1P1P1P/11111111/11111111/11111111",
        "11111111/11111111/11111111/p1p1p1p1/P1P1P1P1/11111111/11111111/11111111",
        "11111111/1111p111/111pPp11/11pP1Pp1/1pP111Pp/pP11111P/P1111111/11111111",
        "11111111/11111111/1p1p1p11/1PpP1Pp1/11P111P1/11111111/11111111/11111111",
        "11111111/11111111/1111111p/11111p1P/11111p11/11111Pp1/111111P1/11111111",
        "11111111/11111111/11111111/11111111/p1p1p1p1/P1P1PpP1/11111P1K/111111BR",
        "11111111/11111111/11111111/11111111/11111111/1p1p1p11/1P1PpP11/n111K111",
        "11k11111/11P11111/1PPPp1p1/1p1pP1P1/1P1P1111/11111111/11111111/11111111",
        "11111111/11111111/11111111/11111111/pp111111/kpp11111/1np11111/b1K11111",
    ];
    let mut state = 16_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let (mut winnable, mut unwinnable) = (0, 0);
    for round in 0..300 {
        let mut ranks: Vec<Vec<u8>> = WALLS[round % WALLS.len()].split('/').map(|rank| rank.as_bytes().to_vec()).collect();
        if below(4) == 0 {
            ranks[1 + below(6)][below(8)] = b'1';
        }
        for _ in 0..below(3) {
            let (rank, file) = (below(8), below(8));
            if ranks[rank][file] == b'1' {
                ranks[rank][file] = b"BbBbNnRrQq"[below(if round % 2 == 0 { 6 } else { 10 })];
            }
        }
        for (king, first) in [(b'K', 4), (b'k', 0)] {
            let (rank, file) = (first + below(4), below(8));
            if !ranks.iter().flatten().any(|piece| *piece == king) {
                ranks[rank][file] = king;
            }
        }
        let text: Vec<&str> = ranks.iter().map(|rank| std::str::from_utf8(rank).expect("ASCII")).collect();
        let fen = format!("{} {} - - 0 1", text.join("/"), ["w", "b"][below(2)]);
        let parsed = fen.parse::<Fen>().ok();
        let Some(position) = parsed.and_then(|fen| fen.into_position::<Chess>(CastlingMode::Standard).ok()) else { continue };
        let (searched, castling) = SearchPosition::new(&position).expect(&fen);
        for winner in [Color::White, Color::Black] {
            let is_unwinnable =
                [Captures::Ignored, Captures::Followed].into_iter().any(|how| structures::is_unwinnable(&searched, winner, how));
            unwinnable += usize::from(is_unwinnable);
            if search(&searched, &castling, winner, 900, |_| false) == Winnability::Winnable {
                winnable += 1;
                assert!(!is_unwinnable, "{fen} {winner}");
            }
        }
    }
    assert!(winnable > 50 && unwinnable > 50, "{winnable} winnable, {unwinnable} unwinnable");
}

/// Whether there is a choice, by listing moves only.
fn has_choice_by_listing(position: &SearchPosition, winner: Color, plies: u32) -> bool {
    if position.pushes(position.turn).count_ones() > MANY && !position.is_check() {
        return true;
    }
    let plain = SearchPosition { rights: 0, en_passant: None, ..*position };
    let mut next = Vec::new();
    plain.each_move(&Castling::NONE, |after| {
        next.push(after);
        true
    });
    let settles = |after: &SearchPosition| after.looks_free(winner) && has_choice_by_listing(after, winner, plies - 1);
    next.len() > MAX_FORCED || plies > 0 && next.iter().any(settles)
}

#[test]
fn choices_are_seen_as_by_listing_all_moves() {
    let mut state = 5_u64;
    let (mut forced, mut in_check, mut none) = (0, 0, 0);
    for start in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "3qk3/2p5/8/8/8/8/2PP4/3QK2R w K - 0 1",
        "4k3/8/8/8/8/8/6r1/R3K2n w Q - 0 1",
        "6k1/5ppp/8/8/8/1p1p1p2/1P1P1P2/R5K1 w - - 0 1",
        "6k1/7p/8/4N3/8/8/5r2/5n1K w - - 0 1",
    ] {
        for _ in 0..200 {
            let mut position = chess(start);
            for _ in 0..120 {
                let moves = position.legal_moves();
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Checks are preferred.
                let is_check = |played: &&shakmaty::Move| {
                    let mut after = position.clone();
                    after.play_unchecked(**played);
                    after.is_check()
                };
                let any = moves.get((state >> 33) as usize % moves.len().max(1));
                let Some(played) = moves.iter().find(is_check).filter(|_| state >> 62 != 0).or(any) else { break };
                position.play_unchecked(*played);
                let Some((searched, _)) = SearchPosition::new(&position) else { break };
                for winner in Color::ALL {
                    for plies in [0, 2, MAX_FORCED_PLIES] {
                        let expected = has_choice_by_listing(&searched, winner, plies);
                        assert_eq!(searched.has_choice(winner, plies), expected, "{:?}, {winner}", position.board());
                        none += usize::from(!expected);
                    }
                }
                let is_forced = position.legal_moves().len() <= MAX_FORCED;
                (forced, in_check) = (forced + usize::from(is_forced), in_check + usize::from(position.is_check()));
            }
        }
    }
    assert!(forced > 1000 && in_check > 10_000 && none > 1000, "{forced} forced, {in_check} in check, {none} without a choice");
}
