//! Results, in standard and other spellings.

use shakmaty::{Color, KnownOutcome, Outcome};

use super::MarkerKind;

/// Maximum length of a result after normalisation.
const MAX_RESULT: usize = 24;

/// The four standard markers.
pub(crate) fn standard_marker(text: &[u8]) -> Option<Outcome> {
    match text {
        b"1-0" => Some(Outcome::Known(KnownOutcome::Decisive { winner: Color::White })),
        b"0-1" => Some(Outcome::Known(KnownOutcome::Decisive { winner: Color::Black })),
        b"1/2-1/2" => Some(Outcome::Known(KnownOutcome::Draw)),
        b"*" => Some(Outcome::Unknown),
        _ => None,
    }
}

/// The meaning of the value of a Result tag; `None` if it is not a result.
pub fn result_of_tag(value: &[u8]) -> Option<MarkerKind> {
    if let Some(outcome) = standard_marker(value) {
        return Some(MarkerKind::Standard(outcome));
    }
    let normalised = normalised(value)?;
    let outcome = match normalised.as_slice() {
        b"=" | b"draw" | b"drawn" | b"remis" | b"tablas" | b"nulle" => KnownOutcome::Draw,
        b"+-" | b"w" | b"white" | b"whitewins" | b"whitewon" => KnownOutcome::Decisive { winner: Color::White },
        b"-+" | b"b" | b"black" | b"blackwins" | b"blackwon" => KnownOutcome::Decisive { winner: Color::Black },
        b"?" | b"??" | b"***" | b"unknown" | b"ongoing" | b"inprogress" | b"unfinished" | b"unterminated" => {
            return Some(MarkerKind::Misspelled(Outcome::Unknown));
        }
        other if is_penalty(other) => return Some(MarkerKind::Penalty),
        b"0-0" | b"0:0" | b"-:-" | b"---" | b"-/-" | b"0-0f" | b"0f-0f" => return Some(MarkerKind::DoubleForfeit),
        other => misspelled(other)?,
    };
    Some(MarkerKind::Misspelled(Outcome::Known(outcome)))
}

/// Whether a result in another spelling consists only of the points of both sides. Then it says
/// nothing else, such as that the game was forfeited.
pub(crate) fn is_only_points(text: &[u8]) -> bool {
    let is_point = |byte: &u8| matches!(byte, b'0' | b'1' | b'h' | b'-' | b':' | b'.');
    normalised(text).is_some_and(|plain| plain.iter().all(is_point))
}

/// The meaning of a token of movetext as a termination marker; `None` if it is not a marker.
///
/// `0-0` is castling here, and `=`, `+-` and `-+` are assessments: they are not read as markers. If
/// castling is not possible and the movetext ends, `0-0` is [`MarkerKind::DoubleForfeit`], but only
/// the replay knows that.
pub fn marker_of_token(token: &[u8]) -> Option<MarkerKind> {
    if let Some(outcome) = standard_marker(token) {
        return Some(MarkerKind::Standard(outcome));
    }
    if matches!(token.first(), None | Some(b'a'..=b'h' | b'A'..=b'H' | b'J'..=b'N' | b'P'..=b'Z')) {
        return None;
    }
    let normalised = normalised(token)?;
    match normalised.as_slice() {
        b"0:0" | b"-:-" => Some(MarkerKind::DoubleForfeit),
        other if is_penalty(other) => Some(MarkerKind::Penalty),
        other => Some(MarkerKind::Misspelled(Outcome::Known(misspelled(other)?))),
    }
}

/// Whether one side has half a point and the other one none.
fn is_penalty(normalised: &[u8]) -> bool {
    matches!(normalised, b"h-0" | b"0-h" | b"h:0" | b"0:h")
}

/// The result of a non-standard spelling that is clear both in a tag and in movetext.
fn misspelled(normalised: &[u8]) -> Option<KnownOutcome> {
    match normalised.strip_suffix(b".").unwrap_or(normalised) {
        b"1-0" | b"1:0" | b"1-0f" | b"1f-0" | b"1f-0f" | b"1-0ff" | b"+:-" | b"+--" | b"+/-" | b"1--0" | b"1.0-0.0" => {
            Some(KnownOutcome::Decisive { winner: Color::White })
        }
        b"0-1" | b"0:1" | b"0-1f" | b"0f-1" | b"0f-1f" | b"0-1ff" | b"-:+" | b"--+" | b"-/+" | b"0--1" | b"0.0-1.0" => {
            Some(KnownOutcome::Decisive { winner: Color::Black })
        }
        b"h" | b"h-h" | b"1/5-1/5" | b"h:h" | b"h--h" | b"=-=" | b"=:=" | b"=/=" => Some(KnownOutcome::Draw),
        _ => None,
    }
}

/// `value` in lowercase and without whitespace. Dashes become `-`, halves become `h`, and letters
/// that look like digits become those digits.
fn normalised(value: &[u8]) -> Option<Vec<u8>> {
    if value.len() > 4 * MAX_RESULT {
        return None;
    }
    // In 8-bit encodings, 0xBD is a half, and 0x96, 0x97 and 0xAD are dashes.
    let mut text = String::new();
    for chunk in value.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push(match byte {
                0xBD => '½',
                0x96 | 0x97 | 0xAD => '-',
                _ => return None,
            });
        }
    }
    let mut plain: String = text
        .chars()
        .filter(|character| !character.is_whitespace() && !matches!(character, '\u{200B}' | '\u{FEFF}'))
        .flat_map(char::to_lowercase)
        .map(|character| match character {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{AD}' | '\u{FE63}' | '\u{FF0D}' => '-',
            '\u{2236}' | '\u{FF1A}' => ':',
            '½' => 'h',
            '\u{2044}' | '\u{2215}' => '/',
            ',' => '.',
            other => other,
        })
        .collect();
    if !plain.is_ascii() && !plain.contains(['о', 'О']) {
        return None;
    }
    if !plain.contains(|character: char| character.is_ascii_alphabetic() && !matches!(character, 'o' | 'l' | 'i' | 'h' | 'f')) {
        plain = plain.replace(['o', 'о'], "0").replace(['l', 'i'], "1");
    }
    let plain = plain.replace("1/2", "h").replace("0.5", "h").replace(".5", "h");
    (plain.is_ascii() && plain.len() <= MAX_RESULT).then(|| plain.into_bytes())
}
