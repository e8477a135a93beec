//! Which checks run on each input, according to the settings.

use std::sync::{Arc, Mutex, PoisonError, atomic::AtomicU64};

use super::{Options, Settings, once_per_input::key, reasons_of_records::Reasons};
use crate::{
    chess::{Variant, retro::Effort},
    record::{GameChecks, ReachedChecks, RecordChecks, fast_lines_suffice, least_severe_about_games},
    rules::{
        Check, Finding, PositionChecks, RULES, Selection, Severity,
        aggregate::{Aggregate, NewAggregate},
        epd,
    },
    table::Layout,
    text::Format,
};

/// Maximum number of findings of an input that later chunks only count.
const MAX_KNOWN: usize = 64;

/// The checks of an input, shared by its chunks.
#[derive(Debug)]
pub(super) struct InputChecks {
    /// Checks of its records.
    pub records: RecordChecks,
    /// The same, for records that are read again with their repairs.
    pub trials: RecordChecks,
    /// Which findings are reported.
    pub selection: Selection,
    /// An empty aggregate for each rule about whole inputs. Those of the parts are made from it.
    pub aggregates: Vec<Box<dyn Aggregate>>,
    /// Start of the first chunk known to contain many positions that fit only Chess960. Only the
    /// first of them is reported, so later chunks need not look at theirs.
    pub many_exceptions_from: AtomicU64,
    /// Why records are bad, if that is asked for.
    pub reasons: Option<Arc<Reasons>>,
    /// Maximum number of nodes to certify a position line, if they are certified.
    pub certify: Option<u64>,
    /// Whether findings that are counted on the lines of others are listed.
    pub lists_folded: bool,
    /// Findings that are reported once per input, and the start of the first accepted chunk that
    /// has them. Later chunks only count them.
    known: Mutex<Vec<(Finding, u64)>>,
}

impl InputChecks {
    /// The findings that are reported once per input and that a chunk before `start` has.
    pub fn known_before(&self, start: u64) -> Vec<Finding> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().filter(|(_, first)| *first < start).map(|(finding, _)| finding.clone()).collect()
    }

    /// Notes findings that are reported once per input and that the chunk at `start` has. The chunk
    /// is accepted: its findings will be reported.
    pub fn note_known(&self, findings: Vec<Finding>, start: u64) {
        if findings.is_empty() {
            return;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        for finding in findings {
            if known.len() < MAX_KNOWN && known.iter().all(|(other, _)| key(other) != key(&finding)) {
                known.push((finding, start));
            }
        }
    }
}

/// The checks of a run, decided once.
#[derive(Debug)]
pub(super) struct RunChecks<'s> {
    settings: &'s Settings,
    games: Arc<GameChecks>,
    /// The checks of games that are read again with their repairs.
    trials: Arc<GameChecks>,
    /// Whether records without a Variant tag are of standard chess.
    is_standard: bool,
    /// Whether the fast path excludes all findings about position lines that would be shown.
    fast_lines: bool,
    /// The least severe findings about games that it has to exclude. `None` if it cannot.
    fast_games: Option<Severity>,
    /// What is collected for rules about whole inputs: of games, and of positions.
    aggregates: [Vec<NewAggregate>; 2],
}

impl<'s> RunChecks<'s> {
    /// The checks that `settings` select.
    pub fn of(settings: &'s Settings) -> RunChecks<'s> {
        let Settings { selection, variant, thorough, options: Options { exhaustive, .. }, .. } = settings;
        let is_standard = matches!(variant, None | Some(Variant::Standard));
        let needs_every_place = settings.split.is_some_and(|on| on.concerns_counted(selection));
        let reached = match (exhaustive, thorough) {
            (false, _) => ReachedChecks::None,
            (true, false) => ReachedChecks::InDoubt,
            (true, true) => ReachedChecks::Thorough,
        };
        let trials = GameChecks::of(selection, *variant, settings.eco.as_ref())
            .of_reached(reached)
            .searching(Effort::of(settings.options.deep))
            .within(settings.limits)
            .of_house(&settings.house);
        RunChecks {
            settings,
            games: trials
                .clone()
                .asking(&settings.oracles)
                .listing_repairs(settings.repairs)
                .keeping_cards(settings.cards())
                .drawing_portrait(settings.portrait)
                .counting_names(!needs_every_place)
                .into(),
            trials: trials.into(),
            is_standard,
            fast_lines: is_standard && fast_lines_suffice(selection),
            fast_games: least_severe_about_games(selection).filter(|severity| {
                let Settings { oracles, eco, .. } = settings;
                let excludes = match severity {
                    // The opening book and tables may have something to say about any game.
                    Severity::Info => oracles.is_empty() && eco.is_none() && !*exhaustive && !needs_every_place,
                    // Next to the time of an engine, that of the thorough path does not count. With
                    // tables, every position may be asked about.
                    _ => oracles.engine.is_none() && (oracles.is_empty() || !*exhaustive),
                };
                is_standard && !*thorough && excludes && settings.house.is_empty()
            }),
            aggregates: [Format::Pgn, Format::Epd].map(|format| {
                let selected = RULES.iter().filter(|rule| selection.runs(rule));
                let new = selected.filter_map(|rule| match (rule.check, format) {
                    (Check::GamesOfInput(new), Format::Pgn) | (Check::PositionsOfInput(new), Format::Epd) => Some(new),
                    _ => None,
                });
                new.collect()
            }),
        }
    }

    /// The checks of an input whose records are laid out like this.
    pub fn of_input(&self, layout: Layout) -> InputChecks {
        let selection = self.settings.selection.clone();
        let [of_games, of_positions] = &self.aggregates;
        let aggregates = if layout == Layout::Games { of_games } else { of_positions }.iter().map(|new| new()).collect();
        let positions = PositionChecks {
            opcode_order: selection.shows_infos(&epd::unknown_or_unsorted_opcode::RULE),
            infos: !self.fast_lines,
            fast_path: true,
        };
        let fast_games = self.fast_games.filter(|_| layout == Layout::Games);
        let max_bytes = self.settings.max_record_bytes;
        let split = self.settings.split;
        let reports_all = split.is_some();
        let records = RecordChecks { layout, games: Arc::clone(&self.games), positions, fast_games, max_bytes, reports_all };
        // Only their errors are counted.
        let trials = RecordChecks {
            games: Arc::clone(&self.trials),
            positions: PositionChecks { infos: !self.is_standard, ..positions },
            fast_games: fast_games.map(|_| Severity::Warning),
            ..records.clone()
        };
        let reasons = split.map(|on| Arc::new(Reasons::new(on, on.concerns_inputs(&selection))));
        let many_exceptions_from = AtomicU64::new(u64::MAX);
        let certify = self.settings.options.certify.filter(|_| layout == Layout::Positions);
        InputChecks {
            records,
            trials,
            selection,
            aggregates,
            many_exceptions_from,
            reasons,
            certify,
            lists_folded: self.settings.games.is_some(),
            known: Mutex::default(),
        }
    }
}
