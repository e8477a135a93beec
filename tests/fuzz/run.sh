#!/usr/bin/env bash
# Runs fuzz targets, each for some seconds: tests/fuzz/run.sh SECONDS [TARGET]...
# Without a target, all of them run. What they find and new coverage stay in target/fuzz.
# Needs cargo-fuzz and a C++ compiler. A stable toolchain is enough, because no sanitizer is used.
set -euo pipefail
cd "$(dirname "$0")"
seconds=${1:?how many seconds for each target}
shift
[ $# -gt 0 ] || set -- $(sed -n '/^\[\[bin\]\]$/,$ s/^name = "\(.*\)"$/\1/p' Cargo.toml)

root=$(cd ../.. && pwd)
out=${CARGO_TARGET_DIR:-$root/target}/fuzz
export CARGO_TARGET_DIR=$out/build RUSTC_BOOTSTRAP=1
# The targets write many small files.
[ -d /dev/shm ] && export TMPDIR=/dev/shm
# The same dependencies as those of the program.
[ -f Cargo.lock ] || cp "$root/Cargo.lock" .
for target in "$@"; do
    mkdir -p "$out/corpus/$target" "$out/artifacts/$target"
    # The first folder receives new cases, the others are only read.
    cargo fuzz run --fuzz-dir . --sanitizer none "$target" "$out/corpus/$target" "corpus/$target" "$root/fixtures/conformance/collections" -- \
        -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 \
        -artifact_prefix="$out/artifacts/$target/"
done
