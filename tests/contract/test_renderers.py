"""Every registered renderer passes the contract suite. A new one joins by its entry point."""

from __future__ import annotations

import pytest

from forgetest import plugins, renderers
from forgetest.renderers import Accompanied, Renderer
from forgetest.testing.renderers import CompanionContract, RendererContract

RENDERERS = plugins.names("renderers")
ACCOMPANIED = [name for name in RENDERERS if isinstance(renderers.find(name), Accompanied)]


class TestRenderers(RendererContract):
    @pytest.fixture(params=RENDERERS)
    def renderer(self, request: pytest.FixtureRequest) -> Renderer:
        return renderers.find(request.param)


class TestRenderersWithCompanions(CompanionContract):
    @pytest.fixture(params=ACCOMPANIED)
    def renderer(self, request: pytest.FixtureRequest) -> Renderer:
        return renderers.find(request.param)


def test_the_formats_of_the_command_line_are_registered():
    assert {"csv", "html", "json", "junit", "markdown", "sarif"} <= set(RENDERERS)


def test_sarif_has_files_beside_it():
    assert ACCOMPANIED == ["sarif"]


def test_no_two_renderers_write_the_same_file():
    names = [renderers.find(name).FILENAME for name in RENDERERS]
    assert len(names) == len(set(names))
