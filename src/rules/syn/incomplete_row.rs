//! SYN19: rows of tables and lines of JSON that are not complete.

use crate::rules::prelude::*;
use crate::table::JsonFault;

pub static RULE: Rule = Rule {
    code: code!("SYN19"),
    name: "incomplete-row",
    severity: Severity::Warning,
    summary: "A table row or a JSON line is incomplete",
    what: "In a table with a header, a row has fewer cells than the header, or more. Empty cells at \
           its end do not count. A row that ends before the position column is FEN01. In an input \
           whose lines are mostly JSON, a line is cut off or is not JSON. Only its positions are \
           checked. If many rows have names with the delimiter in them, and moves in the last cell, \
           this is reported once. If 20 or more rows have the same fault, it is reported once.",
    why: "A cell is missing or was split, so that values are in the wrong columns. Of a line that is \
          not JSON, readers get nothing, and some stop there.",
    fix: "Export the row again. Put a cell that contains the delimiter in quotes.",
    source: "RFC 4180, 2.4; RFC 8259, 2",
    fires: &[
        Sample::Positions(
            "eco,name,moves\nA00,Polish,1. b4 e5\n⟦A00,Polish,Tübingen,1. b4 Nh6⟧\nC41,Philidor,Nimzowitsch,Klein,1. e4 e5 2. Nf3 d6\n",
        ),
        Sample::Positions("fen,score,best\n8/8/4k3/8/8/4K3/4P3/8 w - - 0 40,0.9⟦⟧\n8/8/4k3/8/8/4K3/4P3/8 b - - 0 40,0.8,Kd6\n"),
        Sample::Positions("fen,best\n8/8/4k3/8/8/4K3/4P3/8 w - - 0 40,Kd4\n8/8/4k3/8/8/4K3/4P3/8 b - - 0 40,Kd6,⟦ or Kf6⟧\n"),
    ],
    silent: &[Sample::Positions(
        "fen,score,best\n8/8/4k3/8/8/4K3/4P3/8 w - - 0 40,0.9,\n8/8/4k3/8/8/4K3/4P3/8 b - - 0 40,0.8,,\n",
    )],
    check: Check::Input,
    ..Rule::DEFAULTS
};

/// Reports a row that ends at `place`. It has some cells, and the header has more.
pub fn report_short_cells(findings: &mut Findings, place: Span, (cells, header): (usize, usize)) {
    let message = format!("the row has {}, and the header has {header}: some are missing", quantity(cells, "cell", "cells"));
    findings.add(&RULE, place).message(message).grouped("short");
}

/// Reports a row with more cells than the header. `place` is the first one that is not empty.
pub fn report_extra_cells(findings: &mut Findings, place: Span, (cells, header): (usize, usize)) {
    let message = format!("the row has {cells} cells, and the header has {header}: a cell may have been split");
    findings.add(&RULE, place).message(message).grouped("long");
}

/// Reports a row with more or fewer cells than the header, in a table in which many rows have them.
pub fn report_split_cells(findings: &mut Findings, row: Span, (cells, header): (usize, usize)) {
    let message = format!(
        "the row has {}, and the header has {header}: the last cell is read as the moves",
        quantity(cells, "cell", "cells")
    );
    findings.add(&RULE, row).message(message).once_per_input_and("split");
}

/// Reports a line that should be JSON.
pub fn report_bad_json(findings: &mut Findings, line: Span, fault: JsonFault) {
    let (at, message) = match fault {
        JsonFault::Truncated => (line.end, "the line ends in the middle of its JSON: it was cut off"),
        JsonFault::Other(at) => ((line.start + at).min(line.end), "the line is not JSON from here on"),
    };
    findings.add(&RULE, Span::new(at, at)).message(message).grouped("json");
}
