//! Findings for pipes and CI systems: every form holds the same findings, and is what its readers
//! expect.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    fs,
};

use crate::common::{AuditResult, audit, audit_text, everything, fixture};
use boon::{Compiler, Schemas};
use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::{Failure, InputSummary, RunSummary, Settings, Sink},
    report::{COLUMNS, Stream, StreamFormat},
    rules::{Finding, RULES, Severity},
    text::Format,
};
use serde_json::{Value, json};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn showcase() -> Outcome<AuditResult> {
    Ok(audit_text(&fs::read(fixture("showcase.pgn"))?, Format::Pgn))
}

fn streamed(audit_result: &AuditResult, format: StreamFormat) -> Outcome<String> {
    let mut text = Vec::new();
    let mut stream = Stream::begin(&mut text, format)?;
    for (_, finding) in &audit_result.findings {
        stream.finding("a folder/100%,\n:.pgn", finding)?;
    }
    stream.failure(&Failure { input: "b.pgn".to_owned(), byte: Some(3), stage: "read", message: "gone\nfor ever".to_owned() })?;
    stream.finish(&RunSummary { failures: 1, ..RunSummary::default() })?;
    Ok(String::from_utf8(text)?)
}

#[test]
fn sarif_validates_against_its_published_schema() -> Outcome {
    let mut schema: Value = serde_json::from_str(&fs::read_to_string(fixture("sarif/sarif-schema-2.1.0.json"))?)?;
    // The published pattern for languages is not a valid regular expression: it closes a bracket
    // that was never opened.
    for part in ["run", "toolComponent"] {
        schema["definitions"][part]["properties"]["language"].as_object_mut().and_then(|language| language.remove("pattern"));
    }
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("sarif.json", schema)?;
    let schema = compiler.compile("sarif.json", &mut schemas)?;
    let audit_result = showcase()?;
    let log: Value = serde_json::from_str(&streamed(&audit_result, StreamFormat::Sarif)?)?;
    let fault = schemas.validate(&log, schema).err().map(|fault| fault.to_string());
    assert_eq!(fault, None);
    // The validator does find faults.
    let mut wrong = log.clone();
    wrong["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(schemas.validate(&wrong, schema).is_err());

    let run = &log["runs"][0];
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    assert_eq!(run["invocations"][0]["toolExecutionNotifications"].as_array().map(Vec::len), Some(1));
    let results = run["results"].as_array().ok_or("no results")?;
    assert_eq!(results.len(), audit_result.findings.len());
    for (result, (_, finding)) in results.iter().zip(&audit_result.findings) {
        let index = result["ruleIndex"].as_u64().ok_or("no index")? as usize;
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], finding.rule.code.to_string());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20folder/100%25,%0A:.pgn");
        assert_eq!(place["region"]["byteOffset"], finding.place.start);
        assert_eq!(result["message"]["text"], finding.message);
    }
    assert_eq!(run["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(RULES.len()));
    Ok(())
}

#[test]
fn a_line_of_json_holds_what_a_row_of_csv_holds() -> Outcome {
    let audit_result = showcase()?;
    let (lines, table) = (streamed(&audit_result, StreamFormat::Jsonl)?, streamed(&audit_result, StreamFormat::Csv)?);
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    assert_eq!(reader.headers()?, &COLUMNS[..]);
    let rows = reader.records().collect::<Result<Vec<_>, _>>()?;
    assert_eq!((rows.len(), lines.lines().count()), (audit_result.findings.len(), audit_result.findings.len()));
    for (line, row) in lines.lines().zip(rows) {
        let object: Value = serde_json::from_str(line)?;
        for (name, cell) in COLUMNS.into_iter().zip(&row) {
            let value = match &object[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            // The name has a line feed, which only JSON can hold safely.
            let value = value.replace('\n', "\\u{a}");
            assert_eq!(cell.strip_prefix('\'').unwrap_or(cell), value.strip_prefix('\'').unwrap_or(&value), "{name} in {line}");
        }
        assert!(object.as_object().is_some_and(|object| object.keys().all(|key| COLUMNS.contains(&key.as_str()))), "{line}");
    }
    Ok(())
}

#[test]
fn a_finding_is_one_workflow_command_whatever_it_holds() -> Outcome {
    let audit_result = showcase()?;
    let text = streamed(&audit_result, StreamFormat::Github)?;
    assert_eq!(text.lines().count(), audit_result.findings.len() + 1);
    for (line, (_, finding)) in text.lines().zip(&audit_result.findings) {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "notice",
        };
        let place =
            format!("::{command} file=a folder/100%25%2C\\u{{a}}%3A.pgn,line={},col={},title=", finding.line, finding.column);
        assert!(line.starts_with(&place), "{line}");
    }
    assert_eq!(text.lines().last(), Some("::error file=b.pgn,title=audit failure::gone\\nfor ever"));
    Ok(())
}

#[test]
fn what_is_known_is_not_printed() -> Outcome {
    let mut audit_result = showcase()?;
    let all = audit_result.findings.len();
    audit_result.findings[0].1.known = true;
    assert_eq!(streamed(&audit_result, StreamFormat::Jsonl)?.lines().count(), all - 1);
    Ok(())
}

/// The parts of SARIF that editors read, and that the schema does not tie together.
#[test]
fn sarif_has_the_places_and_fixes_that_editors_need() -> Outcome {
    let text = "[Event \"é♔𝄞\"]\n[Site \"?\"]\n[Date \"2019.07.02\"]\n[Round \"1\"]\n[White \"Müller, É\"]\n[Black \"B\"]\n[Result \"*\"]\n\n\
                1. e4 {é𝄞} e5 2. Nf3 Nc6 3. Bb5+ a6 *\n";
    let audit_result = audit_text(text.as_bytes(), Format::Pgn);
    let log: Value = serde_json::from_str(&streamed(&audit_result, StreamFormat::Sarif)?)?;
    let run = &log["runs"][0];
    assert_eq!((&run["columnKind"], &run["newlineSequences"][2]), (&"utf16CodeUnits".into(), &"\r".into()));
    let result = run["results"].as_array().into_iter().flatten().find(|result| result["ruleId"] == "MOV12");
    let result = result.ok_or("the false check mark is not reported")?;
    let region = &result["locations"][0]["physicalLocation"]["region"];
    let line = text.lines().nth(8).ok_or("no movetext")?;
    let column = line[..line.find("Bb5+").ok_or("no move")?].encode_utf16().count() + 1;
    assert_eq!((&region["startLine"], &region["startColumn"]), (&9.into(), &column.into()));
    assert_eq!((&region["endLine"], &region["endColumn"]), (&9.into(), &(column + 4).into()));
    let change = &result["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"], result["locations"][0]["physicalLocation"]["artifactLocation"]);
    let repaired = applied(text, &change["replacements"][0])?;
    assert_eq!(repaired, text.replace("Bb5+", "Bb5"));
    let rules = run["tool"]["driver"]["rules"].as_array().ok_or("no rules")?;
    let has_page = |rule: &Value| rule["helpUri"].as_str().is_some_and(|uri| uri.starts_with("https://"));
    assert!(rules.iter().all(has_page));
    Ok(())
}

