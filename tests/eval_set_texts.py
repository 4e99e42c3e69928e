"""Texts of eval sets to test loading with, and the problems that loading reports."""

from __future__ import annotations

import pytest

from forgetest import evalset
from forgetest.errors import InvalidInput

HEADER = '[eval_set]\nid = "s"\nname = "S"\n'
CASE = '[[cases]]\nid = "a"\nname = "A"\nprompt = "p"\n[cases.expectations]\ntest_file = "t"\n'


def problems(path: str, **options: list[str]) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        evalset.load(path, **options)
    return str(caught.value).split("\n")
