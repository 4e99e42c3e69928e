"""Reports in the forms of other tools."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.datasets import exports
from forgetest.datasets.exports import humaneval
from forgetest.errors import UserError
from forgetest.report import Report
from forgetest.sample import Sample
from forgetest.testing.samples import a_refusal, a_report, a_sample, a_verdict, an_unjudged_sample
from forgetest.verdict import TestOutcome

PROMPT = "def f(x):\n    '''Double.'''\n"


def python_report(*samples: Sample, prompt: str = PROMPT, tags: tuple[str, ...] = ()) -> Report:
    report = a_report(samples)
    sets = [
        replace(each, cases=tuple(replace(case, language="python", prompt=prompt, tags=tags) for case in each.cases))
        for each in report.eval_sets
    ]
    return replace(report, eval_sets=tuple(sets), path="report.json")


def exported(name: str, report: Report, folder: Path) -> list[dict[str, Any]]:
    exports.write(name, exports.select(report), folder / "out", force=True)
    return [json.loads(line) for line in (folder / "out").read_text().splitlines()]


def failing(*names: str, timed_out: bool = False, tests: int = 2) -> Sample:
    outcomes = [TestOutcome(name=name, status="failed", timed_out="cpu" if timed_out else None) for name in names]
    outcomes += [TestOutcome(name="", status="passed")] * (tests - len(names))
    return a_sample(verdict=a_verdict(tests=tuple(outcomes)), code="code")


def test_a_completion_is_what_follows_the_prompt(tmp_path: Path):
    continued = a_sample(attempt=1, code=f"{PROMPT}    return 2 * x\n")
    whole = a_sample(attempt=2, code="def f(x):\n    return x + x\n")

    assert exported("humaneval-samples", python_report(continued, whole), tmp_path) == [
        {"task_id": "fibonacci", "completion": "    return 2 * x\n"},
        {"task_id": "fibonacci", "completion": "def f(x):\n    return x + x\n"},
    ]


@given(prompt=st.sampled_from([PROMPT, "x = 1", "# text"]), code=st.text(max_size=40), continued=st.booleans())
def test_prompt_and_completion_are_the_program_again(prompt: str, code: str, continued: bool):
    code = prompt + code if continued else code
    selection = exports.select(python_report(a_sample(code=code), prompt=prompt))

    [line] = humaneval.sample_lines(selection)

    program = prompt + json.loads(line)["completion"]
    assert program in (code, f"{prompt}{code}", f"{prompt}\n{code}")
    assert (program == code) == code.startswith(prompt)


def test_a_prompt_in_prose_has_no_place_in_human_evals_form(tmp_path: Path):
    report = python_report(a_sample(code="def f(x): ..."), prompt="Write f.")

    with pytest.raises(UserError, match=r"fibonacci: its prompt is no beginning of a program.*evalplus-samples"):
        exported("humaneval-samples", report, tmp_path)
    assert exported("evalplus-samples", report, tmp_path) == [{"task_id": "fibonacci", "solution": "def f(x): ..."}]


def test_results_leave_out_what_was_not_judged_and_count_refusals_as_failed(tmp_path: Path):
    report = python_report(
        a_sample(attempt=1, code=PROMPT),
        a_refusal(attempt=2),
        an_unjudged_sample(attempt=3),
        replace(failing("a", "b", timed_out=True), attempt=a_sample(attempt=4).attempt),
        a_sample(attempt=5, verdict=a_verdict(passed=1, failed=1)),
    )

    lines = exported("humaneval-results", report, tmp_path)

    assert [line["passed"] for line in lines] == [True, False, False, False]
    assert [line["result"] for line in lines] == [
        "passed",
        "failed: the model refused",
        "timed out",
        "failed: left: 1, right: 2",
    ]


@pytest.mark.parametrize(
    ("sample", "statuses"),
    [
        (a_sample(verdict=a_verdict(passed=2)), ("pass", "pass")),
        (failing("test_plus"), ("pass", "fail")),
        (failing("test_base", "test_plus", timed_out=True), ("timeout", "timeout")),
        (a_sample(verdict=a_verdict(compiled=False)), ("fail", "fail")),
        (a_sample(verdict=a_verdict(passed=1)), ("pass", None)),
        (replace(a_sample(verdict=a_verdict(passed=2)), correct=False), ("fail", "fail")),
    ],
)
def test_evalplus_has_a_status_for_base_and_plus(sample: Sample, statuses: tuple[str, str | None], tmp_path: Path):
    [document] = exported("evalplus-results", python_report(sample, tags=("evalplus",)), tmp_path)

    [result] = document["eval"]["fibonacci"]
    assert (result["base_status"], result["plus_status"]) == statuses


def test_other_sets_have_no_plus_status(tmp_path: Path):
    [document] = exported("evalplus-results", python_report(failing("test_plus")), tmp_path)

    assert document["eval"]["fibonacci"][0] | {"solution": ""} == {
        "task_id": "fibonacci",
        "solution": "",
        "base_status": "fail",
        "plus_status": None,
        "base_fail_tests": [],
        "plus_fail_tests": [],
    }


def test_multipl_e_has_a_file_for_each_problem(tmp_path: Path):
    report = python_report(
        a_sample("a/b"), a_sample("a_b"), a_sample("c", 1, verdict=a_verdict(compiled=False)), a_sample("c", 2)
    )

    exports.write("multipl-e-results", exports.select(report), tmp_path / "out")

    files = {path.name: json.loads(gzip.decompress(path.read_bytes())) for path in (tmp_path / "out").iterdir()}
    assert {name: document["name"] for name, document in files.items()} == {
        "a_b.results.json.gz": "a/b",
        "a_b-2.results.json.gz": "a_b",
        "c.results.json.gz": "c",
    }
    found = [(each["status"], each["exit_code"]) for each in files["c.results.json.gz"]["results"]]
    assert found == [("SyntaxError", 1), ("OK", 0)]
    assert files["c.results.json.gz"]["temperature"] == 0.8


def test_a_choice_is_asked_for_where_there_are_several(tmp_path: Path):
    models = a_report([a_sample(), a_sample(model="acme/large")])
    sets = a_report([a_sample(), a_sample(eval_set="other")])

    with pytest.raises(UserError, match="has 2 models; choose one with --model: acme/large, acme/small"):
        exports.select(models)
    with pytest.raises(UserError, match="no model x; there are"):
        exports.select(models, "x")
    with pytest.raises(UserError, match="basics and other both have a case fibonacci; choose one with --eval-set"):
        exports.write("evalplus-samples", exports.select(sets), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    exports.write("evalplus-samples", exports.select(sets, eval_set="other"), tmp_path / "out")
    assert len((tmp_path / "out").read_text().splitlines()) == 1


@pytest.mark.parametrize("name", sorted(exports.FORMATS))
def test_nothing_is_replaced_without_being_asked_to(name: str, tmp_path: Path):
    path = tmp_path / ("out.eval" if name == "inspect" else "out")
    path.write_text("precious")

    with pytest.raises(UserError):
        exports.write(name, exports.select(python_report(a_sample())), path)
    assert path.read_text() == "precious"


@pytest.mark.slow  # imports all of Inspect
def test_a_log_of_inspect_can_be_read_by_inspect(tmp_path: Path):
    from inspect_ai import log

    report = python_report(
        a_sample(attempt=1), a_sample(attempt=2, verdict=a_verdict(passed=1, failed=1)), an_unjudged_sample(attempt=3)
    )
    for name in ("run.eval", "run.json"):
        exports.write("inspect", exports.select(report), tmp_path / name)

        read = log.read_eval_log(str(tmp_path / name))

        assert (read.status, read.eval.model, read.eval.task) == ("success", "acme/small", "basics")
        assert [sample.epoch for sample in read.samples] == [1, 2, 3]
        assert [sample.scores["correct"].value if sample.scores else None for sample in read.samples] == [
            "C",
            "I",
            None,
        ]
        assert read.results.scores[0].metrics["accuracy"].value == 0.5
        assert read.samples[0].output.completion == "fn fibonacci(n: u64) -> u64 { n }"
        assert read.samples[0].output.usage.total_tokens == 120


def test_without_inspects_package_a_sentence_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "inspect_ai.log", None)

    with pytest.raises(UserError, match="pip install inspect-ai"):
        exports.write("inspect", exports.select(python_report(a_sample())), tmp_path / "run.eval")
    assert list(tmp_path.iterdir()) == []
