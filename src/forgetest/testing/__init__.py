"""Contract suites and fakes for authors of plugins. Needs pytest; nothing else in forgetest imports it."""

from __future__ import annotations

import pytest

_SUITES = ("programs", "providers", "renderers", "sandboxes", "toolchains")

pytest.register_assert_rewrite(*(f"{__name__}.{suite}" for suite in _SUITES))
