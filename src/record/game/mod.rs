//! One game: read, replayed and checked in one pass over its bytes.
//!
//! The replay itself allocates nothing and explains nothing. Anything unusual goes to a cold path
//! that gathers the facts and runs the rules.

mod annotations;
mod ending;
mod exhaustive;
mod follow_up;
mod header;
mod line_state;
mod lookahead;
mod movetext;
mod noncanonical;
mod number;
mod opening;
mod own_line;
mod plain_movetext;
mod reading;
mod reinterpretation;
mod repair;
mod unbalanced;
mod variant_replay;
mod variation;

use std::sync::Arc;

use shakmaty::{Color, Position};

pub(crate) use self::exhaustive::ReachedChecks;
pub(super) use self::own_line::plies_played;
use self::{
    follow_up::{ReadGame, drop_follow_ups},
    opening::Opening,
    reading::{MovetextReading, ReadingMemory},
};
use super::{AcceptedBeginning, Consequences, FastGames, LineOracles, PositionEvidence};
use crate::{
    chess::{RepairMemory, Variant, WrittenPly, retro::Effort},
    identity::{CardBatch, MainLine},
    oracle::{OracleCounts, Oracles},
    pgn::{EcoBook, Lexer, Limits, MarkerKind, TagFault, TagPair, TagSection, plies_seen},
    rules::{
        ActiveRules, Code, Declared, Family, Finding, Findings, HouseRules, Scope, Selection, Sign, apply_yields,
        enc::non_ascii_token,
        facts::{Layout, RecordBytes},
        syn::{
            blank_line::{self, Effect},
            unknown_token,
        },
        tag::{self, tag_name},
        var::unknown_variant,
    },
    text::{
        Span, is_plain_ascii,
        wording::{quantity, thousands},
    },
};

/// Which checks run on games. Work that only rules outside the selection need is skipped.
#[derive(Clone, Debug)]
pub(crate) struct GameChecks {
    pub rules: ActiveRules,
    /// The opening book, if one was given and its rule is selected.
    eco: Option<Arc<EcoBook>>,
    /// The oracles.
    pub oracles: Arc<Oracles>,
    /// House rules.
    pub house: Arc<HouseRules>,
    /// Maximum number of pieces in positions that tables may contain; 0 without tables.
    pub max_table_pieces: usize,
    /// The repairs of all places are listed.
    pub repairs: bool,
    /// A card of each game is kept.
    pub keeps_cards: bool,
    /// Games are counted by their properties.
    pub draws_portrait: bool,
    /// Copies are looked for among these games.
    pub finds_copies: bool,
    /// Misspelled names of tags that were found before are only counted.
    pub counts_names: bool,
    /// Which positions that the replay reaches are checked.
    pub reached: ReachedChecks,
    /// How much is searched before it is left open whether a position can be reached.
    effort: Effort,
    /// The variant of records without a Variant tag.
    pub variant: Option<Variant>,
    /// Ratings and dates that count as possible.
    pub limits: Limits,
}

impl GameChecks {
    /// What the settings declare about every position.
    pub(super) fn declared(&self) -> Declared {
        Declared { effort: self.effort, ..Declared::by_user(self.variant) }
    }

    /// The checks that `selection` needs. Records without a Variant tag are of the variant
    /// `variant`. `eco` is the opening book.
    pub(crate) fn of(selection: &Selection, variant: Option<Variant>, eco: Option<&Arc<EcoBook>>) -> GameChecks {
        GameChecks {
            repairs: false,
            keeps_cards: false,
            draws_portrait: false,
            finds_copies: false,
            counts_names: true,
            rules: ActiveRules::of(selection),
            eco: eco.filter(|_| selection.shows_infos(&tag::eco_mismatch::RULE)).cloned(),
            oracles: Arc::default(),
            house: Arc::default(),
            max_table_pieces: 0,
            reached: ReachedChecks::default(),
            effort: Effort::Quick,
            variant,
            limits: Limits::DEFAULT,
        }
    }

    /// The same checks with oracles that can be asked.
    pub(crate) fn asking(self, oracles: &Arc<Oracles>) -> GameChecks {
        GameChecks { oracles: Arc::clone(oracles), max_table_pieces: oracles.max_table_pieces(), ..self }
    }

    /// The same checks, and house rules.
    pub(crate) fn of_house(self, house: &Arc<HouseRules>) -> GameChecks {
        GameChecks { house: Arc::clone(house), ..self }
    }

    /// The same checks, for a list of repairs if `repairs` is set.
    pub(crate) fn listing_repairs(self, repairs: bool) -> GameChecks {
        GameChecks { repairs, ..self }
    }

    /// The same checks, keeping a card of each game if `keeps_cards` is set, to find copies if
    /// `finds_copies` is.
    pub(crate) fn keeping_cards(self, keeps_cards: bool, finds_copies: bool) -> GameChecks {
        GameChecks { keeps_cards, finds_copies, ..self }
    }

