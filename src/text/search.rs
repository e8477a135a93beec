//! Searches comments, which can be long.

use memchr::{memchr_iter, memchr3};

#[cfg(target_arch = "x86_64")]
use super::avx2;

/// The place of the first `{`, `}` or `[` from `at` on, and the number of slashes before it.
#[inline]
pub fn next_bracket(text: &[u8], at: usize) -> Option<(usize, usize)> {
    #[cfg(target_arch = "x86_64")]
    {
        let (at, slashes) = avx2::skip_to_bracket(text, at);
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

/// Calls `note` with the place of each name of two letters that is followed by `=`, in order.
#[inline]
pub fn each_name(text: &[u8], names: [[u8; 2]; 3], mut note: impl FnMut(usize)) {
    #[cfg(target_arch = "x86_64")]
    if avx2::each_name(text, names, &mut note).is_some() {
        return;
    }
    each_name_portable(text, names, note);
}

/// The same on every processor.
fn each_name_portable(text: &[u8], names: [[u8; 2]; 3], note: impl FnMut(usize)) {
    let places = memchr_iter(b'=', text).filter_map(|at| at.checked_sub(2));
    places.filter(|at| names.iter().any(|name| text[*at..].starts_with(name))).for_each(note);
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
                for (name, from) in [(b"wv=", at), (b"tl=", at * 5 % length), (b"mv=", at * 3 % length), (b"mt=", length - at)] {
                    if let Some(place) = text.get_mut(from..from + 3) {
                        place.copy_from_slice(name);
                    }
                }
                let is_name = |at: &usize| {
                    text[*at..].starts_with(b"wv=") || text[*at..].starts_with(b"mt=") || text[*at..].starts_with(b"tl=")
                };
                let expected: Vec<usize> = (0..length).filter(is_name).collect();
                let mut noted = Vec::new();
                each_name(&text, NAMES, |at| noted.push(at));
                assert_eq!(noted, expected, "{:?}", String::from_utf8_lossy(&text));
                noted.clear();
                each_name_portable(&text, NAMES, |at| noted.push(at));
                assert_eq!(noted, expected, "{:?}", String::from_utf8_lossy(&text));
                found += noted.len();
            }
        }
        assert!(found > 10_000, "{found} names");
    }
}
