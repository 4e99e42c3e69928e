"""The launcher, process 1 of the sandbox: runs every test of a plan in a pair of processes, and reports on each.

One process of the pair holds the sample, the other the tests; they share two pipes and nothing else. The plan comes on
standard input as JSON, the report goes to standard output: `ready`, a line of JSON for each run, `end`. Nobody else can
write there.
"""

from __future__ import annotations

import _thread
import gc
import itertools
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from . import confine, plain_samples, run_test, shared_tests
from .cleaning import clean
from .clocks import cpu_s
from .link import Link
from .streams import LimitedText
from .zygote import Zygote

_SLACK_S = 2.0
"""A test may wait without computing for as long as it may compute, and this much longer."""
_TESTS_FACTOR, _TESTS_S = 3, 5.0
"""The tests' own process may compute this many times as long as the sample, and this much longer."""
_LOADED = b"loaded\n"
"""What the tests' process writes as soon as the sample is loaded; its result follows."""
_TASKS = b"tasks\n"
"""What it writes after that when the tests first await something of the sample while they have other tasks."""
_LOOK_S = 0.25
"""How often the clocks of the two processes are looked at."""
_PROGRESS_S = 0.001
"""Two processes that use less CPU time than this between two looks are waiting."""


def main(folders: Sequence[str], modules: Sequence[str]) -> None:
    """Run the plan on standard input. `folders`: those that a sample can write to; `modules`: imported beforehand."""
    confine.hide_memory()
    sys.path.pop(0)  # our own folder
    sys.argv = ["solution.py"]
    zygote = Zygote(modules)  # before anything is read: a sample must not find its tests in its memory
    plan = json.loads(sys.stdin.buffer.read())
    for case in plan["cases"]:
        _compile_case(case)
    gc.freeze()
    report = os.fdopen(os.dup(1), "wb")
    null = os.open("/dev/null", os.O_RDWR)
    for number in (0, 1):
        os.dup2(null, number)
    report.write(b"ready\n")
    # nobody reads it before its end: whoever waits would be woken for each line
    for line in _results(zygote, plan, lambda: clean(folders)):
        report.write(line + b"\n")
    report.write(b"end\n")
    report.flush()
    zygote.close()


def _results(zygote: Zygote, plan: dict[str, Any], clean: Callable[[], bool]) -> Iterator[bytes]:
    """Make all runs of the plan, and yield their results as JSON; none after a sample whose files cannot be removed."""
    cases, memory_bytes = plan["cases"], plan["memory_bytes"]

    def can_share(run: dict[str, Any]) -> bool:
        return bool(plan["is_shared"] and cases[run["case"]]["is_stateless"])

    for is_shared, runs in itertools.groupby(plan["runs"], can_share):
        if is_shared:
            is_clean = yield from shared_tests.run_all(zygote, cases, list(runs), memory_bytes, clean)
            if not is_clean:
                return
            continue
        for run in runs:
            result = _run(zygote, cases[run["case"]], run, memory_bytes)
            if result["ending"] == "inseparable":  # or has failed with tasks that would have run at the same time
                inside = _run(zygote, cases[run["case"]], run | {"inside": True}, memory_bytes)
                result = inside | {"inseparable": result["message"]}
            result["is_clean"] = clean()
            yield json.dumps(result).encode()
            if not result["is_clean"]:
                return


def _compile_case(case: dict[str, Any]) -> None:
    """Compile the tests once, for all samples."""
    if case["compiles"]:
        case["code"] = compile(case["source"], "tests.py", "exec", dont_inherit=True)
    for name in case["imports"]:  # here, and not in every tests' process
        try:
            __import__(name)
        except Exception:  # noqa: S112  (the tests will say)
            continue


