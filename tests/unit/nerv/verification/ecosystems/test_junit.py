"""Reports in JUnit's form, which hostile tests may have written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nerv.verification.ecosystems import junit

REPORT = b"""<?xml version="1.0"?><testsuites><testsuite name="s">
<testcase classname="c" name="good" file="f.py"/>
<testcase classname="c" name="bad"><failure message="assert 1 == 2">E   ModuleNotFoundError</failure></testcase>
<testcase classname="c" name="crash"><error message="boom"/></testcase>
<testcase classname="c" name="left"><skipped message="later"/></testcase>
<testcase classname="c" name="not run" status="notrun"/>
</testsuite></testsuites>"""


def test_each_case_has_its_outcome():
    cases = junit.parse(REPORT)
    assert [(case.name, case.outcome, case.error) for case in cases] == [
        ("good", "passed", False),
        ("bad", "failed", False),
        ("crash", "failed", True),
        ("left", "skipped", False),
        ("not run", "skipped", False),
    ]
    assert (cases[0].file, cases[1].message, cases[1].details) == ("f.py", "assert 1 == 2", "E   ModuleNotFoundError")


def test_a_test_reported_twice_failed_if_it_failed_once():
    named = iter([("a", "failed"), ("a", "passed"), ("b", "passed"), ("b", "skipped")])
    assert junit.worst_by_name(named) == {"a": "failed", "b": "skipped"}


def test_a_document_that_declares_entities_is_refused():
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>'
    assert junit.parse(bomb) is None


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content):
    assert junit.parse(content) in (None, [])
