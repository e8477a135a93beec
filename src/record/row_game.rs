//! A game in a cell of a table, with the tags that other cells of the row stand for.

use shakmaty::Chess;

use super::{
    RecordChecks, RecordOutcome,
    card::write_card,
    game::{GameMemory, GameText, audit_game, plies_played},
    properties,
};
use crate::{
    chess::{Variant, WrittenSan},
    pgn::{Lexer, Token, opens_tag_pair},
    rules::{Family, Finding, Findings, res::missing_marker},
    table::CellContent,
    text::Span,
};

/// Number of plies that show from which position a game begins.
const FIRST_PLIES: usize = 12;

/// A game in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowGame<'a> {
    /// The cell.
    pub content: &'a CellContent,
    /// The cell with the position of the row.
    pub fen: Option<&'a [u8]>,
    /// That position, if it can be played from.
    pub start: Option<&'a Chess>,
    /// The cell with the variant.
    pub variant: Option<&'a [u8]>,
}

impl RowGame<'_> {
    /// Audits the games in `place` of `text`, and notes what was read.
    pub fn audit(
        &self,
        text: &[u8],
        place: Span,
        checks: &RecordChecks,
        memory: &mut GameMemory,
        record: &mut RecordOutcome,
        findings: &mut Findings,
    ) {
        let has_tags = opens_tag_pair(text, place.start);
        let mut game = if has_tags { Vec::new() } else { self.tags(place.of(text)) };
        let movetext = game.len();
        game.extend_from_slice(place.of(text));
        // A game ends with its line.
        game.push(b'\n');
        let (mut at, since) = (0, findings.len());
        while at < game.len() && (at == 0 || !game[at..].trim_ascii().is_empty()) {
            let whole = GameText { text: &game, start: at, complete: true };
            let outcome = audit_game(whole, &checks.games, None, memory, findings);
            record.counts.games += u64::from(outcome.is_game);
            if checks.games.keeps_cards && outcome.is_game {
                write_card(&game[at..outcome.end], &memory.main_line, false, &mut memory.cards);
            }
            if checks.games.draws_portrait && outcome.is_game {
                record.properties.push(properties(&game, at, &outcome));
            }
            record.counts.plies += outcome.plies;
            record.counts.plies_not_examined += outcome.plies_not_examined;
            record.counts.oracles.add(outcome.oracles);
            record.evidence.position.get_or_insert(outcome.evidence);
            at = outcome.next.max(at + 1);
        }
        findings.retain_since(since, |finding| concerns_cell(finding, movetext, has_tags));
        let in_cell = |offset: usize| offset.clamp(movetext, game.len() - 1) - movetext + place.start;
        for finding in findings.since(since) {
            finding.move_places(|inside| Span::new(in_cell(inside.start), in_cell(inside.end)));
        }
    }

    /// The tag section that the other cells stand for.
    fn tags(&self, movetext: &[u8]) -> Vec<u8> {
        let mut tags = Vec::new();
        let mut pair = |name: &str, value: &[u8]| {
            if !value.iter().any(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r')) {
                tags.extend_from_slice(&[b"[", name.as_bytes(), b" \"", value, b"\"]\n"].concat());
            }
        };
        if let Some(variant) = self.variant {
            pair("Variant", variant);
        }
        let is_chess = self.variant.is_none_or(|name| Variant::named(name).follows_laws());
        if let Some(fen) = self.fen.filter(|_| !(is_chess && self.is_another_position(movetext))) {
            pair("SetUp", b"1");
            pair("FEN", fen);
        }
        if !tags.is_empty() {
            tags.push(b'\n');
        }
        tags
    }

    /// Whether the position is not that in which the game begins, such as the last one of the game.
    fn is_another_position(&self, movetext: &[u8]) -> bool {
        let moves = first_moves(movetext);
        let from_here = self.start.map_or(0, |start| plies_played(start, &moves));
        plies_played(&Chess::default(), &moves) > from_here
    }
}

/// The first moves of a game, up to a variation or what is not a move.
fn first_moves(movetext: &[u8]) -> Vec<WrittenSan> {
    let mut lexer = Lexer::new(movetext, 0);
    let mut moves = Vec::new();
    while moves.len() < FIRST_PLIES {
        match lexer.next() {
            Token::Word => match WrittenSan::read(lexer.token()) {
                Some(written) => moves.push(written),
                None => break,
            },
            Token::Open | Token::Close | Token::End | Token::Marker(_) | Token::TagPair => break,
            _ => {}
        }
    }
    moves
}

/// Whether a finding about a game is also one about the cell. Cells without tags need no marker and
/// no tag section, and the bytes and the layout of the row are not those of a PGN file.
fn concerns_cell(finding: &Finding, movetext: usize, has_tags: bool) -> bool {
    let family = finding.rule.code.family();
    let is_about_file = family == Family::Enc || finding.rule.layout;
    let is_about_tags = family == Family::Tag || finding.rule.code == missing_marker::RULE.code;
    // The variant is that of another cell.
    let is_inside = finding.place.start >= movetext || family == Family::Var;
    is_inside && !is_about_file && (has_tags || !is_about_tags)
}
