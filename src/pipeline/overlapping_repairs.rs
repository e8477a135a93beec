//! Settles repairs of one record that change the same bytes, so that all that remain can be made
//! together.
//!
//! Equal replacements are one. Others are reduced to the bytes that really change. If they still
//! touch the same bytes, the root cause wins, and the other finding is repaired after the next
//! audit. The spelling of a move that had to be read from a damaged token includes the repair of
//! the token.

use std::{cmp::Reverse, collections::BTreeSet};

use crate::{
    rules::{Certainty, Check, Code, Condition, Finding, Patch, epd::non_san_move},
    text::Span,
};

/// Maximum number of passes over the replacements of a record. Each one reduces some.
const MAX_PASSES: usize = 4;

/// A replacement, and the findings that have it: index of the finding, and of the replacement.
struct SharedPatch {
    patch: Patch,
    of: Vec<(usize, usize)>,
}

/// Settles the repairs of the findings of a record. A finding that loses all its replacements has
/// no repair any more.
pub(super) fn settle<T>(findings: &mut [(Finding, T)]) {
    if findings.iter().map(|(finding, _)| finding.patches().len()).sum::<usize>() < 2 {
        return;
    }
    doubt_after_guess(findings);
    let mut lost = BTreeSet::new();
    for _ in 0..MAX_PASSES {
        if !settle_once(findings, &mut lost) {
            break;
        }
    }
    for (index, patch) in lost.into_iter().rev() {
        let finding = &mut findings[index].0;
        if let Some(repair) = &mut finding.repair {
            repair.patches.remove(patch);
            if repair.patches.is_empty() {
                finding.repair = None;
            }
        }
    }
}

/// An unreadable token that was played as another move: it may be a guess.
const UNKNOWN_TOKEN: Code = code!("SYN10");

/// After a move that was guessed, the spelling of no move is certain.
fn doubt_after_guess<T>(findings: &mut [(Finding, T)]) {
    let is_guess = |finding: &Finding| {
        finding.rule.code == UNKNOWN_TOKEN && finding.ply.is_some() && finding.certainty() == Some(Certainty::Likely)
    };
    let guesses = findings.iter().filter(|(finding, _)| is_guess(finding)).map(|(finding, _)| finding.place.start);
    let Some(first) = guesses.min() else { return };
    for (finding, _) in findings {
        if finding.place.start > first && matches!(finding.rule.check, Check::Ply(_)) {
            finding.doubt();
        }
    }
}

/// One pass. Returns whether replacements were reduced, so that others may touch now.
fn settle_once<T>(findings: &mut [(Finding, T)], lost: &mut BTreeSet<(usize, usize)>) -> bool {
    let mut last: Option<SharedPatch> = None;
    let mut has_reduced = false;
    for change in changes(findings, lost) {
        let Some(before) = last.as_mut().filter(|before| overlap(before.patch.place, change.patch.place)) else {
            last = Some(change);
            continue;
        };
        let (one, other) = (before.patch.trimmed(), change.patch.trimmed());
        if !overlap(one.place, other.place) {
            has_reduced = true;
            for (patch, of) in [(&one, &before.of), (&other, &change.of)] {
                for &(index, at) in of {
                    if let Some(repair) = &mut findings[index].0.repair {
                        repair.patches[at] = patch.clone();
                    }
                }
            }
            if other.place.end >= one.place.end {
                last = Some(SharedPatch { patch: other, of: change.of });
            } else {
                before.patch = one;
            }
            continue;
        }
        let best = |change: &SharedPatch| change.of.iter().map(|(index, _)| *index).min_by_key(|index| rank(&findings[*index].0));
        let Some((first, second)) = best(before).zip(best(&change)) else { continue };
        let (one, other) = (&findings[first].0, &findings[second].0);
        if are_alternatives(one, other) {
            if change.patch.place.end >= before.patch.place.end {
                last = Some(change);
            }
            continue;
        }
        let is_same_token = before.patch.place == change.patch.place;
        if is_same_token && one.rule.changes_moves() != other.rule.changes_moves() {
            // The spelling of a move includes the reading of its token, and is as certain as that.
            let (upper, lower) = if one.rule.changes_moves() { (&change, &*before) } else { (&*before, &change) };
            let is_likely = lower.of.iter().any(|(index, _)| findings[*index].0.certainty() == Some(Certainty::Likely));
            let patch = upper.patch.clone();
            for &(index, at) in before.of.iter().chain(&change.of) {
                if let Some(repair) = &mut findings[index].0.repair {
                    repair.patches[at] = patch.clone();
                    repair.certainty = if is_likely { Certainty::Likely } else { repair.certainty };
                }
            }
            before.of.extend(change.of);
            before.patch = patch;
            continue;
        }
        let wins = match (depends_on_input(findings, before), depends_on_input(findings, &change)) {
            (false, true) => true,
            (true, false) => false,
            _ => explains(one, other) || (!explains(other, one) && rank(one) <= rank(other)),
        };
        if wins {
            lost.extend(&change.of);
        } else {
            lost.extend(&before.of);
            last = Some(change);
        }
    }
    has_reduced
}

