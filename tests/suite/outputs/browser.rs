//! The page of a report in a real browser: Chromium without a window, when it is installed.
//!
//! The browser is spoken to in its own protocol over a pair of pipes, one message of JSON after the
//! other, each ended by a zero byte. It is started so that no host has an address: whatever the
//! page asks of the network fails, and is noticed.

use std::{
    collections::VecDeque,
    error::Error,
    ffi::OsStr,
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use super::nightly::{Club, game};
use crate::common::fixture;
use crate::common::not_run::not_run;
use assert_cmd::cargo::cargo_bin;
use base64::Engine;
use chess_audit::internals::{
    report::{Baseline, Table},
    rules::RULES,
    text::wording::thousands,
};
use serde_json::{Value, json};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Chromium, as distributions call it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser with one page.
struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    calls: u64,
    events: VecDeque<Value>,
    has_script: bool,
    /// The addresses that were asked for.
    requests: Vec<String>,
    /// What the page complained of.
    complaints: Vec<String>,
}

impl Browser {
    /// Starts the browser, if there is one; `home` is where it keeps its files.
    fn start(home: &Path) -> Outcome<Option<Browser>> {
        let runs = |name: &&&str| {
            let version = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            version.is_ok_and(|status| status.success())
        };
        let Some(name) = NAMES.iter().find(runs) else {
            not_run("Chromium is not installed (Debian: apt-get install chromium)");
            return Ok(None);
        };
        // The browser reads its third and writes its fourth file; the shell makes them of its input
        // and output.
        let mut process = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 1>&2 2>/dev/null"#, name])
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"])
            .args(["--no-first-run", "--disable-extensions", "--disable-background-networking", "--hide-scrollbars"])
            .arg("--host-resolver-rules=MAP * ~NOTFOUND")
            .arg(format!("--user-data-dir={}", home.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (to, from) = process.stdin.take().zip(process.stdout.take()).ok_or("no pipes")?;
        let mut browser = Browser {
            process,
            to,
            from: BufReader::new(from),
            session: None,
            calls: 0,
            events: VecDeque::new(),
            has_script: true,
            requests: Vec::new(),
            complaints: Vec::new(),
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))?;
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}))?;
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log", "Accessibility"] {
            browser.call(&format!("{domain}.enable"), json!({}))?;
        }
        Ok(Some(browser))
    }

    fn read(&mut self) -> Outcome<Value> {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message)?;
        if message.pop() != Some(0) {
            return Err("the browser has gone".into());
        }
        Ok(serde_json::from_slice(&message)?)
    }

    fn note(&mut self, event: Value) {
        let parameters = &event["params"];
        match event["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                self.requests.push(parameters["request"]["url"].as_str().unwrap_or_default().to_owned());
            }
            Some("Runtime.exceptionThrown" | "Log.entryAdded" | "Runtime.consoleAPICalled" | "Page.javascriptDialogOpening") => {
                self.complaints.push(parameters.to_string());
            }
            _ => self.events.push_back(event),
        }
    }

    /// Calls a method of the protocol and waits for what it returns.
    fn call(&mut self, method: &str, parameters: Value) -> Outcome<Value> {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(message.to_string().as_bytes())?;
        self.to.write_all(&[0])?;
        loop {
            let mut answer = self.read()?;
            if answer["id"] != json!(self.calls) {
                self.note(answer);
            } else if answer["error"].is_null() {
                return Ok(answer["result"].take());
            } else {
                return Err(format!("{method}: {}", answer["error"]).into());
            }
        }
    }

    /// Opens a page and waits until it has been loaded.
    fn open(&mut self, page: &Path) -> Outcome {
        self.events.clear();
        self.requests.clear();
        self.call("Page.navigate", json!({"url": format!("file://{}", page.display())}))?;
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.read()?;
            self.note(event);
        }
        // The script unpacks the findings first.
        let ready = "document.documentElement.classList.contains('js') || !document.getElementById('table')";
        let wait = format!("new Promise(done => {{ const wait = () => {ready} ? done() : setTimeout(wait, 5); wait(); }})");
        if self.has_script { self.value(&wait).map(drop) } else { Ok(()) }
    }

    /// The value of an expression on the page.
    fn value(&mut self, expression: &str) -> Outcome<Value> {
        let parameters = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut answer = self.call("Runtime.evaluate", parameters)?;
        if !answer["exceptionDetails"].is_null() {
            return Err(format!("{expression}: {}", answer["exceptionDetails"]).into());
        }
        Ok(answer["result"]["value"].take())
    }

    fn text(&mut self, expression: &str) -> Outcome<String> {
        Ok(self.value(expression)?.as_str().unwrap_or_default().to_owned())
    }

    fn number(&mut self, expression: &str) -> Outcome<i64> {
        self.value(expression)?.as_f64().map(|number| number as i64).ok_or_else(|| format!("{expression}: no number").into())
    }

    /// Presses and releases a key.
    fn press(&mut self, key: &str, code: u32) -> Outcome {
        let text = if key == "Enter" { "\r" } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let key = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
            self.call("Input.dispatchKeyEvent", key)?;
        }
        Ok(())
    }

    /// Types text, key by key.
    fn type_text(&mut self, text: &str) -> Outcome {
        for letter in text.chars() {
            for kind in ["keyDown", "keyUp"] {
                let text = if kind == "keyDown" { letter.to_string() } else { String::new() };
                self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": letter.to_string(), "text": text}))?;
            }
        }
        Ok(())
    }

    /// The middle of an element, which is scrolled into view.
    fn middle(&mut self, selector: &str) -> Outcome<[f64; 2]> {
        let middle = format!(
            "(() => {{ const one = document.querySelector('{selector}'); one.scrollIntoView({{ block: 'center' }}); const box = \
             one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let at = self.value(&middle)?;
        Ok([&at[0], &at[1]].map(|part| part.as_f64().unwrap_or_default()))
    }

    fn click(&mut self, selector: &str) -> Outcome {
        let [x, y] = self.middle(selector)?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Touches an element with a finger.
    fn tap(&mut self, selector: &str) -> Outcome {
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}))?;
        let [x, y] = self.middle(selector)?;
        for (kind, points) in [("touchStart", json!([{"x": x, "y": y}])), ("touchEnd", json!([]))] {
            self.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}))?;
        }
        Ok(())
    }

    /// Sets the colours that the reader prefers: `light` or `dark`.
    fn prefer(&mut self, scheme: &str) -> Outcome {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", features).map(drop)
    }

    /// Whether the page has an element with this role and a name that begins like this for screen
    /// readers.
    fn announces(&mut self, role: &str, name: &str) -> Outcome<bool> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}))?;
        let is_it = |node: &Value| {
            node["role"]["value"] == role && node["name"]["value"].as_str().is_some_and(|named| named.starts_with(name))
        };
        Ok(tree["nodes"].as_array().is_some_and(|nodes| nodes.iter().any(is_it)))
    }

    /// Fails if axe-core finds something on the page. `CHESS_AUDIT_AXE` names its file.
    fn assert_accessible(&mut self, what: &str) -> Outcome {
        let Some(path) = std::env::var_os("CHESS_AUDIT_AXE") else {
            not_run("`CHESS_AUDIT_AXE` does not name axe.min.js (npm install axe-core)");
            return Ok(());
        };
        let script = fs::read_to_string(path)?;
        self.value(&format!("{script}; undefined"))?;
        let found = "axe.run().then(found => found.violations.map(one => \
                     one.id + ': ' + one.nodes.map(node => node.html.slice(0, 200)).join(' ')).join('\\n'))";
        assert_eq!(self.text(found)?, "", "{what}");
        Ok(())
    }

    /// Takes the picture for README.md: the top of the page.
    fn picture(&mut self, page: &Path, file: &Path) -> Outcome {
        self.resize(1200, 900)?;
        self.open(page)?;
        let taken = self.call("Page.captureScreenshot", json!({"format": "webp", "quality": 80}))?;
        let bytes = base64::engine::general_purpose::STANDARD.decode(taken["data"].as_str().unwrap_or_default())?;
        Ok(fs::write(file, bytes)?)
    }

    fn resize(&mut self, width: u32, height: u32) -> Outcome {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", size).map(drop)
    }

    /// Fails if the page asked for anything but itself, or complained.
    fn assert_alone(&self, page: &Path) {
        assert_eq!(self.requests, [format!("file://{}", page.display())], "no request leaves the page");
        assert_eq!(self.complaints, [""; 0]);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Audits files with every rule, compares their games, and hands out the report's page.
fn audited(home: &Path, files: &[&Path]) -> Outcome<std::path::PathBuf> {
    let report = home.join("report");
    let status = Command::new(cargo_bin!("chess-audit"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["check", "--quiet", "--profile", "strict", "--fail-on", "never", "--duplicates", "-o"])
        .arg(&report)
        .args(files)
        .status()?;
    assert!(status.success());
    Ok(report.join("report.html"))
}

/// The rules that can be seen, from top to bottom.
const SEEN: &str = "[...document.querySelectorAll('#table tbody')].filter(body => !body.hidden).map(body => body.id).join(' ')";

fn choose(field: &str, value: &str) -> String {
    format!(
        "(() => {{ const field = document.querySelector('[name={field}]'); field.value = '{value}'; \
         field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()"
    )
}

#[test]
fn the_showcase_is_sorted_filtered_and_opened() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let page = audited(home.path(), &[Path::new("fixtures/showcase.pgn"), Path::new("fixtures/showcase.epd")])?;
    browser.resize(1280, 900)?;
    browser.open(&page)?;

    // What is visible without any action.
    assert_eq!(browser.text("document.querySelector('h1').textContent")?, "CHECKED fixtures");
    let rules = browser.number("document.querySelectorAll('#table tbody').length")?;
    assert!(rules > 40, "{rules}");
    assert_eq!(browser.number("document.querySelectorAll('#findings svg.chart').length")?, 2);
    assert_eq!(browser.number("document.querySelectorAll('tr.detail').length")?, rules);
    assert_eq!(browser.number("[...document.querySelectorAll('tr.detail')].filter(row => row.offsetHeight > 0).length")?, 0);

    // Sorting.
    let sort = |column: &str| format!("document.querySelector('[data-by={column}] button').click()");
    let sorted = |column: &str| format!("document.querySelector('[data-by={column}]').getAttribute('aria-sort')");
    browser.value(&sort("code"))?;
    assert_eq!(browser.text(&sorted("code"))?, "ascending");
    let up = browser.text(SEEN)?;
    let mut codes: Vec<&str> = up.split(' ').collect();
    codes.sort_unstable();
    assert_eq!(up, codes.join(" "));
    browser.value(&sort("code"))?;
    assert_eq!(browser.text(&sorted("code"))?, "descending");
    codes.reverse();
    assert_eq!(browser.text(SEEN)?, codes.join(" "));
    browser.value(&sort("findings"))?;
    let counts = "[...document.querySelectorAll('#table tbody')].map(body => Number(body.dataset.findings))";
    assert_eq!(browser.value(&format!("{counts}.every((n, i, all) => i === 0 || all[i - 1] >= n)"))?, json!(true));
    assert_eq!(browser.number("document.querySelectorAll('[aria-sort]').length")?, 1);

    // Filtering.
    browser.value(&choose("family", "MOV"))?;
    let seen = browser.text(SEEN)?;
    assert!(seen.contains("MOV01") && seen.split(' ').all(|code| code.starts_with("MOV")), "{seen}");
    browser.value(&choose("severity", "warning"))?;
    let seen = browser.text(SEEN)?;
    assert!(seen.contains("MOV07") && !seen.contains("MOV01"), "{seen}");
    let status = browser.text("document.querySelector('[role=status]').textContent")?;
    assert!(status.contains(" findings of "), "{status}");
    browser.value("document.querySelector('[type=reset]').click(), new Promise(done => setTimeout(done))")?;
    assert_eq!(browser.text(SEEN)?.split(' ').count() as i64, rules);
    browser.value(&choose("q", "tanaka"))?;
    let seen = browser.text(SEEN)?;
    assert!(seen.contains("MOV01") && !seen.contains("POS01"), "names are found in findings: {seen}");
    browser.value(&choose("q", "no such text"))?;
    assert_eq!(browser.text(SEEN)?, "");
    assert_eq!(browser.value("document.getElementById('no-matches').hidden")?, json!(false));
    browser.value(&choose("q", ""))?;
    let inputs = "[...document.querySelectorAll('#inputs option')].map(option => option.value).join(' ')";
    assert_eq!(browser.text(inputs)?, "showcase.epd showcase.pgn");
    browser.value(&choose("input", "showcase.epd"))?;
    let seen = browser.text(SEEN)?;
    assert!(seen.contains("POS01") && !seen.contains("MOV01"), "{seen}");
    browser.value(&choose("input", ""))?;

    // A rule is opened by keyboard, and shows a board with what is wrong on it.
    browser.value("document.querySelector('#MOV01 .name button').focus()")?;
    let expanded = "document.querySelector('#MOV01 .name button').getAttribute('aria-expanded')";
    assert_eq!(browser.text(expanded)?, "false");
    browser.press("Enter", 13)?;
    assert_eq!(browser.text(expanded)?, "true");
    assert!(browser.number("document.querySelector('#MOV01-detail').offsetHeight")? > 200);
    assert_eq!(browser.text("document.querySelector('#MOV01 mark').textContent")?, "Ne4");
    let label = browser.text("document.querySelector('#MOV01 svg.board').getAttribute('aria-label')")?;
    let (label, _) = label.split_once("; White:").ok_or("no pieces")?;
    assert_eq!(label, "Board, White to move; problem: c3 b4; move as written: c3-e4; suggested move: e3-e4");
    let board = "document.querySelector('#MOV01 svg.board').getBoundingClientRect()";
    assert!(browser.number(&format!("{board}.width"))? >= 200);
    assert_eq!(browser.number("document.querySelectorAll('#MOV01 svg.board .problem, #MOV01 svg.board .written').length")?, 2);
    assert_eq!(
        browser.text("getComputedStyle(document.querySelector('#MOV01 svg.board .wk')).markerMid")?,
        "url(\"#mwk\")",
        "pieces are drawn"
    );
    browser.press("Tab", 9)?;
    let focused = "document.activeElement.closest('tbody').id + ' ' + document.activeElement.tagName";
    assert_eq!(browser.text(focused)?, "MOV01 A", "the next key leads into what was opened");
    assert_eq!(browser.text("document.querySelector('#MOV03 svg.board').getAttribute('aria-label')")?.matches("-d2").count(), 3);
    let repaired = "document.querySelector('#MOV23 .pairs .repair dd').textContent";
    assert_eq!(browser.text(repaired)?, "Nf3 certain");

    // Screen readers announce what is there.
    let tree = browser.call("Accessibility.getFullAXTree", json!({}))?;
    let named = |role: &str, name: &str| {
        let node = |node: &&Value| {
            node["role"]["value"] == role
                && node["name"]["value"].as_str().is_some_and(|audit_result| audit_result.starts_with(name))
        };
        tree["nodes"].as_array().is_some_and(|nodes| nodes.iter().any(|one| node(&one)))
    };
    for (role, name) in [("image", "Board, White to move"), ("table", "Rules with findings"), ("button", "illegal-move")] {
        assert!(named(role, name), "{role} {name}");
    }

    // On a phone nothing sticks out.
    browser.resize(360, 780)?;
    assert!(browser.number("document.documentElement.scrollWidth")? <= 360);
    browser.assert_alone(&page);
    Ok(())
}

/// What the picture in README.md shows is what the page says. With `UPDATE`, takes a new one.
#[test]
fn the_picture_shows_the_page_of_today() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let files = ["fixtures/showcase.pgn", "fixtures/showcase.epd"].map(OsStr::new);
    let report = checked(home.path(), "picture", &[&[OsStr::new("--name"), OsStr::new("Showcase")], &files[..]].concat())?;
    let page = report.join("report.html");
    browser.open(&page)?;
    let words = browser.text("document.querySelector('.top').textContent")?;
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    if std::env::var_os("UPDATE").is_some() {
        browser.picture(&page, &fixture("report.webp"))?;
        fs::write(fixture("report.webp.txt"), words)?;
    } else {
        let shown = fs::read_to_string(fixture("report.webp.txt"))?;
        assert_eq!(words, shown, "run `UPDATE=1 cargo test --test suite the_picture`, and look at the picture");
    }
    Ok(())
}

