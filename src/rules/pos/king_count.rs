//! POS01: a side does not have exactly one king.

use shakmaty::{Bitboard, Color};

use crate::rules::prelude::*;
use crate::rules::{Note, Notes, StartCounts, sums_of};

pub static RULE: Rule = Rule {
    code: code!("POS01"),
    name: "king-count",
    severity: Severity::Error,
    summary: "A side does not have exactly one king",
    what: "Each side has exactly one king throughout the game. Games of other variants than chess \
        and Chess960 are not checked. If most positions of an input lack a king, as in antichess, \
        that is said once per input, as a warning.",
    why: "Check and legal moves are not defined without exactly one king on each side.",
    fix: "Correct the piece placement. If this is a chess variant, name it in a Variant tag, or with \
        `--variant`.",
    source: "FIDE Laws 1.4, 2.2",
    fires: &[
        Sample::Positions("⟦8/2K5/8/8/2K5/4NB2/8/k7⟧ w - - 0 1"),
        Sample::Positions("⟦8/8/8/8/8/8/8/4K3⟧ w - - 0 1"),
        // Antichess.
        Sample::Positions(
            "⟦8/8/8/8/8/8/4p3/3Q4⟧ w - - 0 40\n8/8/8/8/8/8/4q3/3Q4 w - - 0 41\n8/4b3/8/8/8/8/8/3R4 w - - 0 42\n\
             8/4n3/8/8/8/8/8/3R4 b - - 0 43\n8/4r3/8/8/8/8/8/3R3K w - - 0 44",
        ),
    ],
    silent: &[Sample::Positions("8/2K5/8/8/8/4NB2/8/k7 w - - 0 1")],
    check: Check::Position(check),
    note: Some(&Note { sums: 1, of_position: Some(of_position), holds, ..Note::DEFAULTS }),
    ..Rule::DEFAULTS
};

/// Where the sums of the rule begin.
const AT: usize = sums_of(RULE.code);

/// Most positions of the input have a king of each side.
pub const KINGS_USUAL: Condition = Condition::new(RULE.code, 0);

/// Most positions of the input lack a king.
pub const KINGS_MISSING: Condition = Condition::new(RULE.code, 1);

/// Minimum number of positions without a king that show another variant of chess.
const MIN_WITHOUT_KING: u64 = 5;

fn of_position(facts: &PositionFacts<'_>, count: &mut dyn FnMut(usize)) {
    if facts.lacks_king() {
        count(0);
    }
}

fn holds(notes: &Notes, condition: Condition) -> bool {
    let &[without_king] = notes.sums(AT);
    let lack_kings = without_king >= MIN_WITHOUT_KING && without_king * 2 > StartCounts::of(notes).records();
    (condition == KINGS_MISSING) == lack_kings
}

fn check(facts: &PositionFacts<'_>, findings: &mut Findings) {
    let Some(board) = &facts.board else { return };
    let of = |color: Color| board.kings() & board.by_color(color);
    let (white, black) = (of(Color::White), of(Color::Black));
    if (white.count(), black.count()) != (1, 1) {
        let faults: Vec<String> = [fault_of(Color::White, white), fault_of(Color::Black, black)].into_iter().flatten().collect();
        let surplus = |kings: Bitboard| if kings.count() > 1 { kings } else { Bitboard::EMPTY };
        let message = join_and(&faults);
        let hint = format!("{message}; most positions of this input lack a king, as in antichess (see --variant)");
        for (severity, condition, message) in [(Severity::Error, KINGS_USUAL, message), (Severity::Warning, KINGS_MISSING, hint)]
        {
            let finding = findings.add(&RULE, facts.placement_place()).severity(severity).only_if(condition).message(message);
            finding
                .found(format!("{} white, {} black", white.count(), black.count()))
                .expected("1 white, 1 black")
                .squares(surplus(white) | surplus(black));
            if condition == KINGS_MISSING {
                finding.once_per_input();
            }
        }
    }
}

/// What is wrong with the kings of a side, if anything is.
fn fault_of(color: Color, kings: Bitboard) -> Option<String> {
    let color = color_name(color);
    match kings.count() {
        0 => Some(format!("{color} has no king")),
        1 => None,
        count => {
            let squares: Vec<String> = kings.into_iter().map(|square| square.to_string()).collect();
            Some(format!("{color} has {count} kings ({})", join_and(&squares)))
        }
    }
}
