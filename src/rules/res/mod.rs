//! Results and game termination markers.

pub(crate) mod comment_result_mismatch;
pub(crate) mod draw_claim_not_shown;
pub(crate) mod draws;
pub(crate) mod extra_marker;
pub(crate) mod finished_without_result;
pub(crate) mod forfeit_out_of_turn;
pub(crate) mod invalid_result;
pub(crate) mod mate_result_mismatch;
pub(crate) mod missing_marker;
pub(crate) mod moves_after_automatic_draw;
pub(crate) mod moves_after_dead_position;
pub(crate) mod placeholder_marker;
pub(crate) mod result_without_moves;
pub(crate) mod stalemate_result_mismatch;
pub(crate) mod tag_marker_mismatch;
pub(crate) mod termination_mismatch;
pub(crate) mod win_at_automatic_draw;
pub(crate) mod win_in_dead_position;
pub(crate) mod winner_cannot_mate;

family! {
    missing_marker, extra_marker, invalid_result, tag_marker_mismatch, mate_result_mismatch,
    stalemate_result_mismatch, finished_without_result, win_in_dead_position, winner_cannot_mate,
    moves_after_automatic_draw, moves_after_dead_position, comment_result_mismatch,
    termination_mismatch, result_without_moves, forfeit_out_of_turn, win_at_automatic_draw,
    draw_claim_not_shown,
}

use shakmaty::{Bitboard, Chess, KnownOutcome, Position};

use super::{
    Findings, Rule, Severity,
    facts::Ending,
    stated_result::{Stated, Termination},
};
use crate::{
    chess::{VariantEnd, fen_of, has_legal_move, winnability::is_dead},
    text::wording::quantity,
};

/// The outcome on the board if the final position is finished in the way `how`. Games without moves
/// have none.
fn outcome_if(facts: &Ending<'_>, how: Finished) -> Option<KnownOutcome> {
    let position = facts.position.filter(|_| facts.plies > 0)?;
    // Cheap conditions come first.
    let is_finished = match how {
        Finished::Mate => position.is_check() && !has_legal_move(position),
        Finished::Stalemate => !position.is_check() && !has_legal_move(position),
        Finished::Dead => is_dead(position) && has_legal_move(position),
    };
    is_finished.then(|| match how {
        Finished::Mate => KnownOutcome::Decisive { winner: !position.turn() },
        Finished::Stalemate | Finished::Dead => KnownOutcome::Draw,
    })
}

/// The outcome on the board, if the final position ends the game.
fn outcome_on_board(facts: &Ending<'_>) -> Option<(KnownOutcome, Finished)> {
    [Finished::Mate, Finished::Stalemate, Finished::Dead].into_iter().find_map(|how| Some((outcome_if(facts, how)?, how)))
}

/// The squares of a final position that is finished in the way `how`: the king that is checkmated
/// or stalemated, or all pieces that cannot checkmate.
fn squares_of_end(facts: &Ending<'_>, how: Finished) -> Bitboard {
    let Some(position) = facts.position else { return Bitboard::EMPTY };
    match how {
        Finished::Mate | Finished::Stalemate => position.us() & position.board().kings(),
        Finished::Dead => position.board().occupied(),
    }
}

/// Reports a result that contradicts how a game of a variant ended on the board.
fn report_against_variant_end(rule: &'static Rule, facts: &Ending<'_>, end: VariantEnd, findings: &mut Findings) {
    let stated = Stated::of(facts);
    let Some((place, claim)) = stated.contradicting(end.outcome) else { return };
    let finding = findings.add(rule, place);
    if !end.proven || Termination::of(facts.tags) != Termination::Unexplained {
        finding.severity(Severity::Warning);
    }
    finding.ply(facts.plies).found(claim.as_str()).expected(end.outcome.as_str());
    finding.message(format!("{} after {}, but the result is `{claim}`", end.how, facts.last_move));
    finding.move_text = facts.last_move.to_owned();
    stated.replace_by(end.outcome, facts.text, finding);
}

/// How the final position ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finished {
    Mate,
    Stalemate,
    /// Neither side can checkmate by any sequence of legal moves.
    Dead,
}

/// Why neither side can checkmate in the dead position `position`.
fn why_dead(position: &Chess) -> &'static str {
    if position.is_insufficient_material() { "neither side has mating material" } else { "neither side can checkmate" }
}

/// `1 ply follows`, `2 plies follow`.
fn plies_follow(plies: usize) -> String {
    format!("{} {}", quantity(plies, "ply", "plies"), if plies == 1 { "follows" } else { "follow" })
}

