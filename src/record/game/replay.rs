//! A game that is being read, and the memory for it.

use shakmaty::{Color, Position};

use super::{
    checks::GameChecks,
    opening::MovetextStart,
    outcome::GameOutcome,
    reading::{MovetextReading, ReadingMemory},
};
use crate::{
    chess::{RepairMemory, WrittenPly},
    identity::{CardBatch, MainLine},
    pgn::{KnownTag, Lexer, TagFault, TagPair},
    record::{FastGames, GameProperties, card::write_card},
    rules::{FindingId, Findings},
    text::Span,
};

/// Memory that is reused from game to game.
#[derive(Debug, Default)]
pub(in crate::record) struct GameMemory {
    pub(super) pairs: Vec<TagPair>,
    pub(super) names: Vec<Span>,
    pub(super) reading: ReadingMemory,
    pub(super) repairs: RepairMemory,
    /// The plies of a line to be repaired, as written.
    pub(super) plies: Vec<WrittenPly>,
    /// Reads games with a repair applied, on first use.
    pub(super) repaired_games: Option<Box<FastGames>>,
    /// The main line of the game read last, if cards are kept.
    pub main_line: MainLine,
    /// The cards of games.
    pub cards: CardBatch,
}

impl GameMemory {
    /// Adds the card of the game read last, from `start` to `end` of `text`.
    pub fn write_card(&mut self, text: &[u8], start: usize, end: usize, is_in_place: bool) {
        let GameMemory { pairs, main_line, cards, .. } = self;
        let tags_end = pairs.last().map_or(start, |last| last.place.end);
        let record = &text[start..end.max(tags_end)];
        let tags = pairs.iter().map(|pair| pair.written(text, start));
        write_card(record, tags, tags_end - start, main_line, is_in_place, cards);
    }

    /// The properties of the game in `text` that was read last.
    pub fn properties(&self, text: &[u8], game: &GameOutcome) -> GameProperties {
        let value = |tag: KnownTag| {
            let pair = self.pairs.iter().find(|pair| pair.name.of(text) == tag.name().as_bytes());
            pair.map_or(&[][..], |pair| pair.value.of(text))
        };
        let plies = (game.plies_not_examined == 0).then_some(game.main_line);
        GameProperties::of(value, plies, text.get(game.movetext..game.end).unwrap_or_default())
    }
}

/// A game that is being read: the record, and the current reading of its movetext.
pub(super) struct GameReplay<'a, 'w> {
    pub(super) text: &'a [u8],
    pub(super) lexer: Lexer<'a>,
    pub(super) findings: &'w mut Findings,
    pub(super) checks: &'w GameChecks,
    pub(super) memory: &'w mut GameMemory,
    /// What the tags say about the start of the movetext.
    pub(super) opening: MovetextStart,
    /// The current reading of the movetext. A movetext that is read again gets a new one.
    pub(super) reading: MovetextReading,
    /// Whether there is a tag section, even a damaged one.
    pub(super) has_tags: bool,
    /// Whether the text ends inside a tag pair.
    pub(super) cut_in_tags: bool,
    /// Start of the movetext. Without movetext, start of the next record.
    pub(super) movetext_at: usize,
    /// Number of findings before the movetext. A new reading keeps these.
    pub(super) findings_before: usize,
    /// The FEN tag, if the game begins in its position.
    pub(super) fen_tag: Option<Span>,
    /// The SetUp tag of a game with a FEN tag.
    pub(super) setup_tag: Option<Span>,
    /// A position in a FEN tag whose name is misspelled or whose value has no quotes.
    pub(super) misspelled_fen: Option<Span>,
    /// Whether other notations have been tried.
    pub(super) notation_tried: bool,
    /// The last fault of a tag pair.
    pub(super) tag_fault: Option<RepeatedTagFault>,
}

/// A fault that several tag pairs of a game may have. Only the first one is a finding.
pub(super) struct RepeatedTagFault {
    pub(super) fault: TagFault,
    /// The finding.
    pub(super) finding: FindingId,
    /// Message of the finding, without the number of further tag pairs.
    pub(super) message: String,
    /// Number of further tag pairs with this fault.
    pub(super) more: u32,
}

/// Where a game is.
#[derive(Clone, Copy, Debug)]
pub(in crate::record) struct GameText<'a> {
    /// The text with the game.
    pub text: &'a [u8],
    /// Where the game begins in it.
    pub start: usize,
    /// Whether the text reaches the end of the input.
    pub complete: bool,
}

/// Reads a game and runs the rules about its parts. Also returns the start of its movetext, and the
/// side that moves first.
pub(super) fn replay_game(
    GameText { text, start, complete }: GameText<'_>,
    checks: &GameChecks,
    memory: &mut GameMemory,
    findings: &mut Findings,
) -> (GameOutcome, usize, Color) {
    memory.pairs.clear();
    memory.names.clear();
    let opening = MovetextStart { last_token: Span::new(start, start), ..MovetextStart::default() };
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
    };
    let outcome = replay.game(start, complete);
    let GameReplay { findings, memory, movetext_at, mut reading, .. } = replay;
    findings.retain_since(since, |finding| !finding.merged);
    let turn = reading.start.turn();
    if checks.cards.is_some() {
        reading.main_line_to(&mut memory.main_line);
    }
    memory.reading = reading.take_memory();
    (outcome, movetext_at, turn)
}
