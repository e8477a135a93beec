//! Fuzzes the target in `targets/moves.rs`.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the tests of the suite that it shares are not compiled")]

#[path = "../../suite/common/mod.rs"]
mod common;
#[path = "../../suite/differential.rs"]
mod differential;
#[path = "../../suite/fast_path_games.rs"]
mod fast_path_games;
#[path = "../targets/moves.rs"]
mod target;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| target::run(bytes));
