//! ENC07: non-ASCII characters in movetext.

use crate::{
    pgn::{BOM, Token},
    rules::{Check, Code, Family, Findings, Rule, Sample, Severity, Span, Yield, facts::Layout},
};

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
    yields: &[Yield::InRecord(code!("MOV22"))],
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

/// A character to report: its code, its description and its place.
struct Character {
    code: String,
    name: String,
    place: Span,
}

#[cold]
fn check_characters(facts: &Layout<'_>, findings: &mut Findings) {
    let mut at = facts.movetext;
    let mut seen: Vec<Character> = Vec::new();
    let mut note = |part: Span| {
        let mut start = part.start;
        for chunk in part.of(facts.text).utf8_chunks() {
            for character in chunk.valid().chars() {
                let place = Span::new(start, start + character.len_utf8());
                start = place.end;
                if !character.is_ascii() && place.of(facts.text) != BOM {
                    seen.push(Character { code: code_point(character), name: described(character), place });
                }
            }
            for byte in chunk.invalid() {
                seen.push(Character {
                    code: format!("{byte:02X}"),
                    name: format!("byte 0x{byte:02X}"),
                    place: Span::new(start, start + 1),
                });
                start += 1;
            }
        }
    };
    for (token, place) in facts.tokens() {
        let comment = matches!(token, Token::Comment | Token::UnclosedComment);
        note(Span::new(at, if comment { place.start } else { place.end }));
        at = place.end;
    }
    let known = findings.len();
    let mut reported: Vec<String> = Vec::new();
    for Character { code, name, place } in seen {
        let is_about_token = |code: Code| matches!(code.family(), Family::Syn | Family::Mov | Family::Res | Family::Num);
        let about_token = findings.all()[..known].iter_mut().find(|finding| {
            is_about_token(finding.rule.code) && finding.place.start < place.end && place.start < finding.place.end
        });
        if let Some(finding) = about_token {
            if finding.rule.code == code!("SYN10") && !finding.message.contains(&name) {
                finding.message.push_str(&format!("; it contains {name}"));
            }
        } else if !reported.contains(&name) {
            findings
                .add(&RULE, place)
                .message(format!("the movetext contains {name}, but must be ASCII"))
                .once_per_input_and(code.as_str())
                .found(code);
            reported.push(name);
        }
    }
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