/// The text after a replacement, made by lines and columns in UTF-16 as editors do.
fn applied(text: &str, replacement: &Value) -> Outcome<String> {
    let region = &replacement["deletedRegion"];
    let number = |name: &str| region[name].as_u64().map(|number| number as usize).ok_or(format!("no {name} in {region}"));
    let units: Vec<u16> = text.encode_utf16().collect();
    let at = |line: usize, column: usize| {
        let mut starts = vec![0];
        for (at, unit) in units.iter().enumerate() {
            let is_end = *unit == u16::from(b'\n') || (*unit == u16::from(b'\r') && units.get(at + 1) != Some(&u16::from(b'\n')));
            starts.extend(is_end.then_some(at + 1));
        }
        starts[line - 1] + column - 1
    };
    let (start, end) = (at(number("startLine")?, number("startColumn")?), at(number("endLine")?, number("endColumn")?));
    let new = replacement["insertedContent"]["text"].as_str().ok_or("no text")?;
    Ok([String::from_utf16(&units[..start])?, new.to_owned(), String::from_utf16(&units[end..])?].concat())
}

#[test]
fn fixes_of_sarif_do_what_the_repairs_do() -> Outcome {
    let (mut fixed, mut repairs) = (0, 0);
    for name in ["showcase.pgn", "showcase.epd", "puzzles.csv"] {
        let bytes = fs::read(fixture(name))?;
        let text = String::from_utf8(bytes.clone())?;
        let input = Input { name: name.to_owned(), source: Source::Bytes(bytes.into()), format: None, scanned: false };
        let audit_result = audit(vec![input], everything());
        let log: Value = serde_json::from_str(&streamed(&audit_result, StreamFormat::Sarif)?)?;
        let results = log["runs"][0]["results"].as_array().ok_or("no results")?;
        for (result, (_, finding)) in results.iter().zip(&audit_result.findings) {
            repairs += usize::from(finding.repair.is_some());
            let Some(fix) = result["fixes"].get(0) else { continue };
            fixed += 1;
            let replacements = fix["artifactChanges"][0]["replacements"].as_array().ok_or("no replacements")?;
            assert_eq!(replacements.len(), finding.patches().len());
            for (replacement, patch) in replacements.iter().zip(finding.patches()) {
                let mut expected = text.clone().into_bytes();
                expected.splice(patch.place.start..patch.place.end, patch.new.iter().copied());
                assert_eq!(applied(&text, replacement)?, String::from_utf8(expected)?, "{finding}");
            }
        }
    }
    assert!(fixed > 20 && 5 * fixed > 4 * repairs, "{fixed} of {repairs}");
    Ok(())
}

