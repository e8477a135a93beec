//! Turns copies of games and equal positions into findings.

use std::{borrow::Cow, collections::VecDeque, io};

use rayon::{ThreadPool, prelude::*};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    identity::{
        Copies, GameCard, GamePlace, KEPT_TAGS, KeptGame, Numbered, Oddity, PlayerName, PositionCard, RecordKeys, Related,
        Relation, better_tags, compare_positions,
    },
    pgn::KnownTag,
    record::{card_label, digest, fingerprint_of, line_label},
    rules::{
        ActiveRules, Check, Finding, Findings, Keep, Partner, Selection,
        facts::{
            BetterTag, KeptFacts, OddityFacts, PairFacts, PositionPairFacts, SpellingFacts, UnlikeGames, boards_of_games,
            boards_of_positions,
        },
    },
    text::Encoding,
};

/// Number of relations about which findings are made at the same time.
const AT_ONCE: usize = 1 << 12;

/// What tells records from others in findings about copies.
pub(super) const RECORD_KEYS: RecordKeys = RecordKeys { game: game_key, position: |position| digest([position.text]) };

/// A hash of the label and the moves of a game.
fn game_key(game: &GameCard<'_>) -> u64 {
    xxh3_64(&[card_label(game).as_bytes(), &game.keys.moves.to_le_bytes()].concat())
}

/// What is found about a record and another one.
struct Draft {
    /// The records, by the places of their cards.
    records: (u64, u64),
    findings: Findings,
    at: GamePlace,
    label: String,
    partner: Option<Partner>,
    /// What tells the records from others.
    subject: u64,
    /// Its number among those with the same subject.
    number: u64,
}

/// Makes the findings about copies of games, in the order of their games, and those about equal
/// positions.
pub(super) struct CopyReporter<'c, R> {
    copies: &'c Copies,
    /// Makes drafts.
    pool: Option<&'c ThreadPool>,
    related: R,
    drafts: VecDeque<Draft>,
    rules: ActiveRules,
    /// The records of the last findings, by the places of their cards.
    records: (u64, u64),
    /// Number of copies that contradict another one.
    to_check: u64,
}

