//! Games with one or two slips: always the same ones for the same list of games.

use std::ops::Range;

use super::Numbers;

/// How a game is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Another letter of a file.
    Letter,
    /// Another digit of a rank.
    Digit,
    /// Two neighbouring characters swapped.
    Swapped,
    /// A character taken for another one.
    Confused,
    /// Another piece letter.
    Piece,
    /// No disambiguation.
    NoOrigin,
    /// No promotion piece.
    NoPromotion,
    /// A piece letter of another language.
    Foreign,
    /// A ply is missing.
    Omitted,
    /// A ply is there twice.
    Doubled,
    /// Two plies in the wrong order.
    Slipped,
    /// Two moves of one side in the wrong order.
    Exchanged,
    /// A wrong disambiguation.
    WrongOrigin,
    /// A wrong promotion piece.
    WrongPromotion,
    /// Castling on the other side.
    CastlingSide,
    /// Castling in another spelling.
    CastlingSpelling,
    /// A lowercase piece letter, or an uppercase pawn move.
    Case,
    /// A missing, superfluous or misspelled `x`.
    Capture,
    /// A missing, superfluous or wrong `+` or `#`.
    CheckMark,
    /// A missing character.
    Dropped,
    /// A character too many.
    Typed,
    /// A move as the squares that it connects.
    Squares,
    /// No space between two tokens.
    Glued,
    /// A space or line break inside a token.
    Split,
    /// A move number without a space after it, and the next two characters swapped: `4.3e`.
    GluedAndSwapped,
    /// A wrong move number.
    Number,
    /// Other punctuation after a move number.
    Dots,
    /// A move number indication is there twice.
    NumberTwice,
    /// A move, number and all, is there twice.
    MoveTwice,
    /// A line of the movetext is missing.
    LineLost,
    /// A line of the movetext is there twice.
    LineTwice,
    /// No termination marker.
    NoMarker,
    /// A termination marker in another spelling.
    MarkerSpelling,
    /// Another result in the Result tag.
    WrongResult,
    /// A tag pair without a quote or bracket.
    TagPair,
    /// A comment without its `{`.
    OpenBrace,
    /// A comment without its `}`.
    CloseBrace,
    /// A variation without its `(`.
    OpenParenthesis,
    /// A variation without its `)`.
    CloseParenthesis,
    /// Another bracket in place of a parenthesis or brace.
    Bracket,
    /// A slip in a move of an annotated game.
    Annotated,
    /// A slip in a move that a variation replaces.
    BeforeVariation,
    /// A slip in a move before a comment.
    BeforeComment,
    /// A slip in a move of a variation.
    InVariation,
    /// Two slips in one game.
    Two,
    /// Two slips in one annotated game.
    TwoAnnotated,
}

impl Kind {
    /// One ply of a game without annotations is damaged.
    pub const PLIES: [Kind; 12] = [
        Kind::Letter,
        Kind::Digit,
        Kind::Swapped,
        Kind::Confused,
        Kind::Piece,
        Kind::NoOrigin,
        Kind::NoPromotion,
        Kind::Foreign,
        Kind::Omitted,
        Kind::Doubled,
        Kind::Slipped,
        Kind::Exchanged,
    ];

    /// All of them.
    pub const ALL: [Kind; 46] = [
        Kind::Letter,
        Kind::Digit,
        Kind::Swapped,
        Kind::Confused,
        Kind::Piece,
        Kind::NoOrigin,
        Kind::NoPromotion,
        Kind::Foreign,
        Kind::Omitted,
        Kind::Doubled,
        Kind::Slipped,
        Kind::Exchanged,
        Kind::WrongOrigin,
        Kind::WrongPromotion,
        Kind::CastlingSide,
        Kind::CastlingSpelling,
        Kind::Case,
        Kind::Capture,
        Kind::CheckMark,
        Kind::Dropped,
        Kind::Typed,
        Kind::Squares,
        Kind::Glued,
        Kind::Split,
        Kind::GluedAndSwapped,
        Kind::Number,
        Kind::Dots,
        Kind::NumberTwice,
        Kind::MoveTwice,
        Kind::LineLost,
        Kind::LineTwice,
        Kind::NoMarker,
        Kind::MarkerSpelling,
        Kind::WrongResult,
        Kind::TagPair,
        Kind::OpenBrace,
        Kind::CloseBrace,
        Kind::OpenParenthesis,
        Kind::CloseParenthesis,
        Kind::Bracket,
        Kind::Annotated,
        Kind::BeforeVariation,
        Kind::BeforeComment,
        Kind::InVariation,
        Kind::Two,
        Kind::TwoAnnotated,
    ];

