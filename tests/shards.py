#!/usr/bin/env python3
"""Audits a hostile mix of inputs on one machine and in shards, and compares the reports byte for byte.

    tests/shards.py                          60 MB, plans of 1, 7 and 100 shards or so
    tests/shards.py --bytes 300M --shards 1,7,100,3000
    tests/shards.py --measure                what shards cost, with one thread for each of two processes

The mix consists of plain games, Zstandard with many frames, bgzip, gzip, bzip2, positions, a table,
UTF-16 and many small files. Games are damaged: comments that contain headers, comments that are
never closed, CR LF, Latin-1, control characters, a damaged archive.

Needs Python 3.10, the programs xargs and zstd, and a release build of chess-audit.
"""

import argparse
import bz2
import filecmp
import gzip
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent

MOVES = """1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7
11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15. Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6
20. Nbd2 Nxd6 21. Nc4 Nxc4 22. Bxc4 Nb6 23. Ne5 Rae8 24. Bxf7+ Rxf7 25. Nxf7 Rxe1+ 26. Qxe1 Kxf7 27. Qe3 Qg5 1-0"""

# What is changed in a game. Each of them is trouble for whoever cuts the text.
DAMAGES = [
    ("12. cxb5", '12. cxb5 { quoted:\n\n[Event "quoted"]\n[Site "?"]\n\n1. e4 *\n}'),
    ("12. cxb5", "12. cxb5 { never closed"),
    ("12. cxb5", "12. cxb5 (12. d5 (12. Nc3"),
    ("5. O-O", "5. O-O-O"),
    ("17. dxe5", "17. dxe6"),
    ('[Black "B"]', "[Black B]"),
    ('[Round "1"]\n', '\n[Round "1"]\n\n'),
    (" 1-0\n", "\n"),
    (" 1-0\n", " 1-0 1. e4 e5 2. Nf3 0-1 1. d4 *\nstray text\n"),
    ("8. c3", "8. c3 \x00\x07 ) } ]"),
    ('[Result "1-0"]', '[Result "0-1"]'),
    ('[White "A', '[White "J\udcfcrgen \udce4 A'),
    ("\n", "\r\n"),
    ("\n", "\r"),
]

POSITIONS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "{n}";',
    "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"{h}\";",
    "4k3/8/8/8/8/8/3P4/4K3 w - - bm d4; id \"{h}\";\nperft 1 6\nperft 1 7",
    "8/8/8/44/8/8/8/kK6 W - e3 0 0 x",
    "# a comment",
]


