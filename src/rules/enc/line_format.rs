//! ENC08: line ends of several kinds, and very long lines.

use memchr::memchr2_iter;

use crate::{
    pgn::line_end,
    rules::{Check, Condition, Findings, Rule, Sample, Severity, Span, facts::Layout},
};

/// A line holds no more bytes than this, its line break included (PGN standard, section 4.3).
const LONGEST: usize = 255;

/// The rule.
pub static RULE: Rule = Rule {
    code: code!("ENC08"),
    name: "line-format",
    severity: Severity::Info,
    summary: "Lines end in different ways, or are longer than 255 bytes",
    what: "Some lines of the games of an input end with CR LF and others with LF: reported at the first line of the rarer kind. A CR on its own. \
           A line of more than 255 bytes, its line break included. Once per input and kind.",
    why: "Programs that read the standard to the letter cut long lines; tools that go by lines count them otherwise than others do where line ends are mixed.",
    fix: "Write the file anew with one kind of line end and lines of at most 255 bytes.",
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
    ..Rule::DEFAULTS
};

/// How often lines end with LF, CR LF, and CR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineEnds {
    /// LF alone.
    pub lf: u64,
    /// CR and LF.
    pub cr_lf: u64,
    /// CR alone.
    pub cr: u64,
}

impl LineEnds {
    /// The line ends of `text`.
    pub fn of(text: &[u8]) -> LineEnds {
        let mut ends = LineEnds::default();
        each(text, |_, kind| match kind {
            Kind::Lf => ends.lf += 1,
            Kind::CrLf => ends.cr_lf += 1,
            Kind::Cr => ends.cr += 1,
        });
        ends
    }

    /// Adds those of another part.
    pub fn add(&mut self, other: LineEnds) {
        self.lf += other.lf;
        self.cr_lf += other.cr_lf;
        self.cr += other.cr;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Lf,
    CrLf,
    Cr,
}

fn each(text: &[u8], mut note: impl FnMut(usize, Kind)) {
    for at in memchr2_iter(b'\n', b'\r', text) {
        match text[at] {
            b'\r' if text.get(at + 1) == Some(&b'\n') => note(at, Kind::CrLf),
            b'\r' => note(at, Kind::Cr),
            _ if at > 0 && text[at - 1] == b'\r' => {}
            _ => note(at, Kind::Lf),
        }
    }
}

fn check(facts: &Layout<'_>, findings: &mut Findings) {
    let (mut first, mut long) = ([None; 3], None);
    let mut line = facts.game.start;
    let record = &facts.text[facts.game.start..facts.next];
    each(record, |at, kind| {
        let place = Span::new(facts.game.start + at, facts.game.start + at + if kind == Kind::CrLf { 2 } else { 1 });
        first[kind as usize].get_or_insert(place);
        if place.end - line > LONGEST && long.is_none() {
            long = Some(Span::new(line, place.start));
        }
        line = place.end;
    });
    let last = line_end(facts.text, line.min(facts.next)).min(facts.next);
    if last - line > LONGEST && long.is_none() {
        long = Some(Span::new(line, last));
    }
    if let Some(place) = first[Kind::Lf as usize] {
        findings
            .add(&RULE, place)
            .message("the line ends with LF, most lines of the input end with CR LF")
            .once_per_input_and("LF")
            .only_if(Condition::FewLf)
            .found("\\n");
    }
    if let Some(place) = first[Kind::CrLf as usize] {
        findings
            .add(&RULE, place)
            .message("the line ends with CR LF, others of the input end with LF")
            .once_per_input_and("CR LF")
            .only_if(Condition::FewCrLf)
            .found("\\r\\n");
    }
    if let Some(place) = first[Kind::Cr as usize] {
        findings
            .add(&RULE, place)
            .message("the line ends with CR alone, as lines did under Mac OS before 2001")
            .once_per_input_and("CR")
            .found("\\r");
    }
    if let Some(place) = long {
        let bytes = place.end - place.start;
        findings.add(&RULE, place).message(format!("the line has {bytes} bytes, more than 255")).once_per_input_and("long");
    }
}
