//! Whether surnames sound alike.

use std::sync::LazyLock;

use arrayvec::ArrayVec;
use rphonetic::{DaitchMokotoffSoundex, DaitchMokotoffSoundexBuilder};
use xxhash_rust::xxh3::xxh3_64;

/// The code of Daitch and Mokotoff, which was made for names that several languages spell.
static CODE: LazyLock<Option<DaitchMokotoffSoundex>> = LazyLock::new(|| DaitchMokotoffSoundexBuilder::default().build().ok());

/// Minimum number of digits of a code that says something. Zeros fill it up.
const MIN_DIGITS: usize = 3;

/// Maximum number of codes of a surname that are compared.
const MAX_CODES: usize = 8;

/// Keys of the codes of a surname that are long enough. It is in lowercase, without accents.
fn codes_of(surname: &str) -> ArrayVec<u64, MAX_CODES> {
    let Some(code) = CODE.as_ref().filter(|_| surname.is_ascii() && !surname.is_empty()) else { return ArrayVec::new() };
    let codes = code.soundex(surname);
    let long = codes.split('|').filter(|code| code.trim_end_matches('0').len() >= MIN_DIGITS);
    long.take(MAX_CODES).map(|code| xxh3_64(code.as_bytes())).collect()
}

/// Whether two surnames have a code in common that is long enough.
pub(super) fn sound_alike(one: &str, other: &str) -> bool {
    let others = codes_of(other);
    !others.is_empty() && codes_of(one).iter().any(|code| others.contains(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_codes_are_compared() {
        for (one, other) in [("kortchnoi", "korchnoi"), ("jussupow", "yusupov"), ("huzman", "kuzmin"), ("chigorin", "tschigorin")]
        {
            assert!(sound_alike(one, other) && sound_alike(other, one), "{one} / {other}");
        }
        for (one, other) in [("oreilly", "pachman"), ("leko", "adams"), ("xie", "xu"), ("li", "lu"), ("tal", "thal")] {
            assert!(!sound_alike(one, other), "{one} / {other}");
        }
    }
}
