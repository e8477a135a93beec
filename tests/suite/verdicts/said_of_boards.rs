//! Each message that names a square is held against the board: what it says about pieces is so.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use crate::common::{
    Numbers, audit,
    damage::{Kind, damage},
    everything,
    extent::part,
    fixture,
    games::games,
    input,
};
use chess_audit::internals::{corpus::Input, corpus::Source, rules::Finding, text::Format};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Move, Position, Rank, Role, Setup, Square,
    attacks, fen::Fen, san::San,
};

/// What the words of a message stand for, in their order.
#[derive(Debug, Default)]
struct Said {
    roles: Vec<Role>,
    colors: Vec<Color>,
    sets: Vec<Bitboard>,
    numbers: Vec<usize>,
    moves: Vec<String>,
}

impl Said {
    /// The square in this place, if one alone is named there.
    fn square(&self, place: usize) -> Square {
        let square = self.sets[place].single_square();
        square.expect("the pattern has one square")
    }
}

/// The position of a finding, and what its move leads to.
struct Scene<'a> {
    finding: &'a Finding,
    /// The move that cannot be played, marks apart. The finding may be about a place before it.
    written: String,
    before: Setup,
    position: Option<Chess>,
    after: Option<Chess>,
}

impl Scene<'_> {
    fn new(finding: &Finding) -> Option<Scene<'_>> {
        let fen: Fen = finding.fen.parse().ok()?;
        let before = fen.into_setup();
        let position = match Chess::from_setup(before.clone(), CastlingMode::Chess960) {
            Ok(position) => Some(position),
            Err(error) => error.ignore_too_much_material().ok(),
        };
        let fails_later = finding.message.split("; ").find_map(|part| part.split_once(" then fails").map(|(written, _)| written));
        let written = fails_later.unwrap_or(&finding.move_text).trim_end_matches(MARKS).to_owned();
        let mut scene = Scene { finding, written, before, position, after: None };
        // `x` may be missing or superfluous, a pawn may have a letter, and a bishop a small one.
        let plain = scene.written.trim_start_matches('P');
        let bishop = plain.replacen('b', "B", 1);
        let readings =
            [plain, &with_other_capture(plain), &bishop, &with_other_capture(&bishop)].map(|reading| scene.played(reading));
        let played = readings.into_iter().flatten().next();
        scene.after = played.and_then(|played| scene.position.clone()?.play(played).ok());
        Some(scene)
    }

    /// A move in the position, marks apart.
    fn played(&self, text: &str) -> Option<Move> {
        // `xh4` and `Pxh4` do not name the file of the pawn.
        let text = if text.starts_with(['x', 'P']) { "" } else { text };
        let san: San = text.trim_end_matches(MARKS).parse().ok()?;
        san.to_move(self.position.as_ref()?).ok()
    }

    /// The square that the written move goes to.
    fn target(&self) -> Option<Square> {
        let written = self.written.split('=').next().unwrap_or_default();
        written.get(written.len().saturating_sub(2)..).and_then(square)
    }

    fn turn(&self) -> Color {
        self.before.turn
    }

    /// Whether pieces of this kind, and of this colour if any, are on all of these squares.
    fn has(&self, color: Option<Color>, role: Role, squares: Bitboard) -> bool {
        let stand = |board: &Board| {
            squares.is_subset(board.by_role(role)) && color.is_none_or(|color| squares.is_subset(board.by_color(color)))
        };
        stand(&self.before.board) || self.after.as_ref().is_some_and(|after| stand(after.board()))
    }

    /// The pieces that attack a square.
    fn attackers(&self, color: Color, square: Square) -> Bitboard {
        // A king that leaves does not shield the square behind it.
        let kings = self.before.board.kings() & self.before.board.by_color(!color);
        self.before.board.attacks_to(square, color, self.before.board.occupied() & !kings)
    }

    /// The pieces that give check, after the move if the finding is about its marks.
    fn checkers(&self) -> Bitboard {
        if matches!(self.finding.rule.code.to_string().as_str(), "MOV11" | "MOV12" | "MOV14") {
            return self.after.as_ref().map_or(Bitboard::EMPTY, Position::checkers);
        }
        let king = self.before.board.king_of(self.turn());
        king.map_or(Bitboard::EMPTY, |king| self.attackers(!self.turn(), king))
    }

    /// Where pieces of the side to move come from that can legally go to a square.
    fn can_go(&self, role: Role, to: Square) -> Bitboard {
        let moves = self.position.as_ref().map(Position::legal_moves).unwrap_or_default();
        let fitting = moves.iter().filter(|played| played.role() == role && played.to() == to && !played.is_castle());
        fitting.filter_map(|played| played.from()).collect()
    }

    /// Whether no piece of the side to move reaches a square, even on an empty board.
    fn none_reaches(&self, pieces: Bitboard, role: Role, to: Square) -> bool {
        let turn = self.turn();
        let pieces = pieces & self.before.board.by_piece(role.of(turn));
        let reaches = |from: Square| match role {
            Role::Pawn => {
                let steps = (i32::from(to.rank()) - i32::from(from.rank())) * turn.fold_wb(1, -1);
                let home = turn.fold_wb(Rank::Second, Rank::Seventh);
                steps == 1 && from.file().distance(to.file()) <= 1
                    || steps == 2 && from.rank() == home && from.file() == to.file()
            }
            role => attacks::attacks(from, role.of(turn), Bitboard::EMPTY).contains(to),
        };
        pieces.any() && !pieces.into_iter().any(reaches)
    }
}

