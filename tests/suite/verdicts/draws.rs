//! Draws that need no claim, and claims: what is counted, and from when on.

use chess_audit::internals::{
    pipeline::Settings,
    rules::{Profile, Selection},
    text::Format,
};

use crate::common::{audit, everything, input};

/// Rooks of both sides go round on their ranks. Positions occur again after 70 plies.
const ROOKS: &str = "7k/8/r7/8/8/R7/8/7K w - -";

/// A game of `plies` plies from [`ROOKS`] with these counters and more tags.
fn game(counters: (u32, usize), plies: usize, tags: &str, result: &str) -> String {
    let moves = (0..plies).map(|ply| {
        let (round, number) = (ply / 2 + 1, counters.1 + ply / 2);
        let files = if ply % 2 == 0 { ("abcdefg", 7, 3) } else { ("abcde", 5, 6) };
        let file = &files.0[round % files.1..=round % files.1];
        format!("{}R{file}{} ", if ply % 2 == 0 { format!("{number}. ") } else { String::new() }, files.2)
    });
    let (clock, number) = counters;
    format!(
        "[Event \"Open\"]\n[Site \"Oslo\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"Raines, Tom\"]\n[Black \"Stark, Lee\"]\n\
         [Result \"{result}\"]\n[SetUp \"1\"]\n[FEN \"{ROOKS} {clock} {number}\"]\n{tags}\n{}{result}\n\n",
        moves.collect::<String>()
    )
}

/// The findings of RES16 and RES17 in games: severity and code. Both paths find the same warnings.
fn found(games: &str) -> Vec<String> {
    let with = |settings: Settings| {
        let audited = audit(vec![input(games.as_bytes(), Format::Pgn)], settings);
        let findings = audited.findings.iter().map(|(_, finding)| format!("{} {}", finding.severity, finding.rule.code));
        findings.filter(|finding| finding.ends_with("RES16") || finding.ends_with("RES17")).collect::<Vec<_>>()
    };
    let all = with(everything());
    let standard = with(Settings { selection: Selection::of(Profile::Standard), ..everything() });
    assert_eq!(standard, all.iter().filter(|finding| !finding.starts_with("info")).cloned().collect::<Vec<_>>(), "{games}");
    all
}

#[test]
fn seventy_five_moves_end_a_game() {
    let error = ["error RES16"];
    assert_eq!(found(&game((0, 90), 149, "", "1-0")), [""; 0]);
    assert_eq!(found(&game((0, 90), 150, "", "1-0")), error);
    assert_eq!(found(&game((0, 90), 150, "", "0-1")), error);
    assert_eq!(found(&game((0, 90), 150, "", "1/2-1/2")), [""; 0]);
    assert_eq!(found(&game((0, 90), 151, "", "1-0")), [""; 0], "RES10");
    assert_eq!(found(&game((0, 1), 150, "", "1-0")), error, "a placeholder counts nothing");
    for (tags, reported) in [
        ("[WhiteFideId \"1503014\"]\n", "error RES16"),
        ("[Mode \"ICS\"]\n", "warning RES16"),
        ("[WhiteType \"program\"]\n", "warning RES16"),
        ("[Termination \"time forfeit\"]\n", "warning RES16"),
        ("[Termination \"normal\"]\n", "error RES16"),
    ] {
        assert_eq!(found(&game((0, 90), 150, tags, "1-0")), [reported], "{tags}");
    }
    let server = game((0, 90), 150, "", "1-0").replace("Oslo", "FICS freechess.org");
    assert_eq!(found(&server), ["warning RES16"]);
    let dated = |date: &str| found(&game((0, 90), 150, "", "1-0").replace("2020.01.01", date));
    assert_eq!((dated("2014.07.01"), dated("2014.06.30"), dated("????.??.??")), (vec![error[0].to_owned()], vec![], vec![]));
}

#[test]
fn the_clock_of_a_fen_tag_counts_unless_it_is_a_placeholder() {
    assert_eq!(found(&game((40, 90), 109, "", "1-0")), [""; 0]);
    assert_eq!(found(&game((40, 90), 110, "", "1-0")), ["error RES16"]);
    let many = |count: usize| (0..count).map(|n| game((40, 90 + n), 110, "", "1-0")).collect::<String>();
    assert_eq!((found(&many(19)).len(), found(&many(20)).len()), (19, 0));
}

#[test]
fn checkmate_takes_precedence() {
    let game = |moves: &str| game((148, 200), 0, "", "1-0").replace(ROOKS, "k7/8/1K6/8/8/8/7R/8 b - -").replace("\n\n1-0", moves);
    assert_eq!(found(&game("\n\n200... Kb8 201. Rh8# 1-0")), [""; 0]);
    assert_eq!(found(&game("\n\n200... Kb8 201. Rh7 1-0")), ["error RES16"]);
}

#[test]
fn fifty_moves_are_counted() {
    let claimed = |counters, plies| found(&game(counters, plies, "[Termination \"50-move rule\"]\n", "1/2-1/2"));
    assert_eq!(claimed((0, 1), 98), [""; 0], "a placeholder");
    assert_eq!(claimed((0, 90), 98), ["warning RES17"]);
    assert_eq!(claimed((0, 90), 99), [""; 0], "Black may have written down one more move");
    assert_eq!(claimed((60, 90), 38), ["warning RES17"]);
    assert_eq!(claimed((60, 90), 39), [""; 0]);
    assert_eq!(found(&game((0, 90), 98, "[Termination \"50-move rule\"]\n", "1-0")), [""; 0], "a win");
    let threefold = |plies| found(&game((0, 90), plies, "[TerminationDetails \"3-fold repetition\"]\n", "1/2-1/2"));
    assert_eq!((threefold(60), threefold(140)), (vec!["warning RES17".to_owned()], vec![]));
}
