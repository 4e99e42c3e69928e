"""What several tests of the engine start with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from forgetest.engine.journal import Journal, Session


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """The journal of a run that has just begun."""
    opened = Journal(tmp_path / "journal.jsonl")
    opened.begin(Session(run_id="r1", started_at="2026-01-02T03:04:05+00:00", forgetest="0.1.0"))
    yield opened
    opened.close()
