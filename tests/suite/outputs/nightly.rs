//! Nights of `chess-audit nightly`: the exit code, the mail and the history of each.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::common::{
    packs,
    program::{Outcome, PROGRAM, names},
};

/// A game with `moves`, of players with this number.
pub(super) fn game(number: usize, moves: &str) -> String {
    format!(
        "[Event \"Lakeside Open\"]\n[Site \"?\"]\n[Date \"2019.07.04\"]\n[Round \"{number}\"]\n[White \"Abara, Felix\"]\n\
         [Black \"Holmqvist, Nils\"]\n[Result \"*\"]\n\n{moves} *\n\n"
    )
}

/// A game with two wrong move numbers: two warnings.
pub(super) const TWO_FAULTS: &str = "1. e4 d5 3. Bb5+ c6 3. d3 dxe4 6. dxe4";

/// The mail after one of the files was lost.
const LOST: &str = "0 new, 3 gone (1 error); 2 records lost in 1 input";

/// A directory with three files in `games`, of two games each: two warnings and an error.
pub(super) struct Club(tempfile::TempDir);

/// What a night says.
#[derive(Debug)]
pub(super) struct Night {
    pub code: Option<i32>,
    pub mail: String,
    pub stderr: String,
}

impl Night {
    /// Checks that there is nothing to say.
    #[track_caller]
    fn is_silent(&self) {
        assert!(self.code == Some(0) && self.mail.is_empty() && self.stderr.is_empty(), "{self:?}");
    }

    /// Checks that there is mail with this first line.
    #[track_caller]
    fn says(&self, sentence: &str) {
        let first = self.mail.lines().next();
        assert!(self.code == Some(1) && first == Some(sentence) && self.stderr.is_empty(), "{self:?}");
    }

    /// Checks that the night failed, and what it said last.
    #[track_caller]
    fn fails(&self, message: &str) {
        let last = self.stderr.lines().last().unwrap_or_default();
        assert!(self.code == Some(2) && self.mail.is_empty() && last.contains(message), "{message}: {self:?}");
    }
}

impl Club {
    pub fn new() -> Outcome<Club> {
        let club = Club(tempfile::tempdir()?);
        fs::create_dir(club.path("games"))?;
        for (name, first) in [("a", 1), ("b", 3), ("c", 5)] {
            club.write(&format!("games/{name}.pgn"), [game(first, TWO_FAULTS), game(first + 1, "1. Ke2")].concat())?;
        }
        Ok(club)
    }

    /// A club after its first night.
    fn audited() -> Outcome<Club> {
        let club = Club::new()?;
        assert_eq!(club.night(1, &[])?.code, Some(1));
        Ok(club)
    }

    /// A club whose findings are in the baseline, after its first night.
    pub fn with_baseline(until: &[&str]) -> Outcome<Club> {
        let club = Club::audited()?;
        club.write_baseline(until)?;
        club.write("chess-audit.toml", "baseline = \"known.csv\"\n")?;
        fs::remove_dir_all(club.path("store"))?;
        let first = club.night(1, &[])?;
        assert_eq!((first.code, first.stderr.as_str()), (Some(0), ""), "{first:?}");
        assert!(first.mail.starts_with("First night: no new findings in 6 records of 3 inputs; 9 known\n"), "{first:?}");
        Ok(club)
    }

    pub fn write_baseline(&self, until: &[&str]) -> Outcome {
        let last = self.reports()?.pop().ok_or("no report")?;
        let report = format!("store/reports/{last}");
        let output = Command::new(PROGRAM)
            .current_dir(&self.0)
            .args(["baseline", "write", &report, "-o", "known.csv"])
            .args(until)
            .output()?;
        assert!(output.status.success(), "{output:?}");
        Ok(())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn read(&self, name: &str) -> Outcome<String> {
        Ok(fs::read_to_string(self.path(name))?)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> Outcome {
        Ok(fs::write(self.path(name), text)?)
    }

    /// The same, with more in the settings file.
    fn night_set(&self, day: u32, settings: &str) -> Outcome<Night> {
        let before = self.read("chess-audit.toml").unwrap_or_default();
        self.write("chess-audit.toml", format!("{settings}\n{before}"))?;
        let night = self.night(day, &[]);
        self.write("chess-audit.toml", before)?;
        night
    }

    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(&self.0).env_remove("SOURCE_DATE_EPOCH").args(["nightly", "games", "--store", "store"]).args(more);
        command
    }

    /// The night of a day in November 2026.
    pub fn night(&self, day: u32, more: &[&str]) -> Outcome<Night> {
        self.run(self.command(more).arg(format!("--as-of=2026-11-{day:02}")))
    }

    fn run(&self, command: &mut Command) -> Outcome<Night> {
        let output = command.output()?;
        let [mail, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).replace('\\', "/"));
        Ok(Night { code: output.status.code(), mail, stderr })
    }

    /// The names of the reports.
    pub fn reports(&self) -> Outcome<Vec<String>> {
        Ok(names(&self.path("store/reports"))?.into_iter().map(|name| name.to_string_lossy().into_owned()).collect())
    }

    /// The rows of the history.
    fn history(&self) -> Outcome<Vec<Vec<String>>> {
        let mut rows = csv::Reader::from_path(self.path("store/history.csv"))?;
        Ok(rows.records().map(|row| Ok(row?.iter().map(str::to_owned).collect())).collect::<csv::Result<_>>()?)
    }

    /// For each night: number, findings, known ones, games, new findings, lost records.
    fn totals(&self) -> Outcome<Vec<String>> {
        let totals = self.history()?.into_iter().filter(|row| row[2].is_empty() && !row[0].is_empty());
        Ok(totals.map(|row| [0, 4, 5, 8, 11, 12].map(|cell| row[cell].as_str()).join(" ")).collect())
    }
}

