//! Compares the games of a group, which share a key.

use std::{borrow::Cow, cell::OnceCell, collections::BTreeSet, io};

use super::{
    GameCard, Judgement, RecordKeys, Relation, SameNames, Shared,
    cards::Cards,
    judge::KIND,
    judge_subjects,
    member::{Candidate, Member},
    representatives::Representatives,
};
use crate::identity::names::players::{Evidence, evidence};

/// Maximum number of games under names that have nothing in common whose places are kept of a
/// group, with the first one.
pub(super) const MAX_UNLIKE: usize = 21;

/// Two related games, by the places of their cards, the lower one first, and the number of their
/// [`Judgement`], or one of these.
pub(super) type Pair = [u64; 3];

/// In a [`Pair`]: the games are copies if a name of each turns out to be that of one player.
pub(super) const OTHER_SPELLING: u64 = 15 << KIND;

/// In a [`Pair`]: the games have equal moves under unlike names, and are not judged.
pub(super) const UNLIKE: u64 = (1 + Relation::WrongHeader as u64) << KIND;

/// What was not compared, because too many games are alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotCompared {
    /// Number of groups.
    pub groups: u64,
    /// Number of games in them that were not compared with all others. Of games with equal moves,
    /// one counts.
    pub games: u64,
    /// Number of pairs of them that were not compared. A pair that shares several things may count
    /// as often.
    pub pairs: u64,
}

impl NotCompared {
    /// A group in which none of these games were compared with each other.
    pub const fn group_of(games: u64) -> NotCompared {
        if games < 2 {
            return NotCompared { groups: 0, games: 0, pairs: 0 };
        }
        NotCompared { groups: 1, games, pairs: games.saturating_mul(games - 1) / 2 }
    }

    pub const fn add(&mut self, other: NotCompared) {
        self.groups += other.groups;
        self.games += other.games;
        self.pairs = self.pairs.saturating_add(other.pairs);
    }
}

/// Games with equal moves whose names have nothing in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Unlike {
    /// Their number.
    pub games: u64,
    /// The first ones in the order of the names of the inputs and of the places in them: the ranks
    /// of their inputs, and the places of their cards.
    pub first: BTreeSet<(u64, u64)>,
}

impl Unlike {
    fn push(&mut self, rank: u64, at: u64) {
        self.games += 1;
        self.first.insert((rank, at));
        if self.first.len() > MAX_UNLIKE {
            self.first.pop_last();
        }
    }

    /// Adds others of the same group.
    pub fn add(&mut self, other: Unlike) {
        self.games += other.games;
        self.first.extend(other.first);
        while self.first.len() > MAX_UNLIKE {
            self.first.pop_last();
        }
    }
}

/// What games of a group are compared with.
#[derive(Clone, Copy)]
pub(super) struct Context<'c> {
    pub cards: &'c Cards,
    /// The rank of each input by its name; `None` for those that do not count.
    pub ranks: &'c [Option<u64>],
    /// Names that are those of one player. If there are some, only games with such names are
    /// compared, and the others were compared before.
    pub names: &'c SameNames,
    pub keys: RecordKeys,
}

impl Context<'_> {
    /// The rank of the input with this number.
    pub fn rank(&self, input: u64) -> Option<u64> {
        self.ranks.get(usize::try_from(input).ok()?).copied().flatten()
    }

    /// Whether the input of the game with the card at this place counts.
    pub fn counts(&self, at: u64) -> bool {
        let input = self.cards.bytes(at).and_then(|bytes| Ok(GameCard::read(&bytes)?.place.input));
        input.is_ok_and(|input| self.rank(input).is_some())
    }
}

/// How the games of a group are compared.
#[derive(Clone, Copy)]
pub(super) enum Comparing {
    /// All with each other.
    All,
    /// So many, at the start, with each other and with those after them.
    First(usize),
    /// Each with those that represent the ones before it. So many, at the start, represent games
    /// that were compared before. All are in inputs that count.
    Representatives(usize),
}

/// Compares the games of a group.
pub(super) fn compare_group<'c>(
    context: Context<'c>,
    shared: Shared,
    games: &[Candidate],
    comparing: Comparing,
) -> io::Result<Comparison<'c>> {
    let bytes: Vec<Cow<'_, [u8]>> = games.iter().map(|(at, _)| context.cards.bytes(*at)).collect::<io::Result<_>>()?;
    let read = GameCard::read_all(&bytes)?;
    let member = |((at, order), card): (&Candidate, _)| {
        let card: &GameCard<'_> = card;
        let rank = context.rank(card.place.input)?;
        Some(Member { at: *at, order: *order, rank, card, subject: OnceCell::new(), sketch: OnceCell::new() })
    };
    let mut members: Vec<Member<'_, '_>> = games.iter().zip(&read).filter_map(member).collect();
    let mut comparison = Comparison::new(context, shared);
    match comparing {
        Comparing::All => comparison.all(&members, members.len()),
        Comparing::First(own) => comparison.all(&members, own.min(members.len())),
        Comparing::Representatives(known) => {
            if known == 0 {
                // Not the order of the inputs.
                members.sort_by_key(|member| (member.order, member.rank, member.at));
            }
            comparison.by_representatives(&members, known);
        }
    }
    Ok(comparison)
}

