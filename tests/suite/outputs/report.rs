//! The report, driven by hand.

use std::{collections::BTreeMap, error::Error, fs, path::Path};

use chess_audit::internals::{
    pipeline::{Failure, InputSummary, Options, Place, RuleSummary, RunSummary, SeverityCounts, Sink},
    record::Counts,
    report::{COLUMNS, CompleteReport, PARTNER_COLUMNS, Report, ReportError, RunSettings, RunSettingsFile, Table},
    rules::{Certainty, Code, Family, Finding, Findings, Keep, Partner, Patch, RULES, Rule, Severity, Span},
    text::Format,
};

type Outcome = Result<(), Box<dyn Error>>;

const fn rule(family: Family) -> Rule {
    Rule { code: Code::new(family, 31), name: "made-up", severity: Severity::Error, ..Rule::DEFAULTS }
}

static MOVE_RULE: Rule = rule(Family::Mov);
static CASTLING_RULE: Rule = rule(Family::Cas);

fn finding(rule: &'static Rule, fill: impl FnOnce(&mut Finding)) -> Finding {
    let mut findings = Findings::new();
    fill(findings.add(rule, Span::new(10, 13)));
    findings.all().remove(0)
}

/// Name and content of every file in `directory`.
fn files(directory: &Path) -> Result<BTreeMap<String, String>, Box<dyn Error>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        files.insert(entry.file_name().to_string_lossy().into_owned(), fs::read_to_string(entry.path())?);
    }
    Ok(files)
}

fn names(directory: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The rows of a table, header included.
fn rows(directory: &Path, file: &str) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(directory.join(file))?;
    Ok(reader.deserialize().collect::<Result<_, _>>()?)
}

#[test]
fn every_file_is_there_with_its_header_even_when_nothing_was_found() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    Report::create(&place, RunSettings::default())?.complete(&RunSummary::default())?.finish()?;
    let mut expected: Vec<&str> = Table::ALL.iter().map(|table| table.file_name()).collect();
    expected.extend(["summary.csv", "inputs.csv", "profile.csv", "failures.csv", "datapackage.json", "run.json"]);
    expected.sort_unstable();
    assert_eq!(names(&place)?, expected);
    let header = "id,rule,name,severity,input,line,column,byte,end_byte,game,ply,variation,move,found,expected,alternatives,cause,\
                  repair,repair_ply,fen,game_label,message,known,fingerprint\n";
    let partner = PARTNER_COLUMNS.join(",");
    for table in Table::ALL {
        let expected = match table {
            Table::Duplicates => format!("{},{partner}\n", header.trim_end()),
            _ => header.to_owned(),
        };
        assert_eq!(files(&place)?[table.file_name()], expected, "{}", table.file_name());
    }
    assert_eq!(
        files(&place)?["inputs.csv"],
        "input,format,bytes,digest,games_digest,games,positions,plies,plies_not_examined,errors,warnings,infos,status,chess960\n"
    );
    assert_eq!(files(&place)?["failures.csv"], "input,stage,byte,message\n");
    assert_eq!(names(home.path())?, ["report"], "nothing else is left");
    Ok(())
}

#[test]
fn a_finding_fills_its_row_in_the_table_of_its_family() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    let mut report = Report::create(&place, RunSettings::default())?;
    let full = finding(&MOVE_RULE, |finding| {
        finding.severity(Severity::Warning).found("=Nf3").expected("Nf3").message("says, \"so\"").fen("8/8 w - -").ply(7);
        (finding.line, finding.column, finding.game, finding.fingerprint) = (2, 4, 3, 0xAB);
        finding.variation = "5.6".into();
        finding.move_text = "-".into();
        finding.cause = Some(Code::new(Family::Mov, 9));
        finding.repair(Certainty::Likely, Patch::insert(0, *b"x"));
        (finding.repair_ply, finding.known) = (Some(6), true);
        finding.game_label = "@home\nA – B".into();
    });
    report.finding("-a.pgn", &full)?;
    report.finding("b.pgn", &finding(&CASTLING_RULE, |_| {}))?;
    report.complete(&RunSummary::default())?.finish()?;

    let moves = rows(&place, "moves.csv")?;
    assert_eq!(moves[0], COLUMNS);
    let expected = [
        "i307c6fd78d2a6f51",
        "MOV31",
        "made-up",
        "warning",
        "'-a.pgn",
        "2",
        "4",
        "10",
        "13",
        "3",
        "7",
        "5/6/",
        "-",
        "'=Nf3",
        "Nf3",
        "",
        "MOV09",
        "likely",
        "6",
        "8/8 w - -",
        "'@home\\nA – B",
        "says, \"so\"",
        "true",
        "k00000000000000ab",
    ];
    assert_eq!(moves[1..], [expected]);
    let castling = rows(&place, "castling.csv")?;
    assert_eq!(castling.len(), 2);
    assert_eq!(castling[1][9..21].concat(), "", "no game, no ply, nothing found");
    assert_eq!(rows(&place, "tags.csv")?.len(), 1);
    Ok(())
}

