//! Lines that cannot be played to their end: what was probably meant, once all of the line has been read.

use shakmaty::Color;

use super::GameReplay;
use crate::{
    chess::{Change, Mending, WrittenLine, WrittenPly, WrittenSan, mend},
    pgn::{Lexer, Token},
    rules::{Code, Finding, Patch, Repair},
    text::Span,
};

/// The hint that a ply is missing, or one too many.
const TURN_SLIP: Code = code!("MOV09");
/// The hint that a move is one slip of the pen away from what is written.
const REPAIR_HINT: Code = code!("MOV10");

/// No more plies of a line are looked at.
const MOST_PLIES: usize = 20_000;
/// Every game has so many steps for its mendings,
const STEPS: usize = 2_000;
/// and so many for each byte of it that has been read,
const STEPS_PER_BYTE: usize = 10;
/// but no more than this.
const MOST_STEPS: usize = 200_000;

/// What may still be done for a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mendings {
    /// Lines that may still be mended.
    lines: u8,
    /// Steps taken so far.
    spent: usize,
}

impl Default for Mendings {
    fn default() -> Mendings {
        Mendings { lines: 16, spent: 0 }
    }
}

impl GameReplay<'_, '_> {
    /// Looks for what was meant where the line that ends stopped being played, and adds it to the finding at `index`.
    #[cold]
    pub(super) fn mend_line(&mut self, index: usize) {
        if self.reading.mending.lines == 0 {
            return;
        }
        self.reading.mending.lines -= 1;
        let frame = self.reading.frames.last();
        let from = frame.map_or(self.movetext_at, |frame| frame.open + 1);
        let start = match frame.map(|frame| frame.played) {
            None => self.reading.start.clone(),
            Some(played) => self.reading.position_after(played),
        };
        let (plies, cut) = plies_of(self.text, from, self.lexer.start);
        let read = self.lexer.at.saturating_sub(self.movetext_at);
        let most = (STEPS + STEPS_PER_BYTE * read).min(MOST_STEPS);
        let before = most.saturating_sub(self.reading.mending.spent);
        let mut steps = before;
        let line = WrittenLine { text: self.text, start: &start, plies: &plies, cut };
        let mending = mend(&line, &mut steps);
        self.reading.mending.spent += before - steps;
        let Some(mending) = mending else { return };
        let finding = self.findings.all().get_mut(index);
        let failing = plies[mending.failing];
        let is_about_it = |finding: &&mut Finding| {
            failing.place.covers(finding.place) || (failing.written.is_none() && failing.place.end <= finding.place.start)
        };
        if let Some(finding) = finding.filter(is_about_it) {
            note(finding, &mending, &line);
        }
    }
}

/// The plies between two places, variations left out, and whether there are more of them than are looked at.
fn plies_of(text: &[u8], from: usize, to: usize) -> (Vec<WrittenPly>, bool) {
    let mut lexer = Lexer::new(text, from);
    let mut plies: Vec<WrittenPly> = Vec::new();
    let mut depth = 0usize;
    let mut number = None;
    let mut digits = None;
    let mut last_number = None;
    loop {
        let token = lexer.next();
        if lexer.start >= to || token == Token::End {
            return (plies, false);
        }
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Number { value, dots } if depth == 0 => {
                let glued = dots == 0 && text.get(lexer.at).is_some_and(u8::is_ascii_alphabetic);
                if glued {
                    // Letter and digit of a square may be swapped: `4e`.
                    digits = Some(lexer.start);
                } else if dots == 0 && plies.last().is_some() && is_no_number(value, last_number) {
                    // `96` for `g6`, with the marks behind it.
                    let marks = text[lexer.at..].iter().take_while(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?')).count();
                    let place = Span::new(lexer.start, lexer.at + marks);
                    plies.push(WrittenPly { place, written: None, number: number.take() });
                } else {
                    last_number = if dots > 0 { value } else { last_number };
                    let side = [None, Some(Color::White)].get(dots as usize).copied().unwrap_or(Some(Color::Black));
                    number = value.map(|value| (value, side));
                }
            }
            Token::Word if depth == 0 => {
                let place = Span::new(digits.take().unwrap_or(lexer.start), lexer.at);
                if !belongs_to_last(text, place, &mut plies) {
                    let written = WrittenSan::read(place.of(text));
                    let number = number.take();
                    match plies.last_mut().filter(|last| last.written.is_none() && written.is_none() && number.is_none()) {
                        // Words that are no moves: a remark.
                        Some(last) => last.place.end = place.end,
                        None => plies.push(WrittenPly { place, written, number }),
                    }
                }
            }
            Token::TagPair | Token::UnclosedComment => return (plies, true),
            _ => {}
        }
        if plies.len() >= MOST_PLIES {
            return (plies, true);
        }
    }
}

