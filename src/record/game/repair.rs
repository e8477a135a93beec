//! Suggests corrections for lines that cannot be played to their end, once the whole line was read.

use std::ops::Range;

use shakmaty::{Bitboard, Chess, Color, Move, Position, san::SanPlus};

use super::{
    own_line::plies_played,
    repair_budget::{MAX_STEPS, STEPS, STEPS_PER_BYTE},
    replay::GameReplay,
};
use crate::{
    chess::{
        Arrow, LineChange, LineRepair, Notation, Quirks, Replay, WrittenLine, WrittenMove, WrittenPly, WrittenSan, color_name,
        find_repair, resolve,
    },
    pgn::{Lexer, Token},
    rules::{Certainty, Code, Finding, FindingId, Patch, shown},
    text::{
        Span,
        wording::{push_separator, quantity},
    },
};

/// A move that is not legal.
const ILLEGAL_MOVE: Code = code!("MOV01");
/// A move that more than one piece can make.
const AMBIGUOUS_MOVE: Code = code!("MOV03");
/// Hint: a ply is missing, or there is one too many.
const MISSING_OR_EXTRA_PLY: Code = code!("MOV09");
/// Hint: a move is one slip of the pen away from the written one.
const REPAIR_HINT: Code = code!("MOV10");

impl GameReplay<'_, '_> {
    /// Searches a correction for the line that ends, and adds it to the finding.
    #[cold]
    pub(super) fn mend_line(&mut self, id: FindingId) {
        if self.reading.repair_budget.lines == 0 {
            return;
        }
        self.reading.repair_budget.lines -= 1;
        let mut plies = std::mem::take(&mut self.memory.plies);
        self.mend(id, &mut plies);
        self.memory.plies = plies;
        self.heed_comment(id);
    }

    /// Adds the move that the comment after an illegal move gives in its place, such as
    /// `28... Qh5 {28...Qh4}`.
    fn heed_comment(&mut self, id: FindingId) {
        let (text, before) = (self.text, &self.reading.position);
        let Some(finding) = self.findings.get(id).filter(|finding| finding.rule.code == ILLEGAL_MOVE) else { return };
        let mut lexer = Lexer::new(text, finding.place.end);
        if lexer.next() != Token::Comment {
            return;
        }
        let comment = lexer.token();
        let comment = comment.strip_prefix(b"{").and_then(|inside| inside.strip_suffix(b"}")).unwrap_or_default();
        let mut inside = Lexer::new(comment, 0);
        let Token::Number { value: Some(number), dots: dots @ 1.. } = inside.next() else { return };
        let is_this_ply = i64::from(number) == i64::from(before.fullmoves().get()) + self.reading.line.numbering
            && (dots == 1) == (before.turn() == Color::White);
        let written = if inside.next() == Token::Word { WrittenSan::read(inside.token()) } else { None };
        let Some(found) = written
            .filter(|_| is_this_ply && inside.next() == Token::End)
            .and_then(|written| resolve(before, before.checkers(), &written))
        else {
            return;
        };
        let san = SanPlus::from_move(before.clone(), found.played).to_string();
        finding.message.extend(["; the comment after it gives `", &san, "`"]);
        if finding.certainty() != Some(Certainty::Certain) {
            finding.repair = None;
            finding.repair_ply = None;
            finding.marks.repaired.clear();
            finding.repaired(Arrow::of(found.played));
            finding.alternatives(vec![san.clone()]);
            finding.repair(Certainty::Likely, Patch::replace(text, finding.place, san));
        }
    }

