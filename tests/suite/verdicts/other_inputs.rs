//! Inputs that are not what they seem: games of other kinds, listings, tables of other shapes, and
//! names with letters that lost a bit.

use crate::common::{AuditResult, audit, everything};
use chess_audit::internals::{
    corpus::{Input, Source},
    rules::Certainty,
};

fn read(name: &str, text: &[u8]) -> AuditResult {
    audit(vec![Input { name: name.to_owned(), source: Source::Bytes(text.into()), format: None, scanned: false }], everything())
}

/// The findings: rule, severity, place, what was found and what is expected. Those that are
/// reported once per input are the last ones.
fn found(name: &str, text: impl AsRef<[u8]>) -> Vec<String> {
    let audited = read(name, text.as_ref());
    assert!(audited.failures.is_empty(), "{name}: {:?}", audited.failures);
    let findings = audited.findings.iter().map(|(_, finding)| finding);
    findings
        .map(|finding| {
            let (code, severity) = (finding.rule.code, finding.severity);
            format!("{code} {severity} {}:{} {} -> {}", finding.line, finding.column, finding.found, finding.what_is_expected())
        })
        .collect()
}

/// A game with the tags of the roster, these in place of or after them, and a movetext.
fn game(event: &str, more: &str, movetext: &str) -> String {
    format!(
        "[Event \"{event}\"]\n[Site \"?\"]\n[Date \"2001.01.01\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n{more}\n{movetext} *\n\n"
    )
}

#[test]
fn games_of_other_kinds_have_one_info() {
    const SHOGI: &str = "[Event \"?\"]\n[Date \"2025-11-17\"]\n[Black \"a\"]\n[Sente \"a\"]\n[White \"b\"]\n[Gote \"b\"]\n[Result \"0-1\"]\n\n\
                         7g7f {+0.54 9/12}\n8c8d {-0.30 10/13}\nB*7g {+0.54 9/17}\n3c3d\n0-1\n\n";
    const XIANGQI: &str = "[Game \"Chinese Chess\"]\n[Event \"Cup\"]\n[Red \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\
                           [FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\"]\n\n\
                           1. 兵七进一 象3进5\n2. 炮八平六 卒7进1\n1-0\n\n";
    let draughts = |tag: &str| {
        format!(
            "[Event \"WK\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"2-0\"]\n{tag}\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 2-0\n\n"
        )
    };
    for (text, expected) in [
        (SHOGI.to_owned(), "VAR01 info 4:2 Sente -> "),
        (SHOGI.replace("[Sente \"a\"]", "[Variant \"shogi\"]").replace("[Gote \"b\"]\n", ""), "VAR01 info 4:11 shogi -> "),
        (XIANGQI.to_owned(), "VAR01 info 1:8 Chinese Chess -> "),
        (XIANGQI.replace("[Game \"Chinese Chess\"]\n", ""), "VAR01 info 2:2 Red -> "),
        (draughts("[GameType \"20,W,10,10,N2,0\"]\n"), "VAR01 info 5:12 20,W,10,10,N2,0 -> "),
        (draughts(""), "VAR01 info 6:4 32-28 -> "),
    ] {
        assert_eq!(found("a.pgn", &text), [expected], "{text}");
        // Once per input.
        assert_eq!(found("a.pgn", text.repeat(3)), [expected], "{text}");
    }
    let chess = game("A", "[Game \"20\"]\n[GameType \"0\"]\n", "1. e4 e5");
    assert_eq!(found("a.pgn", &chess), [] as [&str; 0]);
    // A player called Red, and a game of chess next to one of another kind.
    let red = game("A", "[Red \"team\"]\n", "1. e4 e5 2. Ke3");
    assert_eq!(found("a.pgn", format!("{SHOGI}{red}")), ["MOV01 error 24:13 Ke3 -> Ke2", "VAR01 info 4:2 Sente -> "]);
    // SGF is refused.
    assert_eq!(read("a.pgn", b"(;GM[1]FF[4]SZ[19]\nPW[a]PB[b]\n;B[pd];W[dp];B[pq])\n").failures.len(), 1);
}

