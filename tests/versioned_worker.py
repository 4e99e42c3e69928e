"""A worker for tests of clusters, which a process of another node can import."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from forgetest.evalset import Case
from forgetest.testing.executors import ScriptedSpec, ScriptedWorker


@dataclass(frozen=True)
class VersionedSpec(ScriptedSpec):
    """A worker whose tools have another version on every machine but the driver's."""

    number: str = "1"

    def open(self) -> VersionedWorker:
        return VersionedWorker(Path(self.folder), self.number)

    def for_this_machine(self) -> VersionedSpec:
        return VersionedSpec(self.folder, "2")


class VersionedWorker(ScriptedWorker):
    def __init__(self, folder: Path, number: str) -> None:
        super().__init__(folder)
        self._number = number

    def version(self, case: Case) -> str:
        return f"tools {self._number}"
