"""A run that is killed or interrupted and started again ends as if undisturbed."""

from __future__ import annotations

import random
import secrets
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import workbench
from forgetest import config
from workbench import Process, forgetest, json_lines, needs_judging, repeatable, report_in

pytestmark = needs_judging

KILLS = 12
PATIENCE_S = 120
"""Time limit on a busy machine for something that should end at once."""


@dataclass(slots=True)
class Leavings:
    """Processes and folders that a run could leave behind."""

    pids: list[int] = field(default_factory=list)
    below: set[Process] = field(default_factory=set)

    def folders(self) -> list[str]:
        places = {Path("/dev/shm"), Path(tempfile.gettempdir())}
        return [str(path) for place in places for pid in self.pids for path in place.glob(f"forgetest-*-{pid}-*")]

    def processes(self) -> set[Process]:
        """Processes still running after a moment to end."""
        deadline = time.monotonic() + PATIENCE_S
        while (running := workbench.alive(self.below)) and time.monotonic() < deadline:
            time.sleep(0.05)
        return running


def journal_in(output: Path) -> list[dict[str, Any]]:
    return json_lines(output / "latest" / "journal.jsonl")


def journal_size(output: Path) -> int:
    journal = output / "latest" / "journal.jsonl"
    return journal.stat().st_size if journal.exists() else 0


