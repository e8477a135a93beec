//! A panic becomes a failure, and everything else is audited.

pub(super) use crate::text::guarded;

/// Panics in tests if the start of `text` from `at` contains `panic in POINT`.
#[cfg(test)]
pub(super) fn trial(point: &str, text: &[u8], at: usize) {
    let start = &text[at.min(text.len())..text.len().min(at + 60)];
    assert!(memchr::memmem::find(start, format!("panic in {point}").as_bytes()).is_none(), "on trial");
}

/// Does nothing outside tests.
#[cfg(not(test))]
#[inline(always)]
pub(super) const fn trial(_: &str, _: &[u8], _: usize) {}

#[cfg(test)]
mod tests {
    use std::{
        io::{self, Write},
        sync::atomic::AtomicBool,
    };

    use tempfile::NamedTempFile;

    use crate::{
        corpus::{Input, Source},
        pipeline::{Audit, CertifiedPosition, Failure, InputSummary, Options, RunSummary, Settings, Sink},
        rules::Finding,
        text::Format,
    };

    /// Keeps the lines of findings and the failures.
    #[derive(Default)]
    struct Kept {
        lines: Vec<u64>,
        inputs: Vec<(String, bool)>,
        failures: Vec<Failure>,
        /// The lines and verdicts of certified positions.
        certified: Vec<(u64, &'static str)>,
        /// Panics on the finding in this line.
        panics_on: Option<u64>,
    }

    impl Sink for Kept {
        fn finding(&mut self, _input: &str, finding: &Finding) -> io::Result<()> {
            assert!(self.panics_on != Some(finding.line), "on trial");
            self.lines.push(finding.line);
            Ok(())
        }

        fn input(&mut self, summary: &InputSummary) -> io::Result<()> {
            self.inputs.push((summary.name.clone(), summary.complete));
            Ok(())
        }

        fn certified(&mut self, _input: &str, position: &CertifiedPosition) -> io::Result<()> {
            self.certified.push((position.line, position.certificate.verdict()));
            Ok(())
        }

        fn failure(&mut self, failure: &Failure) -> io::Result<()> {
            self.failures.push(failure.clone());
            Ok(())
        }
    }

    /// A game with an illegal move in its fourth line, as long as any other one.
    fn game(event: &str) -> String {
        format!("[Event \"{event:-<20}\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n\n")
    }

    fn audit(inputs: Vec<Input>, chunk_bytes: usize, map: bool, mut kept: Kept) -> (Kept, RunSummary) {
        let settings = Settings { threads: 2, chunk_bytes, map, ..Settings::default() };
        let summary = Audit::new(settings).run(inputs, &mut kept, &(), &AtomicBool::new(false)).unwrap();
        (kept, summary)
    }

    fn bytes(name: &str, text: &str) -> Input {
        let source = Source::Bytes(text.as_bytes().into());
        Input { name: name.to_owned(), source, format: Some(Format::Pgn), scanned: false }
    }

    /// The lines with the illegal moves of these games. Games are counted from 0.
    fn moves_of(games: impl IntoIterator<Item = u64>) -> Vec<u64> {
        games.into_iter().map(|game| 5 * game + 4).collect()
    }

    /// The lines with illegal moves that were found: games without ratings and dates have other
    /// findings, too.
    fn illegal_moves(kept: &Kept) -> Vec<u64> {
        kept.lines.iter().copied().filter(|line| line % 5 == 4).collect()
    }

    #[test]
    fn a_panic_is_a_failure_and_the_rest_is_audited() {
        for (point, what, lost) in [
            ("read", "the record that begins here", vec![1]),
            ("note", "the record that begins here", vec![1]),
            ("the chunk", "the text from here on", vec![1]),
            // Only the places of chunks are guessed.
            ("guess", "the text from here on", vec![]),
        ] {
            let text = [game("first"), game(&format!("panic in {point}")), game("third"), game("fourth")].concat();
            let length = text.len() / 4;
            let mut file = NamedTempFile::new().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            for map in [true, false] {
                let source = Source::File(file.path().to_owned());
                let input = Input { name: "games.pgn".to_owned(), source, format: Some(Format::Pgn), scanned: false };
                let (kept, summary) = audit(vec![input, bytes("other.pgn", "")], length, map, Kept::default());
                let [failure] = &kept.failures[..] else { panic!("{point}: {:?}", kept.failures) };
                assert_eq!(
                    (failure.byte, failure.message.as_str()),
                    (
                        Some(length as u64),
                        format!("the auditor failed on {what}: on trial; please report it with the record").as_str()
                    ),
                    "{point}, {map}"
                );
                assert_eq!(illegal_moves(&kept), moves_of((0..4).filter(|game| !lost.contains(game))), "{point}, {map}");
                assert_eq!(summary.counts.bytes, text.len() as u64, "{point}, {map}");
                assert_eq!(kept.inputs, [("games.pgn".to_owned(), false), ("other.pgn".to_owned(), true)], "{point}, {map}");
            }
        }
    }