    /// The same checks, counting games by their properties if `draws_portrait` is set.
    pub(crate) fn drawing_portrait(self, draws_portrait: bool) -> GameChecks {
        GameChecks { draws_portrait, ..self }
    }

    /// The same checks, which find misspelled names of tags in every game unless `counts_names` is
    /// set.
    pub(crate) fn counting_names(self, counts_names: bool) -> GameChecks {
        GameChecks { counts_names, ..self }
    }

    /// Whether rules look for this.
    #[inline(always)]
    pub(super) const fn look_for(&self, sign: Sign) -> bool {
        self.rules.waking().looks_for(sign)
    }

    /// Whether infos about moves and their numbers are shown.
    fn has_spelling_infos(&self) -> bool {
        let signs = [Sign::UnmarkedCheck, Sign::UnmarkedCapture, Sign::Disambiguation, Sign::NumberStyle];
        self.rules.waking().has_moves() || signs.into_iter().any(|sign| self.look_for(sign))
    }

    /// The oracles that can be asked about position lines.
    pub(super) fn asking_about_lines(&self) -> LineOracles<'_> {
        LineOracles { oracles: &self.oracles, rules: &self.rules }
    }

    /// The same checks, and these of the positions that games reach.
    pub(crate) fn of_reached(self, reached: ReachedChecks) -> GameChecks {
        GameChecks { reached, ..self }
    }

    /// The same checks, with this effort in searches for the past of positions.
    pub(crate) fn searching(self, effort: Effort) -> GameChecks {
        GameChecks { effort, ..self }
    }

    /// The same checks with other limits.
    pub(crate) fn within(self, limits: Limits) -> GameChecks {
        GameChecks { limits, ..self }
    }
}

/// Memory that is reused from game to game.
#[derive(Debug, Default)]
pub(super) struct GameMemory {
    pairs: Vec<TagPair>,
    names: Vec<Span>,
    reading: ReadingMemory,
    repairs: RepairMemory,
    /// The plies of a line to be repaired, as written.
    plies: Vec<WrittenPly>,
    /// Reads games with a repair applied, on first use.
    repaired_games: Option<Box<FastGames>>,
    /// The main line of the game read last, if cards are kept.
    pub main_line: MainLine,
    /// The cards of games.
    pub cards: CardBatch,
}

/// The result of reading a game.
#[derive(Clone, Debug)]
pub(super) struct GameOutcome {
    /// Start of the next record, or end of the text.
    pub next: usize,
    /// One past the marker of the game. Without a marker, the start of the next record.
    pub end: usize,
    /// Start of the movetext. Without movetext, start of the next record.
    pub movetext: usize,
    /// Whether there is a game, not only blank lines, comments and stray text.
    pub is_game: bool,
    /// Whether it is a game with other pieces than those of chess.
    pub is_other_game: bool,
    /// Whether there is a tag pair, even a damaged one.
    pub has_tags: bool,
    /// What its termination marker means, if it has one.
    pub marker: Option<MarkerKind>,
    /// Plies of the main line that were replayed.
    pub main_line: u32,
    /// Plies replayed.
    pub plies: u64,
    /// Plies read but not replayed.
    pub plies_not_examined: u64,
    /// Whether a certain repair of the moves was found, and the repaired movetext has no errors or
    /// warnings.
    pub is_repair_proven: bool,
    /// Whether more text could change the result.
    pub touched_end: bool,
    /// What its first position shows about the input.
    pub evidence: PositionEvidence,
    /// How often oracles were asked.
    pub oracles: OracleCounts,
    /// What other readers do not read.
    pub consequences: Consequences,
}

/// A game that is being read: the record, and the current reading of its movetext.
struct GameReplay<'a, 'w> {
    text: &'a [u8],
    lexer: Lexer<'a>,
    findings: &'w mut Findings,
    checks: &'w GameChecks,
    memory: &'w mut GameMemory,
    /// What the tags say about the start of the movetext.
    opening: Opening,
    /// The current reading of the movetext. A movetext that is read again gets a new one.
    reading: MovetextReading,
    /// Whether there is a tag section, even a damaged one.
    has_tags: bool,
    /// Whether the text ends inside a tag pair.
    cut_in_tags: bool,
    /// Start of the movetext. Without movetext, start of the next record.
    movetext_at: usize,
    /// Number of findings before the movetext. A new reading keeps these.
    findings_before: usize,
    /// The FEN tag, if the game begins in its position.
    fen_tag: Option<Span>,
    /// The SetUp tag of a game with a FEN tag.
    setup_tag: Option<Span>,
    /// A position in a FEN tag whose name is misspelled or whose value has no quotes.
    misspelled_fen: Option<Span>,
    /// Whether other notations have been tried.
    notation_tried: bool,
    /// The last fault of a tag pair.
    tag_fault: Option<RepeatedTagFault>,
    /// The beginning of the movetext, if it need not be read again.
    beginning: Option<AcceptedBeginning>,
    /// The beginning of the movetext that was not read again.
    accepted: AcceptedPart,
    /// Up to here, all words of the movetext begin with English piece letters or files.
    english_to: usize,
}

