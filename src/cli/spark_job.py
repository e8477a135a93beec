"""Audits the shards of a chess-audit plan on an Apache Spark cluster, classic or Connect.

    chess-audit shards plan games/ -o games.plan
    chess-audit shards spark-job > spark_job.py
    spark-submit --master spark://HOST:7077 spark_job.py --plan games.plan --out parts
    chess-audit shards merge games.plan parts -o report

Each shard is one task. A task starts chess-audit, which reads its inputs and commits its part
itself: no chess data passes through Spark. The plan, the inputs and the directory of the parts must
be on a file system that all executors see under the same paths. Lost nodes, retries and speculative
copies do no harm: a part is committed once and complete, or not at all. If the job is submitted
again, shards that have a part are not audited again, unless an input could not be read.

With Spark Connect, run `python spark_job.py --remote sc://HOST ...`.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys


def end_with_parent():
    """Ends chess-audit when Spark kills the task. Without this, it would finish its part in vain."""
    try:
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    except Exception:
        pass


def make_audit(program, shipped, directory, plan, out, options):
    """The function that audits a shard. It needs nothing but the standard library and pyspark."""

    def audit(shard):
        command = program
        if shipped:
            from pyspark import SparkFiles

            command = os.path.join(SparkFiles.getRootDirectory(), shipped)
            os.chmod(command, 0o755)
        arguments = [command, "check", "--plan", plan, "--shard", str(shard), "-o", out, *options]
        done = subprocess.run(arguments, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=end_with_parent)
        if done.returncode != 0:
            message = done.stderr.decode("utf-8", "replace")[-2000:]
            raise RuntimeError(f"shard {shard}: exit code {done.returncode}: {message}")
        with open(os.path.join(directory, out, f"shard-{shard:05}.json"), encoding="utf-8") as manifest:
            return manifest.read()

    return audit


def session(remote):
    """The session, and whether it is one of Spark Connect."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("chess-audit")
    spark = (builder.remote(remote) if remote else builder).getOrCreate()
    return spark, "connect" in type(spark).__module__


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", required=True, help="the plan")
    parser.add_argument("--out", required=True, metavar="DIR", help="the directory of the parts")
    parser.add_argument("--directory", default=os.getcwd(), help="where all paths begin [default: this directory]")
    parser.add_argument("--program", default="chess-audit", help="the program [default: chess-audit]")
    parser.add_argument("--ship", action="store_true", help="send the program to the executors")
    parser.add_argument("--options", default="", help="options of `chess-audit check`, such as --options='--profile strict'")
    parser.add_argument("--threads", type=int, help="threads for each shard [default: spark.task.cpus]")
    parser.add_argument("--remote", help="the address of a Spark Connect server")
    words = sys.argv[1:]
    arguments = parser.parse_args(words[1:] if words[:1] == ["--"] else words)

    try:
        with open(os.path.join(arguments.directory, arguments.plan), encoding="utf-8") as plan:
            shards = json.loads(plan.readline())["shards"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"cannot read the plan `{arguments.plan}`: {error}")
    if shards == 0:
        sys.exit("the plan has no shards")

    spark, is_connect = session(arguments.remote)
    threads = arguments.threads or int(spark.conf.get("spark.task.cpus", "1"))
    shipped = None
    if arguments.ship:
        import shutil

        program = shutil.which(arguments.program) or sys.exit(f"there is no program `{arguments.program}`")
        shipped = os.path.basename(program)
        if is_connect:
            spark.addArtifacts(program, file=True)
        else:
            spark.sparkContext.addFile(program)

    from pyspark.sql.functions import udf
    from pyspark.sql.types import StringType

    options = ["--threads", str(threads), "--quiet", *shlex.split(arguments.options)]
    audit = make_audit(arguments.program, shipped, arguments.directory, arguments.plan, arguments.out, options)
    # One partition, and so one task, for each shard.
    numbers = spark.range(1, shards + 1, 1, shards)
    # Spark must not call the function more often than needed.
    rows = numbers.select(udf(audit, StringType()).asNondeterministic()("id").alias("manifest")).collect()
    manifests = [json.loads(row.manifest) for row in rows]
    sizes = [file["bytes"] for manifest in manifests for file in manifest["files"].values()]
    print(f"{len(manifests)} of {shards} shards have parts in {arguments.out}, {sum(sizes)} bytes")
    for manifest in manifests:
        if manifest["end"]["unread"]:
            print(f"shard {manifest['shard']}: {manifest['end']['unread']}; submit the job again if that can be repaired")
    merge = ["chess-audit", "shards", "merge", arguments.plan, arguments.out, *shlex.split(arguments.options), "-o", "report"]
    print(f"now run: {shlex.join(merge)}")
    spark.stop()


if __name__ == "__main__":
    main()
