//! CLK07: announced mates that do not exist.

use shakmaty::{
    Bitboard, Chess, Color, Move, Position, Role,
    attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks},
};

use crate::{
    chess::{
        color_name, has_legal_move,
        winnability::{cannot_checkmate, is_dead},
    },
    pgn::{CommandKind, Evaluation, read_evaluation},
    rules::{Check, Findings, Rule, Sample, Severity, Yield, facts::CommandFacts, shown},
};

pub static RULE: Rule = Rule {
    code: code!("CLK07"),
    name: "eval-mate-false",
    severity: Severity::Warning,
    summary: "An evaluation announces a mate that does not exist",
    what: "The evaluation is `#1` (White mates) or `#-1` (Black mates), but that side cannot mate \
           with its next move. Or it is `#0` and nobody is checkmated, or it is any mate although \
           it is proven that the side can never checkmate. It is an info if it would be possible \
           for the other side or before the move, because programs differ in their point of view. \
           Longer mates are not searched for.",
    why: "The evaluation belongs to another position, or the moves were changed after it was made.",
    fix: "Evaluate the position again.",
    source: "PGN supplement of 2001, as used by Lichess: evaluations are White's, after the move",
    yields: &[Yield::InRecord(code!("CLK12")), Yield::InRecord(code!("CLK13"))],
    fires: &[
        Sample::Moves("1. e4 e5 {⟦[%eval #1]⟧} *"),
        Sample::Moves("1. e4 {⟦[%eval #0]⟧} *"),
        Sample::Moves("1. f3 e5 2. g4 {⟦[%eval #1]⟧} d6 *"),
        Sample::Moves("1. f3 e5 2. g4 Qh4# {⟦[%eval #3]⟧} 0-1"),
    ],
    silent: &[
        Sample::Moves("1. f3 e5 2. g4 {[%eval #-1]} Qh4# {[%eval #0]} 0-1"),
        Sample::Moves("1. f3 e5 2. g4 {[%eval #-1]} Qh4# {[%eval #-1]} 0-1"),
        Sample::Moves("1. e4 e5 {[%eval #2]} *"),
        Sample::Pgn(
            "[Event \"Sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n[SetUp \"1\"]\n\
             [FEN \"8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - - 0 1\"]\n\n1. Kd2 {[%eval #9]} Kd6 1/2-1/2\n",
        ),
    ],
    check: Check::Command(check),
    ..Rule::DEFAULTS
};

/// In a checkmate any mate for the winner is accepted; one for the loser is an info.
///
/// The square marked is that of the king that is said to be mated, or is mated.
fn check(facts: &CommandFacts<'_>, findings: &mut Findings) {
    let (command, Some(position)) = (facts.command, facts.position) else { return };
    if command.kind != CommandKind::Eval || !command.closed {
        return;
    }
    let operands = command.operands.of(facts.text);
    let Ok(Evaluation::Mate(moves)) = read_evaluation(operands) else { return };
    let winner = if moves < 0 { Color::Black } else { Color::White };
    let mut king = position.board().king_of(!winner);
    let (severity, what) = if position.is_checkmate() {
        if moves == 0 || !position.turn() == winner {
            return;
        }
        king = position.board().king_of(position.turn());
        (Severity::Info, format!("{} is checkmated", color_name(position.turn())))
    } else if position.is_insufficient_material() || is_dead(position) {
        let was_possible = facts.before.is_some_and(|before| !is_dead(before));
        let severity = if was_possible { Severity::Info } else { Severity::Warning };
        let reason =
            if position.is_insufficient_material() { "neither side has mating material" } else { "neither side can checkmate" };
        (severity, reason.to_owned())
    } else if moves != 0 && cannot_checkmate(position, winner) {
        (Severity::Info, format!("{} cannot checkmate", color_name(winner)))
    } else if moves == 0 {
        king = position.board().king_of(position.turn());
        let was_over = facts.before.is_some_and(|before| !has_legal_move(before));
        (if was_over { Severity::Info } else { Severity::Warning }, "neither side is checkmated".to_owned())
    } else if moves.abs() == 1 {
        if mates_next(position, winner) {
            return;
        }
        let other = mates_next(position, !winner);
        let before = || facts.before.is_some_and(|before| Color::ALL.into_iter().any(|color| mates_next(before, color)));
        let severity = if other || before() { Severity::Info } else { Severity::Warning };
        let what = if other {
            format!("{} mates, not {}", color_name(!winner), color_name(winner))
        } else {
            format!("{} has no mate in one", color_name(winner))
        };
        (severity, what)
    } else {
        return;
    };
    let found = shown(operands);
    let finding = findings.add(&RULE, command.place);
    finding.severity(severity).message(format!("the evaluation `{found}` is wrong: {what}")).found(found);
    if let Some(king) = king {
        finding.squares(king);
    }
}