#[test]
fn two_games_are_side_by_side() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let file = home.path().join("games.pgn");
    let rule = RULES.iter().find(|rule| rule.name == "version").ok_or("no rule")?;
    fs::write(&file, rule.fires[0].input().0)?;
    let page = audited(home.path(), &[&file])?;
    for (width, least) in [(1280, 200), (360, 120)] {
        browser.resize(width, 900)?;
        browser.open(&page)?;
        browser.value("document.querySelector('#DUP05 .name button').click()")?;
        let board = |number: u32, side: &str| {
            format!("document.querySelectorAll('#DUP05 .pair .board')[{number}].getBoundingClientRect().{side}")
        };
        assert_eq!(browser.number(&board(0, "top"))?, browser.number(&board(1, "top"))?, "at {width}");
        assert!(browser.number(&board(0, "right"))? < browser.number(&board(1, "left"))?, "at {width}");
        for number in [0, 1] {
            let [width, height] = [browser.number(&board(number, "width"))?, browser.number(&board(number, "height"))?];
            assert!(width >= least && width.abs_diff(height) <= 1, "{width} x {height}");
        }
        assert!(browser.number("document.documentElement.scrollWidth")? <= i64::from(width), "at {width}");
    }
    browser.assert_alone(&page);
    Ok(())
}

