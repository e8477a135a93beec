//! Compares all games of a run, and reports copies of games and equal positions.

use std::{cell::RefCell, io};

use rayon::ThreadPool;
use rustc_hash::FxHashSet;

use super::{
    drafts::{Drafter, RECORD_KEYS},
    ledger::Ledger,
    open_input::OpenInput,
    reported::Records,
    verdict::pair,
};
use crate::{
    identity::{CardBatch, CardUse, Copies, GameCard, GamePlace, Games, PositionCard},
    pipeline::{CopySummary, InputSummary, Settings},
    rules::{
        ActiveRules, Check, Finding,
        dup::{better_header, other_spelling},
        facts::{boards_of_games, boards_of_positions},
    },
};

/// The games of a run that are compared with each other, and the inputs that were read.
#[derive(Default)]
pub(super) struct Comparison {
    games: Games,
    /// In their order, with their records that have findings.
    inputs: Vec<(InputSummary, Records)>,
}

impl Comparison {
    /// Takes the next games of the input that is read.
    pub fn add(&mut self, games: CardBatch) -> io::Result<()> {
        self.games.add(games)
    }

    /// Ends an input. `counts` says whether its games are compared with others.
    pub fn end_input(&mut self, (summary, records): (InputSummary, Records), settings: &Settings, counts: bool) {
        let rank = || settings.order.rank(settings.known_name(&summary.name));
        self.games.end_input(counts.then(|| (rank(), summary.name.clone())));
        self.inputs.push((summary, records));
    }

    /// Compares all games with each other and reports the copies. Then it reports the summaries of
    /// the inputs.
    pub fn report(self, ledger: &mut Ledger<'_>, pool: Option<&ThreadPool>) -> io::Result<()> {
        let Comparison { games, inputs } = self;
        let settings = ledger.settings;
        let find = || games.copies(settings.lists(), RECORD_KEYS);
        let mut copies = match pool {
            Some(pool) => pool.install(find)?,
            None => find()?,
        };
        copies.take_players(|player| ledger.sink.player(player))?;
        let (related, kept, spellings) = (copies.take_related(), copies.take_kept(), copies.take_other_spellings());
        let (oddities, positions) = (copies.take_oddities(), copies.take_positions());
        let copies = &copies;
        // Pairs come before what is found about games that are kept.
        let surplus = RefCell::new(FxHashSet::default());
        let rules = ActiveRules::of(&settings.selection);
        let drafter = Drafter::new(copies, settings, &rules);
        let kept = kept.take_while(|_| settings.selection.runs(&better_header::RULE));
        let spellings = spellings.take_while(|_| settings.selection.runs(&other_spelling::RULE));
        let drafts = drafter
            .all_related(related, pool)
            .chain(kept.map(|kept| drafter.kept(&kept?, &surplus.borrow())))
            .chain(spellings.map(|game| drafter.spellings(game?)))
            .chain(oddities.map(|oddity| drafter.oddities(oddity?)))
            .chain(positions.map(|pair| drafter.positions(pair?)));
        let mut to_check = 0;
        let mut inputs = Reopened { inputs, open: None };
        for draft in drafts {
            let mut draft = draft?;
            let is_to_check = draft.is_copy_to_check();
            if settings.selection.runs(&better_header::RULE) && draft.is_surplus() {
                surplus.borrow_mut().insert(draft.records.0);
            }
            let (records, places) = (draft.records, [draft.at, draft.other]);
            let may_go = settings.versions && draft.is_worse_version;
            let input = inputs.get(draft.at.input, copies.input(draft.at.input));
            for mut finding in draft.take_findings(&settings.known) {
                let is_known = settings.known.contains(&finding.fingerprint);
                to_check += u64::from(is_to_check && !is_known);
                if let Some(pair) = pair(settings, input, &finding, (places, may_go)) {
                    ledger.sink.pair(&pair)?;
                }
                if input.about.admits(settings, &mut finding)
                    && input.deferred.may_be_example(&finding, is_known, settings.examples)
                {
                    add_boards(&mut finding, copies, records)?;
                }
                ledger.finding_with_repair(input, finding, None)?;
            }
        }
        inputs.close();
        ledger.run.copies = Some(CopySummary::of(copies, to_check));
        inputs.inputs.iter().try_for_each(|(summary, _)| ledger.sink.input(summary))
    }
}

