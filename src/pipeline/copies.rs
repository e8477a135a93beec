//! Turns copies of games and equal positions into findings.

use std::{collections::VecDeque, io, slice};

use rayon::{ThreadPool, prelude::*};
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

/// Number of relations about which findings are made at the same time.
const AT_ONCE: usize = 1 << 12;

/// What is found about a record and another one, before it is known which findings came before.
struct Draft {
    /// The records, by the places of their cards.
    records: (u64, u64),
    findings: Findings,
    at: GamePlace,
    label: String,
    partner: Partner,
    /// What tells the records from others.
    subject: u64,
}

/// Makes the findings about copies of games, in the order of their games, and those about equal positions.
pub(super) struct CopyReporter<'c> {
    copies: &'c Copies,
    /// Makes drafts.
    pool: Option<&'c ThreadPool>,
    related: slice::Chunks<'c, Related>,
    drafts: VecDeque<Draft>,
    rules: ActiveRules,
    /// The records of the last findings, by the places of their cards.
    records: (u64, u64),
    /// How many findings with a fingerprint there were.
    alike: FxHashMap<u64, u64>,
}

impl<'c> CopyReporter<'c> {
    pub fn new(copies: &'c Copies, selection: &Selection, pool: Option<&'c ThreadPool>) -> CopyReporter<'c> {
        CopyReporter {
            copies,
            pool,
            related: copies.related.chunks(AT_ONCE),
            drafts: VecDeque::new(),
            rules: ActiveRules::of(selection),
            records: (0, 0),
            alike: FxHashMap::default(),
        }
    }

    /// The findings about the next game and another one, and the number of its input.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn next(&mut self) -> io::Result<Option<(u64, Vec<Finding>)>> {
        if self.drafts.is_empty()
            && let Some(related) = self.related.next()
        {
            self.drafts = match self.pool {
                Some(pool) => {
                    pool.install(|| related.par_iter().map(|related| self.draft(related)).collect::<io::Result<_>>())?
                }
                None => related.iter().map(|related| self.draft(related)).collect::<io::Result<_>>()?,
            };
        }
        let draft = self.drafts.pop_front();
        Ok(draft.map(|draft| self.complete(draft)))
    }

    /// What is found about two related games.
    fn draft(&self, related: &Related) -> io::Result<Draft> {
        let Related { game, other, cluster, reason } = *related;
        let records = (game, other);
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
        Ok(Draft { records, findings, at: game.place, label, partner, subject })
    }

    /// The findings about a position and an earlier one, by the places of their cards, and the number of its input.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn positions(&mut self, (position, other): (u64, u64)) -> io::Result<(u64, Vec<Finding>)> {
        let records = (position, other);
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
        Ok(self.complete(Draft { records, findings, at: position.place, label, partner, subject }))
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

    /// Adds to findings about a record where it is, what it is called, and the other record. Returns them after the number of
    /// the input.
    fn complete(&mut self, draft: Draft) -> (u64, Vec<Finding>) {
        let Draft { records, mut findings, at, label, partner, subject } = draft;
        self.records = records;
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
        (at.input, findings.all().drain(..).map(place).collect())
    }
}

/// The tags in which two games differ.
fn differences(game: &GameCard<'_>, other: &GameCard<'_>) -> Vec<(String, String, String)> {
    let both = KEPT_TAGS.into_iter().map(|tag| (tag, game.tag(tag), other.tag(tag)));
    both.filter(|(_, own, other)| own != other)
        .map(|(tag, own, other)| (tag.name().to_owned(), own.to_owned(), other.to_owned()))
        .collect()
}
