//! Moves as written.

family! {
    illegal_move,
    illegal_castling,
    ambiguous_move,
    promotion_missing,
    promotion_impossible,
    move_after_end,
    null_move,
    illegal_in_variation,
    turn_slip,
    repair_hint,
    check_mark_missing,
    check_mark_false,
    mate_mark_missing,
    mate_mark_false,
    capture_mark_missing,
    capture_mark_false,
    disambiguation_form,
    castling_letters,
    promotion_form,
    ep_suffix,
    long_or_uci,
    foreign_letters,
    lowercase_piece,
    suffix_form,
    dgt_king_signal,
}

mod variant;

use shakmaty::{Move, Position, san::SanPlus};

pub use variant::{played_in_variant, refused_in_variant};

use super::{
    Code, Finding, Findings, Repair, Rule, Severity,
    facts::{Ply, Unplayable},
    shown,
};
use crate::chess::{CheckMark, Quirks, Refusal, WrittenMove, WrittenSan, resolve, word};

/// The code of the rule about null moves.
const NULL_MOVE: Code = code!("MOV07");

/// Notes that the spelling of a move breaks `rule`: how it is written and how it is spelt canonically.
fn misspelt<'f>(rule: &'static Rule, facts: &Ply<'_>, findings: &'f mut Findings, repair: Repair) -> &'f mut Finding {
    let finding = findings.add(rule, facts.place);
    finding.found(shown(facts.place.of(facts.text))).expected(facts.canonical()).repair = Some(repair);
    finding
}

/// Notes that a move cannot be played; `message` is given the move as written, and the reason.
///
/// Behind a null move nobody knows the position of the game, so that nothing is proven: the finding goes one severity down.
fn refused<'f>(
    rule: &'static Rule,
    facts: &Unplayable<'_>,
    findings: &'f mut Findings,
    message: impl Fn(&str, &Refusal) -> String,
) -> &'f mut Finding {
    let token = shown(facts.place.of(facts.text));
    let message = message(&token, facts.refusal);
    let finding = findings.add(rule, facts.place);
    let behind_null = facts.history.line.iter().any(Option::is_none);
    if !behind_null {
        finding.message(message);
    } else if facts.in_variation {
        finding.severity(Severity::Info).message(format!("{message}; a null move stands before it"));
    } else {
        finding.severity(Severity::Warning).message(format!("{message}; a null move before it leaves the position unknown"));
        finding.cause = Some(NULL_MOVE);
    }
    finding.found(token)
}

/// The canonical spelling of what `what` means in the position of the refused move.
fn canonical_of(facts: &Unplayable<'_>, what: WrittenMove) -> Option<String> {
    let written = WrittenSan { what, capture: false, mark: CheckMark::None, quirks: Quirks::NONE };
    let played = resolve(facts.before, facts.before.checkers(), &written)?.played;
    Some(SanPlus::from_move(facts.before.clone(), played).to_string())
}

