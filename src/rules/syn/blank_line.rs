//! SYN12: misplaced and missing blank lines, and indented tags.

use memchr::{memchr, memchr2, memchr2_iter};

use crate::pgn::{Lexer, Token};
use crate::rules::Scope;
use crate::rules::patches::line_break;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("SYN12"),
    name: "blank-line",
    severity: Severity::Warning,
    summary: "A blank line is misplaced or missing, or tags are indented",
    what: "A blank line between two tokens of the movetext is a warning, reported once per game. A \
           second blank line after the tags, or a blank line after a comment before the first \
           move, is a warning too. So is a comment, after a blank line or at the start of the file, \
           that comes before the tags. If 20 or more games have the same fault, it is reported once. \
           Blank lines between tag pairs, and missing blank lines after the tag section or after a \
           game, are infos, each reported once per input. Indented tag pairs are a warning, reported \
           once per input. Blank lines inside comments are allowed.",
    why: "Many readers take a blank line as the end of the game and silently lose the moves after \
           it. python-chess also ends the game at a second blank line after the tags, or at a blank \
           line after a comment before the first move. Of a comment before the tags it makes a game \
           of its own. If no blank line follows that comment, it does not read the tags. It takes \
          indented tags for movetext, and ends the game at the blank line after them.",
    fix: "Remove the blank line. Put one blank line after the tag section and one after each game. \
          Move a comment before the tags after them, or begin its lines with `%`. Remove the \
          whitespace before tag pairs.",
    source: "PGN standard 8.1, 8.2.1, 18",
    repairs: Some(Certainty::Certain),
    yields: &in_record([code!("SYN04"), code!("SYN05"), code!("SYN07")]),
    fires: &[
        Sample::Moves("1. e4 e5\n⟦⟧\n2. Nf3 *"),
        Sample::Moves("⟦⟧\n1. e4 e5 *"),
        Sample::Moves("{a comment}\n⟦⟧\n1. e4 e5 *"),
        Sample::Moves("; a comment\n⟦⟧\n1. e4 e5 *"),
        Sample::Pgn(
            "{a comment}\n⟦⟧\n[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "{a comment}\n⟦⟧[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n⟦⟧\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n⟦⟧1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "[Event \"Sample\"]\n⟦  ⟧[Site \"?\"]\n  [Date \"????.??.??\"]\n  [Round \"?\"]\n  [White \"?\"]\n  [Black \"?\"]\n  [Result \"*\"]\n\n1. e4 e5 *\n",
        ),
    ],
    silent: &[
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n; a comment\n\n1. e4 e5 *\n",
        ),
        Sample::Pgn(
            "; a comment\n\n[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
        ),
        Sample::Moves("{a comment\n\nof two paragraphs}\n1. e4 e5 *"),
        Sample::Moves("  1. e4 e5\n  *"),
        Sample::Moves("1. e4 {best\n\nby test} 1... e5\n*\n\n\n"),
    ],
    check: Check::Layout(check),
    ..Rule::DEFAULTS
};

/// The blank lines between `from` and `to`, neither of which is in a blank line.
fn blank_lines(text: &[u8], from: usize, to: usize) -> impl Iterator<Item = Span> {
    let part = text.get(from..to).unwrap_or_default();
    memchr2_iter(b'\n', b'\r', part).filter_map(move |line_break| {
        let rest = &part[line_break + 1..];
        if part[line_break] == b'\r' && rest.first() == Some(&b'\n') {
            return None;
        }
        // A fast exit: the next line rarely begins with whitespace.
        if !matches!(rest.first(), Some(b'\n' | b'\r' | b' ' | b'\t')) {
            return None;
        }
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let start = from + line_break + 1;
        matches!(rest.get(blanks), Some(b'\n' | b'\r')).then(|| Span::new(start, start + blanks))
    })
}

/// Repairs the finding: removes blank lines.
fn remove(finding: &mut Finding, text: &[u8], certainty: Certainty, blanks: impl Iterator<Item = Span>) {
    for Span { start, end } in blanks {
        let line_break = if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
        finding.repair(certainty, Patch::remove(text, Span::new(start, end + line_break)));
    }
}

