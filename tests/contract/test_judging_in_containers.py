"""Rust is judged in containers as it is by bubblewrap: what is right, what is wrong, and what tries to get away."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest

from forgetest import config, plugins
from forgetest.engine.judge import Judge
from forgetest.engine.prepare import Workshop
from forgetest.errors import UserError
from grading import RIGHT, TRIPLE, Graded, Grader


@pytest.fixture(scope="module", params=["podman", "docker"])
def grade(request: pytest.FixtureRequest) -> Iterator[Callable[[str], Graded]]:
    environment = config.host_environment()
    if shutil.which("rustc", path=environment["PATH"]) is None:
        pytest.skip("rustc is not installed: run scripts/setup")
    try:
        sandbox = plugins.find("sandboxes", request.param)()
    except UserError as error:
        pytest.skip(str(error))
    workshop = Workshop(sandbox, config.cache_folder(), environment)
    grader = Grader(Judge(workshop, {"rust": plugins.find("toolchains", "rust")}, request.param))
    yield lambda code: grader(code, TRIPLE)
    sandbox.close()


def test_right_is_right_and_wrong_is_wrong(grade):
    assert grade(RIGHT).correct
    assert grade(RIGHT.replace("* 3", "* 2")).failed == ["tests::of_two", "tests::of_minus_one"]
    assert grade("fn triple(x: i64) -> i64 { y }").verdict.errors[0].code == "E0425"
    assert grade("fn triple(_: i64) -> i64 { std::process::exit(0) }").findings == {"early_exit"}