/// Whether digits without periods are anything but the number of a move, of which the last one is known: a square misread.
fn is_no_number(value: Option<u32>, last: Option<u32>) -> bool {
    let Some((value, last)) = value.zip(last) else { return false };
    (10..100).contains(&value) && !(last..=last + 2).contains(&value)
}

/// Whether a word is a mark or a promotion that stands apart from the move before it.
fn belongs_to_last(text: &[u8], place: Span, plies: &mut [WrittenPly]) -> bool {
    let word = place.of(text);
    let Some(last) = plies.last_mut() else { return false };
    if let [b'=', _] = word {
        let whole = [last.place.of(text), word].concat();
        let Some(written) = WrittenSan::read(&whole) else { return false };
        last.written = Some(written);
        last.place.end = place.end;
        return true;
    }
    word.iter().all(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?'))
        || matches!(word, b"e.p." | b"ep" | b"e.p" | b"ep." | b"ch" | b"ch." | b"mate")
}

/// Says what was probably meant.
fn note(finding: &mut Finding, mending: &Mending, line: &WrittenLine<'_>) {
    let elsewhere = line.plies.get(mending.changes[0].at()).is_none_or(|ply| !ply.place.covers(finding.place));
    let named: Vec<String> = mending.changes.iter().map(|change| what_is_meant(change, mending, line, elsewhere)).collect();
    finding.expected = named.join(" or ");
    let slips = mending.changes.iter().all(|change| matches!(change, Change::Meant { .. }));
    if finding.cause.is_none() || mending.replays_whole() {
        finding.cause = Some(if slips { REPAIR_HINT } else { TURN_SLIP });
    }
    finding.message.push_str(&told(mending, line, elsewhere));
    if let [change] = mending.changes.as_slice() {
        finding.repair = Some(if mending.is_certain() { Repair::Certain } else { Repair::Likely });
        finding.patch = Some(Box::new(patch(change, mending, line)));
    }
}

/// The number and periods of the move that is changed.
fn numbered(mending: &Mending) -> String {
    let (number, color) = mending.number;
    format!("{number}{} ", if color == Color::White { "." } else { "..." })
}

fn word<'a>(line: &WrittenLine<'a>, at: usize) -> std::borrow::Cow<'a, str> {
    line.plies.get(at).map_or("".into(), |ply| String::from_utf8_lossy(ply.place.of(line.text)))
}

/// What should stand there, in short.
fn what_is_meant(change: &Change, mending: &Mending, line: &WrittenLine<'_>, elsewhere: bool) -> String {
    let number = if elsewhere { numbered(mending) } else { String::new() };
    match change {
        Change::Meant { san, .. } => format!("{number}{san}"),
        Change::LeftOut { at, san } => format!("{number}{san} before {}", word(line, *at)),
        Change::TooMany { at, .. } => format!("no {number}{}", word(line, *at)),
        Change::Exchanged { at } => format!("{number}{} {}", word(line, at + 1), word(line, *at)),
    }
}

