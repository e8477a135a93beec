//! Which options a command offers: the others are only in the settings file.

use std::ops::{Deref, DerefMut};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, builder::Resettable};

/// Options that are no settings: what is read and written by one run.
const OF_ONE_RUN: [&str; 17] = [
    "chunk-size",
    "color",
    "config",
    "fail-on-open",
    "files-from",
    "force",
    "games",
    "help",
    "into",
    "keep",
    "no-config",
    "output",
    "quiet",
    "repairs",
    "stdin-name",
    "store",
    "version",
];

/// Settings that nights have on the command line, too.
const OF_NIGHTS: [&str; 3] = ["as-of", "follow", "threads"];

/// Settings that `clean` has on the command line, too, besides its own.
const OF_CLEANING: [&str; 12] = [
    "annotate",
    "baseline",
    "decisions",
    "exclude",
    "likely",
    "names",
    "players",
    "spelling",
    "split-on",
    "steps",
    "threads",
    "versions",
];

/// What `--output` and `--force` mean for `clean`.
const OUTPUT_OF_CLEAN: &str = "Write the result to DIR";
const OUTPUT_OF_CLEAN_LONG: &str = "Write the result to DIR\n\nAn earlier result in DIR is replaced as a whole, if none of \
    its files was edited. If DIR contains anything else, the exit code is 2 and nothing changes. DIR cannot be inside an \
    input.";
const FORCE_OF_CLEAN: &str = "Replace an earlier result even if its files were edited";

/// Whether an option is a setting.
pub fn is_setting(arg: &Arg) -> bool {
    arg.get_long().is_some_and(|name| !OF_ONE_RUN.contains(&name))
}

/// Whether this command has a setting that cannot be given on its command line. The details of an
/// engine are the same for all runs, and so is nearly everything for all nights.
pub fn is_only_in_file(command: &str, arg: &Arg) -> bool {
    let is_detail = || arg.get_long().is_some_and(|name| name.starts_with("engine-"));
    match command {
        "check" | "merge" => is_detail(),
        "nightly" => is_setting(arg) && !arg.get_long().is_some_and(|name| OF_NIGHTS.contains(&name)),
        "clean" => is_setting(arg) && !arg.get_long().is_some_and(|name| OF_CLEANING.contains(&name)),
        _ => false,
    }
}

/// A command without the options that only the settings file can have.
fn without_hidden(command: Command) -> Command {
    let name = command.get_name().to_owned();
    command.mut_args(|arg| {
        // Nights write to their store.
        let long = arg.get_long();
        let is_elsewhere = match &*name {
            "nightly" => long == Some("output"),
            "clean" => matches!(long, Some("repairs" | "games")),
            _ => false,
        };
        let is_hidden = is_only_in_file(&name, &arg) || is_elsewhere;
        match (&*name, long) {
            _ if is_hidden => arg.hide(true),
            ("clean", Some("output")) => arg.help(OUTPUT_OF_CLEAN).long_help(OUTPUT_OF_CLEAN_LONG),
            ("clean", Some("force")) => arg.help(FORCE_OF_CLEAN).long_help(FORCE_OF_CLEAN),
            _ => arg,
        }
    })
}

/// The arguments of a command. They are described only if the command line names it: to describe
/// those of all commands takes longer than to audit a game.
#[derive(Debug)]
pub struct OfCommand<T>(Box<T>);

impl<T> OfCommand<T> {
    /// The arguments.
    pub fn into_inner(self) -> T {
        *self.0
    }
}

impl<T> Deref for OfCommand<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for OfCommand<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Args> Args for OfCommand<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| {
            // The description of the command, not that of its arguments.
            let about = Resettable::from(command.get_about().cloned());
            let long_about = Resettable::from(command.get_long_about().cloned());
            without_hidden(T::augment_args(command)).about(about).long_about(long_about)
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: FromArgMatches> FromArgMatches for OfCommand<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<OfCommand<T>, clap::Error> {
        T::from_arg_matches(matches).map(|arguments| OfCommand(Box::new(arguments)))
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<OfCommand<T>, clap::Error> {
        T::from_arg_matches_mut(matches).map(|arguments| OfCommand(Box::new(arguments)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}
