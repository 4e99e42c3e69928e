"""What runs on a node: an actor with one worker, which judges several groups at a time."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.executors import Judged, JudgeTask, Worker, WorkerSpec

Tools = tuple[str, str]
"""What a version of tools is asked for: the language, and what of a case chooses among several versions of them."""


@dataclass(frozen=True, slots=True)
class Group:
    """What is sent to a worker."""

    tasks: Sequence[JudgeTask]
    versions: Mapping[Tools, str]
    """Versions of the tools that verdicts have to be made with; empty where any will do."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What comes back."""

    judged: Sequence[Judged] = ()
    error: Exception | None = None
    """What the worker raised."""
    refused: str | None = None
    """Why this node must not judge: its tools are others."""


def tools_of(case: Case) -> Tools:
    """Return what the version of the tools for a case depends on."""
    return case.language, repr((sorted(case.options.items()), case.dependencies))


class RemoteWorker:
    """The actor. Its methods run in threads of one process, so that a step which must run alone on a node does so."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._checked: set[Tools] = set()

    def open(self, spec: bytes, is_driver_node: bool) -> str | None:
        """Open the worker, which proves its sandbox; return what prevents it, if anything does."""
        try:
            wanted: WorkerSpec = pickle.loads(spec)  # noqa: S301  (sent by our own driver)
            self._worker = (wanted if is_driver_node else wanted.for_this_machine()).open()
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None

    def judge(self, group: bytes) -> bytes:
        """Judge a group."""
        sent: Group = pickle.loads(group)  # noqa: S301  (sent by our own driver)
        return pickle.dumps(self._judge(sent))

    def _judge(self, group: Group) -> Reply:
        assert self._worker is not None
        try:
            for task in group.tasks:
                wanted = group.versions.get(tools_of(task.case))
                if wanted is not None and tools_of(task.case) not in self._checked:
                    found = self._worker.version(task.case)
                    if found != wanted:
                        return Reply(refused=f"it has {found}, and the driver has {wanted}")
                    self._checked.add(tools_of(task.case))
            return Reply(judged=[judged for part in self._worker.judge(group.tasks) for judged in part])
        except Exception as error:
            return Reply(error=_picklable(error))


def _picklable(error: Exception) -> Exception:
    """Return the error, or one that says the same and can be sent."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  (made here)
    except Exception:
        return MachineryError(f"{type(error).__name__}: {error}")
    return error