/// All different replacements in the order of their places, without those that are lost.
fn changes<T>(findings: &[(Finding, T)], lost: &BTreeSet<(usize, usize)>) -> Vec<SharedPatch> {
    let all = findings
        .iter()
        .enumerate()
        .flat_map(|(index, (finding, _))| finding.patches().iter().enumerate().map(move |(at, patch)| (patch, (index, at))));
    let mut all: Vec<_> = all.filter(|(_, of)| !lost.contains(of)).collect();
    all.sort_by(|(one, _), (other, _)| (one.place, &one.new).cmp(&(other.place, &other.new)));
    let mut changes: Vec<SharedPatch> = Vec::new();
    for (patch, of) in all {
        match changes.last_mut().filter(|last| last.patch == *patch) {
            Some(last) => last.of.push(of),
            None => changes.push(SharedPatch { patch: patch.clone(), of: vec![of] }),
        }
    }
    changes
}

/// Whether replacements at these places cannot both be made. Text can be inserted before and after
/// bytes that are replaced.
const fn overlap(one: Span, other: Span) -> bool {
    let is_same = one.start == other.start && one.end == other.end;
    is_same || (one.start < other.end && other.start < one.end)
}

/// Whether it depends on the rest of the input if a finding with this replacement is reported. A
/// fault that is a slip or a habit is always reported.
fn depends_on_input<T>(findings: &[(Finding, T)], change: &SharedPatch) -> bool {
    let is_sure = |condition: Condition| condition.rule() == non_san_move::RULE.code;
    change.of.iter().all(|(index, _)| !findings[*index].0.conditions.iter().all(is_sure))
}

/// Whether the findings depend on different conditions, of which only one may hold.
fn are_alternatives(one: &Finding, other: &Finding) -> bool {
    !one.conditions.is_empty() && !other.conditions.is_empty() && one.conditions != other.conditions
}

/// Whether the first finding is the cause of the other one.
fn explains(cause: &Finding, other: &Finding) -> bool {
    let code = cause.rule.code;
    other.cause == Some(code) || other.rule.yields.iter().any(|yielded| yielded.code() == code)
}

/// Which repair is preferred; the lowest comes first.
fn rank(finding: &Finding) -> impl Ord + use<> {
    (Reverse(finding.severity), Reverse(finding.certainty()), finding.rule.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Findings, Severity, rule};

    /// A finding: the rule, how bad it is and how certain its repair, the bytes, and their
    /// replacement.
    type Given = (&'static str, Severity, Certainty, (usize, usize), &'static str);

    /// The replacements of findings in `text` after they are settled.
    fn settled(text: &str, findings: &[Given]) -> Vec<Vec<(usize, String)>> {
        let mut list = Findings::new();
        for (code, severity, certainty, (start, end), new) in findings {
            let place = Span::new(*start, *end);
            let rule = rule(code.parse().expect("a code")).expect("a rule");
            list.add(rule, place).severity(*severity).repair(*certainty, Patch::replace(text.as_bytes(), place, *new));
        }
        let mut list: Vec<(Finding, ())> = list.all().drain(..).map(|finding| (finding, ())).collect();
        settle(&mut list);
        let shown = |patch: &Patch| (patch.place.start, format!("{}>{}", patch.old.escape_ascii(), patch.new.escape_ascii()));
        list.iter().map(|(finding, ())| finding.patches().iter().map(shown).collect()).collect()
    }

    #[test]
    fn repairs_of_the_same_bytes_are_settled() {
        use Certainty::{Certain, Likely};
        use Severity::{Error, Info, Warning};
        let one = |at: usize, change: &str| vec![(at, change.to_owned())];
        for (text, findings, expected) in [
            // Equal ones are both kept.
            (
                "0-0+",
                vec![("MOV18", Info, Certain, (0, 4), "O-O"), ("MOV24", Info, Certain, (0, 4), "O-O")],
                vec![one(0, "0-0+>O-O"), one(0, "0-0+>O-O")],
            ),
            // Different parts of a token are changed.
            (
                "0-0 +",
                vec![("MOV18", Info, Certain, (0, 5), "O-O +"), ("SYN11", Warning, Likely, (0, 5), "0-0+")],
                vec![one(0, "0-0>O-O"), one(3, " >")],
            ),
            // The repaired spelling includes the join.
            (
                "Qg5 +",
                vec![("SYN11", Warning, Likely, (0, 5), "Qg5+"), ("MOV15", Info, Likely, (0, 5), "Qxg5+")],
                vec![one(0, "Qg5 +>Qxg5+"), one(0, "Qg5 +>Qxg5+")],
            ),
            // The more severe one wins.
            (
                "Be4",
                vec![("MOV01", Error, Likely, (0, 3), "Ba4"), ("SYN11", Warning, Certain, (0, 3), "Bd5")],
                vec![one(0, "Be4>Ba4"), vec![]],
            ),
            // MOV24 yields to MOV12.
            (
                "e4ch",
                vec![("MOV24", Info, Certain, (0, 4), "e4+"), ("MOV12", Warning, Likely, (0, 4), "e4")],
                vec![vec![], one(0, "e4ch>e4")],
            ),
            // Text can be inserted before and after replaced bytes.
            (
                "ab",
                vec![("SYN10", Error, Likely, (0, 1), "x"), ("SYN11", Warning, Likely, (1, 1), " ")],
                vec![one(0, "a>x"), one(1, ">\u{20}")],
            ),
            (
                "ab",
                vec![("SYN05", Error, Likely, (1, 1), "}"), ("SYN11", Warning, Likely, (1, 1), " ")],
                vec![one(1, ">}"), vec![]],
            ),
        ] {
            assert_eq!(settled(text, &findings), expected, "{text}");
            let mut reversed = findings.clone();
            reversed.reverse();
            let mut expected = expected.clone();
            expected.reverse();
            assert_eq!(settled(text, &reversed), expected, "{text}, in reverse order");
        }
    }
}
