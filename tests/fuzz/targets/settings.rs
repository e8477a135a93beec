//! Settings files: any text is settings or an error that says what is wrong.

use std::{fs, path::PathBuf};

use chess_audit::internals::cli::{Arguments, Command, OptionsError, ResolvedSettings, read};

/// Reads any bytes as a settings file, as `chess-audit settings` does.
pub fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let file = folder.path().join("chess-audit.toml");
    fs::write(&file, bytes).expect("it can be written");
    let command = ["chess-audit".into(), "settings".into(), "--config".into(), file.clone()] as [PathBuf; 4];
    let command = command.map(PathBuf::into_os_string);
    let arguments = match read(&command) {
        Ok(Arguments { command: Command::Settings(arguments), .. }) => arguments,
        Err(OptionsError::File(error)) => return says_where(&format!("{error:#}"), &file),
        // Such as an option that needs another one.
        Err(OptionsError::Usage(error)) => return assert!(error.use_stderr(), "{error}"),
        Ok(other) => panic!("another command: {other:?}"),
    };
    let settings = match ResolvedSettings::new(&arguments.audit) {
        Ok(settings) => settings,
        Err(error) => return says_where(&format!("{error:#}"), &file),
    };
    let limits = settings.limits(None);
    assert!(limits.min_elo <= limits.max_elo);
    assert!(limits.last_day.is_none_or(|last| limits.first_day <= last));
    let expectations = settings.expectations().err();
    for error in
        [settings.selection().err(), settings.exceptions().err(), settings.exclude().err(), expectations].into_iter().flatten()
    {
        says_where(&format!("{error:#}"), &file);
    }
    assert_eq!(
        settings.recorded_exceptions().len(),
        settings.exceptions().map_or(settings.recorded_exceptions().len(), |all| all.len())
    );
}

/// An error names the file.
fn says_where(message: &str, file: &std::path::Path) {
    assert!(message.contains(&file.display().to_string()), "{message}");
}
