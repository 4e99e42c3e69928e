"""SandboxFusion's copies, read as the data sets that they were taken from."""

from __future__ import annotations

from pathlib import Path

import pytest

from dataset_rows import read_task
from external_data import external, needs_external
from forgetest.datasets import imports
from forgetest.errors import UserError

COPIES = {
    "code_contests": ("code-contests", 20),
    "live_code_bench_v1": ("livecodebench", 3),
    "mbpp": ("mbpp", 20),
    "bigcodebench": ("bigcodebench", 20),
    "aider_benchmark_v1": ("exercism", 5),
}


@needs_external("contest")
@pytest.mark.parametrize("name", COPIES)
def test_a_copy_is_recognised_as_its_data_set_and_read_whole(name: str):
    path = external(f"contest/{name}.jsonl")
    found = imports.read(path)

    assert (found.format.name, len(found.tasks), found.left_out) == (*COPIES[name], {})
    assert imports.read(path, found.format.name).tasks == found.tasks


@needs_external("contest/code_contests.jsonl")
def test_copies_of_codecontests_keep_their_ids_sources_and_difficulties():
    case = imports.read(external("contest/code_contests.jsonl"), limit=1).tasks[0].case

    assert (case["id"], case["name"], case["source"], case["tags"]) == ("0", "a3", "CodeChef", ["medium"])
    assert len(case["io"]["tests"]) == 101


@needs_external("contest/live_code_bench_v1.jsonl")
def test_real_packed_tests_of_livecodebench_are_unpacked():
    tasks = imports.read(external("contest/live_code_bench_v1.jsonl")).tasks

    assert [len(task.case["io"]["tests"]) for task in tasks] == [5, 14, 15]
    assert tasks[1].case["io"]["call"] == "Solution.countSeniors"
    assert tasks[1].case["prompt"].endswith("def countSeniors(self, details: List[str]) -> int:\n```\n")
    assert "You are an expert" not in tasks[1].case["prompt"]


@pytest.mark.parametrize(
    "test", ["[1]", "{}", "AAAA", 5, '[{"input": {"stdin": 1}, "output": {}}]', '{"asset": {"a_test.py": "*"}}']
)
def test_a_broken_copy_is_refused_with_its_line(test: object, tmp_path: Path):
    with pytest.raises(UserError, match=r"rows.jsonl:1: "):
        read_task({"id": "1", "content": "c", "labels": {}, "canonical_solution": "", "test": test}, tmp_path)