#[test]
fn the_first_night_says_what_there_is() -> Outcome {
    let club = Club::new()?;
    let first = club.night(1, &[])?;
    first.says("First night: 9 findings (3 errors) in 6 records of 3 inputs; 0 known");
    assert!(first.mail.ends_with("\nReport: store/reports/00001-2026-11-01/report.html\n"), "{first:?}");
    assert!(club.path("store/reports/00001-2026-11-01/report.html").is_file());
    assert_eq!(names(&club.path("store"))?, ["history.csv", "lock", "reports"]);
    let bytes: u64 = ["a", "b", "c"]
        .iter()
        .filter_map(|name| club.path(&format!("games/{name}.pgn")).metadata().ok())
        .map(|file| file.len())
        .sum();
    assert_eq!(
        club.read("store/history.csv")?,
        format!(
            "night,date,rule,severity,findings,known,records,inputs,games,positions,bytes,new,lost,status\n\
             1,2026-11-01,MOV01,error,3,0,3,,,,,,,ok\n\
             1,2026-11-01,NUM01,warning,6,0,3,,,,,,,ok\n\
             1,2026-11-01,,,9,0,6,3,6,0,{bytes},,,ok\n"
        )
    );
    club.night(2, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 9 0 6 0 0"]);
    assert_eq!(club.history()?.len(), 6);
    Ok(())
}

/// The store may be new because it was lost, so even a good night says that it is the first one.
#[test]
fn a_first_night_without_findings_is_mailed_once() -> Outcome {
    let club = Club::with_baseline(&[])?;
    club.night(2, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 9 6  ", "2 9 9 6 0 0"]);
    Ok(())
}

#[test]
fn what_is_new_is_mailed_once() -> Outcome {
    let club = Club::audited()?;
    let text = club.read("games/a.pgn")?;
    club.write("games/a.pgn", game(7, "1. e4 e5") + &text)?;
    club.night(2, &[])?.is_silent();
    club.write("games/a.pgn", game(8, "1. Ke2") + &game(7, "1. e4 e5") + &text)?;
    let night = club.night(3, &[])?;
    night.says("1 new (1 error), 0 gone");
    assert!(night.mail.contains("\nReport: store/reports/00003-2026-11-03/report.html\n"), "{night:?}");
    assert!(night.mail.contains("\nCompared with the report of 00002-2026-11-02\n"), "{night:?}");
    assert!(night.mail.contains("\ngames/a.pgn:9:4: error MOV01 "), "{night:?}");
    club.night(4, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 9 0 7 0 0", "3 10 0 8 1 0", "4 10 0 8 0 0"]);
    Ok(())
}

#[test]
fn every_new_finding_matters_unless_a_severity_is_set() -> Outcome {
    let club = Club::audited()?;
    club.write("games/d.pgn", game(9, TWO_FAULTS))?;
    club.night_set(2, "fail-on = \"error\"")?.is_silent();
    club.write("games/e.pgn", game(10, TWO_FAULTS))?;
    club.night(3, &[])?.says("2 new, 0 gone");
    club.write("chess-audit.toml", "fail-on = \"error\"\n")?;
    club.write("games/f.pgn", game(11, TWO_FAULTS))?;
    club.night(4, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 11 0 7 2 0", "3 13 0 8 2 0", "4 15 0 9 2 0"]);
    Ok(())
}

#[test]
fn what_is_lost_is_mailed_once() -> Outcome {
    let text = Club::new()?.read("games/b.pgn")?;
    let half = text.split_inclusive("\n\n").take(2).collect::<String>();
    let replaced = "1 new, 3 gone (1 error); 2 records lost in 1 input";
    // Lost, half of it, empty, and a page of a server that was down.
    for (content, sentence, total) in [
        (None, LOST, "2 6 0 4 0 2"),
        (Some(half.as_str()), "0 new, 1 gone (1 error); 1 record lost in 1 input", "2 8 0 5 0 1"),
        (Some(""), replaced, "2 7 0 4 1 2"),
        (Some("<!DOCTYPE html>\n<title>503 Service Unavailable</title>\n"), replaced, "2 7 0 4 1 2"),
    ] {
        let club = Club::audited()?;
        match content {
            None => fs::remove_file(club.path("games/b.pgn"))?,
            Some(text) => club.write("games/b.pgn", text)?,
        }
        let night = club.night(2, &[])?;
        night.says(sentence);
        assert!(night.mail.contains("games/b.pgn"), "{night:?}");
        assert_eq!(club.totals()?[1], total);
        club.night(3, &[])?.is_silent();
    }
    Ok(())
}

#[test]
fn inputs_may_shrink_if_the_settings_say_so() -> Outcome {
    let club = Club::audited()?;
    club.write("chess-audit.toml", "[expect]\nshrink = true\n")?;
    fs::remove_file(club.path("games/b.pgn"))?;
    club.night(2, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 6 0 4 0 2"]);
    club.write("chess-audit.toml", "[expect]\nshrink = false\n")?;
    fs::remove_file(club.path("games/c.pgn"))?;
    club.night(3, &[])?.says(LOST);
    Ok(())
}

#[test]
fn a_broken_expectation_is_new() -> Outcome {
    let club = Club::audited()?;
    club.write("chess-audit.toml", "[expect]\ngames = { min = 7 }\n")?;
    let night = club.night(2, &[])?;
    night.says("1 new (1 error), 0 gone");
    assert!(night.mail.contains("the run has 6 games instead of at least 7"), "{night:?}");
    // As long as it is broken.
    let still = "No differences; 1 expectation is still not met";
    club.night(3, &[])?.says(still);
    club.write("chess-audit.toml", "[expect]\ngames = { min = 6 }\n")?;
    club.night(4, &[])?.is_silent();
    Ok(())
}

#[test]
fn a_failed_audit_leaves_the_last_report() -> Outcome {
    let club = Club::audited()?;
    let packed = packs::gzip(game(7, "1. e4 e5").as_bytes());
    club.write("games/d.pgn.gz", &packed)?;
    club.night(2, &[])?.is_silent();
    club.write("games/d.pgn.gz", &packed[..packed.len() / 2])?;
    for day in [3, 4] {
        let night = club.night(day, &[])?;
        night.fails(
            "error: the audit failed: its report is `store/tonight`; the last report is still `store/reports/00002-2026-11-02`",
        );
        assert!(night.stderr.starts_with("error: games/d.pgn.gz"), "{night:?}");
        assert_eq!(club.reports()?, ["00001-2026-11-01", "00002-2026-11-02"]);
        assert!(club.read("store/tonight/failures.csv")?.contains("games/d.pgn.gz"));
    }
    let failed = |day: u32| format!(",2026-11-{day:02},,,,,,,,,,,,failed\n");
    assert!(club.read("store/history.csv")?.ends_with(&[failed(3), failed(4)].concat()));
    // What came in these nights is new in the next good one.
    club.write("games/d.pgn.gz", &packed)?;
    club.write("games/e.pgn", game(8, "1. Ke2"))?;
    club.night(5, &[])?.says("1 new (1 error), 0 gone");
    assert_eq!(club.reports()?, ["00001-2026-11-01", "00002-2026-11-02", "00003-2026-11-05"]);
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 9 0 7 0 0", "3 10 0 8 1 0"]);
    assert!(!club.path("store/tonight").exists());
    Ok(())
}

#[test]
fn a_missing_mount_is_a_failure() -> Outcome {
    let club = Club::audited()?;
    fs::rename(club.path("games"), club.path("elsewhere"))?;
    club.night(2, &[])?.fails("games");
    // The mount point is there, and nothing is mounted.
    fs::create_dir(club.path("games"))?;
    club.night(3, &[])?.fails("games");
    assert_eq!(club.reports()?, ["00001-2026-11-01"]);
    fs::remove_dir(club.path("games"))?;
    fs::rename(club.path("elsewhere"), club.path("games"))?;
    club.night(4, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 9 0 6 0 0"]);
    Ok(())
}

#[test]
fn a_copied_file_is_one_line() -> Outcome {
    let club = Club::audited()?;
    fs::copy(club.path("games/b.pgn"), club.path("games/0.pgn"))?;
    let night = club.night(2, &[])?;
    night.says("0 new, 0 gone, 3 in copied inputs; 1 input is a copy of another one");
    let line = "\ncopied    games/0.pgn (a copy of games/b.pgn: 2 games and positions are now there twice; 3 findings as in \
                games/b.pgn)\n";
    assert!(night.mail.contains(line), "{night:?}");
    assert_eq!(night.mail.matches("games/0.pgn").count(), 1, "{night:?}");
    club.night(3, &[])?.is_silent();
    Ok(())
}

#[test]
fn a_restored_file_is_new_unless_its_findings_are_known() -> Outcome {
    for (club, restored) in [(Club::audited()?, "3 new (1 error), 0 gone"), (Club::with_baseline(&[])?, "")] {
        let text = club.read("games/b.pgn")?;
        fs::remove_file(club.path("games/b.pgn"))?;
        club.night(2, &[])?.says(LOST);
        club.write("games/b.pgn", text)?;
        let night = club.night(3, &[])?;
        if restored.is_empty() { night.is_silent() } else { night.says(restored) }
    }
    Ok(())
}

#[test]
fn a_repair_is_not_mailed() -> Outcome {
    let club = Club::audited()?;
    let text = club.read("games/b.pgn")?;
    // One of two faults, then the other one.
    club.write("games/b.pgn", text.replace("3. Bb5+", "2. Bb5+"))?;
    club.night(2, &[])?.is_silent();
    club.write("games/b.pgn", text.replace("3. Bb5+", "2. Bb5+").replace("6. dxe4", "4. dxe4"))?;
    club.night(3, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 8 0 6 0 0", "3 7 0 6 0 0"]);
    Ok(())
}

#[test]
fn a_finding_that_is_worse_than_before_is_mailed() -> Outcome {
    let club = Club::audited()?;
    club.write("chess-audit.toml", "[severity]\nNUM01 = \"error\"\n")?;
    club.night(2, &[])?.says("0 new, 0 gone, 6 with changed severity");
    club.write("chess-audit.toml", "")?;
    club.night(3, &[])?.is_silent();
    let severities: Vec<_> = club.history()?.into_iter().filter(|row| row[2] == "NUM01").map(|row| row[3].clone()).collect();
    assert_eq!(severities, ["warning", "error", "warning"]);
    Ok(())
}

#[test]
fn findings_whose_entries_have_expired_are_mailed_once() -> Outcome {
    let club = Club::with_baseline(&["--until", "2026-11-02"])?;
    club.night(2, &[])?.is_silent();
    let night = club.night(3, &[])?;
    night.says("0 new, 0 gone, 9 no longer known");
    assert!(night.mail.contains("\ngames/a.pgn:19:4: error MOV01 "), "{night:?}");
    club.night(4, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 9 6  ", "2 9 9 6 0 0", "3 9 0 6 0 0", "4 9 0 6 0 0"]);
    Ok(())
}

#[test]
fn findings_whose_entries_were_removed_are_mailed_once() -> Outcome {
    let club = Club::with_baseline(&[])?;
    let known = club.read("known.csv")?;
    let kept: Vec<&str> = known.lines().filter(|line| !line.contains(",MOV01,") || !line.contains("games/b.pgn")).collect();
    assert_eq!(kept.len() + 1, known.lines().count());
    club.write("known.csv", kept.join("\n"))?;
    club.night(2, &[])?.says("0 new, 0 gone, 1 no longer known");
    club.night(3, &[])?.is_silent();
    Ok(())
}

#[test]
fn the_last_reports_are_kept() -> Outcome {
    let club = Club::audited()?;
    for day in 2..=5 {
        club.night(day, &["--keep", "3"])?.is_silent();
    }
    assert_eq!(club.reports()?, ["00003-2026-11-03", "00004-2026-11-04", "00005-2026-11-05"]);
    // Somebody's notes, and what is not a report, are not removed.
    club.write("store/reports/00003-2026-11-03/notes", "mine")?;
    fs::create_dir(club.path("store/reports/mine"))?;
    club.night(6, &["--keep=1"])?.is_silent();
    assert_eq!(club.reports()?, ["00003-2026-11-03", "00006-2026-11-06", "mine"]);
    assert!(club.path("store/reports/00003-2026-11-03/report.html").exists());
    assert_eq!(club.totals()?.len(), 6);
    let night = club.night(7, &["--keep=0"])?;
    assert_eq!(night.code, Some(2), "{night:?}");
    Ok(())
}

#[test]
fn a_clock_that_was_set_back_does_not_matter() -> Outcome {
    let club = Club::audited()?;
    club.night(9, &[])?.is_silent();
    club.write("games/d.pgn", game(9, "1. Ke2"))?;
    let night = club.night(3, &[])?;
    assert_eq!(night.code, Some(1), "{night:?}");
    assert!(night.mail.starts_with("1 new (1 error), 0 gone\n"), "{night:?}");
    assert_eq!(night.stderr, "warning: this night is of 2026-11-03, but the last one was of 2026-11-09: is the clock wrong?\n");
    // Several nights of one day.
    club.night(3, &["--keep=2"])?.is_silent();
    assert_eq!(club.reports()?, ["00003-2026-11-03", "00004-2026-11-03"]);
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 9 0 6 0 0", "3 10 0 7 1 0", "4 10 0 7 0 0"]);
    Ok(())
}

#[test]
fn the_date_is_that_of_the_build_or_the_clock() -> Outcome {
    let club = Club::new()?;
    assert_eq!(club.run(club.command(&[]).env("SOURCE_DATE_EPOCH", "86400"))?.code, Some(1));
    assert_eq!(club.reports()?, ["00001-1970-01-02"]);
    club.run(club.command(&[]).env("SOURCE_DATE_EPOCH", "tomorrow"))?
        .fails("SOURCE_DATE_EPOCH is not a number of seconds: `tomorrow`");
    club.run(&mut club.command(&[]))?.is_silent();
    // Not in the report, which is the same in every night.
    let runs = club
        .reports()?
        .into_iter()
        .map(|name| club.read(&format!("store/reports/{name}/run.json")))
        .collect::<Outcome<Vec<_>>>()?;
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0], runs[1]);
    Ok(())
}

#[test]
fn a_store_can_be_moved() -> Outcome {
    let club = Club::audited()?;
    fs::create_dir(club.path("there"))?;
    fs::rename(club.path("store"), club.path("there/nights"))?;
    let mut command = Command::new(PROGRAM);
    command.current_dir(&club.0).args(["nightly", "games", "--as-of=2026-11-02", "--store", "there/nights"]);
    club.run(&mut command)?.is_silent();
    assert_eq!(names(&club.path("there/nights/reports"))?, ["00001-2026-11-01", "00002-2026-11-02"]);
    // At the old place, it is the first night again, which is said.
    club.night(3, &[])?.says("First night: 9 findings (3 errors) in 6 records of 3 inputs; 0 known");
    Ok(())
}

#[test]
fn a_directory_with_other_files_is_not_a_store() -> Outcome {
    let club = Club::new()?;
    fs::create_dir(club.path("store"))?;
    club.write("store/mine", "precious")?;
    club.night(1, &[])?.fails("`store` is not empty and not a store of chess-audit; choose another directory with --store");
    assert_eq!(names(&club.path("store"))?, ["mine"]);
    fs::remove_dir_all(club.path("store"))?;
    club.write("store", "precious")?;
    club.night(1, &[])?.fails("cannot use `store` as a store: ");
    fs::remove_file(club.path("store"))?;
    // Another file in the place of the history.
    assert_eq!(club.night(1, &[])?.code, Some(1));
    club.write("store/history.csv", "1939,Zurich\n")?;
    club.night(2, &[])?.fails("`store/history.csv` is not a history of nights: its columns are different; move it elsewhere");
    assert_eq!(club.read("store/history.csv")?, "1939,Zurich\n");
    fs::remove_file(club.path("store/history.csv"))?;
    club.night(3, &[])?.is_silent();
    assert_eq!(club.totals()?, ["2 9 0 6 0 0", "3 9 0 6 0 0"]);
    Ok(())
}

#[test]
fn options_that_the_store_replaces_are_refused() -> Outcome {
    let club = Club::new()?;
    for option in ["--output=report", "--format=csv"] {
        let night = club.night(1, &[option])?;
        night.fails("");
        assert!(night.stderr.contains(option.split('=').next().unwrap_or_default()), "{night:?}");
        assert!(!club.path("store/history.csv").exists(), "{option}");
    }
    Ok(())
}

#[test]
fn what_is_the_same_every_night_is_a_setting() -> Outcome {
    let club = Club::new()?;
    for (option, setting) in
        [("--duplicates", "duplicates = true"), ("--select=MOV", "select = [\"MOV\"]"), ("--name=A", "name = \"A\"")]
    {
        let night = club.night(1, &[option])?;
        night.fails("");
        let name = option.split('=').next().unwrap_or_default();
        let expected = format!("error: `{name}` was removed: write `{setting}` in chess-audit.toml\n");
        assert_eq!(night.stderr, expected);
    }
    Ok(())
}

/// The page shows how the numbers of the last nights have changed, and marks what is out of the
/// ordinary.
#[test]
fn the_page_shows_the_last_nights() -> Outcome {
    let club = Club::new()?;
    let page = |night: usize| club.read(&format!("store/reports/{night:05}-2026-11-{night:02}/report.html"));
    club.night(1, &[])?;
    assert!(!page(1)?.contains("nights-heading"), "one night is no trend");
    for night in 2..=5 {
        if night == 4 {
            club.write("games/d.pgn", [game(7, "1. Ke2"), game(8, "1. Ke2")].concat())?;
        }
        club.night(night, &[])?;
    }
    let page = page(5)?;
    assert!(page.contains("<h2 id=\"nights-heading\">The last 5 nights</h2>"), "{page}");
    let lines = [
        "aria-label=\"errors: 5 now, from 3 to 5 in 5 nights; jumps on 2026-11-04: from 3 to 5\"",
        "aria-label=\"warnings: 6 now, from 6 to 6 in 5 nights\"",
        "aria-label=\"games and positions: 8 now, from 6 to 8 in 5 nights; jumps on 2026-11-04: from 6 to 8\"",
    ];
    for line in lines {
        assert!(page.contains(line), "{line}: {page}");
    }
    // The fourth of five nights, at the top.
    assert!(
        page.contains("points=\"4.0,28.0 42.0,28.0 80.0,28.0 118.0,4.0 156.0,4.0\"/><circle cx=\"118.0\" cy=\"4.0\""),
        "{page}"
    );
    Ok(())
}

/// What is known does not count, and only the last 30 nights are shown.
#[test]
fn known_findings_are_no_part_of_the_last_nights() -> Outcome {
    let club = Club::with_baseline(&[])?;
    let header = club.read("store/history.csv")?.lines().next().ok_or("no header")?.to_owned();
    let mut history = format!("{header}\n");
    for night in 1..=40 {
        history.push_str(&format!(
            "{night},2026-10-01,MOV01,error,7,{},1,,,,,,,ok\n{night},2026-10-01,,,7,7,1,1,7,0,9,0,0,ok\n",
            7 - night % 2
        ));
    }
    let last = club.reports()?.pop().ok_or("no report")?;
    fs::rename(club.path(&format!("store/reports/{last}")), club.path("store/reports/00040-2026-10-01"))?;
    club.write("store/history.csv", history)?;
    club.night(2, &[])?.is_silent();
    let page = club.read("store/reports/00041-2026-11-02/report.html")?;
    assert!(page.contains("<h2 id=\"nights-heading\">The last 30 nights</h2>"), "{page}");
    assert!(page.contains("aria-label=\"errors: 0 now, from 0 to 1 in 30 nights\""), "{page}");
    assert!(page.contains("aria-label=\"games and positions: 6 now, from 6 to 7 in 30 nights; jumps on "), "{page}");
    Ok(())
}

/// All that a night does can be done by other commands.
#[test]
fn check_adds_to_a_history_too() -> Outcome {
    let club = Club::audited()?;
    club.night(2, &[])?;
    let nights = club.history()?;
    let check = |day: u32| -> Outcome<Option<i32>> {
        let mut command = Command::new(PROGRAM);
        command.current_dir(&club.0).args(["check", "games", "-o", "report", "-q", "--history", "history.csv"]);
        Ok(command.arg(format!("--as-of=2026-11-{day:02}")).status()?.code())
    };
    assert_eq!((check(1)?, check(2)?), (Some(1), Some(1)));
    fs::rename(club.path("store"), club.path("nights"))?;
    fs::create_dir(club.path("store"))?;
    fs::copy(club.path("history.csv"), club.path("store/history.csv"))?;
    // Only a comparison says what is new and lost.
    let without_changes = |mut row: Vec<String>| {
        row.drain(11..13);
        row
    };
    let [checked, nights] = [club.history()?, nights].map(|rows| rows.into_iter().map(without_changes).collect::<Vec<_>>());
    assert_eq!(checked, nights);
    // A failed audit would look like a loss.
    let packed = packs::gzip(&[game(7, "1. e4 e5").as_bytes(); 9].concat());
    club.write("games/d.pgn.gz", &packed[..packed.len() / 2])?;
    assert_eq!(check(3)?, Some(2));
    assert_eq!(fs::read(club.path("history.csv"))?, fs::read(club.path("store/history.csv"))?);
    Ok(())
}

/// The number of games and all findings are the same, but a game is gone.
#[test]
fn a_game_replaced_by_its_neighbour_is_mailed() -> Outcome {
    let club = Club::new()?;
    let [first, second] = [game(7, "1. e4 e5"), game(8, "1. d4 d5")];
    club.write("games/d.pgn", [first.as_str(), &second].concat())?;
    club.night(1, &[])?;
    club.write("games/d.pgn", first.repeat(2))?;
    let night = club.night(2, &[])?;
    night.says("No differences in findings; 1 record lost in 1 input");
    let gone = "\nGames that are gone:\n\ngames/d.pgn:11: Abara, Felix - Holmqvist, Nils, 2019.07.04, round 8\n";
    assert!(night.mail.contains(gone), "{night:?}");
    club.night(3, &[])?.is_silent();
    // Only the last two reports have the keys of the games.
    let reports = club.reports()?;
    let has_keys = reports.iter().map(|report| club.path(&format!("store/reports/{report}/game_keys.csv")).exists());
    assert_eq!(has_keys.collect::<Vec<_>>(), [false, true, true]);
    Ok(())
}

#[test]
fn games_that_were_edited_added_or_moved_are_not_mailed() -> Outcome {
    let club = Club::new()?;
    let games = [game(7, "1. e4 e5"), game(8, "1. d4 d5"), game(9, "1. c4 c5")];
    club.write("games/d.pgn", games.concat())?;
    club.night(1, &[])?;
    club.write(
        "games/d.pgn",
        [&games[0], &game(10, "1. b3 b6"), &games[1].replace("Lakeside", "Harbour")].map(String::as_str).concat(),
    )?;
    club.write("games/e.pgn", &games[2])?;
    club.night(2, &[])?.is_silent();
    Ok(())
}

/// Replaces text in the `run.json` of a report.
fn edit_run(report: &Path, from: &str, to: &str) -> Outcome {
    let path = report.join("run.json");
    let text = fs::read_to_string(&path)?;
    assert!(text.contains(from), "{text}");
    Ok(fs::write(path, text.replacen(from, to, 1))?)
}

#[test]
fn an_update_of_the_program_is_mentioned() -> Outcome {
    let club = Club::audited()?;
    let report = club.path("store/reports/00001-2026-11-01");
    edit_run(&report, &format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION")), "\"version\": \"0.0.9\"")?;
    club.night(2, &[])?.is_silent();
    edit_run(&club.path("store/reports/00002-2026-11-02"), env!("CARGO_PKG_VERSION"), "0.0.9")?;
    club.write("games/d.pgn", game(9, "1. Ke2"))?;
    let night = club.night(3, &[])?;
    night.says("1 new (1 error), 0 gone");
    assert!(night.mail.contains("were written by different versions of chess-audit (0.0.9 and "), "{night:?}");
    // A report of a version that this one cannot read.
    edit_run(&club.path("store/reports/00003-2026-11-03"), "\"schema_version\": 1", "\"schema_version\": 99")?;
    club.night(4, &[])?.fails("`store/reports/00003-2026-11-03` was written by a newer version of chess-audit");
    assert_eq!(club.reports()?.len(), 3);
    assert_eq!(club.totals()?.len(), 3);
    Ok(())
}

/// Earlier versions wrote neither digests nor the number of known findings.
#[test]
fn a_report_of_an_earlier_version_is_compared() -> Outcome {
    let club = Club::audited()?;
    let path = club.path("store/reports/00001-2026-11-01/run.json");
    let mut run: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
    let totals = run["totals"].as_object_mut().ok_or("no totals")?;
    assert!(totals.remove("known_findings").is_some());
    assert!(run.as_object_mut().and_then(|run| run.remove("tables")).is_some());
    fs::write(&path, run.to_string())?;
    fs::remove_file(club.path("store/reports/00001-2026-11-01/expectations.csv"))?;
    club.write("games/d.pgn", game(9, "1. Ke2"))?;
    let night = club.night(2, &[])?;
    night.says("1 new (1 error), 0 gone");
    assert!(night.mail.contains("The old report was written by an earlier version, without digests."), "{night:?}");
    club.night(3, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 10 0 7 1 0", "3 10 0 7 0 0"]);
    Ok(())
}

#[test]
fn a_damaged_report_is_passed_over() -> Outcome {
    let club = Club::audited()?;
    club.night(2, &[])?.is_silent();
    club.write("games/d.pgn", game(9, "1. Ke2"))?;
    club.night(3, &[])?.says("1 new (1 error), 0 gone");
    club.write("store/reports/00003-2026-11-03/moves.csv", "")?;
    fs::remove_file(club.path("store/reports/00002-2026-11-02/run.json"))?;
    let night = club.night(4, &[])?;
    assert_eq!(night.code, Some(1), "{night:?}");
    assert!(night.mail.starts_with("1 new (1 error), 0 gone; 2 reports cannot be read\n"), "{night:?}");
    assert!(night.mail.contains("\nNote: not compared: `store/reports/00003-2026-11-03/moves.csv` "), "{night:?}");
    let warnings: Vec<&str> = night.stderr.lines().collect();
    assert_eq!(warnings.len(), 2, "{night:?}");
    assert!(warnings[0].starts_with("warning: not compared: `store/reports/00003-2026-11-03/moves.csv` "), "{night:?}");
    assert!(warnings[1].starts_with("warning: not compared: `store/reports/00002-2026-11-02` is not a chess-audit"), "{night:?}");
    club.night(5, &[])?.is_silent();
    // Without any report that can be read, all is said again.
    for name in club.reports()? {
        fs::remove_file(club.path("store/reports").join(name).join("inputs.csv"))?;
    }
    let night = club.night(6, &[])?;
    let first =
        "Night 6, nothing to compare with: no report can be read; 10 findings (4 errors) in 7 records of 4 inputs; 0 known\n";
    assert!(night.code == Some(1) && night.mail.starts_with(first), "{night:?}");
    assert_eq!(club.totals()?.last().map(String::as_str), Some("6 10 0 7  "));
    Ok(())
}

#[test]
fn two_nights_at_once_are_refused() -> Outcome {
    let club = Club::audited()?;
    let lock = fs::File::options().write(true).open(club.path("store/lock"))?;
    lock.lock()?;
    club.night(2, &[])?.fails("another audit of `store` is still running; wait until it has ended");
    assert_eq!(names(&club.path("store"))?, ["history.csv", "lock", "reports"]);
    // As when the process ends or is killed.
    drop(lock);
    club.night(3, &[])?.is_silent();
    assert_eq!(club.reports()?, ["00001-2026-11-01", "00002-2026-11-03"]);
    Ok(())
}

#[test]
fn a_renamed_file_and_one_that_was_packed_again_are_not_mailed() -> Outcome {
    let club = Club::audited()?;
    fs::rename(club.path("games/c.pgn"), club.path("games/0.pgn"))?;
    club.night(2, &[])?.is_silent();
    let text = club.read("games/b.pgn")?;
    fs::remove_file(club.path("games/b.pgn"))?;
    club.write("games/b.pgn.gz", packs::gzip(text.as_bytes()))?;
    club.night(3, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 9 0 6 0 0", "3 9 0 6 0 0"]);
    Ok(())
}

/// The rows of the history are never removed.
#[test]
fn numbers_go_on_if_reports_are_gone() -> Outcome {
    let club = Club::audited()?;
    club.night(2, &[])?.is_silent();
    let totals = club.totals()?;
    let found = "9 findings (3 errors) in 6 records of 3 inputs; 0 known";
    for (day, directory) in [(3, "store/reports"), (4, "store/reports"), (5, "store/reports")] {
        fs::remove_dir_all(club.path(directory))?;
        if day < 5 {
            fs::create_dir(club.path(directory))?;
        }
        club.night(day, &[])?.says(&format!("Night {day}, nothing to compare with: reports/ is empty; {found}"));
        assert_eq!(club.reports()?, [format!("{day:05}-2026-11-{day:02}")]);
        assert_eq!(club.totals()?[..2], totals);
        assert_eq!(club.totals()?.len() as u32, day);
    }
    club.night(6, &[])?.is_silent();
    // Without a history, the reports have the numbers.
    fs::remove_file(club.path("store/history.csv"))?;
    club.night(7, &[])?.is_silent();
    assert_eq!(club.totals()?, ["7 9 0 6 0 0"]);
    // Whatever is known and may shrink: nobody has compared.
    club.write_baseline(&[])?;
    club.write("chess-audit.toml", "baseline = \"known.csv\"\n[expect]\nshrink = true\n")?;
    fs::remove_dir_all(club.path("store/reports"))?;
    club.night_set(8, "fail-on = \"never\"")?
        .says("Night 8, nothing to compare with: reports/ is empty; no new findings in 6 records of 3 inputs; 9 known");
    Ok(())
}

/// Names that look like those of nights.
#[test]
fn foreign_directories_are_no_nights() -> Outcome {
    let club = Club::audited()?;
    let names =
        ["99999999999999999999", "99999999999999999999-2026-11-01", "18446744073709551615-2026-11-01", "00002-2026-11-02"];
    for name in names {
        fs::create_dir(club.path("store/reports").join(name))?;
        club.write(&format!("store/reports/{name}/mine"), "precious")?;
    }
    club.write("store/reports/00003-2026-11-02", "precious")?;
    let night = club.night(2, &["--keep=1"])?;
    assert!(night.code == Some(0) && night.mail.is_empty(), "{night:?}");
    let mut warnings: Vec<&str> = night.stderr.lines().collect();
    warnings.sort();
    assert_eq!(warnings.len(), 3, "{night:?}");
    assert_eq!(warnings[0], "warning: `store/reports/00002-2026-11-02` is not a report and was ignored; move it elsewhere");
    assert!(warnings[2].contains("18446744073709551615-2026-11-01"), "{night:?}");
    assert_eq!(club.totals()?, ["1 9 0 6  ", "4 9 0 6 0 0"]);
    for name in names {
        assert_eq!(club.read(&format!("store/reports/{name}/mine"))?, "precious");
    }
    assert!(club.path("store/reports/00004-2026-11-02/run.json").exists());
    // A report under such a name, and such a night of the history.
    fs::remove_dir_all(club.path("store/reports/18446744073709551615-2026-11-01"))?;
    fs::rename(club.path("store/reports/00004-2026-11-02"), club.path("store/reports/18446744073709551615-2026-11-01"))?;
    club.night(3, &[])?
        .fails("`store/reports/18446744073709551615-2026-11-01` has the highest number that a night can have; move it elsewhere");
    fs::rename(club.path("store/reports/18446744073709551615-2026-11-01"), club.path("store/reports/00004-2026-11-02"))?;
    let history = club.read("store/history.csv")?;
    club.write("store/history.csv", format!("{history}18446744073709551615,2026-11-01,,,,,,,,,,,\n"))?;
    club.night(3, &[])?.fails("`store/history.csv` has the highest number that a night can have; move it elsewhere");
    Ok(())
}

/// A game is replaced, and the last report does not have what shows it.
#[test]
fn games_that_cannot_be_compared_are_mailed() -> Outcome {
    let games = [game(7, "1. e4 e5"), game(8, "1. d4 d5"), game(9, "1. c4 c5")];
    let replaced = |club: &Club, day: u32| -> Outcome {
        let file = games[day as usize % 3].clone()
            + &game(10 + day as usize, "1. b3 b6").replace("Abara", "Lind").replace("2019", "2018");
        club.write("games/d.pgn", file)
    };
    let club = Club::new()?;
    club.write("games/d.pgn", games[..2].concat())?;
    for day in 1..=3 {
        club.night(day, &[])?;
    }
    // The last report is damaged, but the one before it has the keys.
    club.write("store/reports/00003-2026-11-03/moves.csv", "")?;
    club.write("games/d.pgn", games[0].repeat(2))?;
    let night = club.night(4, &[])?;
    assert_eq!(night.code, Some(1), "{night:?}");
    assert!(
        night.mail.starts_with("No differences in findings; 1 record lost in 1 input; 1 report cannot be read\n"),
        "{night:?}"
    );
    assert!(night.mail.contains("\nNote: not compared: `store/reports/00003-2026-11-03/moves.csv` "), "{night:?}");
    // The keys are gone.
    fs::remove_file(club.path("store/reports/00004-2026-11-04/game_keys.csv"))?;
    replaced(&club, 5)?;
    let night = club.night(5, &[])?;
    night.says("No differences in findings; the games of 1 input were not compared");
    assert!(
        night.mail.contains(
            "\nNote: the report of 00004-2026-11-04 has no game_keys.csv. Games that were replaced since then, in 1 input with \
             another text, are not noticed.\n"
        ),
        "{night:?}"
    );
    // What has not changed needs no keys, nor does what may be lost.
    fs::remove_file(club.path("store/reports/00005-2026-11-05/game_keys.csv"))?;
    club.night(6, &[])?.is_silent();
    fs::remove_file(club.path("store/reports/00006-2026-11-06/game_keys.csv"))?;
    replaced(&club, 7)?;
    club.write("chess-audit.toml", "[expect]\nshrink = true\n")?;
    club.night(7, &[])?.is_silent();
    Ok(())
}

/// Whatever is damaged in the last report, it is said.
#[test]
fn each_missing_or_damaged_file_of_the_last_report_is_mailed() -> Outcome {
    let club = Club::audited()?;
    club.write("games/d.pgn", [game(7, "1. e4 e5"), game(8, "1. d4 d5")].concat())?;
    club.night(2, &[])?.is_silent();
    let last = club.path("store/reports/00002-2026-11-02");
    let unneeded = ["datapackage.json", "failures.csv", "profile.csv", "report.html", "summary.csv"];
    let of_night = ["open.csv", "compare.csv", "compare_inputs.csv", "compare_games.csv"];
    for name in names(&last)? {
        let file = last.join(&name);
        let content = fs::read(&file)?;
        for damaged in [None, Some(&content[..content.len() / 2]), Some(&b"\xFF\0"[..])] {
            match damaged {
                None => fs::remove_file(&file)?,
                Some(damaged) => fs::write(&file, damaged)?,
            }
            club.write("games/d.pgn", game(7, "1. e4 e5").repeat(2))?;
            let night = club.night_set(3, "no-html = true")?;
            assert!(night.code == Some(1) && !night.mail.is_empty(), "{name:?}: {night:?}");
            let is_said = night.mail.contains("; 1 report cannot be read\n") || night.mail.contains(" has no game_keys.csv. ");
            // Without the findings of its lines, a report is compared by their numbers.
            let is_counted = name == "folded.csv" && damaged.is_none();
            let is_unneeded = is_counted || unneeded.iter().chain(&of_night).any(|unneeded| name == *unneeded);
            assert_eq!(is_said, !is_unneeded, "{name:?}, {damaged:?}: {night:?}");
            fs::remove_dir_all(club.path("store/reports/00003-2026-11-03"))?;
            let history = club.read("store/history.csv")?;
            let kept = history.split_inclusive('\n').filter(|row| !row.starts_with("3,"));
            club.write("store/history.csv", kept.collect::<String>())?;
        }
        fs::write(&file, content)?;
    }
    Ok(())
}

/// The night goes on, and its rows wait until the history is corrected.
#[test]
fn a_damaged_history_stops_no_night() -> Outcome {
    let club = Club::audited()?;
    let good = club.read("store/history.csv")?;
    let short = good.clone() + "1,2026-11-01,MOV01,error,9,0,9,,,\n";
    let line = short.lines().count();
    let message = format!("error: `store/history.csv`: line {line} has 10 of 14 columns; correct it or move it\n");
    club.write("store/history.csv", &short)?;
    club.write("games/d.pgn", game(9, "1. Ke2"))?;
    let night = club.night(2, &[])?;
    assert_eq!((night.code, night.stderr.as_str()), (Some(2), message.as_str()), "{night:?}");
    assert!(night.mail.starts_with("1 new (1 error), 0 gone\n"), "{night:?}");
    // Also if there is nothing to say, and the report would be too old.
    for day in 3..=4 {
        let night = club.night(day, &["--keep=1"])?;
        assert_eq!((night.code, night.mail.as_str(), night.stderr.as_str()), (Some(2), "", message.as_str()), "{night:?}");
    }
    assert_eq!(club.reports()?, ["00002-2026-11-02", "00003-2026-11-03", "00004-2026-11-04"]);
    assert_eq!(club.read("store/history.csv")?, short);
    assert_eq!(names(&club.path("store"))?, ["history.csv", "lock", "reports"]);
    club.write("store/history.csv", &good)?;
    club.night(5, &["--keep=1"])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 10 0 7 1 0", "3 10 0 7 0 0", "4 10 0 7 0 0", "5 10 0 7 0 0"]);
    assert!(club.read("store/history.csv")?.starts_with(&good));
    // Nothing waits any more.
    club.night(6, &["--keep=1"])?.is_silent();
    assert_eq!(club.reports()?, ["00006-2026-11-06"]);
    Ok(())
}

/// Neither what comes later nor what is there already is in the way of rows that have waited.
#[test]
fn rows_that_have_waited_are_added_once_and_in_order() -> Outcome {
    let club = Club::audited()?;
    let history = club.read("store/history.csv")?;
    club.write("store/reports/00001-2026-11-01/history.csv", &history)?;
    club.night(2, &[])?.is_silent();
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 9 0 6 0 0"]);
    let both = club.read("store/history.csv")?;
    club.write("store/reports/00001-2026-11-01/history.csv", &history)?;
    let (header, second) = (history.lines().next().ok_or("no header")?, both.strip_prefix(&history).ok_or("rows were changed")?);
    club.write("store/history.csv", format!("{header}\n{second}"))?;
    club.night(3, &[])?.is_silent();
    assert!(club.read("store/history.csv")?.starts_with(&both));
    assert_eq!(club.totals()?, ["1 9 0 6  ", "2 9 0 6 0 0", "3 9 0 6 0 0"]);
    Ok(())
}

#[test]
fn check_refuses_a_damaged_history_before_the_audit() -> Outcome {
    let club = Club::new()?;
    let mut command = Command::new(PROGRAM);
    command.current_dir(&club.0).args(["check", "games", "-o", "report", "-q", "--history", "history.csv"]);
    assert_eq!(club.run(&mut command)?.code, Some(1));
    fs::remove_dir_all(club.path("report"))?;
    let history = club.read("history.csv")? + "2,2026-11-01\n";
    club.write("history.csv", &history)?;
    club.run(&mut command)?.fails("columns; correct it or move it");
    assert!(!club.path("report").exists());
    assert_eq!(club.read("history.csv")?, history);
    // Nor can there be a history in a directory that is missing.
    fs::remove_file(club.path("history.csv"))?;
    club.run(command.args(["--history", "missing/history.csv"]))?.fails("");
    assert!(!club.path("report").exists());
    Ok(())
}

#[test]
fn eight_audits_at_once_are_eight_rows_of_a_history() -> Outcome {
    let club = Club::new()?;
    fs::create_dir(club.path("there"))?;
    for count in [8, 16] {
        let audits = (0..8).map(|number| {
            let mut command = Command::new(PROGRAM);
            command.current_dir(&club.0).args(["check", "games", "-q", "--no-html", "--history", "there/history.csv"]);
            command.args(["--as-of", "2026-11-01", "-o", &format!("report{number}")]).spawn()
        });
        for mut audit in audits.collect::<Result<Vec<_>, _>>()? {
            assert_eq!(audit.wait()?.code(), Some(1));
        }
        let mut rows = csv::Reader::from_path(club.path("there/history.csv"))?;
        let rows = rows.records().collect::<csv::Result<Vec<_>>>()?;
        let nights: Vec<String> = rows.iter().filter(|row| row[2].is_empty()).map(|row| row[0].to_owned()).collect();
        assert_eq!(nights, (1..=count).map(|night| night.to_string()).collect::<Vec<_>>());
        // On other systems, the lock stays.
        if cfg!(unix) {
            assert_eq!(names(&club.path("there"))?, ["history.csv"]);
        }
    }
    Ok(())
}

/// What is new may be in no table.
#[test]
fn more_findings_beyond_the_maximum_of_rows_are_mailed() -> Outcome {
    let club = Club::new()?;
    let rows = "max-rows = 1";
    club.night_set(1, rows)?;
    club.night_set(2, rows)?.is_silent();
    let text = club.read("games/a.pgn")?;
    club.write("games/a.pgn", text + &game(9, "1. Ke2"))?;
    let night = club.night_set(3, rows)?;
    night.says("No differences in findings; 1 more finding beyond max-rows");
    let note = "Note: 4 findings of the new report are in no table, because of max-rows, and could not be compared. Those of \
                the old report were 3.";
    assert!(night.mail.contains(note), "{night:?}");
    club.night_set(4, rows)?.is_silent();
    // Errors are new, but no warnings.
    let text = club.read("games/a.pgn")?;
    club.write("games/a.pgn", text + &game(10, TWO_FAULTS))?;
    club.night_set(5, "max-rows = 1\nfail-on = \"error\"")?.is_silent();
    Ok(())
}
