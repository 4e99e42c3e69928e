"""The names of tests, as code has them and as runners print them."""

from __future__ import annotations

import re


def is_named(full: str, test: str) -> bool:
    """Return whether a runner's full name (`a/test_b.py::test_c[1]`, `mod::tests::c`, `Group > c`) is the test's."""
    plain = full.partition("[")[0].strip()
    return plain == test or re.search(rf"(?:^|\W){re.escape(test)}$", plain) is not None
