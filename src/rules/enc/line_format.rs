//! ENC08: mixed or unusual line endings, and lines that are too long.

use memchr::{memchr, memchr2_iter, memrchr};

use crate::pgn::line_end;
use crate::rules::prelude::*;
use crate::rules::{Note, Notes, Sums, sums_of};
use crate::text;

/// Maximum number of bytes in a line, its line ending included (PGN standard 4.3).
const MAX_LINE: usize = 255;

pub static RULE: Rule = Rule {
    code: code!("ENC08"),
    name: "line-format",
    severity: Severity::Info,
    summary: "Line endings are mixed or unusual, or lines are too long",
    what: "In one input, some lines of games end with CR LF and others with LF. Or a line ends \
           with CR alone, or has more than 255 bytes including its line ending. Each kind is \
           reported once per input. Of mixed line endings, the rarer kind is reported.",
    why: "The PGN standard limits lines to 255 bytes, and strict readers cut longer ones. With \
           mixed line endings, tools disagree about line numbers.",
    fix: "Rewrite the file with one kind of line ending and at most 255 bytes per line.",
    source: "PGN standard 3.2, 4.3",
    fires: &[
        Sample::Moves("1. e4⟦\r\n⟧e5 *"),
        Sample::Moves("1. e4⟦\r⟧e5 *"),
        Sample::Moves(concat!(
            "⟦1. e4 {A comment that goes on and on, for its writer had a great deal to say about the move, and nobody was there to stop him; ",
            "so he told of the first game in which it was played, of the second, of those who think it best by test, and of the café in which they think so} 1... e5 *⟧"
        )),
    ],
    silent: &[Sample::Pgn(
        "[Event \"Sample\"]\r\n[Site \"?\"]\r\n[Date \"????.??.??\"]\r\n[Round \"?\"]\r\n[White \"?\"]\r\n[Black \"?\"]\r\n[Result \"*\"]\r\n\r\n1. e4 e5 *\r\n",
    )],
    check: Check::Layout(check),
    wakes: Wakes::Signs(&[Sign::LineEnds]),
    note: Some(&Note { sums: 2, holds, ..Note::DEFAULTS }),
    ..Rule::DEFAULTS
};

/// Where the sums begin: lines of games that end with LF, and those that end with CR LF.
const AT: usize = sums_of(RULE.code);

/// Fewer lines of games end with LF than with CR LF.
const FEW_LF: Condition = Condition::new(RULE.code, 0);

/// Some lines of games end with CR LF, and as many or more with LF.
const FEW_CR_LF: Condition = Condition::new(RULE.code, 1);

fn holds(notes: &Notes, condition: Condition) -> bool {
    let &[lf, cr_lf] = notes.sums(AT);
    (condition == FEW_LF) == (lf < cr_lf)
}

/// Number of lines that end with LF, CR LF and CR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineEnds {
    /// LF alone.
    pub lf: u64,
    /// CR followed by LF.
    pub cr_lf: u64,
    /// CR alone.
    pub cr: u64,
}

impl LineEnds {
    /// Notes the line endings of a record.
    pub fn note(self, notes: &mut impl Sums) {
        [self.lf, self.cr_lf].into_iter().zip(AT..).for_each(|(lines, sum)| notes.count(sum, lines));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnd {
    Lf,
    CrLf,
    Cr,
}

/// Calls `note` with the place and kind of each line ending.
fn for_each_line_end(text: &[u8], mut note: impl FnMut(usize, LineEnd)) {
    for at in memchr2_iter(b'\n', b'\r', text) {
        match text[at] {
            b'\r' if text.get(at + 1) == Some(&b'\n') => note(at, LineEnd::CrLf),
            b'\r' => note(at, LineEnd::Cr),
            _ if at > 0 && text[at - 1] == b'\r' => {}
            _ => note(at, LineEnd::Lf),
        }
    }
}

/// What the lines of a record show.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordLines {
    /// Their line endings.
    pub ends: LineEnds,
    /// The first line ending of each [`LineEnd`].
    first: [Option<Span>; 3],
    /// The first line that is too long.
    long: Option<Span>,
}

impl RecordLines {
    /// The lines of the record from `start` to `next`.
    pub fn of(text: &[u8], start: usize, next: usize) -> RecordLines {
        let record = &text[start..next];
        let text::LineEndBytes { lf, cr, cr_lf } = text::LineEndBytes::count(record);
        if cr == 0 {
            return RecordLines::uniform(text, start, next, (LineEnd::Lf, lf as u64));
        }
        if lf == cr && cr == cr_lf {
            return RecordLines::uniform(text, start, next, (LineEnd::CrLf, lf as u64));
        }
        let RecordLines { mut ends, mut first, mut long } = RecordLines::default();
        let mut line = start;
        for_each_line_end(&text[start..next], |at, kind| {
            let place = Span::new(start + at, start + at + if kind == LineEnd::CrLf { 2 } else { 1 });
            match kind {
                LineEnd::Lf => ends.lf += 1,
                LineEnd::CrLf => ends.cr_lf += 1,
                LineEnd::Cr => ends.cr += 1,
            }
            first[kind as usize].get_or_insert(place);
            if place.end - line > MAX_LINE && long.is_none() {
                long = Some(Span::new(line, place.start));
            }
            line = place.end;
        });
        // The line may go on with the next records.
        let last = line_end(&text[..next], line.min(next));
        if last - line > MAX_LINE && long.is_none() {
            long = Some(Span::new(line, last));
        }
        RecordLines { ends, first, long }
    }

