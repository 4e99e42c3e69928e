"""Rewards by a real Grader, through the signatures of trainers."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import forgetest
from forgetest.client import Client
from forgetest.rewards import Rewarder, trl, verl
from workbench import environment, start

CASE = """
[eval_set]
id = "demo"
name = "Demo"

[[cases]]
id = "double"
name = "Double"
language = "python"
prompt = "Write a function double(x)."

[cases.expectations]
test_file = '''
def test_double():
    assert double(21) == 42


def test_zero():
    assert double(0) == 0
'''
"""
RIGHT = "```python\ndef double(x):\n    return 2 * x\n```"
HALF = "```python\ndef double(x):\n    return 0\n```"
FORGED = """```python
class Any(int):
    def __eq__(self, other):
        return True


def double(x):
    return Any(7)
```"""
ANSWERS = [RIGHT, HALF, FORGED, "I cannot."]


@pytest.fixture(scope="module")
def rewarder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rewarder]:
    file = tmp_path_factory.mktemp("rewards") / "demo.toml"
    file.write_text(CASE)
    made = Rewarder(forgetest.load(file), measure="tests")
    yield made
    made.close()


def test_a_step_of_a_trainer_gets_the_rewards_of_its_group(rewarder: Rewarder):
    assert trl.reward_function(rewarder)(["p"] * 4, ANSWERS, case=["demo/double"] * 4) == [1.0, 0.5, 0.0, 0.0]


def test_answers_that_are_awaited_one_by_one_get_the_same_rewards(rewarder: Rewarder):
    compute = verl.compute_score(rewarder, unjudged="raise")

    async def step() -> list[float]:
        calls = [compute(data_source="demo", solution_str=answer, ground_truth="double") for answer in ANSWERS]
        return [score["score"] for score in await asyncio.gather(*calls)]

    assert asyncio.run(step()) == [1.0, 0.5, 0.0, 0.0]


@pytest.mark.slow
def test_a_service_that_dies_in_the_middle_of_a_step_yields_no_zero(tmp_path: Path):
    (tmp_path / "demo.toml").write_text(CASE)
    process = start("serve", "--port", 0, "--quiet", cwd=tmp_path, env=environment())
    assert process.stdout is not None
    url = process.stdout.readline().split()[-1]
    slow = "```python\nimport time\n\n\ndef double(x):\n    time.sleep(2)\n    return 2 * x  # {}\n```"
    answers = [slow.format(number) for number in range(8)]
    rewarder = Rewarder(forgetest.load(tmp_path / "demo.toml"), Client(url, timeout_s=3))
    assert trl.reward_function(rewarder)(["p"] * 2, [RIGHT, HALF], case=["double"] * 2) == [1.0, 0.0]

    def kill() -> None:
        time.sleep(1)
        process.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    rewards = trl.reward_function(rewarder)(["p"] * 8, answers, case=["double"] * 8)
    killer.join()
    process.communicate()
    assert rewards == [None] * 8
    assert {reward.value for reward in rewarder.rewards([(RIGHT, "double")])} == {None}
    rewarder.close()