#[test]
fn a_rule_with_findings_of_two_severities_is_found_by_each() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let file = home.path().join("games.pgn");
    fs::write(&file, "[Event \"E\"]\n[Result \"*\"]\n\n1. e4 (1. xx) e5 2. yy *\n")?;
    let page = audited(home.path(), &[&file])?;
    browser.open(&page)?;
    browser.value("document.getElementById('toggle-all').click()")?;
    let shown = "[...document.querySelectorAll('tbody[id^=SYN10]:not([hidden]) .finding .severity')].map(part => part.textContent).join(' ')";
    assert_eq!(browser.text(shown)?, "error warning");
    for severity in ["warning", "error"] {
        browser.value(&choose("severity", severity))?;
        assert!(browser.text(SEEN)?.contains("SYN10"), "{severity}");
        assert_eq!(browser.text(shown)?, severity);
    }
    assert!(!browser.text(SEEN)?.contains("TAG01"), "which is a warning");
    browser.assert_alone(&page);
    Ok(())
}

#[test]
fn an_address_opens_its_rule() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let page = audited(home.path(), &[Path::new("fixtures/showcase.pgn")])?;
    browser.open(&page)?;
    browser.value("document.querySelector('svg.chart a[href=\"#MOV01\"]') !== null")?;
    browser.value("location.hash = '#MOV14', new Promise(done => setTimeout(done))")?;
    let opened = "[...document.querySelectorAll('tbody.open')].map(body => body.id).join(' ')";
    assert_eq!(browser.text(opened)?, "MOV14");
    browser.assert_alone(&page);
    Ok(())
}

