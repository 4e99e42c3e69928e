"""Items that the agent's last words name as not done."""

from __future__ import annotations

import pytest

from finding_runs import a_run
from nerv.matching.text_similarity import Vocabulary
from nerv.rules.admissions import admitted_items

SPEC = """# Templates
1. Values are escaped
2. `render` reaches into objects
3. Sections repeat their bodies
4. Sections can be inverted
"""


@pytest.mark.parametrize(
    ("message", "items"),
    [
        ("Points 3 and 4 are not implemented yet.", {2, 3}),
        ("Sections (3 to 4) are not implemented yet.", {2, 3}),
        ("Still to do: repeated sections (3), and to reach into objects with `render`.", {1, 2}),
        ("Everything but the last point: I kept the old way.", {3}),
        ("`render` is missing.", {1}),
        ("The first point is not done.", {0}),
        ("Points 1 to 900000000000 are not done.", {0, 1, 2, 3}),
        ("Point 9 is not done.", set()),
        ("Points 1 to 4 are done, and nothing is missing.", set()),
    ],
)
def test_items_are_named_by_number_by_place_or_by_name(message, items):
    evidence = a_run(spec=SPEC, final=message)
    assert set(admitted_items(evidence, Vocabulary.of(evidence.spec))) == items
