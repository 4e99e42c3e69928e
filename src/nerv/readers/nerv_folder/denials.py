"""What was refused and done all the same."""

from __future__ import annotations

from dataclasses import replace

from nerv.location import Moment
from nerv.readers.run_record import RunRecord


def note_use(record: RunRecord, tool: str, request: str, moment: Moment) -> None:
    """A tool call went through; where the very same had been refused before, that is on the record."""
    for index, permission in enumerate(record.permissions):
        if (
            permission.decision == "denied"
            and permission.used_after_denial is None
            and permission.request == request != ""
            and (not permission.tool or permission.tool == tool)
            and permission.decided is not None
            and permission.decided.before(moment)
            and not _allowed_since(record, tool, request, permission.decided)
        ):
            record.permissions[index] = replace(permission, used_after_denial=moment)


def _allowed_since(record: RunRecord, tool: str, request: str, refused: Moment) -> bool:
    return any(
        permission.decision in ("approved", "always_allowed")
        and permission.request == request
        and (not permission.tool or permission.tool == tool)
        and permission.decided is not None
        and refused.before(permission.decided)
        for permission in record.permissions
    )
