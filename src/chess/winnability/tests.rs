use shakmaty::{CastlingMode, Color, Position, fen::Fen};

use super::*;

fn chess(fen: &str) -> Chess {
    fen.parse::<Fen>().expect(fen).into_position(CastlingMode::Standard).expect(fen)
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
    let position = chess("4k3/8/8/p1p1pPp1/P1P1P1P1/8/8/4K3 w - - 0 1");
    let (mut next, _) = SearchPosition::new(&position).expect("kings");
    assert!(Confinement::of(&next, None).is_some());
    next.en_passant = Some(shakmaty::Square::E6);
    assert!(Confinement::of(&next, None).is_none(), "a capture en passant is left to the search");
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
        // Black has two moves, and White keeps the queen; Black has one, which captures the last pawn.
        ("8/8/8/8/2K5/Q7/8/1k6 b - - 0 1", true, false),
        ("8/8/8/8/8/8/5k1p/7K w - - 0 1", false, false),
    ] {
        let (position, _) = SearchPosition::new(&chess(fen)).expect(fen);
        assert_eq!([Color::White, Color::Black].map(|color| position.looks_winnable(color)), [white, black], "{fen}");
    }
}

/// The position of the fast board looks the same.
#[test]
fn the_fast_board_looks_the_same() {
    let board = crate::chess::Board::default();
    let (position, _) = SearchPosition::new(&Chess::default()).expect("kings");
    for side in 0..2 {
        assert_eq!(board.looks_winnable(side, false), position.looks_winnable(Color::from_white(side == 0)));
    }
    assert!(!Chess::default().is_game_over());
}
