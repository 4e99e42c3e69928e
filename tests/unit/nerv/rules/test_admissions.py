"""Items that the agent's last words name as not done."""

from __future__ import annotations

import pytest

from finding_runs import a_run
from nerv.evidence import Evidence
from nerv.inspection import inspect
from nerv.matching.text_similarity import Vocabulary
from nerv.rules.admissions import admitted_items
from nerv.rules.requirements import Requirements
from nerv.rules.run_facts import RunFacts

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
        ("**`render` is not**: I stopped here.", {1}),
        ("There is no `render` yet, so it cannot be imported.", {1}),
        ("There is no src/render.js yet for sections.", set()),
        ("The tests for `render` have no failures.", set()),
        ("Missing: render, and inverted sections.", {1, 3}),
        ("Next: inverted sections.", {3}),
        ("Inverted sections are not begun.", {3}),
        ("I did not get to stories 2 and 3.", {1, 2}),
        ("Escaping works. Inverting sections is not started.", {3}),
        ("Escaped values and sections that repeat are in; render isn't.", {1}),
        ("Escaping and render don't exist yet.", {1}),
        ("Still open: inverted sections.", {3}),
        ("It is open source, and whether render is open or not does not matter here.", set()),
        ("The first point is not done.", {0}),
        ("Points 1 to 900000000000 are not done.", {0, 1, 2, 3}),
        ("Point 9 is not done.", set()),
        ("Points 1 to 4 are done, and nothing is missing.", set()),
    ],
)
def test_items_are_named_by_number_by_place_or_by_name(message, items):
    evidence = a_run(spec=SPEC, final=message)
    assert set(admitted_items(evidence, Vocabulary.of(evidence.spec))) == items


def test_a_run_that_names_what_it_left_out_cannot_pass():
    scored = score_of(a_run(spec=SPEC, final="Points 3 and 4 are not implemented yet."))
    assert scored.veto == (
        "By the agent's own words, 2 items of the spec's 4 are not done: Sections repeat their bodies."
    )
    assert score_of(a_run(spec=SPEC, final="All points are done.")).veto == ""


def score_of(evidence: Evidence) -> Requirements:
    return RunFacts.derive(evidence, inspect(evidence.changes.written), None, ()).requirements
