//! Settings: from the command line and the settings file.

pub(crate) mod expect;
pub(crate) mod file;
pub(crate) mod house;
pub(crate) mod offered;
pub(crate) mod options;
pub(crate) mod removed;
pub(crate) mod resolved;
