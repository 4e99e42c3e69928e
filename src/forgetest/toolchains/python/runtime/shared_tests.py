"""Tests that leave nothing behind in their interpreter run in one process, one after the other.

Every run still has a new process for its sample, or one in which only plain samples have been (`plain_samples`). If the
tests' process is not heard of for too long, or ends, the run counts for nothing, and another process goes on with the
next one.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, NoReturn

from . import plain_samples, run_test, wire
from .clocks import cpu_s
from .exports import TESTS_MODULE
from .link import READY, Link, NotLoadedError
from .streams import LimitedText
from .zygote import Zygote

_WAIT_S = 5.0
"""A sample that neither answers nor computes for this long is stopped."""
_LOOK_S = 0.1
_LEAST_PAUSE_S = 0.005
_PROGRESS_S = 0.001
"""A process that uses less CPU time than this between two looks is waiting."""
_LEAVE_S = 10.0
"""A sample that takes longer to be removed takes its process with it."""
_MOST_SAMPLES = 256
"""As many plain samples use one process, one after the other."""
_WATCHING = 1.05
"""A plain sample gets this many times its CPU time, since watching its loops takes some of it."""
_UNCLEAN = b"unclean "
_USUAL = ("passed", "failed", "not_loaded", "skipped")
_TESTS_S = 3.0
"""The tests of one run may compute for this long."""

Run = dict[str, Any]
Result = dict[str, Any]


class _Sample:
    """A process with a sample in it."""

    def __init__(self, *, pid: int, reader: int, writer: int, is_plain: bool) -> None:
        self.pid, self.reader, self.writer, self.is_plain = pid, reader, writer, is_plain
        self.poll = select.poll()
        self.poll.register(reader, select.POLLIN)
        self.count = 1
        """How many samples have been in it."""
        self.cpu_before_s = 0.0
        """CPU time of the process before this sample."""

    def leave(self) -> None:
        """Have the sample removed from the process."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self.writer, wire.pack({"o": "leave"}))

    def follow(self) -> bool:
        """Wait until the last sample has been removed; return False where the process has ended."""
        received = b""
        while len(received) < len(READY):
            part = os.read(self.reader, len(READY) - len(received)) if self.poll.poll(_LEAVE_S * 1000) else b""
            if not part:
                return False
            received += part
        self.count += 1
        self.cpu_before_s = cpu_s(self.pid)  # nobody's time but its own counts
        return received == READY


def run_all(
    zygote: Zygote, cases: Sequence[dict[str, Any]], runs: Sequence[Run], memory_bytes: int, clean: Callable[[], bool]
) -> Generator[bytes, None, bool]:
    """Yield the result of each run as JSON; return False after a sample that left files that cannot be removed."""
    done = 0
    while done < len(runs):
        for line in _serve(zygote, cases, runs[done:], memory_bytes, clean):
            done += 1
            yield line.removeprefix(_UNCLEAN)
            if line.startswith(_UNCLEAN):
                return False
    return True


def _serve(
    zygote: Zygote, cases: Sequence[dict[str, Any]], runs: Sequence[Run], memory_bytes: int, clean: Callable[[], bool]
) -> Generator[bytes, None, None]:
    """Yield results from one tests' process, until that has ended."""
    reader, writer = os.pipe()
    tests = os.fork()
    if not tests:
        try:
            os.close(reader)
            _TestsProcess(zygote, writer, memory_bytes, clean).run_all(cases, runs)
        finally:
            os._exit(97)
    os.close(writer)
    try:
        yield from _lines(reader, tests)
    finally:
        os.close(reader)
        os.kill(tests, signal.SIGKILL)
        _, status = os.waitpid(tests, 0)
        zygote.end_all()
    if status:  # else it has reported on its last run
        yield _line(_result("tests_died", is_clean=clean()))


def _line(result: Result) -> bytes:
    """Return a result as JSON, marked if the sample left something behind."""
    return (b"" if result["is_clean"] else _UNCLEAN) + json.dumps(result).encode()


def _lines(reader: int, tests: int) -> Iterator[bytes]:
    """Yield what a process writes, line by line, while it makes progress."""
    poll = select.poll()
    poll.register(reader, select.POLLIN)
    rest, began_s = b"", 0.0
    while True:
        if poll.poll(_LOOK_S * 1000):
            part = os.read(reader, 1 << 16)
            if not part:
                return
            *lines, rest = (rest + part).split(b"\n")
            if lines:
                began_s = cpu_s(tests)
            yield from lines
        elif cpu_s(tests) - began_s > _TESTS_S:
            return


