"""A comparison as text, JSON and markdown."""

import io
import json
from dataclasses import replace

import pytest

from forgetest.comparison import compare
from forgetest.comparison.scores import CaseScores, ReportScores, ScoredCase
from forgetest.renderers.comparison import WRITERS
from forgetest.report.aggregate import CaseId


def recorded(path, model, scores, **conditions):
    cases = {
        ScoredCase("basics", case, model): CaseScores(scores=tuple(each), correct=each.count(1.0))
        for case, each in scores.items()
    }
    return ReportScores(
        path=path,
        id=f"id-{path}",
        created_at="2026-01-01",
        pass_k=(1,),
        cases=cases,
        conditions=conditions,
        tags={CaseId("basics", "dropped"): ("easy",), CaseId("basics", "rose"): ("easy",)},
    )


BEFORE = recorded(
    "old.json",
    "acme/small",
    {"dropped": [1.0], "sank": [1.0, 1.0], "rose": [0.5], "same": [1.0], "gone": [1.0]},
    toolchain="rustc 1.94",
    sandbox=None,
)
AFTER = recorded(
    "new.json",
    "acme/small",
    {"dropped": [0.9], "sank": [0.4], "rose": [1.0], "same": [1.0], "new": [1.0]},
    toolchain="rustc 1.95",
    sandbox="bwrap",
)


def rendered(format_name, before=BEFORE, after=AFTER, gate="threshold"):
    stream = io.StringIO()
    WRITERS[format_name](compare(before, after, 0.05, gate), stream)
    return stream.getvalue()


def test_the_text_shows_counts_conditions_and_changes():
    assert rendered("text") == (
        "2 regressions, 1 improvement, 1 unchanged, 2 not comparable (threshold: 5 points)\n"
        "baseline: old.json (2026-01-01)\n"
        "current:  new.json (2026-01-01)\n"
        "\n"
        "Not the same in both reports, so the change may not be the model's\n"
        "  toolchain: rustc 1.94 → rustc 1.95\n"
        "  sandbox: not recorded → bwrap\n"
        "\n"
        "Regressions\n"
        "  Case            Model               Score        Change\n"
        "  basics/sank     acme/small  1.000 → 0.400  -60.0 points\n"
        "  basics/dropped  acme/small  1.000 → 0.900  -10.0 points\n"
        "\n"
        "Improvements\n"
        "  Case         Model               Score        Change\n"
        "  basics/rose  acme/small  0.500 → 1.000  +50.0 points\n"
        "\n"
        "Not comparable\n"
        "  basics/gone acme/small: gone\n"
        "  basics/new acme/small: new\n"
        "\n"
        "Over the cases compared\n"
        "  Model       Cases          Score         Pass@1\n"
        "  acme/small      4  0.900 → 0.825  75.0% → 50.0%\n"
        "\n"
        "What the data can bear: The data are inconclusive: neither a regression nor the absence of a drop of more "
        "than 5 points is shown.\n"
        "  acme/small inconclusive: pass rate 75.0% (30..95) → 50.0% (15..85), -25.0 points (95%: -100.0 to +86.3); "
        "p = 0.500 for a drop by chance (paired permutation test)\n"
        "    a true drop of 5 points would be found in 2 of 100 such comparisons\n"
        "    to settle it: about 1596 such cases\n"
        "\n"
        "By tag\n"
        "  Tag   Model       Cases          Score         Pass@1\n"
        "  easy  acme/small      2  0.750 → 0.950  50.0% → 50.0%\n"
    )


def test_the_text_shows_only_tags_that_changed():
    comparison, stream = compare(BEFORE, AFTER, 0.05), io.StringIO()
    (easy,) = comparison.tags
    calm = replace(easy, tag="calm", current=easy.baseline)
    WRITERS["text"](replace(comparison, tags=(easy, calm)), stream)
    assert "By tag (1 unchanged not shown)\n" in stream.getvalue()
    assert "calm" not in stream.getvalue()