#[test]
fn hostile_games_do_no_harm() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let script = "</script></style></title><script>document.title='taken'</script><img src=x onerror=document.title='taken'>";
    let mut game = String::new();
    for site in ["javascript:document.title='taken'", "https://example.org/'onmouseover='document.title=1", "http://e.org/game"] {
        game += &format!(
            "[Event \"{script}\"]\n[Site \"{site}\"]\n[Date \"2024.13.45\"]\n[Round \"{{{{ 7*7 }}}}\"]\n[White \"\u{202E}{script}\"]\n\
             [Black \"{}\"]\n[Result \"*\"]\n[FEN \"8/8/8/8/8/8/8/8<script>alert(1)</script> w - - 0 1\"]\n\n1. e4 {script} Ke4 \
             {{<b>{script}}} --> *\n\n",
            "M".repeat(1 << 20)
        );
    }
    let file = home.path().join("<img src=x onerror=alert(1)>.pgn");
    fs::write(&file, game)?;
    let page = audited(home.path(), &[&file])?;
    assert!(fs::metadata(&page)?.len() < 400_000, "a megabyte in a tag is cut");
    browser.open(&page)?;
    browser.value("document.getElementById('toggle-all').click(), new Promise(done => setTimeout(done, 0))")?;
    assert!(browser.text("document.title")?.starts_with("CHECKED "));
    assert_eq!(browser.number("document.querySelectorAll('script').length")?, 2, "the data and the script");
    assert!(browser.number("document.querySelectorAll('.finding.with-board, .finding .context').length")? > 5);
    assert_eq!(browser.number("document.querySelectorAll('img, iframe, object, embed, [onerror], [onmouseover]').length")?, 0);
    let links = browser.text("[...new Set([...document.links].map(link => link.protocol))].sort().join(' ')")?;
    assert_eq!(links, "file: http: https:", "no scripts");
    let hosts = browser.text("[...new Set([...document.links].map(link => link.host))].sort().join(' ')")?;
    assert_eq!(hosts.trim(), "e.org lichess.org", "what only looks like an address is none");
    assert!(!browser.text("document.body.textContent")?.contains('\u{202E}'), "nothing turns the direction of writing");
    assert_eq!(browser.number("document.querySelectorAll('h3 bdi').length > 0 ? 1 : 0")?, 1);
    browser.assert_alone(&page);
    Ok(())
}

#[test]
fn without_scripts_everything_can_be_read() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let page = audited(home.path(), &[&fixture("showcase.pgn")])?;
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}))?;
    browser.has_script = false;
    browser.open(&page)?;
    assert!(browser.number("document.querySelector('#MOV01-detail').offsetHeight")? > 0);
    assert_eq!(browser.value("document.querySelector('#MOV01 details').open")?, json!(false));
    browser.value("document.querySelector('#MOV01 summary').click()")?;
    assert_eq!(browser.value("document.querySelector('#MOV01 details').open")?, json!(true));
    assert!(browser.number("document.querySelector('#MOV01 svg.board').getBoundingClientRect().width")? >= 200);
    browser.assert_alone(&page);
    Ok(())
}