#[test]
fn wild_games_of_servers_are_replayed() {
    const FEN: &str = "[SetUp \"1\"]\n[FEN \"rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR w - - 0 1\"]\n";
    let with = |event: &str, fen: &str, moves: &str| {
        let findings = found("a.pgn", game(event, fen, moves));
        findings.iter().map(|finding| finding.split(' ').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    for event in ["ICC wild/11", "ICC uwild/11", "ICS rated wild/0 match", "wild/8a", "u wild/31"] {
        assert_eq!(with(event, FEN, "1. e4 e5"), ["VAR07"], "{event}");
        assert_eq!(with(event, FEN, "1. e5 e5"), ["MOV01", "VAR07"], "{event}");
    }
    // Pieces that no game can have.
    let many = FEN.replace("rbbqknnr", "qqqqkqqq");
    assert_eq!(with("ICC wild/19", &many, "1. e4 e5"), ["VAR07"]);
    let castling = FEN.replace("w - -", "w KQkq -");
    for event in ["wild/fr", "uwild/fr", "ICC wild/22", "ICC uwild/22"] {
        assert_eq!(with(event, &castling, "1. e4 e5"), [] as [&str; 0], "{event}");
    }
    // Other rules, two kings, and a king on the d-file that may castle in another way.
    assert_eq!(with("ICC wild/24", FEN, "1. e4 P@e5"), ["VAR01"]);
    assert_eq!(with("ICC wild/9", &FEN.replace("qk", "kk").replace("QK", "KK"), "1. e4 e5"), ["VAR01"]);
    assert_eq!(with("ICC wild/1", &castling.replace("qk", "kq").replace("QK", "KQ"), "1. e4 e5"), ["VAR01"]);
    assert_eq!(with("ICC wild/23", FEN, "1. e4 d5 2. exd5 e6 3. P@e4"), [] as [&str; 0]);
}

#[test]
fn letters_that_lost_a_bit_are_restored_and_never_deleted() {
    let named = |name: &[u8], other: &[u8]| {
        let text = game("A", "", "1. e4 e5").into_bytes();
        let with = |name: &[u8]| {
            let start =
                text.windows(3).position(|part| part == b"\"A\"").map(|_| text.windows(9).position(|part| part == b"[White \"A"));
            let at = start.flatten().expect("the tag is there") + 8;
            [&text[..at], name, &text[at + 1..]].concat()
        };
        let audited = read("a.pgn", &[with(name), with(other)].concat());
        let of_controls = audited.findings.iter().map(|(_, finding)| finding).filter(|finding| {
            finding.rule.code.to_string() == "ENC06"
                && finding.place.end - finding.place.start == 1
                && !finding.found.starts_with("\\x8")
        });
        of_controls
            .map(|finding| {
                let patches: Vec<Vec<u8>> = finding.patches().iter().map(|patch| patch.new.clone()).collect();
                (finding.expected.clone(), finding.certainty(), patches)
            })
            .collect::<Vec<_>>()
    };
    let restored = |letter: &str, byte: u8| vec![(letter.to_owned(), Some(Certainty::Likely), vec![vec![byte]])];
    let nothing = || vec![(String::new(), None, vec![])];
    assert_eq!(named(b"St\x06hlberg, Gideon", b"Gr\x81nfeld, Ernst"), restored("å", 0x86));
    assert_eq!(named(b"Ekstr\x14m, Folke", b"Gr\x81nfeld, Ernst"), restored("ö", 0x94));
    assert_eq!(named(b"\x19sterberg", b"Gr\x81nfeld, Ernst"), restored("Ö", 0x99));
    // `ƒ` is not a letter of a name, and a capital letter does not end a word.
    assert_eq!(named(b"Benk\x1f P", b"Gr\x81nfeld, Ernst"), nothing());
    assert_eq!(named(b"Benk\x19 P", b"Gr\x81nfeld, Ernst"), nothing());
    // The code page is not known.
    assert_eq!(named(b"St\x06hlberg, Gideon", b"Adams, Michael"), nothing());
    assert_eq!(named(b"St\x06hlberg, Gideon", b"Gr\xFCnfeld, Ernst"), nothing());
    assert_eq!(named(b"St\x06hlberg, Gideon", "Grünfeld, Ernst".as_bytes()), nothing());
    // What is not part of a word is removed.
    assert_eq!(named(b"Adams \x07, Michael", b"Short, Nigel"), [(String::new(), Some(Certainty::Likely), vec![vec![]])]);
}

#[test]
fn columns_of_tables_that_are_named_like_tags_are_tags() {
    let table = "Event,White,ply_count,result,Time Control,Moves\n\
                 Live,dora,3,1-0,600,1. e4 {[%clk 0:09:59]} d5 {[%clk 0:09:58]} 2. exd5 {[%clk 0:09:57]} 1-0\n\
                 Live,dora,3,0-1,600,1. e4 {[%clk 0:09:59]} e5 {[%clk 0:09:58]} 2. Nf3 {[%clk 0:09:57]} 1-0\n\
                 Live,dora,2,white,600,1. e4 {[%clk 0:09:59]} e5 {[%clk 0:09:58]} 2. Nf3 {[%clk 0:19:57]}\n\
                 Live,dora,4,1-0,600,1. f3 e5 2. g4 Qh4#\n\
                 Live,dora,4,1-0,600,\"1. f3 {\"\"so\"\"} e5 2. g4 Qh4#\"\n";
    let found = found("a.csv", table);
    for expected in ["RES04 warning 3:", "TAG17 warning 4:11 2 -> 3", "CLK02 ", "RES05 error 5:13 1-0 -> 0-1", "RES05 error 6:"] {
        assert!(found.iter().any(|found| found.starts_with(expected)), "{expected}: {found:?}");
    }
    assert_eq!(found.len(), 5, "{found:?}");
}

#[test]
fn an_unknown_name_among_variants_is_reported() {
    let rows =
        |name: &str, other: &str| format!("id,variant,moves\n1,{other},1. e4 e5\n2,{name},1. Zz9 e5\n3,{other},1. d4 d5\n");
    assert_eq!(found("a.csv", rows("Foochess", "standard")), ["VAR01 warning 3:3 Foochess -> "]);
    // Variations of openings.
    assert_eq!(found("a.csv", rows("Najdorf", "Dragon").replace("Zz9", "d4")), [] as [&str; 0]);
}

#[test]
fn fields_of_positions_may_be_in_columns_of_their_own() {
    let rows = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR,w,KQkq,-,0,1,20\n\
                rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR,b,KQkq,-,0,1,25\n\
                rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR,w,KQkq,d7,0,2,40\n";
    let expected = |line: usize| vec![format!("FEN07 error {line}:56 d7 -> ")];
    assert_eq!(found("a.csv", format!("board,turn,castling,ep,halfmove,fullmove,eval\n{rows}")), expected(4));
    assert_eq!(found("a.csv", rows), expected(3));
    assert_eq!(found("a.tsv", format!("fen,turn,castling,ep,half,full,eval\n{rows}").replace(',', "\t")), expected(4));
    let four = "placement,side,rights,ep,label\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR,b,KQkq,,x\n\
                rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR,w,KQkX,-,x\n\
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR,w,KQkq,-,x\n";
    assert_eq!(found("a.csv", four), ["FEN06 error 3:49 KQkX -> "]);
}

#[test]
fn rows_with_commas_in_names_have_their_moves_at_the_end() {
    let table = "ECO, Opening, Variation, Moves\nA00, Polish, 1. b4\nA00, Polish, Tuebingen, 1. b4 Nh6\n\
                 C41, Philidor, Nimzovich, Klein, 1. e4 e5 2. Nf3 d6 3. d4 Nf6 4. g5\nC50, Giuoco, 1. e4 e5 2. Nf3 Nc6\n";
    assert_eq!(found("a.csv", table), ["MOV01 error 4:66 g5 -> ", "SYN19 warning 2:1  -> "]);
    assert_eq!(read("a.csv", table.as_bytes()).inputs[0].counts.games, 4);
    let list = "0, rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1, e2e4 e7e5\n";
    assert_eq!(found("a.txt", list), [] as [&str; 0]);
    assert_eq!(found("a.txt", list.replace("e7e5", "e7e4")).len(), 1);
}

#[test]
fn a_comment_may_give_the_move_that_was_meant() {
    for (moves, expected) in [
        ("1. e4 e5 2. Nf3 Qh5 {2...Qh4}", "Qh4"),
        ("1. e4 e5 2. Ke3 { 2. Nf3 } 2... Nc6", "Nf3"),
        // Another ply, and a judgement.
        ("1. e4 e5 2. Ke3 {3. Nf3} 2... Nc6", "Ke2"),
        ("1. e4 e5 2. Ke3 {2. Nf3 was better} 2... Nc6", "Ke2"),
        ("1. e4 e5 2. Ke3 {2. Nf6} 2... Nc6", "Ke2"),
    ] {
        let found = found("a.pgn", game("A", "", moves));
        assert!(found.len() == 1 && found[0].ends_with(&format!(" -> {expected}")), "{moves}: {found:?}");
    }
}