/// Repairs the finding: makes whitespace a blank line.
fn separate(finding: &mut Finding, text: &[u8], gap: Span) {
    if gap.of(text).iter().all(u8::is_ascii_whitespace) {
        // Other text may be a damaged tag pair.
        let is_movetext =
            text.get(gap.end).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'{' | b'*' | b'['));
        let certainty = if is_movetext { Certainty::Certain } else { Certainty::Likely };
        finding.repair(certainty, Patch::replace(text, gap, line_break(text, gap.start).repeat(2)));
    }
}

/// The first blank line between `from` and `to`, neither of which is in a blank line.
fn blank_line(text: &[u8], from: usize, to: usize) -> Option<Span> {
    blank_lines(text, from, to).next()
}

fn check(facts: &Layout<'_>, findings: &mut Findings) {
    if !facts.is_game {
        return;
    }
    let text = facts.text;
    before_tags(facts, findings);
    between_tags(facts, findings);
    let skipped = text[facts.movetext..facts.game.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let first = facts.movetext + skipped;
    if let Some(last) = facts.pairs.last()
        && first < facts.game.end
        && first < last.place.end + 3
        && blank_line(text, last.place.end, first).is_none()
    {
        let finding = findings.add(&RULE, Span::new(first, first)).severity(Severity::Info);
        finding.message("the blank line between the tag section and the movetext is missing").once_per_input_and("sections");
        separate(finding, text, Span::new(last.place.end, first));
    }
    indented_tags(facts, first, findings);
    let split = split_before_first_move(facts, first, findings);
    if split.is_some() || blank_line(text, first, facts.game.end).is_some() {
        inside_movetext(facts, split, findings);
    }
    if !follows_game(text, facts.game.end, facts.next) {
        let finding = findings.add(&RULE, Span::new(facts.game.end, facts.game.end)).severity(Severity::Info);
        finding.message("the blank line between this game and the next one is missing").once_per_input_and("games");
        separate(finding, text, Span::new(facts.game.end, facts.next));
    }
}

/// Whether a blank line or more space follows a game from `end` to `next`, where the next record
/// begins or the text ends. Stray text after the game is SYN01.
pub fn follows_game(text: &[u8], end: usize, next: usize) -> bool {
    // Without a marker, the game extends to the next record.
    let has_marker = end < next;
    let has_comment = || memchr2(b'{', b';', &text[end..next]).is_some() && has_only_comments(text, end, next);
    next >= text.len() || !has_marker || (next - end >= 3 && !has_comment()) || blank_line(text, end, next).is_some()
}

/// Whether all text between `from` and `to` is comments.
#[cold]
fn has_only_comments(text: &[u8], from: usize, to: usize) -> bool {
    let mut lexer = Lexer::new(text, from);
    while lexer.next() == Token::Comment {}
    lexer.start >= to
}

/// Reports a comment before the tags of this game, which is the first one, or of the next one.
/// python-chess makes a game of it, unless it belongs to the game before: then no blank line is
/// between them.
fn before_tags(facts: &Layout<'_>, findings: &mut Findings) {
    if facts.pairs.first().is_some_and(|first| first.place.start > facts.game.start) {
        comment_before_tags(facts, facts.game.start, true, findings);
    }
    if memchr(b'{', facts.text.get(facts.game.end..facts.next).unwrap_or_default()).is_some() {
        comment_before_tags(facts, facts.game.end, false, findings);
    }
}

/// Reports the last comment from `from` on, if only comments come before the tags. `is_apart` says
/// that it does not belong to a game before.
#[cold]
fn comment_before_tags(facts: &Layout<'_>, from: usize, mut is_apart: bool, findings: &mut Findings) {
    let text = facts.text;
    let mut lexer = Lexer::new(text, from);
    let (mut before, mut comment) = (from, None);
    loop {
        let token = lexer.next();
        is_apart = is_apart || blank_line(text, before, lexer.start).is_some();
        match token {
            Token::Comment => {
                let place = Span::new(lexer.start, lexer.at);
                // A line comment may include its line break.
                before = place.start + place.of(text).trim_ascii_end().len();
                if is_apart && text[place.start] == b'{' {
                    comment = Some(before);
                }
            }
            Token::TagPair => break,
            _ => return,
        }
    }
    let Some(end) = comment else { return };
    let is_read = "python-chess reads it as a game of its own";
    match blank_line(text, end, lexer.at) {
        Some(blank) => findings.add(&RULE, blank).message(format!("a comment and a blank line come before the tags: {is_read}")),
        None => {
            let message = format!("a comment comes right before the tags: {is_read}, and does not read the tags");
            findings.add(&RULE, Span::new(lexer.at, lexer.at)).message(message)
        }
    }
    .grouped(BEFORE_TAGS);
}

fn between_tags(facts: &Layout<'_>, findings: &mut Findings) {
    let gaps = facts.pairs.windows(2).map(|pair| (pair[0].place.end, pair[1].place.start));
    let mut blanks = gaps.filter(|(from, to)| *to > from + 1).flat_map(|(from, to)| blank_lines(facts.text, from, to)).peekable();
    let Some(first) = blanks.peek() else { return };
    let finding = findings.add(&RULE, *first).severity(Severity::Info);
    finding.message("there is a blank line between two tag pairs").once_per_input_and("tags");
    remove(finding, facts.text, Certainty::Certain, blanks);
}

/// The whitespace before `at` on its line, if there is any and nothing else. Before the game, the
/// text may be unknown.
fn indentation(text: &[u8], from: usize, at: usize) -> Option<Span> {
    let before = text.get(from..at).unwrap_or_default();
    let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let start = at - blanks;
    let begins_line = start == 0 || (start > from && matches!(text[start - 1], b'\n' | b'\r'));
    (blanks > 0 && begins_line).then(|| Span::new(start, at))
}

/// Reports indented tags: python-chess takes them for movetext, in which a blank line ends the
/// game. `first` is the first byte of the movetext.
fn indented_tags(facts: &Layout<'_>, first: usize, findings: &mut Findings) {
    let (text, mut from) = (facts.text, facts.game.start);
    let mut indented = facts.pairs.iter().filter_map(|pair| {
        let place = indentation(text, from, pair.place.start);
        from = pair.place.end;
        place
    });
    let Some(place) = indented.next() else { return };
    let (kind, message) = match blank_line(text, place.end, first) {
        Some(_) => (INDENTED, "tags are indented: python-chess takes them for movetext, and ends the game before its moves"),
        None => ("indented tags alone", "tags are indented: python-chess takes them for movetext"),
    };
    let next = if text.get(facts.next) == Some(&b'[') { indentation(text, facts.game.end, facts.next) } else { None };
    let finding = findings.add(&RULE, place).once_per_input_and(kind).message(message);
    for place in std::iter::once(place).chain(indented).chain(next) {
        finding.repair(Certainty::Certain, Patch::remove(text, place));
    }
}

/// Whether the finding is about indented tags.
pub fn is_about_indentation(finding: &Finding) -> bool {
    finding.rule.code == RULE.code && finding.scope.kind().starts_with(INDENTED)
}

/// A finding about a blank line before the first move, and the end of the part that its repair is
/// about.
#[derive(Clone, Copy)]
struct Split {
    finding: usize,
    end: usize,
}

/// Reports a blank line at which python-chess ends the game before its first move: the second one
/// after the tags, or one after a comment. `first` is the first byte of the movetext.
///
/// python-chess skips one blank line after the tags, and comment lines before it.
fn split_before_first_move(facts: &Layout<'_>, first: usize, findings: &mut Findings) -> Option<Split> {
    let mut tags_end = facts.pairs.last().map_or(facts.game.start, |pair| pair.place.end);
    let starts_with_comment = matches!(facts.text.get(first), Some(b'{' | b';' | b'%'));
    if !starts_with_comment && facts.pairs.is_empty() {
        return None;
    }
    if !starts_with_comment && first <= tags_end + 4 && blank_lines(facts.text, tags_end, first).nth(1).is_none() {
        return None;
    }
    let mut before = tags_end;
    // Where the last token began, and whether there is a blank line up to there.
    let (mut last, mut has_blank_line) = (tags_end, false);
    // Without tags, all blank lines before the first token are skipped.
    let mut allowed = if facts.pairs.is_empty() { usize::MAX } else { 1 };
    for (token, place) in facts.tokens_from(tags_end) {
        let mut blanks = blank_lines(facts.text, before, place.start);
        if let Some(blank) = blanks.nth(allowed) {
            let (kind, what) = if before == tags_end {
                ("tags", "a second blank line follows the tags")
            } else {
                (BEFORE_MOVES, "a blank line follows the comment before the first move")
            };
            let index = findings.len();
            let finding = findings.add(&RULE, blank).grouped(kind);
            finding.message(format!("{what}: python-chess ends the game there, without moves"));
            remove(finding, facts.text, Certainty::Certain, std::iter::once(blank).chain(blanks));
            return (findings.len() > index).then_some(Split { finding: index, end: place.start });
        }
        has_blank_line = has_blank_line || blank_line(facts.text, last, place.start).is_some();
        last = place.start;
        // python-chess takes a line that begins with a bracket for a tag, whatever follows it.
        if before == tags_end && memchr2(b'\n', b'\r', &facts.text[tags_end..place.end]).is_none() {
            (before, tags_end) = (place.end, place.end);
            continue;
        }
        let is_line_comment = facts.text.get(place.start).is_some_and(|byte| matches!(byte, b';' | b'%'));
        match token {
            Token::Comment if is_line_comment && facts.pairs.is_empty() => {}
            Token::Comment if is_line_comment && !has_blank_line => {}
            Token::Comment | Token::Nag => allowed = 0,
            _ => return None,
        }
        // A line comment may include its line break.
        let breaks = place.of(facts.text).iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        before = place.end - breaks;
    }
    None
}

/// What a blank line does to a game with moves in readers that end the game there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// All moves are lost in python-chess.
    WithoutMoves,
    /// The moves after it are lost.
    Cut,
}

