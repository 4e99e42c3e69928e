"""The cases that requests can name: those of loaded sets by id, and those that requests bring along."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from forgetest.errors import UserError
from forgetest.evalset import Case, EvalSet
from forgetest.evalset.inline import read_case
from forgetest.files.schema import nearest
from forgetest.service.http.messages import HttpError
from forgetest.service.wire import MOST_DEPTH, CaseReference, depth

_MOST_REMEMBERED = 4096
_MOST_TIMEOUT_SECS = 300.0
_MOST_MEMORY_MB = 4096


class CaseStore:
    """Finds cases. Thread-safe."""

    def __init__(self, eval_sets: Sequence[EvalSet]) -> None:
        self.loaded: dict[str, Case] = {
            f"{eval_set.id}/{case.id}": case for eval_set in eval_sets for case in eval_set.cases
        }
        self._lock = threading.Lock()
        self._inline: OrderedDict[bytes, Case] = OrderedDict()

    def find(self, reference: CaseReference, own: Mapping[str, dict[str, Any]], place: str) -> Case:
        """Return the case of a reference. `own`: the request's own cases by name; `place`: begins error messages."""
        if isinstance(reference, dict):
            return self._inline_case(reference, place)
        if reference in own:
            return self._inline_case(own[reference], f"cases.{reference}")
        if reference in self.loaded:
            return self.loaded[reference]
        guess = nearest(reference, self.loaded)
        advice = f'did you mean "{guess}"?' if guess else "GET /v1/cases lists them; or send the case itself"
        raise HttpError(422, "no such case", f'{place}: no loaded set has "{reference[:200]}"; {advice}')

    def _inline_case(self, table: dict[str, Any], place: str) -> Case:
        """Return the case of a table. One that is seen again is the same object, and is not checked again."""
        if depth(table) > MOST_DEPTH:
            raise HttpError(422, "nested too deeply", f"{place}: more than {MOST_DEPTH} levels")
        key = hashlib.sha256(msgspec.json.encode(table, order="sorted")).digest()
        with self._lock:
            known = self._inline.get(key)
            if known is not None:
                self._inline.move_to_end(key)
                return known
        if table.get("dependencies"):
            # preparing them would download packages, and may run what their authors wrote, for anybody who asks
            raise HttpError(
                422, "dependencies are not installed on request", f"{place}: serve the case in a set: --eval-set"
            )
        try:
            case = read_case(table, place)
        except UserError as error:
            raise HttpError(422, "the case is wrong", str(error)) from error
        _check_limits(case, place)
        with self._lock:
            self._inline[key] = case
            if len(self._inline) > _MOST_REMEMBERED:
                self._inline.popitem(last=False)
        return case


def _check_limits(case: Case, place: str) -> None:
    """Refuse a case by which one client could take the machine for itself."""
    if case.timeout_secs > _MOST_TIMEOUT_SECS:
        raise HttpError(422, "the case is wrong", f"{place}: timeout_secs: at most {_MOST_TIMEOUT_SECS:g} in a request")
    if case.io is not None and (case.io.memory_mb or 0) > _MOST_MEMORY_MB:
        raise HttpError(422, "the case is wrong", f"{place}: io.memory_mb: at most {_MOST_MEMORY_MB} in a request")