#[test]
fn duplicates_have_columns_for_the_other_record() -> Outcome {
    static DUPLICATE: Rule = rule(Family::Dup);
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    let mut report = Report::create(&place, RunSettings::default())?;
    let (input, reason) = ("b, c.pgn".to_owned(), "it has more plies".to_owned());
    let partner =
        Partner { cluster: "c7".to_owned(), input, game: 3, line: 40, keep: Some(Keep::No), reason, ..Partner::default() };
    report.finding("a.pgn", &finding(&DUPLICATE, |finding| finding.partner = Some(Box::new(partner.clone()))))?;
    report.finding("a.pgn", &finding(&DUPLICATE, |_| {}))?;
    report.complete(&RunSummary::default())?.finish()?;
    let duplicates = rows(&place, "duplicates.csv")?;
    assert_eq!(duplicates[0][COLUMNS.len()..], PARTNER_COLUMNS);
    assert_eq!(duplicates[1][COLUMNS.len()..], ["c7", "b, c.pgn", "3", "40", "no", "it has more plies"]);
    assert_eq!(duplicates[2][COLUMNS.len()..].concat(), "");
    Ok(())
}

#[test]
fn inputs_and_failures_have_rows_of_their_own() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    let mut report = Report::create(&place, RunSettings::default())?;
    let input = |name: &str, error: u64, complete: bool| InputSummary {
        name: name.into(),
        format: complete.then_some(Format::Pgn),
        counts: Counts { bytes: 1, games: 2, positions: 3, plies: 4, plies_not_examined: 5, ..Counts::default() },
        findings: SeverityCounts { error, warning: 0, info: 0 },
        rules: BTreeMap::new(),
        complete,
        is_not_chess: name == "notes.txt",
        is_chess960: false,
    };
    report.input(&input("clean.pgn", 0, true))?;
    report.input(&input("bad.pgn", 6, true))?;
    report.failure(&Failure { input: "gone.pgn".into(), byte: None, stage: "open", message: "no".into() })?;
    report.input(&input("gone.pgn", 0, false))?;
    report.failure(&Failure { input: "panic.pgn".into(), byte: Some(9), stage: "rule", message: "+A1".into() })?;
    report.input(&input("panic.pgn", 1, true))?;
    report.input(&input("after.pgn", 0, true))?;
    report.input(&input("notes.txt", 0, true))?;
    report.complete(&RunSummary::default())?.finish()?;
    let written = files(&place)?;
    assert_eq!(
        written["inputs.csv"].lines().skip(1).collect::<Vec<_>>(),
        [
            "clean.pgn,pgn,1,c00000000,,2,3,4,5,0,0,0,clean,false",
            "bad.pgn,pgn,1,c00000000,,2,3,4,5,6,0,0,findings,false",
            "gone.pgn,,1,,,2,3,4,5,0,0,0,failed,",
            "panic.pgn,pgn,1,,,2,3,4,5,1,0,0,failed,false",
            "after.pgn,pgn,1,c00000000,,2,3,4,5,0,0,0,clean,false",
            "notes.txt,pgn,1,c00000000,,2,3,4,5,0,0,0,not-chess,false",
        ]
    );
    assert_eq!(written["failures.csv"].lines().skip(1).collect::<Vec<_>>(), ["gone.pgn,open,,no", "panic.pgn,rule,9,'+A1"]);
    Ok(())
}

#[test]
fn the_summary_has_a_row_for_each_rule() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    Report::create(&place, RunSettings::default())?.complete(&RunSummary::default())?.finish()?;
    let rows = rows(&place, "summary.csv")?;
    assert_eq!(rows[0].join(","), {
        "rule,name,severity,findings,places,records,inputs,per_million_records,first_input,first_line,first_column,first_game"
    });
    assert_eq!(rows.len(), RULES.len() + 1);
    for (row, rule) in rows[1..].iter().zip(RULES) {
        assert_eq!(row.join(","), format!("{},{},{},0,0,0,0,0.0,,,,", rule.code, rule.name, rule.severity));
    }
    Ok(())
}

