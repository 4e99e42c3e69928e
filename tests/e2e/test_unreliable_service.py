"""Three hundred samples from a service that fails three requests in ten, in a run that is killed halfway."""

from __future__ import annotations

import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import workbench
from forgetest.testing.loopback import Received, Reply, Server
from model_apis import APIS, MODEL, SERVICE_PRICES, configure_service, service_environment, truncated
from workbench import forgetest, json_lines, needs_judging, report_in, write_set

# in the default lane, test_kill_and_resume.py kills runs, test_what_the_journal_holds.py has each of these failures
pytestmark = [needs_judging, pytest.mark.slow]

CASES, SAMPLES = 6, 50
PATIENCE_S = 300
OPENAI = APIS["openai"]
Question = tuple[str, int]
"""The prompt of a case, and the seed that identifies the attempt."""


class Unreliable:
    """Fails at random in different ways, but never so often that a client with retries gives up."""

    def __init__(self) -> None:
        self.may_end = threading.Event()
        """Until it is set, the last third of the requests wait, so that the run cannot end before it is killed."""
        self.asked: Counter[Question] = Counter()
        self.answered: Counter[Question] = Counter()
        self.failed = 0
        self._lock = threading.Lock()

    def __call__(self, received: Received) -> Reply:
        question = asked_for(received)
        with self._lock:
            number = self.asked[question]
            self.asked[question] += 1
            chance = random.Random(f"{question} {number}")
            fails = number < 4 and chance.random() < 0.3
            self.failed += fails
            self.answered[question] += not fails
            is_late = self.answered.total() > CASES * SAMPLES * 2 // 3
        if is_late:
            self.may_end.wait(PATIENCE_S)
        answer = OPENAI.answer(text(question), tokens=tokens(question))
        if not fails:
            return answer
        at_once = {"Retry-After": "0"}
        return chance.choice(
            [
                OPENAI.error(429, "slow down", at_once),
                OPENAI.error(500, "oops", at_once),
                OPENAI.error(529, "overloaded", at_once),
                replace(answer, reset=True),
                truncated(answer),
            ]
        )


def asked_for(received: Received) -> Question:
    return received.body["messages"][-1]["content"], received.body["seed"]


def tokens(question: Question) -> int:
    return 5 + question[1] % 17


def text(question: Question) -> str:
    """Answers that mostly contain no code, and so are judged without a compiler."""
    return f"```rust\n{workbench.BROKEN}```" if question[1] % 25 == 0 else f"I cannot, for reason {question[1]}."


@pytest.fixture
def service() -> Iterator[tuple[Unreliable, Server]]:
    pytest.importorskip("openai")
    unreliable = Unreliable()
    with Server(unreliable) as server:
        yield unreliable, server


def journalled(output: Path) -> set[Question]:
    lines = json_lines(output / "latest" / "journal.jsonl")
    attempts = [line["attempt"] for line in lines if line["kind"] == "completion"]
    return {(workbench.prompt(case), number - 1) for _, case, _, _, number in attempts}


def test_all_samples_are_judged_paid_for_once_and_never_asked_for_again(
    service: tuple[Unreliable, Server], tmp_path: Path
) -> None:
    unreliable, server = service
    configure_service(tmp_path, OPENAI, server.url, concurrency=16)
    write_set(tmp_path / "set.toml", cases=CASES)
    words = ["run", "--eval-set", "set.toml", "--models", f"service/{MODEL}", "--samples", str(SAMPLES)]
    words += ["--seed", "0", "--temperature", "1", "--output", "out"]
    output = tmp_path / "out"

    process = workbench.start(*words, cwd=tmp_path, env=service_environment())
    workbench.wait_until(lambda: len(journalled(output)) >= 80, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = journalled(output)
    assert 80 <= len(before) < CASES * SAMPLES
    asked_before = Counter(unreliable.asked)
    unreliable.may_end.set()

    finished = forgetest(*words, cwd=tmp_path, env=service_environment())

    assert finished.returncode == 0, finished.stderr
    questions = {(workbench.prompt(f"double-{case}"), seed) for case in range(1, CASES + 1) for seed in range(SAMPLES)}
    assert journalled(output) == questions
    asked_again = unreliable.asked - asked_before
    assert not before & asked_again.keys()
    # requests in flight when the run was killed are sent once more; nothing else is answered twice
    twice = {question for question, count in unreliable.answered.items() if count > 1}
    assert len(twice) <= 16
    assert not twice & before
    assert unreliable.failed > 60

    summary = report_in(output)["aggregate"]["per_model"][f"service/{MODEL}"]
    assert summary["samples"] == {"asked": 300, "judged": 300, "unjudged": 0}
    cost = sum(12 * SERVICE_PRICES["input"] + tokens(each) * SERVICE_PRICES["output"] for each in questions) / 1e6
    assert summary["total_cost_usd"] == pytest.approx(cost, abs=1e-12)
    lines = Counter(
        (line["kind"], *line["attempt"])
        for line in json_lines(output / "latest" / "journal.jsonl")[1:]
        if "attempt" in line
    )
    assert len(lines) == 600
    assert set(lines.values()) == {1}
