"""Run folder: the journal of a run, its reports, and run.json, which describes it."""

from __future__ import annotations

import itertools
import os
import platform
from dataclasses import dataclass
from pathlib import Path

import msgspec

from forgetest.engine import journal as journal_lines
from forgetest.engine.journal import Journal
from forgetest.engine.plan import Plan
from forgetest.engine.tool_versions import ToolVersions
from forgetest.errors import UserError
from forgetest.files import atomic, own_folders
from forgetest.files.printable import printable
from forgetest.version import __version__

RUN_FILENAME = "run.json"
RUN_FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolder:
    """The folder of a run."""

    path: Path

    @classmethod
    def open(cls, output: Path, name: str, *, fresh: bool) -> RunFolder:
        """Open or create the run's folder below `output`; with `fresh`, an earlier one is renamed, never deleted."""
        folder = output / name
        try:
            if fresh and os.path.lexists(folder):
                own_folders.check(folder)
                with journal_lines.locked(folder / journal_lines.FILENAME):
                    folder.rename(_unused_name(folder))
            output.mkdir(parents=True, exist_ok=True)
            own_folders.make(folder)
        except OSError as error:
            raise UserError(f"{folder}: {error.strerror}; choose another --output") from error
        _point_latest(output, name)
        return cls(path=folder)

    def journal(self, tools: ToolVersions | None = None) -> Journal:
        """Open the run's journal for appending; with `tools`, verdicts of other tools count as not judged."""
        return Journal(self.path / journal_lines.FILENAME, tools=tools)

    def describe(self, plan: Plan, journal: Journal, tools: ToolVersions) -> None:
        """Write run.json: what is needed to repeat the run, for people and for `regrade`."""
        description = {
            "format_version": RUN_FORMAT_VERSION,
            "run_id": journal.sessions[0].run_id,
            "forgetest": __version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "eval_sets": [
                {"id": s.id, "path": printable(Path(s.path).absolute()), "hash": s.hash} for s in plan.eval_sets
            ],
            "models": sorted({attempt.model_name for attempt in plan.attempts}),
            "pass_k": plan.pass_k,
            "samples": plan.samples,
            "generation": plan.generation.to_record() if plan.generation else None,
            **tools.as_settings(),
        }
        text = msgspec.json.format(msgspec.json.encode(description), indent=2) + b"\n"
        atomic.write_bytes(self.path / RUN_FILENAME, text)


def _unused_name(folder: Path) -> Path:
    numbered = (folder.with_name(f"{folder.name}.{number}") for number in itertools.count(1))
    return next(path for path in numbered if not path.exists())


def _point_latest(output: Path, name: str) -> None:
    """Make `latest` a link to the run that was last worked on; where links cannot be made, there is none."""
    link, new = output / "latest", output / f".latest-{os.getpid()}"
    if link.exists() and not link.is_symlink():
        return
    try:
        new.symlink_to(name)
        new.replace(link)
    except OSError:
        new.unlink(missing_ok=True)