/// One row gave the findings of all severities under the label of the highest.
#[test]
fn the_summary_has_a_row_for_each_severity_of_a_rule() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    let found = |findings, line| {
        let first = Place { input: "a.pgn".into(), line, column: 1, game: 1 };
        RuleSummary { findings, records: 1, inputs: 1, places: findings, first, new: findings, first_new: None }
    };
    let code = RULES[1].code;
    let rules = [((code, Severity::Warning), found(426, 7)), ((code, Severity::Error), found(1, 9))].into_iter().collect();
    let counts = Counts { games: 1000, ..Counts::default() };
    Report::create(&place, RunSettings::default())?.complete(&RunSummary { rules, counts, ..RunSummary::default() })?.finish()?;
    let rows = rows(&place, "summary.csv")?;
    assert_eq!(rows.len(), RULES.len() + 2);
    let name = RULES[1].name;
    assert_eq!(rows[2].join(","), format!("{code},{name},error,1,1,1,1,1000.0,a.pgn,9,1,1"));
    assert_eq!(rows[3].join(","), format!("{code},{name},warning,426,426,1,1,426000.0,a.pgn,7,1,1"));
    Ok(())
}

#[test]
fn the_run_tells_settings_and_totals_and_nothing_of_clock_or_place() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    let settings_file = Some(RunSettingsFile { path: "../chess-audit.toml".into(), settings: vec!["select".into()] });
    let run_settings = RunSettings {
        settings_file,
        select: vec!["MOV".into()],
        options: Options { max_rows: Some(5), ..Options::default() },
        ..RunSettings::default()
    };
    let summary = RunSummary { inputs: 2, counts: Counts { games: 7, ..Counts::default() }, ..RunSummary::default() };
    Report::create(&place, run_settings)?.complete(&summary)?.finish()?;
    let mut tables = serde_json::Map::new();
    for (name, text) in files(&place)?.into_iter().filter(|(name, _)| name.ends_with(".csv")) {
        let digest = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()));
        tables.insert(name, serde_json::json!({"rows": text.lines().count() - 1, "xxh3": digest}));
    }
    assert_eq!(tables.len(), 17);
    let run: serde_json::Value = serde_json::from_str(&files(&place)?["run.json"])?;
    assert_eq!(
        run,
        serde_json::json!({
            "tool": "chess-audit",
            "rules_not_run": [],
            "version": env!("CARGO_PKG_VERSION"),
            "schema_version": 1,
            "settings": {"settings_file": {"path": "../chess-audit.toml", "settings": ["select"]}, "profile": "standard", "select": ["MOV"], "ignore": [], "severity": {}, "except": [], "demands": {}, "exclude": [], "format": null, "fen_column": null, "moves_column": null, "variant": null, "max_rows": 5, "exhaustive": false, "deep": false, "fail_on": null, "duplicates": false, "game_keys": false, "spelling": null, "eco": null, "syzygy": [], "engine": null, "engine_nodes": null, "engine_options": {}, "elo": {"from": 1, "to": 4000}, "dates": {"from": "1475.01.01", "to": null}, "as_of": null, "html_rows": null, "html_size": null, "name": null},
            "totals": {
                "inputs": 2, "inputs_not_chess": 0, "skipped": {"other_extension": 0, "hidden": 0, "excluded": 0, "special": 0, "linked": 0, "own": 0}, "bytes": 0, "games": 7, "positions": 0, "plies": 0, "plies_not_examined": 0,
                "records_with_findings": 0, "findings": {"error": 0, "warning": 0, "info": 0}, "known_findings": {"error": 0, "warning": 0, "info": 0}, "failures": 0
            },
            "tables": tables
        })
    );
    Ok(())
}

#[test]
fn a_report_replaces_a_report_whole_and_nothing_else() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    let mut first = Report::create(&place, RunSettings::default())?;
    first.finding("a.pgn", &finding(&MOVE_RULE, |_| {}))?;
    first.complete(&RunSummary::default())?.finish()?;

    let second = Report::create(&place, RunSettings::default())?;
    assert_eq!(rows(&place, "moves.csv")?.len(), 2, "the old one stays until the new one is whole");
    // Somebody adds a file while the report is written.
    let mine = place.join("mine.csv");
    fs::write(&mine, "precious")?;
    let kept = home.path().canonicalize()?.join("report-1");
    let finished = second.complete(&RunSummary::default()).and_then(CompleteReport::finish);
    assert!(matches!(&finished, Err(ReportError::Kept { kept: found, .. }) if *found == kept), "{finished:?}");
    assert_eq!((names(home.path())?.len(), rows(&kept, "moves.csv")?.len()), (2, 1));
    fs::remove_dir_all(kept)?;
    let refused = Report::create(&place, RunSettings::default());
    assert!(matches!(&refused, Err(ReportError::OtherFiles { others, .. }) if *others == ["mine.csv"]), "{refused:?}");
    assert_eq!((rows(&place, "moves.csv")?.len(), fs::read_to_string(&mine)?.as_str()), (2, "precious"));

    fs::remove_file(mine)?;
    Report::create(&place, RunSettings::default())?.complete(&RunSummary::default())?.finish()?;
    assert_eq!(rows(&place, "moves.csv")?.len(), 1);
    assert_eq!(names(home.path())?, ["report"]);
    Ok(())
}

