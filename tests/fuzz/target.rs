//! Fuzzes the target that has the name of the program.
#![no_main]
#![allow(dead_code, unused_imports, reason = "the tests of the suite that it shares are not compiled")]

use std::sync::LazyLock;

#[path = "../suite/common/mod.rs"]
mod common;
#[path = "../suite/paths/differential.rs"]
mod differential;
#[path = "../suite/paths/fast_path_games.rs"]
mod fast_path_games;
#[path = "../suite/paths/fast_path_positions.rs"]
mod fast_path_positions;
#[path = "../suite/verdicts/legality.rs"]
mod legality;
mod targets;

static TARGET: LazyLock<targets::Target> = LazyLock::new(|| {
    let name = env!("CARGO_BIN_NAME");
    let target = targets::TARGETS.iter().find(|(target, _)| *target == name);
    target.unwrap_or_else(|| panic!("there is no target {name}")).1
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| TARGET(bytes));