/// Runs `check` with these arguments, and hands out the directory of the report.
fn checked(home: &Path, name: &str, arguments: &[&OsStr]) -> Outcome<std::path::PathBuf> {
    let report = home.join(name);
    let run = Command::new(cargo_bin!("chess-audit"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["check", "--quiet", "-o"])
        .arg(&report)
        .args(arguments)
        .output()?;
    assert!(report.join("report.html").exists(), "{}", String::from_utf8_lossy(&run.stderr));
    Ok(report)
}

/// The text of all findings of a report that the search of the page reads, with their input.
fn searched(report: &Path) -> Outcome<Vec<(String, String)>> {
    const SEARCHED: [&str; 10] =
        ["rule", "name", "severity", "input", "move", "found", "expected", "fen", "game_label", "message"];
    let mut findings = Vec::new();
    for table in Table::ALL {
        let mut rows = csv::Reader::from_path(report.join(table.file_name()))?;
        let columns = rows.headers()?.clone();
        let at = |name: &str| columns.iter().position(|column| column == name).ok_or("a column is missing");
        let input = at("input")?;
        let places = SEARCHED.iter().map(|name| at(name)).collect::<Result<Vec<_>, _>>()?;
        for row in rows.records() {
            let row = row?;
            let cells: Vec<&str> = places.iter().filter_map(|place| row.get(*place)).collect();
            findings.push((cells.join("\n").to_lowercase(), row.get(input).unwrap_or_default().to_owned()));
        }
    }
    Ok(findings)
}

/// How many findings the page says it shows.
fn shown_findings(browser: &mut Browser) -> Outcome<usize> {
    let status = browser.text("document.getElementById('status').textContent")?;
    let number: String = status.split(' ').next().unwrap_or_default().replace(',', "");
    number.parse().map_err(|_| status.into())
}

#[test]
fn search_and_inputs_are_complete() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let corpus = home.path().join("corpus/games");
    fs::create_dir_all(&corpus)?;
    // Five findings in each game, in 36 files of different lengths.
    let mut number = 0_u64;
    for file in 0..36 {
        let mut text = String::new();
        for _ in 0..100 + 8 * file {
            number += 1;
            let word = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 44;
            text += &format!(
                "[Event \"E{}\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"player{word:x}\"]\n[Black \"?\"]\n\
                 [Result \"*\"]\n\n1. e4 (1. x{word:x}) (1. y{}) (1. Ke3) (1. Qd5) e5 2. Ke3 *\n\n",
                word % 977,
                word % 31
            );
        }
        fs::write(corpus.join(format!("{file}.pgn")), text)?;
    }
    let report = checked(home.path(), "report", &[home.path().join("corpus").as_os_str()])?;
    let page = report.join("report.html");
    let findings = searched(&report)?;
    assert!(findings.len() > 40_000, "{}", findings.len());
    assert!(fs::metadata(&page)?.len() <= 10_000_000);
    browser.open(&page)?;
    assert_eq!(shown_findings(&mut browser)?, findings.len());

    let words = findings.iter().step_by(findings.len() / 20).enumerate().map(|(index, (text, _))| {
        let words: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 1).collect();
        words[index * 7 % words.len()].to_owned()
    });
    for word in words.collect::<Vec<_>>() {
        browser.value(&choose("q", &word))?;
        let expected = findings.iter().filter(|(text, _)| text.contains(&word)).count();
        assert_eq!(shown_findings(&mut browser)?, expected, "{word}");
    }
    browser.value(&choose("q", ""))?;
    let inputs = browser.value("[...document.querySelectorAll('#inputs option')].map(option => option.value)")?;
    let inputs: Vec<&str> = inputs.as_array().ok_or("no inputs")?.iter().filter_map(Value::as_str).collect();
    assert_eq!(inputs.len(), 36);
    assert_eq!(inputs[0], "35.pgn", "the one with the most errors is first, without the common directory");
    for input in inputs {
        browser.value(&choose("input", input))?;
        let expected = findings.iter().filter(|(_, name)| name.ends_with(&format!("/{input}"))).count();
        assert_eq!(shown_findings(&mut browser)?, expected, "{input}");
    }

    // The address has the filters, and back leads to those before.
    assert!(browser.text("location.hash")?.starts_with("#input="));
    browser.value("location.hash = '#MOV01&q=player', new Promise(done => setTimeout(done, 50))")?;
    assert_eq!(browser.text("[...document.querySelectorAll('tbody.open')].map(body => body.id).join(' ')")?, "MOV01");
    browser.value("history.back(), new Promise(done => setTimeout(done, 200))")?;
    assert!(browser.text("location.hash")?.starts_with("#input="));
    assert_eq!(browser.text("document.querySelector('[name=q]').value")?, "");
    let link = "document.querySelector('#MOV01 .finding:not(.current) .links a').getAttribute('href')";
    browser.value("document.querySelector('#MOV01 .name button').click()")?;
    let link = browser.text(link)?;
    browser.value(&format!("location.hash = '{link}', new Promise(done => setTimeout(done, 50))"))?;
    assert_eq!(browser.number("document.querySelectorAll('#MOV01 .finding.current').length")?, 1, "{link}");
    browser.assert_alone(&page);

    // In a small page, no rule and no input with errors is missing, and every count says what is.
    let small = [OsStr::new("--html-size"), OsStr::new("400000")];
    let corpus = home.path().join("corpus");
    let report = checked(home.path(), "small", &[&small[..], &[corpus.as_os_str()]].concat())?;
    let page = report.join("report.html");
    assert!(fs::metadata(&page)?.len() <= 400_000);
    browser.open(&page)?;
    assert_eq!(browser.number("document.querySelectorAll('#inputs option').length")?, 36);
    browser.value(&choose("q", "player"))?;
    let status = browser.text("document.getElementById('status').textContent")?;
    let all = thousands(findings.len() as u64);
    assert!(status.contains(&format!(" of {all} findings; the others are in the CSV files")), "{status}");
    let empty = "[...document.querySelectorAll('#table tbody')].filter(body => /^0 findings/.test(body.querySelector('.intro').textContent)).length";
    browser.value(&choose("q", ""))?;
    assert_eq!(browser.number(empty)?, 0);
    Ok(())
}

#[test]
fn the_queue_is_worked_by_keyboard() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let repairs = home.path().join("repairs.csv");
    let file = home.path().join("showcase.pgn");
    fs::copy(fixture("showcase.pgn"), &file)?;
    let arguments = [OsStr::new("--repairs"), repairs.as_os_str(), file.as_os_str()];
    let page = checked(home.path(), "report", &arguments)?.join("report.html");
    browser.resize(1280, 900)?;
    browser.open(&page)?;
    browser.value("window.files = [], URL.createObjectURL = blob => (window.files.push(blob), '#')")?;
    let progress = "document.getElementById('progress').textContent";
    let all = browser.text(progress)?.split(' ').nth(2).unwrap_or_default().to_owned();
    browser.type_text("j")?;
    browser.type_text("j")?;
    let label = browser.text("document.querySelector('.current h3').textContent")?;
    browser.type_text("a")?;
    browser.type_text("=so it was, \"really\"")?;
    browser.press("Enter", 13)?;
    browser.value("new Promise(done => setTimeout(done, 50))")?;
    assert_eq!(browser.text(progress)?, format!("1 of {all} decided"));
    // The repair of the illegal move, and one that is undone.
    browser.value("location.hash = '#MOV01', new Promise(done => setTimeout(done, 50))")?;
    for _ in 0..60 {
        if browser.text("document.activeElement.closest('tbody')?.id")? == "MOV01"
            && browser.number("document.querySelectorAll('#MOV01 .current').length")? == 1
        {
            break;
        }
        browser.type_text("j")?;
    }
    browser.type_text("r")?;
    assert_eq!(browser.text(progress)?, format!("2 of {all} decided"));
    browser.type_text("l")?;
    browser.type_text("u")?;
    browser.type_text("u")?;
    assert_eq!(browser.text(progress)?, format!("1 of {all} decided"));
    browser.type_text("r")?;
    browser.value("document.getElementById('export-accept').click(), document.getElementById('export-repair').click()")?;
    let exported = browser.value("Promise.all(window.files.map(file => file.text()))")?;
    let [baseline, chosen] = ["baseline.csv", "chosen-repairs.csv"].map(|name| home.path().join(name));
    fs::write(&baseline, exported[0].as_str().ok_or("no baseline")?)?;
    fs::write(&chosen, exported[1].as_str().ok_or("no list")?)?;

    // Decisions stay in the browser.
    browser.open(&page)?;
    assert_eq!(browser.text(progress)?, format!("2 of {all} decided"));

    // The program takes both files as they are.
    let arguments = [OsStr::new("--baseline"), baseline.as_os_str(), file.as_os_str()];
    let again = checked(home.path(), "again", &arguments)?.join("report.html");
    browser.open(&again)?;
    assert_eq!(browser.text("document.querySelector('.tiles dt').textContent")?, "new errors");
    let known = "[...document.querySelectorAll('.tiles small')].reduce((sum, part) => sum + parseInt(part.textContent), 0)";
    assert_eq!(browser.number(known)?, 1, "{label}");
    let entry = Baseline::read(&baseline)?;
    assert_eq!(entry.iter().map(|(_, entry)| entry.reason.clone()).collect::<Vec<_>>(), ["=so it was, \"really\""]);
    let fixed = Command::new(cargo_bin!("chess-audit"))
        .args(["fix", "--diff", "--quiet", "--repairs"])
        .arg(&repairs)
        .arg("--only")
        .arg(&chosen)
        .output()?;
    let diff = String::from_utf8(fixed.stdout)?;
    assert_eq!(diff.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++")).count(), 1, "{diff}");
    Ok(())
}

