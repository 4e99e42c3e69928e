"""Judging by a real Ray cluster: the same verdicts as on one machine, whatever happens to nodes and workers."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import forgetest
from forgetest import config
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case, Expectations
from forgetest.executors import JudgeTask
from forgetest.executors.ray.executor import create
from versioned_worker import VersionedSpec
from workbench import environment, forgetest_here, needs_judging, start

pytestmark = [pytest.mark.slow, needs_judging, pytest.mark.timeout(300)]

DOUBLE = Case(
    id="double",
    name="double",
    prompt="Double a number.",
    language="python",
    expectations=Expectations(test_file="def test_it():\n    assert double(21) == 42\n"),
)


def sample(number: int) -> str:
    return f"def double(x):\n    return x * 2 + {number % 3 // 2}  # {number}\n"


class Nodes:
    """A cluster of nodes on this machine: the driver's, and those that a test adds."""

    def __init__(self, head_cpus: int = 1) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(initialize_head=True, head_node_args=self._options(head_cpus), connect=True)

    def add(self, **environment: str) -> Any:
        added = self._cluster.add_node(**self._options(1), env_vars=environment)
        self._cluster.wait_for_nodes()
        return added

    def kill(self, node: Any) -> None:
        self._cluster.remove_node(node, allow_graceful=False)

    def stop(self) -> None:
        import ray

        ray.shutdown()
        self._cluster.shutdown()

    def _options(self, cpus: int) -> dict[str, Any]:
        return {"num_cpus": cpus, "object_store_memory": 80_000_000, "include_dashboard": False}


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    started = Nodes()
    yield started
    started.stop()


def grader(slots: int, **options: object) -> forgetest.Grader:
    return forgetest.Grader(
        executor=config.ExecutorSettings(type="ray", options=options), parallelism=slots, cache_mb=0, sharing=False
    )


def test_a_node_that_dies_in_the_middle_loses_nothing(nodes: Nodes):
    victim = nodes.add()
    codes = [sample(number) for number in range(40)]
    finished = 0

    def count(done: int, _total: int) -> None:
        nonlocal finished
        finished = done
        if done == 10:
            nodes.kill(victim)

    with grader(2) as ray_grader:
        grades = ray_grader.grade_many([(code, DOUBLE) for code in codes], as_code=True, progress=count)
    assert finished == 40
    assert [grade.outcome for grade in grades] == ["judged"] * 40
    assert [grade.correct for grade in grades] == [number % 3 != 2 for number in range(40)]


def test_a_node_without_a_sandbox_or_with_other_tools_gets_no_work(tmp_path: Path):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "python3", "bash"):
        (programs / name).symlink_to(str(shutil.which(name)))
    tasks = [JudgeTask(number=1, case=DOUBLE, code="return")]
    nodes = Nodes(head_cpus=0)
    try:
        nodes.add(PATH=str(programs), FORGETEST_CACHE=str(tmp_path / "bare"), PYTHONPATH=str(Path(__file__).parents[1]))
        with grader(1) as ray_grader, pytest.raises(MachineryError, match="no node can judge") as no_sandbox:
            ray_grader.grade_many([(sample(1), DOUBLE)], as_code=True)
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


def test_a_cluster_that_is_not_there_is_a_mistake_of_the_user(tmp_path: Path):
    ended = forgetest_here(
        "validate", "--eval-set", "quickstart", "--solve", "--ray-address", "127.0.0.1:9", cwd=tmp_path
    )
    assert ended.returncode == 2
    assert "--ray-address 127.0.0.1:9" in ended.stderr


def test_a_wrong_option_is_explained():
    with pytest.raises(UserError, match="has no option colour; it has address, allow_other_tools"):
        grader(1, colour="red").__enter__()


def test_a_cluster_in_which_no_node_can_judge_says_why(nodes: Nodes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("forgetest.executors.ray.pool._WITHOUT_WORKERS_S", 1.0)
    with grader(1) as ray_grader:
        ray_grader.prepare_case(DOUBLE)
        monkeypatch.setattr("forgetest.executors.ray.cluster.Cluster.nodes", lambda _: {})
        with pytest.raises(MachineryError, match="no node with free CPUs"):
            ray_grader.grade_many([(sample(1), DOUBLE)], as_code=True)