/// Number of bytes after the name of a tag in which a number of plies ends.
const MAX_COUNT: usize = 64;

/// The name of the tag with the number of plies.
const PLY_COUNT: &str = "PlyCount";

/// The beginning of a movetext that the fast path has accepted.
#[derive(Clone, Copy, Debug, Default)]
struct AcceptedPart {
    /// Number of its plies.
    plies: usize,
    /// Its end, in bytes.
    end: usize,
}

/// A fault that several tag pairs of a game may have. Only the first one is a finding.
struct RepeatedTagFault {
    fault: TagFault,
    /// Index of the finding.
    finding: usize,
    /// Message of the finding, without the number of further tag pairs.
    message: String,
    /// Number of further tag pairs with this fault.
    more: u32,
}

/// Where a game is.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameText<'a> {
    /// The text with the game.
    pub text: &'a [u8],
    /// Where the game begins in it.
    pub start: usize,
    /// Whether the text reaches the end of the input.
    pub complete: bool,
}

/// Reads a game, and the text after it up to the next record. Its moves up to the end of
/// `beginning` need not be read again.
pub(super) fn audit_game(
    game: GameText<'_>,
    checks: &GameChecks,
    beginning: Option<AcceptedBeginning>,
    memory: &mut GameMemory,
    findings: &mut Findings,
) -> GameOutcome {
    let since = findings.len();
    let GameText { text, start, .. } = game;
    let (mut outcome, movetext, turn) = replay_game(game, checks, beginning, memory, findings);
    let has_special_bytes = !is_plain_ascii(&text[start..outcome.next]);
    if has_special_bytes {
        let bytes = RecordBytes { text, start, end: outcome.next, at_input_start: start == 0 };
        checks.rules.bytes(&bytes, findings);
    }
    let layout = Layout {
        text,
        pairs: &memory.pairs,
        game: Span::new(start, outcome.end),
        movetext,
        next: outcome.next,
        turn,
        has_special_bytes,
        is_game: outcome.is_game,
    };
    checks.rules.layout(&layout, findings);
    if outcome.is_other_game {
        // Rules about chess have nothing to say.
        findings.retain_since(since, |finding| concerns_other_games(finding.rule.code));
    }
    apply_yields(findings, since);
    withdraw_false_ply_counts(text, &outcome, findings.since(since));
    if findings.since(since).iter().any(|finding| finding.repair.is_some()) {
        let record = Span::new(start, outcome.next);
        let game = ReadGame { text, record, is_repair_proven: outcome.is_repair_proven, since };
        drop_follow_ups(game, checks, memory, findings);
    }
    if outcome.is_game && findings.len() > since {
        outcome.consequences = consequences(text, start, &outcome, findings.since(since));
    }
    outcome
}

/// Whether a rule also applies to games with other pieces than those of chess.
fn concerns_other_games(code: Code) -> bool {
    code == unknown_variant::RULE.code || (code.family() == Family::Enc && code != non_ascii_token::RULE.code)
}

/// Reads a game and runs the rules about its parts. Also returns the start of its movetext, and the
/// side that moves first.
fn replay_game(
    GameText { text, start, complete }: GameText<'_>,
    checks: &GameChecks,
    beginning: Option<AcceptedBeginning>,
    memory: &mut GameMemory,
    findings: &mut Findings,
) -> (GameOutcome, usize, Color) {
    memory.pairs.clear();
    memory.names.clear();
    let opening = Opening { last_token: Span::new(start, start), ..Opening::default() };
    let reading = MovetextReading::before(&opening, std::mem::take(&mut memory.reading));
    let since = findings.len();
    let mut replay = GameReplay {
        text,
        lexer: Lexer::new(text, start),
        findings,
        checks,
        memory,
        opening,
        reading,
        has_tags: false,
        cut_in_tags: false,
        movetext_at: start,
        findings_before: since,
        fen_tag: None,
        setup_tag: None,
        misspelled_fen: None,
        notation_tried: false,
        tag_fault: None,
        beginning,
        accepted: AcceptedPart::default(),
        english_to: start,
    };
    let outcome = replay.game(start, complete);
    let GameReplay { findings, memory, movetext_at, mut reading, .. } = replay;
    drop_folded(findings, &mut reading.folded);
    let turn = reading.start.turn();
    if checks.keeps_cards {
        reading.main_line_to(&mut memory.main_line);
    }
    memory.reading = reading.take_memory();
    (outcome, movetext_at, turn)
}