#[test]
fn names_are_chosen_and_exported() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let rule = RULES.iter().find(|rule| rule.name == "other-spelling").ok_or("no rule")?;
    let text = String::from_utf8_lossy(&rule.fires[0].input().0).replace("Tal, Mihail", "TAL, Mihail");
    let file = home.path().join("games.pgn");
    fs::write(&file, format!("{text}{}", text.replace("Yusupov, Artur", "Tal, Mihail").replace("TAL, Mihail", "Hort, V")))?;
    let page = checked(home.path(), "report", &[OsStr::new("--duplicates"), file.as_os_str()])?.join("report.html");
    browser.resize(1280, 900)?;
    browser.open(&page)?;
    browser.value("window.files = [], URL.createObjectURL = blob => (window.files.push(blob), '#')")?;
    let chosen = "document.getElementById('names-chosen').textContent";
    let all = browser.text(chosen)?.split(' ').nth(2).unwrap_or_default().parse::<usize>()?;
    assert!(all >= 2, "{all}");
    assert_eq!(browser.text("document.getElementById('export-names').disabled.toString()")?, "true");
    browser.value("document.querySelector('#names tr[data-name=\"TAL, Mihail\"] input').click()")?;
    assert_eq!(browser.text(chosen)?, format!("1 of {all} chosen"));
    browser.value("document.getElementById('export-names').click()")?;
    let exported = browser.value("Promise.all(window.files.map(file => file.text()))")?;
    let exported = exported[0].as_str().ok_or("no names")?;
    assert_eq!(exported.lines().count(), all + 1, "{exported}");
    let decided: Vec<&str> = exported.lines().filter(|line| line.ends_with(",yes")).collect();
    assert_eq!(decided, ["\"TAL, Mihail\",\"Tal, Mihail\",yes"]);
    browser.assert_alone(&page);
    Ok(())
}

/// Looks at the second part of the page: its numbers are those of the table.
fn assert_portrait(browser: &mut Browser, report: &Path) -> Outcome {
    let shown = "['findings', 'portrait'].map(part => document.getElementById(part).offsetHeight > 0).join()";
    assert_eq!(browser.text(shown)?, "true,false");
    browser.value("document.querySelector('#tabs a:last-child').click(), new Promise(done => setTimeout(done, 50))")?;
    assert_eq!(browser.text(shown)?, "false,true");
    assert_eq!(browser.text("document.querySelector('#tabs [aria-current]').textContent")?, "Portrait of the corpus");
    let cells = "[...document.querySelectorAll('#portrait .numbers tbody tr')].map(row => \
                 [...row.cells].map(cell => cell.textContent).join()).sort()";
    let cells = browser.value(cells)?;
    let charted = ["year", "rating", "moves", "eco", "time_control", "termination", "title"];
    let mut rows = csv::Reader::from_path(report.join("profile.csv"))?;
    let rows = rows.records().collect::<Result<Vec<_>, _>>()?;
    // A property that no game tells has no chart.
    let is_charted = |property: &str| {
        let mut values = rows.iter().filter(|row| &row[0] == property);
        charted.contains(&property) && values.any(|row| !["unknown", "none"].contains(&&row[1]))
    };
    let mut expected: Vec<String> =
        rows.iter().filter(|row| is_charted(&row[0])).map(|row| row.iter().skip(1).collect::<Vec<_>>().join(",")).collect();
    expected.sort();
    assert!(expected.len() > 5, "{expected:?}");
    assert_eq!(cells, json!(expected));
    browser.value("history.back(), new Promise(done => setTimeout(done, 200))")?;
    assert_eq!(browser.text(shown)?, "true,false");
    browser.value("history.forward(), new Promise(done => setTimeout(done, 200))").map(drop)
}

#[test]
fn first_screens_fit_every_window() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let showcase = fixture("showcase.pgn");
    let clean = home.path().join("clean.epd");
    fs::write(&clean, "4k3/8/8/8/8/8/8/R3K3 w Q -\n")?;
    let broken = home.path().join("broken.pgn.gz");
    fs::write(&broken, b"\x1f\x8b\x08\0\0\0\0\0\0\x03broken")?;
    let fail = checked(home.path(), "fail", &[OsStr::new("--name"), OsStr::new("Club & county"), showcase.as_os_str()])?;
    let baseline = fail.join("moves.csv");
    let reports = [
        (fail.clone(), "FAIL Club & county", true),
        (checked(home.path(), "pass", &[clean.as_os_str()])?, "PASS clean.epd", false),
        (
            checked(home.path(), "known", &[OsStr::new("--baseline"), baseline.as_os_str(), showcase.as_os_str()])?,
            "FAIL showcase.pgn",
            true,
        ),
        (checked(home.path(), "failure", &[broken.as_os_str()])?, "INCOMPLETE broken.pgn.gz", false),
    ];
    for (report, title, has_worst) in reports {
        let page = report.join("report.html");
        for (scheme, widths) in [("light", [320, 390, 1280]), ("dark", [320, 390, 1280])] {
            browser.prefer(scheme)?;
            for width in widths {
                browser.resize(width, 900)?;
                browser.open(&page)?;
                assert_eq!(browser.text("document.querySelector('h1').textContent")?, title);
                assert!(browser.number("document.documentElement.scrollWidth")? <= i64::from(width), "{title} at {width}");
                let worst = browser.number("document.querySelectorAll('.worst .board').length")?;
                assert_eq!(worst, i64::from(has_worst), "{title}");
                if has_worst {
                    assert_portrait(&mut browser, &report)?;
                    assert!(browser.number("document.documentElement.scrollWidth")? <= i64::from(width), "{title} at {width}");
                }
            }
        }
        let paper = browser.call("Page.printToPDF", json!({"printBackground": true}))?;
        assert!(paper["data"].as_str().is_some_and(|data| data.starts_with("JVBERi")), "{title}");
        browser.assert_alone(&page);
    }
    Ok(())
}

