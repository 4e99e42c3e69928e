"""Tests by input and output, from the command line."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from workbench import FORGETEST, environment, forgetest

HEADER = '[eval_set]\nid = "io"\nname = "IO"\ndefault_language = "python"\ndefault_timeout_secs = 10\n'
SUM = """
[[cases]]
id = "sum"
name = "Sum"
prompt = "Print the sum of the numbers."
date = 2024-05-31
reference_solution = "print(sum(map(int, input().split())))"
[cases.io]
[[cases.io.tests]]
visible = true
input = "1 2"
output = "3"
[[cases.io.tests]]
name = "hidden"
input = "10 -4"
output = "6"
"""
TWO_SUM = """
[[cases]]
id = "two-sum"
name = "Two sum"
prompt = "Write two_sum."
date = 2024-07-01
reference_solution = '''
def two_sum(numbers, target):
    return next([i, j] for j, b in enumerate(numbers) for i, a in enumerate(numbers[:j]) if a + b == target)
'''
[cases.io]
call = "two_sum"
[[cases.io.tests]]
arguments = [[2, 7, 11, 15], 9]
returns = [0, 1]
"""


def test_a_set_is_validated_and_samples_are_judged_with_their_gap(tmp_path):
    (tmp_path / "io.toml").write_text(HEADER + SUM + TWO_SUM)
    solved = forgetest("validate", "--eval-set", "io.toml", "--solve", cwd=tmp_path)
    assert (solved.returncode, solved.stdout.splitlines()[-1]) == (0, "2 of 2 reference solutions score 1.0")
    samples = [
        {"case_id": "sum", "model": "us/learnt", "code": "print(3)"},
        {"case_id": "sum", "model": "us/right", "code": "a, b = map(int, input().split())\nprint(a + b)"},
        {"case_id": "two-sum", "model": "us/right", "code": "def two_sum(numbers, target):\n    return 0, 1\n"},
    ]
    (tmp_path / "samples.jsonl").write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    words = ("run", "--eval-set", "io.toml", "--samples-from", "samples.jsonl", "--until", "2024-06-30")
    done = forgetest(*words, cwd=tmp_path)
    assert (
        "us/learnt: all visible tests passed and a hidden one failed in 1 of 1 sample; 100.0% of visible" in done.stdout
    )
    report = json.loads((tmp_path / "forgetest-results" / "latest" / "report.json").read_text())
    results = {(each["model"], each["case_id"]): each for each in report["results"]}
    assert {key: each["correct"] for key, each in results.items()} == {("learnt", "sum"): False, ("right", "sum"): True}
    (failure,) = results["learnt", "sum"]["test_execution"]["failures"]
    assert failure == {
        "name": "hidden",
        "message": "wrong output at token 1: 3",
        "stdout": "3\n",
        "timed_out": None,
        "visible": False,
    }


LARGE = """
[[cases]]
id = "large"
name = "Large"
prompt = "Count the bytes."
reference_solution = '''
import sys

count = 0
while part := sys.stdin.buffer.read(1 << 16):
    count += len(part)
print(count)
'''
[cases.io]
[[cases.io.tests]]
input_file = "large.in"
output = "SIZE"
"""


def peak_memory(folder: Path, size: int) -> int:
    """Return the largest memory, in bytes, of any process that solving a case with an input of this size takes."""
    folder.mkdir()
    (folder / "io.toml").write_text(HEADER + LARGE.replace("SIZE", str(size)))
    with (folder / "large.in").open("wb") as file:
        file.truncate(size)
    process = subprocess.Popen(
        [FORGETEST, "validate", "--eval-set", "io.toml", "--solve"],
        cwd=folder,
        env=environment(FORGETEST_CACHE_MB="0"),
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss * 1024


@pytest.mark.slow
def test_an_input_of_a_hundred_megabytes_is_never_copied_into_memory(tmp_path):
    small, large = peak_memory(tmp_path / "small", 1000), peak_memory(tmp_path / "large", 100_000_000)
    assert large - small < 10_000_000
