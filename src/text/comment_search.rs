//! Searches comments, which can be long.

use memchr::{memchr_iter, memchr3};

#[cfg(target_arch = "x86_64")]
use super::avx2;
use super::names::Names;

/// The place of the first `{`, `}` or `[` from `at` on, and the number of slashes before it.
#[inline]
pub fn next_bracket(text: &[u8], at: usize) -> Option<(usize, usize)> {
    #[cfg(target_arch = "x86_64")]
    {
        let (at, slashes) = avx2::skip_to_bracket(text, at, None);
        match text.get(at) {
            Some(b'{' | b'}' | b'[') => Some((at, slashes)),
            _ => next_bracket_portable(text, at).map(|(at, more)| (at, slashes + more)),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    next_bracket_portable(text, at)
}

/// The same on every processor.
fn next_bracket_portable(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?;
    let place = memchr3(b'{', b'}', b'[', rest)?;
    Some((at + place, memchr_iter(b'/', &rest[..place]).count()))
}

/// As [`next_bracket`]. Notes in `values` where the value after each of `names` and `=` begins, by
/// the lowest two bits of the name: the last one before the bracket, or before the end if there is
/// no bracket. It may note other places after a `=`.
#[inline]
pub fn next_bracket_after_names(text: &[u8], at: usize, names: &Names, values: &mut [usize; 4]) -> Option<(usize, usize)> {
    #[cfg(target_arch = "x86_64")]
    {
        let (at, slashes) = avx2::skip_to_bracket(text, at, Some((names, values)));
        match text.get(at) {
            Some(b'{' | b'}' | b'[') => Some((at, slashes)),
            _ => after_names_portable(text, at, names, values).map(|(at, more)| (at, slashes + more)),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    after_names_portable(text, at, names, values)
}

/// The same on every processor, and only after names.
fn after_names_portable(text: &[u8], at: usize, names: &Names, values: &mut [usize; 4]) -> Option<(usize, usize)> {
    let found = next_bracket_portable(text, at);
    let part = text.get(at..found.map_or(text.len(), |(bracket, _)| bracket)).unwrap_or_default();
    for place in memchr_iter(b'=', part).filter_map(|at| at.checked_sub(2)) {
        if names.all.iter().any(|name| part[place..].starts_with(name)) {
            values[usize::from(part[place] & 3)] = at + place + 3;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of all lengths up to some vectors, with each of `bytes` at each place among others.
    fn texts(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
        (0..110).flat_map(move |length| {
            (0..length).flat_map(move |at| {
                bytes.iter().map(move |byte| {
                    let mut text = vec![b'Z'; length];
                    text[at] = *byte;
                    // A second one, far enough away to be in the same part or in another one.
                    text[at * 7 % length] = bytes[at % bytes.len()];
                    text
                })
            })
        })
    }

    #[test]
    fn brackets_are_found_in_texts_of_all_lengths() {
        let mut found = 0;
        for text in texts(b"{}[/;_\x1b\x5d\x7f\xfb") {
            for from in [0, 1, text.len() / 2, text.len()] {
                let expected = (from..text.len()).find(|at| b"{}[".contains(&text[*at]));
                let expected = expected.map(|at| (at, text[from..at].iter().filter(|byte| **byte == b'/').count()));
                assert_eq!(next_bracket(&text, from), expected, "{:?} from {from}", String::from_utf8_lossy(&text));
                assert_eq!(next_bracket_portable(&text, from), expected, "{:?} from {from}", String::from_utf8_lossy(&text));
                found += usize::from(expected.is_some_and(|(_, slashes)| slashes > 0));
            }
        }
        assert!(found > 1000, "{found} after a slash");
    }

    #[test]
    fn names_are_found_in_texts_of_all_lengths() {
        const NAMES: [[u8; 2]; 3] = [*b"wv", *b"mt", *b"tl"];
        let mut found = 0;
        for length in 0..140 {
            for at in 0..length {
                let mut text = vec![b'='; length];
                for (name, from) in [
                    (&b"wv="[..], at),
                    (b"tl=", at * 5 % length),
                    (b"\xF7v=", at * 3 % length),
                    (b"mt=", length - at),
                    (b"}", at * 11),
                ] {
                    if let Some(place) = text.get_mut(from..from + name.len()) {
                        place.copy_from_slice(name);
                    }
                }
                for from in [0, 1, length / 2] {
                    let bracket = next_bracket(&text, from);
                    let end = bracket.map_or(length, |(at, _)| at);
                    let mut expected = [0; 4];
                    for value in from + 3..=end {
                        let name = &text[value - 3..value];
                        if name[2] == b'=' && NAMES.contains(&[name[0], name[1]]) {
                            expected[usize::from(name[0] & 3)] = value;
                        }
                    }
                    let (mut values, mut portable) = ([0; 4], [0; 4]);
                    assert_eq!(next_bracket_after_names(&text, from, &Names::new(NAMES), &mut values), bracket);
                    assert_eq!(after_names_portable(&text, from, &Names::new(NAMES), &mut portable), bracket);
                    assert_eq!([values, portable], [expected; 2], "{:?} from {from}", String::from_utf8_lossy(&text));
                    found += values.iter().filter(|value| **value > 0).count();
                }
            }
        }
        assert!(found > 20_000, "{found} names");
    }

    #[test]
    fn other_names_are_noted_only_after_the_last_one() {
        let text = b"wv=1, gf=2, mt=3, ev=4, MT=5, tl=6, xl=7, Rd=8}, tl=9, ==================================";
        let mut values = [0; 4];
        assert_eq!(next_bracket_after_names(text, 0, &Names::new([*b"wv", *b"mt", *b"tl"]), &mut values), Some((46, 0)));
        let last = |field: usize, name: &[u8]| text[..values[field]].ends_with(name);
        assert!(last(3, b"gf=") || last(3, b"wv="), "{values:?}");
        assert!(last(1, b"MT=") || last(1, b"mt="), "{values:?}");
        assert!(last(0, b"tl="), "{values:?}");
    }
}
