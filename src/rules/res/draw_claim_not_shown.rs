//! RES17: draws by a rule of which the moves show nothing.

use shakmaty::{KnownOutcome, Position};

use super::{
    Stated,
    draws::{DrawClaim, draw_claim, is_shown},
};
use crate::rules::main_line::ClockSource;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES17"),
    name: "draw-claim-not-shown",
    severity: Severity::Warning,
    summary: "The moves do not show the repetition or fifty moves",
    what: "The last comment or the Termination tag says that the game was drawn by threefold \
           repetition or by the fifty-move rule, such as `3-fold repetition` or `Draw by 50-move \
           rule`. But no position occurs three times, or there are too few moves without a capture \
           or a pawn move. The player may have written down one more move. Games in which a win is \
           recorded are not checked. A comment that only says `draw by repetition` is an info, \
           because players also agree to it early.",
    why: "Moves are missing or wrong, or the game ended in another way.",
    fix: "Compare the moves and the reason with another source.",
    source: "FIDE Laws 9.2 and 9.3",
    fires: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 {⟦3-fold repetition⟧} 1/2-1/2"),
        Sample::Moves("1. e4 e5 {⟦Game drawn by the 50 move rule⟧} 1/2-1/2"),
        Sample::Tags("[Result \"1/2-1/2\"]\n[Termination \"⟦Game drawn by repetition⟧\"]"),
        Sample::Moves("1. e4 e5 {⟦Draw by repetition⟧} 1/2-1/2"),
    ],
    silent: &[
        Sample::Moves("1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nf6 5. Ng1 Ng8 {3-fold repetition} 1/2-1/2"),
        // Black can write down the move that repeats the position.
        Sample::Moves("1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nf6 5. Ng1 {3-fold repetition} 1/2-1/2"),
        Sample::Moves("1. e4 e5 {no threefold repetition} 1/2-1/2"),
        Sample::Moves("1. e4 {3-fold repetition} e5 1/2-1/2"),
        // Earlier moves are not known.
        Sample::Game {
            tags: "[SetUp \"1\"]\n[FEN \"6k1/8/8/8/8/8/4q3/1Q5K b - - 60 90\"]",
            moves: "90... Qf3+ 91. Kh2 {3-fold repetition} 1/2-1/2",
        },
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    if facts.position.is_none() || facts.plies == 0 || Stated::of(facts).contradicting(KnownOutcome::Draw).is_some() {
        return;
    }
    let tags = [KnownTag::Termination, KnownTag::TerminationDetails].into_iter().filter_map(|tag| facts.tags.pair(tag));
    let reasons = tags.map(|pair| (pair.value, true)).chain(facts.comment.map(|place| (place, false)));
    let claims = reasons.filter_map(|(place, is_tag)| Some((place, is_tag, draw_claim(place.of(facts.text))?)));
    let Some((place, is_tag, (claim, names_rule))) = claims.into_iter().next() else { return };
    let clock = ClockSource::of_end(facts);
    // Positions before that of a FEN tag are not known.
    let is_known = match (clock, claim) {
        (ClockSource::Moves, _) | (ClockSource::FenTag, DrawClaim::FiftyMoves) => true,
        (ClockSource::FenTag, DrawClaim::Threefold) => facts.start.halfmoves() == 0,
        (ClockSource::Nowhere, _) => false,
    };
    let moves: Option<Vec<_>> = facts.line.iter().copied().collect();
    let Some(moves) = moves.filter(|moves| is_known && moves.len() == facts.plies as usize) else { return };
    if is_shown(facts.start, &moves, claim) {
        return;
    }
    let words = place.of(facts.text);
    let found = shown(words.trim_ascii());
    let start = place.start + (words.len() - words.trim_ascii_start().len());
    let finding = findings.add(&RULE, Span::new(start, start + words.trim_ascii().len()));
    if !is_tag && !names_rule {
        finding.severity(Severity::Info);
    }
    let source = if is_tag { "tag" } else { "last comment" };
    let fact = match claim {
        DrawClaim::Threefold => "no position occurs three times",
        DrawClaim::FiftyMoves => "there are fewer than 50 moves without a capture or a pawn move",
    };
    finding.message(format!("the {source} says `{found}`, but {fact}")).found(found).only_if(clock.condition());
}
