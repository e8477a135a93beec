//! stub
use super::{Findings, Span};
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    Line,
    FenTag,
}
#[derive(Clone, Copy, Debug, Default)]
pub struct Declared {
    pub chess960: bool,
    pub other_variant: bool,
    pub seventy_five_move_rule: bool,
}
#[derive(Clone, Copy, Debug, Default)]
pub struct PositionEvidence {
    pub chess960: bool,
    pub standard: bool,
    pub counters: Option<(u64, u64)>,
}
#[derive(Clone, Debug)]
pub struct Examined {
    pub start: Option<shakmaty::Chess>,
    pub mode: shakmaty::CastlingMode,
    pub evidence: PositionEvidence,
}
pub fn examine_position(text: &[u8], place: Span, _: Origin, _: Declared, _: &mut Findings) -> Examined {
    let start =
        shakmaty::fen::Fen::from_ascii(place.of(text)).ok().and_then(|f| f.into_position(shakmaty::CastlingMode::Chess960).ok());
    Examined { start, mode: shakmaty::CastlingMode::Chess960, evidence: PositionEvidence::default() }
}
pub fn examine_line(text: &[u8], place: Span, f: &mut Findings) -> Option<Examined> {
    Some(examine_position(text, place, Origin::Line, Declared::default(), f))
}