def game(number):
    tags = f'[Event "Mix {number}"]\n[Site "?"]\n[Date "2024.01.02"]\n[Round "1"]\n[White "A {number}"]\n[Black "B"]\n[Result "1-0"]\n'
    if number % 7 == 0:
        tags += f'[WhiteFideId "{1000000 + number % 4999}"]\n'
    text = f"{tags}\n{MOVES}\n\n"
    if number % 11 == 0:
        old, new = DAMAGES[number // 11 % len(DAMAGES)]
        text = text.replace(old, new)
    return text.encode("utf-8", "surrogateescape")


def games(size, first):
    parts, length, number = [], 0, first
    while length < size:
        parts.append(game(number))
        length += len(parts[-1])
        number += 1
    return b"".join(parts)


def positions(size):
    parts, length, number = [], 0, 0
    while length < size:
        parts.append((POSITIONS[number % len(POSITIONS)].replace("{n}", str(number)).replace("{h}", str(number // 9)) + "\n").encode())
        length += len(parts[-1])
        number += 1
    return b"".join(parts)


def table(size):
    rows, length, number = [b"Id,FEN,Moves,Note\n"], 0, 0
    while length < size:
        note = '"two\nlines, ""quoted"""' if number % 5 == 0 else "plain"
        rows.append(f"{number},4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number % 90},e2e{4 + number % 3},{note}\n".encode())
        length += len(rows[-1])
        number += 1
    return b"".join(rows)


def blocked(text):
    """bgzip: gzip members with their length in an extra field."""
    out = []
    for at in range(0, len(text), 65280):
        part = text[at : at + 65280]
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed = packer.compress(part) + packer.flush()
        head = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0" + struct.pack("<H", len(packed) + 25)
        out.append(head + packed + struct.pack("<II", zlib.crc32(part), len(part)))
    return b"".join(out)


def frames(text):
    """Zstandard frames of about 200 kB of text, cut anywhere."""
    step = 200_003
    packed = []
    for at in range(0, len(text), step):
        packed.append(subprocess.run(["zstd", "-q", "-3", "-c"], input=text[at : at + step], capture_output=True, check=True).stdout)
    return b"".join(packed)


def make(home, size):
    mix = home / "mix"
    mix.mkdir()
    share = size // 100
    (mix / "a.pgn").write_bytes(games(share * 25, 0))
    (mix / "b.pgn.zst").write_bytes(frames(games(share * 20, 1_000_000)))
    (mix / "c.pgn.gz").write_bytes(blocked(games(share * 10, 2_000_000)))
    (mix / "d.pgn.gz").write_bytes(gzip.compress(games(share * 5, 3_000_000), 3))
    (mix / "e.pgn.bz2").write_bytes(bz2.compress(games(share * 10, 4_000_000)) + bz2.compress(games(share * 2, 4_500_000)))
    (mix / "f.epd").write_bytes(positions(share * 10))
    (mix / "g.txt").write_bytes(table(share * 8))
    (mix / "h.pgn").write_bytes(b"\xff\xfe" + games(share * 2, 5_000_000).decode("latin-1").encode("utf-16-le"))
    damaged = bytearray(frames(games(share * 5, 6_000_000)))
    damaged[len(damaged) // 2] ^= 0x55
    (mix / "i.pgn.zst").write_bytes(damaged)
    damaged = bytearray(bz2.compress(games(max(share * 3, 3_000_000), 7_000_000)))
    damaged[-5] ^= 0x55
    (mix / "j.pgn.bz2").write_bytes(damaged)
    for number in range(60):
        (mix / f"k{number:03}.pgn").write_bytes(games(size // 10_000, 8_000_000 + 1000 * number))
    (mix / "l.txt").write_text("a letter without chess\n")
    (mix / "m.txt").write_bytes(b"")
    (mix / "skipped.doc").write_text("x")
    # A game that nobody can cut, and a line without an end.
    (mix / "n.pgn").write_bytes(b"1. e4 { " + b"word " * (share // 5) + b"} e5 *\n\n" + games(share, 9_000_000))


def run(program, home, *arguments, check=None):
    done = subprocess.run([program, *map(str, arguments)], cwd=home, capture_output=True, text=True)
    if check is not None and done.returncode not in check:
        sys.exit(f"{' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr[-3000:]}")
    return done


def differences(one, other):
    names = {path.name for path in one.iterdir()} | {path.name for path in other.iterdir()}
    return sorted(name for name in names if not all((at / name).exists() for at in (one, other)) or not filecmp.cmp(one / name, other / name, shallow=False))


def number(text):
    return int(text[:-1]) * {"K": 10**3, "M": 10**6, "G": 10**9}[text[-1]] if text[-1] in "KMG" else int(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bytes", type=number, default=60_000_000)
    parser.add_argument("--shards", default="1,7,100")
    parser.add_argument("--program", default=str(ROOT / "target/release/chess-audit"))
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--keep", help="work in this directory and keep it")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    with tempfile.TemporaryDirectory() as temporary:
        home = pathlib.Path(arguments.keep or temporary)
        home.mkdir(exist_ok=True)
        if not (home / "mix").exists():
            make(home, arguments.bytes)
        stored = sum(path.stat().st_size for path in (home / "mix").iterdir())
        options = ["--no-config", "--profile", "strict", "--max-rows", "20000"]
        started = time.monotonic()
        whole = run(program, home, "check", "mix", *options, "--repairs", "whole.csv", "-o", "whole", "--threads", arguments.processes)
        seconds = time.monotonic() - started
        print(f"one check: exit code {whole.returncode}, {seconds:.1f} s, {stored:,} bytes stored", flush=True)
        failed = False
        for wanted in map(int, arguments.shards.split(",")):
            target = max(1, 2 * stored) if wanted == 1 else max(1, stored // wanted)
            run(program, home, "shards", "plan", "mix", "--no-config", "--target-size", target, "-o", "plan", check=[0])
            shards = sum(1 for _ in open(home / "plan")) - 1
            parts = home / f"parts{wanted}"
            started = time.monotonic()
            command = ["xargs", "-P", str(arguments.processes), "-I", "{}", program, "check", "--plan", "plan", "--shard", "{}", "-o", parts.name]
            command += ["--threads", "1", "--quiet", "--no-config", "--profile", "strict"]
            subprocess.run(command, cwd=home, input="\n".join(map(str, range(1, shards + 1))), text=True, check=True)
            audited = time.monotonic() - started
            started = time.monotonic()
            redo = run(program, home, "shards", "merge", "plan", parts.name, "--dry-run", *options, check=[0]).stdout.splitlines()[-1]
            merged = run(program, home, "shards", "merge", "plan", parts.name, *options, "--repairs", "merged.csv", "-o", "merged")
            merging = time.monotonic() - started
            different = differences(home / "whole", home / "merged")
            if not filecmp.cmp(home / "whole.csv", home / "merged.csv", shallow=False):
                different.append("repairs")
            size = sum(path.stat().st_size for path in parts.iterdir())
            print(
                f"{shards} shards: exit code {merged.returncode}, {audited:.1f} s to audit ({audited / seconds:.2f} of one check), "
                f"{merging:.1f} s to merge, {size:,} bytes of parts, {redo}; "
                + (f"DIFFERENT: {', '.join(different)}" if different else "the same report"),
                flush=True,
            )
            failed = failed or bool(different) or merged.returncode != whole.returncode
            if merged.returncode != whole.returncode:
                print(merged.stderr[-3000:])
            if not arguments.keep:
                for path in parts.iterdir():
                    path.unlink()
        sys.exit(failed)


if __name__ == "__main__":
    main()
