"""`forgetest serve` as a process: started, used, stopped and killed."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forgetest.client import Client
from forgetest.evalset import Case, Expectations
from forgetest.grade import Grade
from workbench import environment, forgetest_here, needs_judging, start

DOUBLE = Case(
    id="double",
    name="double",
    prompt="Double a number.",
    language="python",
    expectations=Expectations(test_file="def test_it():\n    assert double(21) == 42\n    assert double(0) == 0\n"),
)
SLOW = "import time\ndef double(x):\n    time.sleep(1)\n    return x * 2\n"


def code(number: int) -> str:
    return f"def double(x):\n    return x * 2 + {number % 2}  # {number}\n"


def started(tmp_path: Path, *words: str) -> tuple[subprocess.Popen[str], str]:
    process = start("serve", "--port", 0, *words, cwd=tmp_path, env=environment())
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("Serving on http://127.0.0.1:"), (line, process.communicate(timeout=10))
    return process, line.split()[-1]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process, url = started(tmp_path_factory.mktemp("serve"), "--quiet")
    yield process, url
    process.kill()
    process.communicate()


@needs_judging
@pytest.mark.slow  # docs/serve.md does the same in the default lane
def test_grades_are_those_of_the_samples_and_sigterm_ends_the_service(
    service: tuple[subprocess.Popen[str], str],
) -> None:
    process, url = service
    with Client(url, timeout_s=60) as client:
        grades = client.grade_many([(code(number), DOUBLE) for number in range(20)], as_code=True)
    assert [grade.correct for grade in grades] == [True, False] * 10
    assert all(grade.outcome == "judged" for grade in grades)

    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--host", "0.0.0.0"], "--token-file"),
        (["--token-file", "none"], "cannot be read"),
        (["--eval-set", "quickstrat"], 'did you mean "quickstart"?'),
        (["--port", "70000"], "70000"),
        (["--deadline", "nan"], "nan"),
    ],
)
def test_wrong_input_is_explained(tmp_path: Path, words: list[str], says: str) -> None:
    ended = forgetest_here("serve", *words, cwd=tmp_path)
    assert ended.returncode == 2
    assert says in ended.stderr


def grade_in_background(url: str, codes: list[str], timeout_s: float) -> tuple[threading.Thread, list[Grade]]:
    grades: list[Grade] = []

    def grade() -> None:
        with Client(url, timeout_s=timeout_s) as client:
            grades.extend(client.grade_many([(each, DOUBLE) for each in codes], as_code=True))

    thread = threading.Thread(target=grade)
    thread.start()
    return thread, grades


@needs_judging
@pytest.mark.slow
def test_ctrl_c_lets_samples_finish_and_exits_with_130(tmp_path: Path) -> None:
    process, url = started(tmp_path)
    thread, grades = grade_in_background(url, [SLOW], timeout_s=60)
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    thread.join(60)

    assert [grade.correct for grade in grades] == [True]
    _, log = process.communicate(timeout=20)
    assert process.returncode == 130
    assert '"event": "stopped"' in log


@needs_judging
@pytest.mark.slow
def test_a_second_signal_hands_back_what_was_taken(tmp_path: Path) -> None:
    process, url = started(tmp_path, "--workers", "1")
    thread, grades = grade_in_background(url, [SLOW + f"# {number}\n" for number in range(6)], timeout_s=2)
    time.sleep(1.0)
    process.send_signal(signal.SIGTERM)
    time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    assert process.returncode == 0
    thread.join(60)

    assert {grade.outcome for grade in grades} == {"unjudged"}
    assert {grade.score for grade in grades} == {None}


@needs_judging
@pytest.mark.slow
def test_a_service_that_is_killed_costs_no_sample_a_zero_and_another_one_takes_over(tmp_path: Path) -> None:
    process, url = started(tmp_path)
    thread, grades = grade_in_background(url, [SLOW, *(code(number) for number in range(300))], timeout_s=60)
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    port = url.rsplit(":", 1)[1]
    again = start("serve", "--port", port, "--quiet", cwd=tmp_path, env=environment())
    thread.join(90)
    again.terminate()
    again.communicate(timeout=20)

    assert [grade.outcome for grade in grades] == ["judged"] * 301
    assert [grade.correct for grade in grades] == [True, *([True, False] * 150)]
