//! Writers of findings.