#[test]
fn pairs_are_decided_by_keys_and_buttons() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let rule = RULES.iter().find(|rule| rule.name == "same-game").ok_or("no rule")?;
    let text = String::from_utf8_lossy(&rule.fires[0].input().0).into_owned();
    let (known, copy) = text.trim().rsplit_once("\n\n[").ok_or("one game")?;
    let copy = format!("[{copy}\n\n");
    let [a, b] = ["a.pgn", "b.pgn"].map(|name| home.path().join(name));
    fs::write(&a, format!("{known}\n\n"))?;
    let in_year = |year: &str| copy.replace("1851.??.??", year);
    fs::write(&b, [copy.clone(), in_year("1853.??.??"), in_year("1855.??.??")].concat())?;
    let page = checked(home.path(), "report", &[OsStr::new("--duplicates"), a.as_os_str(), b.as_os_str()])?.join("report.html");
    browser.resize(1280, 900)?;
    browser.open(&page)?;
    browser.value("window.files = [], URL.createObjectURL = blob => (window.files.push(blob), '#')")?;
    let progress = "document.getElementById('progress').textContent";
    assert_eq!(browser.text(progress)?, "0 of 3 decided");
    assert_eq!(browser.text("document.getElementById('export-keep').disabled.toString()")?, "true");
    // The reason comes before both games.
    browser.type_text("j")?;
    let order = "[...document.querySelector('.current .text').children].map(part => part.className).filter(Boolean).join(' ')";
    assert!(browser.text(order)?.contains("other choices pair copies"), "{}", browser.text(order)?);
    let place = browser.text("document.querySelector('.current .location').textContent")?;
    assert!(place.starts_with("DUP03 same-game-contradicts · warning"), "{place}");
    // Each word of a search counts, wherever it is.
    let found = "document.getElementById('status').textContent";
    browser.value(&choose("q", "CASUAL contradict"))?;
    assert!(browser.text(found)?.starts_with("2 findings"), "{}", browser.text(found)?);
    browser.value(&choose("q", "casual absent"))?;
    assert!(browser.text(found)?.starts_with("0 findings"), "{}", browser.text(found)?);
    browser.value(&choose("q", ""))?;
    // Like the first one, the second one of its rule; then that is undone in one step.
    browser.type_text("2R")?;
    assert_eq!(browser.text(progress)?, "2 of 3 decided");
    browser.type_text("u")?;
    assert_eq!(browser.text(progress)?, "1 of 3 decided");
    browser.type_text("S")?;
    assert_eq!(browser.text(progress)?, "3 of 3 decided");
    assert_eq!(browser.text("document.getElementById('said').textContent")?, "2 findings decided: keep right");
    let button = "document.querySelectorAll('#DUP01 .choices button')[2]";
    browser.value("document.querySelector('#DUP01 .name button').click()")?;
    assert_eq!(browser.text(&format!("{button}.textContent"))?, "Keep both");
    browser.value(&format!("{button}.click()"))?;
    browser.value("document.getElementById('export-keep').click(), document.getElementById('export-accept').click()")?;
    let exported = browser.value("Promise.all(window.files.map(file => file.text()))")?;
    let [decisions, baseline] = ["decisions.csv", "baseline.csv"].map(|name| home.path().join(name));
    fs::write(&decisions, exported[0].as_str().ok_or("no decisions")?)?;
    fs::write(&baseline, exported[1].as_str().ok_or("no baseline")?)?;
    let entries = Baseline::read(&baseline)?;
    assert_eq!(entries.iter().map(|(_, entry)| entry.reason.clone()).collect::<Vec<_>>(), ["both games are kept"]);

    // The program takes the decisions as they are.
    let cleaned = Command::new(cargo_bin!("chess-audit"))
        .current_dir(home.path())
        .args(["clean", "a.pgn", "b.pgn", "-o", "clean", "--decisions"])
        .arg(&decisions)
        .output()?;
    let said = String::from_utf8(cleaned.stdout)?;
    assert!(said.contains("Decisions    3 of 3 were followed\n"), "{said}");
    assert_eq!(fs::read(home.path().join("clean/games/a.pgn"))?, fs::read(&a)?);
    assert_eq!(fs::read_to_string(home.path().join("clean/games/b.pgn"))?, copy);
    browser.assert_alone(&page);
    Ok(())
}

/// Opens the help by mouse, keyboard and finger, and closes it.
#[test]
fn help_is_opened_by_its_button() -> Outcome {
    const HELP: &str = "#filters [data-key=\"?\"]";
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let page = audited(home.path(), &[Path::new("fixtures/showcase.pgn")])?;
    let is_open = "document.getElementById('help').open.toString()";
    let focused = format!("document.activeElement.matches('{HELP}').toString()");
    for (width, least) in [(1280, 24), (360, 44), (320, 44)] {
        browser.resize(width, 780)?;
        browser.open(&page)?;
        assert!(browser.announces("button", "Help")?, "at {width}");
        let search = "document.querySelector('[name=q]').closest('label').nextElementSibling";
        assert_eq!(browser.text(&format!("{search}.matches('{HELP}').toString()"))?, "true", "next to the search");
        let height = browser.number(&format!("document.querySelector('{HELP}').getBoundingClientRect().height"))?;
        assert!(height >= least, "{height} px at {width}");
        for way in ["mouse", "keyboard", "finger"] {
            assert_eq!(browser.text(is_open)?, "false", "{way} at {width}");
            match way {
                "mouse" => browser.click(HELP)?,
                "keyboard" => {
                    browser.value(&format!("document.querySelector('{HELP}').focus()"))?;
                    browser.press("Enter", 13)?;
                }
                _ => {
                    browser.tap(HELP)?;
                    browser.value("new Promise(done => setTimeout(done, 100))")?;
                }
            }
            assert_eq!(browser.text(is_open)?, "true", "{way} at {width}");
            let right = browser.number("document.getElementById('help').getBoundingClientRect().right")?;
            assert!(right <= i64::from(width), "{right} of {width}");
            browser.press("Escape", 27)?;
            browser.value("new Promise(done => setTimeout(done, 50))")?;
            assert_eq!(browser.text(&focused)?, "true", "{way} at {width}");
        }
        browser.assert_alone(&page);
        browser.assert_accessible(&format!("the report at {width}"))?;
    }
    Ok(())
}

