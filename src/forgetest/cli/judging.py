"""The Grader that a command's options ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forgetest.cli.options import choose_executor, choose_sandbox
from forgetest.config import Settings
from forgetest.grading import Grader
from forgetest.loading import Announce


def open_grader(given: Mapping[str, Any], announce: Announce, settings: Settings | None = None) -> Grader:
    """Return a Grader for the options of a command, of which it has those that its help shows.

    `settings`: where they are None, those of the nearest forgetest.toml.
    """
    return Grader(
        sandbox=choose_sandbox(given["sandbox"], unsafe=given["unsafe_no_sandbox"]),
        cache_mb=0 if given.get("no_cache") else None,
        sharing=not given.get("no_sharing"),
        confirm_failures=bool(given.get("confirm_failures")),
        max_sample_size=given.get("max_sample_size"),
        parallelism=given.get("parallelism"),
        executor=choose_executor(given["executor"], given["ray_address"]),
        settings=settings,
        announce=announce,
    )
