//! Castling rights.

family! {
    king_not_home,
    rook_missing,
    shredder_fen_letters,
    inner_rook_ambiguous,
    chess960_asymmetric,
    initial_rights_missing,
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::squares_marked;

    #[test]
    fn kings_and_squares_of_missing_rooks_are_marked() {
        for (code, line, squares) in [
            ("CAS01", "r3k2r/8/4p3/8/8/8/4K3/R6R w KQkq - 0 1", "e2"),
            ("CAS02", "rn2k3/8/8/8/8/8/8/4K2R w Kk - 0 1", "e8 h8"),
            ("CAS02", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "a1 e1 h1"),
            ("CAS04", "3k4/8/8/4p3/8/8/4P3/3K1R1R w K - 0 30", "f1 h1"),
            ("CAS06", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", ""),
        ] {
            assert_eq!(squares_marked(code, line), squares, "{code} in {line}");
        }
    }
}
