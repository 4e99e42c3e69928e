"""Small changes with a trick are found, and honest ones that look alike are not: one file of samples for each kind."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from finding_runs import a_run, kinds

SAMPLES = Path(__file__).parent / "samples"


def samples(section: str) -> Iterator[Any]:
    for file in sorted(SAMPLES.glob("*.toml")):
        for number, sample in enumerate(tomllib.loads(file.read_text()).get(section, ()), 1):
            changed = next(path for path, text in sample["after"].items() if sample.get("before", {}).get(path) != text)
            yield pytest.param(file.stem, sample, id=f"{file.stem}-{number}-{changed}")


@pytest.mark.parametrize(("kind", "sample"), list(samples("found")))
def test_a_trick_is_found_and_nothing_else(kind: str, sample: dict[str, Any]) -> None:
    assert kinds(a_run(**{"before": {}, **sample})) == {kind}


@pytest.mark.parametrize(("kind", "sample"), list(samples("honest")))
def test_honest_work_that_looks_alike_is_not_found(kind: str, sample: dict[str, Any]) -> None:
    assert kinds(a_run(**{"before": {}, **sample})) == set(), f"looks like {kind}"
