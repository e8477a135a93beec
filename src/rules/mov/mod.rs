//! Moves as written.

pub(crate) mod ambiguous_move;
pub(crate) mod capture_mark_false;
pub(crate) mod capture_mark_missing;
pub(crate) mod castling_letters;
pub(crate) mod check_mark_false;
pub(crate) mod check_mark_missing;
pub(crate) mod dgt_king_signal;
pub(crate) mod disambiguation_form;
pub(crate) mod ep_suffix;
pub(crate) mod foreign_letters;
pub(crate) mod illegal_castling;
pub(crate) mod illegal_in_variation;
pub(crate) mod illegal_move;
pub(crate) mod long_or_uci;
pub(crate) mod lowercase_piece;
pub(crate) mod mate_mark_false;
pub(crate) mod mate_mark_missing;
pub(crate) mod missing_or_extra_ply;
pub(crate) mod move_after_end;
pub(crate) mod null_move;
pub(crate) mod promotion_form;
pub(crate) mod promotion_impossible;
pub(crate) mod promotion_missing;
pub(crate) mod repair_hint;
pub(crate) mod suffix_form;
mod variant_moves;

family! {
    illegal_move, illegal_castling, ambiguous_move, promotion_missing, promotion_impossible,
    move_after_end, null_move, illegal_in_variation, missing_or_extra_ply, repair_hint,
    check_mark_missing, check_mark_false, mate_mark_missing, mate_mark_false, capture_mark_missing,
    capture_mark_false, disambiguation_form, castling_letters, promotion_form, ep_suffix,
    long_or_uci, foreign_letters, lowercase_piece, suffix_form, dgt_king_signal,
}

use shakmaty::{Bitboard, Move, Position, Square};

pub use variant_moves::{played_in_variant, refused_in_variant};

use super::{
    Certainty, Code, Finding, Findings, Patch, Rule, Severity,
    facts::{PlyFacts, Unplayable},
    shown,
};
use crate::chess::{Arrow, CheckMark, IllegalMove, Quirks, WrittenMove, WrittenSan, resolve, role_name, san_of};

/// The code of the rule about null moves.
const NULL_MOVE: Code = code!("MOV07");

/// Reports that the spelling of a move breaks `rule`, and repairs the whole spelling.
fn misspelled<'f>(rule: &'static Rule, facts: &PlyFacts<'_>, findings: &'f mut Findings) -> &'f mut Finding {
    let token = facts.place.of(facts.text);
    let canonical = facts.canonical();
    let (marks, are_usual) = annotation(token);
    let certainty = if are_usual && !is_doubtful(facts) { Certainty::Certain } else { Certainty::Likely };
    let finding = findings.add(rule, facts.place);
    finding
        .found(shown(token))
        .repair(certainty, Patch::replace(facts.text, facts.place, format!("{canonical}{marks}")))
        .expected(canonical)
        .written(facts.played().and_then(Arrow::of));
    finding
}

/// Whether a part of the spelling contradicts the move, so that another one may be meant: a false
/// mark, a capture of nothing, or a `b` that may be a file.
fn is_doubtful(facts: &PlyFacts<'_>) -> bool {
    let Some(played) = facts.played() else { return true };
    let written = facts.written;
    let is_false_mark = match written.mark {
        CheckMark::None => false,
        CheckMark::Mate => !facts.mates(),
        CheckMark::Check | CheckMark::Double => facts.checkers().is_empty(),
    };
    let is_false_suffix = written.quirks.has(Quirks::EN_PASSANT_SUFFIX) && !played.is_en_passant();
    let may_be_file = written.quirks.has(Quirks::LOWERCASE_PIECE) && facts.place.of(facts.text).first() == Some(&b'b');
    // `Bb5 +Nc6`: the mark is there, at another place.
    let rest = facts.text.get(facts.place.end..).unwrap_or_default();
    let has_mark_later = rest.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|byte| matches!(byte, b'+' | b'#'));
    is_false_mark || is_false_suffix || may_be_file || has_mark_later || (written.capture && !played.is_capture())
}

/// The marks `!` and `?` at the end of a move as SAN has them, and whether they are written so.
fn annotation(token: &[u8]) -> (&'static str, bool) {
    let marks = &token[token.iter().rposition(|byte| !matches!(byte, b'!' | b'?')).map_or(0, |last| last + 1)..];
    let usual = ["", "!", "?", "!!", "!?", "?!", "??"].into_iter().find(|usual| usual.as_bytes() == marks);
    match usual {
        Some(usual) => (usual, true),
        None if marks.iter().all(|mark| *mark == b'!') => ("!!", false),
        None if marks.iter().all(|mark| *mark == b'?') => ("??", false),
        None => ("", false),
    }
}

