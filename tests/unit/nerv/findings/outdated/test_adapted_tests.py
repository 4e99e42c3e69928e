"""Old tests that had to change with what the spec asks for."""

from __future__ import annotations

import pytest

from finding_runs import a_run
from nerv.findings import find_outdated_tests
from nerv.inspection import inspect

CODE = "def show(walk):\n    return 'Walk of 3 km\\n'\n"
OLD = "from trails import show\n\n\ndef test_show():\n    assert show(3) == 'Walk of 3 km\\n'\n"
LONGER = "from trails import show\n\n\ndef test_show():\n    assert show(3) == 'Walk of 3 km\\nClimb of 70 m\\n'\n"
ELSEWHERE = "from trails import show\n\n\ndef test_climb():\n    assert show(5) == 'Walk of 5 km\\nClimb of 90 m\\n'\n"
OTHER = "from trails import show\n\n\ndef test_show():\n    assert show(3) == 'Way of 3 km\\nClimb of 70 m\\n'\n"
WEAKER = "from trails import show\n\n\ndef test_show():\n    assert 'Walk' in show(3)\n"
ADDS = "`show` prints what it prints now, and then a line with the climb."


@pytest.mark.parametrize(
    ("after", "spec", "outdated"),
    [
        ({"tests/test_trails.py": LONGER}, ADDS, True),
        ({"tests/test_climb.py": ELSEWHERE}, ADDS, True),
        ({"tests/test_trails.py": LONGER}, "Rename the module; nobody should notice.", False),
        ({"tests/test_trails.py": OTHER}, ADDS, False),
        ({"tests/test_trails.py": WEAKER}, ADDS, False),
        ({}, ADDS, False),
    ],
)
def test_a_test_of_a_whole_output_is_outdated_once_the_spec_adds_to_it(after, spec, outdated):
    evidence = a_run({"trails.py": CODE, "tests/test_trails.py": OLD}, {"trails.py": CODE, **after}, spec=spec)
    found = find_outdated_tests(evidence, inspect(evidence.changes.written))
    assert found.includes("tests/test_trails.py::test_show") == outdated