    /// Whether the damage needs a game with comments and variations.
    pub const fn needs_annotations(self) -> bool {
        matches!(
            self,
            Kind::OpenBrace
                | Kind::CloseBrace
                | Kind::OpenParenthesis
                | Kind::CloseParenthesis
                | Kind::Bracket
                | Kind::Annotated
                | Kind::BeforeVariation
                | Kind::BeforeComment
                | Kind::InVariation
                | Kind::TwoAnnotated
        )
    }

    /// Number of slips in a game of this kind.
    pub const fn slips(self) -> usize {
        if matches!(self, Kind::Two | Kind::TwoAnnotated) { 2 } else { 1 }
    }
}

/// A game with one or two slips.
#[derive(Clone, Debug)]
pub struct Damaged {
    pub kind: Kind,
    pub original: String,
    pub text: String,
    /// The text that is damaged first, as it was.
    pub token: String,
    /// The texts in which at least one slip is undone, the original first.
    pub undone: Vec<String>,
}

/// Damages a game in one place.
#[derive(Clone, Debug)]
struct Slip {
    place: Range<usize>,
    new: String,
}

/// A move of a game as written.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    pub place: Range<usize>,
    pub text: &'a str,
    /// Number of open variations.
    pub depth: usize,
}

/// Characters that are taken for one another.
const CONFUSED: [(char, char); 8] =
    [('c', 'e'), ('f', 't'), ('1', 'l'), ('1', '7'), ('b', '6'), ('g', '9'), ('O', '0'), ('B', '8')];

/// Letters of pieces in German, Dutch, French, Spanish and Italian.
const FOREIGN: [(char, &str); 5] = [('N', "SPC"), ('B', "LFA"), ('R', "T"), ('Q', "D"), ('K', "R")];

/// Start of the movetext.
fn movetext(text: &str) -> usize {
    text.find("\n\n").map_or(0, |at| at + 2)
}

/// The words of a movetext outside comments: numbers, moves, NAGs and markers.
fn words(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (movetext(text), 0);
    let mut words = Vec::new();
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b'{' => at = text[start..].find('}').map_or(bytes.len(), |end| start + end + 1),
            b'(' => depth += 1,
            b')' => depth -= usize::from(depth > 0),
            byte if byte.is_ascii_whitespace() => {}
            _ => {
                let is_word = |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'{' | b'}' | b'(' | b')');
                at = start + bytes[start..].iter().take_while(|byte| is_word(byte)).count().max(1);
                words.push(Token { place: start..at, text: &text[start..at], depth });
            }
        }
    }
    words
}

/// The moves of a game, and where they stand in its text.
pub fn moves(text: &str) -> Vec<Token<'_>> {
    let mut list = Vec::new();
    for word in words(text) {
        let start = word.place.start + word.text.rfind('.').map_or(0, |dot| dot + 1);
        let token = &text[start..word.place.end];
        if token.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            list.push(Token { place: start..word.place.end, text: token, ..word });
        }
    }
    list
}

fn pick<'a, T>(list: &'a [T], numbers: &mut Numbers) -> Option<&'a T> {
    (!list.is_empty()).then(|| &list[numbers.below(list.len())])
}