    /// The same, with memory for the plies of the line.
    fn mend(&mut self, id: FindingId, plies: &mut Vec<WrittenPly>) {
        let frame = self.reading.frames.last();
        let from = frame.map_or(self.movetext_at, |frame| frame.open + 1);
        let branches_after = frame.map(|frame| frame.played);
        let start = match branches_after {
            None => self.reading.start.clone(),
            Some(plies) => self.reading.position_after(plies),
        };
        let to = self.lexer.start;
        let notation = self.reading.notation;
        let english = notation.map(|notation| in_english(self.text, from, to, notation));
        let text = self.text;
        let cut = match &english {
            None => {
                let cut = read_plies(text, from..to, plies);
                as_played(text, plies, self.findings.before(id, self.findings_before));
                cut
            }
            Some(english) => read_plies(english, 0..english.len(), plies),
        };
        let failing = self.reading.played.len() - branches_after.unwrap_or(0);
        if english.is_none() && !cut && self.remove_repeated(id, plies, failing) {
            return;
        }
        let read = self.lexer.at.saturating_sub(self.movetext_at);
        let most = (STEPS + STEPS_PER_BYTE * read).min(MAX_STEPS);
        let before = most.saturating_sub(self.reading.repair_budget.spent);
        let mut steps = before;
        let played = self.reading.played.get(branches_after.unwrap_or(0)..).unwrap_or_default();
        let is_first = branches_after.is_none() && self.findings.first_since(self.findings_before) == Some(id);
        let is_as_written = is_first && notation.is_none() && are_written(played, plies);
        let replay = Replay { played, reached: &self.reading.position, is_as_written };
        let english_text = english.as_deref().unwrap_or(text);
        let line = WrittenLine { text: english_text, start: &start, plies, replay, cut };
        let repair = find_repair(&line, &mut steps, &mut self.memory.repairs);
        self.reading.repair_budget.spent += before - steps;
        // A change after which nothing can be played explains nothing.
        let repair = repair.filter(|repair| repair.replayed > 0 || repair.remaining == 0);
        let finding = self.findings.get(id);
        let Some(repair) = repair else {
            let offset = if english.is_some() { from } else { 0 };
            if let Some(finding) = finding.filter(|_| steps > 0) {
                withdraw(finding, plies.last().map_or(0, |last| last.place.start + offset));
            }
            return;
        };
        let failing = plies[repair.failing].shifted(if english.is_some() { from } else { 0 });
        let is_about_it = |finding: &&mut Finding| {
            failing.place.covers(finding.place) || (failing.written.is_none() && failing.place.end <= finding.place.start)
        };
        if let Some(finding) = finding.filter(is_about_it) {
            if english.is_some() {
                let shifted: Vec<WrittenPly> = plies.iter().map(|ply| ply.shifted(from)).collect();
                note(finding, repair, &WrittenLine { text, plies: &shifted, ..line }, notation);
            } else {
                note(finding, repair, &line, notation);
            }
        }
    }
}

impl GameReplay<'_, '_> {
    /// Suggests to remove the plies from the `failing` one on if they repeat those before them and
    /// the rest can be played without them. Returns whether that is so.
    fn remove_repeated(&mut self, id: FindingId, plies: &[WrittenPly], failing: usize) -> bool {
        let Some(count) = repeated(self.text, plies, failing) else { return false };
        let rest = &plies[failing + count..];
        let Some(moves) = rest.iter().map(|ply| ply.written).collect::<Option<Vec<_>>>() else { return false };
        let Some(finding) = self.findings.get(id).filter(|finding| finding.place == plies[failing].place) else { return false };
        if plies_played(&self.reading.position, &moves) < moves.len() {
            return false;
        }
        let copy = Span::new(plies[failing - 1].place.end, plies[failing + count - 1].place.end);
        let repeats =
            format!("; the {} from here on repeat those before: without them, ", quantity(count as u64, "ply", "plies"));
        finding.message.extend([repeats, consequence(moves.len(), moves.len())]);
        finding.cause = Some(MISSING_OR_EXTRA_PLY);
        finding.repair = None;
        finding.repair(Certainty::Likely, Patch::remove(self.text, copy));
        true
    }
}

/// Maximum number of plies of a repetition.
const MAX_REPEATED: usize = 64;

/// The number of plies from the `failing` one on that are written like those before them, with all
/// that is between them. A single ply is not looked for.
fn repeated(text: &[u8], plies: &[WrittenPly], failing: usize) -> Option<usize> {
    let words = |from: usize, to: usize| {
        let whole = Span::new(plies[from].place.start, plies[to - 1].place.end).of(text);
        whole.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
    };
    let is_repeated = |count: &usize| {
        let numbers = |at: usize| plies[at..at + count].iter().map(|ply| ply.number);
        numbers(failing - count).eq(numbers(failing)) && words(failing - count, failing).eq(words(failing, failing + count))
    };
    let most = MAX_REPEATED.min(failing).min(plies.len().saturating_sub(failing));
    (2..=most).find(is_repeated)
}

/// The movetext between two places with its moves in English. A move whose length would change
/// stays as it is, so that all places stay valid.
fn in_english(text: &[u8], from: usize, to: usize, notation: Notation) -> Vec<u8> {
    let text = text.get(from..to).unwrap_or_default();
    let mut english = text.to_vec();
    let mut lexer = Lexer::new(text, 0);
    loop {
        match lexer.next() {
            Token::End | Token::TagPair | Token::UnclosedComment => return english,
            Token::Word => {
                if let Some(word) = notation.english(lexer.token()).filter(|word| word.len() == lexer.at - lexer.start) {
                    english[lexer.start..lexer.at].copy_from_slice(&word);
                }
            }
            _ => {}
        }
    }
}