const MARKS: [char; 4] = ['+', '#', '!', '?'];

/// A move without its `x`, or with one.
fn with_other_capture(written: &str) -> String {
    if written.contains('x') {
        return written.replace('x', "");
    }
    let (start, target) = written.split_at(written.find('=').unwrap_or(written.len()).saturating_sub(2));
    format!("{start}x{target}")
}

/// Whether what a part of a message says is so.
type Check = fn(&Scene<'_>, &Said) -> bool;

/// All that is said about squares: a pattern, and whether it is so. In a pattern, `SQUARE` stands
/// for one square, `SQUARES` for a list, `LINE` for a file or rank, `PIECE` and `PIECES` for a kind
/// of piece, `SIDE` for White or Black, `COLOR` for white or black, `SHADE` for light or dark,
/// `COUNT` for a number, `MOVE` for a move in SAN, `RETRACTION` for a last move, and "`" for a
/// quotation.
const CLAIMS: &[(&str, Check)] = &[
    ("PIECE on SQUARE", |scene, said| scene.has(None, said.roles[0], said.sets[0])),
    ("PIECES on SQUARES", |scene, said| scene.has(None, said.roles[0], said.sets[0])),
    ("unmoved pieces bar every promotion square those on SQUARES", |scene, said| are_at_home(scene, said.sets[0])),
    ("unmoved pieces bar every SHADE promotion square those on SQUARES", |scene, said| are_at_home(scene, said.sets[0])),
    ("a bishop was captured on SQUARE shut in by unmoved pawns", |scene, said| bishops_are_lost(scene, said.sets[0])),
    ("bishops were captured on SQUARES shut in by unmoved pawns", |scene, said| bishops_are_lost(scene, said.sets[0])),
    ("king on SQUARE not on SQUARE", |_, said| said.sets[0] != said.sets[1]),
    ("it differs on SQUARES", |scene, said| {
        let other: Option<Fen> = scene.finding.found.parse().ok();
        let differs = |other: &Setup| {
            Square::ALL
                .into_iter()
                .filter(|&square| other.board.piece_at(square) != scene.before.board.piece_at(square))
                .collect::<Bitboard>()
        };
        other.is_some_and(|other| differs(other.as_setup()) == said.sets[0])
    }),
    ("the COLOR PIECE on SQUARE", |scene, said| scene.has(Some(said.colors[0]), said.roles[0], said.sets[0])),
    ("the COLOR PIECE to SQUARE", |scene, said| scene.has(Some(said.colors[0]), said.roles[0], said.sets[0])),
    ("COLOR PIECE from its home square to SQUARE", |scene, said| scene.has(Some(said.colors[0]), said.roles[0], said.sets[0])),
    ("a PIECE is on SQUARE", |scene, said| scene.has(None, said.roles[0], said.sets[0])),
    ("PIECES are on SQUARES", |scene, said| scene.has(None, said.roles[0], said.sets[0])),
    ("the COLOR PIECES on SQUARES", |scene, said| scene.has(Some(said.colors[0]), said.roles[0], said.sets[0])),
    ("SIDE has no PIECE on SQUARE that can have crossed SQUARE", |scene, said| {
        !scene.has(Some(said.colors[0]), said.roles[0], said.sets[0]) && scene.before.ep_square == Some(said.square(1))
    }),
    ("SIDE has no PIECE on SQUARE", |scene, said| !scene.has(Some(said.colors[0]), said.roles[0], said.sets[0])),
    ("no PIECE on SQUARE for", |scene, said| !scene.has(None, said.roles[0], said.sets[0])),
    ("SIDE starts without the PIECE on SQUARE", |scene, said| !scene.has(Some(said.colors[0]), said.roles[0], said.sets[0])),
    ("SIDE has COUNT kings ( SQUARES )", |scene, said| {
        let kings = scene.before.board.kings() & scene.before.board.by_color(said.colors[0]);
        kings == said.sets[0] && kings.count() == said.numbers[0]
    }),
    // Why a move is not legal.
    ("MOVE is not legal here", |scene, said| scene.played(&said.moves[0]).is_none()),
    ("MOVE is ambiguous", |scene, said| scene.played(&said.moves[0]).is_none()),
    ("MOVE is legal there", |scene, said| scene.played(&said.moves[0]).is_some()),
    ("it is SIDE 's turn and only SIDE could play it", |scene, said| {
        let mut setup = scene.before.clone();
        setup.swap_turn();
        setup.ep_square = None;
        let other = Chess::from_setup(setup, CastlingMode::Chess960);
        let is_legal = |other: &Chess| {
            let san = [scene.written.clone(), with_other_capture(&scene.written)].map(|written| written.parse::<San>());
            san.iter().flatten().any(|san| san.to_move(other).is_ok())
        };
        said.colors == [scene.turn(), !scene.turn()] && other.is_ok_and(|other| is_legal(&other))
    }),
    ("SQUARE has a PIECE of the same side", |scene, said| scene.has(Some(scene.turn()), said.roles[0], said.sets[0])),
    ("no PIECE can reach SQUARE", |scene, said| scene.none_reaches(Bitboard::FULL, said.roles[0], said.square(0))),
    ("no PIECE on LINE can reach SQUARE", |scene, said| scene.none_reaches(said.sets[0], said.roles[0], said.square(1))),
    ("there is nothing to capture on SQUARE", |scene, said| said.sets[0].is_disjoint(scene.before.board.occupied())),
    ("the PIECE on SQUARE blocks the PIECE on SQUARE", |scene, said| {
        let target = scene.target();
        let (by, piece) = (said.square(0), said.square(1));
        target.is_none_or(|target| by == target || attacks::between(piece, target).contains(by))
    }),
    ("the PIECE on SQUARE is pinned by the PIECE on SQUARE", |scene, said| {
        let king = scene.before.board.king_of(scene.turn());
        king.is_some_and(|king| attacks::between(king, said.square(1)).contains(said.square(0)))
    }),
    ("remain in check from the PIECE on SQUARE", |scene, said| said.sets[0].is_subset(scene.checkers())),
    ("the king is in check from the PIECE on SQUARE", |scene, said| said.sets[0].is_subset(scene.checkers())),
    ("the PIECE on SQUARE attacks SQUARE", |scene, said| scene.attackers(!scene.turn(), said.square(1)).contains(said.square(0))),
    ("the PIECES on SQUARES can both go there", |scene, said| {
        said.sets[0].count() == 2 && scene.target().is_some_and(|to| scene.can_go(said.roles[0], to) == said.sets[0])
    }),
    ("the PIECES on SQUARES can all go there", |scene, said| {
        said.sets[0].count() > 2 && scene.target().is_some_and(|to| scene.can_go(said.roles[0], to) == said.sets[0])
    }),
    ("the PIECE on SQUARE can also go to SQUARE the canonical spelling is MOVE", |scene, said| {
        said.sets[0].is_subset(scene.can_go(said.roles[0], said.square(1))) && scene.played(&said.moves[0]).is_some()
    }),
    ("no other PIECE can go to SQUARE", |scene, said| scene.can_go(said.roles[0], said.square(0)).count() == 1),
    ("the king would move from SQUARE to SQUARE through SQUARE which the PIECE on SQUARE attacks", |scene, said| {
        scene.attackers(!scene.turn(), said.square(2)).contains(said.square(3))
            && attacks::between(said.square(0), said.square(1)).contains(said.square(2))
            && scene.has(Some(scene.turn()), Role::King, said.sets[0])
    }),
    ("the king would move from SQUARE to SQUARE which the PIECE on SQUARE attacks", |scene, said| {
        scene.attackers(!scene.turn(), said.square(1)).contains(said.square(2))
            && scene.has(Some(scene.turn()), Role::King, said.sets[0])
    }),
    ("the rook from SQUARE already moved", |scene, said| is_lost_right(scene, said.square(0))),
    ("the rook on SQUARE was captured", |scene, said| is_lost_right(scene, said.square(0))),
    ("capturing en passant on SQUARE is possible only right after", |scene, said| {
        said.sets[0].is_disjoint(scene.before.board.occupied()) && scene.before.ep_square != Some(said.square(0))
    }),
    ("does not give the en passant square SQUARE", |scene, said| scene.before.ep_square != Some(said.square(0))),
    ("the PIECE on SQUARE captures nothing", |scene, said| {
        scene.has(None, said.roles[0], said.sets[0]) && said.sets[0].is_disjoint(scene.before.board.occupied())
    }),
    ("MOVE does not say which piece the pawn promotes to", |scene, said| {
        scene.can_go(Role::Pawn, said.moves[0][said.moves[0].len() - 2..].parse().unwrap_or(Square::A1)).any()
    }),
    ("SIDE 's MOVE cannot be played in this variation", |scene, said| {
        said.colors[0] == scene.turn() && scene.played(&said.moves[0]).is_none()
    }),
    ("MOVE then fails", |scene, said| scene.played(&said.moves[0]).is_none()),
    // Marks of check.
    ("the PIECE on SQUARE gives check", |scene, said| said.sets[0].is_subset(scene.checkers())),
    ("but it gives only check MOVE is legal", |scene, said| {
        let san = said.moves[0].trim_end_matches(MARKS).parse::<San>();
        scene.after.as_ref().is_some_and(|after| san.is_ok_and(|san| san.to_move(after).is_ok()))
    }),
    ("the PIECE on SQUARE and the PIECE on SQUARE give check", |scene, said| {
        (said.sets[0] | said.sets[1]).is_subset(scene.checkers())
    }),
    ("the PIECE on SQUARE does not give check", |scene, said| {
        scene
            .after
            .as_ref()
            .is_some_and(|after| !after.is_check() && after.board().by_role(said.roles[0]).contains(said.square(0)))
    }),
    ("the PIECE on SQUARE does not even give check", |scene, _| scene.after.as_ref().is_some_and(|after| !after.is_check())),
    // Positions.
    ("the COLOR PIECE on SQUARE is next to the COLOR PIECE on SQUARE", |_, said| said.square(0).distance(said.square(1)) == 1),
    ("COUNT pieces give check to the PIECE on SQUARE at the same time", |scene, said| {
        scene.checkers().count() == said.numbers[0] && scene.before.board.king_of(scene.turn()) == Some(said.square(0))
    }),
    ("the PIECE on SQUARE and the PIECE on SQUARE cannot both give check to the PIECE on SQUARE", |scene, said| {
        scene.checkers() == said.sets[0] | said.sets[1]
    }),
    ("the COLOR PIECE on SQUARE is attacked by the PIECE on SQUARE", |scene, said| {
        scene.attackers(!said.colors[0], said.square(0)).contains(said.square(1))
    }),
    ("the COLOR PIECE on SQUARE by the PIECE on SQUARE", |scene, said| {
        scene.attackers(!said.colors[0], said.square(0)).contains(said.square(1))
    }),
    ("last move SQUARE - SQUARE", |scene, said| is_pawn_step(scene, !scene.turn(), said)),
    ("the last move was SQUARE - SQUARE", |scene, said| is_pawn_step(scene, !scene.turn(), said)),
    ("SIDE has just moved a pawn from SQUARE to SQUARE", |scene, said| is_pawn_step(scene, said.colors[0], said)),
    ("the en passant square is SQUARE", |scene, said| scene.finding.found == said.square(0).to_string()),
    ("the en passant square SQUARE means", |scene, said| scene.before.ep_square == Some(said.square(0))),
    ("no pawn attacks the en passant square SQUARE", |scene, said| {
        scene.before.ep_square == Some(said.square(0))
            && (scene.attackers(scene.turn(), said.square(0)) & scene.before.board.pawns()).is_empty()
    }),
    ("every capture on the en passant square SQUARE is illegal", |scene, said| {
        let captures = |position: &Chess| position.legal_moves().iter().any(|played| played.is_en_passant());
        scene.before.ep_square == Some(said.square(0)) && scene.position.as_ref().is_some_and(|position| !captures(position))
    }),
    ("cannot have come from SQUARE over SQUARE", |scene, said| {
        scene.before.ep_square == Some(said.square(1)) && said.square(0).distance(said.square(1)) == 1
    }),
    ("SQUARE is the square of the pawn the field names SQUARE which it crossed", |scene, said| {
        scene.has(Some(!scene.turn()), Role::Pawn, said.sets[0]) && said.square(0).distance(said.square(1)) == 1
    }),
    ("on SQUARES a COLOR pawn checks the unmoved king", |scene, said| {
        let color = said.colors[0];
        let king = scene.before.board.king_of(!color).filter(|king| are_at_home(scene, (*king).into()));
        king.is_some_and(|king| said.sets[0].is_subset(attacks::pawn_attacks(!color, king)))
    }),
    ("on SQUARES the pawn checks the unmoved king on SQUARE", |scene, said| {
        // A pawn of the other side.
        let king = scene.before.board.piece_at(said.square(1));
        let color = king.filter(|king| king.role == Role::King).map(|king| king.color);
        color.is_some_and(|color| said.sets[0].is_subset(attacks::pawn_attacks(color, said.square(1))))
    }),
    ("it can only have come from SQUARES and the king was already in check then", |scene, said| {
        let king = scene.before.board.king_of(scene.turn());
        let is_line = |from: Square| king.is_some_and(|king| attacks::ray(from, king).any());
        said.sets[0].is_disjoint(scene.before.board.occupied()) && said.sets[0].into_iter().all(is_line)
    }),
    ("the king on SQUARE was already in check from SQUARE", |scene, said| {
        let color = scene.turn();
        scene.has(Some(color), Role::King, said.sets[0]) && attacks::pawn_attacks(color, said.square(0)).contains(said.square(1))
    }),
    ("such as RETRACTION", |scene, said| is_possible_last(scene, &said.moves[0])),
    ("MOVE comes after the end of the game", |scene, _| scene.position.as_ref().is_some_and(|position| position.is_game_over())),
    ("SAN is MOVE", |scene, said| scene.played(&said.moves[0]).is_some()),
    ("MOVE is enough a pawn that does not capture", |scene, said| {
        scene.played(&said.moves[0]).is_some_and(|played| played.role() == Role::Pawn && !played.is_capture())
    }),
    ("means MOVE", |scene, said| scene.played(&said.moves[0]).is_some()),
    ("` is MOVE but ` starts with MOVE", |scene, said| said.moves.iter().all(|text| scene.played(text).is_some())),
    ("` is MOVE but ` predicts MOVE", |scene, said| said.moves.iter().all(|text| scene.played(text).is_some())),
    ("after COUNT MOVE the evaluation", |scene, said| scene.played(&said.moves[0]).is_some()),
    ("plies from COUNT MOVE on", |scene, said| said.moves[0] == scene.finding.move_text),
    // In the finding about the number, the position is the one before that move.
    ("goes on after MOVE instead of replacing it", |scene, said| {
        let square = said.moves[0].trim_end_matches(MARKS).get(said.moves[0].len() - 2..).and_then(square);
        scene.played(&said.moves[0]).is_some()
            || square.is_some_and(|square| scene.before.board.by_color(!scene.turn()).contains(square))
    }),
    ("begins with MOVE the move that it replaces", |scene, said| said.moves[0] == scene.finding.move_text),
];

/// Whether a rook on this square of the home rank could castle once.
fn is_lost_right(scene: &Scene<'_>, square: Square) -> bool {
    let home = scene.turn().fold_wb(Rank::First, Rank::Eighth);
    square.rank() == home && !scene.before.castling_rights.contains(square)
}

/// Whether a piece can have come from a square that is empty now: `Kd1-e1`.
fn is_possible_last(scene: &Scene<'_>, text: &str) -> bool {
    let role = Role::from_char(text.chars().next().unwrap_or_default().to_ascii_lowercase());
    let role = role.filter(|_| text.starts_with(|letter: char| letter.is_ascii_uppercase())).unwrap_or(Role::Pawn);
    let (path, promotion) = text
        .trim_start_matches(|letter: char| letter.is_ascii_uppercase())
        .split_once('=')
        .map_or((text.trim_start_matches(|letter: char| letter.is_ascii_uppercase()), None), |(path, promotion)| {
            (path, promotion.chars().next().and_then(|letter| Role::from_char(letter.to_ascii_lowercase())))
        });
    let Some((from, to)) = path.split_once(['-', 'x']) else { return false };
    let (Ok(from), Ok(to)) = (from.parse::<Square>(), to.parse::<Square>()) else { return false };
    let piece = promotion.unwrap_or(role).of(!scene.turn());
    scene.before.board.piece_at(to) == Some(piece) && scene.before.board.piece_at(from).is_none()
}

/// Whether there are pieces of one side or both on all of these squares, which are on home ranks.
fn are_at_home(scene: &Scene<'_>, squares: Bitboard) -> bool {
    let pawns = Bitboard::from(Rank::Second) | Bitboard::from(Rank::Seventh);
    squares.is_subset(scene.before.board.occupied()) && squares.is_subset(Bitboard::BACKRANKS | pawns)
}

/// Whether the pawns in front of these home squares of bishops have not moved, and no bishop is
/// there.
fn bishops_are_lost(scene: &Scene<'_>, squares: Bitboard) -> bool {
    let board = &scene.before.board;
    squares.into_iter().all(|square| {
        let color = if square.rank() == Rank::First { Color::White } else { Color::Black };
        let pawns = attacks::pawn_attacks(color, square);
        pawns.is_subset(board.by_piece(color.pawn())) && !board.by_piece(color.bishop()).contains(square)
    })
}

/// Whether a pawn of this side has just moved so.
fn is_pawn_step(scene: &Scene<'_>, color: Color, said: &Said) -> bool {
    let (from, to) = (said.square(0), said.square(1));
    scene.has(Some(color), Role::Pawn, to.into())
        && from.file() == to.file()
        && from.rank().distance(to.rank()) <= 2
        && !scene.before.board.occupied().contains(from)
}

fn role(word: &str) -> Option<Role> {
    let names = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King].into_iter();
    names.zip(["pawn", "knight", "bishop", "rook", "queen", "king"]).find(|(_, name)| *name == word).map(|(role, _)| role)
}

