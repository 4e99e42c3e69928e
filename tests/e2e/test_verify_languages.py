"""Verification of small projects in six languages: passing, failing, not buildable, and with dependencies."""

from __future__ import annotations

import shutil

import pytest

from forgetest import config
from verified_languages import SAMPLES, Sample
from verified_projects import verify_project

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.timeout(1800),
]


@pytest.fixture(params=sorted(SAMPLES))
def sample(request) -> Sample:
    found = SAMPLES[request.param]
    for tool in found.tools:
        if shutil.which(tool, path=config.host_environment()["PATH"]) is None:
            pytest.skip(f"{tool} is not installed")
    return found


def test_a_change_that_keeps_the_tests_is_verified_by_the_test_that_needs_it(tmp_path, sample):
    found = verify_project(tmp_path / "r", sample.base, sample.good)
    assert found.verified is True, found
    assert found.shown == ((sample.shown,) if sample.shown else ())


def test_a_change_that_breaks_a_test_is_not(tmp_path, sample):
    found = verify_project(tmp_path / "r", sample.base, sample.bad)
    assert (found.verified, found.broken) == (False, (sample.broken,)), found


def test_a_change_that_does_not_build_is_told_with_the_compiler_s_reason(tmp_path, sample):
    if sample.unbuildable is None:
        pytest.skip("this runner cannot tell a failed build from a failed test")
    found = verify_project(tmp_path / "r", sample.base, sample.unbuildable)
    assert (found.verified, found.builds) == (False, False), found
    assert sample.reason in found.vetoes[0]