/// The inputs that were read, one of which is open again for findings about its copies.
struct Reopened {
    inputs: Vec<(InputSummary, Records)>,
    open: Option<(u64, OpenInput)>,
}

impl Reopened {
    /// The input with this number and name. Closes the one before it.
    fn get(&mut self, number: u64, name: &str) -> &mut OpenInput {
        if self.open.as_ref().is_some_and(|(open, _)| *open != number) {
            self.close();
        }
        let (_, input) = self.open.get_or_insert_with(|| {
            let mut input = OpenInput::named(name, None);
            if let Some((_, records)) = self.inputs.get_mut(number as usize) {
                std::mem::swap(&mut input.reported.records, records);
            }
            (number, input)
        });
        input
    }

    /// Adds the findings about the input that is open to its summary.
    fn close(&mut self) {
        let Some((number, input)) = self.open.take() else { return };
        let Some((summary, records)) = self.inputs.get_mut(number as usize) else { return };
        summary.findings.add_all(input.reported.findings);
        let (rules, with_findings) = input.reported.into_totals();
        rules.for_each(|(key, findings)| *summary.rules.entry(key).or_insert(0) += findings);
        *records = with_findings;
    }
}

/// Adds boards of both records to a finding about them. They take time, so only findings that
/// people see get them.
fn add_boards(finding: &mut Finding, copies: &Copies, (record, other): (u64, u64)) -> io::Result<()> {
    let Some(partner) = &mut finding.partner else { return Ok(()) };
    let (bytes, other_bytes) = (copies.card(record)?, copies.card(other)?);
    let boards = if matches!(finding.rule.check, Check::Pair(_) | Check::Kept(_)) {
        boards_of_games(&GameCard::read(&bytes)?, &GameCard::read(&other_bytes)?, finding.ply)
    } else {
        boards_of_positions(&PositionCard::read(&bytes)?, &PositionCard::read(&other_bytes)?)
    };
    partner.boards = boards.map(Box::new);
    Ok(())
}

/// What is found about two games as copies, each with the name of its input: every finding has its
/// boards.
pub fn findings_about_two(games: [(&str, &GameCard<'_>); 2], settings: &Settings) -> io::Result<Vec<Finding>> {
    let is_one_input = games[0].0 == games[1].0;
    let mut all = Games::default();
    for (at, (name, card)) in games.into_iter().enumerate() {
        let input = if is_one_input { 0 } else { at as u64 };
        let mut batch = CardBatch::new(CardUse::Copies);
        batch.push(&GameCard { place: GamePlace { input, ..card.place }, ..card.clone() });
        all.add(batch)?;
        if at == 1 || !is_one_input {
            all.end_input(Some((at, name.to_owned())));
        }
    }
    let mut copies = all.copies(settings.lists(), RECORD_KEYS)?;
    let (related, kept) = (copies.take_related(), copies.take_kept());
    let surplus = RefCell::new(FxHashSet::default());
    let rules = ActiveRules::of(&settings.selection);
    let drafter = Drafter::new(&copies, settings, &rules);
    let drafts = drafter.all_related(related, None).chain(kept.map(|kept| drafter.kept(&kept?, &surplus.borrow())));
    let mut findings = Vec::new();
    for draft in drafts {
        let mut draft = draft?;
        surplus.borrow_mut().extend(draft.is_surplus().then_some(draft.records.0));
        let records = draft.records;
        for mut finding in draft.take_findings(&settings.known) {
            add_boards(&mut finding, &copies, records)?;
            findings.push(finding);
        }
    }
    Ok(findings)
}
