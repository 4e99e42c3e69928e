"""Calls a test function with its parameters and fixtures, as pytest would."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import inspect
import io
import itertools
import os
import pathlib
import sys
import tempfile
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .monkeypatch import MonkeyPatch
from .pytest_module import Parameters, Skipped

_CaptureResult = collections.namedtuple("_CaptureResult", "out err")


class CapturedStreams:
    """pytest's `capsys`."""

    def __init__(self) -> None:
        self._before = sys.stdout, sys.stderr
        self._restart()

    def _restart(self) -> None:
        self._streams = io.StringIO(), io.StringIO()
        sys.stdout, sys.stderr = self._streams

    def readouterr(self) -> Any:
        """Return what was printed since the last time."""
        out, err = (stream.getvalue() for stream in self._streams)
        self._restart()
        return _CaptureResult(out, err)

    @contextlib.contextmanager
    def disabled(self) -> Iterator[None]:
        """Print as usual in a `with` block."""
        sys.stdout, sys.stderr = self._before
        yield
        sys.stdout, sys.stderr = self._streams

    def close(self) -> None:
        """Print as usual again."""
        sys.stdout, sys.stderr = self._before


class Request:
    """pytest's `request`, as far as fixtures with params need it."""

    def __init__(self, ends: contextlib.ExitStack) -> None:
        self._ends = ends

    def addfinalizer(self, function: Callable[[], object]) -> None:
        """Have a function called when the test is over."""
        self._ends.callback(function)


class Fixtures:
    """The fixtures of one test; each is made once."""

    def __init__(self, namespace: Mapping[str, Any], owner: Any, params: Mapping[str, Any] | None = None) -> None:
        """`owner`: the object whose method the test is, or None. `params`: that of each fixture that has some."""
        self._owner = owner
        self._params = params or {}
        self._made: dict[str, Any] = {}
        self._ends = contextlib.ExitStack()
        functions = {name: each for name, each in namespace.items() if isinstance(each, types.FunctionType)}
        self._declared = {name: each for name, each in functions.items() if hasattr(each, "__fixture__")}
        if owner is not None:
            names = (name for name in dir(type(owner)) if hasattr(getattr(type(owner), name), "__fixture__"))
            self._declared |= {name: getattr(owner, name) for name in names}
        for name, function in list(self._declared.items()):
            self._declared[function.__fixture__.get("name") or name] = function

    def __enter__(self) -> Fixtures:
        for name, function in self._declared.items():
            if function.__fixture__.get("autouse"):
                self.get(name)
        return self

    def __exit__(self, *error: object) -> None:
        self._ends.close()

    def get(self, name: str) -> Any:
        """Return the fixture of that name."""
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def _make(self, name: str) -> Any:
        if name in self._declared:
            return self._call(name, self._declared[name])
        if name not in _BUILT_IN:
            raise LookupError(f"fixture {name!r} not found; there are: {', '.join([*self._declared, *_BUILT_IN])}")
        fixture, end = _BUILT_IN[name]()
        self._ends.callback(end)
        return fixture

    def _call(self, name: str, function: Callable[..., Any]) -> Any:
        request = Request(self._ends)
        if name in self._params:
            vars(request)["param"] = self._params[name]
        given = {"request": request} if "request" in inspect.signature(function).parameters else {}
        result = function(**given, **self.arguments_of(function, tuple(given)))
        if inspect.isgenerator(result):
            value = next(result)
            self._ends.callback(next, result, None)
            return value
        return asyncio.run(result) if inspect.iscoroutine(result) else result

    def params_of(self, names: Sequence[str]) -> dict[str, Sequence[Any]]:
        """Return the params of these fixtures, of those that they ask for, and of those that every test has."""
        found: dict[str, Sequence[Any]] = {}
        waiting = [*names, *(name for name, each in self._declared.items() if each.__fixture__.get("autouse"))]
        seen: set[str] = set()
        while waiting:
            name = waiting.pop(0)
            if name in seen or name not in self._declared:
                continue
            seen.add(name)
            function = self._declared[name]
            if function.__fixture__.get("params") is not None:
                found[name] = [
                    each.values[0] if isinstance(each, Parameters) else each for each in function.__fixture__["params"]
                ]
            waiting += inspect.signature(function).parameters
        return found

    def arguments_of(self, function: Callable[..., Any], given: Sequence[str] = ()) -> dict[str, Any]:
        """Return the fixtures that a function asks for by its parameters."""
        parameters = inspect.signature(function).parameters.values()
        wanted = (each.name for each in parameters if each.default is each.empty and each.kind in (1, 3))
        return {name: self.get(name) for name in wanted if name not in given}


