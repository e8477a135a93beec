//! Parquet files, if the crate is built without them.

use std::io::{self, Read};

use crate::corpus::{Bytes, failing::Failing};

pub(super) fn table(_: Bytes) -> Box<dyn Read + Send> {
    let message = "this program is built without the feature `parquet`; build it with it, or convert the file to CSV";
    Box::new(Failing(Some(io::Error::new(io::ErrorKind::Unsupported, message))))
}