/// Maximum number of plies of a line that are compared.
const MAX_PLIES: usize = 20_000;

/// Reads the plies of a part of a text without variations. Returns whether the list was cut off.
fn read_plies(text: &[u8], part: Range<usize>, plies: &mut Vec<WrittenPly>) -> bool {
    plies.clear();
    let mut last_number = None;
    let mut lexer = Lexer::new(text, part.start);
    let mut depth = 0usize;
    let mut number = None;
    let mut digits = None;
    loop {
        let token = lexer.next();
        if lexer.start >= part.end || token == Token::End {
            return false;
        }
        match token {
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Number { value, dots } if depth == 0 => {
                let next = text.get(lexer.at).copied().unwrap_or(b' ');
                let is_marked = matches!(next, b'+' | b'#');
                if dots == 0 && next.is_ascii_alphabetic() {
                    // The file and rank of a square may be swapped: `4e`.
                    digits = Some(lexer.start);
                } else if dots == 0 && (is_marked || is_not_a_move_number(value, last_number)) {
                    // `96` or `6` instead of `g6`, with the marks after it.
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
                if !belongs_to_last(text, place, plies) {
                    let written = WrittenSan::read(place.of(text));
                    let number = number.take();
                    match plies.last_mut().filter(|last| last.written.is_none() && written.is_none() && number.is_none()) {
                        // Words that are not moves form one remark.
                        Some(last) => last.place.end = place.end,
                        None => plies.push(WrittenPly { place, written, number }),
                    }
                }
            }
            Token::TagPair | Token::UnclosedComment => return true,
            _ => {}
        }
        if plies.len() >= MAX_PLIES {
            return true;
        }
    }
}

/// Whether the first plies are these moves, in their canonical spelling.
fn are_written(played: &[Option<Move>], plies: &[WrittenPly]) -> bool {
    let is_written = |(played, ply): (&Option<Move>, &WrittenPly)| {
        let Some((played, written)) = played.zip(ply.written.filter(|written| written.quirks == Quirks::NONE)) else {
            return false;
        };
        match written.what {
            // A promotion piece may have been written after the move that was played.
            WrittenMove::Normal { role, to, promotion, .. } => {
                (played.role(), played.to(), played.promotion()) == (role, to, promotion)
            }
            WrittenMove::Castle(side) => played.castling_side() == Some(side),
            _ => false,
        }
    };
    played.len() < plies.len() && played.iter().zip(plies).all(is_written)
}

/// Gives misspelled tokens the meaning with which the line was played. It is the repair of
/// `findings`.
fn as_played(text: &[u8], plies: &mut Vec<WrittenPly>, findings: &[Finding]) {
    let is_read_so = |finding: &&Finding| finding.cause.is_none() && finding.rule.changes_moves();
    let mut patches: Vec<&Patch> = findings.iter().filter(is_read_so).flat_map(Finding::patches).collect();
    if patches.is_empty() {
        return;
    }
    patches.sort_by_key(|patch| patch.place.start);
    let mut played: Vec<WrittenPly> = Vec::with_capacity(plies.len());
    for &ply in &*plies {
        let near = patches.partition_point(|patch| patch.place.end < ply.place.start);
        let is_about_it = |patch: &&&Patch| ply.place.covers(patch.place) || patch.place.covers(ply.place);
        let Some(patch) = patches[near..].iter().take(2).find(is_about_it) else {
            played.push(ply);
            continue;
        };
        if patch.place.start < patch.place.end {
            // The parts of a split token are one ply.
            if played.last().is_none_or(|last| last.place != patch.place) {
                played.push(WrittenPly { place: patch.place, written: WrittenSan::read(&patch.new), ..ply });
            }
            continue;
        }
        if patch.new != b" " {
            // A bracket is missing next to it.
            played.push(ply);
            continue;
        }
        // A space is missing in the ply.
        let cut = patch.place.start;
        let (first, second) = (Span::new(ply.place.start, cut), Span::new(cut, ply.place.end));
        played.push(WrittenPly { place: first, written: WrittenSan::read(first.of(text)), ..ply });
        if let Some(written) = WrittenSan::read(second.of(text)) {
            played.push(WrittenPly { place: second, written: Some(written), number: None });
        }
    }
    *plies = played;
}

/// Whether digits without periods cannot be the next move number: then they are a misread square.
fn is_not_a_move_number(value: Option<u32>, last: Option<u32>) -> bool {
    let Some((value, last)) = value.zip(last) else { return false };
    (1..100).contains(&value) && !(last..=last + 2).contains(&value)
}

/// Whether a word is a mark or promotion that is separated from the move before it.
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

/// Withdraws the correction that a rule has suggested for one move, if the line goes on after it,
/// up to a ply at `last`: the search has shown that nothing can then be played.
fn withdraw(finding: &mut Finding, last: usize) {
    if finding.repair.is_some() && last >= finding.place.end {
        finding.repair = None;
        finding.alternatives(Vec::new());
        finding.marks.repaired.clear();
    }
}

/// Usual length of a suggestion and of what follows it in a message, in bytes.
const USUAL_SUGGESTION: usize = 160;

/// Adds the correction to `finding`, with moves in the notation of the game.
fn note(finding: &mut Finding, mut repair: LineRepair, line: &WrittenLine<'_>, notation: Option<Notation>) {
    keep_marked(finding, &mut repair);
    mark(finding, &repair, line);
    if let Some(notation) = notation {
        for change in &mut repair.changes {
            if let LineChange::Replace { san, .. } | LineChange::Insert { san, .. } = change {
                *san = notation.write(san);
            }
        }
    }
    let repair = &repair;
    let place = finding.place;
    let is_elsewhere = |change: &LineChange| line.plies.get(change.at()).is_none_or(|ply| !ply.place.covers(place));
    let elsewhere = is_elsewhere(&repair.changes[0]);
    let named = repair.changes.iter().zip(&repair.before).map(|(change, before)| {
        let number = if is_elsewhere(change) { numbered(before) } else { String::new() };
        what_is_meant(change, number, line)
    });
    let named = named.collect();
    finding.alternatives(named);
    let slips = repair.changes.iter().all(|change| matches!(change, LineChange::Replace { .. }));
    if finding.cause.is_none() || repair.replays_whole() {
        finding.cause = Some(if slips { REPAIR_HINT } else { MISSING_OR_EXTRA_PLY });
    }
    suggest(&mut finding.message, repair, line, elsewhere);
    // Several alternatives are not a repair.
    finding.repair = None;
    if let [change] = repair.changes.as_slice() {
        let is_certain = repair.is_certain() && stands_alone(change.at(), line) && !castling_is_doubtful(change, line);
        let certainty = if is_certain { Certainty::Certain } else { Certainty::Likely };
        finding.repair_ply = ply_of(finding, repair, change).filter(|_| elsewhere);
        finding.repair(certainty, patch(change, repair, line));
    }
}

/// Whether a move is replaced although a castling move of the same side may be the slip: a castling
/// move is replaced and the side castles at another ply too, or it castles as the other side did
/// just before.
fn castling_is_doubtful(change: &LineChange, line: &WrittenLine<'_>) -> bool {
    let LineChange::Replace { at: changed, .. } = change else { return false };
    let castling = |at: usize| {
        let written = line.plies.get(at)?.written?;
        if let WrittenMove::Castle(side) = written.what { Some(side) } else { None }
    };
    let is_replaced = castling(*changed).is_some();
    (0..line.plies.len()).any(|at| {
        let is_other = at != *changed && at % 2 == changed % 2 && castling(at).is_some();
        is_other && (is_replaced || (at < *changed && at > 0 && castling(at) == castling(at - 1)))
    })
}

/// Of several pieces that can make an ambiguous move, keeps only the one that the rule has chosen
/// by the mark of the move.
fn keep_marked(finding: &Finding, repair: &mut LineRepair) {
    let ([patch], AMBIGUOUS_MOVE, 2..) = (finding.patches(), finding.rule.code, repair.changes.len()) else { return };
    let is_meant = |change: &LineChange| match change {
        LineChange::Replace { at, san, .. } => *at == repair.failing && patch.new.starts_with(san.as_bytes()),
        _ => false,
    };
    if let Some(index) = repair.changes.iter().position(is_meant) {
        repair.changes = vec![repair.changes.swap_remove(index)];
        repair.before = vec![repair.before.swap_remove(index)];
        repair.is_unique = false;
    }
}

/// Whether the token of a ply is not attached to another token, as in `Qx$e3+` and `Be3Be5`.
/// Otherwise both may belong together, or one repair may need another one.
fn stands_alone(at: usize, line: &WrittenLine<'_>) -> bool {
    let Some(ply) = line.plies.get(at) else { return true };
    let before = ply.place.start.checked_sub(1).and_then(|before| line.text.get(before));
    let after = line.text.get(ply.place.end);
    let is_parted = before.is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'.' | b'}'));
    is_parted && after.is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b')' | b'{' | b';' | b'!' | b'?'))
}

