//! Move number indications.

pub(crate) mod number_missing;
pub(crate) mod number_style;
pub(crate) mod start_number;
pub(crate) mod wrong_number;
pub(crate) mod wrong_side_dots;

family! {
    wrong_number, wrong_side_dots, start_number, number_missing, number_style,
}

use super::{
    Certainty, Findings, Rule,
    facts::{GoesOn, NumberIndication},
    patches::as_comment,
    shown,
};

/// Reports that a variation goes on after the move that it should replace, as its number says.
/// Returns whether it does.
fn goes_on(rule: &'static Rule, facts: &NumberIndication<'_>, findings: &mut Findings) -> bool {
    let Some(GoesOn { open, after }) = facts.goes_on else { return false };
    let finding = findings.add(rule, facts.place).once_if_usual("goes on").found(shown(facts.place.of(facts.text)));
    let after = shown(after.of(facts.text));
    finding.message(format!("the variation goes on after {after} instead of replacing it, as its number says"));
    for patch in as_comment(facts.text, open).unwrap_or_default() {
        finding.repair(Certainty::Likely, patch);
    }
    true
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::rules::{Check, Finding, Span, facts::NumberAspect};

    fn found(rule: &'static Rule, text: &str, expected: u32, turn: Color, starts_line: bool) -> Vec<Finding> {
        let digits = text.trim_end_matches('.');
        let facts = NumberIndication {
            text: text.as_bytes(),
            place: Span::new(0, text.len()),
            value: digits.parse().ok(),
            expected,
            dots: (text.len() - digits.len()) as u32,
            turn,
            next: None,
            spliced: None,
            is_stray: false,
            goes_on: None,
            starts_line,
            aspect: NumberAspect::Count,
        };
        let mut findings = Findings::new();
        match rule.check {
            Check::Number(check) => check(&facts, &mut findings),
            _ => panic!("{} does not check move numbers", rule.code),
        }
        std::mem::take(findings.all())
    }

    #[test]
    fn never_both_at_one_place() {
        for (text, expected, turn, starts_line, number, dots) in [
            ("3.", 3, Color::White, false, false, false),
            ("3", 3, Color::White, false, false, false),
            ("3...", 3, Color::Black, false, false, false),
            ("3.", 3, Color::Black, false, false, false),
            ("3", 3, Color::Black, true, false, false),
            ("3..", 3, Color::Black, true, false, false),
            ("3.", 3, Color::Black, true, false, true),
            ("3...", 3, Color::White, false, false, true),
            ("3..", 3, Color::White, true, false, true),
            ("4.", 3, Color::White, false, true, false),
            ("4...", 3, Color::White, false, true, false),
            ("4.", 3, Color::Black, true, true, false),
            ("99999999999.", 3, Color::White, false, true, false),
        ] {
            let wrong = found(&wrong_number::RULE, text, expected, turn, starts_line);
            let dotted = found(&wrong_side_dots::RULE, text, expected, turn, starts_line);
            assert_eq!((wrong.len(), dotted.len()), (usize::from(number), usize::from(dots)), "{text} {turn}");
        }
    }

    #[test]
    fn messages_name_the_move() {
        let message = |rule, text, turn, starts_line| {
            found(rule, text, 3, turn, starts_line).into_iter().map(|finding| finding.message).collect::<Vec<_>>()
        };
        assert_eq!(
            message(&wrong_number::RULE, "4.", Color::White, false),
            ["`4.` is written before White's move 3; moves may be missing before it"]
        );
        assert_eq!(
            message(&wrong_number::RULE, "2...", Color::Black, false),
            ["`2...` is written before Black's move 3; moves before it may be duplicated"]
        );
        assert_eq!(
            message(&wrong_side_dots::RULE, "3...", Color::White, false),
            ["`3...` announces a move by Black, but White is to move"]
        );
    }

    #[test]
    fn the_next_number_counts_the_moves_before_it() {
        for (moves, is_correct) in [
            ("1. e4 e5 5. Ne3 2... Nc6 *", true),
            ("1. e4 e5 5. Ne3 Nc6 3. Bb5 *", true),
            ("1. e4 e5 5. Ne3 Nc6 2... Bb5 *", false),
            ("1. e4 e5 5. Ne3 Nc6 2. Bb5 *", false),
        ] {
            let findings = crate::audit_pgn(moves).expect("the text is checked");
            let says_so = findings.iter().any(|finding| finding.message.contains("the next number is correct again"));
            assert_eq!(says_so, is_correct, "{moves}");
        }
    }

    #[test]
    fn games_numbered_from_zero_have_no_wrong_number() {
        for (moves, is_wrong) in
            [("0. Ne3 c6 1. d4 d5 2. c3 *", false), ("0. Nf3 c6 1. d4 d5 2. c3 *", false), ("0. Ne3 c6 5. d4 d5 6. c3 *", true)]
        {
            let findings = crate::audit_pgn(moves).expect("the text is checked");
            let is_reported = findings.iter().any(|finding| finding.message.contains("is written before"));
            assert_eq!(is_reported, is_wrong, "{moves}");
        }
    }

    #[test]
    fn the_correct_indication_is_suggested() {
        let expected =
            |rule, text, turn| found(rule, text, 3, turn, true).into_iter().map(|finding| finding.expected).collect::<Vec<_>>();
        assert_eq!(expected(&wrong_number::RULE, "4.", Color::White), ["3."]);
        assert_eq!(expected(&wrong_number::RULE, "4.", Color::Black), ["3..."]);
        assert_eq!(expected(&wrong_side_dots::RULE, "3...", Color::White), ["3."]);
        assert_eq!(expected(&wrong_side_dots::RULE, "3.", Color::Black), ["3..."]);
    }
}