/// The places of findings in their lines do not depend on where the text is cut.
#[test]
fn a_line_that_begins_before_the_record_has_no_columns() -> Outcome {
    let text = "[Event \"é\"]\n\n1. e4 {é} e5 2. Ke3 * 1. d4 {é} d5 2. Kd3 *\n";
    let input = |chunk_bytes| {
        let input = Input { name: "a".to_owned(), source: Source::Bytes(text.as_bytes().into()), format: None, scanned: false };
        audit(vec![input], Settings { chunk_bytes, ..everything() })
    };
    let whole = input(usize::MAX);
    let extents = |audit_result: &AuditResult| {
        let findings = audit_result.findings.iter().map(|(_, finding)| (finding.place, finding.extent));
        findings.collect::<Vec<_>>()
    };
    let illegal: Vec<_> = whole.findings.iter().filter(|(_, finding)| finding.rule.code.to_string() == "MOV01").collect();
    let columns: Vec<_> = illegal.iter().map(|(_, finding)| finding.extent.map(|extent| extent.column)).collect();
    assert_eq!(columns, [Some(17), None]);
    for chunk_bytes in 1..text.len() {
        assert_eq!(extents(&input(chunk_bytes)), extents(&whole), "chunks of {chunk_bytes} bytes");
    }
    Ok(())
}

#[test]
fn text_is_a_line_per_finding() -> Outcome {
    let audit_result = showcase()?;
    let text = streamed(&audit_result, StreamFormat::Text)?;
    assert_eq!(text.lines().count(), audit_result.findings.len());
    for (line, (_, finding)) in text.lines().zip(&audit_result.findings) {
        let Finding { line: number, column, severity, rule, message, .. } = finding;
        assert_eq!(line, format!("a folder/100%,\\u{{a}}:.pgn:{number}:{column}: {severity} {} {message}", rule.code));
    }
    Ok(())
}

