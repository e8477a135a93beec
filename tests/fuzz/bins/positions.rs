//! Fuzzes the target in `targets/positions.rs`.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the tests of the suite that it shares are not compiled")]

#[path = "../../suite/common/mod.rs"]
mod common;
#[path = "../../suite/fast_path_positions.rs"]
mod fast_path_positions;
#[path = "../../suite/legality.rs"]
mod legality;
#[path = "../targets/positions.rs"]
mod target;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| target::run(bytes));