impl<'c, R: Iterator<Item = io::Result<Numbered<Related>>>> CopyReporter<'c, R> {
    /// Reports `related`, which were taken from `copies`.
    pub fn new(copies: &'c Copies, related: R, selection: &Selection, pool: Option<&'c ThreadPool>) -> CopyReporter<'c, R> {
        CopyReporter {
            copies,
            pool,
            related,
            drafts: VecDeque::new(),
            rules: ActiveRules::of(selection),
            records: (0, 0),
            to_check: 0,
        }
    }

    /// Number of copies so far that contradict another one, so that a person has to find out which
    /// is right.
    pub const fn to_check(&self) -> u64 {
        self.to_check
    }

    /// The findings about the next game and another one, and the number of its input.
    pub fn next(&mut self) -> io::Result<Option<(u64, Vec<Finding>)>> {
        if self.drafts.is_empty() {
            let related: Vec<Numbered<Related>> = self.related.by_ref().take(AT_ONCE).collect::<io::Result<_>>()?;
            let drafter = Drafter { copies: self.copies, rules: &self.rules };
            self.drafts = match self.pool {
                Some(pool) => {
                    pool.install(|| related.par_iter().map(|related| drafter.draft(related)).collect::<io::Result<_>>())?
                }
                None => related.iter().map(|related| drafter.draft(related)).collect::<io::Result<_>>()?,
            };
        }
        let draft = self.drafts.pop_front();
        Ok(draft.map(|draft| self.complete(draft)))
    }

    /// The findings about a game that is kept, and the number of its input.
    pub fn kept(&mut self, kept: &Numbered<KeptGame>) -> io::Result<(u64, Vec<Finding>)> {
        let Numbered { record: kept, number } = kept;
        let bytes = self.copies.card(kept.game)?;
        let game = GameCard::read(&bytes)?;
        let copies: Vec<Cow<'_, [u8]>> = kept.copies.iter().map(|copy| self.copies.card(*copy)).collect::<io::Result<_>>()?;
        let cards = GameCard::read_all(&copies)?;
        let mut better = better_tags(&game, &cards);
        for at in (0..better.len()).rev() {
            if self.is_rarer(game.tag(better[at].0), better[at])? {
                better.remove(at);
            }
        }
        let first = better.first().map_or(kept.game, |(.., copy)| kept.copies[*copy]);
        let better = better.into_iter().map(|(tag, value, copy)| {
            let copy = &cards[copy];
            let input = self.copies.input(copy.place.input);
            BetterTag { tag, value, copy, copy_input: (copy.place.input != game.place.input).then_some(input) }
        });
        let better: Vec<BetterTag<'_>> = better.collect();
        let mut findings = Findings::new();
        self.rules.kept(&KeptFacts { game: &game, better: &better }, &mut findings);
        let partner = better.first().map(|BetterTag { copy, .. }| Partner {
            cluster: format!("c{}", kept.cluster),
            differences: differences(&game, copy),
            ..partner_at(self.copies, copy.place)
        });
        Ok(self.complete_game(findings, &game, (kept.game, first), *number, partner))
    }

    /// Whether a better value is a name that fewer games have than the one it replaces.
    fn is_rarer(&self, own: &str, (tag, value, _): (KnownTag, &str, usize)) -> io::Result<bool> {
        let is_name = matches!(tag, KnownTag::White | KnownTag::Black);
        let (own, value) = (PlayerName::new(own), PlayerName::new(value));
        Ok(is_name && !own.is_unknown() && self.copies.games_of(&value)? < self.copies.games_of(&own)?)
    }

    /// The findings about the names of the players of a game, by the place of its card, and the
    /// number of its input.
    pub fn spellings(&mut self, game: Numbered<u64>) -> io::Result<(u64, Vec<Finding>)> {
        let Numbered { record: at, number } = game;
        let bytes = self.copies.card(at)?;
        let game = GameCard::read(&bytes)?;
        let mut findings = Findings::new();
        for tag in [KnownTag::White, KnownTag::Black] {
            if let Some(main) = self.copies.names.main_spelling(&PlayerName::new(game.tag(tag))) {
                self.rules.spelling(&SpellingFacts { game: &game, tag, main }, &mut findings);
            }
        }
        Ok(self.complete_game(findings, &game, (at, at), number, None))
    }

    /// The findings about what the headers of other games say against that of a game, by the place
    /// of its card, and the number of its input.
    pub fn oddities(&mut self, found: Numbered<(u64, Oddity)>) -> io::Result<(u64, Vec<Finding>)> {
        let Numbered { record: (at, oddity), number } = found;
        let bytes = self.copies.card(at)?;
        let game = GameCard::read(&bytes)?;
        let other = match oddity {
            Oddity::Rating { .. } => None,
            Oddity::EventSpelling { main: other, .. } | Oddity::TwiceInRound { other, .. } => Some(self.copies.card(other)?),
        };
        let other = other.as_ref().map(|bytes| GameCard::read(bytes)).transpose()?;
        let other = other.as_ref().map(|other| {
            let input = (other.place.input != game.place.input).then(|| self.copies.input(other.place.input));
            (other, input)
        });
        let mut findings = Findings::new();
        self.rules.oddity(&OddityFacts { game: &game, oddity, other }, &mut findings);
        Ok(self.complete_game(findings, &game, (at, at), number, None))
    }

    /// The findings about a position and an earlier one, by the places of their cards, and the
    /// number of its input.
    pub fn positions(&mut self, pair: Numbered<(u64, u64)>) -> io::Result<(u64, Vec<Finding>)> {
        let Numbered { record: records, number } = pair;
        let (position, other) = records;
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
        let partner = Some(partner_at(self.copies, other.place));
        Ok(self.complete(Draft { records, findings, at: position.place, label, partner, subject, number }))
    }

    /// The same as [`CopyReporter::complete`] for findings about one game.
    fn complete_game(
        &mut self,
        findings: Findings,
        game: &GameCard<'_>,
        records: (u64, u64),
        number: u64,
        partner: Option<Partner>,
    ) -> (u64, Vec<Finding>) {
        let (label, subject) = (card_label(game), game_key(game));
        self.complete(Draft { records, findings, at: game.place, label, partner, subject, number })
    }

    /// Adds boards of both records to one of the last findings. They take time, so only findings
    /// that people see get them.
    pub fn add_boards(&self, finding: &mut Finding) -> io::Result<()> {
        let Some(partner) = &mut finding.partner else { return Ok(()) };
        let (bytes, other_bytes) = (self.copies.card(self.records.0)?, self.copies.card(self.records.1)?);
        let boards = if matches!(finding.rule.check, Check::Pair(_) | Check::Kept(_)) {
            boards_of_games(&GameCard::read(&bytes)?, &GameCard::read(&other_bytes)?, finding.ply)
        } else {
            boards_of_positions(&PositionCard::read(&bytes)?, &PositionCard::read(&other_bytes)?)
        };
        partner.boards = boards.map(Box::new);
        Ok(())
    }

    /// Adds to findings about a record where it is, what it is called, and the other record.
    /// Returns them after the number of the input.
    fn complete(&mut self, draft: Draft) -> (u64, Vec<Finding>) {
        let Draft { records, mut findings, at, label, partner, subject, number } = draft;
        self.records = records;
        let is_copy_to_check = |partner: &Partner| partner.keep == Some(Keep::Check) && !partner.cluster.is_empty();
        self.to_check += u64::from(partner.as_ref().is_some_and(is_copy_to_check));
        let place = |mut finding: Finding| {
            (finding.line, finding.column, finding.game) = (at.line, 1, at.game);
            label.clone_into(&mut finding.game_label);
            finding.partner = partner.clone().map(Box::new);
            // Equal findings are told apart by their number.
            finding.fingerprint = fingerprint_of(&finding, subject ^ xxh3_64(&number.to_le_bytes()));
            finding
        };
        (at.input, findings.all().drain(..).map(place).collect())
    }
}

