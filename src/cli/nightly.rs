//! `chess-audit nightly`.

use std::{
    io::{self, Write},
    path::Path,
};

use crate::{
    format::FileConflict,
    review::{Store, Threshold},
};

use super::{
    args::{AuditArguments, NightlyArguments},
    check::{self, Ended, Prepared},
    closed_stdout,
    date::date_of_history,
    outcome::Outcome,
    printer::STDOUT_FAILED,
    stderr::{print_error, print_warning},
};

/// Audits the inputs, and prints what is new since the last night.
pub fn run(arguments: &NightlyArguments) -> anyhow::Result<Outcome> {
    let date = date_of_history(arguments.audit.as_of)?;
    let mut store = Store::open(&arguments.store)?;
    if let Some(last) = store.last().filter(|last| last.date > date) {
        print_warning(&format!("this night is of {date}, but the last one was of {}: is the clock wrong?", last.date));
    }
    for foreign in store.foreign() {
        print_warning(&format!("`{}` is not a report and was ignored; move it elsewhere", foreign.display()));
    }
    // First of all, because the audit may fail.
    let late = send(&store, Some(", which could not be printed then"));
    let audit = AuditArguments { output: Some(store.tonight()), quiet: true, game_keys: true, ..arguments.audit.clone() };
    let mut night = None;
    let mut prepared = Prepared::on(date, &audit)?;
    super::files::note_store(&mut prepared.files, &arguments.store);
    anyhow::ensure!(!prepared.prints_findings(), "printed findings cannot be mailed: remove `--format`");
    let threshold = Threshold {
        severity: prepared.resolved.fail_on_at_night().0,
        may_shrink: prepared.resolved.may_shrink(),
        with_open: arguments.fail_on_open,
    };
    prepared.night = Some(Box::new(|report, summary| {
        if summary.failures > 0 {
            return None;
        }
        let found = night.insert(store.night(report, date, summary, threshold));
        found.as_mut().ok().map(|night| night.page(store.trend(date)))
    }));
    let baseline = prepared.resolved.baseline().map(Path::to_owned);
    let ended = check::audit(prepared, &arguments.inputs);
    if has_failed(&ended)
        && let Err(error) = store.note_failure(date)
    {
        print_error(&error.to_string());
    }
    let Ended { outcome, summary } = ended?;
    let Some(summary) = summary else { return Ok(outcome) };
    if summary.failures > 0 {
        let tonight = store.tonight();
        let last = match store.last() {
            Some(last) => format!("; the last report is still `{}`", store.report(last).display()),
            None => String::new(),
        };
        print_error(&format!("the audit failed: its report is `{}`{last}", tonight.display()));
        late?;
        return Ok(Outcome::Failed);
    }
    let night = match night {
        Some(Ok(night)) => night,
        Some(Err(error)) => {
            store.note_failure(date)?;
            return Err(error.into());
        }
        None => return Ok(Outcome::Failed),
    };
    for error in night.unreadable() {
        print_warning(&format!("not compared: {error}"));
    }
    let has_news = night.has_news();
    let mail = night.has_mail().then(|| store.mail(&night, baseline.as_deref()));
    store.keep(&night, &summary, mail.as_deref())?;
    let written = store.write_history();
    store.remove_old(arguments.keep);
    if let Err(error) = &written {
        print_error(&error.to_string());
    }
    let was_late = late?;
    send(&store, was_late.then_some(""))?;
    Ok(match (written, has_news || was_late) {
        (Err(_), _) => Outcome::Failed,
        (Ok(()), true) => Outcome::Findings,
        (Ok(()), false) => Outcome::Success,
    })
}

/// Whether a night has failed: it could not read something, or not write. A night with wrong
/// arguments or one that was interrupted is none.
fn has_failed(ended: &anyhow::Result<Ended>) -> bool {
    match ended {
        Ok(Ended { summary, .. }) => summary.as_ref().is_some_and(|summary| summary.failures > 0),
        Err(error) => !error.is::<FileConflict>(),
    }
}

/// Prints the mail that was not printed yet, after its date if `heading` is what to add to it.
/// Returns whether there was any.
fn send(store: &Store, heading: Option<&str>) -> anyhow::Result<bool> {
    let unsent = store.unsent()?;
    for (night, mail) in &unsent {
        let text = match heading {
            Some(more) => format!("Mail of {}{more}:\n\n{mail}\n", night.date),
            None => mail.clone(),
        };
        // Not as a cause: if it is a closed pipe, other commands have done their work.
        print(&text).map_err(|error| anyhow::anyhow!("{STDOUT_FAILED}: {error}; the next night prints the mail"))?;
        store.sent(*night)?;
    }
    Ok(!unsent.is_empty())
}

fn print(text: &str) -> io::Result<()> {
    if closed_stdout::is_closed() {
        return Err(io::Error::new(io::ErrorKind::BrokenPipe, "it is closed"));
    }
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