/// What GitLab needs of an issue: <https://docs.gitlab.com/ci/testing/code_quality/>.
#[test]
fn gitlab_reads_every_issue() -> Outcome {
    let mut audit_result = showcase()?;
    // Equal games have equal findings.
    let twin = audit_result.findings[0].clone();
    audit_result.findings.push(twin);
    let issue = json!({
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": { "type": "string", "minLength": 1 },
            "check_name": { "type": "string", "minLength": 1 },
            "fingerprint": { "type": "string", "minLength": 1 },
            "severity": { "enum": ["info", "minor", "major", "critical", "blocker"] },
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": { "type": "string", "pattern": "^[^./]" },
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": { "begin": { "type": "integer", "minimum": 1 }, "end": { "type": "integer", "minimum": 1 } },
                    },
                },
            },
        },
    });
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.add_resource("issues.json", json!({ "type": "array", "items": issue }))?;
    let schema = compiler.compile("issues.json", &mut schemas)?;
    let issues: Value = serde_json::from_str(&streamed(&audit_result, StreamFormat::Gitlab)?)?;
    let fault = schemas.validate(&issues, schema).err().map(|fault| fault.to_string());
    assert_eq!(fault, None);
    let issues = issues.as_array().ok_or("no list")?;
    assert_eq!(issues.len(), audit_result.findings.len() + 1);
    let fingerprints: BTreeSet<&str> = issues.iter().filter_map(|issue| issue["fingerprint"].as_str()).collect();
    assert_eq!(fingerprints.len(), issues.len());
    for (issue, (_, finding)) in issues.iter().zip(&audit_result.findings) {
        assert_eq!(issue["location"]["lines"]["begin"], finding.line);
        let text = issue["description"].as_str().ok_or("no description")?;
        assert!(text.contains(&finding.rule.code.to_string()) && text.contains(&finding.message), "{text}");
    }
    assert_eq!(issues.last().map(|issue| &issue["severity"]), Some(&"blocker".into()));
    Ok(())
}

/// An element: its name, its attributes and its text.
type Element = (String, BTreeMap<String, String>, String);

/// The elements and attributes of a text in XML, in their order. Fails if the elements are not well
/// nested.
fn elements(xml: &str) -> Outcome<Vec<Element>> {
    let text = |raw: &str| {
        let text = raw.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        text.replace("&amp;", "&")
    };
    let body = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").ok_or("no declaration")?;
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for part in body.split('<').skip(1) {
        let (tag, after) = part.split_once('>').ok_or("an element does not end")?;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{xml}");
            continue;
        }
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = BTreeMap::new();
        while let Some((key, value)) = rest.split_once("=\"") {
            let (value, more) = value.split_once('"').ok_or("a value does not end")?;
            attributes.insert(key.trim().to_owned(), text(value));
            rest = more;
        }
        assert_eq!(rest, "", "{tag}");
        open.push(name.to_owned());
        found.push((name.to_owned(), attributes, text(after)));
    }
    assert!(open.is_empty(), "{open:?}");
    Ok(found)
}

