from __future__ import annotations

import pytest

from forgetest import UserError
from forgetest.loading import load_case


def test_a_case_is_loaded_by_its_set_and_its_id() -> None:
    assert load_case("quickstart/add").id == "add"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("add", "not like SET/CASE"),
        ("quickstart/", "not like SET/CASE"),
        ("quickstart/subtract", "no such case; there are: add, "),
        ("nowhere/add", "no such file or folder"),
    ],
)
def test_a_case_that_cannot_be_loaded_is_explained(name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load_case(name)
