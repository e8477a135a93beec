//! A game in a cell of a table, with the tags that other cells of the row stand for.

use shakmaty::Chess;

use super::{
    game::{GameMemory, GameText, audit_game, plies_played},
    record_checks::RecordChecks,
    record_outcome::RecordOutcome,
};
use crate::{
    chess::{Variant, WrittenSan},
    pgn::{KnownTag, Lexer, Token, opens_tag_pair},
    rules::{Family, Finding, Findings, Patch, res::missing_marker, tag::plycount_mismatch},
    table::{CellContent, is_empty_value},
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
    /// The variant, and the place of its cell, if it can be the place of a finding.
    pub variant: Option<(&'a [u8], Option<Span>)>,
    /// The cells that are named like other tags.
    pub tags: &'a [TagCell],
}

/// A cell in a column that is named like a tag.
#[derive(Clone, Debug)]
pub(super) struct TagCell {
    /// The tag.
    pub tag: KnownTag,
    /// The content of the cell.
    pub value: Vec<u8>,
    /// Its place, if it can be the place of a finding.
    pub place: Option<Span>,
}

/// The tag section that cells stand for.
#[derive(Debug, Default)]
struct TagsOfRow {
    text: Vec<u8>,
    /// Where the values in it are in the text of the row.
    places: Vec<(Span, Span)>,
}

impl TagsOfRow {
    fn add(&mut self, name: &str, value: &[u8], place: Option<Span>) {
        if !value.iter().any(|byte| matches!(byte, b'"' | b'\\' | b'\n' | b'\r')) {
            self.text.extend_from_slice(&[b"[", name.as_bytes(), b" \""].concat());
            let start = self.text.len();
            self.text.extend_from_slice(value);
            self.places.extend(place.map(|place| (Span::new(start, self.text.len()), place)));
            self.text.extend_from_slice(b"\"]\n");
        }
    }

    /// The place in the text of the row of what is in the value of a tag.
    fn in_row(&self, inside: Span) -> Option<Span> {
        let (_, place) = self.places.iter().find(|(value, _)| *value == inside)?;
        Some(*place)
    }
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
        let tags = if has_tags { TagsOfRow::default() } else { self.tags(place.of(text)) };
        let mut game = tags.text.clone();
        let movetext = game.len();
        game.extend_from_slice(place.of(text));
        // A game ends with its line.
        game.push(b'\n');
        let (mut at, since) = (0, findings.len());
        while at < game.len() && (at == 0 || !game[at..].trim_ascii().is_empty()) {
            let whole = GameText { text: &game, start: at, complete: true };
            let outcome = audit_game(whole, &checks.games, memory, findings);
            record.note_game(&game, at, &outcome, memory, checks);
            at = outcome.next.max(at + 1);
        }
        let is_about_count =
            |finding: &Finding| finding.rule.code == plycount_mismatch::RULE.code && tags.in_row(finding.place).is_some();
        findings.retain_since(since, |finding| concerns_cell(finding, movetext, has_tags) || is_about_count(finding));
        let in_cell = |offset: usize| offset.clamp(movetext, game.len() - 1) - movetext + place.start;
        for finding in findings.since(since) {
            // What the row does not contain cannot be repaired in it.
            let is_elsewhere = |patch: &Patch| patch.place.start < movetext && tags.in_row(patch.place).is_none();
            if finding.patches().iter().any(is_elsewhere) {
                finding.repair = None;
            }
            finding.move_places(|inside| {
                tags.in_row(inside).unwrap_or_else(|| Span::new(in_cell(inside.start), in_cell(inside.end)))
            });
        }
    }

    /// The tag section that the other cells stand for.
    fn tags(&self, movetext: &[u8]) -> TagsOfRow {
        let mut tags = TagsOfRow::default();
        for TagCell { tag, value, place } in self.tags.iter().filter(|cell| is_value_of(cell.tag, &cell.value)) {
            tags.add(tag.name(), value, *place);
        }
        if let Some((variant, place)) = self.variant {
            tags.add("Variant", variant, place);
        }
        let is_chess = self.variant.is_none_or(|(name, _)| Variant::named(name).follows_laws());
        if let Some(fen) = self.fen.filter(|_| !(is_chess && self.is_another_position(movetext))) {
            tags.add("SetUp", b"1", None);
            tags.add("FEN", fen, None);
        }
        if !tags.text.is_empty() {
            tags.text.push(b'\n');
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

/// Whether a cell can be the value of the tag. Columns with these names may have another meaning.
fn is_value_of(tag: KnownTag, value: &[u8]) -> bool {
    match tag {
        _ if is_empty_value(value) => false,
        KnownTag::Result => matches!(value, b"1-0" | b"0-1" | b"1/2-1/2" | b"*"),
        KnownTag::PlyCount => value.iter().all(u8::is_ascii_digit),
        _ => true,
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
    // The variant or the result is that of another cell.
    let is_inside = finding.place.start >= movetext || matches!(family, Family::Var | Family::Res);
    is_inside && !is_about_file && (has_tags || !is_about_tags)
}
