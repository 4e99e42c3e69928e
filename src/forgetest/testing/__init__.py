"""Contract suites and fakes for authors of plugins. Needs pytest; nothing else in forgetest imports it."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(
    "forgetest.testing.providers", "forgetest.testing.renderers", "forgetest.testing.toolchains"
)