/// The number and periods of the move that comes next.
fn numbered(before: &Chess) -> String {
    format!("{}{} ", before.fullmoves(), if before.turn() == Color::White { "." } else { "..." })
}

fn word<'a>(line: &WrittenLine<'a>, at: usize) -> std::borrow::Cow<'a, str> {
    line.plies.get(at).map_or("".into(), |ply| String::from_utf8_lossy(ply.place.of(line.text)))
}

/// The ply of a change. `finding` is about the ply that fails.
fn ply_of(finding: &Finding, repair: &LineRepair, change: &LineChange) -> Option<u32> {
    let ply = (finding.ply? as usize + change.at()).checked_sub(repair.failing)?;
    u32::try_from(ply).ok()
}

/// The corrected text, in short, with the number of its first move.
fn what_is_meant(change: &LineChange, number: String, line: &WrittenLine<'_>) -> String {
    match change {
        LineChange::Replace { san, .. } => number + san,
        LineChange::Insert { at, san, .. } => format!("{number}{san} before {}", word(line, *at)),
        LineChange::Remove { at, .. } => format!("no {number}{}", word(line, *at)),
        LineChange::Swap { at, with } => {
            let between = (at + 1..*with).map(|at| word(line, at).into_owned() + " ").collect::<String>();
            format!("{number}{} {between}{}", word(line, *with), word(line, *at))
        }
    }
}

