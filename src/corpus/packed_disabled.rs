//! Stand-in for the decoders in builds without the feature `packed`. Reading a compressed input is
//! an error, so that the run reports it as a failure.

use std::{
    io::{self, Read, Write},
    sync::Arc,
};

use rayon::ThreadPool;

use super::{Bytes, BytesReader, Packer, Packing, Watch, failing::Failing};

/// A member of a zip archive. This build cannot read archives, so there are none.
#[derive(Clone, Debug)]
pub enum Member {}

impl Member {
    /// The length of the text in bytes, according to the archive.
    pub fn size(&self) -> u64 {
        match *self {}
    }

    /// Shows whether the archive changed.
    pub fn watch(&self) -> Option<&Watch> {
        match *self {}
    }

    /// Decompresses the member.
    pub fn unpack(&self) -> io::Result<Box<dyn Read + Send>> {
        match *self {}
    }
}

impl Packing {
    /// Reading is an error of the kind [`io::ErrorKind::Unsupported`]: this build cannot
    /// decompress.
    pub fn unpack(self, packed: Bytes, _: &Arc<ThreadPool>) -> Box<dyn Read + Send> {
        self.unpack_stream(Box::new(BytesReader::of(&packed)))
    }

    /// Reading is an error of the kind [`io::ErrorKind::Unsupported`]: this build cannot
    /// decompress.
    pub fn unpack_stream(self, _: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        Box::new(Failing(Some(unsupported())))
    }
}

/// Shows where a range of an archive ends. This build reads none.
#[derive(Clone, Debug, Default)]
pub struct RangeWatch(());

impl RangeWatch {
    /// The number of decompressed bytes in the range.
    pub const fn length(&self) -> Option<u64> {
        None
    }
}

impl Packing {
    /// Reading is an error of the kind [`io::ErrorKind::Unsupported`]: this build cannot
    /// decompress.
    pub fn unpack_range(self, packed: Bytes, _: (u64, u64), _: RangeWatch, pool: &Arc<ThreadPool>) -> Box<dyn Read + Send> {
        self.unpack(packed, pool)
    }

    /// There are no cuts, because this build cannot decompress.
    pub fn cuts(self, _: &Bytes, _: u64, _: usize) -> Vec<u64> {
        Vec::new()
    }
}

/// No members, and the error that this build cannot read archives.
pub(super) fn members(_: &Bytes) -> (Vec<(String, Member)>, Option<io::Error>) {
    (Vec::new(), Some(unsupported()))
}

/// Always an error of the kind [`io::ErrorKind::Unsupported`]: this build cannot compress.
pub(super) fn pack<W: Write + 'static>(_: Packing, _: Packer<W>) -> io::Result<Packer<W>> {
    Err(unsupported())
}

fn unsupported() -> io::Error {
    let message = "this build cannot read compressed files; build it with the feature `packed`";
    io::Error::new(io::ErrorKind::Unsupported, message)
}

#[cfg(test)]
mod tests {
    use std::{io::Write, sync::atomic::AtomicBool};

    use crate::{
        corpus::{Input, Source},
        pipeline::{Audit, Failure, InputSummary, Settings, Sink},
        rules::Finding,
    };

    #[derive(Default)]
    struct Failures(Vec<Failure>);

    impl Sink for Failures {
        fn finding(&mut self, _: &str, _: &Finding) -> std::io::Result<()> {
            Ok(())
        }

        fn input(&mut self, _: &InputSummary) -> std::io::Result<()> {
            Ok(())
        }

        fn failure(&mut self, failure: &Failure) -> std::io::Result<()> {
            self.0.push(failure.clone());
            Ok(())
        }
    }

    const HEADS: [&[u8]; 5] =
        [b"\x28\xB5\x2F\xFDxxxx", b"\x1F\x8B\x08\0\0\0\0\0", b"PK\x03\x04xxxx", b"BZh91AY&SYxxxx", b"\xFD7zXZ\0\0\x04"];

    #[test]
    fn compressed_inputs_are_failures() -> std::io::Result<()> {
        for map in [true, false] {
            for head in HEADS {
                let mut file = tempfile::NamedTempFile::new()?;
                file.write_all(head)?;
                let source = Source::File(file.path().to_owned());
                let input = Input { name: "a.pgn".to_owned(), source, format: None, scanned: false };
                let mut failures = Failures::default();
                let settings = Settings { map, threads: 1, ..Settings::default() };
                let summary = Audit::new(settings).run(vec![input], &mut failures, &(), &AtomicBool::new(false))?;
                assert_eq!((summary.inputs, summary.failures), (1, 1), "{head:?}");
                let [failure] = &failures.0[..] else { panic!("{:?}", failures.0) };
                assert_eq!(
                    failure.message,
                    "cannot decompress: this build cannot read compressed files; build it with the feature `packed`"
                );
            }
        }
        Ok(())
    }

    #[test]
    fn the_text_of_a_compressed_file_is_an_error() -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(HEADS[1])?;
        let source = Source::File(file.path().to_owned());
        let input = Input { name: "a.pgn".to_owned(), source, format: None, scanned: false };
        let read = input.text().map(drop);
        assert_eq!(read.map_err(|error| error.kind()), Err(std::io::ErrorKind::Unsupported));
        Ok(())
    }
}
