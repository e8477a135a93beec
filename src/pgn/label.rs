//! Labels before the movetext of a game, in lists with a line for each game.

use memchr::memmem;

use super::{Lexer, Token, is_movetext, line_end};
use crate::chess::WrittenSan;

/// Maximum length of a label, in bytes.
const MAX_LABEL: usize = 100;

/// Where the movetext begins after the number or label at `at`, the start of a line: `2) 1. e4`,
/// `Game 2: 1. e4`, `- 1. e4`, `C60 1. e4`.
pub fn movetext_after_label(text: &[u8], at: usize) -> Option<usize> {
    let line = &text[at..line_end(text, at)];
    let near = &line[..line.len().min(MAX_LABEL)];
    let numbers = memmem::find_iter(near, b"1.").filter(|&found| found > 0 && near[found - 1].is_ascii_whitespace());
    let mut numbered = numbers.filter(|&found| is_label(&near[..found]) && is_movetext(&line[found..]));
    let after_colon = || {
        let colon = memchr::memchr(b':', near).filter(|_| near[0].is_ascii_alphabetic())? + 1;
        let moves = colon + line[colon..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        (moves > colon && moves_of_line(&line[moves..])?.len() > 1).then_some(moves)
    };
    numbered.next().or_else(after_colon).map(|found| at + found)
}

/// Whether a text before the number 1 is a label: it ends like one, or is a number with a period or
/// an ECO code.
fn is_label(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    match text {
        [b'[', letter, ..] if letter.is_ascii_alphabetic() => false,
        [b'{' | b';' | b'%' | b'*', ..] => false,
        [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'] => true,
        [digits @ .., b'.'] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        [.., b')' | b']' | b':' | b'-'] => !text.starts_with(b"1."),
        _ => text.ends_with("–".as_bytes()) || text.ends_with("•".as_bytes()),
    }
}

/// The moves of a line that contains nothing else, apart from numbers that count them, glyphs, NAGs
/// and a termination marker at its end.
pub fn moves_of_line(line: &[u8]) -> Option<Vec<WrittenSan>> {
    /// Maximum number of moves of a line.
    const MAX_MOVES: usize = 512;
    let mut lexer = Lexer::new(line, 0);
    let mut moves = Vec::new();
    loop {
        match lexer.next() {
            Token::Word if moves.len() < MAX_MOVES => moves.push(WrittenSan::read(lexer.token())?),
            Token::Number { value: Some(number), dots: 1.. } if number as usize == moves.len() / 2 + 1 => {}
            Token::Glyph | Token::Nag => {}
            Token::Marker(_) => return matches!(lexer.next(), Token::End).then_some(moves),
            Token::End => return Some(moves),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_told_from_prose_and_movetext() {
        for (line, label) in [
            ("2) 1. e4 e5", 3),
            ("(2) 1.e4 e5", 4),
            ("[2] 1. e4 e5", 4),
            ("2. 1. e4 e5", 3),
            ("Game 2: 1. e4 e5", 8),
            ("Ruy Lopez: e4 e5 Nf3", 11),
            ("Ruy Lopez (C60) - 1. e4 e5", 18),
            ("C60 1. e4 e5", 4),
            ("- 1. e4 e5", 2),
        ] {
            assert_eq!(movetext_after_label(line.as_bytes(), 0), Some(label), "{line}");
        }
        for line in [
            "1. e4 e5",
            "Round 3 had 1.e4 e5 2.Nf3.",
            "1. e4 e5 (1... c5) 1. d4",
            "{a comment:} 1. e4 e5",
            "[Event \"x\"] 1. e4 e5",
            "Ruy Lopez: a good opening",
            "Place: e4",
            "1-0 1. e4 e5",
            "Game 1: 1 point",
            "",
        ] {
            assert_eq!(movetext_after_label(line.as_bytes(), 0), None, "{line}");
        }
    }

    #[test]
    fn moves_of_a_line() {
        let count = |line: &str| moves_of_line(line.as_bytes()).map(|moves| moves.len());
        assert_eq!((count("1. e4 e5 2. Nf3!"), count("e4 e5 Nf3 $1"), count("")), (Some(3), Some(3), Some(0)));
        assert_eq!((count("1. e4 e5 *"), count("e4 e5 1-0"), count("1. e4 * e5")), (Some(2), Some(2), None));
        assert_eq!((count("2. e4 e5"), count("e4 is best"), count("1. e4 e5 1. d4")), (None, None, None));
    }
}
