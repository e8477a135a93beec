//! RES12: last comments that say another result.

use shakmaty::{Chess, Color, KnownOutcome, Position};

use super::Stated;
use crate::rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::Ending, shown};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("RES12"),
    name: "comment-contradicts",
    severity: Severity::Warning,
    summary: "The last comment says who won or lost, and the result says otherwise",
    what: "The comment behind the last move begins as servers and programs write it: `White resigns`, `Black loses on time`, `White forfeits by disconnection`, `Black makes an illegal move`, `White checkmated`, `White mates`, `Black wins on time`, `Game drawn by ...`, \
           and the score of the termination marker is another one. A draw where the side that is said to win has no mating material is fair. Where the comment speaks of a lack of material, and where the result is `*`, nothing is said.",
    why: "One of the two is wrong; the comment was written by whoever saw the end of the game.",
    fix: "Compare the game with its source.",
    source: "comments of FICS, ICC, Lichess, XBoard, Winboard, cutechess and Arena",
    yields: &[Yield::InRecord(code!("RES04")), Yield::InRecord(code!("RES05")), Yield::InRecord(code!("RES06"))],
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

fn check(facts: &Ending<'_>, findings: &mut Findings) {
    let Some(place) = facts.comment else { return };
    let text = place.of(facts.text);
    let words = text.trim_ascii();
    let Some(said) = outcome_said(words) else { return };
    let Some((_, stated)) = Stated::of(facts).against(said) else { return };
    // A flag that falls against a side that cannot mate is a draw.
    let unwinnable = |position: &Chess| said.winner().is_some_and(|winner| position.has_insufficient_material(winner));
    if stated == KnownOutcome::Draw && facts.position.is_some_and(unwinnable) {
        return;
    }
    let start = place.start + (text.len() - text.trim_ascii_start().len());
    let found = shown(words);
    let message = format!("the last comment says `{found}`, but the result is `{stated}`");
    let finding = findings.add(&RULE, crate::rules::Span::new(start, start + words.len()));
    finding.found(found).expected(said.as_str()).message(message);
}

/// The outcome that a comment states in the words of servers and programs.
fn outcome_said(comment: &[u8]) -> Option<KnownOutcome> {
    // Long comments are written by people, who speak of more than one thing.
    let comment = std::str::from_utf8(comment).ok().filter(|comment| comment.len() <= 120)?.to_ascii_lowercase();
    if comment.contains("material") || comment.contains("if ") || comment.contains('?') {
        return None;
    }
    let begins = |text: &str, phrases: &[&str]| {
        phrases.iter().any(|phrase| {
            text.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '\''))
        })
    };
    if begins(&comment, &["game drawn", "drawn by", "draw by", "draw agreed", "game ends by stalemate", "game ends in a draw"]) {
        return Some(KnownOutcome::Draw);
    }
    let (color, rest) = match (comment.strip_prefix("white"), comment.strip_prefix("black")) {
        (Some(rest), _) => (Color::White, rest),
        (_, Some(rest)) => (Color::Black, rest),
        _ => return None,
    };
    let ends = |phrases: &[&str]| phrases.iter().any(|phrase| rest.trim_end_matches(['.', '!', ' ']) == *phrase);
    let loses = begins(
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
    ) || ends(&[" loses", " lost"]);
    let wins = begins(rest, &[" wins on time", " won on time", " wins by", " won by", " wins by checkmate", " is victorious"])
        || ends(&[" mates", " wins", " won", " checkmates", " gives mate", " mates!"]);
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
            assert_eq!(outcome_said(comment.as_bytes()), expected, "{comment}");
        }
    }
}
