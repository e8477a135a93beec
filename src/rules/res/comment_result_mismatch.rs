//! RES12: last comments that contradict the result.

use shakmaty::{Chess, Color, KnownOutcome};

use super::Stated;
use crate::chess::winnability::cannot_checkmate;
use crate::rules::prelude::*;

pub static RULE: Rule = Rule {
    code: code!("RES12"),
    name: "comment-result-mismatch",
    severity: Severity::Warning,
    summary: "The last comment contradicts the recorded result",
    what: "The comment after the last move says who won or lost, such as `White resigns` or \
           `Black loses on time`, but another result is recorded. A draw is accepted if it is \
           proven that the winner according to the comment cannot checkmate. Comments that mention material and games with the result `*` are not \
           checked.",
    why: "One of the two is wrong. The comment usually comes from the server that saw the game end.",
    fix: "Compare with another source, and correct the result or the comment.",
    source: "comments of FICS, ICC, Lichess, XBoard, WinBoard, cutechess and Arena",
    yields: &in_record([code!("RES04"), code!("RES05"), code!("RES06"), code!("RES16")]),
    fires: &[
        Sample::Moves("1. e4 e5 {⟦White loses on time⟧} 1-0"),
        Sample::Moves("1. e4 e5 { ⟦Black resigns.⟧ } 1/2-1/2"),
        Sample::Moves("1. e4 e5 2. Nf3 Nf6 3. Nxe5 Nxe4 4. Qe2 Nc3 5. Qd1 Nxd1 {⟦Game drawn by mutual agreement⟧} 0-1"),
    ],
    silent: &[
        Sample::Moves("1. e4 e5 {White loses on time} 0-1"),
        Sample::Moves("1. e4 e5 {White wins a pawn soon.} 0-1"),
        Sample::Moves("1. e4 e5 {White ran out of time and Black has no material to mate} 1/2-1/2"),
        Sample::Moves("1. e4 {White resigns} e5 1-0"),
    ],
    check: Check::Ending(check),
    ..Rule::DEFAULTS
};

/// Reads short comments in the words of servers and programs. Comments that are conditional (`if`)
/// or a question are not read.
fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(place) = facts.comment else { return };
    let text = place.of(facts.text);
    let words = text.trim_ascii();
    let Some(outcome) = outcome_of_comment(words) else { return };
    let Some((_, stated)) = Stated::of(facts).contradicting(outcome) else { return };
    // A loss on time is a draw if the other side cannot checkmate.
    let cannot_mate = |position: &Chess| outcome.winner().is_some_and(|winner| cannot_checkmate(position, winner));
    if stated == KnownOutcome::Draw && facts.position.is_some_and(cannot_mate) {
        return;
    }
    let start = place.start + (text.len() - text.trim_ascii_start().len());
    let found = shown(words);
    let message = format!("the last comment says `{found}`, but the result is `{stated}`");
    let finding = findings.add(&RULE, crate::rules::Span::new(start, start + words.len()));
    finding.found(found).expected(outcome.as_str()).message(message);
}

/// Maximum length of a comment that is read: people write longer ones, about more than the result.
const MAX_COMMENT: usize = 120;

/// The outcome that a comment gives in the words of servers and programs.
fn outcome_of_comment(comment: &[u8]) -> Option<KnownOutcome> {
    let comment = std::str::from_utf8(comment).ok().filter(|comment| comment.len() <= MAX_COMMENT)?.to_ascii_lowercase();
    if comment.contains("material") || comment.contains("if ") || comment.contains('?') {
        return None;
    }
    let starts_with = |text: &str, phrases: &[&str]| {
        phrases.iter().any(|phrase| {
            text.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '\''))
        })
    };
    if starts_with(
        &comment,
        &["game drawn", "drawn by", "draw by", "draw agreed", "game ends by stalemate", "game ends in a draw"],
    ) {
        return Some(KnownOutcome::Draw);
    }
    let (color, rest) = match (comment.strip_prefix("white"), comment.strip_prefix("black")) {
        (Some(rest), _) => (Color::White, rest),
        (_, Some(rest)) => (Color::Black, rest),
        _ => return None,
    };
    let is_one_of = |phrases: &[&str]| phrases.iter().any(|phrase| rest.trim_end_matches(['.', '!', ' ']) == *phrase);
    let loses = starts_with(
        rest,
        &[
            " resigns",
            " resigned",
            " loses on time",
            " lost on time",
            " loses by",
            " forfeits",
            " forfeited",
            " checkmated",
            " is checkmated",
            " makes an illegal move",
            " made an illegal move",
            " makes illegal move",
            " disconnects",
            " disconnected",
            " left the game",
            " ran out of time",
            " runs out of time",
            "'s connection stalls",
            "'s flag fell",
        ],
    ) || is_one_of(&[" loses", " lost"]);
    let wins =
        starts_with(rest, &[" wins on time", " won on time", " wins by", " won by", " wins by checkmate", " is victorious"])
            || is_one_of(&[" mates", " wins", " won", " checkmates", " gives mate", " mates!"]);
    match (wins, loses) {
        (true, false) => Some(KnownOutcome::Decisive { winner: color }),
        (false, true) => Some(KnownOutcome::Decisive { winner: !color }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_in_words() {
        let white = Some(KnownOutcome::Decisive { winner: Color::White });
        let black = Some(KnownOutcome::Decisive { winner: Color::Black });
        for (comment, expected) in [
            ("White resigns", black),
            ("Black resigns.", white),
            ("White wins on time.", white),
            ("Black mates", black),
            ("White checkmated", black),
            ("Black forfeits by disconnection", white),
            ("White's connection stalls", black),
            ("Black makes an illegal move: Ke9", white),
            ("Black wins by adjudication", black),
            ("Game drawn by repetition", Some(KnownOutcome::Draw)),
            ("Draw by 3-fold repetition", Some(KnownOutcome::Draw)),
            ("White wins a piece", None),
            ("White mates in 3", None),
            ("White wins by force a whole rook, if Black does not see it", None),
            ("Black loses a pawn", None),
            ("Whiter resigns", None),
            ("A draw by agreement was near", None),
            ("Black ran out of time and White has no material to mate", None),
        ] {
            assert_eq!(outcome_of_comment(comment.as_bytes()), expected, "{comment}");
        }
    }
}
