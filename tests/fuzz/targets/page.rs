//! The page about any bytes: its tags are those of the templates, they are balanced, and everything
//! else is escaped.

use std::{fs, sync::atomic::AtomicBool};

use chess_audit::internals::{
    corpus::{Input, Source},
    pipeline::{Audit, Settings},
    report::{Report, RunSettings},
    text::Format,
};

use crate::common::everything;

/// The elements of the templates, and those of them that have no end tag.
const ELEMENTS: [&str; 63] = [
    "html", "head", "meta", "link", "title", "style", "body", "a", "header", "p", "h1", "h2", "h3", "dl", "div", "dt", "dd",
    "main", "section", "ul", "li", "bdi", "svg", "g", "text", "rect", "form", "label", "select", "option", "input", "button",
    "span", "table", "caption", "thead", "tbody", "tr", "th", "td", "noscript", "footer", "script", "details", "summary", "code",
    "ol", "small", "mark", "use", "path", "polyline", "defs", "marker", "circle", "article", "datalist", "aside", "dialog",
    "kbd", "br", "nav", "abbr",
];
const VOID: [&str; 4] = ["meta", "link", "input", "br"];

/// Writes a page about the text, under a name that the text begins with.
pub fn run(text: &[u8]) {
    let name: String = String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
    for format in [Format::Pgn, Format::Epd] {
        let page = page(&name, text, format);
        balanced(&page);
    }
}

fn page(name: &str, text: &[u8], format: Format) -> String {
    let home = tempfile::tempdir().expect("a temporary directory can be made");
    let place = home.path().join("report");
    let run_settings = RunSettings { html_rows: Some(3), ..RunSettings::default() };
    let mut report = Report::create(&place, run_settings).expect("the directory is writable");
    let input = Input { name: name.to_owned(), source: Source::Bytes(text.into()), format: Some(format), scanned: false };
    let settings = Settings { examples: 3, portrait: true, ..everything() };
    let summary = Audit::new(settings).run(vec![input], &mut report, &(), &AtomicBool::new(false));
    let complete = report.complete(&summary.expect("the report is written")).expect("the report is written");
    complete.finish().expect("the report is written");
    fs::read_to_string(place.join("report.html")).expect("the page is text in UTF-8")
}

/// Reads the page as a browser would read one without any leniency.
fn balanced(page: &str) {
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("the document type");
    let mut open: Vec<&str> = Vec::new();
    let mut scripts = 0;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        escaped(text);
        let end = tag_end(tag);
        let (tag, after) = (&tag[1..end], &tag[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "the tags are balanced");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        assert!(ELEMENTS.contains(&name), "<{tag}> is not from the templates");
        attributes(tag[name.len()..].trim_end_matches('/'));
        if matches!(name, "style" | "script") {
            scripts += usize::from(name == "script");
            let close = format!("</{name}>");
            rest = &rest[rest.find(&close).expect("an end tag") + close.len()..];
        } else if !VOID.contains(&name) && !tag.ends_with('/') {
            open.push(name);
        }
    }
    escaped(rest);
    let has_data = page.contains("<script type=\"application/octet-stream\" id=\"data\"");
    assert_eq!((open, scripts), (Vec::new(), 1 + usize::from(has_data)));
    let invisible =
        |letter: char| matches!(letter, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}') || (letter < ' ' && letter != '\n');
    assert!(!page.contains(invisible), "characters that change how others are shown");
}

/// The end of the tag at the start of the text. Values of attributes are in double quotes.
fn tag_end(tag: &str) -> usize {
    let mut is_quoted = false;
    for (at, byte) in tag.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'>' if !is_quoted => return at,
            _ => {}
        }
    }
    panic!("the tag is not closed: {tag}");
}

fn attributes(text: &str) {
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find([' ', '=']).unwrap_or(rest.len());
        let name = &rest[..end];
        assert!(!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b':')), "{text}");
        assert!(!name.starts_with("on"), "{text}");
        rest = rest[end..].trim_start();
        let Some(value) = rest.strip_prefix("=\"") else { continue };
        let (value, after) = value.split_once('"').expect("a quote");
        escaped(value);
        if name == "href" || name == "src" {
            let known = ["#", "https://", "http://", "data:,"].iter().any(|start| value.starts_with(start));
            assert!(known || (value.ends_with(".csv") && !value.contains([':', '/'])), "{name}=\"{value}\"");
        }
        rest = after.trim_start();
    }
}

/// Text between tags or in quotes: every `&` begins a character reference, and nothing else can
/// begin or end a tag.
fn escaped(text: &str) {
    assert!(!text.contains(['<', '>']), "{text}");
    for (at, _) in text.match_indices('&') {
        let name = text[at + 1..].split(';').next().unwrap_or_default();
        let is_reference = text[at + 1..].contains(';')
            && name.len() < 8
            && !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#');
        assert!(is_reference, "{}", &text[at..]);
    }
}
