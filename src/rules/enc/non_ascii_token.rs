//! ENC07: non-ASCII characters in movetext.

use std::{cmp::Reverse, fmt};

use rustc_hash::FxHashSet;

use crate::pgn::{BOM, Token};
use crate::rules::prelude::*;
use crate::rules::{Code, Family};

pub static RULE: Rule = Rule {
    code: code!("ENC07"),
    name: "non-ascii-token",
    severity: Severity::Warning,
    summary: "The movetext contains a non-ASCII character outside comments",
    what: "Movetext is ASCII. Letters of other alphabets, figurines, dashes and special or \
           invisible spaces are only allowed in comments. Reported once per input and character. \
           Tokens that another rule reports and byte order marks (ENC05) are not reported again.",
    why: "Some readers stop at the character. Others silently drop the token that contains it.",
    fix: "Replace the character with the ASCII character that was meant.",
    source: "PGN standard 4.1",
    yields: &in_record([code!("MOV22")]),
    fires: &[Sample::Moves("1.⟦\u{A0}⟧e4 e5 *"), Sample::Moves("1. e4 e5⟦\u{2028}⟧2. Nf3 *")],
    silent: &[Sample::Moves("1. e4 {–\u{A0}½} e5 ; ½\n*")],
    check: Check::Layout(check),
    ..Rule::DEFAULTS
};

/// A token that a rule about syntax, moves, results or numbers has reported is not reported again.
/// If it is an unknown token (SYN10), its message names the character instead.
fn check(facts: &Layout<'_>, findings: &mut Findings) {
    if facts.has_special_bytes {
        check_characters(facts, findings);
    }
}

/// Maximum number of characters that are named in the message about one token.
const MAX_NAMED: usize = 10;

#[cold]
fn check_characters(facts: &Layout<'_>, findings: &mut Findings) {
    let mut tokens = TokenFindings::of(findings);
    let mut reported: FxHashSet<Character> = FxHashSet::default();
    let mut note = |part: Span| {
        for (character, place) in characters(facts.text, part) {
            if let Some((index, named)) = tokens.at(place) {
                if let Some(finding) = findings.all().get_mut(index)
                    && finding.rule.code == code!("SYN10")
                    && named.len() < MAX_NAMED
                    && !named.contains(&character)
                {
                    named.push(character);
                    finding.message.push_str(&format!("; it contains {character}"));
                }
            } else if reported.insert(character) {
                findings
                    .add(&RULE, place)
                    .message(format!("the movetext contains {character}, but must be ASCII"))
                    .once_per_input_and(character.code())
                    .found(character.code());
            }
        }
    };
    let mut at = facts.movetext;
    for (token, place) in facts.tokens() {
        let comment = matches!(token, Token::Comment | Token::UnclosedComment);
        note(Span::new(at, if comment { place.start } else { place.end }));
        at = place.end;
    }
}

/// Findings about tokens, by place.
struct TokenFindings {
    /// Places and indices, the first place last.
    ahead: Vec<(Span, usize)>,
    /// The findings at the last place, and the characters named in the message of each.
    here: Vec<(Span, usize, Vec<Character>)>,
}

impl TokenFindings {
    fn of(findings: &mut Findings) -> TokenFindings {
        let is_about_token = |code: Code| matches!(code.family(), Family::Syn | Family::Mov | Family::Res | Family::Num);
        let all = findings.all().iter().zip(0..).filter(|(finding, _)| is_about_token(finding.rule.code));
        let mut ahead: Vec<(Span, usize)> = all.map(|(finding, index)| (finding.place, index)).collect();
        ahead.sort_unstable_by_key(|(place, index)| (Reverse(place.start), *index));
        TokenFindings { ahead, here: Vec::new() }
    }

    /// The first finding about a token that contains `place`: its index, and the characters named
    /// in its message. Places must be in order.
    fn at(&mut self, place: Span) -> Option<(usize, &mut Vec<Character>)> {
        self.here.retain(|(token, ..)| token.end > place.start);
        while let Some((token, index)) = self.ahead.pop_if(|(token, _)| token.start < place.end) {
            if token.end > place.start {
                self.here.push((token, index, Vec::new()));
            }
        }
        self.here.iter_mut().min_by_key(|(_, index, _)| *index).map(|(_, index, named)| (*index, named))
    }
}

/// A character that is not ASCII, or a byte that is not UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Character {
    Valid(char),
    Invalid(u8),
}

impl Character {
    /// The code point or the byte in hexadecimal.
    fn code(self) -> String {
        match self {
            Character::Valid(character) => code_point(character),
            Character::Invalid(byte) => format!("{byte:02X}"),
        }
    }
}

impl fmt::Display for Character {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Character::Valid(character) => f.write_str(&described(*character)),
            Character::Invalid(byte) => write!(f, "byte 0x{byte:02X}"),
        }
    }
}

/// The characters of `part` that are not ASCII, with their places. Byte order marks are left out.
fn characters(text: &[u8], part: Span) -> impl Iterator<Item = (Character, Span)> + '_ {
    let mut at = part.start;
    let mut next = move |length: usize| {
        at += length;
        Span::new(at - length, at)
    };
    part.of(text)
        .utf8_chunks()
        .flat_map(|chunk| {
            let valid = chunk.valid().chars().map(|character| (Character::Valid(character), character.len_utf8()));
            valid.chain(chunk.invalid().iter().map(|byte| (Character::Invalid(*byte), 1)))
        })
        .map(move |(character, length)| (character, next(length)))
        .filter(|(character, place)| match character {
            Character::Valid(character) => !character.is_ascii() && place.of(text) != BOM,
            Character::Invalid(_) => true,
        })
}

/// The code point of a character, `U+00A0`.
fn code_point(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}

/// The code point of a character and its name.
fn described(character: char) -> String {
    let code = code_point(character);
    let name = match character {
        '\u{85}' => "next line",
        '\u{A0}' => "no-break space",
        '\u{AD}' => "soft hyphen",
        '\u{200B}' => "zero width space",
        '\u{200C}' => "zero width non-joiner",
        '\u{200D}' => "zero width joiner",
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => "text direction mark",
        '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => "non-ASCII space",
        '\u{2010}'..='\u{2012}' => "hyphen",
        '\u{2013}' => "en dash",
        '\u{2014}' | '\u{2015}' => "em dash",
        '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}' => "quotation mark",
        '\u{2026}' => "ellipsis",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{2060}' => "word joiner",
        '\u{2212}' => "minus sign",
        '\u{2654}'..='\u{265F}' => "figurine",
        '\u{370}'..='\u{3FF}' => "Greek letter",
        '\u{400}'..='\u{4FF}' => "Cyrillic letter",
        '\u{FF00}'..='\u{FFEF}' => "fullwidth form",
        _ => return format!("{code} ({character})"),
    };
    format!("{code} ({name})")
}
