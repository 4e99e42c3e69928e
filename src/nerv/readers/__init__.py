"""Readers turn the record of a run into Evidence. One package per source; each states what its kind can know."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from forgetest.errors import UserError
from nerv.evidence import Evidence
from nerv.readers.source_files import RunSource

__all__ = ["EVENT_LOG", "RunSource", "main_file", "read"]

EVENT_LOG = "event-log.jsonl"


def read(source: RunSource) -> Evidence:
    """Read a run with the reader for its format. Raises UserError if there is none."""
    from nerv.readers.claude_code import session
    from nerv.readers.nerv_folder import folder

    if source.repository is not None and source.base is None:
        raise UserError("--repo needs --base REV: the commit at which the run began")
    if source.diff is not None and not source.diff.is_file():
        raise UserError(f"{source.diff}: missing; --diff names a patch file")
    main = main_file(source.path)
    if main.name == EVENT_LOG:
        return folder.read(replace(source, path=main.parent))
    return session.read(replace(source, path=main))


def main_file(path: Path) -> Path:
    """Return the log of a run: the event log of a results folder, the only session in a folder, or the file itself."""
    from nerv.readers.claude_code import session

    if not path.exists():
        raise UserError(f"{path}: missing; name a results folder, or a Claude Code session's log")
    if path.is_dir():
        sessions = [] if (path / EVENT_LOG).exists() else _session_logs(path)
        if len(sessions) > 1:
            names = ", ".join(file.name for file in sessions[:5])
            raise UserError(f"{path}: contains several sessions ({names}); name one of them")
        return sessions[0] if sessions else path / EVENT_LOG
    if path.name != EVENT_LOG and not session.is_session_log(path):
        raise UserError(
            f"{path}: not a Claude Code log (objects with `type` and `sessionId`), and a results folder is a folder"
        )
    return path


def _session_logs(folder: Path) -> list[Path]:
    from nerv.readers.claude_code import session

    files = sorted(file for file in folder.glob("*.jsonl") if not file.name.startswith("agent-"))
    return [file for file in files[:1_000] if session.is_session_log(file)]