/// Reports that a move cannot be played. `message` gets the move as written and the reason.
///
/// After a null move the position of the game is uncertain: the finding is one severity lower.
fn refused<'f>(
    rule: &'static Rule,
    facts: &Unplayable<'_>,
    findings: &'f mut Findings,
    message: impl Fn(&str, &IllegalMove) -> String,
) -> &'f mut Finding {
    let token = shown(facts.place.of(facts.text));
    let message = message(&token, facts.reason);
    let finding = findings.add(rule, facts.place);
    let after_null_move = facts.history.line.iter().any(Option::is_none);
    if !after_null_move {
        finding.message(message);
    } else if facts.in_variation {
        finding.severity(Severity::Info).message(format!("{message}; it follows a null move"));
    } else {
        finding
            .severity(Severity::Warning)
            .message(format!("{message}; because of an earlier null move the position is uncertain"));
        finding.cause = Some(NULL_MOVE);
    }
    finding.found(token).squares(squares_at_fault(facts)).written(Arrow::of_written(facts.before, facts.written))
}

/// The squares that the reason names, otherwise the target square.
fn squares_at_fault(facts: &Unplayable<'_>) -> Bitboard {
    let named = facts.reason.squares();
    match facts.written.what {
        WrittenMove::Normal { to, .. } | WrittenMove::Coordinates { to, .. } | WrittenMove::Drop { to, .. }
            if named.is_empty() =>
        {
            to.into()
        }
        _ => named,
    }
}

/// Draws `moves` as the repair, unless they are the arrows of the move as written.
fn suggest(finding: &mut Finding, moves: impl IntoIterator<Item = Move>) {
    let arrows: Vec<Arrow> = moves.into_iter().filter_map(Arrow::of).collect();
    if arrows != finding.marks.written {
        finding.repaired(arrows);
    }
}

/// The legal move that `what` means in the position of the move that cannot be played.
fn legal_move(facts: &Unplayable<'_>, what: WrittenMove) -> Option<Move> {
    let written = WrittenSan { what, capture: false, mark: CheckMark::None, quirks: Quirks::NONE };
    Some(resolve(facts.before, facts.before.checkers(), &written)?.played)
}

/// The canonical spelling of a legal move in the position of the move that cannot be played.
fn canonical_of(facts: &Unplayable<'_>, played: Move) -> String {
    san_of(facts.before, played)
}

/// The king that is in check after the move.
fn checked_king(facts: &PlyFacts<'_>) -> Bitboard {
    facts.after.board().king_of(facts.after.turn()).map_or(Bitboard::EMPTY, Bitboard::from)
}

/// The square where the moved piece ends up; castling has two.
fn target(played: Move) -> Bitboard {
    if played.is_castle() { Bitboard::EMPTY } else { played.to().into() }
}

/// The square of the piece that a capture removes.
fn captured_square(capture: Move) -> Square {
    match capture {
        Move::EnPassant { from, to } => Square::from_coords(to.file(), from.rank()),
        other => other.to(),
    }
}