/// What GitLab and Jenkins read of JUnit XML. Both tell tests apart by `classname` and `name`, and
/// GitLab shows the text of a failure.
#[test]
fn junit_has_a_suite_per_input_and_a_test_per_finding() -> Outcome {
    let audit_result = showcase()?;
    let mut text = Vec::new();
    let mut stream = Stream::begin(&mut text, StreamFormat::Junit)?;
    for (_, finding) in &audit_result.findings {
        stream.finding("a&b.pgn", finding)?;
    }
    for name in ["a&b.pgn", "clean.pgn"] {
        stream.input(&InputSummary { name: name.to_owned(), ..audit_result.inputs[0].clone() })?;
    }
    stream.failure(&Failure {
        input: "c.pgn".to_owned(),
        byte: Some(3),
        stage: "read",
        message: "gone\nfor \"ever\"".to_owned(),
    })?;
    stream.finish(&RunSummary::default())?;
    let found = elements(&String::from_utf8(text)?)?;
    let named = |name: &str| found.iter().filter(|(element, ..)| element == name).collect::<Vec<_>>();
    let number = audit_result.findings.len().to_string();
    let suites: Vec<_> = named("testsuite")
        .iter()
        .map(|(_, suite, _)| [&suite["name"], &suite["tests"], &suite["failures"], &suite["errors"]])
        .collect();
    assert_eq!(suites, [["a&b.pgn", &number, &number, "0"], ["clean.pgn", "1", "0", "0"], ["c.pgn", "1", "0", "1"]]);
    // Jenkins refuses other attributes (junit-10.xsd of its plugin xUnit).
    for (element, known) in [
        ("testsuites", &["name"][..]),
        ("testsuite", &["name", "file", "tests", "failures", "errors", "skipped"]),
        ("testcase", &["name", "classname"]),
        ("failure", &["type", "message"]),
        ("error", &["type", "message"]),
    ] {
        for (_, attributes, _) in named(element) {
            assert!(attributes.keys().all(|name| known.contains(&name.as_str())), "{element}: {attributes:?}");
        }
    }
    let tests: BTreeSet<_> = named("testcase").iter().map(|(_, test, _)| (&test["classname"], &test["name"])).collect();
    assert_eq!(tests.len(), audit_result.findings.len() + 2);
    let failures = named("failure");
    assert_eq!(failures.len(), audit_result.findings.len());
    for ((_, failure, text), (_, finding)) in failures.iter().zip(&audit_result.findings) {
        assert_eq!((&failure["type"], &failure["message"]), (&finding.severity.to_string(), &finding.message));
        assert!(
            text.starts_with(&format!("a&b.pgn:{}:{}: ", finding.line, finding.column)) && text.contains(&finding.message),
            "{text}"
        );
    }
    assert_eq!(named("error").len(), 1);
    Ok(())
}

#[test]
fn what_github_does_not_show_is_in_the_step_summary() -> Outcome {
    let audit_result = showcase()?;
    let file = tempfile::NamedTempFile::new()?;
    let mut text = Vec::new();
    let mut stream = Stream::begin(&mut text, StreamFormat::Github)?.with_step_summary(file.reopen()?);
    for (_, finding) in &audit_result.findings {
        stream.finding("a.pgn", finding)?;
    }
    stream.finish(&RunSummary::default())?;
    let summary = fs::read_to_string(file.path())?;
    let listed: Vec<&str> = summary.lines().filter(|line| line.starts_with("* ")).collect();
    let beyond = |severity| audit_result.findings.iter().filter(move |(_, finding)| finding.severity == severity).skip(10);
    let rest: Vec<_> = Severity::ALL.into_iter().flat_map(beyond).map(|(_, finding)| finding).collect();
    assert!(!rest.is_empty() && listed.len() == rest.len(), "{summary}");
    assert!(summary.starts_with(&format!("### chess-audit: {} more annotations\n", rest.len())), "{summary}");
    for finding in rest {
        let place = format!(" a.pgn:{}:{} {} ", finding.line, finding.column, finding.rule.code);
        assert_eq!(listed.iter().filter(|line| line.contains(&place)).count(), 1, "{place}: {summary}");
    }
    // If GitHub shows everything, there is no summary.
    let file = tempfile::NamedTempFile::new()?;
    let mut stream = Stream::begin(Vec::new(), StreamFormat::Github)?.with_step_summary(file.reopen()?);
    stream.finding("a.pgn", &audit_result.findings[0].1)?;
    stream.finish(&RunSummary::default())?;
    assert_eq!(fs::read_to_string(file.path())?, "");
    Ok(())
}
