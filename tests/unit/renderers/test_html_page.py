"""The HTML page without a browser: its content, and that text cannot become markup."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from dataclasses import replace
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.renderers import html
from forgetest.renderers.html import contents, page, page_budget
from forgetest.renderers.html.page_budget import PageBudget
from forgetest.report import Report
from forgetest.sample import Recheck, Sample
from forgetest.verdict import Condition, Finding
from specimens import a_case, a_refusal, a_report, a_sample, a_verdict, an_eval_set, an_unjudged_sample


def written(report: Report) -> str:
    stream = io.StringIO(newline="")
    html.write(report, stream)
    return stream.getvalue()


def data(text: str) -> dict[str, Any]:
    """The values embedded in the page, by name."""
    found = re.findall(r'<script type="application/json" id="data-([\w-]+)">(.*?)</script>', text)
    return {name: json.loads(value) for name, value in found}


@given(st.text())
def test_no_text_can_end_its_element_and_all_of_it_comes_back(text: str):
    embedded = page.embedded("x", {"text": text})
    found = re.fullmatch(r'<script type="application/json" id="data-x">(.*)</script>\n', embedded, re.DOTALL)
    assert found
    value = found[1]
    assert not set("<>&") & set(value)
    assert json.loads(value) == {"text": text}


def test_only_the_pages_own_script_and_style_may_run_and_nothing_is_fetched():
    text = written(a_report([a_sample()]))
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1])  # type: ignore[index]
    assert policy.startswith("default-src 'none'; ")
    for element, directive in (("script", "script-src"), ("style", "style-src")):
        [content] = re.findall(f"<{element}>(.*?)</{element}>", text, re.DOTALL)
        allowed = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{directive} 'sha256-{allowed}'" in policy
    assert "unsafe" not in policy
    assert re.findall(r'(?:src|href)="(?!#|data:,)([^"]*)"', text) == []
    assert ' style="' not in text
    assert ".innerHTML" not in text
    assert "insertAdjacentHTML" not in text


def test_a_template_marker_in_a_name_stays_text():
    odd = replace(an_eval_set(), name="@STYLE@ @BODY@ @SCRIPT@ @DATA@")
    assert "<title>forgetest: @STYLE@ @BODY@ @SCRIPT@ @DATA@</title>" in written(a_report([a_sample()], [odd]))


def test_the_page_contains_prompts_samples_and_aggregates():
    case = replace(a_case("a", tags=("text",)), prompt="Write `a`.")
    held = data(written(a_report([a_sample("a"), a_sample("a", 2)], [an_eval_set(case)], pass_k=(1, 2))))
    assert held["case-0"] == {"name": "a", "language": "rust", "prompt": "Write `a`."}
    assert [held[f"sample-{number}"]["attempt"] for number in (0, 1)] == [1, 2]
    assert held["report"]["per_model"]["acme/small"]["pass_at_k"] == {"1": 1.0, "2": 1.0}
    assert held["report"]["cases"] == [["basics", "a", ["text"], [[0, 2, 2, 2, 1.0]]]]
    assert len(held["samples"]["rows"]) == 2


def test_a_flaky_sample_is_marked():
    flaky = a_sample(recheck=Recheck(times=2, disagreeing=1, changes=("t1 failed",)))
    held = data(written(a_report([flaky])))
    assert held["samples"]["rows"][0][10] is True
    assert "1 sample flaky" in held["report"]["flaky"][0]


@pytest.mark.parametrize(
    ("kind", "sample"),
    [
        ("correct", a_sample()),
        ("tests failed", a_sample(verdict=a_verdict(failed=1))),
        ("not compiled", a_sample(verdict=a_verdict(compiled=False))),
        ("integrity", a_sample(verdict=a_verdict(failed=1, integrity=(Finding(kind="exit", detail=""),)))),
        ("condition", a_sample(verdict=a_verdict(conditions=(Condition(name="expected_types", holds=False),)))),
        ("no code", a_refusal()),
        ("cut off", replace(a_refusal(), code="fn f() {}")),
        ("unjudged", an_unjudged_sample()),
    ],
)
def test_the_kind_of_a_sample_is_the_first_thing_wrong_with_it(kind: str, sample: Sample):
    assert contents.kind(sample) == kind


def test_a_sample_that_was_not_linted_has_no_lint_count():
    rows = data(written(a_report([a_sample("a"), a_sample("b", verdict=a_verdict(compiled=False)), a_refusal("c")])))
    assert [row[7] for row in rows["samples"]["rows"]] == [0, None, None]


def test_very_long_texts_are_truncated_visibly():
    long = a_sample(code="x" * 200_000)
    code = contents.detail(long)["generated_code"]
    assert len(code) < 110_000
    assert code.endswith("… cut here: 100000 more characters")


def held_of(samples: list[Sample]) -> tuple[list[Sample], dict[str, Any]]:
    deciding = PageBudget(a_report(samples))
    kept = [sample for sample in samples if deciding.selects(sample) and deciding.takes(sample, 1)]
    return kept, deciding.summary()


def test_a_page_contains_every_sample_if_they_fit():
    samples = [a_sample("a", number, correct=number % 3 > 0) for number in range(1, 100)]
    kept, counts = held_of(samples)
    assert kept == samples
    assert (counts["failed"], counts["failed_total"], counts["correct"], counts["correct_total"]) == (33, 33, 66, 66)


def test_beyond_the_limit_failures_come_first_and_the_others_are_spread_evenly(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(page_budget, "MOST_SAMPLES", 40)
    samples = [a_sample("a", number, correct=number % 10 > 0) for number in range(1, 301)]
    kept, counts = held_of(samples)
    assert (counts["failed"], counts["correct"], counts["correct_total"]) == (30, 10, 270)
    correct = [sample.attempt.attempt for sample in kept if sample.correct]
    assert max(b - a for a, b in pairwise(correct)) <= 31
    monkeypatch.setattr(page_budget, "MOST_SAMPLES", 10)
    _, counts = held_of(samples)
    assert (counts["failed"], counts["correct"]) == (10, 0)


def test_a_page_never_exceeds_its_size_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(page_budget, "MOST_CHARACTERS", 50)
    deciding = PageBudget(a_report([a_sample("a", number) for number in (1, 2, 3)]))
    assert [deciding.takes(a_sample("a", number), 20) for number in (1, 2, 3)] == [True, True, False]
    assert deciding.summary()["correct"] == 2