/// The piece that moved and its square: `the queen on h5`; or `castling`.
fn mover(played: Move) -> String {
    match played {
        Move::Castle { .. } => "castling".to_owned(),
        other => format!("the {} on {}", role_name(other.promotion().unwrap_or(other.role())), other.to()),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, fen::Fen, san::SanPlus};

    use super::*;
    use crate::{
        chess::{History, explain_illegal_move},
        pgn::{Lexer, Token},
        rules::{Check, Family, RULES, Sample, Yield},
        text::Span,
    };

    /// A line while it is replayed.
    #[derive(Clone)]
    struct Line {
        chess: Chess,
        plies: Vec<Option<Move>>,
        before_last: Option<Box<Line>>,
        /// Whether a move of the line could not be played; the rest is then skipped.
        broken: bool,
    }

    impl Line {
        fn play(&mut self, played: Option<Move>) {
            self.before_last = Some(Box::new(Line { before_last: None, ..self.clone() }));
            self.chess = after(&self.chess, played);
            self.plies.push(played);
        }
    }

    fn after(chess: &Chess, played: Option<Move>) -> Chess {
        match played {
            Some(played) => chess.clone().play(played).expect("a legal move"),
            None => {
                let mut setup = chess.to_setup(EnPassantMode::Legal);
                if setup.turn.is_black() {
                    setup.fullmoves = setup.fullmoves.saturating_add(1);
                }
                setup.swap_turn();
                setup.ep_square = None;
                Chess::from_setup(setup, CastlingMode::Standard).unwrap_or_else(|_| chess.clone())
            }
        }
    }

    /// What the rules of this family report about one move, without those that yield.
    fn judge(
        text: &[u8],
        place: Span,
        line: &Line,
        written: &WrittenSan,
        in_variation: bool,
    ) -> (Option<Option<Move>>, Vec<Finding>) {
        let resolved = resolve(&line.chess, line.chess.checkers(), written);
        let plays = resolved.is_some() || written.what == WrittenMove::Null;
        let next = after(&line.chess, resolved.map(|resolved| resolved.played));
        let start = Chess::default();
        let reason = (!plays).then(|| explain_illegal_move(&line.chess, written, History { start: &start, line: &line.plies }));
        let mut findings = Findings::new();
        for rule in RULES.iter().filter(|rule| rule.code.family() == Family::Mov) {
            match (rule.check, &reason) {
                (Check::Ply(check), None) => {
                    check(
                        &PlyFacts { text, place, written, before: &line.chess, after: &next, resolved, in_variation },
                        &mut findings,
                    );
                }
                (Check::Unplayable(check), Some(reason)) => {
                    let history = History { start: &start, line: &line.plies };
                    check(
                        &Unplayable { text, place, written, before: &line.chess, reason, history, in_variation, goes_on: None },
                        &mut findings,
                    );
                }
                _ => {}
            }
        }
        let fired: Vec<Code> = findings.all().iter().map(|finding| finding.rule.code).collect();
        let silenced =
            |rule: &Rule| rule.yields.iter().any(|yields| matches!(yields, Yield::AtPly(code) if fired.contains(code)));
        findings.all().retain(|finding| !silenced(finding.rule));
        (plays.then(|| resolved.map(|resolved| resolved.played)), std::mem::take(findings.all()))
    }

    /// Plays a sample and returns what the rules find in it. Moves outside the marked place must be
    /// in canonical spelling.
    fn audit(sample: Sample) -> (Vec<Finding>, Option<Span>, Vec<u8>) {
        let (text, marked) = sample.input();
        let start = memchr::memmem::find(&text, b"\n\n").map_or(0, |at| at + 2);
        let mut lexer = Lexer::new(&text, start);
        let fen = memchr::memmem::find(&text, b"[FEN \"").map(|at| &text[at + 6..]);
        let fen = fen.and_then(|fen| fen.split(|byte| *byte == b'"').next()).map(|fen| Fen::from_ascii(fen).expect("a FEN"));
        let chess = fen.map_or_else(Chess::default, |fen| fen.into_position(CastlingMode::Standard).expect("a position"));
        let mut line = Line { chess, plies: Vec::new(), before_last: None, broken: false };
        let mut outer: Vec<Line> = Vec::new();
        let mut all = Vec::new();
        let mut seen = false;
        loop {
            match lexer.next() {
                Token::End => break,
                Token::Open => {
                    let inner = line.before_last.as_deref().expect("a variation follows a move").clone();
                    outer.push(std::mem::replace(&mut line, inner));
                }
                Token::Close => line = outer.pop().expect("a variation is open"),
                Token::Word if !line.broken => {
                    // A marked move may have more than one token, as `b8(Q)` has.
                    if let Some(marked) = marked.filter(|marked| marked.start == lexer.start) {
                        lexer.at = marked.end;
                    }
                    let place = Span::new(lexer.start, lexer.at);
                    let token = shown(lexer.token());
                    let written = WrittenSan::read(lexer.token()).unwrap_or_else(|| panic!("{sample:?}: {token} is not a move"));
                    let (played, findings) = judge(&text, place, &line, &written, !outer.is_empty());
                    if Some(place) == marked {
                        seen = true;
                    } else if let Some(Some(played)) = played {
                        let canonical = SanPlus::from_move(line.chess.clone(), played).to_string();
                        assert_eq!(token.trim_end_matches(['!', '?']), canonical, "{sample:?}");
                    } else {
                        assert_eq!(played, Some(None), "{sample:?}: {token} cannot be played");
                    }
                    all.extend(findings);
                    match played {
                        Some(played) => line.play(played),
                        None => line.broken = true,
                    }
                }
                Token::Word => panic!("{sample:?}: there are moves after the one that cannot be played"),
                Token::Number { value, .. } => {
                    assert_eq!(value, Some(line.chess.fullmoves().get()), "{sample:?}: wrong number");
                }
                Token::Marker(_) | Token::Comment => {}
                other => panic!("{sample:?}: {other:?}"),
            }
        }
        assert!(marked.is_none() || seen, "{sample:?}: the marked place is not a move");
        (all, marked, text)
    }

    #[test]
    fn rules_fire_on_their_samples_and_on_nothing_else() {
        let mut played = 0;
        // Rules about whole games are covered by the tests of all samples.
        let about_moves =
            |rule: &&&Rule| rule.code.family() == Family::Mov && !matches!(rule.check, Check::Syntax(_) | Check::Hint);
        for rule in RULES.iter().filter(about_moves) {
            for &sample in rule.fires {
                let (findings, marked, text) = audit(sample);
                let fired: Vec<(Code, Span)> = findings.iter().map(|finding| (finding.rule.code, finding.place)).collect();
                let marked = marked.expect("a sample that fires has a marked place");
                assert_eq!(fired, [(rule.code, marked)], "{sample:?}");
                assert_eq!(findings[0].found.as_bytes(), marked.of(&text), "{sample:?}");
                assert!(!findings[0].message.is_empty(), "{sample:?}");
                played += 1;
            }
            for &sample in rule.silent {
                let (findings, marked, _) = audit(sample);
                assert!(marked.is_none() && findings.is_empty(), "{}, {sample:?}: {findings:?}", rule.code);
                played += 1;
            }
            assert!(!rule.fires.is_empty() && !rule.silent.is_empty(), "{}", rule.code);
        }
        assert!(played >= 60, "{played} samples");
    }

    fn only(moves: &'static str) -> Finding {
        let (mut findings, ..) = audit(Sample::Moves(moves));
        assert_eq!(findings.len(), 1, "{moves}: {findings:?}");
        findings.remove(0)
    }

    #[test]
    fn findings_give_the_reason_and_the_suggestion() {
        for (moves, severity, expected, message) in [
            ("1. e4 e5 2. ⟦Ke3⟧ *", Severity::Error, "", "Ke3 is not legal here: no king can reach e3"),
            (
                "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nf3 Nc6 5. Bc4 Bc5 6. ⟦O-O⟧ *",
                Severity::Error,
                "",
                "O-O is not legal here: the king already moved at ply 3",
            ),
            (
                "1. Nf3 Nf6 2. d3 d5 3. ⟦Nd2⟧ *",
                Severity::Error,
                "Nbd2 or Nfd2",
                "Nd2 is ambiguous: the knights on b1 and f3 can both go there",
            ),
            (
                "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. ⟦bxa8⟧ *",
                Severity::Error,
                "bxa8=Q",
                "bxa8 does not say which piece the pawn promotes to",
            ),
            ("1. e4 e5 2. ⟦--⟧ *", Severity::Warning, "", "`--` passes White's turn: the move that was played is not recorded"),
            (
                "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ ⟦--⟧ *",
                Severity::Error,
                "",
                "`--` passes Black's turn, but the queen on f7 gives check",
            ),
            (
                "1. e4 e5 2. ⟦Qh5+⟧ *",
                Severity::Warning,
                "Qh5",
                "the move is marked as check, but the queen on h5 does not give check",
            ),
            (
                "1. e4 d5 2. ⟦Bb5#!⟧ *",
                Severity::Warning,
                "Bb5+",
                "the move is marked as checkmate, but it gives only check: c6 is legal",
            ),
            ("1. e4 Nf6 2. e5 d5 3. ⟦exd6ep⟧ *", Severity::Info, "exd6", "SAN has no suffix for en passant"),
            (
                "1. e4 d5 2. ⟦exd5ep⟧ *",
                Severity::Warning,
                "exd5",
                "the suffix says en passant, but the move is not an en passant capture",
            ),
            ("1. e4 e5 2. ⟦Ngf3⟧ *", Severity::Info, "Nf3", "Nf3 is enough: no other knight can go to f3"),
            (
                "1. Nf3 Nf6 2. d3 d5 3. ⟦N1d2⟧ *",
                Severity::Info,
                "Nbd2",
                "the knight on f3 can also go to d2: the canonical spelling is Nbd2",
            ),
        ] {
            let finding = only(moves);
            assert_eq!(
                (finding.severity, &*finding.what_is_expected(), finding.message.as_str()),
                (severity, expected, message),
                "{moves}"
            );
        }
    }

    /// The marks of a finding: squares, written arrows, repaired arrows.
    fn marks(moves: &'static str) -> (String, String, String) {
        let marks = only(moves).marks;
        let arrows = |arrows: &[Arrow]| arrows.iter().map(Arrow::to_string).collect::<Vec<_>>().join(" ");
        let squares: Vec<String> = marks.squares.into_iter().map(|square| square.to_string()).collect();
        (squares.join(" "), arrows(&marks.written), arrows(&marks.repaired))
    }

    #[test]
    fn findings_mark_squares_and_moves() {
        for (moves, squares, written, repaired) in [
            ("1. e4 e5 2. ⟦Ke3⟧ *", "e3", "e1e3", ""),
            ("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 O-O 5. ⟦Ne4⟧ *", "c3 b4", "c3e4", ""),
            ("1. e4 b6 2. Nf3 Ba6 3. g3 Nc6 4. Bg2 e6 5. ⟦O-O⟧ *", "e1 f1 a6", "e1g1", ""),
            ("1. Nf3 Nf6 2. d3 d5 3. ⟦Nd2⟧ *", "b1 d2 f3", "b1d2 f3d2", ""),
            ("1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. ⟦bxa8⟧ *", "a8", "b7a8", ""),
            ("1. f3 e5 2. g4 Qh4# 3. ⟦e3⟧ 0-1", "e1 e3 h4", "e2e3", ""),
            ("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ ⟦--⟧ *", "f7", "", ""),
            ("1. e4 d5 2. ⟦Bb5⟧ *", "b5 e8", "f1b5", ""),
            ("1. e4 e5 2. ⟦Qh5+⟧ *", "h5", "d1h5", ""),
            ("1. f3 e5 2. g4 ⟦Qh4⟧ 0-1", "e1 h4", "d8h4", ""),
            ("1. e4 Nf6 2. e5 d5 3. ⟦ed6⟧ *", "d5", "e5d6", ""),
            ("1. Nf3 Nf6 2. d3 d5 3. ⟦N1d2⟧ *", "f3", "b1d2", ""),
            ("1. e4 e5 2. ⟦g1f3⟧ *", "", "g1f3", ""),
        ] {
            let expected = (squares.to_owned(), written.to_owned(), repaired.to_owned());
            assert_eq!(marks(moves), expected, "{moves}");
        }
    }

    #[test]
    fn only_pieces_that_can_move_are_suggested() {
        // Three knights attack e2, but the one on c3 is pinned.
        let fen = "4k3/8/8/8/1b3N2/2N5/8/4K1N1 w - - 0 1";
        let before: Chess = fen.parse::<shakmaty::fen::Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let written = WrittenSan::read(b"Ne2").expect("a move");
        let history = History { start: &before, line: &[] };
        let reason = explain_illegal_move(&before, &written, history);
        let facts = Unplayable {
            text: b"Ne2",
            place: Span::new(0, 3),
            written: &written,
            before: &before,
            reason: &reason,
            history,
            in_variation: false,
            goes_on: None,
        };
        let mut findings = Findings::new();
        let Check::Unplayable(check) = ambiguous_move::RULE.check else { panic!("a rule about moves that cannot be played") };
        check(&facts, &mut findings);
        let marks = &findings.all()[0].marks;
        let arrows = |arrows: &[Arrow]| arrows.iter().map(Arrow::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!((arrows(&marks.written), arrows(&marks.repaired)), ("g1e2 c3e2 f4e2".to_owned(), "g1e2 f4e2".to_owned()));
    }

    #[test]
    fn nothing_is_proven_after_a_null_move() {
        let (findings, ..) = audit(Sample::Moves("1. e4 -- 2. d4 e5 3. ⟦Ke3⟧ *"));
        let seen: Vec<_> =
            findings.iter().map(|finding| (finding.rule.code.to_string(), finding.severity, finding.cause)).collect();
        assert_eq!(
            seen,
            [("MOV07".to_owned(), Severity::Warning, None), ("MOV01".to_owned(), Severity::Warning, Some(NULL_MOVE))]
        );
        assert_eq!(only("1. e4 (1. -- d5 2. ⟦Ke3⟧) 1... e5 *").severity, Severity::Info);
    }
}
