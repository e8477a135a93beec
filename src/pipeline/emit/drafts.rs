//! What is found about a record and another one: copies of games, spellings of names, equal
//! positions.

use std::{borrow::Cow, io, iter};

use rayon::{ThreadPool, prelude::*};
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    identity::{
        Copies, GameCard, GamePlace, KEPT_TAGS, KeptGame, Numbered, Oddity, PlayerName, PositionCard, RecordKeys, Related,
        Relation, SameBecause, better_tags, compare_positions, content_key,
    },
    pgn::KnownTag,
    pipeline::{Known, Settings},
    record::{card_label, digest, fingerprint_of, line_label},
    rules::{
        ActiveRules, Finding, Findings, Keep, Partner,
        facts::{BetterTag, KeptFacts, OddityFacts, PairFacts, PositionPairFacts, SpellingFacts, UnlikeGames},
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
pub(super) struct Draft {
    /// The records, by the places of their cards.
    pub records: (u64, u64),
    findings: Findings,
    pub at: GamePlace,
    /// Where the other record is; that of the record itself if there is none.
    pub other: GamePlace,
    label: String,
    partner: Option<Partner>,
    /// What tells the records from others. Of two games, the same with the other one first, too.
    subjects: [u64; 2],
    /// Its number among those with the same subject.
    number: u64,
    /// Whether the record is a version of the other one, which is better for a reason, and their
    /// headers agree.
    pub is_worse_version: bool,
}

impl Draft {
    /// What is found about one game.
    fn of_game(findings: Findings, game: &GameCard<'_>, records: (u64, u64), number: u64, partner: Option<Partner>) -> Draft {
        let (label, subject) = (card_label(game), game_key(game));
        let (at, other, subjects, is_worse_version) = (game.place, game.place, [subject; 2], false);
        Draft { records, findings, at, other, label, partner, subjects, number, is_worse_version }
    }

    /// Whether it is about a copy that need not be kept.
    pub fn is_surplus(&self) -> bool {
        self.partner.as_ref().is_some_and(|partner| partner.keep == Some(Keep::No))
    }

    /// Whether it is about a copy that contradicts another one, so that a person has to find out
    /// which is right.
    pub fn is_copy_to_check(&self) -> bool {
        let is_to_check = |partner: &Partner| partner.keep == Some(Keep::Check) && !partner.cluster.is_empty();
        self.partner.as_ref().is_some_and(is_to_check)
    }

    /// The findings, with the place and the name of the record and the other record. A pair has one
    /// fingerprint, whichever game is the better copy: that of the game with the lower one, unless
    /// the other one is `known`, as pairs were before version 0.2.0.
    pub fn take_findings(&mut self, known: &Known) -> impl Iterator<Item = Finding> {
        let Draft { findings, at, label, partner, subjects, number, .. } = self;
        findings.all().drain(..).map(move |mut finding| {
            (finding.line, finding.column, finding.game) = (at.line, 1, at.game);
            label.clone_into(&mut finding.game_label);
            finding.partner = partner.clone().map(Box::new);
            // Equal findings are told apart by their number.
            let of = |subject: u64| fingerprint_of(&finding, subject ^ xxh3_64(&number.to_le_bytes()));
            let either = subjects.map(of);
            let is_known = |fingerprint: &u64| known.contains(fingerprint);
            finding.fingerprint = either.into_iter().find(is_known).unwrap_or(either[0].min(either[1]));
            finding
        })
    }
}

/// Says what is found about records of the run.
#[derive(Clone, Copy)]
pub(super) struct Drafter<'c> {
    copies: &'c Copies,
    rules: &'c ActiveRules,
    /// Whether only a list says which names are those of one player.
    only_listed_names: bool,
}