/// The kind of indented tags that a blank line follows.
const INDENTED: &str = "indented tags";
/// The kind of a comment before the tags, which costs no moves.
const BEFORE_TAGS: &str = "before tags";
/// The kind of a blank line of the movetext before the first move.
const BEFORE_MOVES: &str = "comment";
/// The kind of a blank line with moves before and after it.
const BETWEEN_MOVES: &str = "movetext";
/// The kind of a blank line of the movetext that no move follows.
const AFTER_MOVES: &str = "end";

/// What the blank line of a finding does, if the finding is about one.
pub fn effect(finding: &Finding) -> Option<Effect> {
    if finding.rule.code != RULE.code {
        return None;
    }
    match &finding.scope {
        Scope::Input { value } if value == INDENTED => Some(Effect::WithoutMoves),
        Scope::Group { kind, .. } if kind == BETWEEN_MOVES => Some(Effect::Cut),
        Scope::Group { kind, .. } if kind != AFTER_MOVES && kind != BEFORE_TAGS => Some(Effect::WithoutMoves),
        _ => None,
    }
}

/// Reports the first blank line of the movetext that is not inside a comment. One finding for each
/// game is enough, so those after `split` only belong to the repair of that finding.
#[cold]
fn inside_movetext(facts: &Layout<'_>, split: Option<Split>, findings: &mut Findings) {
    let mut before: Option<Span> = None;
    let mut has_moves = false;
    let mut reported = split.map(|split| split.finding);
    for (token, place) in facts.tokens_from(split.map_or(facts.movetext, |split| split.end)) {
        // A line comment may include its line break.
        let end_of = |before: Span| match split {
            Some(_) => before.start + before.of(facts.text).trim_ascii_end().len(),
            None => before.end,
        };
        if let Some(from) = before.map(end_of)
            && let Some(blank) = blank_line(facts.text, from, place.start)
        {
            let index = *reported.get_or_insert_with(|| {
                let message = "there is a blank line in the movetext: many readers end the game there";
                let has_more = || token == Token::Word || facts.tokens_from(place.end).any(|(token, _)| token == Token::Word);
                let kind = match has_moves {
                    false => BEFORE_MOVES,
                    true if has_more() => BETWEEN_MOVES,
                    true => AFTER_MOVES,
                };
                let index = findings.len();
                findings.add(&RULE, blank).grouped(kind).message(message);
                index
            });
            let Some(finding) = findings.all().get_mut(index) else { return };
            // Anything else may be another game, or prose.
            let goes_on = matches!(token, Token::Number { value: Some(2..), .. } | Token::Marker(_));
            let certainty = if goes_on { Certainty::Certain } else { Certainty::Likely };
            remove(finding, facts.text, certainty, blank_lines(facts.text, from, place.start));
        }
        if token == Token::UnclosedComment {
            return;
        }
        has_moves |= token == Token::Word;
        before = Some(place);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Auditor, audit_pgn, rules::Profile};

    /// Number of blank lines that are reported in games with this movetext.
    fn reported(line_end: &str, text: &str) -> Vec<(u64, String)> {
        let roster =
            "[Event \"A\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";
        let game = format!("{roster}{text}\n\n{roster}\n1. e4 *\n").replace('\n', line_end);
        let findings =
            audit_pgn(&game).expect("the text is checked").into_iter().filter(|finding| finding.rule.name == "blank-line");
        findings.map(|finding| (finding.line, finding.message)).collect()
    }

    #[test]
    fn all_line_ends_are_alike() {
        for (text, count) in [
            ("\n1. e4 e5\n\n2. Nf3 *", 1),
            ("\n1. e4 e5\n \n2. Nf3 *", 1),
            ("\n\n1. e4 *", 1),
            ("\n{a comment}\n\n1. e4 *", 1),
            ("\n1. e4 {best\n\nby test} 1... e5\n2. Nf3 *", 0),
            ("\n1. e4 e5\n2. Nf3 *", 0),
            ("\n1. e4 *\n", 0),
        ] {
            let expected = reported("\n", text);
            assert_eq!(expected.len(), count, "{text:?}: {expected:?}");
            for line_end in ["\r\n", "\r"] {
                assert_eq!(reported(line_end, text), expected, "{text:?}, {line_end:?}");
            }
        }
    }

    /// As python-chess 1.11.2 reads these texts: after the first game, it makes another one of a
    /// comment.
    #[test]
    fn comments_before_the_tags_of_the_next_game() {
        for (between, count) in [
            ("\n\n{c}\n\n", 1),
            ("\n\n{c}\n", 1),
            ("\n\n; d\n{c}\n; d\n\n", 1),
            ("\n{c}\n\n", 0),
            (" {c}\n\n", 0),
            ("\n\n; c\n\n", 0),
            ("\n\n", 0),
        ] {
            let text = format!("1. e4 *{between}[Site \"?\"]\n");
            let expected = reported("\n", &format!("\n{text}"));
            assert_eq!(expected.len(), count, "{between:?}: {expected:?}");
            assert_eq!(reported("\r\n", &format!("\n{text}")), expected, "{between:?}");
        }
    }

    /// The text after the repairs of this rule.
    fn repaired(text: &str) -> String {
        let findings = Auditor::new().profile(Profile::Strict).audit_pgn(text).expect("the text is checked");
        let own = findings.iter().filter(|finding| finding.rule.name == "blank-line");
        let mut patches: Vec<_> = own.flat_map(|finding| finding.patches()).collect();
        patches.sort_by_key(|patch| patch.place.start);
        let mut bytes = text.as_bytes().to_vec();
        for patch in patches.into_iter().rev() {
            bytes.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn all_blank_lines_of_a_game_are_repaired() {
        let tags =
            "[Event \"A\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";
        for (text, after) in [
            (
                format!("{tags}\n{{c}}\n\n{{d}}\n\n1. e4\n\ne5\n \n\n2. Nf3 *\n"),
                format!("{tags}\n{{c}}\n{{d}}\n1. e4\ne5\n2. Nf3 *\n"),
            ),
            (format!("{tags}\n\n\n; c\n\n1. e4\n\ne5 *\n"), format!("{tags}\n; c\n1. e4\ne5 *\n")),
            (format!("{tags}1. e4 *\n"), format!("{tags}\n1. e4 *\n")),
            (format!("{tags}\n1. e4 *\n{tags}\n1. d4 *\n"), format!("{tags}\n1. e4 *\n\n{tags}\n1. d4 *\n")),
            (tags.replace("[Round", "\n\n[Round") + "\n1. e4 *\n", format!("{tags}\n1. e4 *\n")),
        ] {
            for line_end in ["\n", "\r\n"] {
                let (text, after) = (text.replace('\n', line_end), after.replace('\n', line_end));
                assert_eq!(repaired(&text), after);
                assert_eq!(repaired(&after), after);
            }
        }
    }
}
