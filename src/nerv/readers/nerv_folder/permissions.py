"""Permission requests, matched with the decisions on them."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import replace
from fnmatch import fnmatchcase

from nerv.evidence import Permission, PermissionDecision
from nerv.location import Moment
from nerv.readers.event_fields import Event, shorten
from nerv.readers.run_record import MOST, RunRecord

_DECISIONS: dict[str, PermissionDecision] = {
    "allow": "approved",
    "allow_once": "approved",
    "approve": "approved",
    "approved": "approved",
    "allow_always": "always_allowed",
    "always_allow": "always_allowed",
    "always_allowed": "always_allowed",
    "deny": "denied",
    "denied": "denied",
    "reject": "denied",
    "rejected": "denied",
}

_Key = tuple[str, str, str]
_PATTERN = re.compile(r"(\w+)\((.*)\)", re.S)
"""A decision on a pattern: `Bash(npm test)`, `Bash(npm run:*)`."""


class PermissionMatcher:
    """Matches decisions on permissions to the requests that wait for one."""

    def __init__(self, record: RunRecord) -> None:
        self._record = record
        self._waiting: OrderedDict[int, _Key] = OrderedDict()
        """Indices into the record's permissions, oldest first."""

    def requested(self, event: Event) -> None:
        """Record a request from an event."""
        self.ask(_id(event), _tool(event), event.request, event.task_id, event.moment)

    def decided(self, event: Event, decision: PermissionDecision) -> None:
        """Record a decision from an event."""
        self.answer(_id(event), _tool(event), event.request, event.task_id, event.moment, decision)

    def decision_named(self, event: Event) -> None:
        """Record a decision that a field of the event states."""
        self.decided(event, decision_of(event.line.decision))

    def ask(self, request_id: str, tool: str, request: str, task_id: str | None, moment: Moment) -> None:
        """Record a request."""
        permission = Permission(
            tool=tool, request=request, task_id=task_id, asked=moment, decided=None, decision="pending"
        )
        if len(self._record.permissions) < MOST:
            self._waiting[len(self._record.permissions)] = (request_id, task_id or "", tool)
        self._record.keep(self._record.permissions, permission, "permissions")

    def answer(
        self,
        request_id: str,
        tool: str,
        request: str,
        task_id: str | None,
        moment: Moment,
        decision: PermissionDecision,
    ) -> None:
        """Record the decision on the request of that id, or else on the oldest request that fits."""
        index = self._which(request_id, tool, request, task_id)
        if index is None:
            permission = Permission(
                tool=tool, request=request, task_id=task_id, asked=None, decided=moment, decision=decision
            )
            self._record.keep(self._record.permissions, permission, "permissions")
            return
        del self._waiting[index]
        asked = self._record.permissions[index]
        self._record.permissions[index] = replace(
            asked, decided=moment, decision=decision, tool=asked.tool or tool, request=asked.request or request
        )

    def _which(self, request_id: str, tool: str, request: str, task_id: str | None) -> int | None:
        if request_id:
            for index, key in self._waiting.items():
                if key[0] == request_id:
                    return index
        for index, (waiting_id, waiting_task, waiting_tool) in self._waiting.items():
            if request_id and waiting_id:
                continue
            if task_id and waiting_task and task_id != waiting_task:
                continue
            if tool and waiting_tool and tool != waiting_tool:
                continue
            if _is_about(request, waiting_tool, self._record.permissions[index].request):
                return index
        return None


def _is_about(decided: str, tool: str, asked: str) -> bool:
    """Return whether a decision on a request or a pattern is about a request of a tool; texts may be missing."""
    if not decided or not asked or decided == asked:
        return True
    pattern = _PATTERN.fullmatch(decided)
    if pattern is None or (tool and pattern[1] != tool):
        return False
    return fnmatchcase(asked, pattern[2].replace("[", "[[]").replace(":*", "*"))


def mark_used_after_denial(record: RunRecord, tool: str, request: str, moment: Moment) -> None:
    """Record that a call succeeded although the same call had been denied before."""
    for index, permission in enumerate(record.permissions):
        if (
            permission.decision == "denied"
            and permission.used_after_denial is None
            and permission.request == request != ""
            and (not permission.tool or permission.tool == tool)
            and permission.decided is not None
            and permission.decided.before(moment)
            and not _allowed_after(record, tool, request, permission.decided)
        ):
            record.permissions[index] = replace(permission, used_after_denial=moment)


def _allowed_after(record: RunRecord, tool: str, request: str, refused: Moment) -> bool:
    return any(
        permission.decision in ("approved", "always_allowed")
        and permission.request == request
        and (not permission.tool or permission.tool == tool)
        and permission.decided is not None
        and refused.before(permission.decided)
        for permission in record.permissions
    )


def decision_of(value: object) -> PermissionDecision:
    """Return the decision that a value stands for; anything but a clear yes is a denial."""
    return _DECISIONS.get(str(value).strip().lower(), "denied")


def _id(event: Event) -> str:
    value = event.line.requestId if event.line.requestId is not None else event.line.id
    return str(value)[:200] if isinstance(value, str | int) else ""


def _tool(event: Event) -> str:
    return shorten(event.line.tool)[:100] if isinstance(event.line.tool, str) else ""