/// A token with one character replaced, for each replacement that `wanted` gives.
fn each(token: &str, wanted: impl Fn(usize, char) -> Vec<String>) -> Vec<String> {
    token
        .char_indices()
        .flat_map(|(at, letter)| wanted(at, letter).into_iter().map(move |by| (at, by)))
        .map(|(at, by)| format!("{}{by}{}", &token[..at], &token[at + 1..]))
        .collect()
}

/// Whether the move of a piece has a disambiguation.
fn has_origin(token: &str) -> bool {
    let core = token.trim_end_matches(['+', '#']).replace('x', "");
    core.starts_with(['N', 'B', 'R', 'Q']) && core.len() >= 4
}

/// The tokens that a move may turn into.
fn misspellings(kind: Kind, token: &str) -> Vec<String> {
    let replaced = |at: usize, by: &str| format!("{}{by}{}", &token[..at], &token[at + 1..]);
    let others = |letter: char, all: &str| all.chars().filter(|other| *other != letter).map(String::from).collect::<Vec<_>>();
    let castles = token.starts_with('O');
    let core = token.trim_end_matches(['+', '#']);
    let marks = &token[core.len()..];
    match kind {
        Kind::Letter => each(token, |_, letter| match letter {
            'a'..='h' => others(letter, "abcdefgh"),
            _ => Vec::new(),
        }),
        Kind::Digit => each(token, |_, letter| match letter {
            '1'..='8' => others(letter, "12345678"),
            _ => Vec::new(),
        }),
        Kind::Swapped => (1..token.len())
            .map(|at| (at, token.as_bytes()))
            .filter(|(at, bytes)| {
                bytes[*at].is_ascii_alphanumeric() && bytes[at - 1].is_ascii_alphanumeric() && bytes[*at] != bytes[at - 1]
            })
            .map(|(at, bytes)| format!("{}{}{}{}", &token[..at - 1], bytes[at] as char, bytes[at - 1] as char, &token[at + 1..]))
            .collect(),
        Kind::Confused => each(token, |_, letter| {
            let other = |pair: &(char, char)| match pair {
                (one, other) if *one == letter => Some(other.to_string()),
                (other, one) if *one == letter => Some(other.to_string()),
                _ => None,
            };
            CONFUSED.iter().filter_map(other).collect()
        }),
        Kind::Piece if !castles => {
            let first = &token[..1];
            ["N", "B", "R", "Q", "K"]
                .iter()
                .filter(|letter| "NBRQK".contains(first) && **letter != first)
                .map(|letter| replaced(0, letter))
                .collect()
        }
        Kind::NoOrigin => {
            let core = core.replace('x', "");
            let given = core.starts_with(['N', 'B', 'R', 'Q']) && core.len() == 4;
            if given { vec![replaced(1, "")] } else { Vec::new() }
        }
        Kind::NoPromotion => token.find('=').map(|at| format!("{}{}", &token[..at], &token[at + 2..])).into_iter().collect(),
        Kind::Foreign => {
            let letters = FOREIGN.iter().find(|(letter, _)| token.starts_with(*letter)).map_or("", |(_, letters)| letters);
            letters.chars().map(|letter| replaced(0, &letter.to_string())).collect()
        }
        Kind::WrongOrigin if has_origin(token) => each(token, |at, letter| match (at, letter) {
            (1, 'a'..='h') => others(letter, "abcdefgh"),
            (1, '1'..='8') => others(letter, "12345678"),
            _ => Vec::new(),
        }),
        Kind::WrongPromotion => token.find('=').map_or_else(Vec::new, |at| {
            others(token.as_bytes()[at + 1] as char, "QRBNKP").iter().map(|letter| replaced(at + 1, letter)).collect()
        }),
        Kind::CastlingSide if castles => vec![format!("{}{marks}", if core == "O-O" { "O-O-O" } else { "O-O" })],
        Kind::CastlingSpelling if castles => [
            core.replace('O', "0"),
            core.replace('O', "o"),
            core.replace('-', ""),
            core.replacen('O', "0", 1),
            core.replacen('-', "", 1),
        ]
        .map(|spelling| format!("{spelling}{marks}"))
        .to_vec(),
        Kind::Case if !castles => {
            if token.starts_with(|letter: char| letter.is_ascii_lowercase()) {
                vec![replaced(0, &token[..1].to_ascii_uppercase())]
            } else {
                vec![replaced(0, &token[..1].to_ascii_lowercase()), token.to_ascii_uppercase()]
            }
        }
        Kind::Capture if !castles => match token.find('x') {
            Some(at) => ["", "X", ":", "*", "-"].map(|by| replaced(at, by)).to_vec(),
            None => vec![format!("{}x{}", &token[..core.len().min(2) - 1], &token[core.len().min(2) - 1..])],
        },
        Kind::CheckMark => {
            ["", "+", "#", "++"].into_iter().filter(|other| *other != marks).map(|other| format!("{core}{other}")).collect()
        }
        Kind::Dropped => each(token, |_, letter| if letter.is_ascii_alphanumeric() { vec![String::new()] } else { Vec::new() }),
        Kind::Typed => {
            let mut list: Vec<String> =
                [",", ".", "'", "`", "]", "\\", ";", "q", "-", "=", "/"].map(|by| format!("{token}{by}")).to_vec();
            list.extend(each(token, |_, letter| if letter == 'x' { Vec::new() } else { vec![format!("{letter}{letter}")] }));
            list.push(format!("'{token}"));
            list.push(format!(",{token}"));
            list
        }
        Kind::Split => {
            (1..token.len()).flat_map(|at| [" ", "\n"].map(|space| format!("{}{space}{}", &token[..at], &token[at..]))).collect()
        }
        _ => Vec::new(),
    }
}

