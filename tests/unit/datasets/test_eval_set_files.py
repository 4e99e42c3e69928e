"""Writing eval sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest import evalset
from forgetest.datasets import eval_set_files
from forgetest.errors import UserError

HEADER = {"id": "mine", "name": "Mine", "default_language": "python"}


def a_case(**further: Any) -> dict[str, Any]:
    return {"id": "a", "name": "A", "prompt": "p", "expectations": {"test_file": "assert True\n"}, **further}


def test_a_small_set_is_one_file_and_a_large_one_two(tmp_path: Path):
    small = eval_set_files.write(tmp_path / "small.toml", HEADER, [a_case()])
    large = eval_set_files.write(tmp_path / "large.toml", {**HEADER, "id": "large"}, [a_case(prompt="p" * 300_000)])

    assert [path.name for path in small] == ["small.toml"]
    assert [path.name for path in large] == ["large.toml", "large.cases.jsonl"]
    assert [len(each.cases) for each in evalset.load(tmp_path)] == [1, 1]


@settings(max_examples=40)
@given(prompt=st.text(st.characters(exclude_categories=["Cs"]), min_size=1), large=st.booleans())
def test_every_text_of_a_case_is_read_back_as_it_was(
    prompt: str, large: bool, tmp_path_factory: pytest.TempPathFactory
):
    if not prompt.strip():
        return
    folder = tmp_path_factory.mktemp("set")
    filling = a_case(id="b", description="d" * (300_000 if large else 1))
    case = a_case(prompt=prompt, reference_solution=f"{prompt}\n", tags=[prompt])
    eval_set_files.write(folder / "set.toml", HEADER, [case, filling])

    read = evalset.load(folder / "set.toml")[0].cases[0]

    assert (read.prompt, read.reference_solution, read.tags) == (prompt, f"{prompt}\n", (prompt,))


def test_nothing_is_replaced_without_being_asked_to(tmp_path: Path):
    (tmp_path / "set.toml").write_text("precious")

    with pytest.raises(UserError, match=r"set\.toml: exists already, and is left as it is; --force replaces it"):
        eval_set_files.write(tmp_path / "set.toml", HEADER, [a_case()])

    assert (tmp_path / "set.toml").read_text() == "precious"
    eval_set_files.write(tmp_path / "set.toml", HEADER, [a_case()], force=True)
    assert evalset.load(tmp_path / "set.toml")[0].id == "mine"