#[test]
fn an_empty_directory_is_replaced() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    fs::create_dir(&place)?;
    Report::create(&place, RunSettings::default())?.complete(&RunSummary::default())?.finish()?;
    assert!(place.join("run.json").is_file());
    assert_eq!(names(home.path())?, ["report"]);
    Ok(())
}

#[test]
fn what_is_no_report_is_never_touched() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    for run in [None, Some("not json"), Some("{\"tool\":\"other\"}"), Some("[]")] {
        fs::create_dir(&place)?;
        fs::write(place.join("precious"), "mine")?;
        if let Some(run) = run {
            fs::write(place.join("run.json"), run)?;
        }
        let before = files(&place)?;
        assert!(matches!(Report::create(&place, RunSettings::default()), Err(ReportError::Foreign { .. })), "{run:?}");
        assert_eq!(files(&place)?, before);
        fs::remove_dir_all(&place)?;
    }
    fs::write(&place, "a file")?;
    assert!(matches!(Report::create(&place, RunSettings::default()), Err(ReportError::Foreign { .. })));
    assert_eq!(fs::read_to_string(&place)?, "a file");
    assert_eq!(names(home.path())?, ["report"]);
    Ok(())
}

#[test]
fn what_appears_during_the_run_is_not_touched_either() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    let report = Report::create(&place, RunSettings::default())?;
    fs::create_dir(&place)?;
    fs::write(place.join("precious"), "mine")?;
    assert!(matches!(report.complete(&RunSummary::default()).and_then(CompleteReport::finish), Err(ReportError::Foreign { .. })));
    assert_eq!(names(&place)?, ["precious"]);
    assert_eq!(names(home.path())?, ["report"]);
    Ok(())
}

#[test]
fn a_place_that_cannot_be_written_to_is_an_error_at_once() -> Outcome {
    let home = tempfile::tempdir()?;
    let missing = Report::create(&home.path().join("none/report"), RunSettings::default());
    assert!(matches!(missing, Err(ReportError::NoParent { .. })));
    fs::write(home.path().join("file"), "")?;
    let below_a_file = Report::create(&home.path().join("file/report"), RunSettings::default());
    assert!(matches!(below_a_file, Err(ReportError::Unwritable { .. })), "{below_a_file:?}");
    assert!(matches!(Report::create(Path::new("/"), RunSettings::default()), Err(ReportError::Foreign { .. })));
    Ok(())
}

#[test]
fn a_dropped_or_interrupted_report_leaves_nothing() -> Outcome {
    let home = tempfile::tempdir()?;
    let place = home.path().join("report");
    let mut report = Report::create(&place, RunSettings::default())?;
    assert_eq!(names(home.path())?.len(), 1, "it is written beside its place");
    report.finding("a.pgn", &finding(&MOVE_RULE, |_| {}))?;
    drop(report);
    assert_eq!(names(home.path())?, [""; 0]);

    let stopped = RunSummary { interrupted: true, ..RunSummary::default() };
    let interrupted = Report::create(&place, RunSettings::default())?.complete(&stopped).and_then(CompleteReport::finish);
    assert!(matches!(interrupted, Err(ReportError::Interrupted)));
    assert_eq!(names(home.path())?, [""; 0]);
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_link_to_a_report_stays_a_link() -> Outcome {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let home = tempfile::tempdir()?;
    let (place, link) = (home.path().join("report"), home.path().join("link"));
    Report::create(&place, RunSettings::default())?.complete(&RunSummary::default())?.finish()?;
    symlink("report", &link)?;
    Report::create(&link, RunSettings::default())?.complete(&RunSummary::default())?.finish()?;
    assert!(fs::symlink_metadata(&link)?.is_symlink());
    assert_eq!(names(home.path())?, ["link", "report"]);
    fs::create_dir(home.path().join("usual"))?;
    let mode = |name: &str| Ok::<_, std::io::Error>(fs::metadata(home.path().join(name))?.permissions().mode());
    assert_eq!(mode("report")?, mode("usual")?, "as open to others as any new directory");
    Ok(())
}
