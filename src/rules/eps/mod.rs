//! En passant target square.

family! {
    ep_wrong_rank,
    ep_no_pawn,
    ep_occupied,
    ep_check_source,
    ep_prior_check,
    ep_not_capturable,
    ep_convention_mixed,
}