/// What was probably meant, as a part of the message.
fn told(mending: &Mending, line: &WrittenLine<'_>, elsewhere: bool) -> String {
    let Some(change) = mending.changes.first() else { return String::new() };
    let place = if elsewhere { format!("at move {}", numbered(mending).trim_end()) } else { "here".to_owned() };
    let mut names: Vec<&str> = Vec::new();
    for change in &mending.changes {
        if let Change::Meant { san, .. } | Change::LeftOut { san, .. } = change {
            names.push(san);
        }
    }
    let names = names.join(" or ");
    let with = match change {
        Change::Meant { at, .. } if elsewhere => format!("with {names} instead of {} {place}", word(line, *at)),
        Change::Meant { .. } => format!("with {names} here"),
        Change::LeftOut { at, .. } => format!("a ply seems to be missing: with {names} before {} {place}", word(line, *at)),
        Change::TooMany { at, twice: true } => format!("{} seems to stand twice: without it {place}", word(line, *at)),
        Change::TooMany { at, .. } => format!("a ply seems to be too many: without {} {place}", word(line, *at)),
        Change::Exchanged { at } => {
            format!("two plies seem to be exchanged: with {} before {} {place}", word(line, at + 1), word(line, *at))
        }
    };
    let follow = match (mending.replayed, mending.behind) {
        (_, 0) => "the line can be played to its end".to_owned(),
        (1, 1) => "the ply that follows replays".to_owned(),
        (replayed, behind) if replayed == behind => format!("all {behind} plies that follow replay"),
        (replayed, behind) => format!("{replayed} of the {behind} plies that follow replay"),
    };
    let unique = match (mending.changes.len(), mending.alone, mending.bounded) {
        (1, true, false) => "; no other change does that",
        (1, true, true) => "; no other change that was tried does that",
        (1, false, _) => "; other changes do that too",
        _ => "",
    };
    let disagree = if mending.agrees || mending.behind == 0 { "" } else { ", though not all marks and numbers agree" };
    format!("; {with} {follow}{disagree}{unique}")
}

/// The bytes to be replaced, and by what.
fn patch(change: &Change, mending: &Mending, line: &WrittenLine<'_>) -> Patch {
    let text = line.text;
    let place = |at: usize| line.plies.get(at).map(|ply| ply.place);
    let (place, new) = match change {
        Change::Meant { at, san } => {
            let place = place(*at).unwrap_or_default();
            let glyphs = place.of(text).iter().rev().take_while(|byte| matches!(byte, b'!' | b'?')).count();
            let glyphs = &place.of(text)[place.end - place.start - glyphs..];
            (place, [san.as_bytes(), glyphs].concat())
        }
        Change::LeftOut { at, san } => {
            let (_, color) = mending.number;
            let next = line.plies.get(*at);
            // A number that belongs to the ply behind stays before it.
            let numbered = next.and_then(|next| next.number).is_some_and(|(_, of)| of != Some(color));
            match (next, at.checked_sub(1).and_then(place)) {
                (Some(_), Some(before)) if numbered => (Span::new(before.end, before.end), format!(" {san}").into_bytes()),
                (Some(next), _) => (Span::new(next.place.start, next.place.start), format!("{san} ").into_bytes()),
                (None, _) => (Span::default(), Vec::new()),
            }
        }
        Change::TooMany { at, .. } => {
            let place = place(*at).unwrap_or_default();
            // The blank before it goes with it.
            let blank = place.start > 0 && text[place.start - 1].is_ascii_whitespace();
            (Span::new(place.start - usize::from(blank), place.end), Vec::new())
        }
        Change::Exchanged { at } => {
            let (first, second) = (place(*at).unwrap_or_default(), place(at + 1).unwrap_or_default());
            let between = &text[first.end.min(second.start)..second.start];
            (Span::new(first.start, second.end), [second.of(text), between, first.of(text)].concat())
        }
    };
    Patch { place, old: place.of(text).to_vec(), new }
}
