"""Reading the file of a report back, and refusing damaged ones."""

import io
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from forgetest.errors import UserError
from forgetest.renderers import json as json_renderer
from forgetest.report.read import read_content, read_report
from forgetest.report.scored import HasScores, scored_samples
from forgetest.sample import Recheck
from forgetest.verdict import Condition, Controls, Finding, TestOutcome
from specimens import (
    a_case,
    a_diagnostic,
    a_refusal,
    a_report,
    a_sample,
    a_verdict,
    an_eval_set,
    an_unjudged_sample,
)

SAMPLES = [
    a_sample("a", 1),
    a_sample("a", 2, verdict=a_verdict(passed=2, failed=1, ignored=1, lints=3)),
    a_sample("a", 3, verdict=a_verdict(compiled=False)),
    a_refusal("a", 4),
    an_unjudged_sample("a", 5),
    a_sample(
        "b",
        1,
        model="zeta/large",
        verdict=a_verdict(
            warnings=(a_diagnostic("unused", "warning", "unused_variables"),),
            conditions=(Condition(name="expected_types", holds=False, detail="no Stack"),),
            integrity=(Finding(kind="unsafe", detail="line 3", forbids=False),),
        ),
    ),
    a_sample("c", 1, verdict=a_verdict(tests=(TestOutcome(name="slow", status="failed", timed_out="cpu"),))),
    replace(a_sample("c", 2), recheck=Recheck(times=2, disagreeing=1, changes=("test t1: passed, then failed",))),
    a_sample("c", 3, verdict=a_verdict(controls=Controls(asked=3, passed=1))),
    a_sample("must-not-compile", 1, verdict=a_verdict(passed=0)),
]
SETS = [
    an_eval_set(
        a_case("a", tags=["easy"]),
        a_case("b", tags=["easy", "hard"]),
        a_case("c"),
        a_case("must-not-compile", should_pass_tests=False),
        a_case("never-tried"),
    )
]


def text_of(report):
    stream = io.StringIO()
    json_renderer.write(report, stream)
    return stream.getvalue()


def write_report(path, report):
    path.write_text(text_of(report), encoding="utf-8")
    return path


def changed(path, **fields):
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))
    return path


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "report.json"
    path.write_text(text_of(a_report(SAMPLES, SETS, pass_k=(1, 5), further={"sandbox": "bwrap"})), encoding="utf-8")
    return path


def test_a_report_that_was_read_back_is_written_identically(written):
    assert text_of(read_report(written)) == written.read_text(encoding="utf-8")


def test_the_results_can_be_iterated_again_and_again(written):
    report = read_report(written)
    first, second = ([sample.attempt for sample in report.results] for _ in range(2))
    assert first == second == sorted(sample.attempt for sample in SAMPLES)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"outcome": "unjudged"', '"outcome": "judged"', "basics/a/acme/small/5 is judged"),
        ('"attempt": 2', '"attempt": 1', "not sorted, or there twice: basics/a/acme/small/1"),
        ('"attempt": 2', '"attempt": "2"', r"Expected `int`, got `str` - at `\$.results\[1\].attempt`"),
        ('"format_version": 1', '"format_version": 7', "format_version is 7, and this forgetest reads 1"),
        ('"passed": 4', '"passed": 4000000000', r"at `\$.results\[0\].test_execution.passed`"),
    ],
)
def test_an_inconsistent_report_is_an_error_that_names_the_place(written, old, new, message):
    written.write_text(written.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UserError, match=message):
        read_report(written)
    with pytest.raises(UserError, match=message):
        list(scored_samples(read_content(written).results))


def test_scores_read_from_the_file_are_those_of_the_samples(written):
    results = read_content(written).results
    assert isinstance(results, HasScores)
    assert list(scored_samples(results)) == list(scored_samples(list(results)))


def test_a_report_truncated_anywhere_is_an_error(written):
    whole = written.read_bytes()
    for part in range(1, 12):
        written.write_bytes(whole[: len(whole) * part // 12])
        with pytest.raises(UserError, match=r"not JSON, or cut off|missing required field"):
            read_report(written)


def test_the_report_may_be_formatted_by_another_tool(written):
    report = json.loads(written.read_text(encoding="utf-8"))
    before = text_of(read_report(written))
    written.write_text(json.dumps(dict(sorted(report.items())), separators=(",", ":")), encoding="utf-8")
    assert text_of(read_report(written)) == before


def test_the_folder_of_a_run_is_accepted_in_place_of_its_report(tmp_path):
    write_report(tmp_path / "report.json", a_report([a_sample()]))
    assert [sample.correct for sample in read_report(tmp_path).results] == [True]


def test_a_folder_without_a_report_is_an_error(tmp_path):
    with pytest.raises(UserError, match=r"no report\.json in this folder"):
        read_report(tmp_path)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        read_report(tmp_path / "gone.json")


def test_a_pipe_or_a_device_is_an_error_and_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "report.json")
    for path in (tmp_path, tmp_path / "report.json", Path("/dev/zero")):
        with pytest.raises(UserError, match="a pipe or a device, not a file"):
            read_report(path)


@pytest.mark.parametrize("content", [b"", b"{", b'{"id": "x"', b"\xff\xfe", b"not json"])
def test_broken_json_is_an_error(tmp_path, content):
    (tmp_path / "r.json").write_bytes(content)
    with pytest.raises(UserError, match=r"r\.json: not JSON, or cut off"):
        read_report(tmp_path / "r.json")


@pytest.mark.parametrize("content", ["[]", "3", '"report"'])
def test_json_that_is_not_an_object_is_not_a_report(tmp_path, content):
    (tmp_path / "r.json").write_text(content)
    with pytest.raises(UserError, match="no report that can be read"):
        read_report(tmp_path / "r.json")


def test_unrelated_json_is_not_a_report(tmp_path):
    (tmp_path / "r.json").write_text('{"name": "package"}')
    with pytest.raises(UserError, match="neither format_version nor eval_set"):
        read_report(tmp_path / "r.json")


@pytest.mark.parametrize("version", [2, 0, "1", [1]])
def test_another_format_version_is_an_error_that_names_both(tmp_path, version):
    path = changed(write_report(tmp_path / "r.json", a_report([a_sample()])), format_version=version)
    with pytest.raises(UserError, match=r"format_version is .*, and this forgetest reads 1"):
        read_report(path)


def test_a_field_of_the_wrong_type_is_named_with_its_path(tmp_path):
    path = changed(write_report(tmp_path / "r.json", a_report([a_sample()])), results=[{"case_id": 3}])
    with pytest.raises(UserError, match=r"\$\.results\[0\]"):
        read_report(path)


def test_a_score_above_1_is_an_error(tmp_path):
    path = write_report(tmp_path / "r.json", a_report([a_sample()]))
    path.write_text(path.read_text().replace('"overall": 1.0', '"overall": 1.5'))
    with pytest.raises(UserError, match=r"overall"):
        read_report(path)


def test_a_judged_result_without_a_score_is_an_error(tmp_path):
    path = write_report(tmp_path / "r.json", a_report([a_sample()]))
    results = [{**result, "score": None} for result in json.loads(path.read_text())["results"]]
    with pytest.raises(UserError, match="basics/fibonacci/acme/small/1 is judged, but"):
        read_report(changed(path, results=results))
