//! Endgame tables made by the tests themselves: every position with at most three pieces, solved
//! backwards from mate, and a few recorded answers about positions with four.

use std::sync::OnceLock;

use chess_audit::internals::oracle::{NoVerdict, Prospect, TableVerdict, Tables};
use shakmaty::{Bitboard, Chess, Color, EnPassantMode, Position, Role, Square, attacks, fen::Epd};

/// Answers of Syzygy tables about positions with four pieces: the side to move wins (1) or loses
/// (-1), and the plies to the next mate, capture or pawn move.
const RECORDED: &[(&str, i8, u32)] = &[("Q6k/6p1/8/8/8/8/8/K7 b - -", -1, 10), ("Q7/6pk/8/8/8/8/8/K7 w - -", 1, 9)];

/// Positions of king and one other white piece against a king. For each of them, the plies to the
/// next mate, capture or pawn move if White wins; 0 if White does not win or the position does not
/// exist.
struct Solved(Vec<u8>);

/// A position: whose turn it is, and the squares of the white king, the black king and the white
/// piece.
#[derive(Clone, Copy)]
struct Placed {
    turn: Color,
    king: Square,
    enemy: Square,
    piece: Square,
}

impl Placed {
    fn index(self) -> usize {
        let Placed { turn, king, enemy, piece } = self;
        ((usize::from(turn.is_black()) * 64 + usize::from(king)) * 64 + usize::from(enemy)) * 64 + usize::from(piece)
    }

    fn all(role: Role) -> impl Iterator<Item = Placed> {
        let squares = || Square::ALL.into_iter();
        let kings = move || squares().flat_map(move |king| squares().map(move |enemy| (king, enemy)));
        let placed = Color::ALL.into_iter().flat_map(move |turn| {
            kings().flat_map(move |(king, enemy)| squares().map(move |piece| Placed { turn, king, enemy, piece }))
        });
        placed.filter(move |placed| placed.exists(role))
    }

    fn exists(self, role: Role) -> bool {
        let Placed { turn, king, enemy, piece } = self;
        let apart = king != enemy && king != piece && enemy != piece && !attacks::king_attacks(king).contains(enemy);
        let on_board = role != Role::Pawn || !Bitboard::BACKRANKS.contains(piece);
        apart && on_board && !(turn.is_white() && self.gives_check(role))
    }

    fn gives_check(self, role: Role) -> bool {
        self.attacked(role, Bitboard::from(self.king)).contains(self.enemy)
    }

    /// The squares that the piece attacks, if the squares in `occupied` and its own are occupied.
    fn attacked(self, role: Role, occupied: Bitboard) -> Bitboard {
        match role {
            Role::Pawn => attacks::pawn_attacks(Color::White, self.piece),
            Role::Rook => attacks::rook_attacks(self.piece, occupied),
            _ => attacks::queen_attacks(self.piece, occupied),
        }
    }

    /// The positions after moves of the kings and the piece, pawn moves apart. `None` is a position
    /// without the piece.
    fn quiet(self, role: Role, next: &mut Vec<Option<Placed>>) {
        let Placed { turn, king, enemy, piece } = self;
        next.clear();
        if turn.is_black() {
            let forbidden = attacks::king_attacks(king) | self.attacked(role, Bitboard::from(king));
            for to in attacks::king_attacks(enemy) & !forbidden {
                next.push((to != piece).then_some(Placed { turn: Color::White, enemy: to, ..self }));
            }
            return;
        }
        for to in attacks::king_attacks(king) & !attacks::king_attacks(enemy) & !Bitboard::from(piece) {
            next.push(Some(Placed { turn: Color::Black, king: to, ..self }));
        }
        if role != Role::Pawn {
            let kings = Bitboard::from(king) | Bitboard::from(enemy);
            for to in self.attacked(role, kings) & !kings {
                next.push(Some(Placed { turn: Color::Black, piece: to, ..self }));
            }
        }
    }

    /// The positions after moves of the pawn, each with the role of the piece then.
    fn pushes(self) -> Vec<(Role, Placed)> {
        let free = |square: Square| square != self.king && square != self.enemy;
        let Some(one) = self.piece.offset(8).filter(|square| free(*square)) else { return Vec::new() };
        let at = |piece| Placed { turn: Color::Black, piece, ..self };
        if Bitboard::from_rank(shakmaty::Rank::Eighth).contains(one) {
            return vec![(Role::Queen, at(one)), (Role::Rook, at(one))];
        }
        let two = one.offset(8).filter(|square| self.piece.rank() == shakmaty::Rank::Second && free(*square));
        [Some(one), two].into_iter().flatten().map(|square| (Role::Pawn, at(square))).collect()
    }
}

impl Solved {
    /// Solves the positions with a queen or a rook.
    fn pieces(role: Role) -> Solved {
        let positions: Vec<Placed> = Placed::all(role).collect();
        Solved(solve(&positions, role, |_, _| false))
    }

