//! Compresses text as a file name says.

use std::io::{self, Write};

use super::{MAX_LAYERS, Packer, Packing, packed::pack, packing::split_packing};

impl<W: Write + 'static> Packer<W> {
    /// Writes to `to`, which is called `name`: `games.pgn.gz` is compressed with gzip.
    pub fn new(name: &str, to: W) -> io::Result<Packer<W>> {
        let mut packer = Packer::Plain(to);
        let mut rest = name;
        for _ in 0..MAX_LAYERS {
            let Some((stem, packing)) = split_packing(rest) else { break };
            if packing == Packing::Zip {
                let message = "zip archives are not written; choose another extension";
                return Err(io::Error::new(io::ErrorKind::Unsupported, message));
            }
            packer = pack(packing, packer)?;
            rest = stem;
        }
        Ok(packer)
    }
}

#[cfg(all(test, feature = "packed"))]
mod tests {

    use super::*;
    use crate::corpus::{Input, Source};

    #[test]
    fn what_is_packed_is_read_again() -> io::Result<()> {
        let text: Vec<u8> = (0..100_000_u32).flat_map(|number| number.wrapping_mul(number).to_le_bytes()).collect();
        for (name, mark) in [
            ("a.pgn", &text[..4]),
            ("a.pgn.GZ", b"\x1F\x8B"),
            ("a.bgz", b"\x1F\x8B"),
            ("a.pgn.zst", b"\x28\xB5\x2F\xFD"),
            ("a.pgn.bz2", b"BZh9"),
            ("a.pgn.xz", b"\xFD7zXZ"),
            ("a.pgn.gz.bz2", b"BZh9"),
        ] {
            for text in [&text[..], b""] {
                let mut packer = Packer::new(name, Vec::new())?;
                packer.write_all(text)?;
                let packed = packer.finish()?;
                assert!(packed.starts_with(mark) || text.is_empty(), "{name}");
                let source = Source::Bytes(packed.into());
                let input = Input { name: name.to_owned(), source, format: None, scanned: false };
                let mut read = Vec::new();
                input.text()?.reader.read_to_end(&mut read)?;
                assert!(read == text, "{name}");
            }
        }
        assert!(Packer::new("a.zip", Vec::new()).is_err());
        Ok(())
    }
}