/// The comparison of the games of a group.
pub(super) struct Comparison<'c> {
    shared: Shared,
    context: Context<'c>,
    pub pairs: Vec<Pair>,
    /// What says that names are those of one player.
    pub evidence: Vec<Evidence>,
    pub not_compared: NotCompared,
    /// The games that represent all of the group.
    pub representatives: Vec<Candidate>,
    pub unlike: Unlike,
}

impl<'c> Comparison<'c> {
    const fn new(context: Context<'c>, shared: Shared) -> Comparison<'c> {
        Comparison {
            shared,
            context,
            pairs: Vec::new(),
            evidence: Vec::new(),
            not_compared: NotCompared { groups: 0, games: 0, pairs: 0 },
            representatives: Vec::new(),
            unlike: Unlike { games: 0, first: BTreeSet::new() },
        }
    }

    /// Compares two games, and notes what says that names are those of one player.
    fn compare<'m, 'a>(&mut self, one: &Member<'m, 'a>, other: &Member<'m, 'a>) -> Option<Judgement> {
        let (keys, other_keys) = (one.card.keys, other.card.keys);
        let names = self.context.names;
        let is_weak = matches!(self.shared, Shared::Opening | Shared::Pairing);
        let shares_more = match self.shared {
            Shared::Moves | Shared::Id | Shared::Position => false,
            Shared::End | Shared::Opening | Shared::Pairing => keys.moves == other_keys.moves,
        };
        // Another group contains such a pair.
        if shares_more || is_weak && (keys.end == other_keys.end || !one.may_be_related_to(other, names)) {
            return None;
        }
        let (one, other) = if one.at < other.at { (one, other) } else { (other, one) };
        let (subject, other_subject) = (one.subject(), other.subject());
        let was_compared = || subject.white.may_be(&other_subject.white) && subject.black.may_be(&other_subject.black);
        if !names.is_empty() && was_compared() {
            return None;
        }
        let judgement = judge_subjects(subject, other_subject, names)?;
        let is_wrong = judgement.relation == Relation::WrongHeader;
        if !names.is_empty() {
            // A wrong header was found before names were joined.
            return (!is_wrong).then_some(judgement);
        }
        if self.shared == Shared::Moves {
            for [opponents, names] in subject.spellings(other_subject) {
                self.evidence.extend(evidence(names, opponents, subject.has_same_occasion(other_subject)));
            }
            if is_wrong && subject.has_one_player_of(other_subject) {
                self.pairs.push([one.at, other.at, OTHER_SPELLING]);
            }
        }
        Some(judgement)
    }

    fn push(&mut self, one: &Member<'_, '_>, other: &Member<'_, '_>, judgement: Judgement) {
        self.pairs.push([one.at.min(other.at), one.at.max(other.at), Judgement::number(Some(judgement))]);
    }

    /// Compares the first `own` games with each other and with those after them.
    fn all(&mut self, members: &[Member<'_, '_>], own: usize) {
        for (index, one) in members[..own].iter().enumerate() {
            for other in &members[index + 1..] {
                if let Some(judgement) = self.compare(one, other) {
                    self.push(one, other, judgement);
                }
            }
        }
    }

    /// Compares each game with those that represent others with a name in common, or with the same
    /// day and round. Of several relations of a game that do not make it a copy, the first one of
    /// each kind counts.
    fn by_representatives(&mut self, members: &[Member<'_, '_>], known: usize) {
        let mut found = Representatives::new(self.context.names, self.shared == Shared::Id);
        for (at, member) in members.iter().enumerate() {
            if at < known {
                found.add(at, member, false);
                continue;
            }
            // Games with equal moves and tags are related to others in the same way.
            if let Some(equal) = found.equal_to(member) {
                if let Some(judgement) = self.compare(&members[equal], member) {
                    self.push(&members[equal], member, judgement);
                }
                continue;
            }
            let (mut candidates, left_out) = found.candidates(member);
            // Games under equal names follow each other.
            candidates.extend(at.checked_sub(1).filter(|before| members[*before].has_names_of(member)));
            candidates.dedup();
            self.not_compared.games += u64::from(left_out > 0);
            self.not_compared.pairs += left_out;
            let (mut is_copy, mut kinds) = (false, 0_u64);
            for candidate in candidates.into_iter().map(|at| &members[at]) {
                let Some(judgement) = self.compare(candidate, member) else { continue };
                let (are_copies, kind) = (judgement.are_copies(), 1 << judgement.kind());
                is_copy |= are_copies;
                if are_copies || kinds & kind == 0 {
                    self.push(candidate, member, judgement);
                }
                kinds |= kind;
            }
            let may_be_unlike = self.shared == Shared::Moves && self.context.names.is_empty() && kinds == 0;
            let is_wrong = |found: Judgement| found.relation == Relation::WrongHeader;
            if may_be_unlike && (at == 0 || self.compare(&members[0], member).is_some_and(is_wrong)) {
                self.unlike.push(member.rank, member.at);
            }
            found.add(at, member, is_copy);
        }
        self.not_compared.groups = u64::from(self.not_compared.games > 0);
        self.representatives = found.games().map(|at| (members[at].at, members[at].order)).collect();
    }
}
