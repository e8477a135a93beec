//! One game: read, replayed and checked in one pass over its bytes.
//!
//! The replay itself allocates nothing and explains nothing. Anything unusual goes to a cold path
//! that gathers the facts and runs the rules.

mod annotations;
mod annotations_read;
mod checks;
mod ending;
mod exhaustive;
mod follow_up;
mod header;
mod line_state;
mod lookahead;
mod movetext;
mod noncanonical;
mod number;
mod opening;
mod outcome;
mod own_line;
mod reached_positions;
mod reading;
mod reinterpretation;
mod repair;
mod repair_budget;
mod replay;
mod unbalanced;
mod variant_game;
mod variant_replay;
mod variation;

use self::{
    follow_up::{ReadGame, drop_follow_ups},
    replay::{GameReplay, replay_game},
};
use super::Consequences;
use crate::{
    pgn::{TagSection, plies_seen},
    rules::{
        Code, Family, Finding, Findings, Scope, apply_yields,
        enc::non_ascii_token,
        facts::{Layout, RecordBytes},
        syn::{
            blank_line::{self, Effect},
            unknown_token,
        },
        tag::tag_name,
        var::unknown_variant,
    },
    text::{
        Span, is_plain_ascii,
        wording::{quantity, thousands},
    },
};

pub(crate) use self::{checks::GameChecks, reached_positions::ReachedChecks};
pub(super) use self::{
    outcome::GameOutcome,
    own_line::plies_played,
    replay::{GameMemory, GameText},
};

/// Number of bytes after the name of a tag in which a number of plies ends.
const MAX_COUNT: usize = 64;

/// The name of the tag with the number of plies.
const PLY_COUNT: &str = "PlyCount";

/// Reads a game, and the text after it up to the next record.
pub(super) fn audit_game(
    game: GameText<'_>,
    checks: &GameChecks,
    memory: &mut GameMemory,
    findings: &mut Findings,
) -> GameOutcome {
    let since = findings.len();
    let GameText { text, start, .. } = game;
    let (mut outcome, movetext, turn) = replay_game(game, checks, memory, findings);
    let has_special_bytes = !is_plain_ascii(&text[start..outcome.next]);
    if has_special_bytes {
        let bytes = RecordBytes { text, start, end: outcome.next, at_input_start: start == 0 };
        checks.rules.bytes(&bytes, findings);
    }
    let layout = Layout {
        text,
        pairs: &memory.pairs,
        game: Span::new(start, outcome.end),
        movetext,
        next: outcome.next,
        turn,
        has_special_bytes,
        is_game: outcome.is_game,
    };
    checks.rules.layout(&layout, findings);
    if outcome.is_other_game {
        // Rules about chess have nothing to say.
        findings.retain_since(since, |finding| concerns_other_games(finding.rule.code));
    }
    apply_yields(findings, since);
    withdraw_false_ply_counts(text, &outcome, findings.since(since));
    if findings.since(since).iter().any(|finding| finding.repair.is_some()) {
        let record = Span::new(start, outcome.next);
        let game = ReadGame { text, record, since };
        drop_follow_ups(game, checks, memory, findings);
    }
    if outcome.is_game && findings.len() > since {
        outcome.consequences = consequences(text, start, &outcome, findings.since(since));
    }
    outcome
}

/// Whether a rule also applies to games with other pieces than those of chess.
fn concerns_other_games(code: Code) -> bool {
    code == unknown_variant::RULE.code || (code.family() == Family::Enc && code != non_ascii_token::RULE.code)
}

