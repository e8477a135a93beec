//! What other programs' test suites say about their broken files, and the defects known in real
//! ones: each is reported at its place or better, or is here with the reason why it is judged
//! differently.

use std::{fs, path::Path};

use crate::common::{AuditResult, audit, corpora, everything};
use chess_audit::internals::{
    corpus::{Input, Source},
    rules::{Finding, Severity},
    text::Format,
};

/// How a row is judged that is not to be found by its place alone.
#[derive(Clone, Copy, Debug)]
enum Judged {
    /// This rule reports it, in this line.
    By(&'static str, u64),
    /// It is no defect, or one of another kind: why.
    Differently(&'static str),
}
use Judged::{By, Differently};

/// Rows by their path, or `path#item`.
const JUDGED: &[(&str, Judged)] = &[
    ("syntactic-error-1/database.pgn#game 1", Differently("Pe4 means one legal move: MOV21, once per input")),
    ("syntactic-error-1/database.pgn#game 7", Differently("Pe4 means one legal move: MOV21, once per input")),
    ("syntactic-error-1/database.pgn#game 9", Differently("Pe5 means one legal move: MOV21, once per input")),
    ("syntactic-error-1/database.pgn#game 10", Differently("Pe4 means one legal move: MOV21, once per input")),
    ("syntactic-error-1/database.pgn#game 17", By("SYN02", 103)),
    ("pgns/black2move.pgn", Differently("0-0-0 is illegal from the FEN tag: a queen stands in the way (MOV02)")),
    ("pgns/corrupted.pgn", Differently("the text ends inside the token Kx (SYN14)")),
    (
        "pgns/no_moves_but_comment_followed_by_termination_marker.pgn",
        Differently("SetUp \"1\" stands without the FEN tag that it announces (TAG18)"),
    ),
    ("pgns/backslash_header.pgn", By("SYN02", 1)),
    ("pgns/unescaped_quote_header.pgn", By("SYN03", 1)),
    ("break_pgn_0_8_1_c.pgn", By("MOV17", 39)),
    ("twic9nn_error.pgn", By("RES02", 14)),
    ("calgames_04.pgn", By("MOV17", 17)),
    ("calgames_06.pgn", By("SYN03", 1)),
    ("Little_01.pgn", By("SYN10", 4)),
    ("Little_02.pgn", By("SYN10", 4)),
    ("calgames_08.pgn", Differently("-- is a null move, which is usual in variations (MOV07)")),
    ("calgames_09.pgn", Differently("-- is a null move, which is usual in variations (MOV07)")),
    ("crafty06_02.pgn", By("SYN01", 1)),
    ("crafty06_03.pgn", By("SYN01", 1)),
    ("calgames_10.pgn", By("MOV17", 16)),
    ("calgames_11.pgn", By("MOV17", 36)),
];

fn audit_file(file: &Path) -> AuditResult {
    // Some of the files contain no chess at all, and are read all the same.
    let format = file.extension().is_some_and(|extension| extension == "pgn").then_some(Format::Pgn);
    let input = Input { name: "input".to_owned(), source: Source::File(file.to_owned()), format, scanned: false };
    audit(vec![input], everything())
}

/// The number behind `word` in `text`.
fn number(text: &str, word: &str) -> Option<u64> {
    text.split(word).nth(1)?.trim().split(' ').next()?.parse().ok()
}

#[test]
fn what_other_suites_state_is_reported_where_they_say() {
    let Some(corpora) = corpora() else { return };
    let table = fs::read_to_string(corpora.join("bad/EXPECTATIONS.tsv")).expect("the table can be read");
    let mut wrong = Vec::new();
    let mut rows = 0;
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let &[path, item, position, expected, ..] = cells.as_slice() else { panic!("a row of five cells: {row}") };
        rows += 1;
        let key = format!("{path}#{item}");
        let judged = JUDGED.iter().find(|(name, _)| path.ends_with(name) || key.ends_with(name)).map(|(_, judged)| *judged);
        if let Some(Differently(why)) = judged {
            assert!(!why.is_empty());
            continue;
        }
        let audit_result = audit_file(&corpora.join(path));
        let findings: Vec<&Finding> = audit_result.findings.iter().map(|(_, finding)| finding).collect();
        let fine = match judged {
            Some(By(code, line)) => findings.iter().any(|finding| finding.rule.code.to_string() == code && finding.line == line),
            _ if expected.starts_with("no error expected") => findings.iter().all(|finding| finding.severity < Severity::Error),
            _ => {
                let (place, line) = (number(position, "char "), number(position, "line "));
                findings.iter().any(|finding| {
                    let holds = place.is_some_and(|place| {
                        let place = place as usize;
                        finding.place.start <= place && place <= finding.place.end
                    });
                    finding.severity >= Severity::Warning && (holds || Some(finding.line) == line)
                })
            }
        };
        if !fine {
            wrong.push(format!("{row}\n  {:#?}", audit_result.lines()));
        }
    }
    assert!(rows >= 80, "{rows} rows");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn known_defects_of_real_files_are_found() {
    let Some(corpora) = corpora() else { return };
    let counted = |finding: &Finding, count: &str| finding.message.contains(count);
    let found = |file: &str, check: &dyn Fn(&Finding) -> bool| {
        let audit_result = audit_file(&corpora.join("pgn").join(file));
        assert!(audit_result.findings.iter().any(|(_, finding)| check(finding)), "{file}: the known defect is not found");
    };
    let is = |finding: &Finding, code: &str| finding.rule.code.to_string() == code;
    found("chessdb_scarborough_2001.pgn", &|finding| is(finding, "SYN11") && finding.found == "R8xg20-1");
    found("chessdb_newyork1924.pgn", &|finding| is(finding, "SYN03") && finding.line == 9);
    found("gnuchess_book_1.02.pgn", &|finding| is(finding, "ENC06") && finding.line == 75_608);
    found("chesslib_cup.pgn", &|finding| is(finding, "TAG17") && finding.found == "0" && counted(finding, "times in this input"));
    found("chesslib_redqueen.pgn", &|finding| is(finding, "MOV11") && counted(finding, "times in this input"));
    found("chessdb_hayes.pgn", &|finding| is(finding, "SYN08") || is(finding, "SYN07"));
    found("chessdb_ambiguous.pgn", &|finding| is(finding, "MOV03") && finding.found == "Rd1");
    found("lichess_broadcast_FWWRC.pgn", &|finding| is(finding, "RES01") && counted(finding, "605 times"));
}