/// Whether either side mates with its next move, probably the one that is named. If so, a wrong mate in one is at most an
/// info.
pub(crate) fn somebody_mates_next(position: &Chess, probably: Color) -> bool {
    mates_next(position, probably) || mates_next(position, !probably)
}

/// Whether `color` mates with its next move. If the other side is to move, after each of its moves.
fn mates_next(position: &Chess, color: Color) -> bool {
    if position.turn() == color {
        return finds_mate(position, &mut None);
    }
    let replies = position.legal_moves();
    // Most replies do not keep the same move from being mate.
    let mut mate = None;
    !replies.is_empty()
        && replies.iter().all(|reply| {
            let mut after = position.clone();
            after.play_unchecked(*reply);
            finds_mate(&after, &mut mate)
        })
}

/// Whether the side to move has a mate in one. `mate` is tried first, and becomes the mate that is found.
fn finds_mate(position: &Chess, mate: &mut Option<Move>) -> bool {
    if mate.is_some_and(|mate| position.is_legal(mate) && is_mate(position, mate)) {
        return true;
    }
    let moves = position.legal_moves();
    let is_strong = |played: &&Move| matches!(played.role(), Role::Queen | Role::Rook);
    let mut by_strength = moves.iter().filter(is_strong).chain(moves.iter().filter(|played| !is_strong(played)));
    let checks = Checks::of(position);
    let found = by_strength.find(|played| checks.may_be_given_by(played) && is_mate(position, **played)).copied();
    *mate = found.or(*mate);
    found.is_some()
}

/// Whether a legal move checkmates.
fn is_mate(position: &Chess, played: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(played);
    after.is_check() && !has_flight(&after) && !has_legal_move(&after)
}

/// Whether the king of the side to move has a square to go to.
fn has_flight(position: &Chess) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let Some(king) = board.king_of(turn) else { return false };
    let others = board.occupied().without(king);
    let squares = king_attacks(king) & !board.by_color(turn);
    squares.into_iter().any(|to| board.attacks_to(to, !turn, others).is_empty())
}

/// Where pieces of the side to move would give check.
#[derive(Default)]
struct Checks {
    by_pawn: Bitboard,
    by_knight: Bitboard,
    diagonal: Bitboard,
    straight: Bitboard,
    /// Its pieces that may uncover a check.
    uncovering: Bitboard,
}

impl Checks {
    fn of(position: &Chess) -> Checks {
        let (board, turn) = (position.board(), position.turn());
        let Some(king) = board.king_of(!turn) else { return Checks::default() };
        let (ours, occupied) = (board.by_color(turn), board.occupied());
        let (diagonal, straight) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        // Our pieces that come first on the lines from the king, if there are sliders behind any of them.
        let uncovering = |seen: Bitboard, behind: Bitboard, sliders: Bitboard| {
            if (behind & !seen & sliders & ours).any() { seen & ours } else { Bitboard::EMPTY }
        };
        Checks {
            by_pawn: pawn_attacks(!turn, king),
            by_knight: knight_attacks(king),
            diagonal,
            straight,
            uncovering: uncovering(diagonal, bishop_attacks(king, occupied & !(diagonal & ours)), board.bishops_and_queens())
                | uncovering(straight, rook_attacks(king, occupied & !(straight & ours)), board.rooks_and_queens()),
        }
    }

    /// Whether a legal move may give check. Most do not, as a glance shows. A piece that moves along a line does not open
    /// that line: it would have given check on it before.
    fn may_be_given_by(&self, played: &Move) -> bool {
        let Move::Normal { role, from, to, promotion: None, .. } = *played else { return true };
        let squares = match role {
            Role::Pawn => self.by_pawn,
            Role::Knight => self.by_knight,
            Role::Bishop => self.diagonal,
            Role::Rook => self.straight,
            Role::Queen => self.diagonal | self.straight,
            Role::King => Bitboard::EMPTY,
        };
        squares.contains(to) || self.uncovering.contains(from)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Square, fen::Fen};

