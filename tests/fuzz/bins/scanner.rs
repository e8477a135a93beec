//! Fuzzes the target in `targets/scanner.rs`.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the tests of the suite that it shares are not compiled")]

#[path = "../../suite/common/mod.rs"]
mod common;
#[path = "../targets/scanner.rs"]
mod target;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| target::run(bytes));