/// What moves, and where: `the queen on h5`, `castling`.
fn mover(played: Move) -> String {
    match played {
        Move::Castle { .. } => "castling".to_owned(),
        other => format!("the {} on {}", word(other.promotion().unwrap_or(other.role())), other.to()),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup};

    use super::*;
    use crate::{
        chess::{History, refuse},
        pgn::{Lexer, Token},
        rules::{Check, Family, RULES, Sample, Yield},
        text::Span,
    };

    /// A line on its way: the position, how the game came to it, and the position before the last ply.
    #[derive(Clone)]
    struct Line {
        chess: Chess,
        plies: Vec<Option<Move>>,
        before_last: Option<Box<Line>>,
        /// Whether a move of the line could not be played, so that the rest of it is not.
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

    /// What the rules of this family say about one move: codes and places, those that yield left out.
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
        let refusal = (!plays).then(|| refuse(&line.chess, written, History { start: &start, line: &line.plies }));
        let mut findings = Findings::new();
        for rule in RULES.iter().filter(|rule| rule.code.family() == Family::Mov) {
            match (rule.check, &refusal) {
                (Check::Ply(check), None) => {
                    check(
                        &Ply { text, place, written, before: &line.chess, after: &next, resolved, in_variation },
                        &mut findings,
                    );
                }
                (Check::Unplayable(check), Some(refusal)) => {
                    let history = History { start: &start, line: &line.plies };
                    check(
                        &Unplayable { text, place, written, before: &line.chess, refusal, history, in_variation },
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

    /// Plays a sample and returns what the rules find in it. Moves outside the marked place are held against the library's
    /// own spelling.
    fn audit(sample: Sample) -> (Vec<Finding>, Option<Span>, Vec<u8>) {
        let (text, marked) = sample.input();
        let start = memchr::memmem::find(&text, b"\n\n").map_or(0, |at| at + 2);
        let mut lexer = Lexer::new(&text, start);
        let mut line = Line { chess: Chess::default(), plies: Vec::new(), before_last: None, broken: false };
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
                    let place = Span::new(lexer.start, lexer.at);
                    let token = shown(lexer.token());
                    let written = WrittenSan::read(lexer.token()).unwrap_or_else(|| panic!("{sample:?}: {token} is no move"));
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
                Token::Word => panic!("{sample:?}: moves stand behind the one that cannot be played"),
                Token::Number { value, .. } => {
                    assert_eq!(value, Some(line.chess.fullmoves().get()), "{sample:?}: a wrong number");
                }
                Token::Marker(_) | Token::Comment => {}
                other => panic!("{sample:?}: {other:?}"),
            }
        }
        assert!(marked.is_none() || seen, "{sample:?}: the marked place is no move");
        (all, marked, text)
    }

    #[test]
    fn rules_fire_on_their_samples_and_on_nothing_else() {
        let mut played = 0;
        // A rule about whole games, not about single moves, is held by the tests of all samples.
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
    fn findings_say_what_is_wrong_and_what_was_meant() {
        for (moves, severity, expected, message) in [
            (
                "1. e4 e5 2. ⟦Ke3⟧ *",
                Severity::Error,
                "",
                "Ke3 is not legal in the recorded position: no king of the side to move reaches e3",
            ),
            (
                "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Nf3 Nc6 5. Bc4 Bc5 6. ⟦O-O⟧ *",
                Severity::Error,
                "",
                "O-O is not legal in the recorded position: the king moved at ply 3",
            ),
            (
                "1. Nf3 Nf6 2. d3 d5 3. ⟦Nd2⟧ *",
                Severity::Error,
                "Nbd2 or Nfd2",
                "Nd2 means more than one move: the knights on b1 and f3 can both go to d2",
            ),
            (
                "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. ⟦bxa8⟧ *",
                Severity::Error,
                "bxa8=Q",
                "bxa8 does not say what the pawn becomes",
            ),
            ("1. e4 e5 2. ⟦--⟧ *", Severity::Warning, "", "White passes the turn: the move is not recorded"),
            (
                "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ ⟦--⟧ *",
                Severity::Error,
                "",
                "Black passes the turn while the queen on f7 gives check",
            ),
            ("1. e4 e5 2. ⟦Qh5+⟧ *", Severity::Warning, "Qh5", "the queen on h5 gives no check"),
            (
                "1. e4 d5 2. ⟦Bb5#!⟧ *",
                Severity::Warning,
                "Bb5+",
                "the bishop on b5 gives check but does not mate: c6 can be played",
            ),
            ("1. e4 Nf6 2. e5 d5 3. ⟦exd6ep⟧ *", Severity::Info, "exd6", "SAN has no suffix for en passant"),
            ("1. e4 d5 2. ⟦exd5ep⟧ *", Severity::Warning, "exd5", "the move is not en passant"),
            ("1. e4 e5 2. ⟦Ngf3⟧ *", Severity::Info, "Nf3", "Nf3 is enough: no other knight can go to f3"),
            ("1. Nf3 Nf6 2. d3 d5 3. ⟦N1d2⟧ *", Severity::Info, "Nbd2", "Nbd2 is what tells it from the knight on f3"),
        ] {
            let finding = only(moves);
            assert_eq!(
                (finding.severity, finding.expected.as_str(), finding.message.as_str()),
                (severity, expected, message),
                "{moves}"
            );
        }
    }

    #[test]
    fn nothing_is_proven_behind_a_null_move() {
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
