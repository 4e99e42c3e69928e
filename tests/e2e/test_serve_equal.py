"""The same samples through the command line, Python, HTTP and the compatible doors get equal verdicts."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from equal_samples import SAMPLES, SET, Essence, essence
from forgetest.client import Client
from forgetest.evalset import Case
from forgetest.grading import Grader
from forgetest.loading import load_eval_sets
from forgetest.report.read import read_report
from forgetest.service.serving import Service
from running_service import Running, running
from workbench import environment, forgetest, needs_judging

PROGRAMS = [text for case_id, text in SAMPLES if case_id == "program"]
FUNCTIONS = [text for case_id, text in SAMPLES if case_id in ("python", "call")]
"""ScaleBox calls a Python function with arguments, or runs a Python program with an input: it has no form for Rust."""


def by_command(folder: Path) -> list[Essence]:
    lines = [
        json.dumps({"case_id": case_id, "model": "acme/m", "attempt": number + 1, "code": text})
        for number, (case_id, text) in enumerate(SAMPLES)
    ]
    (folder / "samples.jsonl").write_text("\n".join(lines) + "\n")
    ran = forgetest(
        *("run", "--eval-set", "set.toml", "--samples-from", "samples.jsonl", "--output", "out", "--quiet"),
        cwd=folder,
        env=environment(),
    )
    assert ran.returncode == 0, ran.stderr
    found = {}
    for sample in read_report(folder / "out" / "latest" / "report.json").results:
        tests = sample.verdict.tests if sample.verdict else ()
        is_verified = sample.verdict is not None and sample.verdict.verified
        statuses = tuple(sorted(test.status for test in tests))  # a report that is read back only counts them
        found[sample.attempt.case_id, sample.code] = (sample.correct, is_verified, statuses)
    return [found[sample] for sample in SAMPLES]


def post(service: Running, path: str, document: object) -> Any:
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(service.url + path, json.dumps(document).encode(), headers)
    with urllib.request.urlopen(request, timeout=600) as response:
        return json.load(response)


def fenced(case_id: str, text: str) -> str:
    return f"```{'rust' if case_id == 'rust' else 'python'}\n{text}\n```"


def submission(case_id: str, text: str) -> dict[str, object]:
    return {"dataset": "equal", "id": case_id, "completion": fenced(case_id, text), "config": {}}


def evaluation(form: str, text: str) -> dict[str, object]:
    batches = {
        "stdin_stdout": {"input": ["3", "0"], "output": ["6", "0"], "fn_name": None},
        "function_call": {"input": [[3], [0]], "output": [[6], [0]], "fn_name": "double"},
    }
    tests = {"type": form, **batches[form]}
    config = {"language": "python", "provided_data": {"test_cases": tests}}
    return {"completion": fenced("python", text), "config": config}


def program_run(text: str, given: str) -> dict[str, object]:
    return {"code": text, "language": "python", "stdin": given}


@needs_judging
@pytest.mark.slow
def test_200_samples_get_equal_verdicts_everywhere(tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_text(SET)
    eval_sets = load_eval_sets([tmp_path / "set.toml"])
    cases: dict[str, Case] = {case.id: case for case in eval_sets[0].cases}
    pairs = [(text, cases[case_id]) for case_id, text in SAMPLES]
    with Grader(cache_mb=0) as grader:
        direct = [essence(grade) for grade in grader.grade_many(pairs, as_code=True)]
        with running(grader, eval_sets) as service, Client(service.url, timeout_s=600) as client:
            assert isinstance(service.service, Service)
            over_http = [essence(grade) for grade in client.grade_many(pairs, as_code=True)]
            by_id = post(
                service,
                "/v1/grade",
                {"samples": [{"case": f"equal/{name}", "answer": text, "as_code": True} for name, text in SAMPLES]},
            )["grades"]

            def post_all(path: str, documents: Sequence[object]) -> list[Any]:
                """Send requests as a trainer does, many at a time: those that wait share what can be shared."""
                with ThreadPoolExecutor(64) as pool:
                    return list(pool.map(lambda document: post(service, path, document), documents))

            submitted = post_all("/submit", [submission(name, text) for name, text in SAMPLES])
            evaluations = [evaluation("stdin_stdout", text) for text in PROGRAMS]
            evaluations += [evaluation("function_call", text) for text in FUNCTIONS]
            evaluated = post_all("/common_evaluate_batch", evaluations)
            ran = [post_all("/run_code", [program_run(text, given) for text in PROGRAMS]) for given in ("3", "0")]

    assert over_http == direct
    assert by_command(tmp_path) == [(*each[:2], tuple(sorted(each[2]))) for each in direct]
    assert [grade["correct"] for grade in by_id] == [each[0] for each in direct]
    assert [result["accepted"] for result in submitted] == [each[0] for each in direct]
    passed = {text: [status == "passed" for status in each[2]] for (_, text), each in zip(SAMPLES, direct, strict=True)}
    assert [[test["passed"] for test in result["tests"]] for result in evaluated] == [
        passed[text] or [False, False] for text in (*PROGRAMS, *FUNCTIONS)
    ]
    # as verl compares
    outputs = [[(run["status"], run["run_result"]["stdout"].rstrip("\n")) for run in runs] for runs in ran]
    assert [[three == ("Success", "6"), zero == ("Success", "0")] for three, zero in zip(*outputs, strict=True)] == [
        passed[text] for text in PROGRAMS
    ]