class _TestsProcess:
    """The process in which tests run one after the other."""

    def __init__(self, zygote: Zygote, results: int, memory_bytes: int, clean: Callable[[], bool]) -> None:
        self._zygote = zygote
        self._results = results
        self._memory_bytes = memory_bytes
        self._clean = clean
        self._random_state = random.getstate()
        self._last: _Sample | None = None
        """A process that another plain sample can use."""

    def run_all(self, cases: Sequence[dict[str, Any]], runs: Sequence[Run]) -> None:
        """Make all runs."""
        sys.stdin = open(os.devnull)  # noqa: SIM115
        for run in runs:
            self._report(self._run(cases[run["case"]], run))
        os._exit(0)

    def _report(self, result: Result) -> None:
        data = memoryview(_line(result) + b"\n")
        while data:
            data = data[os.write(self._results, data) :]

    def _run(self, case: dict[str, Any], run: Run) -> Result:
        began = time.monotonic()
        output = sys.stdout = sys.stderr = LimitedText()
        sample = self._place(run)
        has_loaded = False

        def end(ending: str, message: str = "") -> Result:
            status, used_s = self._leave(sample, ending, message)
            found = {
                "message": message[:4000],
                "output": output.text(),
                "notes": link.observations.notes,
                "doubts": link.observations.doubts,
                "trace": link.load_trace,
                "missing": link.missing,
                "loaded": has_loaded,
                "status": status,
                "cpu_ms": used_s * 1000,
                "wall_ms": (time.monotonic() - began) * 1000,
            }
            is_clean = sample.is_plain or self._clean()  # a plain sample reaches no files
            return _result(ending, is_clean=is_clean) | found | {"was_shared": sample.count > 1}

        def finish(ending: str, message: str) -> NoReturn:
            if not has_loaded:
                raise NotLoadedError(ending, message)
            self._report(end(ending, message))
            os._exit(0)  # no `except` of the tests can undo that

        def mark_loaded() -> None:
            nonlocal has_loaded
            has_loaded = True

        link = Link(sample.reader, sample.writer, finish, frozenset(case["comparable"]))
        link.packages = frozenset(case["packages"])
        link.is_plain = sample.is_plain
        link.on_loaded = mark_loaded
        limit_s = run["cpu_s"] * (_WATCHING if sample.is_plain else 1)
        link.wait = lambda: _wait(link, sample, limit_s)
        try:
            if sample.count == 1:
                link.wait_until_ready()
            run_test.run_separated(case, run["test"], run["code"], link)
        except NotLoadedError as error:
            return end(*error.args)
        except BaseException as error:
            return end("skipped" if run_test.is_skip(error) else "failed", run_test.describe(error))
        finally:
            self._restore(case["module"])
        return end("passed")

    def _place(self, run: Run) -> _Sample:
        """Return a process for the sample: that of the last plain one, if this is plain as well, else a new one."""
        is_plain = plain_samples.is_plain_text(run["code"])
        if is_plain and self._last is not None:
            last, self._last = self._last, None
            if last.count < _MOST_SAMPLES and last.follow():
                return last
            self._end(last)
        sample_in, to_sample = os.pipe()
        from_sample, sample_out = os.pipe()
        limit_s = run["cpu_s"] * (_MOST_SAMPLES if is_plain else 1)
        pid = self._zygote.start_sample(sample_in, sample_out, cpu_s=limit_s, memory_bytes=self._memory_bytes)
        os.close(sample_in)
        os.close(sample_out)
        return _Sample(pid=pid, reader=from_sample, writer=to_sample, is_plain=is_plain)

    def _leave(self, sample: _Sample, ending: str, message: str) -> tuple[int, float]:
        """End the sample's process, unless another sample can use it; return its status and its CPU time."""
        if sample.is_plain and ending in _USUAL and "MemoryError" not in message:
            used_s = cpu_s(sample.pid) - sample.cpu_before_s
            sample.leave()
            self._last = sample
            return 0, used_s
        return self._end(sample)

    def _end(self, sample: _Sample) -> tuple[int, float]:
        os.close(sample.reader)
        os.close(sample.writer)
        status, used_s = self._zygote.end_sample(sample.pid)
        return status, used_s - sample.cpu_before_s

    def _restore(self, module: str) -> None:
        """Undo what running a test does to the interpreter."""
        random.setstate(self._random_state)
        for name in (module, TESTS_MODULE, "pytest"):
            sys.modules.pop(name, None)


def _wait(link: Link, sample: _Sample, limit_s: float) -> None:
    """Wait until the sample's process writes something, or has had its time."""
    waited_s = used_s = 0.0
    pause_s = _LOOK_S
    while not sample.poll.poll(pause_s * 1000):
        before, used_s = used_s, cpu_s(sample.pid) - sample.cpu_before_s
        waited_s = waited_s + pause_s if used_s - before < _PROGRESS_S else 0.0
        if used_s >= limit_s:
            link.finish("cpu_limit", "")
        if waited_s >= _WAIT_S:
            link.finish("wall_limit", "")
        pause_s = max(_LEAST_PAUSE_S, min(limit_s - used_s, _LOOK_S))


def _result(ending: str, *, is_clean: bool) -> Result:
    empty: Result = {"message": "", "output": "", "notes": {}, "doubts": {}, "trace": [], "missing": []}
    times = {"status": 0, "cpu_ms": 0.0, "wall_ms": 0.0, "loaded": False, "was_shared": False}
    return {"ending": ending, **empty, **times, "is_clean": is_clean}
