//! Castling availability.

family! {
    king_not_home,
    rook_missing,
    shredder_letter,
    inner_rook_ambiguous,
    chess960_asymmetric,
    initial_rights,
}