def _monkeypatch() -> tuple[Any, Callable[[], None]]:
    patch = MonkeyPatch()
    return patch, patch.undo


def _capsys() -> tuple[Any, Callable[[], None]]:
    captured = CapturedStreams()
    return captured, captured.close


def _tmp_path() -> tuple[Any, Callable[[], None]]:
    return pathlib.Path(tempfile.mkdtemp(dir=os.getcwd())), lambda: None


def _caplog() -> tuple[Any, Callable[[], None]]:
    from .captured_logs import CapturedLogs  # with `logging`, which few tests need

    captured = CapturedLogs()
    return captured, captured.close


_BUILT_IN = {"monkeypatch": _monkeypatch, "capsys": _capsys, "caplog": _caplog, "tmp_path": _tmp_path}


def call_test(function: Any, namespace: Mapping[str, Any], owner: Any, chosen: Sequence[int] | None) -> None:
    """Call a test function, once for each set of parameters or with those at the chosen indices."""
    marks = list(getattr(function, "__marks__", ()))
    _skip_if_marked([*marks, *getattr(type(owner), "__marks__", ())])
    tables = [_table(mark) for mark in reversed(marks) if mark.name == "parametrize"]
    if chosen is not None:
        rows: list[list[Any]] = [[table[index] for table, index in zip(tables, chosen, strict=True)]]
    else:
        rows = [[]]
        for table in tables:
            rows = [[*row, each] for row in rows for each in table]
    for row in rows:
        parameters: dict[str, Any] = {}
        for names, values, row_marks in row:
            _skip_if_marked(row_marks)
            parameters |= dict(zip(names, values, strict=True))
        _call_once(function, namespace, owner, parameters)


def _call_once(function: Any, namespace: Mapping[str, Any], owner: Any, parameters: dict[str, Any]) -> None:
    """Call a test function, once for each combination of the params of its fixtures."""
    marks = getattr(function, "__marks__", ())
    used = [name for mark in marks if mark.name == "usefixtures" for name in mark.arguments]
    params = Fixtures(namespace, owner).params_of([*used, *inspect.signature(function).parameters])
    for values in itertools.product(*params.values()):
        _call_with(function, Fixtures(namespace, owner, dict(zip(params, values, strict=True))), used, parameters)


def _call_with(function: Any, made: Fixtures, used: Sequence[str], parameters: dict[str, Any]) -> None:
    with made as fixtures:
        for name in used:
            fixtures.get(name)
        result = function(**fixtures.arguments_of(function, tuple(parameters)), **parameters)
        if inspect.iscoroutine(result):
            asyncio.run(result)


def _table(mark: Any) -> list[tuple[list[str], tuple[Any, ...], Sequence[Any]]]:
    """Return the sets of parameters of a `parametrize`: names, values, marks."""
    names, rows = mark.arguments[:2]
    if isinstance(names, str):
        names = [name.strip() for name in names.split(",") if name.strip()]
    table = []
    for row in rows:
        values = row.values if isinstance(row, Parameters) else (row,) if len(names) == 1 else tuple(row)
        table.append((list(names), values, row.marks if isinstance(row, Parameters) else ()))
    return table


def _skip_if_marked(marks: Sequence[Any]) -> None:
    for mark in marks:
        if mark.name == "skip" or (mark.name == "skipif" and mark.arguments and mark.arguments[0]):
            raise Skipped(str(mark.keywords.get("reason", "")))
