//! Play that goes against what retro-analysis relies on: pawns that stay at home while others pass
//! them, promotions next to kings that can still castle, and captures by pawns. No position of it
//! may be called impossible.

use crate::common::{
    Numbers, audit, everything,
    games::{chess960, double_chess960, fen, position},
    input,
};
use chess_audit::internals::{
    chess::retro::{ANY_START, Reachability, STANDARD_START, StartingRanks, Structure},
    pipeline::{Options, Settings},
    rules::Severity,
    text::Format,
};
use shakmaty::{Bitboard, Chess, Color, File, Move, Piece, Position, Rank, Role, Square};

/// Number of games that a test plays.
const GAMES: usize = 160;

/// Kings and rooks that have a castling right.
fn unmoved(position: &Chess) -> Bitboard {
    let rooks = position.castles().castling_rights();
    let with_rights = |color: Color| (rooks & position.board().by_color(color)).any();
    let kings = |color: Color| position.board().kings() & position.board().by_color(color);
    Color::ALL.into_iter().filter(|color| with_rights(*color)).fold(rooks, |all, color| all | kings(color))
}

/// How a game is played.
struct Plan {
    /// For each side, the files whose pawns stay at home, one bit each.
    stay: [u8; 2],
    /// From 1 on, kings with rights do not move; from 2 on, rooks do not either.
    keeps_rights: usize,
    /// How much pawn moves, captures and captures by pawns are preferred.
    pawn_moves: usize,
    captures: usize,
    pawn_captures: usize,
    /// How much promotions to other pieces than queens are preferred.
    underpromotions: usize,
}

impl Plan {
    fn new(numbers: &mut Numbers) -> Plan {
        let mut files = || (numbers.below(256) & numbers.below(256) | numbers.below(256) & (numbers.below(2) * 255)) as u8;
        let stay = [files(), files()];
        Plan {
            stay,
            keeps_rights: numbers.below(4),
            pawn_moves: 1 + numbers.below(8),
            captures: 1 + numbers.below(8),
            pawn_captures: [0, 80, 240][numbers.below(3)],
            underpromotions: 200 * numbers.below(3),
        }
    }

    /// How much a move is preferred.
    fn weight(&self, position: &Chess, candidate: Move) -> usize {
        let turn = position.turn();
        let rights = position.castles().castling_rights() & position.board().by_color(turn);
        let from = candidate.from().unwrap_or(Square::A1);
        let loses_right = match candidate.role() {
            Role::King => self.keeps_rights >= 1 && rights.any(),
            Role::Rook => self.keeps_rights >= 2 && rights.contains(from),
            _ => false,
        };
        let stays = candidate.role() == Role::Pawn
            && from.rank() == turn.fold_wb(Rank::Second, Rank::Seventh)
            && self.stay[turn as usize] >> from.file() as usize & 1 == 1;
        match candidate.promotion() {
            _ if loses_right || stays => 0,
            Some(Role::Queen) => 200,
            Some(_) => self.underpromotions,
            None if candidate.role() == Role::Pawn => {
                4 * self.pawn_moves + if candidate.is_capture() { self.pawn_captures } else { 0 }
            }
            None => 4 * if candidate.is_capture() { self.captures } else { 1 },
        }
    }

    fn choose(&self, position: &Chess, numbers: &mut Numbers) -> Option<Move> {
        let moves = position.legal_moves();
        let weights: Vec<usize> = moves.iter().map(|candidate| self.weight(position, *candidate)).collect();
        let mut left = numbers.below(weights.iter().sum());
        let chosen = weights.iter().position(|weight| {
            let is_chosen = left < *weight;
            left = left.saturating_sub(*weight);
            is_chosen
        });
        moves.get(chosen.unwrap_or(0)).copied()
    }
}

/// What the games contained.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    promotions_with_rights: usize,
    promotions_past_home_pawns: usize,
    open: usize,
}

impl Tally {
    fn note_promotion(&mut self, position: &Chess) {
        let at_home = |color: Color| {
            let rank = color.fold_wb(Rank::Second, Rank::Seventh);
            let is_home = |file: &File| {
                position.board().piece_at(Square::from_coords(*file, rank)) == Some(Piece { color, role: Role::Pawn })
            };
            File::ALL.iter().filter(|file| is_home(file)).count()
        };
        self.promotions_with_rights += usize::from(position.castles().any());
        self.promotions_past_home_pawns += usize::from(at_home(Color::White) + at_home(Color::Black) >= 5);
    }

    fn ask(&mut self, position: &Chess, start: &StartingRanks, begin: &str, moves: &[Move]) {
        self.positions += 1;
        let reachability = Structure::new(position.board(), unmoved(position), start).reachability();
        assert_ne!(reachability, Reachability::Impossible, "{} from {begin}: {moves:?}", fen(position));
        self.open += usize::from(reachability == Reachability::Open);
    }
}

fn play(games: usize, seed: u64) -> Tally {
    let mut numbers = Numbers::new(seed);
    let mut tally = Tally::default();
    for game in 0..games {
        let begin = match game % 4 {
            0 => chess960(&mut numbers),
            1 => double_chess960(&mut numbers),
            _ => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        };
        let mut after = position(&begin);
        let plan = Plan::new(&mut numbers);
        let mut moves = Vec::new();
        while moves.len() < 200
            && let Some(played) = plan.choose(&after, &mut numbers)
        {
            if played.is_promotion() {
                tally.note_promotion(&after);
            }
            after.play_unchecked(played);
            moves.push(played);
            // Other moves change only where pieces can have come from.
            if played.is_zeroing() || moves.len() % 4 == 0 {
                tally.ask(&after, &ANY_START, &begin, &moves);
                if game % 4 >= 2 {
                    tally.ask(&after, &STANDARD_START, &begin, &moves);
                }
            }
        }
    }
    tally
}

#[test]
fn no_position_of_adversarial_play_is_impossible() {
    let tally = play(GAMES, 1);
    println!("{tally:?}");
    assert!(tally.positions > 10_000 && tally.open * 100 < tally.positions, "{tally:?}");
    assert!(tally.promotions_with_rights > 80 && tally.promotions_past_home_pawns > 80, "{tally:?}");
}

#[test]
#[ignore = "takes minutes"]
fn no_position_of_much_adversarial_play_is_impossible() {
    (2..200).for_each(|seed| println!("{:?}", play(1000, seed)));
}

/// 20,000 combinations of captures do not suffice to prove this position impossible.
#[test]
fn long_searches_decide_more() {
    let line = "2kr4/r2N2rP/br2K3/2qBN1Rq/P3Pr1q/2np1nP1/1P3n2/1nQ3R1 w - - 0 1";
    for (deep, code, left_open) in [(false, None, 1), (true, Some("POS20"), 0)] {
        let result = audit(
            vec![input(line.as_bytes(), Format::Epd)],
            Settings { options: Options { deep, ..Options::default() }, ..everything() },
        );
        let errors = result.findings.iter().map(|(_, finding)| finding).filter(|finding| finding.severity == Severity::Error);
        let codes: Vec<String> = errors.map(|finding| finding.rule.code.to_string()).collect();
        assert_eq!(codes, Vec::from_iter(code), "{deep}");
        assert_eq!(result.summary.counts.positions_left_open, left_open, "{deep}");
    }
}
