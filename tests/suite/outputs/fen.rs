//! `chess-audit fen`: output formats and exit codes.

use std::{error::Error, fs};

use assert_cmd::Command;
use serde_json::Value;

use crate::common::root;

type Outcome = Result<(), Box<dyn Error>>;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const WRONG_SIDE: &str = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1";

/// The exit code, and what was printed.
fn fen_of(input: &str, arguments: &[&str]) -> Result<(i32, String, String), Box<dyn Error>> {
    let output = Command::new(env!("CARGO_BIN_EXE_chess-audit")).arg("fen").args(arguments).write_stdin(input).output()?;
    let code = output.status.code().ok_or("killed")?;
    Ok((code, String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
}

fn fen(arguments: &[&str]) -> Result<(i32, String, String), Box<dyn Error>> {
    fen_of("", arguments)
}

#[test]
fn a_good_position_is_explained() -> Outcome {
    let (code, out, err) = fen(&[START])?;
    assert_eq!((code, err.as_str()), (0, ""));
    for line in [
        "  8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜",
        "     a  b  c  d  e  f  g  h",
        "Side to move     White",
        "Castling         White and Black on both sides",
        "En passant       none",
        "Halfmove clock   0 plies since the last capture or pawn move",
        "Fullmove number  move 1",
        "White            16 pieces, 39 points: king, queen, 2 rooks, 2 bishops, 2 knights and 8 pawns",
        "Material         equal",
        "State            20 legal moves",
        "No findings",
    ] {
        assert!(out.lines().any(|printed| printed == line), "{line}\n{out}");
    }
    assert!(!out.contains("problem") && !out.contains('\u{1b}'), "{out}");
    Ok(())
}

#[test]
fn a_bad_position_is_explained_letter_by_letter() -> Outcome {
    let (code, out, _) = fen(&["--ascii", WRONG_SIDE])?;
    assert_eq!(code, 1);
    let expected = "\
4k3/8/8/8/8/8/4R3/4K3 w - - 0 1

  8  .  .  .  . [k] .  .  .
  7  .  .  .  .  .  .  .  .
  6  .  .  .  .  .  .  .  .
  5  .  .  .  .  .  .  .  .
  4  .  .  .  .  .  .  .  .
  3  .  .  .  .  .  .  .  .
  2  .  .  .  . [R] .  .  .
  1  .  .  .  .  K  .  .  .
     a  b  c  d  e  f  g  h

    [ ] problem

Side to move     White
Castling         none
En passant       none
Halfmove clock   0 plies since the last capture or pawn move
Fullmove number  move 1
White            2 pieces, 5 points: king and rook
Black            1 piece, 0 points: king
Material         White is ahead by 5 points
State            not playable, see POS03

1 error

error POS03 opposite-check
  4k3/8/8/8/8/8/4R3/4K3 w - - 0 1
                        ^
  White is to move, but the black king on e8 is attacked by the rook on e2
  found     w
  expected  b (likely)
  fix       Correct the side to move. If it is right, correct the piece placement.

To learn more about a rule, run `chess-audit rules POS03`
";
    assert_eq!(out, expected);
    Ok(())
}

#[test]
fn fields_are_described() -> Outcome {
    for (position, line) in [
        (
            "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1",
            "State            Black is in check from the rook on e2; 4 legal moves; only White can checkmate",
        ),
        (
            "8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 b - - 0 1",
            "State            dead position: neither side can checkmate; 8 legal moves",
        ),
        ("8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 b - - 0 1", "State            8 legal moves"),
        ("6rk/5Npp/8/8/8/8/8/6K1 b - - 0 1", "State            checkmate: Black is checkmated by the knight on f7"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "State            stalemate: Black is not in check and has no legal move"),
        (
            "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
            "State            dead position: neither side has the material to checkmate; 5 legal moves",
        ),
        ("4k3/8/8/8/8/8/8/4K3", "State            unknown: the side to move is not known"),
        ("4k3/8/8/8/8/8/8/4K3", "Halfmove clock   not given"),
        ("8/8/8/8/8/8/8 w - - 0 1", "State            not playable: the piece placement is invalid"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "En passant       e3 (a capture is legal)"),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "En passant       e3 (no pawn attacks it)"),
        ("4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1", "En passant       e3 (not possible)"),
        ("4k3/8/8/8/8/8/8/4K2R w Kq - 0 1", "Castling         White kingside; `q` is not possible"),
        ("r3k1r1/8/8/8/8/8/8/4K2R w Kkq - 7 9", "Castling         White kingside, Black queenside and with the rook on g8"),
        ("r3k1r1/8/8/8/8/8/8/4K2R w Kkq - 7 9", "Halfmove clock   7 plies since the last capture or pawn move"),
        ("4k3/8/8/8/8/8/4P3/4K3 x - - 0 1", "Side to move     invalid: `x`"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd1; id \"a b\";", "Operations       bm Kd1; id \"a b\";"),
    ] {
        let (_, out, _) = fen(&[position])?;
        assert!(out.lines().any(|printed| printed == line), "{line}\n{out}");
    }
    Ok(())
}

#[test]
fn quotes_may_be_left_out() -> Outcome {
    let words: Vec<&str> = WRONG_SIDE.split(' ').collect();
    assert_eq!(fen(&words)?, fen(&[WRONG_SIDE])?);
    let (code, out, _) = fen(&["8/8/8/8/8/8/8/8", "w", "-", "-", "-1", "1", "--ascii"])?;
    assert!(code == 1 && out.contains("FEN08"), "{out}");
    Ok(())
}

#[test]
fn the_exit_code_follows_the_findings() -> Outcome {
    let hint = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(fen(&[hint])?.0, 0);
    assert_eq!(fen(&[hint, "--fail-on", "info"])?.0, 1);
    assert_eq!(fen(&[WRONG_SIDE, "--fail-on", "never"])?.0, 0);
    assert_eq!(fen_of(&format!("{WRONG_SIDE}\n{START}\n"), &["-"])?.0, 1);
    assert_eq!(fen_of(&format!("{START}\r\n"), &["-", "--fail-on", "info"])?.0, 0);
    assert_eq!(fen_of(&format!("{START} \r\n"), &["-", "--fail-on", "info"])?.0, 1);
    Ok(())
}

#[test]
fn an_error_is_one_line() -> Outcome {
    let endless = "x".repeat(2 << 20);
    for (input, arguments, expected) in [
        ("", ["--ascii"].as_slice(), "FEN"),
        ("", &[""], "no position given"),
        ("# nothing\n\n", &["-"], "standard input does not contain a position"),
        ("", &["--at", "i9", START], "a1 to h8"),
        ("", &["--at", "e2", "--json", START], "--json"),
        ("", &["--svg", "-", "--json", START], "cannot be used with"),
        ("", &["--svg", "-", "xx"], "cannot draw the board"),
        ("", &["--fail-on", "fatal", START], "never"),
        (&endless, &["-"], "line 1 is too long"),
    ] {
        let (code, out, err) = fen_of(input, arguments)?;
        assert_eq!((code, out.as_str(), err.lines().count()), (2, "", 1), "{arguments:?}: {err}");
        assert!(err.starts_with("error: ") && err.contains(expected), "{arguments:?}: {err}");
    }
    Ok(())
}

#[test]
fn single_squares_are_described() -> Outcome {
    let (code, out, _) = fen(&["--at", "E2", "--at", "e4,H8", START])?;
    assert_eq!((code, out.as_str()), (0, "e2: a white pawn\ne4: empty\nh8: a black rook\n"));
    let (code, out, _) = fen(&["--at", "e2", "xx"])?;
    assert_eq!((code, out.as_str()), (1, "e2: unknown, because the piece placement is invalid\n"));
    Ok(())
}

#[test]
fn lines_of_standard_input_are_explained_one_by_one() -> Outcome {
    let (code, out, err) = fen_of(&format!("# title\r\n{START}\r\n\n{WRONG_SIDE}"), &["-", "--ascii"])?;
    assert_eq!((code, err.as_str()), (1, ""));
    assert_eq!(out.lines().filter(|line| line.starts_with("State")).count(), 2);
    assert_eq!(out.lines().filter(|line| line.starts_with("-----")).count(), 1);
    let (_, out, _) = fen_of(&format!("{START}\n{WRONG_SIDE}\n"), &["-", "--json"])?;
    let objects = out.lines().map(serde_json::from_str::<Value>).collect::<Result<Vec<_>, _>>()?;
    assert_eq!(objects.iter().map(|object| object["text"].as_str()).collect::<Vec<_>>(), [Some(START), Some(WRONG_SIDE)]);
    Ok(())
}

#[test]
fn colors_are_for_those_who_want_them() -> Outcome {
    let (_, colored, _) = fen(&["--color", "always", WRONG_SIDE])?;
    assert!(colored.contains("\u{1b}[48;5;"), "squares have colors: {colored}");
    let plain = anstream::adapter::strip_str(&colored).to_string();
    assert!(plain.contains("[♚]"), "marks have brackets too: {plain}");
    Ok(())
}

#[test]
fn the_board_can_be_turned() -> Outcome {
    let (_, out, _) = fen(&["--flip", "--ascii", START])?;
    assert!(out.contains("\n  1  R  N  B  K  Q  B  N  R\n") && out.contains("\n     h  g  f  e  d  c  b  a\n"), "{out}");
    Ok(())
}

#[test]
fn the_board_is_drawn_as_svg() -> Outcome {
    let (code, drawn, _) = fen(&["--svg", "-", WRONG_SIDE])?;
    assert_eq!(code, 1);
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n") && drawn.contains("problem"), "{drawn}");
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("board.svg");
    let path = file.to_str().ok_or("a path that is no text")?;
    let (_, out, _) = fen(&["--svg", path, WRONG_SIDE])?;
    assert!(out.contains("POS03"), "the explanation is printed too: {out}");
    assert_eq!(fs::read_to_string(&file)?, drawn);
    let (code, _, err) = fen_of(&format!("{START}\n{START}\n"), &["-", "--svg", path])?;
    assert!(code == 2 && err.contains("line 2"), "{err}");
    Ok(())
}

/// The whole object, as src/report/README.md describes it.
#[test]
fn json_contains_everything() -> Outcome {
    let (code, out, _) = fen(&["--json", "4k3/8/8/8/3pP3/8/8/4K2R b Kk e3 0 30 id \"a\";"])?;
    assert_eq!(code, 1);
    let mut object: Value = serde_json::from_str(&out)?;
    for finding in object["findings"].as_array_mut().ok_or("no findings")? {
        assert!(finding["fix"].take().as_str().is_some_and(|fix| !fix.is_empty()));
    }
    assert_eq!(
        object,
        serde_json::json!({
            "text": "4k3/8/8/8/3pP3/8/8/4K2R b Kk e3 0 30 id \"a\";",
            "fields": {
                "placement": "4k3/8/8/8/3pP3/8/8/4K2R",
                "side_to_move": {"text": "b", "value": "black"},
                "castling": {"text": "Kk", "value": [{"color": "white", "king": "e1", "rook": "h1"}]},
                "en_passant": {"text": "e3", "square": "e3", "capture": "legal"},
                "halfmove_clock": {"text": "0", "value": 0},
                "fullmove_number": {"text": "30", "value": 30},
            },
            "board": {"d4": "p", "e1": "K", "e4": "P", "e8": "k", "h1": "R"},
            "operations": "id \"a\";",
            "pieces": {
                "white": {"total": 3, "kings": 1, "queens": 0, "rooks": 1, "bishops": 0, "knights": 0, "pawns": 1},
                "black": {"total": 2, "kings": 1, "queens": 0, "rooks": 0, "bishops": 0, "knights": 0, "pawns": 1},
            },
            "material": {"white": 6, "black": 1, "balance": 5},
            "state": {"checkers": [], "legal_moves": 7, "game_over": null, "only_winner": null},
            "findings": [
                {
                    "rule": "CAS02", "name": "rook-missing", "severity": "error", "byte": 27, "end_byte": 28,
                    "squares": ["e8", "h8"], "found": "Kk", "expected": "K", "repair": "likely", "fix": null,
                    "message": "Black's king on e8 has no rook for `k`",
                },
                {
                    "rule": "EPD01", "name": "fen-as-epd", "severity": "info", "byte": 32, "end_byte": 36,
                    "squares": [], "found": "0 30", "expected": null, "repair": "likely", "fix": null,
                    "message": "the counters `0 30` are fields, but EPD uses the operations `hmvc` and `fmvn`",
                },
            ],
        })
    );
    let guide = fs::read_to_string(root().join("src/report/README.md"))?;
    for part in [
        "",
        "/fields",
        "/fields/castling",
        "/fields/castling/value/0",
        "/fields/en_passant",
        "/material",
        "/state",
        "/findings/0",
    ] {
        for key in object.pointer(part).and_then(Value::as_object).ok_or(part)?.keys() {
            assert!(guide.contains(&format!("`{key}`")), "{part}/{key} is not explained");
        }
    }
    let (_, out, _) = fen(&["--json", START])?;
    let (_, won, _) = fen(&["--json", "8/8/8/8/8/4k3/7q/K7 w - - 0 1"])?;
    let only_winner = |text: &str| -> Result<Value, serde_json::Error> {
        Ok(serde_json::from_str::<Value>(text)?["state"]["only_winner"].take())
    };
    assert_eq!((only_winner(&out)?, only_winner(&won)?), (Value::Null, Value::from("black")));
    let (_, out, _) = fen(&["--json", "xx"])?;
    let object: Value = serde_json::from_str(&out)?;
    for key in ["board", "operations", "pieces", "material"] {
        assert_eq!(object[key], Value::Null, "{key}");
    }
    assert_eq!(object["fields"]["castling"], serde_json::json!({"text": null, "value": null}));
    Ok(())
}