/// Says what is found about related games.
#[derive(Clone, Copy)]
struct Drafter<'c> {
    copies: &'c Copies,
    rules: &'c ActiveRules,
}

impl<'c> Drafter<'c> {
    /// What is found about two related games.
    fn draft(&self, related: &Numbered<Related>) -> io::Result<Draft> {
        let Numbered { record: Related { game, other, judgement, cluster, kept, unlike }, number } = *related;
        let records = (game, other);
        let (bytes, other_bytes) = (self.copies.card(game)?, self.copies.card(other)?);
        let (game, other) = (GameCard::read(&bytes)?, GameCard::read(&other_bytes)?);
        let input = self.copies.input(other.place.input);
        let mut findings = Findings::new();
        let mut keep = cluster.map(|_| Keep::No);
        if let Some(judgement) = judgement {
            let other_input = (other.place.input != game.place.input).then_some(input);
            let (others, cards) = unlike.map_or(Ok((0, Vec::new())), |group| self.unlike(group))?;
            let first = self.others(&cards, game.place)?;
            let unlike = (others > 0).then_some(UnlikeGames { number: others, first: &first });
            let facts = PairFacts { game: &game, other: &other, other_input, judgement, unlike };
            self.rules.pair(&facts, &mut findings);
            // Only a person can find out which header or which version is right, and what moves
            // mean that cannot be replayed.
            let has_unread = game.traits.goes_on && game.traits.unread != other.traits.unread;
            if cluster.is_some()
                && (!judgement.contradictions.is_empty() || judgement.relation == Relation::Version || has_unread)
                || judgement.relation == Relation::WrongHeader && judgement.doubt.is_none()
            {
                keep = Some(Keep::Check);
            }
        }
        let (label, other_label) = (card_label(&game), card_label(&other));
        let [moves, other_moves] = [game.keys.moves, other.keys.moves].map(u64::to_le_bytes);
        let content = [label.as_bytes(), &moves, other_label.as_bytes(), &other_moves];
        let subject = xxh3_64(&content.concat());
        let partner = Partner {
            cluster: cluster.map_or_else(String::new, |cluster| format!("c{cluster}")),
            keep,
            reason: kept.map_or("", |(_, reason)| reason.as_str()).to_owned(),
            differences: differences(&game, &other),
            ..partner_at(self.copies, other.place)
        };
        Ok(Draft { records, findings, at: game.place, label, partner: Some(partner), subject, number })
    }

    /// The number of games in a group under unlike names without the first one, and the cards of
    /// the first ones of these.
    fn unlike(&self, group: u64) -> io::Result<(u64, Vec<Cow<'c, [u8]>>)> {
        let (number, places) = self.copies.unlike(group)?;
        let cards = places.iter().skip(1).map(|at| self.copies.card(*at)).collect::<io::Result<_>>()?;
        Ok((number.saturating_sub(1), cards))
    }

    /// The games with these cards, and the names of their inputs if they are not that of the game
    /// at
    /// `place`.
    fn others<'a>(&self, cards: &'a [Cow<'_, [u8]>], place: GamePlace) -> io::Result<Vec<(GameCard<'a>, Option<&'c str>)>> {
        let read = |bytes: &'a Cow<'_, [u8]>| {
            let card = GameCard::read(bytes)?;
            let input = (card.place.input != place.input).then(|| self.copies.input(card.place.input));
            Ok((card, input))
        };
        cards.iter().map(read).collect()
    }
}

/// The other record of a finding, without what is said of copies.
fn partner_at(copies: &Copies, other: GamePlace) -> Partner {
    Partner { input: copies.input(other.input).to_owned(), game: other.game, line: other.line, ..Partner::default() }
}

/// The tags in which two games differ.
fn differences(game: &GameCard<'_>, other: &GameCard<'_>) -> Vec<(String, String, String)> {
    let both = KEPT_TAGS.into_iter().map(|tag| (tag, game.tag(tag), other.tag(tag)));
    both.filter(|(_, own, other)| own != other)
        .map(|(tag, own, other)| (tag.name().to_owned(), own.to_owned(), other.to_owned()))
        .collect()
}