fn square(word: &str) -> Option<Square> {
    word.parse().ok()
}

/// The words of a message. What it quotes is one word, commas and colons are none.
fn words(message: &str) -> Vec<String> {
    let mut plain = String::new();
    // What is quoted may end with the same character.
    for (place, part) in message.replace("``", "`").split('`').enumerate() {
        plain.push_str(if place % 2 == 0 { part } else { " ` " });
    }
    let plain = plain.replace("'s", " 's").replace('(', " ( ").replace(')', " ) ").replace(';', " ; ").replace([',', ':'], " ");
    let mut words = Vec::new();
    for word in plain.split_whitespace() {
        match word.split_once('-') {
            Some((from, to)) if square(from).and(square(to)).is_some() => words.extend([from, "-", to].map(str::to_owned)),
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// How many words at the beginning are a list of squares, and these.
fn squares(words: &[String]) -> (usize, Bitboard) {
    let (mut read, mut found) = (0, Bitboard::EMPTY);
    for (place, word) in words.iter().enumerate() {
        match square(word) {
            Some(square) if !found.contains(square) => {
                found.add(square);
                read = place + 1;
            }
            // `a1, b1 and c1`, but `the queen on a1 and the king` ends before `and`.
            _ if matches!(word.as_str(), "and" | "or") && read == place && read > 0 => {}
            _ => break,
        }
    }
    (read, found)
}

/// Holds a pattern against the beginning of these words. Returns how many it takes, and what they
/// say.
fn matched(pattern: &str, words: &[String]) -> Option<(usize, Said)> {
    let (mut said, mut at) = (Said::default(), 0);
    for part in pattern.split(' ') {
        let word = words.get(at)?;
        at += 1;
        match part {
            "PIECE" => said.roles.push(role(word)?),
            "PIECES" => said.roles.push(role(word.strip_suffix('s')?)?),
            "SQUARE" => said.sets.push(square(word)?.into()),
            "SQUARES" => {
                let (read, found) = squares(&words[at - 1..]);
                said.sets.push(found.any().then_some(found)?);
                at += read - 1;
            }
            "SIDE" => said.colors.push(Color::ALL.into_iter().find(|color| color.to_string() == word.to_lowercase())?),
            "COLOR" => said.colors.push(Color::ALL.into_iter().find(|color| color.to_string() == *word)?),
            "COUNT" => said.numbers.push(word.trim_end_matches('.').parse().ok()?),
            "SHADE" => ["light", "dark"].contains(&word.as_str()).then_some(())?,
            "LINE" if word == "rank" => {
                let rank = words.get(at).and_then(|rank| rank.parse::<u32>().ok()).filter(|rank| (1..=8).contains(rank))?;
                said.sets.push(Bitboard::from(Rank::new(rank - 1)));
                at += 1;
            }
            "LINE" if word == "the" => {
                let file = words.get(at)?.strip_suffix("-file").and_then(|file| file.parse::<char>().ok())?;
                said.sets.push(Bitboard::from(File::from_char(file)?));
                at += 1;
            }
            "MOVE" => {
                word.trim_end_matches(MARKS).parse::<San>().ok()?;
                said.moves.push(word.clone());
            }
            "RETRACTION" => {
                word.contains(['-', 'x']).then_some(())?;
                said.moves.push(word.clone());
            }
            "WORD" => {}
            literal if literal == word => {}
            _ => return None,
        }
    }
    Some((at, said))
}

/// What is wrong with messages, and how often each pattern was held against a board.
#[derive(Debug, Default)]
struct Held {
    wrong: Vec<String>,
    times: BTreeMap<&'static str, u32>,
}

impl Held {
    fn judge(&mut self, finding: &Finding) {
        let words = words(&finding.message);
        let mut open: Vec<usize> = (0..words.len()).filter(|&place| square(&words[place]).is_some()).collect();
        if open.is_empty() {
            return;
        }
        let about =
            |what: &str| format!("{}: {what}\n  {}\n  {} {}", finding.rule.code, finding.message, finding.fen, finding.move_text);
        let Some(scene) = Scene::new(finding) else { return self.wrong.push(about("no position")) };
        // What is said of an earlier move is about another position.
        let mut is_earlier = false;
        for at in 0..words.len() {
            is_earlier = words[at] != ";" && (is_earlier || matched("at WORD the move", &words[at..]).is_some());
            open.retain(|&place| !is_earlier || place != at);
            // `no rook on h1`, `without the rook on h1`
            let is_denied = at > 0 && words[at - 1] == "no"
                || at > 1 && words[at - 2] == "without"
                || matched("PIECE on SQUARE was captured", &words[at..]).is_some();
            for (pattern, is_so) in CLAIMS {
                if is_earlier || is_denied && pattern.starts_with("PIECE") {
                    continue;
                }
                let Some((read, said)) = matched(pattern, &words[at..]) else { continue };
                *self.times.entry(pattern).or_default() += 1;
                open.retain(|place| !(at..at + read).contains(place));
                if !is_so(&scene, &said) {
                    self.wrong.push(about(pattern));
                }
            }
        }
        if !open.is_empty() {
            self.wrong.push(about("not held against the board"));
        }
    }

    fn audit(&mut self, input: Input) {
        let findings = audit(vec![input], everything()).findings;
        // This test reads English letters of pieces only.
        let is_foreign = |finding: &Finding| finding.rule.code.to_string() == "MOV22";
        let foreign: Vec<_> =
            findings.iter().filter(|(_, finding)| is_foreign(finding)).map(|(_, finding)| finding.game).collect();
        for (_, finding) in findings.iter().filter(|(_, finding)| is_foreign(finding) || !foreign.contains(&finding.game)) {
            self.judge(finding);
        }
    }
}

/// The files in `folder` and below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// A position after a few changes.
fn damaged_position(mut setup: Setup, numbers: &mut Numbers) -> Option<Fen> {
    for _ in 0..=numbers.below(3) {
        let square = Square::ALL[numbers.below(64)];
        match numbers.below(6) {
            0 => setup.turn = !setup.turn,
            1 => setup.ep_square = Some(square),
            2 => setup.board.discard_piece_at(square),
            3 => setup.castling_rights.toggle(Bitboard::from(square) & Bitboard::BACKRANKS),
            _ => setup.board.set_piece_at(square, Role::ALL[numbers.below(6)].of(Color::ALL[numbers.below(2)])),
        }
    }
    setup.try_into().ok()
}

#[test]
fn what_messages_say_of_pieces_is_so() {
    let (mut held, mut numbers) = (Held::default(), Numbers::new(74));
    for file in files(&fixture("")) {
        held.audit(Input { name: file.display().to_string(), source: Source::File(file), format: None, scanned: true });
    }

    // What is rare.
    held.audit(input(b"1. d4 e5 2. Nf3 e4 3. g3 d5 4. Bg2 Bb4+ 5. O-O *\n", Format::Pgn));
    held.audit(input(b"[FEN \"7r/3k4/8/1q6/3r4/4n2n/K7/3n3n b - - 27 62\"]\n\n62... Nf2 *\n", Format::Pgn));
    held.audit(input(b"8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 30\n", Format::Epd));
    let mut positions = "k4n2/8/1n1p1p1r/bp6/4P2p/P2P3P/8/4K3 w - - 0 56
8/8/8/8/3P4/2k5/8/4K3 b - d3 0 10
"
    .to_owned();
    let mut damaged_games = 0;
    for game in games(part(4_000)) {
        for _ in 0..10 {
            let position = game.position_after(numbers.below(game.moves.len() + 1));
            let fen = damaged_position(position.to_setup(EnPassantMode::Always), &mut numbers);
            fen.into_iter().for_each(|fen| positions.push_str(&format!("{fen}\n")));
        }
        let text = if game.number % 4 == 0 { game.annotated().text } else { game.plain() };
        let damaged: Vec<_> = Kind::ALL.iter().filter_map(|kind| damage(&text, *kind, &mut numbers)).collect();
        damaged_games += damaged.len();
        let text: String = damaged.into_iter().map(|damaged| damaged.text).collect();
        held.audit(input(text.as_bytes(), Format::Pgn));
    }
    held.audit(input(positions.as_bytes(), Format::Epd));
    assert!(damaged_games >= part(100_000), "{damaged_games} damaged games");

    let wrong = &held.wrong[..held.wrong.len().min(20)];
    assert!(wrong.is_empty(), "{} messages, of which\n{}", held.wrong.len(), wrong.join("\n"));
    let unused: Vec<&str> =
        CLAIMS.iter().map(|(pattern, _)| *pattern).filter(|pattern| !held.times.contains_key(pattern)).collect();
    assert!(unused.is_empty(), "nothing says {unused:?}");
}