/// The kinds of slips that are combined, or made in annotated games.
const COMMON: [Kind; 13] = [
    Kind::Letter,
    Kind::Digit,
    Kind::Swapped,
    Kind::Confused,
    Kind::Piece,
    Kind::NoOrigin,
    Kind::Foreign,
    Kind::Omitted,
    Kind::Doubled,
    Kind::Slipped,
    Kind::Dropped,
    Kind::Glued,
    Kind::Number,
];

/// A slip of the kind in one of the moves that are `wanted`; never in the last move of a line.
fn slip_in_move(text: &str, kind: Kind, wanted: &dyn Fn(&Token<'_>) -> bool, numbers: &mut Numbers) -> Option<Slip> {
    let moves = moves(text);
    // Moves of one line that have nothing but spaces and numbers between them.
    let follows = |at: usize| {
        moves.get(at + 1).filter(|next| {
            let between = &text[moves[at].place.end..next.place.start];
            next.depth == moves[at].depth && !between.contains(['{', '(', ')', '$'])
        })
    };
    let able: Vec<usize> = (0..moves.len().saturating_sub(1))
        .filter(|&at| wanted(&moves[at]))
        .filter(|&at| match kind {
            Kind::Omitted | Kind::Doubled => follows(at).is_some(),
            Kind::Slipped => follows(at).is_some_and(|next| next.text != moves[at].text),
            Kind::Exchanged => follows(at).is_some() && follows(at + 1).is_some_and(|next| next.text != moves[at].text),
            kind => !misspellings(kind, moves[at].text).is_empty(),
        })
        .collect();
    let at = *pick(&able, numbers)?;
    let Token { place, text: token, .. } = moves[at].clone();
    Some(match kind {
        Kind::Omitted => Slip { place: place.start..place.end + 1, new: String::new() },
        Kind::Doubled => Slip { place, new: format!("{token} {token}") },
        Kind::Slipped | Kind::Exchanged => {
            let other = &moves[if kind == Kind::Slipped { at + 1 } else { at + 2 }];
            let new = format!("{}{}{token}", other.text, &text[place.end..other.place.start]);
            Slip { place: place.start..other.place.end, new }
        }
        kind => {
            let spellings = misspellings(kind, token);
            Slip { place, new: spellings[numbers.below(spellings.len())].clone() }
        }
    })
}

/// A game as squares: `g1f3`.
fn squares(text: &str, numbers: &mut Numbers) -> Option<Slip> {
    use shakmaty::{CastlingMode, Position, san::SanPlus};
    if text.contains("[FEN ") {
        return None;
    }
    let moves = moves(text);
    let at = numbers.below(moves.len().saturating_sub(1));
    let mut position = shakmaty::Chess::default();
    for (index, token) in moves.iter().enumerate() {
        let san: SanPlus = token.text.parse().ok()?;
        let played = san.san.to_move(&position).ok()?;
        if index == at {
            return Some(Slip { place: token.place.clone(), new: played.to_uci(CastlingMode::Standard).to_string() });
        }
        position.play_unchecked(played);
    }
    None
}

/// A slip in a number, a space, a line, a bracket, a marker or a tag pair.
fn slip_elsewhere(text: &str, kind: Kind, numbers: &mut Numbers) -> Option<Slip> {
    let body = movetext(text);
    let all = words(text);
    let inner = &all[..all.len().saturating_sub(1)];
    let is_number = |word: &&Token<'_>| word.text.starts_with(|first: char| first.is_ascii_digit()) && word.text.ends_with('.');
    let number = |numbers: &mut Numbers| {
        let list: Vec<_> = inner.iter().skip(1).filter(is_number).collect();
        pick(&list, numbers).map(|word| (*word).clone())
    };
    let character = |wanted: char, numbers: &mut Numbers| {
        let list: Vec<usize> = text[body..].match_indices(wanted).map(|(at, _)| body + at).collect();
        pick(&list, numbers).copied()
    };
    let line = |numbers: &mut Numbers| {
        let lines: Vec<(usize, &str)> =
            text[body..].trim_end().match_indices('\n').map(|(at, _)| body + at + 1).zip(text[body..].lines().skip(1)).collect();
        // Neither the first line nor the last one.
        pick(&lines[..lines.len().saturating_sub(1)], numbers).map(|(at, line)| *at..at + line.len() + 1)
    };
    let marker = all.last()?;
    let one = |at: usize, new: &str| Slip { place: at..at + 1, new: new.to_owned() };
    match kind {
        Kind::Glued => {
            let list: Vec<_> = inner
                .windows(2)
                .filter(|pair| text[pair[0].place.end..pair[1].place.start].trim().is_empty())
                .filter(|pair| pair[0].place.end < pair[1].place.start && !pair[0].text.ends_with('.'))
                .filter(|pair| !pair[0].text.starts_with('$') && !pair[1].text.starts_with('$'))
                .collect();
            let pair = pick(&list, numbers)?;
            Some(Slip { place: pair[0].place.end..pair[1].place.start, new: String::new() })
        }
        Kind::GluedAndSwapped => {
            let list: Vec<_> = inner
                .windows(2)
                .filter(|pair| is_number(&&pair[0]) && pair[1].text.len() >= 2 && !pair[1].text.starts_with('O'))
                .collect();
            let pair = pick(&list, numbers)?;
            let token = pair[1].text;
            Some(Slip {
                place: pair[0].place.end..pair[1].place.end,
                new: format!("{}{}{}", &token[1..2], &token[..1], &token[2..]),
            })
        }
        Kind::Number => {
            let word = number(numbers)?;
            let value: usize = word.text.trim_end_matches('.').parse().ok()?;
            let digits = value.to_string();
            let turned: String = digits.chars().rev().collect();
            let others = [value + 1, value - 1, value + 10, value.saturating_sub(10), value * 10 + 1];
            let list: Vec<String> = others
                .map(|other| other.to_string())
                .into_iter()
                .chain([turned, digits[..1].to_owned()])
                .filter(|other| *other != digits && !other.starts_with('0'))
                .collect();
            let dots = &word.text[digits.len()..];
            Some(Slip { place: word.place.clone(), new: format!("{}{dots}", pick(&list, numbers)?) })
        }
        Kind::Dots => {
            let word = number(numbers)?;
            let digits = word.text.trim_end_matches('.');
            let list = [",", "", "..", "...", ":", " .", ".-", ";", ")", "-", "\u{2026}", "/"];
            Some(Slip { place: word.place.clone(), new: format!("{digits}{}", pick(&list, numbers)?) })
        }
        Kind::NumberTwice => {
            let word = number(numbers)?;
            Some(Slip { new: format!("{0} {0}", word.text), place: word.place })
        }
        Kind::MoveTwice => {
            let list: Vec<_> = inner.windows(4).filter(|part| is_number(&&part[0]) && is_number(&&part[3])).collect();
            let part = pick(&list, numbers)?;
            let whole = part[0].place.start..part[2].place.end;
            Some(Slip { new: format!("{0} {0}", &text[whole.clone()]), place: whole })
        }
        Kind::LineLost => line(numbers).map(|place| Slip { place, new: String::new() }),
        Kind::LineTwice => line(numbers).map(|place| Slip { new: text[place.clone()].repeat(2), place }),
        Kind::NoMarker => Some(Slip { place: marker.place.start - 1..marker.place.end, new: String::new() }),
        Kind::MarkerSpelling => {
            let list = match marker.text {
                "1-0" => ["1-O", "l-0", "1:0", "1-0.", "1 - 0", "1-", "+-", "1-0,", "10", "1\u{2013}0"],
                "0-1" => ["O-1", "0-l", "0:1", "0-1.", "0 - 1", "-1", "-+", "0-1,", "01", "0\u{2013}1"],
                "1/2-1/2" => [
                    "1/2",
                    "0.5-0.5",
                    "\u{bd}-\u{bd}",
                    "1/2-1/2.",
                    "1/2 - 1/2",
                    "l/2-1/2",
                    "1/2:1/2",
                    "1/2-1/",
                    "draw",
                    "1/2-1.2",
                ],
                _ => return None,
            };
            Some(Slip { place: marker.place.clone(), new: (*pick(&list, numbers)?).to_owned() })
        }
        Kind::WrongResult => {
            let at = text.find("[Result \"")? + 9;
            let end = at + text[at..].find('"')?;
            let list: Vec<&str> = ["1-0", "0-1", "1/2-1/2"].into_iter().filter(|other| *other != &text[at..end]).collect();
            Some(Slip { place: at..end, new: (*pick(&list, numbers)?).to_owned() })
        }
        Kind::TagPair => {
            let list: Vec<usize> = text[..body].match_indices(['[', ']', '"']).map(|(at, _)| at).filter(|at| *at > 0).collect();
            Some(one(*pick(&list, numbers)?, ""))
        }
        Kind::OpenBrace => character('{', numbers).map(|at| one(at, "")),
        Kind::CloseBrace => character('}', numbers).map(|at| one(at, "")),
        Kind::OpenParenthesis => character('(', numbers).filter(|at| !in_comment(text, *at)).map(|at| one(at, "")),
        Kind::CloseParenthesis => character(')', numbers).filter(|at| !in_comment(text, *at)).map(|at| one(at, "")),
        Kind::Bracket => {
            let wanted = *pick(&['{', '}', '(', ')'], numbers)?;
            let others: Vec<&str> = ["{", "}", "(", ")", "[", "]"]
                .into_iter()
                .filter(|other| matches!(*other, "{" | "(" | "[") == matches!(wanted, '{' | '(') && !other.starts_with(wanted))
                .collect();
            let at = character(wanted, numbers).filter(|at| matches!(wanted, '{' | '}') || !in_comment(text, *at))?;
            Some(one(at, pick(&others, numbers)?))
        }
        _ => None,
    }
}

/// Whether a place is inside a comment.
fn in_comment(text: &str, at: usize) -> bool {
    let before = &text[movetext(text)..at];
    before.rfind('{') > before.rfind('}')
}

fn slip(text: &str, kind: Kind, numbers: &mut Numbers) -> Option<Slip> {
    let common = |numbers: &mut Numbers| COMMON[numbers.below(COMMON.len())];
    let next = |token: &Token<'_>, opening: char| text[token.place.end..].trim_start().starts_with(opening);
    match kind {
        Kind::Two | Kind::TwoAnnotated => {
            let kind = common(numbers);
            slip(text, kind, numbers)
        }
        Kind::Annotated => match common(numbers) {
            kind @ (Kind::Glued | Kind::Number) => slip_elsewhere(text, kind, numbers),
            kind => slip_in_move(text, kind, &|token| token.depth == 0, numbers),
        },
        Kind::BeforeVariation => slip_in_move(text, common(numbers), &|token| token.depth == 0 && next(token, '('), numbers),
        Kind::BeforeComment => slip_in_move(text, common(numbers), &|token| token.depth == 0 && next(token, '{'), numbers),
        Kind::InVariation => slip_in_move(text, common(numbers), &|token| token.depth > 0, numbers),
        Kind::Squares => squares(text, numbers),
        Kind::Omitted | Kind::Doubled | Kind::Slipped | Kind::Exchanged => {
            slip_in_move(text, kind, &|token| token.depth == 0, numbers)
        }
        kind => slip_in_move(text, kind, &|token| token.depth == 0, numbers).or_else(|| slip_elsewhere(text, kind, numbers)),
    }
}

/// A game, damaged in this way if it can be.
pub fn damage(original: &str, kind: Kind, numbers: &mut Numbers) -> Option<Damaged> {
    if moves(original).len() < 20 {
        return None;
    }
    let mut slips = vec![slip(original, kind, numbers)?];
    if kind.slips() == 2 {
        let second = slip(original, kind, numbers)?;
        // Two slips at one place are one.
        if second.place.start < slips[0].place.end + 20 && slips[0].place.start < second.place.end + 20 {
            return None;
        }
        slips.push(second);
    }
    slips.sort_by_key(|slip| std::cmp::Reverse(slip.place.start));
    let token = original[slips[slips.len() - 1].place.clone()].to_owned();
    let with = |which: &dyn Fn(usize) -> bool| {
        let mut text = original.to_owned();
        slips
            .iter()
            .enumerate()
            .filter(|(index, _)| which(*index))
            .for_each(|(_, slip)| text.replace_range(slip.place.clone(), &slip.new));
        text
    };
    let mut undone = vec![original.to_owned()];
    if slips.len() > 1 {
        undone.extend([with(&|index| index == 0), with(&|index| index == 1)]);
    }
    Some(Damaged { kind, original: original.to_owned(), text: with(&|_| true), token, undone })
}

/// Damaged games, `each` of every kind; every game is used once, as far as there are enough of
/// them. The games of `annotated` are for the kinds that need comments and variations.
pub fn damaged(kinds: &[Kind], plain: &[String], annotated: &[String], each: usize) -> Vec<Damaged> {
    let mut numbers = Numbers::new(2026);
    let mut free = [plain, annotated].map(|games| games.iter().map(Some).collect::<Vec<_>>());
    let mut list = Vec::new();
    // What can be done to few games only is done first.
    let mut kinds = kinds.to_vec();
    kinds.sort_by_key(|kind| !matches!(kind, Kind::NoPromotion | Kind::NoOrigin | Kind::WrongPromotion | Kind::WrongOrigin));
    for kind in kinds {
        let mut count = 0;
        for slot in &mut free[usize::from(kind.needs_annotations())] {
            if count == each {
                break;
            }
            let Some(one) = slot.and_then(|game| damage(game, kind, &mut numbers)) else { continue };
            *slot = None;
            list.push(one);
            count += 1;
        }
    }
    list
}
