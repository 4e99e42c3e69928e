"""Sixty-four concurrent requests to a slow server while samples are judged: are slots idle, does memory grow?

The server is a separate process with OpenAI's chat API; each answer takes the configured time, plus or minus a half. A
judging slot must not be idle while answers wait to be judged. That time is computed from when answers arrived and when
each was judged, so that a busy machine hardly changes it. Memory is that of the process that asks and judges, without
sandboxes: its growth from a quarter of the run to its end.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forgetest.evalset import Case
    from forgetest.executors import Judged, JudgeTask, WorkerSpec

IDLE_LIMIT = 0.02
MEMORY_LIMIT = 1.10
IN_FLIGHT = 64

SET = """
[eval_set]
id = "in-flight"
name = "In flight"

[[cases]]
id = "double"
name = "Double"
prompt = "Write `fn double(x: i64) -> i64`."

[cases.expectations]
test_file = '''
#[test]
fn three_is_doubled() { assert_eq!(double(3), 6); }
'''
"""


def serve(latency_s: float) -> None:
    """Serve forever; print the port first, and end each answer with the largest number of concurrent requests."""
    chance, lock, now = random.Random(1), threading.Lock(), [0, 0]

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                now[0] += 1
                now[1] = max(now)
                pause, most = chance.uniform(0.5, 1.5) * latency_s, now[1]
            time.sleep(pause)
            with lock:
                now[0] -= 1
            code = f"fn double(x: i64) -> i64 {{\n    x * 2\n}}\n// {question['seed']} of {most}\n"
            message = {"role": "assistant", "content": f"```rust\n{code}```"}
            usage = {"prompt_tokens": 10, "completion_tokens": 20}
            answer = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
            content = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 2 * IN_FLIGHT

    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


class WatchedSpec:
    """A worker that records when it judges."""

    def __init__(self, watch: Watch, spec: WorkerSpec) -> None:
        self._watch = watch
        self._spec = spec

    def open(self) -> WatchedSpec:
        """Open the real worker."""
        self._worker = self._spec.open()
        return self

    def judge(self, group: Sequence[JudgeTask]) -> Iterator[Sequence[Judged]]:
        """Judge a group."""
        self._watch.changes.append((time.monotonic(), -len(group), 1))
        try:
            yield from self._worker.judge(group)
        finally:
            self._watch.changes.append((time.monotonic(), 0, -1))

    def version(self, case: Case) -> str:
        """Return the version of the real worker's tools."""
        return self._worker.version(case)

    def for_this_machine(self) -> WatchedSpec:
        """Return this spec: it stays on this machine."""
        return self

    def close(self) -> None:
        """Close the real worker."""
        self._worker.close()


class Watch:
    """Records when answers arrive, and when judging of their groups begins and ends."""

    def __init__(self) -> None:
        self.changes: list[tuple[float, int, int]] = []
        """Times, each with the changes in the numbers of waiting answers and of busy slots."""
        self.memory: list[int] = []

    def asking(self, ask: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return the same source, which records each answer when it arrives."""

        def watched(attempt: Any) -> Any:
            completion = ask(attempt)
            self.changes.append((time.monotonic(), 1, 0))
            return completion

        return watched

    def worker(self, spec: WorkerSpec) -> WatchedSpec:
        """Return the same worker, which records when it begins and ends a group; a slot judges one group at a time."""
        return WatchedSpec(self, spec)

    def started(self, total: int, done: int) -> None:
        """Do nothing when a run begins."""

    def finished(self, _: Any) -> None:
        """Record the memory in use when a sample is finished."""
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        self.memory.append(pages * os.sysconf("SC_PAGE_SIZE"))

    def idle(self, slots: int) -> tuple[float, float, int]:
        """Return the slot seconds idle while answers waited, all slot seconds, and the most answers that waited."""
        idle = 0.0
        waiting = judged = most = 0
        changes = sorted(self.changes)
        before = changes[0][0]
        for moment, more_wait, more_judged in changes:
            idle += (moment - before) * max(0, min(waiting, slots - judged))
            before, waiting, judged = moment, waiting + more_wait, judged + more_judged
            most = max(most, waiting)
        return idle, (changes[-1][0] - changes[0][0]) * slots, most


def measure(port: str, samples: int, slots: int) -> bool:
    """Run, and print the results."""
    from forgetest.config import Settings
    from forgetest.engine import plan as planning
    from forgetest.engine.asking.sources import Models
    from forgetest.engine.run import run
    from forgetest.engine.run_folder import RunFolder
    from forgetest.evalset.generation import GenerationSettings
    from forgetest.grading import Grader
    from forgetest.loading import load_eval_sets

    table = {"type": "openai", "base_url": f"http://127.0.0.1:{port}/v1", "concurrency": IN_FLIGHT}
    models = Models(Settings(providers={"slow": table}))
    watch = Watch()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "set.toml").write_text(SET)
        sets = load_eval_sets([f"{folder}/set.toml"])
        named = [("slow", "model")]
        generation = models.generation(1.0, GenerationSettings(seed=0), named, sets)
        plan = planning.for_models(sets, sets, named, (1,), samples, generation)
        sources = models.sources(plan, models.prices(plan))
        watched = {name: replace(source, ask=watch.asking(source.ask)) for name, source in sources.items()}
        with Grader(cache_mb=0, parallelism=slots) as grader:
            prepared = grader.prepare(plan.eval_sets)
            judging = replace(prepared, worker=watch.worker(prepared.worker))
            place = RunFolder.open(Path(folder), plan.name, fresh=False)
            journal = place.journal()
            started = time.monotonic()
            report = run(plan, place, journal, judging, watched, watch, left=plan.attempts)
            took = time.monotonic() - started
            passed = sum(sample.correct is True for sample in report.results)
            most = max(int((sample.code or "0").split()[-1]) for sample in report.results)
            journal.close()
    idle, there, waiting = watch.idle(slots)
    quarter = watch.memory[len(watch.memory) // 4]
    growth = max(watch.memory) / quarter
    print(f"{samples} samples, {passed} correct, in {took:.1f} s; at most {most} in flight, {waiting} answers waiting")
    print(f"idle while answers waited   {idle:.2f} of {there:.1f} slot seconds: {100 * idle / there:.2f}%")
    print(f"memory at a quarter, most   {quarter / 1e6:.1f} MB, {max(watch.memory) / 1e6:.1f} MB: {growth:.3f} times")
    good = idle / there <= IDLE_LIMIT and growth <= MEMORY_LIMIT and passed == samples and most == IN_FLIGHT
    print(
        f"{'PASS' if good else 'FAIL'}: the limits are {100 * IDLE_LIMIT:g}% and {MEMORY_LIMIT:g} times, {slots} slots"
    )
    return good


def main() -> None:
    """Measure once, because a ratio needs no rounds."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=1000)
    arguments.add_argument("--latency-s", type=float, default=3.0)
    arguments.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.serve:
        serve(options.latency_s)
        return
    os.environ["NO_PROXY"] = "127.0.0.1"
    argv = [sys.executable, __file__, "--serve", "--latency-s", str(options.latency_s)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            good = measure(server.stdout.readline().strip(), options.samples, len(os.sched_getaffinity(0)))
        finally:
            server.kill()
    sys.exit(not good)


if __name__ == "__main__":
    main()