    #[test]
    fn a_position_whose_search_fails_is_open() {
        let line = |id| format!("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w - - id \"{id}\";\n");
        let text = line("a").replace(" w", " b") + "4k3/8/8/8/8/8/4P3/4K3 w - - id \"panic in the search\";\n" + &line("b");
        let settings =
            Settings { threads: 1, options: Options { certify: Some(10), ..Options::default() }, ..Settings::default() };
        let input = Input { format: Some(Format::Epd), ..bytes("lines.epd", &text) };
        let mut kept = Kept::default();
        Audit::new(settings).run(vec![input], &mut kept, &(), &AtomicBool::new(false)).unwrap();
        assert_eq!(kept.certified.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(kept.certified[1], (2, "open"));
        let [failure] = &kept.failures[..] else { panic!("{:?}", kept.failures) };
        assert!(failure.message.ends_with("certificate of this position: on trial; please report it with the record"));
    }

    /// What a rule has collected in later chunks is counted from the start of the input.
    #[test]
    fn a_panic_in_the_first_chunk_moves_no_lines() {
        let line = |pawn: &str, id: &str| format!("4k3/8/8/8/8/8/{pawn}/4K3 w - - id \"{id}\";\n");
        let first = line("4P3", "panic in the chunk");
        let text = [first.clone(), line("4P3", "a"), line("3P4", "a")].concat();
        let source = Source::Bytes(text.as_bytes().into());
        let input = Input { name: "lines.epd".to_owned(), source, format: Some(Format::Epd), scanned: false };
        let (kept, _) = audit(vec![input], first.len(), true, Kept::default());
        assert_eq!(kept.failures.len(), 1, "{:?}", kept.failures);
        assert_eq!(kept.lines, [3], "the id in the second line is that of another position");
    }

    #[test]
    fn a_panic_about_an_input_spares_the_others() {
        for point in ["open", "close"] {
            let name = format!("panic in {point}.pgn");
            let (kept, summary) =
                audit(vec![bytes(&name, &game("a")), bytes("other.pgn", &game("b"))], 1000, true, Kept::default());
            assert_eq!(kept.inputs, [(name.clone(), false), ("other.pgn".to_owned(), true)]);
            assert_eq!(kept.failures.iter().map(|failure| &failure.input).collect::<Vec<_>>(), [&name]);
            assert_eq!((summary.inputs, summary.failures), (2, 1));
            assert!(illegal_moves(&kept).ends_with(&[4]), "{point}");
        }
    }

    #[test]
    fn a_panic_in_the_report_loses_only_one_finding() {
        let text: String = (0..6).map(|number| game(&number.to_string())).collect();
        let kept = Kept { panics_on: Some(9), ..Kept::default() };
        let (kept, summary) = audit(vec![bytes("games.pgn", &text)], text.len() / 6, true, kept);
        assert_eq!(illegal_moves(&kept), moves_of([0, 2, 3, 4, 5]));
        let failures: Vec<_> = kept.failures.iter().map(|failure| (failure.stage, failure.byte)).collect();
        let illegal = text.match_indices("Ke3").nth(1).unwrap().0;
        assert_eq!(failures, [("report", Some(illegal as u64))]);
        assert_eq!(summary.counts.records(), 6);
        // Totals that count more findings than there are rows make a report look damaged.
        assert_eq!(summary.findings.total(), kept.lines.len() as u64);
        assert_eq!(summary.rules.values().map(|rule| rule.findings).sum::<u64>(), kept.lines.len() as u64);
    }
}