impl<'c> Drafter<'c> {
    pub const fn new(copies: &'c Copies, settings: &Settings, rules: &'c ActiveRules) -> Drafter<'c> {
        Drafter { copies, rules, only_listed_names: settings.only_listed_names }
    }

    /// What is found about related games, in their order. Many drafts are made at the same time.
    pub fn all_related(
        self,
        mut related: impl Iterator<Item = io::Result<Numbered<Related>>>,
        pool: Option<&ThreadPool>,
    ) -> impl Iterator<Item = io::Result<Draft>> {
        let draft = move |related: io::Result<Numbered<Related>>| self.draft(&related?);
        let next = move || {
            let related: Vec<_> = related.by_ref().take(AT_ONCE).collect();
            (!related.is_empty()).then(|| match pool {
                Some(pool) => pool.install(|| related.into_par_iter().map(draft).collect::<Vec<_>>()),
                None => related.into_iter().map(draft).collect(),
            })
        };
        iter::from_fn(next).flatten()
    }

    /// What is found about a game that is kept. `surplus` are the cards of copies that need not be
    /// kept: what they know is lost if nobody takes it.
    pub fn kept(&self, kept: &Numbered<KeptGame>, surplus: &FxHashSet<u64>) -> io::Result<Draft> {
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
            let has_value = |(at, copy): (&u64, &GameCard<'_>)| surplus.contains(at) && copy.tag(tag).trim() == value;
            let is_surplus = kept.copies.iter().zip(&cards).any(has_value);
            let copy = &cards[copy];
            let input = self.copies.input(copy.place.input);
            BetterTag { tag, value, copy, is_surplus, copy_input: (copy.place.input != game.place.input).then_some(input) }
        });
        let better: Vec<BetterTag<'_>> = better.collect();
        let mut findings = Findings::new();
        self.rules.kept(&KeptFacts { game: &game, better: &better }, &mut findings);
        let partner = better.first().map(|BetterTag { copy, .. }| Partner {
            cluster: format!("c{}", kept.cluster),
            differences: differences(&game, copy),
            ..partner_at(self.copies, copy.place)
        });
        Ok(Draft::of_game(findings, &game, (kept.game, first), *number, partner))
    }

    /// Whether a better value is a name that fewer games have than the one it replaces.
    fn is_rarer(&self, own: &str, (tag, value, _): (KnownTag, &str, usize)) -> io::Result<bool> {
        let is_name = matches!(tag, KnownTag::White | KnownTag::Black);
        let (own, value) = (PlayerName::new(own), PlayerName::new(value));
        Ok(is_name && !own.is_unknown() && self.copies.games_of(&value)? < self.copies.games_of(&own)?)
    }

    /// What is found about the names of the players of a game, by the place of its card.
    pub fn spellings(&self, game: Numbered<u64>) -> io::Result<Draft> {
        let Numbered { record: at, number } = game;
        let bytes = self.copies.card(at)?;
        let game = GameCard::read(&bytes)?;
        let mut findings = Findings::new();
        for tag in [KnownTag::White, KnownTag::Black] {
            let main = self.copies.names.main_spelling(&PlayerName::new(game.tag(tag)));
            if let Some(main) = main.filter(|main| !self.only_listed_names || main.because == SameBecause::List) {
                self.rules.spelling(&SpellingFacts { game: &game, tag, main }, &mut findings);
            }
        }
        Ok(Draft::of_game(findings, &game, (at, at), number, None))
    }

    /// What is found about a game whose header those of other games contradict, by the place of its
    /// card.
    pub fn oddities(&self, found: Numbered<(u64, Oddity)>) -> io::Result<Draft> {
        let Numbered { record: (at, oddity), number } = found;
        let bytes = self.copies.card(at)?;
        let game = GameCard::read(&bytes)?;
        let other = match oddity {
            Oddity::Rating { .. } | Oddity::NameAndId { .. } => None,
            Oddity::EventSpelling { main: other, .. } | Oddity::TwiceInRound { other, .. } => Some(self.copies.card(other)?),
        };
        let other = other.as_ref().map(|bytes| GameCard::read(bytes)).transpose()?;
        let other = other.as_ref().map(|other| {
            let input = (other.place.input != game.place.input).then(|| self.copies.input(other.place.input));
            (other, input)
        });
        let mut findings = Findings::new();
        let listed = match oddity {
            Oddity::NameAndId { id, .. } => self.copies.listed(id)?,
            _ => None,
        };
        self.rules.oddity(&OddityFacts { game: &game, oddity, other, listed: listed.as_ref() }, &mut findings);
        Ok(Draft::of_game(findings, &game, (at, at), number, None))
    }

    /// What is found about a position and an earlier one, by the places of their cards.
    pub fn positions(&self, pair: Numbered<(u64, u64)>) -> io::Result<Draft> {
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
        let subjects = [digest([position.text, b"\n", other.text]); 2];
        let partner = Some(partner_at(self.copies, other.place));
        let (at, other, is_worse_version) = (position.place, other.place, false);
        Ok(Draft { records, findings, at, other, label, partner, subjects, number, is_worse_version })
    }

    /// What is found about two related games.
    fn draft(&self, related: &Numbered<Related>) -> io::Result<Draft> {
        let Numbered { record: Related { game, other, judgement, cluster, kept, unlike }, number } = *related;
        let records = (game, other);
        let (bytes, other_bytes) = (self.copies.card(game)?, self.copies.card(other)?);
        let (game, other) = (GameCard::read(&bytes)?, GameCard::read(&other_bytes)?);
        let input = self.copies.input(other.place.input);
        let mut findings = Findings::new();
        let mut keep = cluster.map(|_| Keep::No);
        let mut is_worse_version = false;
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
            is_worse_version = cluster.is_some()
                && judgement.relation == Relation::Version
                && judgement.contradictions.is_empty()
                && !has_unread
                && kept.is_some_and(|(_, reason)| reason.is_about_quality());
            if cluster.is_some()
                && (!judgement.contradictions.is_empty() || judgement.relation == Relation::Version || has_unread)
                || judgement.relation == Relation::WrongHeader && judgement.doubt.is_none()
            {
                keep = Some(Keep::Check);
            }
        }
        let (label, other_label) = (card_label(&game), card_label(&other));
        let [moves, other_moves] = [game.keys.moves, other.keys.moves].map(u64::to_le_bytes);
        let (own, others) = ([label.as_bytes(), &moves].concat(), [other_label.as_bytes(), &other_moves].concat());
        let subjects = [[&own[..], &others], [&others, &own]].map(|both| xxh3_64(&both.concat()));
        let partner = Partner {
            cluster: cluster.map_or_else(String::new, |cluster| format!("c{cluster}")),
            keep,
            reason: kept.map_or("", |(_, reason)| reason.as_str()).to_owned(),
            differences: differences(&game, &other),
            digests: Some([&bytes, &other_bytes].map(|card| content_key(card))),
            ..partner_at(self.copies, other.place)
        };
        let (at, other, partner) = (game.place, other.place, Some(partner));
        Ok(Draft { records, findings, at, other, label, partner, subjects, number, is_worse_version })
    }

    /// The number of games in a group under unlike names without the first one, and the cards of
    /// the first ones of these.
    fn unlike(&self, group: u64) -> io::Result<(u64, Vec<Cow<'c, [u8]>>)> {
        let (number, places) = self.copies.unlike(group)?;
        let cards = places.iter().skip(1).map(|at| self.copies.card(*at)).collect::<io::Result<_>>()?;
        Ok((number.saturating_sub(1), cards))
    }

    /// The games with these cards, and the names of their inputs if they are not that of the game
    /// at `place`.
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