/// Adds the correction to a message, as its next part.
fn suggest(message: &mut String, repair: &LineRepair, line: &WrittenLine<'_>, elsewhere: bool) {
    let Some(first) = repair.changes.first() else { return };
    // Equally good changes are of one kind, but may be at different plies.
    let is_one_ply = repair.changes.iter().all(|change| change.at() == first.at());
    let is_explicit = elsewhere || !is_one_ply;
    let written = |at: usize| line.plies.get(at).map_or_else(String::new, |ply| format!("`{}`", shown(ply.place.of(line.text))));
    let named = |san: &str| format!("`{san}`");
    // What is played or left out, and instead of or before which ply.
    let subject_and_context = |change: &LineChange| match change {
        LineChange::Replace { at, san, .. } if is_explicit => (named(san), format!(" instead of {}", written(*at))),
        LineChange::Replace { san, .. } => (named(san), " instead".to_owned()),
        LineChange::Insert { at, san, .. } => (named(san), format!(" before {}", written(*at))),
        LineChange::Remove { at, .. } => (written(*at), String::new()),
        LineChange::Swap { at, with } => (written(*with), format!(" before {}", written(*at))),
    };
    let place = |change: &LineChange| {
        let is_there = |(other, _): &(&LineChange, _)| other.at() == change.at();
        let before = repair.changes.iter().zip(&repair.before).find(is_there).filter(|_| is_explicit);
        before.map_or_else(String::new, |(_, before)| format!(" at {}", move_of(before)))
    };
    message.reserve(USUAL_SUGGESTION);
    message.push_str(match first {
        LineChange::Replace { .. } => "; with ",
        LineChange::Insert { .. } => "; a ply may be missing: with ",
        LineChange::Remove { .. } => "; ",
        LineChange::Swap { .. } => "; with ",
    });
    for (index, change) in repair.changes.iter().enumerate() {
        push_separator(message, index, repair.changes.len(), "or");
        let (subject, context) = subject_and_context(change);
        message.push_str(&subject);
        // Changes of one ply share what follows.
        if !is_one_ply || index + 1 == repair.changes.len() {
            message.extend([context, place(change)]);
        }
    }
    message.push_str(match first {
        LineChange::Remove { is_duplicate: true, .. } => " may be a duplicate: without it, ",
        LineChange::Remove { .. } => " may be one ply too many: without it, ",
        _ => ", ",
    });
    message.push_str(&consequence(repair.replayed, repair.remaining));
    if !repair.marks_agree && repair.remaining > 0 {
        message.push_str(", but marks or numbers differ");
    }
    message.push_str(how_sure(repair, first));
}

