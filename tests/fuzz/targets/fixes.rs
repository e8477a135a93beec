//! Files and lists of repairs: `fix` applies a list exactly, or says what is wrong and writes
//! nothing.

use std::{collections::HashMap, fs, path::Path, sync::atomic::AtomicBool};

use chess_audit::internals::{
    report::{CheckedFiles, Control, DiffStyle, Fix, FixError, FixPlan, Fixed, REPAIR_COLUMNS, RepairList, RepairRow},
    text::wording::restored_name,
};
use xxhash_rust::xxh3::xxh3_64;

/// Separates the input from the list.
const SEPARATOR: u8 = 0x1E;

/// The input, a separator, and the list. `@bytes@` and `@digest@` in the list become those of the
/// input.
pub fn run(bytes: &[u8]) {
    let at = bytes.iter().position(|byte| *byte == SEPARATOR);
    let (text, list) = at.map_or((bytes, bytes), |at| (&bytes[..at], &bytes[at + 1..]));
    // Another input would be unpacked or converted.
    if !text.is_ascii() {
        return;
    }
    let list = replaced(&replaced(list, b"@bytes@", &text.len().to_string()), b"@digest@", &format!("{:016x}", xxh3_64(text)));
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("games.pgn"), text).expect("it can be written");
    fs::write(at("repairs.csv"), &list).expect("it can be written");
    for likely in [false, true] {
        let output = at("fixed.pgn");
        let fix = Fix { paths: vec![at("games.pgn")], repairs: at("repairs.csv"), likely, rules: None, only: None };
        let control = Control { progress: &(), stop: &AtomicBool::new(false) };
        let plan = fix.plan(control);
        let fixed = plan
            .as_ref()
            .map_err(ToString::to_string)
            .and_then(|plan| plan.write_file(&output, false, control).map_err(|error| error.to_string()));
        match fixed {
            Err(error) => {
                assert!(!output.exists(), "{error}");
                assert!(!error.is_empty());
            }
            Ok(fixed) if fixed.applied == 0 => assert!(!output.exists(), "there was nothing to do"),
            Ok(fixed) => {
                let copy = fs::read(&output).expect("it was written");
                // A quote in a name may be that of a cell.
                if fixed.overlapping == 0 && !list.contains(&b'\'') {
                    let (expected, applied) = apply(text, &list, likely);
                    assert_eq!(copy.escape_ascii().to_string(), expected.escape_ascii().to_string());
                    assert_eq!(applied, fixed.applied);
                }
                fs::remove_file(&output).expect("it was written");
                let shown = plan.and_then(|plan| shown(&plan, control)).expect("what was applied can be shown");
                assert_eq!(shown, fixed);
            }
        }
        assert_eq!(fs::read(at("games.pgn")).expect("it is still there"), text, "the input is not changed");
        assert_eq!(fs::read(at("repairs.csv")).expect("it is still there"), list, "the list is not changed");
    }
    // Only a list is replaced by a list.
    let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(list.get(..1 << 12).unwrap_or(&list));
    let mut header = csv::StringRecord::new();
    let has_header = rows.read_record(&mut header).is_ok_and(|is_row| is_row) && header.iter().eq(REPAIR_COLUMNS);
    let is_list = list.is_empty() || has_header;
    assert_eq!(RepairList::create(&at("repairs.csv"), false, HashMap::new(), &CheckedFiles::default()).is_ok(), is_list);
}

/// What a diff says that it shows.
fn shown(plan: &FixPlan, control: Control<'_>) -> Result<Fixed, FixError> {
    plan.write_diff(std::io::sink(), Path::new("sink"), DiffStyle::default(), control)
}

/// Applies the repairs of this input one by one, the last one first. None of them overlap.
fn apply(text: &[u8], list: &[u8], likely: bool) -> (Vec<u8>, u64) {
    let identity = (text.len() as u64, format!("{:016x}", xxh3_64(text)));
    let rows = csv::Reader::from_reader(list).into_deserialize::<RepairRow>();
    let rows = rows.map(|row| row.expect("the list was applied"));
    let mut rows: Vec<RepairRow> = rows.filter(|row| (row.input_bytes, &row.input_digest) == (identity.0, &identity.1)).collect();
    // The input has none of these names, so the first one is taken for its own.
    let name = rows.first().map(|row| restored_name(&row.input));
    rows = rows
        .into_iter()
        .filter(|row| Some(restored_name(&row.input)) == name)
        .filter(|row| likely || row.repair == "certain")
        .collect();
    rows.sort_by_key(|row| (row.byte, row.end_byte));
    rows.dedup_by(|a, b| (a.byte, a.end_byte, bytes(&a.new)) == (b.byte, b.end_byte, bytes(&b.new)));
    let mut copy = text.to_vec();
    for row in rows.iter().rev() {
        let range = row.byte as usize..row.end_byte as usize;
        assert_eq!(copy.get(range.clone()), Some(&bytes(&row.old)[..]), "the old bytes are there");
        copy.splice(range, bytes(&row.new));
    }
    (copy, rows.len() as u64)
}

/// The bytes that an escaped text means.
fn bytes(escaped: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut characters = escaped.bytes();
    while let Some(byte) = characters.next() {
        let next = if byte == b'\\' { characters.next() } else { None };
        match next {
            None => bytes.push(byte),
            Some(b'x') => {
                let digits = [characters.next(), characters.next()].map(|digit| char::from(digit.expect("two digits")));
                let [high, low] = digits.map(|digit| digit.to_digit(16).expect("a digit") as u8);
                bytes.push(high << 4 | low);
            }
            Some(b'n') => bytes.push(b'\n'),
            Some(b'r') => bytes.push(b'\r'),
            Some(b't') => bytes.push(b'\t'),
            Some(other) => bytes.push(other),
        }
    }
    bytes
}

fn replaced(text: &[u8], from: &[u8], to: &str) -> Vec<u8> {
    let mut result = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(from) {
            result.extend_from_slice(to.as_bytes());
            at += from.len();
        } else {
            result.push(text[at]);
            at += 1;
        }
    }
    result
}
