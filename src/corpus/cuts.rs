//! Where large inputs can be cut, so that several machines can audit them.

use std::io::Read;

use super::{Bytes, Content, HEAD, Input, Packing, Recognised, Source, nuls_before_text, recognise};
use crate::table::Columns;

/// Where an input can be cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cuts {
    /// How it is compressed.
    pub packing: Option<Packing>,
    /// The size of the file in bytes.
    pub size: u64,
    /// The places, in order, in bytes.
    pub at: Vec<u64>,
}

impl Input {
    /// Where the input can be cut into pieces of about `target` bytes; `None` if it is shorter or
    /// cannot be cut. The places depend on its size, on its first bytes and on how it is
    /// compressed.
    ///
    /// Plain text can be cut anywhere, and Zstandard and bgzip between parts that can be
    /// decompressed on their own. Other archives, UTF-16, text after many NULs and standard input
    /// cannot be cut.
    pub fn cuts(&self, target: u64) -> Option<Cuts> {
        let target = target.max(1);
        let size = self.size_on_disk().filter(|size| *size > target)?;
        let Source::File(_) = &self.source else { return None };
        let (packing, at) = match self.open(true).ok()? {
            Content::Whole(bytes) if bytes.len() as u64 == size => match packing_of(&bytes, &self.name)? {
                None => (None, plain_cuts(size, target)),
                Some(packing) => (Some(packing), packing.cuts(&bytes, target, HEAD)),
            },
            Content::Whole(_) => return None,
            Content::Stream(stream, _) => {
                let mut head = Vec::new();
                stream.take(HEAD as u64).read_to_end(&mut head).ok()?;
                is_text(&head, &self.name).then(|| (None, plain_cuts(size, target)))?
            }
        };
        (!at.is_empty()).then_some(Cuts { packing, size, at })
    }
}

/// How a file is compressed that may be cut; `None` if it cannot be.
fn packing_of(bytes: &Bytes, name: &str) -> Option<Option<Packing>> {
    let head = bytes.get(..bytes.len().min(HEAD))?;
    match recognise(head, name, bytes.len() <= HEAD, &Columns::default()) {
        Recognised::Packed(Packing::Bzip2 | Packing::Xz | Packing::Zip | Packing::Parquet) => None,
        Recognised::Packed(packing) => {
            let mut text = Vec::new();
            packing.unpack_stream(Box::new(super::BytesReader::of(bytes))).take(HEAD as u64).read_to_end(&mut text).ok()?;
            is_text(&text, name).then_some(Some(packing))
        }
        _ => is_text(head, name).then_some(None),
    }
}

/// Whether a text can be read from any byte on.
fn is_text(head: &[u8], name: &str) -> bool {
    let recognised = recognise(head, name, false, &Columns::default());
    nuls_before_text(head) == 0 && matches!(recognised, Recognised::Text(_))
}

/// The cuts of `size` bytes into equal pieces of at most `target` bytes.
fn plain_cuts(size: u64, target: u64) -> Vec<u64> {
    let pieces = size.div_ceil(target);
    let at = |piece: u64| u64::try_from(u128::from(size) * u128::from(piece) / u128::from(pieces)).unwrap_or(size);
    (1..pieces).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_equal_and_not_larger_than_wanted() {
        assert_eq!(plain_cuts(10, 3), [2, 5, 7]);
        assert_eq!(plain_cuts(10, 10), [0; 0]);
        assert_eq!(plain_cuts(4, 1), [1, 2, 3]);
        assert_eq!(plain_cuts(u64::MAX, u64::MAX / 2 + 1), [u64::MAX / 2]);
    }
}
