//! Lists of repairs in memory: what is read can be applied to a text of the length that is named.

use std::{ops::Range, path::Path};

use chess_audit::internals::report::{Filter, read_repairs};

/// Reads any bytes as a list.
pub fn run(list: &[u8]) {
    for likely in [false, true] {
        let filter = Filter { likely, rules: None, only: None };
        let listed = match read_repairs(list, Path::new("list"), filter) {
            Ok(listed) => listed,
            Err(error) => return assert!(error.to_string().contains("list"), "{error}"),
        };
        for input in listed {
            let mut before: Option<Range<u64>> = None;
            for repair in &input.replacements {
                let range = repair.start..repair.end();
                assert!(range.end <= input.length, "{range:?} of {}", input.length);
                assert!(likely || repair.certain, "{range:?} is only likely");
                if let Some(before) = before.replace(range.clone()) {
                    assert!(before.end <= range.start && before != range, "{before:?} and {range:?}");
                }
            }
        }
    }
}
