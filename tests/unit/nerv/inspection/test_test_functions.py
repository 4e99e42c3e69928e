"""Which calls of a test are assertions: by the names of libraries, and of helpers whose result nobody uses."""

from __future__ import annotations

import pytest

from nerv.inspection.languages import language_of, parse, walk
from nerv.inspection.test_functions import can_fail, find_test


def fails(path: str, text: str) -> bool:
    language = language_of(path)
    assert language is not None
    (body,) = [found[1] for node in walk(parse(language, text)) if (found := find_test(node, language.name))]
    return can_fail(body, language.name)


GO = "package kiln\n\nfunc TestMinutes(t *testing.T) {\n\t%s\n}\n"
JAVASCRIPT = "test('minutes', async () => {\n  %s\n});\n"
PYTHON = "def test_minutes():\n    %s\n"


@pytest.mark.parametrize(
    ("path", "text", "is_one"),
    [
        ("kiln_test.go", GO % 'equal(t, "minutes", plan.Minutes(), 46)', True),
        ("kiln_test.go", GO % 'wantError(t, refusal(t, 20), "too hot")', True),
        ("kiln_test.go", GO % "plan := planOf(t, 20)\n\t_ = plan", False),
        ("kiln_test.go", GO % "same := equal(t, plan.Minutes(), 46)\n\t_ = same", False),
        ("kiln.test.js", JAVASCRIPT % "equal(minutes(plan), 46);", True),
        ("kiln.test.js", JAVASCRIPT % "await rejects(load(plan), /no plan/);", True),
        ("kiln.test.js", JAVASCRIPT % "load(plan, 46);", False),
        ("kiln.test.js", JAVASCRIPT % "t['throws'](() => minutes(plan), TypeError);", True),
        ("kiln.test.js", JAVASCRIPT % "t.deepEqualTest(minutes(plan), [46], 'same', true);", True),
        ("kiln.test.js", JAVASCRIPT % "t.ok(minutes(plan));", True),
        ("kiln.test.js", JAVASCRIPT % "t.end(plan);", False),
        ("test_kiln.py", PYTHON % "same_minutes(plan(), 46)", True),
        ("test_kiln.py", PYTHON % "found = same_minutes(plan(), 46)", False),
    ],
)
def test_a_helper_that_compares_makes_a_test_that_can_fail(path: str, text: str, is_one: bool) -> None:
    assert fails(path, text) == is_one
