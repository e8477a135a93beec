//! RES16: wins in games that end with an automatic draw.

use shakmaty::KnownOutcome;

use super::{Stated, Termination, draws::automatic_draw, final_fen};
use crate::chess::has_legal_move;
use crate::rules::main_line;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES16"),
    name: "win-at-automatic-draw",
    severity: Severity::Error,
    summary: "The game ends with an automatic draw, but a win is recorded",
    what: "After the last move the same position occurs for the fifth time, or each side has made 75 \
           moves without a capture or a pawn move. But a win is recorded. Checkmate takes \
           precedence. Only games dated July 2014 or later and without null moves are checked. \
           Before 2018, the positions have to be two moves apart. It is a warning if the tags look \
           like those of servers, correspondence chess or engines, which have rules of their own. It \
           is also a warning if tags or the last comment mention time or the like. Games whose \
           Termination tag mentions an adjudication or a forfeit are not reported.",
    why: "Under the FIDE Laws such a game is drawn without a claim.",
    fix: "Compare with another source. If the moves are right and the FIDE Laws apply, write `1/2-1/2`.",
    source: "FIDE Laws 9.6, in force since 1 July 2014",
    repairs: Some(Certainty::Likely),
    yields: &in_record([code!("RES08")]),
    fires: &[
        Sample::Game {
            tags: "[Date \"2020.01.01\"]\n[White \"A\"]\n[Black \"B\"]",
            moves: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n\
                    8. Ng1 Ng8 ⟦1-0⟧",
        },
        Sample::Game {
            tags: "[Site \"https://example.org\"]\n[Date \"2020.01.01\"]\n[White \"A\"]\n\
                   [Black \"B\"]",
            moves: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n\
                    8. Ng1 Ng8 ⟦0-1⟧",
        },
    ],
    silent: &[
        Sample::Game {
            tags: "[Date \"2014.06.30\"]\n[White \"A\"]\n[Black \"B\"]",
            moves: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n\
                    8. Ng1 Ng8 1-0",
        },
        // The fifth time, but not every two moves.
        Sample::Game {
            tags: "[Date \"2016.01.01\"]\n[White \"A\"]\n[Black \"B\"]",
            moves: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nc6 4. Ng1 Nb8 5. Nf3 Nf6 6. Nd4 Nd5 7. Nf3 Nf6\n\
                    8. Ng1 Ng8 9. Nc3 Nc6 10. Nb1 Nb8 1-0",
        },
        // The fourth time.
        Sample::Game {
            tags: "[Date \"2020.01.01\"]\n[White \"A\"]\n[Black \"B\"]",
            moves: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 1-0",
        },
        Sample::Game {
            tags: "[Date \"2020.01.01\"]\n[White \"A\"]\n[Black \"B\"]\n\
                   [Termination \"rules infraction\"]",
            moves: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6\n\
                    8. Ng1 Ng8 1-0",
        },
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let stated = Stated::of(facts);
    let Some((place, claim)) = stated.contradicting(KnownOutcome::Draw) else { return };
    let termination = Termination::of(facts.tags);
    let details = [facts.tags.value(KnownTag::TerminationDetails), facts.comment.map(|place| place.of(facts.text))];
    let is_decided = details.into_iter().flatten().any(|words| Termination::of_words(words) == Termination::Decision);
    if is_decided || termination == Termination::Decision || !facts.position.is_some_and(has_legal_move) {
        return;
    }
    let Some(draw) = automatic_draw(facts).filter(|draw| draw.plies == facts.plies as usize) else { return };
    let finding = findings.add(&RULE, place);
    if termination == Termination::Time || main_line::ended_off_board(facts) || may_have_own_rules(facts) {
        finding.severity(Severity::Warning);
    }
    finding.ply(facts.plies).found(claim.as_str()).expected("1/2-1/2").fen(final_fen(facts)).only_if(draw.clock.condition());
    finding.message(format!("{}, an automatic draw, but the result is `{claim}`", draw.reason));
    finding.move_text = facts.last_move.to_owned();
    stated.replace_by(KnownOutcome::Draw, facts.text, finding);
}

/// Whether a game was probably played on a server, by correspondence or by engines. FIDE ids show
/// that the FIDE Laws apply.
fn may_have_own_rules(facts: &Ending<'_>) -> bool {
    const WORDS: [&str; 30] = [
        "http",
        "www.",
        ".com",
        ".org",
        ".net",
        "internet",
        "online",
        "server",
        "lichess",
        "fics",
        "playchess",
        "iccf",
        "corr",
        "mail",
        "engine",
        "rated",
        "blitz",
        "bullet",
        "live chess",
        "titled tuesday",
        "fernschach",
        "postal",
        // Programs and their matches.
        "stockfish",
        "komodo",
        "houdini",
        "rybka",
        "leela",
        "dragon",
        "fritz",
        "hiarcs",
    ];
    if [KnownTag::WhiteFideId, KnownTag::BlackFideId].into_iter().any(|tag| facts.tags.pair(tag).is_some()) {
        return false;
    }
    let is_program = |tag| facts.tags.value(tag).is_some_and(|kind| kind.eq_ignore_ascii_case(b"program"));
    let has_words = |tag| {
        let value = facts.tags.value(tag).unwrap_or_default().to_ascii_lowercase();
        WORDS.iter().any(|word| memchr::memmem::find(&value, word.as_bytes()).is_some())
            || value.split(|byte| !byte.is_ascii_alphanumeric()).any(|word| {
                matches!(word, b"icc" | b"computer" | b"int" | b"lss" | b"ccrl" | b"tcec" | b"cegt" | b"lc0" | b"bot")
            })
    };
    facts.tags.value(KnownTag::Mode).is_some_and(|mode| !mode.eq_ignore_ascii_case(b"otb"))
        || [KnownTag::WhiteType, KnownTag::BlackType].into_iter().any(is_program)
        || [KnownTag::Event, KnownTag::Site, KnownTag::EventType, KnownTag::Source].into_iter().any(has_words)
        || [KnownTag::White, KnownTag::Black, KnownTag::WhiteTitle, KnownTag::BlackTitle].into_iter().any(has_words)
        || facts.tags.value(KnownTag::TimeControl).is_some_and(|control| control.starts_with(b"1/"))
        || facts.annotations.evaluations.iter().any(|reading| reading.by == Evaluator::Player)
}
