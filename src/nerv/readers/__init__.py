"""Readers: whatever a run was recorded in → Evidence. One file a source; each says what its kind cannot know."""

from __future__ import annotations

from pathlib import Path

from forgetest.errors import UserError
from nerv.evidence import Evidence
from nerv.readers.source import Source

__all__ = ["Source", "read"]


def read(source: Source) -> Evidence:
    """Read a run with the reader that its form asks for. Raises UserError where there is none."""
    from nerv.readers import claude_code, results_folder

    path = source.path
    if not path.exists():
        raise UserError(f"{path}: missing; name a results folder, or a Claude Code session's log")
    if source.repository is not None and source.base is None:
        raise UserError("--repo needs --base REV: the commit that the run began at")
    if path.is_dir():
        sessions = _sessions(path) if not (path / results_folder.EVENT_LOG).exists() else []
        if len(sessions) > 1:
            names = ", ".join(file.name for file in sessions[:5])
            raise UserError(f"{path}: several sessions in it ({names}); name the one that is meant")
        if not sessions:
            return results_folder.read(source)
        source = _at(source, sessions[0])
    elif not claude_code.looks_like(path):
        raise UserError(
            f"{path}: not a Claude Code log (objects with `type` and `sessionId`), and a results folder is a folder"
        )
    return claude_code.read(source)


def _sessions(folder: Path) -> list[Path]:
    from nerv.readers import claude_code

    files = sorted(file for file in folder.glob("*.jsonl") if not file.name.startswith("agent-"))
    return [file for file in files[:1_000] if claude_code.looks_like(file)]


def _at(source: Source, path: Path) -> Source:
    from dataclasses import replace

    return replace(source, path=path)