def killed_sessions(
    words: list[object], cwd: Path, whole_size: int, seed: int, leavings: Leavings, kills: int = KILLS
) -> Iterator[int]:
    """Kill session after session of a run; yield a number before each session, and one after the last.

    The first are killed at a random moment of their start, the others soon after the journal has reached a given
    size, and none so late that a fast machine could have finished.
    """
    moments, output, enough = random.Random(seed), cwd / "killed", whole_size * 3 // 4
    early = [(0, moments.uniform(0, 1)) for _ in range(min(3, kills // 2))]
    sizes = sorted(moments.randrange(enough) for _ in range(kills - len(early)))
    later = [(size, moments.uniform(0, 0.05)) for size in sizes]
    for number, (size, then_s) in enumerate([*early, *later]):
        yield number
        process = workbench.start(*words, "--output", output, cwd=cwd)
        workbench.wait_until(lambda size=size: journal_size(output) >= size, process)  # type: ignore[misc]
        moment = time.monotonic() + then_s
        while time.monotonic() < moment and journal_size(output) < enough:
            time.sleep(0.001)
        process.send_signal(signal.SIGSTOP)  # so that nothing starts between listing and killing
        leavings.pids.append(process.pid)
        leavings.below |= workbench.descendants(process.pid)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    yield kills


def assert_nothing_is_done_twice(output: Path, samples: int = 40) -> None:
    counts = Counter((line["kind"], *line["attempt"]) for line in journal_in(output) if "attempt" in line)
    assert len(counts) == 2 * samples
    assert set(counts.values()) == {1}


@pytest.mark.slow  # the test above kills a run as well
def test_a_run_killed_a_dozen_times_gives_the_same_report_as_an_undisturbed_one(tmp_path: Path) -> None:
    texts = [workbench.RIGHT, workbench.WRONG, workbench.LINTED, workbench.BROKEN]
    codes = [(f"double-{case}", f"{texts[(case + n) % 4]}// {n}\n") for case in range(1, 5) for n in range(10)]
    workbench.write_set(tmp_path / "set.toml", cases=4)
    workbench.write_samples(tmp_path / "samples.jsonl", [{"case_id": case, "code": code} for case, code in codes])
    words: list[object] = ["run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--pass-k", "1,10"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert forgetest(*words, "--output", whole, cwd=tmp_path).returncode == 0

    leavings = Leavings()
    for _ in killed_sessions(words, tmp_path, journal_size(whole), 1, leavings):
        assert not (killed / "latest" / "report.json").exists()
    last = forgetest(*words, "--output", killed, cwd=tmp_path)

    assert last.returncode == 0, last.stderr
    assert len(report_in(killed)["results"]) == 40
    assert repeatable(report_in(killed)) == repeatable(report_in(whole))
    assert_nothing_is_done_twice(killed)
    assert leavings.folders() == []
    assert leavings.processes() == set()


def test_a_resumed_run_asks_for_nothing_that_the_killed_run_journalled(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=4)
    words: list[object] = ["run", "--eval-set", "set.toml", "--models", "acme/steady"]
    words += ["--samples", "6", "--seed", "0", "--temperature", "1"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert forgetest(*words, "--output", whole, cwd=tmp_path).returncode == 0
    assert len(asked(log)) == 24

    leavings = Leavings()
    answered: set[tuple[str, int]] = set()
    for _ in killed_sessions(words, tmp_path, journal_size(whole), 2, leavings, kills=4):
        assert not answered & asked(log)
        log.unlink(missing_ok=True)
        answered = answers(killed)
    last = forgetest(*words, "--output", killed, cwd=tmp_path)

    assert last.returncode == 0, last.stderr
    assert len(json_lines(log)) == 24 - len(answered)
    assert not answered & asked(log)
    assert repeatable(report_in(killed)) == repeatable(report_in(whole))
    assert_nothing_is_done_twice(killed, samples=24)
    assert leavings.folders() == []
    assert leavings.processes() == set()


def asked(log: Path) -> set[tuple[str, int]]:
    """The provider's requests: the prompt of each case, and the seed that identifies the attempt."""
    return {(line["prompt"], line["seed"]) for line in json_lines(log)}


def answers(output: Path) -> set[tuple[str, int]]:
    """The journalled answers, identified like the provider's requests."""
    attempts = [line["attempt"] for line in journal_in(output) if line["kind"] == "completion"]
    return {(workbench.prompt(case), number - 1) for _, case, _, _, number in attempts}


def test_ctrl_c_ends_a_run_at_once_and_the_same_command_resumes_it(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=4)
    words = ["run", "--eval-set", "set.toml", "--models", "acme/steady", "--samples", "6", "--seed", "0"]
    output = tmp_path / "forgetest-results"
    process = workbench.start(*words, cwd=tmp_path)
    workbench.wait_until(lambda: journal_size(output) > 5000, process)
    leavings = Leavings(pids=[process.pid], below=workbench.descendants(process.pid))

    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 130
    assert "interrupted; the same command resumes where it stopped" in stderr
    assert "Traceback" not in stderr
    assert leavings.folders() == []
    assert leavings.processes() == set()
    done = answers(output)
    assert len(done) > 0
    log.unlink()
    assert forgetest(*words, cwd=tmp_path).returncode == 0
    assert not done & asked(log)
    assert len(report_in(output)["results"]) == 24
    assert_nothing_is_done_twice(output, samples=24)


def test_ctrl_c_does_not_wait_for_a_model_that_does_not_answer(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=4)
    process = workbench.start("run", "--eval-set", "set.toml", "--models", "acme/hanging", cwd=tmp_path)
    workbench.wait_until(log.exists, process)

    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE_S)

    assert process.returncode == 130


def new_cases(count: int) -> str:
    """An eval set that nobody has prepared; a closure in its tests makes each case a compiler call of its own."""
    mark = secrets.token_hex(8)
    cases = [
        f"""
[[cases]]
id = "new-{number}"
name = "new"
prompt = "-"
reference_solution = "pub fn add(x: i64) -> i64 {{ x + {number} }} // {mark}"
expectations.test_file = '''
#[test]
fn adds() {{ let sum = |x| add(x); assert_eq!(sum(1), {number + 1}); }} // {mark}
'''
"""
        for number in range(1, count + 1)
    ]
    return "".join(['[eval_set]\nid = "new"\nname = "New"\n', *cases])


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["validate", "--eval-set", "set.toml", "--solve"],
        ["run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl"],
    ],
    ids=["validate", "run"],
)
def test_ctrl_c_while_cases_are_prepared_ends_at_once_and_loses_nothing(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "set.toml").write_text(new_cases(24))
    codes = {f"new-{number}": f"pub fn add(x: i64) -> i64 {{ x + {number} }}" for number in range(1, 25)}
    samples = [{"case_id": case_id, "model": "a/b", "code": code} for case_id, code in codes.items()]
    workbench.write_samples(tmp_path / "samples.jsonl", samples)
    stored = config.cache_folder() / "steps"
    before = len(list(stored.glob("*")))
    process = workbench.start(*words, cwd=tmp_path)
    workbench.wait_until(lambda: len(list(stored.glob("*"))) > before, process)
    leavings = Leavings(pids=[process.pid], below=workbench.descendants(process.pid))

    interrupted_at = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE_S)
    took_s = time.monotonic() - interrupted_at

    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert leavings.folders() == []
    assert leavings.processes() == set()
    started = time.monotonic()
    assert forgetest(*words, cwd=tmp_path).returncode == 0
    assert took_s < max(5.0, (time.monotonic() - started) / 2)  # on a busy machine, everything takes longer
