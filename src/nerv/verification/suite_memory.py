"""Reports of suites that were run before, by what was run: for measuring many runs of the same projects.

Runs that are compared have their base in common, and often the same result. A suite that is equal to the last byte is
then run once. Scoring a single run uses it only for the suite of its base (`stored_suites`).
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import TypeAlias

from nerv.verification.ecosystems import SuiteReport
from nerv.verification.ecosystems.all import Project
from nerv.verification.trees import Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSuite:
    """One suite, as it ended."""

    report: SuiteReport
    shown: str
    """Its command, as a person would type it."""
    seconds: float
    """CPU time."""


SuiteMemory: TypeAlias = MutableMapping[str, KnownSuite]


def suite_key(project: Project, tree: Tree, tests: Tree) -> str:
    """Return a key of everything that decides how a suite ends: the project, its files, and those of its tests."""
    digest = hashlib.sha256(f"{project.folder}\0{project.ecosystem.NAME}".encode())
    for files in (tree, tests):
        digest.update(b"\0\0")
        for path, file in sorted(files.items()):
            for part in (path.encode(), file.content, (file.link or "").encode(), str(file.executable).encode()):
                digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