    /// The same for a record with `count` line endings, all of one kind that ends with LF. They are
    /// then found many at a time.
    fn uniform(text: &[u8], start: usize, next: usize, (kind, count): (LineEnd, u64)) -> RecordLines {
        let mut lines = RecordLines::default();
        let (ends, length) = if kind == LineEnd::CrLf { (&mut lines.ends.cr_lf, 2) } else { (&mut lines.ends.lf, 1) };
        *ends = count;
        let place_of = |lf: usize| Span::new(lf + 1 - length, lf + 1);
        lines.first[kind as usize] = memchr(b'\n', &text[start..next]).map(|at| place_of(start + at));
        let mut line = start;
        while next - line > MAX_LINE {
            // No line that ends among these bytes is too long, and only the last one matters for
            // the next.
            match memrchr(b'\n', &text[line..line + MAX_LINE]) {
                Some(last) => line += last + 1,
                None => {
                    let end = memchr(b'\n', &text[line..next]).map_or(next, |at| place_of(line + at).start);
                    lines.long = Some(Span::new(line, end));
                    break;
                }
            }
        }
        lines
    }

    /// The values with which something is reported about these lines.
    pub fn values(&self) -> impl Iterator<Item = &'static str> {
        let found = self.first.into_iter().chain([self.long]);
        ["LF", "CR LF", "CR", "long"].into_iter().zip(found).filter_map(|(value, found)| found.map(|_| value))
    }
}

/// Reports the first line ending of each kind. When the whole input has been read, the conditions
/// [`FEW_LF`] and [`FEW_CR_LF`] drop the kind that is not the rarer one.
fn check(facts: &Layout<'_>, findings: &mut Findings) {
    let RecordLines { first, long, .. } = RecordLines::of(facts.text, facts.game.start, facts.next);
    if let Some(place) = first[LineEnd::Lf as usize] {
        findings
            .add(&RULE, place)
            .message("this line ends with LF, but most lines of the input end with CR LF")
            .once_per_input_and("LF")
            .only_if(FEW_LF)
            .found("\\n");
    }
    if let Some(place) = first[LineEnd::CrLf as usize] {
        findings
            .add(&RULE, place)
            .message("this line ends with CR LF, but other lines of the input end with LF")
            .once_per_input_and("CR LF")
            .only_if(FEW_CR_LF)
            .found("\\r\\n");
    }
    if let Some(place) = first[LineEnd::Cr as usize] {
        findings
            .add(&RULE, place)
            .message("this line ends with CR alone, as on classic Mac OS")
            .once_per_input_and("CR")
            .found("\\r");
    }
    // NULs are reported by ENC06.
    let is_padded = |text: &[u8]| text.contains(&0) && text.iter().filter(|byte| **byte != 0).count() < MAX_LINE;
    if let Some(place) = long.filter(|place| !is_padded(place.of(facts.text))) {
        let bytes = quantity(place.end - place.start, "byte", "bytes");
        findings
            .add(&RULE, place)
            .message(format!("this line has {bytes}, more than the maximum of {MAX_LINE}"))
            .once_per_input_and("long");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_lf_as_cr_need_not_be_pairs() {
        let lines = RecordLines::of(b"x\n\ry\n\rz\r\n", 0, 9);
        assert_eq!(lines.ends, LineEnds { lf: 2, cr_lf: 1, cr: 2 });
        assert_eq!(lines.first, [Some(Span::new(1, 2)), Some(Span::new(7, 9)), Some(Span::new(2, 3))]);
    }

    #[test]
    fn lines_with_one_kind_of_ending_are_as_with_several() {
        for lengths in [
            &[254, 0, 3][..],
            &[10, 255, 3],
            &[255],
            &[256],
            &[253],
            &[0, 300, 300],
            &[100, 100, 100, 256],
            &[200, 54, 255, 0],
            &[],
        ] {
            for (end, ends) in [("\n", true), ("\n", false), ("\r\n", true), ("\r\n", false)] {
                let mut text: String = lengths.iter().map(|length| "x".repeat(*length) + end).collect();
                if !ends {
                    text.truncate(text.len().saturating_sub(end.len()));
                }
                let next = text.len();
                let lines = RecordLines::of(text.as_bytes(), 0, next);
                let long = text.split_inclusive('\n').find(|line| line.len() > MAX_LINE).map(|line| {
                    let start = line.as_ptr() as usize - text.as_ptr() as usize;
                    Span::new(start, start + line.trim_end().len())
                });
                let first = text.find(end).map(|at| Span::new(at, at + end.len()));
                let count = text.matches(end).count() as u64;
                let (ends, first) = match end {
                    "\n" => (LineEnds { lf: count, ..LineEnds::default() }, [first, None, None]),
                    _ => (LineEnds { cr_lf: count, ..LineEnds::default() }, [None, first, None]),
                };
                assert_eq!((lines.long, lines.first, lines.ends), (long, first, ends), "{text:?}");
            }
        }
    }
}