def test_the_json_has_the_whole_comparison():
    found = json.loads(rendered("json"))
    assert list(found) == [
        *("format_version", "threshold", "gate", "regressed", "ruling", "baseline", "current", "paired_models"),
        *("changed_conditions", "regressions", "improvements", "unchanged", "not_comparable", "models", "tags"),
    ]
    assert found["regressions"][0] == {
        "eval_set_id": "basics",
        "case_id": "sank",
        "model": "acme/small",
        "baseline": 1.0,
        "current": 0.4,
        "baseline_attempts": 2,
        "current_attempts": 1,
        "delta": -0.6,
        "p_worse": 0.333333333333,
        "p_worse_adjusted": 0.333333333333,
    }
    assert found["not_comparable"][0] == {
        "eval_set_id": "basics",
        "case_id": "gone",
        "model": "acme/small",
        "reason": "gone",
    }
    assert found["models"][0]["current"]["pass_at_k"] == {"1": 0.5}
    assert found["models"][0]["current"]["pass_at_k_cases"] == {"1": {"known": 4, "total": 4}}


def test_the_markdown_shows_regressions_as_a_table():
    text = rendered("markdown")
    assert text.startswith("## forgetest: 2 regressions, 1 improvement")
    assert "| `basics/sank` | `acme/small` | 1.000 → 0.400 | -60.0 points |" in text
    assert "- `toolchain: rustc 1.94 → rustc 1.95`" in text


@pytest.mark.parametrize("format_name", ["text", "markdown"])
def test_the_ruling_by_significance_comes_first(format_name):
    text = rendered(format_name, gate="significant")
    assert text.removeprefix("## forgetest: ").startswith("inconclusive: 2 regressions, 1 improvement")


@pytest.mark.parametrize("format_name", ["text", "markdown"])
def test_a_case_that_broke_down_is_named_with_its_p_value(format_name):
    steady = {f"s{number}": [1.0] * 10 for number in range(9)}
    before = recorded("old.json", "acme/small", {"broke": [1.0] * 10, **steady})
    after = recorded("new.json", "acme/small", {"broke": [0.4] * 10, **steady})
    text = rendered(format_name, before, after, "significant").replace("`", "")
    assert "The data show a regression." in text
    assert "surely worse, after correction for all cases: basics/broke (p < 0.001)" in text


def test_without_a_change_there_is_no_table_of_changes():
    for format_name in ("text", "markdown"):
        text = rendered(format_name, BEFORE, BEFORE)
        assert "0 regressions, 0 improvements, 5 unchanged" in text
        assert "No case has changed." in text
        assert "Regressions" not in text


@pytest.mark.parametrize("format_name", ["text", "markdown"])
def test_two_paired_models_are_both_named(format_name):
    other = recorded("new.json", "zeta/large", {"same": [0.0]})
    text = rendered(format_name, BEFORE, other)
    assert "two models are compared: " in text
    assert "acme/small → zeta/large" in text


def test_the_json_of_two_models_names_both():
    found = json.loads(rendered("json", BEFORE, recorded("new.json", "zeta/large", {"same": [0.0]})))
    assert found["paired_models"] == {"baseline": "acme/small", "current": "zeta/large"}


@pytest.mark.parametrize("format_name", WRITERS)
def test_the_order_in_which_cases_are_recorded_does_not_change_the_output(format_name):
    scores = {"b": ([1.0], [0.5]), "a": ([1.0], [0.5]), "d": ([1.0], [1.0]), "c": ([1.0], [1.0])}
    outputs = {
        rendered(
            format_name,
            recorded("old.json", "acme/small", {case: scores[case][0] for case in order}),
            recorded("new.json", "acme/small", {case: scores[case][1] for case in order}),
        )
        for order in (list(scores), sorted(scores))
    }
    assert len(outputs) == 1
