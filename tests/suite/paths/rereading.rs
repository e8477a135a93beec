//! A movetext that is read again leaves nothing behind: a game in another notation, or with a FEN
//! tag that is not its start, has the same findings as the game itself, apart from those about the
//! notation and the tag.

use chess_audit::internals::{
    chess::WrittenSan,
    pgn::{Lexer, Token},
    rules::{Code, Finding, RULES},
    text::Format,
};

use crate::common::{Numbers, audit_text, games};

/// The text with its moves in German notation: K, D, T, L, S for K, Q, R, B, N. No byte changes its
/// place.
fn in_german(text: &[u8]) -> Vec<u8> {
    let mut german = text.to_vec();
    let mut lexer = Lexer::new(text, 0);
    loop {
        match lexer.next() {
            Token::End => return german,
            Token::Word if WrittenSan::read(lexer.token()).is_some() => {
                for byte in &mut german[lexer.start..lexer.at] {
                    *byte = match *byte {
                        b'Q' => b'D',
                        b'R' => b'T',
                        b'B' => b'L',
                        b'N' => b'S',
                        other => other,
                    };
                }
            }
            // The lexer stops at tag pairs.
            Token::TagPair | Token::UnclosedComment => lexer.at = text.len().min(line_end(text, lexer.at) + 1),
            _ => {}
        }
    }
}

/// Where the line that holds `at` ends, or the text.
fn line_end(text: &[u8], at: usize) -> usize {
    text[at.min(text.len())..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |length| at + length)
}

/// The text with a FEN tag after its tag pairs, from which the game does not begin, and how many
/// bytes that adds.
fn with_wrong_fen(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    const TAGS: &[u8] = b"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n";
    let end = memchr::memmem::find(text, b"\"]\n\n")? + 3;
    let is_fen = memchr::memmem::find(&text[..end], b"[FEN ").is_some();
    (!is_fen).then(|| ([&text[..end], TAGS, &text[end..]].concat(), TAGS.len()))
}

/// What a finding says and where, apart from the spelling of moves.
fn place(finding: &Finding, shift: usize) -> String {
    let (start, end) = (finding.place.start, finding.place.end);
    format!(
        "{} {} {}..{} ply {:?} variation {:?} repair {:?}",
        finding.rule.code,
        finding.severity,
        start.saturating_sub(shift),
        end.saturating_sub(shift),
        finding.ply,
        finding.variation,
        finding.repair.is_some()
    )
}

fn places(text: &[u8], without: &[Code], shift_after: usize, shift: usize) -> (Vec<String>, bool) {
    let findings = audit_text(text, Format::Pgn).findings;
    let is_left_out = |finding: &Finding| without.contains(&finding.rule.code);
    let left_out = findings.iter().any(|(_, finding)| is_left_out(finding));
    let moved = |finding: &Finding| if finding.place.start >= shift_after { shift } else { 0 };
    let kept = findings.iter().filter(|(_, finding)| !is_left_out(finding));
    let mut places: Vec<String> = kept.map(|(_, finding)| place(finding, moved(finding))).collect();
    places.sort();
    (places, left_out)
}

fn code(code: &str) -> Code {
    code.parse().expect("a code")
}

/// Compares the findings of a game with those of the game in German. Whether it was read again.
fn compare_german(text: &[u8]) -> bool {
    let notation = [code("MOV22")];
    let (german, read_again) = places(&in_german(text), &notation, 0, 0);
    if read_again {
        let (english, _) = places(text, &notation, 0, 0);
        assert_eq!(german, english, "{}", String::from_utf8_lossy(text));
    }
    read_again
}

/// Compares the findings of a game with those of the game with a wrong FEN tag. Whether it was read
/// again.
fn compare_wrong_fen(text: &[u8]) -> bool {
    let Some((wrong, shift)) = with_wrong_fen(text) else { return false };
    let start = memchr::memmem::find(&wrong, b"[SetUp").unwrap_or_default();
    let fen_not_start = [code("TAG19")];
    let (from_fen, read_again) = places(&wrong, &fen_not_start, start, shift);
    if read_again {
        let (own, _) = places(text, &fen_not_start, 0, 0);
        assert_eq!(from_fen, own, "{}", String::from_utf8_lossy(&wrong));
    }
    read_again
}

fn samples() -> impl Iterator<Item = Vec<u8>> {
    let samples = RULES.iter().flat_map(|rule| rule.fires.iter().chain(rule.silent));
    samples.filter(|sample| sample.is_pgn()).map(|sample| sample.input().0)
}

#[test]
fn samples_have_the_same_findings_in_german() {
    let read_again = samples().filter(|text| compare_german(text)).count();
    assert!(read_again >= 25, "{read_again} samples are read again");
}

#[test]
fn samples_have_the_same_findings_after_a_wrong_fen() {
    let read_again = samples().filter(|text| compare_wrong_fen(text)).count();
    assert!(read_again >= 40, "{read_again} samples are read again");
}

/// A generated game with clocks, evaluations, NAGs, variations and slips in them.
fn annotated(number: usize) -> Option<String> {
    let game = games::game(number);
    if game.fen.is_some() || game.sans.len() < 8 {
        return None;
    }
    let mut numbers = Numbers::new(number as u64 + 77);
    let mut text = format!(
        "[Event \"Annotated {number}\"]\n[Site \"?\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n\
         [Result \"{}\"]\n[TimeControl \"180+2\"]\n\n",
        game.result
    );
    let mut clocks = [180_i64, 180];
    for (index, san) in game.sans.iter().enumerate() {
        let side = index % 2;
        let slip = numbers.below(60);
        match (side, slip) {
            (0, 0) => text.push_str(&format!("{}.", index / 2 + 1)),
            (0, 1) => text.push_str(&format!("{}. ", index / 2 + 2)),
            (0, _) => text.push_str(&format!("{}. ", index / 2 + 1)),
            (_, 2) => text.push_str(&format!("{}... ", index / 2 + 1)),
            _ => {}
        }
        text.push_str(san);
        clocks[side] += 2 - numbers.below(9) as i64;
        if slip == 3 {
            clocks[side] += 40;
        }
        let clock = clocks[side].max(0);
        let seconds = clock % 60;
        text.push_str(&format!(" {{[%clk 0:{:02}:{seconds:02}]}} ", clock / 60));
        match slip {
            4 => text.push_str("$1 $2 "),
            5 => text.push_str("{[%eval 0.3x]} "),
            6 => text.push_str(&format!("({}{san}) ", if side == 0 { format!("{}. ", index / 2 + 1) } else { String::new() })),
            7 => text.push_str("{[%emt 0:10:00]} "),
            _ => {}
        }
    }
    text.push_str(game.result);
    text.push('\n');
    Some(text)
}

#[test]
fn annotated_games_have_the_same_findings_when_they_are_read_again() {
    let (mut german, mut wrong_fen, mut total) = (0, 0, 0);
    for text in (0..).filter_map(annotated).take(1000) {
        total += 1;
        german += usize::from(compare_german(text.as_bytes()));
        wrong_fen += usize::from(compare_wrong_fen(text.as_bytes()));
    }
    assert_eq!(total, 1000);
    assert!(german >= 900, "{german} of 1000 games are read again in German");
    assert!(wrong_fen >= 900, "{wrong_fen} of 1000 games are read again from the starting position");
}
