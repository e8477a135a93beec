//! ENC07: characters beyond ASCII in movetext.

use crate::{
    pgn::{BOM, Token},
    rules::{Check, Code, Family, Findings, Rule, Sample, Severity, Span, Yield, facts::Layout},
};

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ENC07"),
    name: "non-ascii-token",
    severity: Severity::Warning,
    summary: "A character beyond ASCII stands in the movetext, outside comments",
    what: "Movetext is ASCII: letters of other alphabets, figurines, dashes, spaces that only look like one or cannot be seen belong into comments and strings. \
           Once per input and character. Where the token is reported anyway, because it cannot be read or is read in another spelling, \
           that finding names the character. Byte order marks are ENC05.",
    why: "Readers stop at the character, or drop the token that holds it without a word.",
    fix: "Replace it with the ASCII character that was meant.",
    source: "PGN standard 4.1",
    yields: &[Yield::InRecord(code!("MOV22"))],
    fires: &[Sample::Moves("1.⟦\u{A0}⟧e4 e5 *"), Sample::Moves("1. e4 e5⟦\u{2028}⟧2. Nf3 *")],
    silent: &[Sample::Moves("1. e4 {–\u{A0}½} e5 ; ½\n*")],
    check: Check::Layout(check),
    ..Rule::DEFAULTS
};

fn check(facts: &Layout<'_>, findings: &mut Findings) {
    // Nearly always there is nothing.
    if facts.odd_bytes {
        look(facts, findings);
    }
}

#[cold]
fn look(facts: &Layout<'_>, findings: &mut Findings) {
    let mut at = facts.movetext;
    let mut seen: Vec<(String, Span)> = Vec::new();
    let mut note = |part: Span| {
        let mut start = part.start;
        for chunk in part.of(facts.text).utf8_chunks() {
            for character in chunk.valid().chars() {
                let place = Span::new(start, start + character.len_utf8());
                start = place.end;
                if !character.is_ascii() && place.of(facts.text) != BOM {
                    seen.push((named(character), place));
                }
            }
            for byte in chunk.invalid() {
                seen.push((format!("byte {byte:02X}"), Span::new(start, start + 1)));
                start += 1;
            }
        }
    };
    for (token, place) in facts.tokens() {
        let comment = matches!(token, Token::Comment | Token::UnclosedComment);
        note(Span::new(at, if comment { place.start } else { place.end }));
        at = place.end;
    }
    let reported = findings.len();
    let mut told: Vec<String> = Vec::new();
    for (name, place) in seen {
        let of_token = |code: Code| matches!(code.family(), Family::Syn | Family::Mov | Family::Res | Family::Num);
        let known = findings.all()[..reported]
            .iter_mut()
            .find(|finding| of_token(finding.rule.code) && finding.place.start < place.end && place.start < finding.place.end);
        if let Some(known) = known {
            if known.rule.name == "unknown-token" && !known.message.contains(&name) {
                known.message.push_str(&format!("; it holds {name}"));
            }
        } else if !told.contains(&name) {
            let code = name.split(' ').nth(usize::from(name.starts_with("byte"))).unwrap_or_default().to_owned();
            findings
                .add(&RULE, place)
                .message(format!("{name} stands in the movetext, which is ASCII"))
                .once_per_input_and(code.as_str())
                .found(code);
            told.push(name);
        }
    }
}

/// The code point of a character, and what it is.
fn named(character: char) -> String {
    let code = u32::from(character);
    let name = match character {
        '\u{85}' => "next line",
        '\u{A0}' => "no-break space",
        '\u{AD}' => "soft hyphen",
        '\u{200B}' => "zero width space",
        '\u{200C}' | '\u{200D}' => "zero width joiner",
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => "direction mark",
        '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => "a space other than ASCII's",
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
        _ => return format!("U+{code:04X} ({character})"),
    };
    format!("U+{code:04X} ({name})")
}