/// Withdraws repairs that would make another tag PlyCount although its value is not the number of
/// plies: that tag counts something else.
fn withdraw_false_ply_counts(text: &[u8], outcome: &GameOutcome, findings: &mut [Finding]) {
    let renames = |finding: &&mut Finding| finding.rule.code == tag_name::RULE.code && finding.expected == PLY_COUNT;
    for finding in findings.iter_mut().filter(renames) {
        let rest = &text[finding.place.end..];
        let rest = &rest[..rest.len().min(MAX_COUNT)];
        let value = rest.split(|byte| *byte == b'"').nth(1).unwrap_or_default();
        let count = std::str::from_utf8(value).ok().and_then(|value| value.parse::<u32>().ok());
        if outcome.plies_not_examined == 0 && count != Some(outcome.main_line) {
            finding.repair = None;
        }
    }
}

/// Whether `pgn-reader`, a tolerant parser, may read the place of the finding in another way.
fn concerns_tolerant_parsers(finding: &Finding) -> bool {
    finding.rule.code.family() == Family::Syn
        && !finding.rule.layout
        && (matches!(finding.scope, Scope::Place | Scope::Habit { .. }) || finding.rule.code == unknown_token::RULE.code)
}

/// What other readers do not read of the game, according to its findings.
#[cold]
fn consequences(text: &[u8], start: usize, outcome: &GameOutcome, findings: &mut [Finding]) -> Consequences {
    let mut consequences = Consequences::default();
    for finding in findings.iter().filter(|_| outcome.main_line > 0) {
        match blank_line::effect(finding) {
            Some(Effect::WithoutMoves) => consequences.without_moves_in_python_chess = 1,
            Some(Effect::Cut) => consequences.cut_at_blank_line = 1,
            None => {}
        }
    }
    if findings.iter().any(concerns_tolerant_parsers) && describe_tolerant_parsers(text, start, outcome, findings) {
        consequences.incomplete_in_pgn_reader = 1;
    }
    consequences
}

/// Adds to syntax findings how many plies of the game `pgn-reader` loses. Returns whether it loses
/// any.
fn describe_tolerant_parsers(text: &[u8], start: usize, outcome: &GameOutcome, findings: &mut [Finding]) -> bool {
    let seen = match plies_seen(&text[start..outcome.next]) {
        Some(plies) if plies >= outcome.main_line => return false,
        Some(plies) => {
            format!("; pgn-reader reads only {plies} of {}", quantity(outcome.main_line, "ply", "plies"))
        }
        None => "; pgn-reader rejects this game".to_owned(),
    };
    for finding in findings.iter_mut().filter(|finding| concerns_tolerant_parsers(finding)) {
        finding.message.push_str(&seen);
    }
    true
}

impl<'a> GameReplay<'a, '_> {
    fn game(&mut self, start: usize, complete: bool) -> GameOutcome {
        let next_game = self.tag_section();
        let header = self.memory.pairs.first().zip(self.memory.pairs.last());
        let place = match header {
            Some((first, last)) => Span::new(first.place.start, last.place.end),
            None => Span::new(self.lexer.at, self.lexer.at),
        };
        let pairs = std::mem::take(&mut self.memory.pairs);
        let names = std::mem::take(&mut self.memory.names);
        self.movetext_at = next_game.unwrap_or(self.lexer.at);
        let tags = TagSection::new(self.text, &pairs, &names, place).within(self.checks.limits);
        let mut outcome = match next_game {
            Some(next) => {
                let evidence = self.set_up(&tags).0;
                self.end_game(&tags, None, next, evidence, complete)
            }
            None => self.movetext(&tags, complete),
        };
        outcome.is_other_game = self.opening.is_unknown_variant && tags.other_game().is_some_and(|game| game.has_other_pieces());
        outcome.touched_end = self.lexer.touched_end || outcome.next == self.text.len();
        self.memory.pairs = pairs;
        self.memory.names = names;
        debug_assert!(outcome.next > start || self.text.len() == start);
        outcome
    }
}

/// The part of a message that counts the plies after an illegal one; empty for no plies.
pub(super) fn not_checked_note(plies: u64) -> String {
    match plies {
        0 => String::new(),
        1 => "; 1 ply not checked".to_owned(),
        plies => ["; ", &thousands(plies), " plies not checked"].concat(),
    }
}