/// Withdraws repairs that would make another tag PlyCount although its value is not the number of
/// plies: that tag counts something else.
fn withdraw_false_ply_counts(text: &[u8], outcome: &GameOutcome, findings: &mut [Finding]) {
    let renames = |finding: &&mut Finding| finding.rule.code == tag_name::RULE.code && finding.expected == PLY_COUNT;
    for finding in findings.iter_mut().filter(renames) {
        let rest = &text[finding.place.end..];
        let rest = &rest[..rest.len().min(MAX_COUNT)];
        let value = rest.split(|byte| *byte == b'"').nth(1).unwrap_or_default();
        let count = std::str::from_utf8(value).ok().and_then(|value| value.parse::<u32>().ok());
        if outcome.plies_not_examined == 0 && count != Some(outcome.main_line) {
            finding.repair = None;
        }
    }
}

/// Removes the findings that were merged into others.
fn drop_folded(findings: &mut Findings, folded: &mut [usize]) {
    if folded.is_empty() {
        return;
    }
    folded.sort_unstable();
    let mut index = 0;
    findings.all().retain(|_| {
        index += 1;
        folded.binary_search(&(index - 1)).is_err()
    });
}

/// Whether `pgn-reader`, a tolerant parser, may read the place of the finding in another way.
fn concerns_tolerant_parsers(finding: &Finding) -> bool {
    finding.rule.code.family() == Family::Syn
        && !finding.rule.layout
        && (matches!(finding.scope, Scope::Place | Scope::Habit { .. }) || finding.rule.code == unknown_token::RULE.code)
}

/// What other readers do not read of the game, according to its findings.
#[cold]
fn consequences(text: &[u8], start: usize, outcome: &GameOutcome, findings: &mut [Finding]) -> Consequences {
    let mut consequences = Consequences::default();
    for finding in findings.iter().filter(|_| outcome.main_line > 0) {
        match blank_line::effect(finding) {
            Some(Effect::WithoutMoves) => consequences.without_moves_in_python_chess = 1,
            Some(Effect::Cut) => consequences.cut_at_blank_line = 1,
            None => {}
        }
    }
    if findings.iter().any(concerns_tolerant_parsers) && describe_tolerant_parsers(text, start, outcome, findings) {
        consequences.incomplete_in_pgn_reader = 1;
    }
    consequences
}

/// Adds to syntax findings how many plies of the game `pgn-reader` loses. Returns whether it loses
/// any.
fn describe_tolerant_parsers(text: &[u8], start: usize, outcome: &GameOutcome, findings: &mut [Finding]) -> bool {
    let seen = match plies_seen(&text[start..outcome.next]) {
        Some(plies) if plies >= outcome.main_line => return false,
        Some(plies) => {
            format!("; pgn-reader reads only {plies} of the {} of this game", quantity(outcome.main_line, "ply", "plies"))
        }
        None => "; pgn-reader rejects this game".to_owned(),
    };
    for finding in findings.iter_mut().filter(|finding| concerns_tolerant_parsers(finding)) {
        finding.message.push_str(&seen);
    }
    true
}

impl<'a> GameReplay<'a, '_> {
    fn game(&mut self, start: usize, complete: bool) -> GameOutcome {
        let next_game = self.tag_section();
        let header = self.memory.pairs.first().zip(self.memory.pairs.last());
        let place = match header {
            Some((first, last)) => Span::new(first.place.start, last.place.end),
            None => Span::new(self.lexer.at, self.lexer.at),
        };
        let pairs = std::mem::take(&mut self.memory.pairs);
        let names = std::mem::take(&mut self.memory.names);
        self.movetext_at = next_game.unwrap_or(self.lexer.at);
        let tags = TagSection::new(self.text, &pairs, &names, place).within(self.checks.limits);
        let mut outcome = match next_game {
            Some(next) => {
                let evidence = self.set_up(&tags).0;
                self.end_game(&tags, None, next, evidence, complete)
            }
            None => self.movetext(&tags, complete),
        };
        outcome.is_other_game = self.opening.is_unknown_variant && tags.other_game().is_some_and(|game| game.has_other_pieces());
        outcome.touched_end = self.lexer.touched_end || outcome.next == self.text.len();
        self.memory.pairs = pairs;
        self.memory.names = names;
        debug_assert!(outcome.next > start || self.text.len() == start);
        outcome
    }
}

/// The part of a message that counts the plies after an illegal one; empty for no plies.
pub(super) fn not_checked_note(plies: u64) -> String {
    match plies {
        0 => String::new(),
        1 => "; as written, 1 ply after it could not be checked".to_owned(),
        plies => ["; as written, ", &thousands(plies), " plies after it could not be checked"].concat(),
    }
}
