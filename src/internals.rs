//! What the tests, benches and fuzz targets of this repository use, by room. It is no interface:
//! anything here may change with each release.
#![allow(missing_docs)]

pub mod chess {
    pub use crate::chess::{Board, SanWord, WrittenMove, WrittenSan, checkers_after, resolve};
    pub mod retro {
        pub use crate::chess::retro::{
            ANY_START, Effort, KnownHistory, LastMoves, Reachability, STANDARD_START, StartingRanks, Structure,
        };
    }
    pub mod winnability {
        pub use crate::chess::winnability::{cannot_checkmate, is_dead};
    }
}
pub mod cli {
    pub use crate::cli::{
        args::{Arguments, Command},
        settings::{
            options::{OptionsError, read},
            resolved::ResolvedSettings,
        },
    };
}
pub mod corpus {
    pub use crate::corpus::{Bytes, Globs, Input, Packing, Recognised, Skipped, Source, recognise};
}
pub mod epd {
    pub use crate::epd::{Mate, search_mate};
}
pub mod identity {
    pub use crate::identity::{CardBytes, CardUse, KEPT_TAGS, RatingList};
}
pub mod oracle {
    pub use crate::oracle::{Engine, NoVerdict, Oracles, Prospect, Syzygy, TableVerdict, Tables};
    pub mod engine {
        pub use crate::oracle::engine::answer::MateLine;
        pub use crate::oracle::engine::pool::MAX_FAILURES;
        pub use crate::oracle::engine::{
            Answer, EngineCounts, EngineError, EngineSettings, Engines, Limit, Question, Score, find_program,
        };
    }
}
pub mod pgn {
    pub use crate::pgn::boundary::{CommentEnd, comment_end};
    pub use crate::pgn::tags::TagRead;
    pub use crate::pgn::{BOM, EcoBook, KnownTag, Lexer, Limits, Token, guess_start, read_bare_tag, read_tag};
}
pub mod pipeline {
    pub use crate::pipeline::one_record::OneRecordError;
    pub use crate::pipeline::outcome::SharedFault;
    pub use crate::pipeline::{
        Audit, BadFinding, BadRecord, DividedInput, Expectations, ExpectedInputs, ExpectedOfRun, Failure, InputSummary, Known,
        Options, Place, Progress, RuleSummary, RunSummary, SetAt, Settings, SeverityCounts, Sink, SplitOn,
    };
}
pub mod record {
    pub use crate::record::fastpath::{AcceptedLine, accepted_lines::accept_lines_portable, game::AcceptedGame};
    pub use crate::record::{
        Certificate, Consequences, Consulted, Counts, Diagram, Evidence, Examined, FastGames, PositionEvidence, Property,
        RecordEvidence, Results, accept_lines, accept_rows, examine_line_to, examine_perft_line, examine_position, explain_line,
        fast_lines_suffice, least_severe_about_games,
    };
}
pub mod report {
    pub use crate::edit::fix::{Filter, read_repairs};
    pub use crate::format::columns::{Column, ColumnType, FAILURES, INPUTS, REPAIRS, SUMMARY};
    pub use crate::report::repairs::{RepairRow, unescaped};
    pub use crate::report::schema::TableShape;
    pub use crate::review::compare::FindingChange;
    pub use crate::review::compare_inputs::InputChange;
    pub use crate::review::reader::ReadError;
    pub use crate::{
        edit::{Control, DiffStyle, Fix, FixError, FixPlan, Fixed, Split, SplitCounts, SplitError, SplitFiles},
        format::{
            COLUMNS, CheckedFiles, PARTNER_COLUMNS, REPAIR_COLUMNS, ReportError, RunSettings, RunSettingsFile, Table,
            spreadsheet_safe,
        },
        report::{CompleteReport, ExplanationRecord, RepairList, Report, Stream, StreamFormat, json_schema},
        review::{Baseline, CompareTables, Comparison, ReportReader},
    };
}
pub mod rules {
    pub use crate::rules::{
        ActiveRules, Bounds, Ceiling, Certainty, Check, Code, CodeSet, Condition, Declared, Demand, DeniedGames, Family, Finding,
        Findings, HouseNote, HouseRules, Keep, MIN_GROUPED, Need, Origin, Partner, Patch, PositionChecks, Profile, Quantity,
        RULES, Rule, Sample, Scope, Selection, Severity, Span, StartShown, TagDemand, Yield, catalogue, rule, rules_called,
        shown,
    };
    pub mod conditions {
        pub use crate::rules::fen::field_count::{ALL_TEXT, MANY_OTHER_LINES};
        pub use crate::rules::placeholders::{FULLMOVE_NUMBER_REAL, FULLMOVE_PLACEHOLDER};
        pub use crate::rules::pos::king_count::KINGS_MISSING;
        pub use crate::rules::variant_shown::{
            FEW_EXCEPTIONS, MANY_EXCEPTIONS, STANDARD_CHESS, STANDARD_NOT_SHOWN, STANDARD_SHOWN,
        };
    }
    pub mod facts {
        pub use crate::rules::facts::{EnPassantUse, NamedPosition, PositionFacts};
    }
}
pub mod spill {
    pub use crate::spill::Sorter;
}
pub mod table {
    pub use crate::table::{Columns, table_with_columns};
}
pub mod text {
    pub use crate::text::{Format, Span};
    pub mod wording {
        pub use crate::text::wording::{is_printable, printable, printable_name, restored_name, thousands};
    }
}
