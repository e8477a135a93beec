#!/usr/bin/env python3
"""Audits shards on a real Spark cluster, kills parts of it, and compares the reports byte for byte.

    tests/spark.py                       a worker, an executor and the driver are killed, one after the other
    tests/spark.py --kill driver

Starts a standalone master with two workers on loopback. Shards wait until something was killed, so
that it always happens in the middle. Then the report of all parts must be that of one `check`.

Needs Linux, Java, a release build of chess-audit, and PySpark for the Python that runs this script
or that CHESS_AUDIT_PYTHON names.
"""

import argparse
import filecmp
import os
import pathlib
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# How long Spark may take for anything.
MOST = 300

GAME = """[Event "Spark {n}"]
[Site "?"]
[Date "2024.01.02"]
[Round "1"]
[White "A {n}"]
[Black "B"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. {move} *

"""


def until(condition, what):
    end = time.monotonic() + MOST
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"still waiting for {what}")
        time.sleep(0.05)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Cluster:
    """A master and two workers."""

    def __init__(self, home, python):
        self.home = home
        package = subprocess.run([python, "-c", "import pyspark; print(pyspark.__path__[0])"], capture_output=True, text=True, check=True)
        self.spark = pathlib.Path(package.stdout.strip())
        self.environment = {**os.environ, "SPARK_HOME": str(self.spark), "PYSPARK_PYTHON": python, "SPARK_LOCAL_IP": "127.0.0.1"}
        port = free_port()
        self.master = f"spark://127.0.0.1:{port}"
        self.processes = [self.start("master", "deploy.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(free_port()))]
        until(lambda: "elected leader" in self.log("master"), "the master")
        self.workers = [
            self.start(
                f"worker{number}",
                "deploy.worker.Worker",
                *["--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0"],
                *["--work-dir", str(home / f"work{number}"), self.master],
            )
            for number in (1, 2)
        ]
        self.processes += self.workers
        for number in (1, 2):
            until(lambda: "Successfully registered" in self.log(f"worker{number}"), "a worker")

    def start(self, name, kind, *arguments):
        with open(self.home / f"{name}.log", "wb") as log:
            command = [self.spark / "bin/spark-class", f"org.apache.spark.{kind}", *arguments]
            return subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, cwd=self.home)

    def log(self, name):
        return (self.home / f"{name}.log").read_text(errors="replace")

    def submit(self, name, program):
        command = [self.spark / "bin/spark-submit", "--master", self.master, "--conf", "spark.ui.enabled=false"]
        command += ["--conf", "spark.executor.memory=512m", "--driver-memory", "512m", "job.py"]
        command += ["--plan", "plan", "--out", "parts", "--program", program, "--options=--no-config"]
        with open(self.home / f"{name}.log", "wb") as log:
            return subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, cwd=self.home, start_new_session=True)

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()


def children(pid):
    """The processes below a process."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    found, last = [], [pid]
    while last:
        last = [child for child, parent in pairs if parent in last]
        found += last
    return found


def run(program, home, *arguments, codes=(0,)):
    done = subprocess.run([program, *arguments], cwd=home, capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit(f"{arguments}: exit code {done.returncode}: {done.stderr}")
    return done


def different(one, other):
    names = {path.name for path in one.iterdir()} | {path.name for path in other.iterdir()}
    same = lambda name: (one / name).exists() and (other / name).exists() and filecmp.cmp(one / name, other / name, shallow=False)
    return sorted(name for name in names if not same(name))


def kill_in_the_middle(victim, program, python):
    with tempfile.TemporaryDirectory() as temporary:
        home = pathlib.Path(temporary)
        (home / "mix").mkdir()
        for number in range(6):
            games = (GAME.format(n=1000 * number + n, move="Ke3" if n % 9 == 0 else "Bb5") for n in range(300))
            (home / f"mix/{number}.pgn").write_text("".join(games))
        run(program, home, "check", "mix", "-q", "--no-config", "-o", "whole", codes=(1,))
        run(program, home, "shards", "plan", "mix", "--no-config", "--target-size", "20K", "-o", "plan")
        (home / "job.py").write_bytes(subprocess.run([program, "shards", "spark-job"], capture_output=True, check=True).stdout)
        # The first two shards are audited at once. The others wait until something was killed.
        waiting = home / "chess-audit"
        waiting.write_text(
            f'#!/bin/sh\ncase "$5" in\n1|2) ;;\n*) while [ ! -e {home}/go ]; do sleep 0.05; done ;;\nesac\nexec {program} "$@"\n'
        )
        waiting.chmod(waiting.stat().st_mode | stat.S_IXUSR)
        cluster = Cluster(home, python)
        job = None
        try:
            job = cluster.submit("job", str(waiting))
            parts = home / "parts"
            until(lambda: job.poll() is not None or len(list(parts.glob("shard-*.json"))) >= 2, "two parts")
            if job.poll() is not None:
                sys.exit(f"the job ended: {cluster.log('job')[-3000:]}")
            if victim == "worker":
                cluster.workers[0].kill()
            elif victim == "executor":
                # The worker, which must stay, has started it.
                [os.kill(pid, signal.SIGKILL) for pid in children(cluster.workers[0].pid)]
            else:
                os.killpg(job.pid, signal.SIGKILL)
                job.wait()
            (home / "go").touch()
            if victim == "driver":
                job = cluster.submit("job again", str(waiting))
            code = job.wait(timeout=MOST)
            if code != 0:
                sys.exit(f"{victim}: the job failed: {cluster.log('job again' if victim == 'driver' else 'job')[-3000:]}")
        finally:
            if job is not None and job.poll() is None:
                os.killpg(job.pid, signal.SIGKILL)
            cluster.stop()
        run(program, home, "shards", "merge", "plan", "parts", "-q", "--no-config", "-o", "merged", codes=(1,))
        wrong = different(home / "whole", home / "merged")
        print(f"{victim} killed: {'DIFFERENT: ' + ', '.join(wrong) if wrong else 'the same report'}", flush=True)
        return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kill", choices=["worker", "executor", "driver"], action="append")
    parser.add_argument("--program", default=str(ROOT / "target/release/chess-audit"))
    arguments = parser.parse_args()
    python = os.environ.get("CHESS_AUDIT_PYTHON") or sys.executable
    checks = [[python, "-c", "import pyspark"], ["java", "-version"]]
    for check in checks:
        try:
            subprocess.run(check, capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            print(f"not run: `{' '.join(check)}` fails")
            return
    program = str(pathlib.Path(arguments.program).resolve())
    results = [kill_in_the_middle(victim, program, python) for victim in arguments.kill or ["worker", "executor", "driver"]]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
