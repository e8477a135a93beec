//! Turns copies of games into findings.

use std::{io, iter::Peekable, slice};

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    identity::{Copies, GameCard, KEPT_TAGS, Related, judge},
    record::{card_label, fingerprint_of},
    rules::{ActiveRules, Finding, Findings, Keep, Partner, Selection, facts::PairFacts},
};

/// Makes the findings about copies, in the order of their games.
pub(super) struct CopyReporter<'c> {
    copies: &'c Copies,
    related: Peekable<slice::Iter<'c, Related>>,
    rules: ActiveRules,
    /// How many findings with a fingerprint there were.
    alike: FxHashMap<u64, u64>,
}

impl<'c> CopyReporter<'c> {
    pub fn new(copies: &'c Copies, selection: &Selection) -> CopyReporter<'c> {
        let related = copies.related.iter().peekable();
        CopyReporter { copies, related, rules: ActiveRules::of(selection), alike: FxHashMap::default() }
    }

    /// The findings about the next game and another one, and the number of its input.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn next(&mut self) -> io::Result<Option<(u64, Vec<Finding>)>> {
        let Some(related) = self.related.next() else { return Ok(None) };
        let Related { game, other, cluster, reason } = *related;
        let (bytes, other_bytes) = (self.copies.card(game)?, self.copies.card(other)?);
        let (game, other) = (GameCard::read(&bytes)?, GameCard::read(&other_bytes)?);
        let input = self.copies.input(other.place.input);
        let mut findings = Findings::new();
        let mut contradicts = false;
        if let Some(judgement) = judge(&game, &other) {
            let other_input = (other.place.input != game.place.input).then_some(input);
            let facts = PairFacts { game: &game, other: &other, other_input, judgement: &judgement };
            self.rules.pair(&facts, &mut findings);
            contradicts = !judgement.contradictions.is_empty();
        }
        let (label, other_label) = (card_label(&game), card_label(&other));
        let [moves, other_moves] = [game.keys.moves, other.keys.moves].map(u64::to_le_bytes);
        let content = [label.as_bytes(), &moves, other_label.as_bytes(), &other_moves];
        let subject = xxh3_64(&content.concat());
        let place = |mut finding: Finding| {
            (finding.line, finding.column, finding.game) = (game.place.line, 1, game.place.game);
            finding.game_label.clone_from(&label);
            finding.partner = Some(Box::new(Partner {
                cluster: cluster.map_or_else(String::new, |cluster| format!("c{cluster}")),
                input: input.to_owned(),
                game: other.place.game,
                line: other.place.line,
                keep: cluster.map(|_| if contradicts { Keep::Check } else { Keep::No }),
                reason: reason.map_or("", |reason| reason.as_str()).to_owned(),
                differences: differences(&game, &other),
            }));
            // Equal findings are told apart by their number.
            let fingerprint = fingerprint_of(&finding, subject);
            let earlier = self.alike.entry(fingerprint).or_insert(0);
            finding.fingerprint = fingerprint_of(&finding, subject ^ xxh3_64(&earlier.to_le_bytes()));
            *earlier += 1;
            finding
        };
        Ok(Some((game.place.input, findings.all().drain(..).map(place).collect())))
    }
}

/// The tags in which two games differ.
fn differences(game: &GameCard<'_>, other: &GameCard<'_>) -> Vec<(String, String, String)> {
    let both = KEPT_TAGS.into_iter().map(|tag| (tag, game.tag(tag), other.tag(tag)));
    both.filter(|(_, own, other)| own != other)
        .map(|(tag, own, other)| (tag.name().to_owned(), own.to_owned(), other.to_owned()))
        .collect()
}