    use super::*;
    use crate::{pgn::next_command, rules::Finding, text::Span};

    /// The positions of random games.
    fn random_positions(games: usize) -> Vec<Chess> {
        let (mut state, mut positions) = (11_u64, Vec::new());
        for _ in 0..games {
            let mut position = Chess::default();
            for _ in 0..150 {
                positions.push(position.clone());
                let moves = position.legal_moves();
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let Some(played) = moves.get((state >> 33) as usize % moves.len().max(1)) else { break };
                position.play_unchecked(*played);
            }
        }
        positions
    }

    /// Every move that gives check, directly or by discovery.
    #[test]
    fn no_check_is_overlooked() {
        let (mut checks, mut others) = (0, 0);
        for position in random_positions(200) {
            let given = Checks::of(&position);
            for played in &position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(*played);
                let may_check = given.may_be_given_by(played);
                assert!(may_check || !after.is_check(), "{played} in {:?}", position.board());
                (checks, others) = (checks + u32::from(after.is_check()), others + u32::from(!may_check));
            }
        }
        assert!(checks > 10_000 && others > 10 * checks, "{checks} checks, {others} other moves");
    }

    #[test]
    fn mates_are_found_as_by_trying_every_move() {
        let after = |position: &Chess, played: &Move| position.clone().play(*played).expect("a legal move");
        let has_mate = |position: &Chess| position.legal_moves().iter().any(|played| after(position, played).is_checkmate());
        let (mut in_one, mut against_all) = (0, 0);
        for position in random_positions(600) {
            let replies = position.legal_moves();
            let expected =
                [has_mate(&position), !replies.is_empty() && replies.iter().all(|reply| has_mate(&after(&position, reply)))];
            let found = [position.turn(), !position.turn()].map(|color| mates_next(&position, color));
            assert_eq!(found, expected, "{:?}", position.board());
            (in_one, against_all) = (in_one + u32::from(found[0]), against_all + u32::from(found[1]));
        }
        assert!(in_one > 500 && against_all > 10, "{in_one} mates in one, {against_all} whatever is played");
    }

    /// The squares marked for an evaluation in a position.
    fn marked(fen: &str, comment: &str) -> Bitboard {
        finding(fen, comment).marks.squares
    }

    fn finding(fen: &str, comment: &str) -> Finding {
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let text = comment.as_bytes();
        let command = next_command(text, Span::new(0, text.len())).expect("a command");
        let mut findings = Findings::new();
        check(&CommandFacts { text, command: &command, position: Some(&position), before: None }, &mut findings);
        assert_eq!(findings.len(), 1, "{comment}");
        findings.all().remove(0)
    }

    #[test]
    fn mates_of_a_side_that_cannot_checkmate() {
        let found = |fen: &str, comment: &str| {
            let finding = finding(fen, comment);
            (finding.severity, finding.message)
        };
        let message = |evaluation: &str, reason: &str| format!("the evaluation `{evaluation}` is wrong: {reason}");
        for (fen, evaluation, severity, reason) in [
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "#5", Severity::Warning, "neither side has mating material"),
            ("8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 w - - 0 1", "#5", Severity::Warning, "neither side can checkmate"),
            // The sign may be wrong.
            ("8/4b3/3b1k2/8/8/5Bp1/6Pp/7K w - - 0 1", "#-5", Severity::Info, "Black cannot checkmate"),
        ] {
            assert_eq!(found(fen, &format!("[%eval {evaluation}]")), (severity, message(evaluation, reason)), "{fen}");
        }
    }

    #[test]
    fn the_king_that_is_mated_or_said_to_be_is_marked() {
        let quiet = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(marked(quiet, "[%eval #1]"), Bitboard::from(Square::E8), "White mates");
        assert_eq!(marked(quiet, "[%eval #-1]"), Bitboard::from(Square::E1), "Black mates");
        assert_eq!(marked(quiet, "[%eval #0]"), Bitboard::from(Square::E1), "the side to move is mated");
        let smothered = "6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1";
        assert_eq!(marked(smothered, "[%eval #-1]"), Bitboard::from(Square::H8), "Black is mated");
    }
}
