//! RES10: games that continue after an automatic draw.

use shakmaty::KnownOutcome;

use super::{
    Stated, Termination,
    draws::{AutomaticDraw, automatic_draw},
    plies_follow,
};
use crate::rules::main_line::place_of_ply;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES10"),
    name: "moves-after-automatic-draw",
    severity: Severity::Warning,
    summary: "The game continued after an automatic draw",
    what: "The same position occurred for the fifth time, or each side made 75 moves without a \
           capture or a pawn move, and the game continued. Only games dated July 2014 or later \
           and without null moves are checked. Before 2018, the five positions have to be two moves \
           apart. This is a warning if a player has a FIDE id and a \
           win is recorded that the Termination tag does not explain. Otherwise it is an info, \
           because servers and engine matches have their own rules.",
    why: "Under the FIDE Laws such a game is drawn without a claim.",
    fix: "Compare the moves with another source, because some may have been entered twice. If the \
           moves are right and the FIDE Laws apply, write `1/2-1/2`.",
    source: "FIDE Laws 9.6, in force since 1 July 2014",
    fires: &[
        Sample::Game {
            tags: "[Date \"2020.01.01\"]\n[White \"A\"]\n[Black \"B\"]\n\
                   [WhiteFideId \"1503014\"]\n[BlackFideId \"5000017\"]",
            moves: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n\
                    8. Ng1 Ng8 9. ⟦e4⟧ e5 1-0",
        },
        Sample::Game {
            tags: "[Date \"2020.01.01\"]\n[White \"A\"]\n[Black \"B\"]",
            moves: "1. Nf3 (1. e4 e5) 1... Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 \
                    Ng8 7. Nf3 Nf6\n8. Ng1 Ng8 9. ⟦e4⟧ e5 *",
        },
    ],
    silent: &[
        Sample::Game {
            tags: "[Date \"2020.01.01\"]\n[White \"A\"]\n[Black \"B\"]",
            moves: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n\
                    8. Ng1 Ng8 1/2-1/2",
        },
        Sample::Game {
            tags: "[Date \"2014.06.30\"]\n[White \"A\"]\n[Black \"B\"]",
            moves: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n\
                    8. Ng1 Ng8 9. e4 e5 1-0",
        },
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(AutomaticDraw { plies, reason, clock }) = automatic_draw(facts).filter(|draw| draw.plies < facts.line.len()) else {
        return;
    };
    let has_fide_id = [KnownTag::WhiteFideId, KnownTag::BlackFideId].into_iter().any(|tag| facts.tags.pair(tag).is_some());
    let is_unexplained_win =
        Stated::of(facts).contradicting(KnownOutcome::Draw).is_some() && Termination::of(facts.tags) == Termination::Unexplained;
    let finding = findings.add(&RULE, place_of_ply(facts, plies as u32 + 1)).ply(plies as u32 + 1).only_if(clock.condition());
    if !(has_fide_id && is_unexplained_win) {
        finding.severity(Severity::Info);
    }
    let follow = plies_follow(facts.line.len() - plies);
    finding.message(format!("after ply {plies} {reason}, an automatic draw, but {follow}"));
}