def _run(zygote: Zygote, case: dict[str, Any], run: dict[str, Any], memory_bytes: int) -> dict[str, Any]:
    """Run one test against one sample."""
    began = time.monotonic()
    sample_in, to_sample = os.pipe()
    from_sample, sample_out = os.pipe()
    result_in, result_out = os.pipe()
    pid = zygote.start_sample(sample_in, sample_out, cpu_s=run["cpu_s"], memory_bytes=memory_bytes)
    os.close(sample_in)
    os.close(sample_out)
    if not (tests := os.fork()):
        try:
            os.close(result_in)
            _run_tests(case, run, from_sample, to_sample, result_out)
        finally:
            os._exit(97)
    for each in (from_sample, to_sample, result_out):
        os.close(each)
    written, stopped = _watch(result_in, began, run, pid, tests)
    has_loaded, has_tasks = written.startswith(_LOADED), _TASKS in written[: len(_LOADED + _TASKS)]
    written = written.removeprefix(_LOADED).removeprefix(_TASKS)
    os.close(result_in)
    os.kill(tests, signal.SIGKILL)
    _, tests_status = os.waitpid(tests, 0)
    status, used_s = zygote.end_sample(pid)
    times = {"wall_ms": (time.monotonic() - began) * 1000, "cpu_ms": used_s * 1000, "status": status}
    try:
        result: dict[str, Any] = json.loads(written)
    except ValueError:
        message = "" if stopped else f"the tests' process ended with status {tests_status}"
        result = {"ending": "tests_died", "message": message, "output": "", "notes": {}, "doubts": {}}
    result |= times | {"loaded": has_loaded} | ({"ending": stopped} if stopped else {})
    if has_tasks and not run.get("inside") and result["ending"] not in ("passed", "skipped"):
        return result | {"ending": "inseparable", "message": "the tests run coroutines of the sample concurrently"}
    return result


def _watch(result: int, began: float, run: dict[str, Any], sample: int, tests: int) -> tuple[bytes, str]:
    """Return what the tests' process reports, and the limit that stopped it, if any."""
    poll = select.poll()
    poll.register(result, select.POLLIN)
    written = b""
    limit_s: float = run["cpu_s"]
    used_s, waited_s, seen = 0.0, 0.0, began
    while True:
        if poll.poll(max(0.005, min(limit_s - used_s, _LOOK_S)) * 1000):
            part = os.read(result, 1 << 16)
            if not part:
                return written, ""
            written += part
            continue
        now, before = time.monotonic(), used_s
        used_s, tests_s = cpu_s(sample), cpu_s(tests)
        # on a busy machine, a process that only waits for its turn still gets some of the CPU
        waited_s = waited_s + now - seen if used_s + tests_s < before + _PROGRESS_S else 0.0
        used_s, seen = used_s + tests_s, now
        if used_s - tests_s >= limit_s or tests_s >= _TESTS_FACTOR * limit_s + _TESTS_S:
            return written, "cpu_limit"
        if waited_s >= limit_s + _SLACK_S or now - began >= run["wall_s"]:
            return written, "wall_limit"


def _run_tests(case: dict[str, Any], run: dict[str, Any], reader: int, writer: int, result: int) -> None:
    """Become the tests' process: run the test, write one result, and end."""
    output = sys.stdout = sys.stderr = LimitedText()
    sys.stdin = open(os.devnull)  # noqa: SIM115
    link: Link
    has_finished = _thread.allocate_lock()

    def finish(ending: str, message: str) -> NoReturn:
        has_finished.acquire()  # whichever thread comes first; this process ends with it
        report = {
            "ending": ending,
            "message": message[:4000],
            "output": output.text(),
            "notes": link.observations.notes,
            "doubts": link.observations.doubts,
            "trace": link.load_trace,
            "missing": link.missing,
        }
        data = memoryview(json.dumps(report).encode())
        while data:
            data = data[os.write(result, data) :]
        os._exit(0)

    link = Link(reader, writer, finish, frozenset(case["comparable"]))
    link.packages = frozenset(case["packages"])
    link.is_plain = not run.get("inside") and plain_samples.is_plain_text(run["code"])
    link.on_loaded = lambda: os.write(result, _LOADED)
    link.on_concurrency = lambda: os.write(result, _TASKS)
    link.wait_until_ready()
    try:
        if run.get("inside"):
            run_test.load(link, run["code"], case["module"], tuple(case["expected"]))
            plan = {key: case[key] for key in ("source", "module", "entry", "names")}
            link.request("inside", plan, run["test"])
        else:
            run_test.run_separated(case, run["test"], run["code"], link)
    except BaseException as error:
        finish("skipped" if run_test.is_skip(error) else "failed", run_test.describe(error))
    finish("passed", "")  # the only place where a test passes
