"""Judging by a real Ray cluster: the same verdicts as on one machine, whatever happens to nodes and workers."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import forgetest
from equal_samples import SAMPLES, SET, essence
from forgetest import config
from forgetest.client import Client
from forgetest.errors import MachineryError, UserError
from forgetest.loading import load_eval_sets
from poisoned_worker import POISON, PoisonedSpec
from ray_nodes import DOUBLE, Nodes, double
from workbench import environment, needs_judging, start

pytestmark = [pytest.mark.slow, needs_judging, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """A cluster with one node of two CPUs, for all tests of this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))  # nodes import `poisoned_worker`
        started = Nodes(head_cpus=2)
    yield started
    started.stop()


def grader(slots: int, *, sharing: bool = False, **options: object) -> forgetest.Grader:
    return forgetest.Grader(
        executor=config.ExecutorSettings(type="ray", options=options), parallelism=slots, cache_mb=0, sharing=sharing
    )


def run_command(folder: Path, *words: object) -> str:
    process = start(*words, cwd=folder, env=environment())
    printed, errors = process.communicate()
    assert process.returncode == 0, errors
    return printed


def test_200_samples_get_the_verdicts_of_one_machine_in_python_and_over_http(nodes: Nodes, tmp_path: Path):
    (tmp_path / "set.toml").write_text(SET)
    cases = {case.id: case for case in load_eval_sets([tmp_path / "set.toml"])[0].cases}
    pairs = [(text, cases[case_id]) for case_id, text in SAMPLES]
    with forgetest.Grader(cache_mb=0) as local:
        expected = [essence(grade) for grade in local.grade_many(pairs, as_code=True)]

    with grader(2, sharing=True) as by_ray:
        assert [essence(grade) for grade in by_ray.grade_many(pairs, as_code=True)] == expected

    words = ("serve", "--port", 0, "--quiet", "--no-cache", "--workers", 2, "--ray-address", nodes.address)
    service = start(*words, cwd=tmp_path, env=environment())
    assert service.stdout is not None
    url = service.stdout.readline().split()[-1]
    with Client(url, timeout_s=600) as client:
        assert [essence(grade) for grade in client.grade_many(pairs, as_code=True)] == expected
    assert end(service) == 0


def end(service: subprocess.Popen[str]) -> int:
    service.send_signal(signal.SIGTERM)
    service.communicate(timeout=120)
    return service.returncode


def test_a_sample_that_kills_its_worker_twice_is_unjudged_and_no_other(nodes: Nodes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("forgetest.grading.JudgeSpec", PoisonedSpec)
    codes = [double(number) for number in range(12)]
    codes[5] += f"# {POISON}\n"
    with grader(2, sharing=True) as poisoned:
        grades = poisoned.grade_many([(code, DOUBLE) for code in codes], as_code=True)

    unjudged = grades.pop(5)
    assert (unjudged.outcome, unjudged.score) == ("unjudged", None)
    assert "its worker died 2 times while judging it" in str(unjudged.reason)
    assert [grade.outcome for grade in grades] == ["judged"] * 11
    assert [grade.correct for grade in grades] == [number % 3 != 2 for number in range(12) if number != 5]


def test_an_audit_finds_the_same(nodes: Nodes, tmp_path: Path):
    words = ("audit", "--eval-set", "python-basics", "--case", first_case("python-basics"), "--mutants", 12, "--quiet")
    words += ("--format", "json", "--parallelism", 2)
    found = []
    for name, further in {"local": (), "ray": ("--ray-address", nodes.address)}.items():
        run_command(tmp_path, *words, *further, "--output", name)
        found.append(without_times(json.loads((tmp_path / name / "audit.json").read_text())))
    assert found[0] == found[1]


def first_case(eval_set: str) -> str:
    return load_eval_sets([eval_set])[0].cases[0].id


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        times = ("_ms", "_s", "_at", "_of_time_limit", "_on_busy_machine")
        return {key: without_times(each) for key, each in value.items() if not key.endswith(times)}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def test_a_node_that_dies_in_the_middle_loses_nothing(nodes: Nodes):
    victim = nodes.add()
    codes = [double(number) for number in range(40)]
    finished = 0

    def count(done: int, _total: int) -> None:
        nonlocal finished
        finished = done
        if done == 10:
            nodes.kill(victim)

    with grader(3) as ray_grader:
        grades = ray_grader.grade_many([(code, DOUBLE) for code in codes], as_code=True, progress=count)
    assert finished == 40
    assert [grade.outcome for grade in grades] == ["judged"] * 40
    assert [grade.correct for grade in grades] == [number % 3 != 2 for number in range(40)]


def test_a_cluster_in_which_no_node_can_judge_says_why(nodes: Nodes, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("forgetest.executors.ray.pool._WITHOUT_WORKERS_S", 1.0)
    with grader(1) as ray_grader:
        ray_grader.prepare_case(DOUBLE)
        monkeypatch.setattr("forgetest.executors.ray.cluster.Cluster.nodes", lambda _: {})
        with pytest.raises(MachineryError, match="no node with free CPUs"):
            ray_grader.grade_many([(double(1), DOUBLE)], as_code=True)


def test_a_cluster_that_is_not_there_is_a_mistake_of_the_user(tmp_path: Path):
    process = start("validate", "--eval-set", "quickstart", "--solve", "--ray-address", "127.0.0.1:9", cwd=tmp_path)
    _, errors = process.communicate()
    assert process.returncode == 2
    assert "--ray-address 127.0.0.1:9" in errors


def test_a_wrong_option_is_explained():
    with pytest.raises(UserError, match="has no option colour; it has address, allow_other_tools"):
        grader(1, colour="red").__enter__()