/// The end of a suggestion: how sure it is. `first` is the first change.
fn how_sure(repair: &LineRepair, first: &LineChange) -> &'static str {
    match (repair.changes.len(), repair.is_unique, repair.search_was_cut) {
        (1, true, false) if !first.is_exchange() && repair.has_few_plies() => "; few plies confirm it",
        (1, true, false) if !first.is_exchange() => "; no other works",
        (1, true, _) => "; no other found",
        (1, false, _) => "; others work too",
        _ => "",
    }
}

/// How many of the plies after a change can be played.
fn consequence(replayed: usize, remaining: usize) -> String {
    match (replayed, remaining) {
        (_, 0) => "the line can be played to its end".to_owned(),
        (1, 1) => "the remaining ply can be played".to_owned(),
        (replayed, remaining) if replayed == remaining => {
            ["the remaining ", &quantity(remaining, "ply", "plies"), " can be played"].concat()
        }
        (replayed, remaining) => format!("{replayed} of the remaining {} can be played", quantity(remaining, "ply", "plies")),
    }
}

/// The move before which a change is made, counted from the starting position: `White's move 12`.
fn move_of(before: &Chess) -> String {
    format!("{}'s move {}", color_name(before.turn()), before.fullmoves())
}

/// Marks the suggested moves on the board of the finding, which shows the position before the
/// failing ply.
///
/// An earlier ply is marked only if its piece is still on the same square. It has an arrow only if
/// the suggested move can be made on this board too.
fn mark(finding: &mut Finding, repair: &LineRepair, line: &WrittenLine<'_>) {
    let here = &repair.here;
    let mut squares = Bitboard::EMPTY;
    let mut arrows: Vec<Arrow> = Vec::new();
    for (change, before) in repair.changes.iter().zip(&repair.before) {
        let at = change.at();
        let is_here = at == repair.failing;
        let written_at = |at: usize| {
            let written = line.plies.get(at)?.written?;
            Arrow::of(resolve(before, before.checkers(), &written)?.played)
        };
        let is_still_on =
            |from, now| here.board().piece_at(now).is_some_and(|piece| before.board().piece_at(from) == Some(piece));
        match change {
            LineChange::Replace { played, .. } if is_here => arrows.extend(Arrow::of(*played)),
            LineChange::Replace { played, .. } => {
                if let Some(written) = written_at(at).filter(|written| is_still_on(written.from, written.to)) {
                    squares.add(written.to);
                    arrows.extend(Arrow::of(*played).filter(|meant| is_still_on(meant.from, meant.from)));
                }
            }
            LineChange::Insert { played, .. } => {
                if let Some(missing) = Arrow::of(*played).filter(|missing| is_here || is_still_on(missing.from, missing.from)) {
                    squares.add(missing.from);
                    arrows.push(missing);
                }
            }
            LineChange::Remove { .. } => {
                let written = if is_here { None } else { written_at(at) };
                if let Some(written) = written.filter(|written| is_still_on(written.from, written.to)) {
                    squares.add(written.to);
                }
            }
            LineChange::Swap { with, .. } if is_here => arrows.extend(written_at(*with)),
            LineChange::Swap { .. } => {}
        }
    }
    finding.squares(squares);
    if !arrows.is_empty() {
        finding.marks.repaired.clear();
        if arrows != finding.marks.written {
            finding.repaired(arrows);
        }
    }
}

/// The first move number in `from..to`, outside of variations, and whether its periods say that it
/// belongs to a ply of White. `None` if it has none.
fn number_between(text: &[u8], from: usize, to: usize) -> Option<(Span, Option<bool>)> {
    let mut lexer = Lexer::new(&text[..to], from);
    let mut depth = 0_usize;
    loop {
        match lexer.next() {
            Token::Number { dots, .. } if depth == 0 => {
                return Some((Span::new(lexer.start, lexer.at), (dots > 0).then_some(dots == 1)));
            }
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::End => return None,
            _ => {}
        }
    }
}

