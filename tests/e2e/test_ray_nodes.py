"""Nodes of a Ray cluster that must not judge, and a cluster that a command starts for itself."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path

import pytest

import forgetest
from forgetest.errors import MachineryError
from forgetest.executors import JudgeTask
from forgetest.executors.ray.executor import create
from ray_nodes import DOUBLE, Nodes, double
from versioned_worker import VersionedSpec
from workbench import environment, needs_judging, start

pytestmark = [pytest.mark.slow, needs_judging, pytest.mark.timeout(300)]


def test_a_node_without_a_sandbox_or_with_other_tools_gets_no_work(tmp_path: Path):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "python3", "bash"):
        (programs / name).symlink_to(str(shutil.which(name)))
    tasks = [JudgeTask(number=1, case=DOUBLE, code="return")]
    nodes = Nodes(head_cpus=0)
    try:
        nodes.add(PATH=str(programs), FORGETEST_CACHE=str(tmp_path / "bare"), PYTHONPATH=str(Path(__file__).parents[1]))
        with (
            forgetest.Grader(executor="ray", cache_mb=0) as ray_grader,
            pytest.raises(MachineryError, match="no node can judge") as no_sandbox,
        ):
            ray_grader.grade_many([(double(1), DOUBLE)], as_code=True)
        with contextlib.closing(create(1, {})) as strict, pytest.raises(MachineryError) as other_tools:
            list(strict.map(VersionedSpec(str(tmp_path)), [tasks]))
        with contextlib.closing(create(1, {"allow_other_tools": True})) as tolerant:
            [[judged]] = tolerant.map(VersionedSpec(str(tmp_path)), [tasks])
    finally:
        nodes.stop()
    assert "bubblewrap is not installed" in str(no_sandbox.value)
    assert "it has tools 2, and the driver has tools 1" in str(other_tools.value)
    assert judged.number == 1


def test_the_command_line_gives_the_same_report_by_a_local_cluster(tmp_path: Path):
    samples = tmp_path / "samples.jsonl"
    answers = {"add": ["pub fn add(a: i32, b: i32) -> i32 { a + b }", "pub fn add(a: i32, b: i32) -> i32 { a - b }"]}
    lines = [
        f'{{"case_id": "{case}", "model": "m", "attempt": {number + 1}, "code": "{code}"}}\n'
        for case, codes in answers.items()
        for number, code in enumerate(codes)
    ]
    samples.write_text("".join(lines))
    reports = []
    for executor in ("local", "ray"):
        words = ["run", "--eval-set", "quickstart", "--case", "add", "--samples-from", samples, "--no-cache"]
        words += ["--executor", executor, "--output", tmp_path / executor]
        process = start(*words, cwd=tmp_path, env=environment())
        _, errors = process.communicate()
        assert process.returncode == 0, errors
        report = json.loads((tmp_path / executor / "latest" / "report.json").read_text())
        reports.append(
            [(each["attempt"], each["correct"], each["score"], each["verified"]) for each in report["results"]]
        )
    assert reports[0] == reports[1]
    assert [each[1] for each in reports[0]] == [True, False]
