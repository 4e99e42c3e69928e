"""Verification of repositories whose parts need each other, with the real toolchains."""

from __future__ import annotations

import shutil

import pytest

from forgetest import config
from verified_projects import verify_project
from verified_workspaces import WORKSPACES, Workspace

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.timeout(1800),
]


@pytest.fixture(params=sorted(WORKSPACES))
def workspace(request) -> Workspace:
    found = WORKSPACES[request.param]
    for tool in found.tools:
        if shutil.which(tool, path=config.host_environment()["PATH"]) is None:
            pytest.skip(f"{tool} is not installed")
    return found


def test_a_change_of_one_part_is_verified_by_the_test_that_needs_it(tmp_path, workspace):
    found = verify_project(tmp_path / "r", workspace.base, workspace.good)
    assert (found.verified, found.shown) == (True, (workspace.shown,)), found


def test_a_change_of_one_part_that_breaks_another_is_not(tmp_path, workspace):
    found = verify_project(tmp_path / "r", workspace.base, workspace.bad)
    assert (found.verified, found.broken) == (False, workspace.broken), found
