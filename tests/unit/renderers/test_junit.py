"""JUnit XML."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import pytest
import xmlschema
from hypothesis import given
from hypothesis import strategies as st

from forgetest.renderers import junit
from forgetest.report import Report
from forgetest.sample import Recheck
from published import junit_schemas
from specimens import a_refusal, a_report, a_sample, a_verdict, an_unjudged_sample


def written(report: Report) -> str:
    stream = io.StringIO(newline="")
    junit.write(report, stream)
    return stream.getvalue()


def cases(report: Report) -> dict[tuple[str, str], ElementTree.Element]:
    root = ElementTree.fromstring(written(report))
    return {(each.get("name", ""), each.get("classname", "")): each for each in root.iter("testcase")}


def a_run() -> Report:
    return a_report(
        [
            *(a_sample("right", number) for number in (1, 2)),
            a_sample("half", 1),
            a_sample("half", 2, verdict=a_verdict(failed=1)),
            a_sample("lost", 1),
            an_unjudged_sample("lost", 2),
            a_refusal("both", 1),
            an_unjudged_sample("both", 2),
            a_sample("right", 1, model="zeta/large", verdict=a_verdict(compiled=False)),
            a_sample("right", 1, eval_set="more"),
        ]
    )


@pytest.fixture(params=[0, 1], ids=["ant", "jenkins"])
def schema(request: pytest.FixtureRequest) -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(str(junit_schemas()[request.param]))


def test_the_xml_is_valid_by_the_schemas_in_use(schema: xmlschema.XMLSchema):
    for report in (a_run(), a_report([])):
        assert [str(error) for error in schema.iter_errors(written(report))] == []


def test_each_case_of_each_model_is_a_testcase():
    assert set(cases(a_run())) == {
        ("right", "acme/small"),
        ("half", "acme/small"),
        ("lost", "acme/small"),
        ("both", "acme/small"),
        ("right", "zeta/large"),
    }


def test_an_incorrect_sample_is_a_failure_and_an_unjudged_one_an_error():
    found = cases(a_run())
    outcomes = {name: [child.tag for child in element] for name, element in found.items()}
    assert outcomes["right", "acme/small"] == []
    assert outcomes["half", "acme/small"] == ["failure"]
    assert outcomes["lost", "acme/small"] == ["error"]
    assert outcomes["both", "acme/small"] == ["failure"]
    assert outcomes["right", "zeta/large"] == ["failure"]


def test_the_counts_of_a_suite_are_those_of_its_cases():
    suites = list(ElementTree.fromstring(written(a_run())))
    assert suites
    for suite in suites:
        assert suite.get("tests") == str(len(suite.findall("testcase")))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
        assert suite.get("errors") == str(len(suite.findall("testcase/error")))
        seconds = sum(float(case.get("time", "")) for case in suite.findall("testcase"))
        assert float(suite.get("time", "")) == pytest.approx(seconds, abs=0.01)


def test_a_failure_lists_what_failed():
    failure = cases(a_run())["half", "acme/small"].find("failure")
    assert failure is not None
    assert failure.get("message", "").startswith("1 of 2 wrong: ")
    assert "test t4: left: 1, right: 2" in (failure.text or "")


def test_flaky_samples_are_named_in_the_output_of_their_suite(schema: xmlschema.XMLSchema):
    again = Recheck(times=5, disagreeing=2, changes=("test t1: passed, then failed", "compiled, then <not>"))
    steady = a_sample("steady", recheck=Recheck(times=5))
    report = a_report([a_sample("odd", 2, recheck=again), steady, a_sample("odd", 1, eval_set="more", recheck=again)])
    text = written(report)
    first, second = (suite.findtext("system-out") for suite in ElementTree.fromstring(text))
    changes = "judged again 5 times, 2 verdicts differ: test t1: passed, then failed; compiled, then <not>"
    assert (first, second) == (
        f"flaky: odd acme/small attempt 2: {changes}",
        f"flaky: odd acme/small attempt 1: {changes}",
    )
    assert [str(error) for error in schema.iter_errors(text)] == []


@given(st.text(min_size=1, max_size=40))
def test_any_text_is_well_formed_and_preserved_except_for_characters_that_xml_forbids(text: str):
    report = a_report([a_sample("case", correct=False, reason=text)])
    schema_free = ElementTree.fromstring(written(report))
    failure = schema_free.find("testsuite/testcase/failure")
    assert failure is not None
    allowed = "".join(each for each in text if each in "\t\n\r" or (each >= " " and each not in "\ufffe\uffff"))
    if allowed == text:
        assert text in (failure.text or "")


def test_a_forbidden_character_is_written_as_its_escape():
    report = a_report([a_sample("case", correct=False, reason="red \x1b[31m \x00 \ufffe")])
    failure = cases(report)["case", "acme/small"].find("failure")
    assert failure is not None
    assert "red \\x1b[31m \\x00 \\xfffe" in (failure.text or "")