    /// Solves the positions with a pawn.
    fn pawns() -> Solved {
        let positions: Vec<Placed> = Placed::all(Role::Pawn).collect();
        let is_won_after = |won: &[u8], placed: Placed| {
            placed.pushes().into_iter().any(|(role, after)| match role {
                Role::Pawn => won[after.index()] > 0 || is_mate(after, role),
                role => table(role).wins(after, role),
            })
        };
        // Who wins is found first, because a push must keep the win.
        let won = solve(&positions, Role::Pawn, is_won_after);
        let wins: Vec<Placed> = positions.into_iter().filter(|placed| won[placed.index()] > 0).collect();
        Solved(solve(&wins, Role::Pawn, |_, placed| is_won_after(&won, placed)))
    }

    fn wins(&self, placed: Placed, role: Role) -> bool {
        self.0[placed.index()] > 0 || is_mate(placed, role)
    }
}

fn is_mate(placed: Placed, role: Role) -> bool {
    let mut next = Vec::new();
    placed.quiet(role, &mut next);
    placed.turn.is_black() && next.is_empty() && placed.gives_check(role)
}

/// For each position, the plies to a mate or to a position in which White `wins_at_once`; 0 if
/// White cannot force either.
fn solve(positions: &[Placed], role: Role, wins_at_once: impl Fn(&[u8], Placed) -> bool) -> Vec<u8> {
    let mut plies = vec![0_u8; 2 * 64 * 64 * 64];
    let mut open: Vec<Placed> = positions.to_vec();
    let mut next = Vec::new();
    for distance in 1.. {
        let before = open.len();
        let mut found = Vec::new();
        open.retain(|placed| {
            placed.quiet(role, &mut next);
            let is_lost = |after: &Option<Placed>| after.is_some_and(|after| plies[after.index()] > 0);
            let is_won = match placed.turn {
                Color::White => {
                    wins_at_once(&plies, *placed)
                        || next.iter().any(|after| is_lost(after) || after.is_some_and(|after| is_mate(after, role)))
                }
                Color::Black => !next.is_empty() && next.iter().all(is_lost),
            };
            if is_won {
                found.push(placed.index());
            }
            !is_won
        });
        found.into_iter().for_each(|index| plies[index] = distance);
        if open.len() == before {
            break;
        }
    }
    plies
}

fn table(role: Role) -> &'static Solved {
    static TABLES: [OnceLock<Solved>; 3] = [const { OnceLock::new() }; 3];
    match role {
        Role::Queen => TABLES[0].get_or_init(|| Solved::pieces(role)),
        Role::Rook => TABLES[1].get_or_init(|| Solved::pieces(role)),
        _ => TABLES[2].get_or_init(Solved::pawns),
    }
}

/// The tables of the tests.
#[derive(Debug)]
pub struct SmallTables;

impl SmallTables {
    /// The prospect of the side to move without the fifty-move rule, and the plies to the next
    /// mate, capture or pawn move.
    fn look_up(position: &Chess) -> Option<(Prospect, u32)> {
        let board = position.board();
        let others = board.occupied() & !board.kings();
        if others.count() > 1 {
            let epd = Epd::from_position(position, EnPassantMode::Legal).to_string();
            let (_, winner, plies) = RECORDED.iter().find(|(recorded, ..)| *recorded == epd)?;
            return Some((if *winner > 0 { Prospect::Win } else { Prospect::Loss }, *plies));
        }
        let Some(square) = others.first() else { return Some((Prospect::Draw, 0)) };
        let piece = board.piece_at(square)?;
        if matches!(piece.role, Role::Knight | Role::Bishop) {
            return Some((Prospect::Draw, 0));
        }
        // A black piece is looked up with colours and ranks exchanged.
        let seen = |square: Square| if piece.color.is_white() { square } else { square.flip_vertical() };
        let turn = if piece.color.is_white() { position.turn() } else { !position.turn() };
        let [king, enemy] = [piece.color, !piece.color].map(|color| board.king_of(color).map(seen));
        let placed = Placed { turn, king: king?, enemy: enemy?, piece: seen(square) };
        let plies = u32::from(table(piece.role).0[placed.index()]);
        let mated = is_mate(placed, piece.role);
        Some(match turn {
            _ if plies == 0 && !mated => (Prospect::Draw, 0),
            Color::White => (Prospect::Win, plies),
            Color::Black => (Prospect::Loss, plies),
        })
    }
}

impl Tables for SmallTables {
    fn max_pieces(&self) -> usize {
        4
    }

    fn verdict(&self, position: &Chess, clock: Option<u32>) -> Result<TableVerdict, NoVerdict> {
        if position.board().occupied().count() > self.max_pieces() || position.castles().any() {
            return Err(NoVerdict::NotAsked);
        }
        let (unlimited, plies) = SmallTables::look_up(position).ok_or(NoVerdict::MissingTable)?;
        if unlimited == Prospect::Draw {
            return Ok(TableVerdict::DRAW);
        }
        let limited = clock.map(|clock| if plies + clock > 100 { Prospect::Draw } else { unlimited });
        Ok(TableVerdict { unlimited, limited, zeroing_plies: Some(plies) })
    }
}
