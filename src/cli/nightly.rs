//! `chess-audit nightly`.

use std::io::Write;

use chess_audit::report::Store;

use super::{
    args::{AuditArguments, NightlyArguments},
    check::{self, Ended, Prepared},
    date::date_of_history,
    outcome::Outcome,
    print_error, print_warning,
    text::ignore_broken_pipe,
};

/// Audits the inputs, and prints what is new since the last night.
pub fn run(arguments: &NightlyArguments) -> anyhow::Result<Outcome> {
    let date = date_of_history(arguments.audit.as_of)?;
    let store = Store::open(&arguments.store)?;
    if let Some(last) = store.last().filter(|last| last.date > date) {
        print_warning(&format!("this night is of {date}, but the last one was of {}: is the clock wrong?", last.date));
    }
    let audit = AuditArguments { output: Some(store.tonight()), quiet: true, game_keys: true, ..arguments.audit.clone() };
    let mut prepared = Prepared::on(date, &audit)?;
    prepared.trend = Some(store.trend(date)?);
    anyhow::ensure!(!prepared.prints_findings(), "printed findings cannot be mailed: remove `--format`");
    let fail_on = prepared.resolved().fail_on_at_night().0;
    let may_shrink = prepared.resolved().may_shrink();
    let Ended { outcome, summary } = check::audit(prepared, &arguments.inputs)?;
    let Some(summary) = summary else { return Ok(outcome) };
    if summary.failures > 0 {
        let tonight = store.tonight();
        let last = match store.last() {
            Some(last) => format!("; the last report is still `{}`", store.report(last).display()),
            None => String::new(),
        };
        print_error(&format!("the audit failed: its report is `{}`{last}", tonight.display()));
        return Ok(Outcome::Failed);
    }
    let night = store.night(date, &summary)?;
    for error in night.unreadable() {
        print_warning(&format!("not compared: {error}"));
    }
    let has_news = night.has_news(fail_on, may_shrink);
    if has_news || night.is_first() {
        let mut stdout = anstream::stdout().lock();
        let mail = store.mail(&night);
        ignore_broken_pipe(stdout.write_all(mail.as_bytes()).and_then(|()| stdout.flush()))?;
    }
    store.keep(&night, arguments.keep)?;
    Ok(if has_news { Outcome::Findings } else { Outcome::Success })
}
