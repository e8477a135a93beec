//! Turns copies of games and equal positions into findings.

use std::{io, iter::Peekable, slice};

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    identity::{Copies, GameCard, GamePlace, KEPT_TAGS, PositionCard, Related, Subject, compare_positions, judge_subjects},
    record::{card_label, digest, fingerprint_of, line_label},
    rules::{
        ActiveRules, Check, Finding, Findings, Keep, Partner, Selection,
        facts::{PairFacts, PositionPairFacts, boards_of_games, boards_of_positions},
    },
    text::Encoding,
};

/// Makes the findings about copies of games, in the order of their games, and those about equal positions.
pub(super) struct CopyReporter<'c> {
    copies: &'c Copies,
    related: Peekable<slice::Iter<'c, Related>>,
    rules: ActiveRules,
    /// The records of the last findings, by the places of their cards.
    records: (u64, u64),
    /// How many findings with a fingerprint there were.
    alike: FxHashMap<u64, u64>,
}

impl<'c> CopyReporter<'c> {
    pub fn new(copies: &'c Copies, selection: &Selection) -> CopyReporter<'c> {
        let related = copies.related.iter().peekable();
        CopyReporter { copies, related, rules: ActiveRules::of(selection), records: (0, 0), alike: FxHashMap::default() }
    }

    /// The findings about the next game and another one, and the number of its input.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn next(&mut self) -> io::Result<Option<(u64, Vec<Finding>)>> {
        let Some(related) = self.related.next() else { return Ok(None) };
        let Related { game, other, cluster, reason } = *related;
        self.records = (game, other);
        let (bytes, other_bytes) = (self.copies.card(game)?, self.copies.card(other)?);
        let (game, other) = (GameCard::read(&bytes)?, GameCard::read(&other_bytes)?);
        let input = self.copies.input(other.place.input);
        let mut findings = Findings::new();
        let mut contradicts = false;
        if let Some(judgement) = judge_subjects(&Subject::new(&game), &Subject::new(&other), &self.copies.names) {
            let other_input = (other.place.input != game.place.input).then_some(input);
            let facts = PairFacts { game: &game, other: &other, other_input, judgement: &judgement };
            self.rules.pair(&facts, &mut findings);
            contradicts = !judgement.contradictions.is_empty();
        }
        let (label, other_label) = (card_label(&game), card_label(&other));
        let [moves, other_moves] = [game.keys.moves, other.keys.moves].map(u64::to_le_bytes);
        let content = [label.as_bytes(), &moves, other_label.as_bytes(), &other_moves];
        let subject = xxh3_64(&content.concat());
        let partner = Partner {
            cluster: cluster.map_or_else(String::new, |cluster| format!("c{cluster}")),
            input: input.to_owned(),
            game: other.place.game,
            line: other.place.line,
            keep: cluster.map(|_| if contradicts { Keep::Check } else { Keep::No }),
            reason: reason.map_or("", |reason| reason.as_str()).to_owned(),
            differences: differences(&game, &other),
            boards: None,
        };
        Ok(Some((game.place.input, self.complete(findings, game.place, &label, &partner, subject))))
    }

    /// The findings about a position and an earlier one, by the places of their cards, and the number of its input.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn positions(&mut self, (position, other): (u64, u64)) -> io::Result<(u64, Vec<Finding>)> {
        self.records = (position, other);
        let (bytes, other_bytes) = (self.copies.card(position)?, self.copies.card(other)?);
        let (position, other) = (PositionCard::read(&bytes)?, PositionCard::read(&other_bytes)?);
        let input = self.copies.input(other.place.input);
        let mut findings = Findings::new();
        if let Some(equality) = compare_positions(&position, &other) {
            let other_input = (other.place.input != position.place.input).then_some(input);
            let facts = PositionPairFacts { position: &position, other: &other, other_input, equality };
            self.rules.position_pair(&facts, &mut findings);
            let fen = facts.fields();
            findings.all().iter_mut().for_each(|finding| finding.fen.clone_from(&fen));
        }
        let label = line_label(position.text, Encoding::of(position.text));
        let subject = digest([position.text, b"\n", other.text]);
        let partner = Partner { input: input.to_owned(), game: other.place.game, line: other.place.line, ..Partner::default() };
        Ok((position.place.input, self.complete(findings, position.place, &label, &partner, subject)))
    }

    /// Adds boards of both records to one of the last findings. They take time, so only findings that people see get them.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn add_boards(&self, finding: &mut Finding) -> io::Result<()> {
        let Some(partner) = &mut finding.partner else { return Ok(()) };
        let (bytes, other_bytes) = (self.copies.card(self.records.0)?, self.copies.card(self.records.1)?);
        let boards = if matches!(finding.rule.check, Check::Pair(_)) {
            boards_of_games(&GameCard::read(&bytes)?, &GameCard::read(&other_bytes)?, finding.ply)
        } else {
            boards_of_positions(&PositionCard::read(&bytes)?, &PositionCard::read(&other_bytes)?)
        };
        partner.boards = boards.map(Box::new);
        Ok(())
    }

    /// Adds to findings about a record where it is, what it is called, and the other record.
    fn complete(&mut self, mut findings: Findings, at: GamePlace, label: &str, partner: &Partner, subject: u64) -> Vec<Finding> {
        let place = |mut finding: Finding| {
            (finding.line, finding.column, finding.game) = (at.line, 1, at.game);
            label.clone_into(&mut finding.game_label);
            finding.partner = Some(Box::new(partner.clone()));
            // Equal findings are told apart by their number.
            let fingerprint = fingerprint_of(&finding, subject);
            let earlier = self.alike.entry(fingerprint).or_insert(0);
            finding.fingerprint = fingerprint_of(&finding, subject ^ xxh3_64(&earlier.to_le_bytes()));
            *earlier += 1;
            finding
        };
        findings.all().drain(..).map(place).collect()
    }
}

/// The tags in which two games differ.
fn differences(game: &GameCard<'_>, other: &GameCard<'_>) -> Vec<(String, String, String)> {
    let both = KEPT_TAGS.into_iter().map(|tag| (tag, game.tag(tag), other.tag(tag)));
    both.filter(|(_, own, other)| own != other)
        .map(|(tag, own, other)| (tag.name().to_owned(), own.to_owned(), other.to_owned()))
        .collect()
}
