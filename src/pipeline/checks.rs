//! What each input is checked for, as the settings say.

use super::Settings;
use crate::{
    record::{GameChecks, RecordChecks, fast_games_suffice, fast_lines_suffice},
    rules::{Check, PositionChecks, RULES, Selection, aggregate::NewAggregate, epd},
    table::Table,
    text::Format,
};

/// What every chunk of an input is read with.
#[derive(Clone, Debug)]
pub(super) struct InputChecks {
    /// What its records are checked for.
    pub records: RecordChecks,
    /// Which findings are reported.
    pub selection: Selection,
    /// What is collected for rules about the whole input.
    pub aggregates: Vec<NewAggregate>,
}

/// What inputs are checked for: decided once per run.
#[derive(Debug)]
pub(super) struct RunChecks<'s> {
    settings: &'s Settings,
    games: GameChecks,
    /// Whether the fast path rules out everything that would be shown of position lines, and of games.
    fast_lines: bool,
    fast_games: bool,
}

impl<'s> RunChecks<'s> {
    /// What `settings` ask for.
    pub fn of(settings: &'s Settings) -> RunChecks<'s> {
        let Settings { selection, chess960, exhaustive, thorough, .. } = settings;
        RunChecks {
            settings,
            games: GameChecks::of(selection, *exhaustive, *chess960, settings.eco.as_ref()).within(settings.limits),
            // An accepted line says less about Chess960 than it could.
            fast_lines: !chess960 && fast_lines_suffice(selection),
            fast_games: !(*chess960 || *exhaustive || *thorough) && fast_games_suffice(selection),
        }
    }

    /// What an input in this format is checked for.
    pub fn of_input(&self, format: Format, table: Option<Table>) -> InputChecks {
        let selection = self.settings.selection.clone();
        let aggregates: Vec<NewAggregate> = RULES
            .iter()
            .filter(|rule| selection.runs(rule))
            .filter_map(|rule| match (rule.check, format) {
                (Check::GamesOfInput(new), Format::Pgn) | (Check::PositionsOfInput(new), Format::Epd) => Some(new),
                _ => None,
            })
            .collect();
        let positions = PositionChecks {
            perft_depth: self.settings.perft_depth,
            opcode_order: selection.shows_infos(&epd::unknown_or_unsorted_opcode::RULE),
            infos: !self.fast_lines,
            fast_path: true,
        };
        let fast_games = self.fast_games && !self.games.line_ends && aggregates.is_empty() && format == Format::Pgn;
        let records = RecordChecks { format, table, games: self.games.clone(), positions, fast_games };
        InputChecks { records, selection, aggregates }
    }
}