/// The bytes to replace, and their replacement.
fn patch(change: &LineChange, repair: &LineRepair, line: &WrittenLine<'_>) -> Patch {
    let text = line.text;
    let place = |at: usize| line.plies.get(at).map(|ply| ply.place);
    let (place, new) = match change {
        LineChange::Replace { at, san, .. } => {
            let place = place(*at).unwrap_or_default();
            let glyphs = place.of(text).iter().rev().take_while(|byte| matches!(byte, b'!' | b'?')).count();
            let glyphs = &place.of(text)[place.end - place.start - glyphs..];
            (place, [san.as_bytes(), glyphs].concat())
        }
        LineChange::Insert { at, san, .. } => {
            let white = repair.before.first().is_some_and(|before| before.turn() == Color::White);
            let next = line.plies.get(*at).map_or(line.text.len(), |next| next.place.start);
            let from = at.checked_sub(1).and_then(place).map_or(next, |before| before.end);
            match number_between(text, from, next) {
                // Its own number is there.
                Some((number, is_white)) if is_white == Some(white) => {
                    (Span::new(number.end, number.end), format!(" {san}").into_bytes())
                }
                // A number that belongs to the next ply stays before it.
                Some((number, is_white)) if is_white.is_some() || !white => {
                    (Span::new(number.start, number.start), format!("{san} ").into_bytes())
                }
                _ => (Span::new(next, next), format!("{san} ").into_bytes()),
            }
        }
        LineChange::Remove { at, .. } => {
            let place = place(*at).unwrap_or_default();
            // A space next to it is removed, too. The one before the first ply may not be in the
            // record.
            let before = *at > 0 && text[..place.start].last().is_some_and(u8::is_ascii_whitespace);
            let after = *at == 0 && text.get(place.end).is_some_and(u8::is_ascii_whitespace);
            (Span::new(place.start - usize::from(before), place.end + usize::from(after)), Vec::new())
        }
        LineChange::Swap { at, with } => {
            let (first, second) = (place(*at).unwrap_or_default(), place(*with).unwrap_or_default());
            let between = &text[first.end.min(second.start)..second.start];
            (Span::new(first.start, second.end), [second.of(text), between, first.of(text)].concat())
        }
    };
    Patch::replace(text, place, new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::RepairMemory,
        rules::{Findings, mov::illegal_move},
    };

    /// A finding at the failing ply of `moves`, with the repair noted.
    fn noted(moves: &str) -> Finding {
        noted_if_found(moves).expect("a repair is found")
    }

    fn noted_if_found(moves: &str) -> Option<Finding> {
        let start = Chess::default();
        let mut plies = Vec::new();
        let cut = read(moves, &mut plies);
        let line = WrittenLine {
            text: moves.as_bytes(),
            start: &start,
            plies: &plies,
            replay: Replay { played: &[], reached: &start, is_as_written: false },
            cut,
        };
        let repair = find_repair(&line, &mut 100_000, &mut RepairMemory::default())?;
        let mut findings = Findings::new();
        let failing = plies[repair.failing];
        let written = failing.written.expect("a move");
        let finding = findings.add(&illegal_move::RULE, failing.place);
        finding.message("not legal").ply(repair.failing as u32 + 1).written(Arrow::of_written(&repair.here, &written));
        note(finding, repair, &line, None);
        Some(finding.clone())
    }

    /// Reads the plies of a whole text.
    fn read(text: &str, plies: &mut Vec<WrittenPly>) -> bool {
        read_plies(text.as_bytes(), 0..text.len(), plies)
    }

    fn words(arrows: &[Arrow]) -> String {
        arrows.iter().map(Arrow::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The search must not begin after a move to which its text adds a promotion.
    #[test]
    fn moves_are_as_written_only_if_their_whole_text_is() {
        use shakmaty::{Role, Square};

        let played = |role, to| Some(Move::Normal { role, from: Square::B5, capture: None, to, promotion: None });
        let mut plies = Vec::new();
        for (text, is_written) in [
            ("Bc6 Ne5", true),
            ("Bc6 =Q Ne5", false),
            ("Bd6 Ne5", false),
            ("Nc6 Ne5", false),
            ("B-c6 Ne5", false),
            ("Bc6", false),
        ] {
            read(text, &mut plies);
            assert_eq!(are_written(&[played(Role::Bishop, Square::C6)], &plies), is_written, "{text}");
        }
        read("Bc6 Ne5", &mut plies);
        assert!(!are_written(&[None], &plies), "a null move");
    }

    #[test]
    fn a_ply_that_can_be_played_by_chance_is_no_evidence() {
        let suggests = |text: &str| noted_if_found(text).is_some_and(|finding| finding.message.contains("with `d3`"));
        assert!(suggests("1. Bd3 Nf6 2. O-O Bd7 3. Ne5"), "few plies follow");
        assert!(suggests("1. Bd3 Nf6 2. Nf3 e6 3. Qh5 h6 4. f4 Rc8 5. Qf3"), "more plies can be played");
        assert!(!suggests("1. Bd3 Nf6 2. O-O Bd7 3. Ne5 h6 4. f4 Rc8 5. Qf3"));
    }

    #[test]
    fn a_repair_at_an_earlier_move_is_one_sentence() {
        let finding = noted("1. c3 d5 2. Nf3 Nf6 3. cxd5 Nxd5 4. g3 Nc6 5. Bg2 e5 6. O-O Be7 7. d3 O-O 8. Nbd2 Be6");
        assert_eq!(
            finding.message,
            "not legal; with `c4` instead of `c3` at White's move 1, the remaining 15 plies can be played; no other works"
        );
        assert_eq!((finding.expected.as_str(), finding.repair_ply), ("1. c4", Some(1)));
        assert_eq!(finding.marks.squares, Bitboard::from(shakmaty::Square::C3), "the pawn on c3, not the empty c4");
        assert!(finding.marks.repaired.is_empty(), "the pawn is no longer on c2");
    }

    #[test]
    fn a_repair_of_the_failing_move_has_an_arrow() {
        let finding = noted("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Be4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6");
        assert!(finding.message.starts_with("not legal; with `Bc4` instead, the remaining 7 plies can be played"), "{finding:?}");
        assert_eq!((words(&finding.marks.written).as_str(), words(&finding.marks.repaired).as_str()), ("", "b5c4"));
        assert!(finding.marks.squares.is_empty());
    }

    #[test]
    fn wrong_numbers_before_a_repair_speak_against_it() {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Be4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6";
        for (moves, agree) in [(moves.to_owned(), true), (moves.replace("2. Nf3", "5. Nf3"), false)] {
            let finding = noted(&moves);
            assert_eq!(!finding.message.contains(", but marks or numbers differ"), agree, "{finding:?}");
        }
    }

    #[test]
    fn missing_and_extra_plies_are_marked() {
        let extra = noted("1. e4 e5 2. Nf3 Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7");
        assert!(
            extra.message.contains("; `Nf3` may be a duplicate: without it, the remaining 7 plies can be played"),
            "{extra:?}"
        );
        assert!(extra.marks.repaired.is_empty(), "there is no move to suggest");
        let swapped = noted("1. e4 e5 2. Nc6 Nf3 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7");
        let message = "; with `Nf3` before `Nc6`, the remaining 6 plies can be played";
        assert!(swapped.message.contains(message), "{swapped:?}");
        assert_eq!(words(&swapped.marks.repaired), "g1f3");
        let by_white = noted("1. e4 e5 2. Nf3 Nc6 3. O-O a6 4. Bb5 Nf6 5. Re1 Be7 6. Ba4 b5 7. Bb3 O-O 8. c3 d6");
        let message = "; with `Bb5` before `O-O`, the remaining 9 plies can be played";
        assert!(by_white.message.contains(message), "{by_white:?}");
        assert_eq!((by_white.expected.as_str(), by_white.certainty()), ("Bb5 a6 O-O", Some(Certainty::Likely)));
        let patch = &by_white.patches()[0];
        assert_eq!((patch.old.as_slice(), patch.new.as_slice()), (&b"O-O a6 4. Bb5"[..], &b"Bb5 a6 4. O-O"[..]));
    }

    #[test]
    fn suggestions_at_different_plies_have_their_own_numbers() {
        let opening = "1. d4 Nf6 2. c4 e6 3. Nf3 b6 4. Bf4 Bb4+";
        let finding = noted(&format!("{opening} 5. Nfd2 c5 6. Qxd2 Bxd2+ 7. a3 cxd4 8. Qxd4 Nc6 9. Qd1 d5 10. e3 Bb7"));
        assert_eq!(finding.alternatives, ["a3 Bxd2+ Qxd2", "5... Bxd2+ Qxd2 c5"], "{finding:?}");
        assert_eq!(finding.repair, None, "which of them is not known");
    }

    #[test]
    fn an_extra_ply_is_removed_with_one_space() {
        for (moves, place) in [
            ("1. e4 e5 2. Nf3 Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7", Span::new(15, 19)),
            // The space before the first ply may belong to the previous record.
            (" Nc6 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6", Span::new(1, 5)),
        ] {
            let patch = noted(moves).patches()[0].clone();
            assert_eq!((patch.place, patch.new.as_slice()), (place, b"".as_slice()), "{moves}");
        }
    }

    #[test]
    fn numbers_of_plies_have_their_noun() {
        assert_eq!(consequence(0, 0), "the line can be played to its end");
        assert_eq!(consequence(1, 1), "the remaining ply can be played");
        assert_eq!(consequence(13, 13), "the remaining 13 plies can be played");
        assert_eq!(consequence(1, 2), "1 of the remaining 2 plies can be played");
    }
}
