"""Readers turn the record of a run into Evidence. One package per source; each states what its kind can know."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from forgetest.errors import UserError
from nerv.evidence import Evidence
from nerv.readers.source_files import RunSource, is_file, refuse_packed, refuse_too_large, refuse_utf_16

__all__ = ["EVENT_LOG", "TIMELINE", "RunSource", "is_old_results", "main_file", "read", "results_log"]

EVENT_LOG, TIMELINE = "event-log.jsonl", "timeline.jsonl"
_MOST_LOGS = 100
_OLD_RESULTS = "benchmark-results-*.json"


def read(source: RunSource) -> Evidence:
    """Read a run with the reader for its format. Raises UserError if there is none."""
    from nerv.readers import agents
    from nerv.readers.agents import harbor
    from nerv.readers.agents import log as agent_log
    from nerv.readers.claude_code import session
    from nerv.readers.nerv_folder import folder

    if source.repository is not None and source.base is None:
        raise UserError("--repo needs --base REV: the commit at which the run began")
    if source.diff is not None and not source.diff.is_file():
        raise UserError(f"{source.diff}: missing; --diff names a patch file")
    main = main_file(source.path)
    if main.name in (EVENT_LOG, TIMELINE) or is_old_results(main):
        return folder.read(replace(source, path=main.parent))
    if (log := agents.locate(main)) is not None:
        return agent_log.read(source, log)
    return harbor.session_with_result(session.read(replace(source, path=main)), main)


def main_file(path: Path) -> Path:
    """Return the log of a run: the event log of a results folder, the only log in a folder, or the file itself.

    `FILE#RUN` is returned as it is: it names one of several runs in a file.
    """
    from nerv.readers import agents
    from nerv.readers.claude_code import session

    if not path.exists():
        if agents.locate(path) is not None:
            return path
        raise UserError(f"{path}: missing; name {agents.SUPPORTED}")
    if path.is_dir():
        if (log := results_log(path)) is not None:
            return log
        logs = _session_logs(path) or _agent_logs(path)
        if len(logs) > 1:
            names = ", ".join(str(file.relative_to(path)) for file in logs[:5])
            raise UserError(f"{path}: contains several logs ({names}); name one of them")
        if not logs:
            missing = f"{path / EVENT_LOG}: missing, and the folder contains no other log that nerv knows"
            raise UserError(f"{missing}; it reads {agents.SUPPORTED}")
        return logs[0]
    is_results_log = path.name in (EVENT_LOG, TIMELINE)
    if not is_results_log and agents.locate(path) is None and not session.is_session_log(path):
        if is_file(path):  # a pipe would block
            with path.open("rb") as stream:
                beginning = stream.read(16)
            refuse_utf_16(path, beginning)
            refuse_packed(path, beginning)
            refuse_too_large(path)
        raise UserError(f"{path}: is no log of an agent that nerv knows; it reads {agents.SUPPORTED}")
    return path


def results_log(folder: Path) -> Path | None:
    """Return the log of a results folder: its event log, else its timeline, else its oldest form of results."""
    old = sorted(folder.glob(_OLD_RESULTS))[-1:]
    found = [file for file in (folder / EVENT_LOG, folder / TIMELINE, *old) if file.exists()]
    return found[0] if found else None


def is_old_results(log: Path) -> bool:
    """Return whether this is the oldest form of results, which knows nothing of the work: it needs no spec."""
    return log.match(_OLD_RESULTS)


def _session_logs(folder: Path) -> list[Path]:
    from nerv.readers.claude_code import session

    files = sorted(file for file in folder.glob("*.jsonl") if not file.name.startswith("agent-"))
    files = files or sorted(folder.glob("cycle-*/stream.jsonl"))  # nerv's runs without a spec
    return [file for file in files[:1_000] if session.is_session_log(file)]


def _agent_logs(folder: Path) -> list[Path]:
    from nerv.readers import agents

    files = dict.fromkeys(file for pattern in agents.FILE_NAMES for file in sorted(folder.glob(pattern)))
    own = [file for file in files if not file.name.startswith("agent-")]  # those of subagents belong to a session
    known = [file for file in own[:_MOST_LOGS] if agents.locate(file) is not None or _is_session(file)]
    return _without_copies(agents.without_subagents(known))


def _is_session(file: Path) -> bool:
    from nerv.readers.claude_code import session

    return file.suffix == ".jsonl" and session.is_session_log(file)


def _without_copies(logs: list[Path]) -> list[Path]:
    """Leave out the session of a trial whose trajectory, made from it, is there as well."""
    trials = {log.parent for log in logs if log.name == "trajectory.json"}
    return [log for log in logs if log.name == "trajectory.json" or not trials & set(log.parents)]