/// The FEN of the final position.
fn final_fen(facts: &Ending<'_>) -> String {
    facts.position.map(fen_of).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Color, Square, fen::Fen};

    use super::*;
    use crate::pgn::{Marker, marker_of_token, result_of_tag};
    use crate::rules::{
        Check, Code, Conditions, Family, Finding, Findings, RULES, Rule, Scope, Severity, Span,
        facts::{ClockSummary, GameAnnotations, TagSection},
        testing::tag_pairs,
    };
    use shakmaty::Outcome;

    /// White is mated.
    const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    const STALEMATE: &str = "5bnr/4p1pq/4Qpkr/7p/7P/4P3/PPPP1PP1/RNB1KBNR b KQ - 2 10";
    const BARE_KINGS: &str = "8/8/8/8/3k4/8/4K3/8 b - - 0 1";
    const OPEN: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

    /// A final position with its tags and its marker, for the rules about endings.
    struct Case {
        tags: String,
        marker: &'static str,
        fen: &'static str,
        plies: u32,
    }

    impl Case {
        fn new(fen: &'static str, tag: &str, marker: &'static str) -> Case {
            Case { tags: format!("[Result \"{tag}\"]\n"), marker, fen, plies: 4 }
        }

        fn with(mut self, pair: &str) -> Case {
            self.tags.push_str(pair);
            self.tags.push('\n');
            self
        }

        fn findings(&self) -> Vec<Finding> {
            let text = format!("{}\n1. x {}", self.tags, self.marker);
            let pairs = tag_pairs(&self.tags);
            let tags = TagSection::new(text.as_bytes(), &pairs, &[], Span::new(0, self.tags.len()));
            let position: Option<Chess> =
                self.fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
            let place = Span::new(text.len() - self.marker.len(), text.len());
            let marker = marker_of_token(self.marker.as_bytes()).map(|kind| Marker { place, kind });
            let facts = Ending {
                text: text.as_bytes(),
                tags: &tags,
                marker,
                last: place,
                plies: self.plies,
                position: position.as_ref(),
                variant: None,
                opening: None,
                notation: None,
                last_move: "x",
                start: &Chess::default(),
                line: &[],
                comment: None,
                clocks: ClockSummary::default(),
                control: None,
                annotations: GameAnnotations::default(),
            };
            let mut findings = Findings::new();
            for rule in RULES {
                if let Check::Ending(check) = rule.check {
                    check(&facts, &mut findings);
                }
            }
            // A game alone shows no placeholder.
            findings.all().retain(|finding| !finding.conditions.has(placeholder_marker::MARKERS_PLACEHOLDER));
            std::mem::take(findings.all())
        }

        /// The findings that remain after the rules have yielded to each other.
        fn left(&self) -> Vec<Finding> {
            let all = self.findings();
            let fired: Vec<Code> = all.iter().map(|finding| finding.rule.code).collect();
            let yields = |rule: &Rule| {
                rule.yields.iter().any(|to| matches!(to, crate::rules::Yield::InRecord(code) if fired.contains(code)))
            };
            all.into_iter().filter(|finding| !yields(finding.rule)).collect()
        }

        fn codes(&self) -> Vec<(u8, Severity)> {
            self.left().iter().map(|finding| (number_of(finding.rule.code), finding.severity)).collect()
        }
    }

    fn number_of(code: Code) -> u8 {
        (1..30).find(|number| Code::new(Family::Res, *number) == code).unwrap_or_default()
    }

    use Severity::{Error, Info, Warning};

    #[test]
    fn test_positions_have_the_expected_outcomes() {
        let outcome = |fen| {
            let case = Case::new(fen, "*", "*");
            case.left().first().map(|finding| finding.expected.clone())
        };
        assert_eq!(outcome(MATED).as_deref(), Some("0-1"));
        assert_eq!(outcome(STALEMATE).as_deref(), Some("1/2-1/2"));
        assert_eq!(outcome(BARE_KINGS), None);
        assert_eq!(outcome(OPEN), None);
    }

    #[test]
    fn all_combinations_of_tag_marker_and_board() {
        const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
        for (fen, right, rule) in [(MATED, "0-1", 5), (STALEMATE, "1/2-1/2", 6), (BARE_KINGS, "1/2-1/2", 8), (OPEN, "", 0)] {
            for tag in RESULTS {
                for marker in RESULTS {
                    let codes = Case::new(fen, tag, marker).codes();
                    let star = tag == "*" || marker == "*";
                    let mut expected = Vec::new();
                    if fen == OPEN || tag == right || marker == right {
                        // The tag and the marker contradict each other, or nothing is wrong.
                        if tag != marker {
                            expected.push((4, if star { Info } else { Warning }));
                        }
                    } else if tag == "*" && marker == "*" {
                        if rule != 8 {
                            expected.push((7, Warning));
                        }
                    } else {
                        expected.push((rule, if rule == 8 { Warning } else { Error }));
                    }
                    assert_eq!(codes, expected, "{fen}: {tag} and {marker}");
                }
            }
        }
    }

    #[test]
    fn the_board_shows_which_of_two_results_is_right() {
        for (tag, marker) in [("1-0", "0-1"), ("0-1", "1-0"), ("*", "0-1"), ("0-1", "*"), ("1/2-1/2", "0-1")] {
            let left = Case::new(MATED, tag, marker).left();
            assert_eq!(left.len(), 1);
            assert_eq!(left[0].expected, "0-1");
            assert!(left[0].message.contains("checkmate"), "{}", left[0].message);
        }
    }

    #[test]
    fn terminations_explain_results() {
        for (termination, mate, stalemate, dead) in [
            ("Normal", (5, Error), Some((6, Error)), Some((8, Warning))),
            ("Time forfeit", (5, Warning), None, Some((8, Warning))),
            ("rules infraction", (5, Warning), None, None),
            ("Black wins by adjudication", (5, Warning), None, None),
            ("Abandoned", (5, Warning), None, None),
        ] {
            let pair = format!("[Termination \"{termination}\"]");
            let codes = |fen| Case::new(fen, "1-0", "1-0").with(&pair).codes();
            assert_eq!(codes(MATED), [mate], "{termination}");
            assert_eq!(codes(STALEMATE), stalemate.into_iter().collect::<Vec<_>>(), "{termination}");
            assert_eq!(codes(BARE_KINGS), dead.into_iter().collect::<Vec<_>>(), "{termination}");
        }
    }

    #[test]
    fn games_without_moves_or_with_illegal_moves_are_not_checked() {
        let mut diagram = Case::new(MATED, "1-0", "1-0");
        diagram.plies = 0;
        assert_eq!(diagram.codes(), [(14, Info)]);
        assert_eq!(Case::new("", "1-0", "1-0").codes(), []);
    }

    #[test]
    fn double_forfeits_are_infos_and_contradict_a_mate() {
        assert_eq!(Case::new(MATED, "0-0", "0:0").codes(), [(3, Info), (3, Info), (5, Warning)]);
        assert_eq!(Case::new(MATED, "0-0", "*").codes(), [(3, Info), (5, Warning)]);
        assert_eq!(Case::new(MATED, "0-1", "0:0").codes(), [(3, Info)]);
        assert_eq!(Case::new(STALEMATE, "0-0", "0:0").codes(), [(3, Info), (3, Info)]);
        assert_eq!(Case::new(OPEN, "0-0", "*").codes(), [(3, Info)]);
    }

    #[test]
    fn results_with_a_penalty_have_no_marker() {
        for result in ["1/2-0", "0-1/2", "\u{bd}-0", "0,5:0"] {
            let left = Case::new(OPEN, result, "*").left();
            assert_eq!(left.len(), 1, "{result}");
            assert_eq!((left[0].rule.code, left[0].expected.as_str()), (code!("RES03"), "*"), "{result}");
            assert!(left[0].repair.is_none() && left[0].message.contains("penalty"), "{}", left[0].message);
        }
        assert_eq!(Case::new(OPEN, "1/2-0", "1/2-0").codes(), [(3, Warning)]);
        // It says nothing about the board.
        assert_eq!(Case::new(MATED, "1/2-0", "1/2-0").codes(), [(3, Warning)]);
    }

    #[test]
    fn equal_misspelled_results_are_one_finding() {
        assert_eq!(Case::new(OPEN, "1/2", "1/2").codes(), [(3, Warning)]);
        assert_eq!(Case::new(OPEN, "1/2", "½").codes(), [(3, Warning), (3, Warning)]);
        assert_eq!(Case::new(OPEN, "1/2", "1-0").codes(), [(3, Warning)]);
        assert_eq!(Case::new(OPEN, "", "1-0").codes(), [(3, Warning)]);
        // The result also contradicts the checkmate.
        assert_eq!(Case::new(MATED, "1:0", "1:0").codes(), [(3, Warning), (5, Error)]);
        let left = Case::new(OPEN, "1-O", "1-0").left();
        assert_eq!(left[0].expected, "1-0");
    }

    #[test]
    fn a_second_result_tag_is_reported_as_a_duplicate_only() {
        assert_eq!(Case::new(OPEN, "0-1", "1-0").with("[Result \"1-0\"]").codes(), []);
        assert_eq!(Case::new(OPEN, "0-1", "1-0").with("[Result \"1/2-1/2\"]").codes(), [(4, Warning)]);
    }

    #[test]
    fn endings_mark_the_squares_they_speak_of() {
        let squares = |fen, result| {
            let left = Case::new(fen, result, result).left();
            assert_eq!(left.len(), 1, "{fen}");
            left[0].marks.squares
        };
        let king = |square: Square| Bitboard::from(square);
        assert_eq!(squares(MATED, "1-0"), king(Square::E1));
        assert_eq!(squares(MATED, "*"), king(Square::E1));
        assert_eq!(squares(STALEMATE, "1-0"), king(Square::G6));
        assert_eq!(squares(BARE_KINGS, "1-0"), king(Square::D4) | king(Square::E2));
        assert_eq!(squares(OPEN, "1/2"), Bitboard::EMPTY, "the spelling of a result is text only");
        let mismatch = Case::new(MATED, "1-0", "0-1").left();
        assert_eq!(mismatch[0].marks.squares, king(Square::E1));
    }

    #[test]
    fn missing_markers() {
        let mut case = Case::new(OPEN, "1-0", "");
        let finding = |case: &Case| case.left().pop();
        let within = finding(&case).expect("RES01");
        assert_eq!((within.severity, within.conditions), (Warning, Conditions::NONE));
        assert!(matches!(within.scope, Scope::Habit { .. }));
        assert_eq!(within.expected, "1-0");
        assert_eq!(within.place.start, within.place.end);
        case.plies = 0;
        let empty = finding(&case).expect("RES01");
        assert_eq!((empty.severity, empty.conditions), (Info, Conditions::NONE));
        assert!(matches!(empty.scope, Scope::Input { .. }));
    }

    #[test]
    fn spellings() {
        use crate::rules::facts::MarkerKind::{DoubleForfeit, Misspelled, Penalty, Standard};
        let white = Outcome::Known(KnownOutcome::Decisive { winner: Color::White });
        let black = Outcome::Known(KnownOutcome::Decisive { winner: Color::Black });
        let draw = Outcome::Known(KnownOutcome::Draw);
        for (text, kind) in [
            ("1-0", Standard(white)),
            ("*", Standard(Outcome::Unknown)),
            ("1/2-1/2", Standard(draw)),
            ("1/2", Misspelled(draw)),
            ("½-½", Misspelled(draw)),
            ("½–½", Misspelled(draw)),
            ("½", Misspelled(draw)),
            ("1/2:1/2", Misspelled(draw)),
            ("0.5-0.5", Misspelled(draw)),
            ("0,5-0,5", Misspelled(draw)),
            (".5-.5", Misspelled(draw)),
            ("1:0", Misspelled(white)),
            ("0:1", Misspelled(black)),
            ("1-O", Misspelled(white)),
            ("O-1", Misspelled(black)),
            ("1–0", Misspelled(white)),
            ("1—0", Misspelled(white)),
            ("0−1", Misspelled(black)),
            ("l-0", Misspelled(white)),
            ("+:-", Misspelled(white)),
            ("-:+", Misspelled(black)),
            ("+--", Misspelled(white)),
            ("--+", Misspelled(black)),
            ("0:0", DoubleForfeit),
            ("-:-", DoubleForfeit),
            ("1/2-0", Penalty),
            ("0-½", Penalty),
            ("0.5-0", Penalty),
        ] {
            assert_eq!(marker_of_token(text.as_bytes()), Some(kind), "{text}");
            assert_eq!(result_of_tag(text.as_bytes()), Some(kind), "{text}");
        }
        for (text, kind) in [
            ("0-0", DoubleForfeit),
            ("+-", Misspelled(white)),
            ("-+", Misspelled(black)),
            ("=", Misspelled(draw)),
            ("Draw", Misspelled(draw)),
            ("White wins", Misspelled(white)),
            (" 1-0 ", Misspelled(white)),
            ("?", Misspelled(Outcome::Unknown)),
        ] {
            assert_eq!(result_of_tag(text.as_bytes()), Some(kind), "{text}");
        }
        for token in [
            "0-0", "O-O", "o-o", "0-0-0", "O-O-O", "О-О", "+-", "-+", "=", "--", "h", "h-h", "w", "b", "e4", "Nf3", "1.", "1",
            "12...", "1-", "", "+", "-", "$1", "Draw", "?", "!?", "1/0", "1-1", "0", "2-0", "1/4",
        ] {
            assert_eq!(marker_of_token(token.as_bytes()), None, "{token}");
        }
        for value in ["1-1", "win", "", "2-0", "1", "Kasparov"] {
            assert_eq!(result_of_tag(value.as_bytes()), None, "{value}");
        }
        assert_eq!(result_of_tag(b"\xBD-\xBD"), Some(Misspelled(draw)));
        assert_eq!(result_of_tag(b"1\x960"), Some(Misspelled(white)));
        assert_eq!(result_of_tag(&[b'1'; 100_000]), None);
    }
}