/// The results in cards that are cut into two lines: a browser may end a line after a hyphen.
const CUT_RESULTS: &str = "(() => {
    const cut = [];
    for (const card of document.querySelectorAll('.finding')) {
        const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
        while (texts.nextNode()) {
            const text = texts.currentNode;
            if (text.parentElement.closest('.context')) continue;
            for (const { index, 0: result } of text.data.matchAll(/1-0|0-1|1\\/2-1\\/2/g)) {
                const range = document.createRange();
                range.setStart(text, index);
                range.setEnd(text, index + result.length);
                const lines = [...range.getClientRects()].filter((line) => line.width > 0).map((line) => Math.round(line.top));
                if (new Set(lines).size > 1) cut.push(text.data);
            }
        }
    }
    return cut.join('; ');
})()";

/// The result `1-0` in a narrow card does not leave a `0` alone on a line.
#[test]
fn no_zero_is_alone_on_a_line() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let file = home.path().join("games.pgn");
    let samples = RULES.iter().filter(|rule| ["same-game", "version", "same-game-contradicts"].contains(&rule.name));
    let games = samples.flat_map(|rule| rule.fires.iter().flat_map(|sample| sample.input().0)).collect::<Vec<u8>>();
    fs::write(&file, games)?;
    let page = audited(home.path(), &[&file])?;
    browser.open(&page)?;
    browser.value("document.getElementById('toggle-all').click()")?;
    assert!(browser.number("document.querySelectorAll('.pair figure').length")? >= 6);
    for width in (320..480).step_by(4) {
        browser.resize(width, 900)?;
        assert_eq!(browser.text(CUT_RESULTS)?, "", "at {width}");
        assert!(browser.number("document.documentElement.scrollWidth")? <= i64::from(width), "at {width}");
    }
    browser.assert_alone(&page);
    Ok(())
}

#[test]
fn differences_are_a_table_with_boards_on_demand() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let corpora = ["tests/cli/diff.in/old.pgn", "tests/cli/diff.in/new.pgn"];
    let page = home.path().join("differences/diff.html");
    let done = Command::new(cargo_bin!("chess-audit"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["diff", corpora[0], corpora[1], "-o"])
        .arg(home.path().join("differences"))
        .output()?;
    assert_eq!(done.status.code(), Some(1), "{}", String::from_utf8_lossy(&done.stderr));
    let rows = csv::Reader::from_path(page.with_file_name("diff.csv"))?.into_records().collect::<Result<Vec<_>, _>>()?;
    let board = "document.querySelector('details .board')";
    for scheme in ["light", "dark"] {
        browser.prefer(scheme)?;
        for width in [320, 390, 760, 1000, 1280] {
            let at = format!("{scheme} at {width}");
            browser.resize(width, 900)?;
            browser.open(&page)?;
            let heads = "[...document.querySelectorAll('table thead th')].map(cell => cell.textContent).join(', ')";
            assert_eq!(browser.text(heads)?, "Change, Game, In A, In B, What differs");
            assert_eq!(browser.number("document.querySelectorAll('tbody tr').length")?, rows.len() as i64);
            let label = browser.text("document.querySelector('#moves th').textContent")?;
            let moves = rows.iter().find(|row| &row[0] == "moves").ok_or("no other moves")?;
            assert_eq!(label, moves[10]);
            let cells = "[...document.querySelectorAll('#moves td')].slice(1, 3).map(cell => cell.textContent).join(' ')";
            assert_eq!(browser.text(cells)?, format!("{}:{} {}:{}", &moves[1], &moves[3], &moves[4], &moves[6]));
            for (role, name) in [("table", "Differences between A and B"), ("columnheader", "In A"), ("rowheader", &label)] {
                assert!(browser.announces(role, name)?, "{role} {name}, {at}");
            }
            // Boards are closed at first, and open without a script.
            assert_eq!(browser.number("document.querySelectorAll('script').length")?, 0);
            assert_eq!(browser.number("document.querySelectorAll('details').length")?, 1);
            assert_eq!(browser.number("document.querySelectorAll('details[open], svg.board:not(details svg)').length")?, 0);
            assert_eq!(browser.value(&format!("{board}.checkVisibility()"))?, json!(false), "{at}");
            browser.assert_accessible(&format!("closed, {at}"))?;
            browser.click("details summary")?;
            assert_eq!(browser.value(&format!("{board}.checkVisibility()"))?, json!(true), "{at}");
            assert!(browser.number(&format!("{board}.getBoundingClientRect().width"))? >= 130, "{at}");
            assert!(browser.announces("image", "Board, ")?, "{at}");
            browser.assert_accessible(&format!("open, {at}"))?;
            let cut = CUT_RESULTS.replace(".finding", ".differences");
            assert_eq!(browser.text(&cut)?, "", "{at}");
            assert!(browser.number("document.documentElement.scrollWidth")? <= i64::from(width), "{at}");
            browser.assert_alone(&page);
        }
    }
    Ok(())
}

/// The page of a night says what is new since the last one, and its filter shows just that.
#[test]
fn the_page_of_a_night_shows_what_is_new() -> Outcome {
    let home = tempfile::tempdir()?;
    let Some(mut browser) = Browser::start(&home.path().join("browser"))? else { return Ok(()) };
    let club = Club::new()?;
    club.night(1, &[])?;
    club.write("games/d.pgn", game(7, "1. e4 e5 2. Ke4"))?;
    fs::remove_file(club.path("games/b.pgn"))?;
    assert_eq!(club.night(2, &[])?.code, Some(1));
    let page = club.path("store/reports/00002-2026-11-02/report.html");
    for scheme in ["light", "dark"] {
        browser.prefer(scheme)?;
        for width in [320, 390, 1280] {
            let at = format!("{scheme} at {width}");
            browser.resize(width, 900)?;
            browser.open(&page)?;
            assert_eq!(browser.text("document.querySelector('h1').textContent")?, "FAIL games", "{at}");
            let reason = browser.text("document.querySelector('.top .headline + p').textContent")?;
            let sentence =
                "1 new (1 error), 3 gone (1 error); 2 records lost in 1 input. New means since the last night, 2026-11-01.";
            assert_eq!(reason, sentence, "{at}");
            assert!(browser.announces("checkbox", "New since 2026-11-01")?, "{at}");
            assert!(browser.text("document.querySelector('#status').textContent")?.starts_with("7 findings; "), "{at}");
            browser.click("input[name=new]")?;
            assert_eq!(browser.text("document.querySelector('#status').textContent")?, "1 finding of 7", "{at}");
            assert!(browser.number("document.documentElement.scrollWidth")? <= i64::from(width), "{at}");
            browser.assert_accessible(&at)?;
            browser.assert_alone(&page);
        }
    }
    Ok(())
}
