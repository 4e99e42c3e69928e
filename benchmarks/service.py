"""`forgetest serve` on this machine, without a verdict cache.

`throughput`: the same samples through HTTP (`forgetest.Client`) and by `Grader.grade_many`, in turn; both processes
stay open. `latency`: single samples at half of that rate. `overload`: single samples at twice that rate for a minute.
`load`: 4,096 Python and 1,024 Rust verdicts. Exit code 1 where HTTP has less than 90% of grade_many's throughput, where
anything but 200 and 429 is answered, where a sample is lost, or where the service's memory grows under load.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import http.client
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import material
import recorded_python
from measuring import Cost, Meter, compare, meter

import forgetest
from forgetest.evalset import Case, Expectations
from forgetest.evalset.inline import case_table
from forgetest.loading import load_eval_sets

WORKERS = 2
GOAL = 0.9
TIMEOUT_SECS = 3.0
"""Some of the wrong samples never end."""
MEMORY_MB = 10.0
"""The service may grow by this in a minute of overload, after a thousand samples."""
PARTS = ("throughput", "latency", "overload", "load")

Pair = tuple[str, Case]


def rust_pairs(count: int) -> list[Pair]:
    """Return that many Rust samples, no two alike."""
    found = material.specimens()
    cases = {
        each.case_id: Case(
            id=each.case_id,
            name=each.case_id,
            prompt="-",
            timeout_secs=TIMEOUT_SECS,
            expectations=Expectations(test_file=each.test_file),
        )
        for each in found
    }
    return [
        (f"{found[number % len(found)].code}\n// {number}\n", cases[found[number % len(found)].case_id])
        for number in range(count)
    ]


def python_pairs(count: int) -> list[Pair]:
    """Return that many Python samples of CodeGen-16B for HumanEval."""
    found = recorded_python.read(-(-count // 164))[:count]
    with tempfile.TemporaryDirectory() as name:
        recorded_python.write_set(Path(name), found, timeout_secs=3.0)
        cases = {case.id: case for each in load_eval_sets([Path(name, "set.toml")]) for case in each.cases}
    return [(f"{each.code}\n# {number}\n", cases[each.task["task_id"]]) for number, each in enumerate(found)]


@dataclass(frozen=True, slots=True)
class Service:
    """A service in a process of its own."""

    url: str
    pid: int

    def metric(self, name: str) -> float:
        """Return one of its metrics."""
        _, body = request(self.url, "GET", "/metrics", None)
        return next(float(line.split()[-1]) for line in body.decode().splitlines() if line.startswith(f"{name} "))

    def memory_mb(self) -> float:
        """Return its resident memory."""
        return self.metric("process_resident_memory_bytes") / 1e6


@contextlib.contextmanager
def serving(counter: Meter, *words: str) -> Iterator[Service]:
    """Start a service, and stop it."""
    command = [sys.executable, "-m", "forgetest", "serve", "--port", "0", "--no-cache", "--quiet"]
    command += ["--workers", str(WORKERS), *words]
    started = time.monotonic()
    process = subprocess.Popen(counter.argv(command), stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    url = process.stdout.readline().split()[-1]
    print(f"the service was ready after {time.monotonic() - started:.2f} s")
    try:
        yield Service(url, process.pid)
    finally:
        process.terminate()
        process.wait(60)


class GradeMany:
    """A process that grades the same samples whenever it is told to."""

    def __init__(self, counter: Meter, count: int, executor: str = "local") -> None:
        command = [sys.executable, __file__, "--grade-many", str(count), "--executor", executor]
        self._process = subprocess.Popen(
            counter.argv(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._read()

    def grade(self) -> int:
        """Grade, and return how many samples are correct."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def grade_many_when_told(count: int, executor: str) -> None:
    """Grade on every line of standard input, and print how many samples are correct."""
    pairs = rust_pairs(count)
    with forgetest.Grader(cache_mb=0, parallelism=WORKERS, executor=executor) as grader:
        print(0, flush=True)
        for _ in sys.stdin:
            print(sum(grade.correct for grade in grader.grade_many(pairs, as_code=True)), flush=True)


def own_cpu_s() -> float:
    """Return the CPU time of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure_throughput(count: int, rounds: int) -> tuple[bool, float]:
    """Compare HTTP with grade_many; return whether the goal is met, and the samples a second."""
    pairs = rust_pairs(count)
    over_http: list[Cost] = []
    direct: list[Cost] = []
    with meter() as counter, serving(counter) as service:
        other = GradeMany(counter, count)
        with forgetest.Client(service.url) as client:
            same = True
            for turn in range(rounds + 1):
                costs: tuple[list[Cost], list[Cost]] = (over_http, direct) if turn else ([], [])  # the first warms up
                before = own_cpu_s()
                with counter.round(costs[0]):
                    correct = sum(grade.correct for grade in client.grade_many(pairs, as_code=True))
                last = costs[0].pop()
                costs[0].append(Cost(last.wall_s, None if last.cpu_s is None else last.cpu_s + own_cpu_s() - before))
                with counter.round(costs[1]):
                    same = other.grade() == correct and same
        other.close()
    by_wall, by_cpu = compare(("HTTP", "Grader.grade_many"), (over_http, direct), count)
    shown = f", {by_cpu:.3f} by CPU time" if by_cpu else ""
    print(f"as fast as grade_many: {by_wall:.3f} times by wall time{shown}")
    print(f"the same number correct: {'yes' if same else 'NO'}")
    good = same and by_wall >= GOAL
    return good, count / statistics.median(cost.wall_s for cost in over_http)


def request(url: str, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
    """Send one request without trying again."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)
    try:
        connection.request(method, path, body, {"content-type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def send_at_rate(service: Service, pairs: Sequence[Pair], rate: float, seconds: float) -> list[tuple[int, str, float]]:
    """Send single samples at a steady rate; return status, outcome and seconds of each."""
    bodies = [
        json.dumps({"case": case_table(case), "answer": code, "as_code": True, "with_verdict": False}).encode()
        for code, case in pairs
    ]
    answers: list[tuple[int, str, float]] = []
    memory: list[float] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(5):
            memory.append(service.memory_mb())

    def send(number: int) -> None:
        started = time.monotonic()
        status, content = request(service.url, "POST", "/v1/grade", bodies[number % len(bodies)])
        outcome = str(json.loads(content).get("outcome", "")) if status == 200 else ""
        answers.append((status, outcome, time.monotonic() - started))

    watching = threading.Thread(target=watch)
    watching.start()
    with ThreadPoolExecutor(256) as pool:
        began = time.monotonic()
        for number in range(int(rate * seconds)):
            time.sleep(max(0.0, began + number / rate - time.monotonic()))
            pool.submit(send, number)
    over.set()
    watching.join()
    sent = int(rate * seconds)
    if len(answers) != sent:
        print(f"LOST: {sent - len(answers)}")
        answers.append((0, "lost", 0.0))
    print(f"{sent} samples at {rate:.1f} a second: {dict(collections.Counter(each[:2] for each in answers))}")
    if memory:
        print(f"memory of the service, MB: {', '.join(f'{each:.0f}' for each in memory)}")
        if memory[-1] > memory[0] + MEMORY_MB:
            print(f"GROWN by more than {MEMORY_MB:g} MB")
            answers.append((0, "memory", 0.0))
    return answers


def show_percentiles(answers: Sequence[tuple[int, str, float]]) -> None:
    """Print the latencies of graded samples."""
    seconds = sorted(each[2] for each in answers if each[0] == 200)
    if len(seconds) < 2:
        return
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    print(f"seconds to a grade: p50 {cuts[49]:.3f}, p90 {cuts[89]:.3f}, p99 {cuts[98]:.3f}, most {seconds[-1]:.3f}")


def measure_rates(capacity: float, parts: Sequence[str], seconds: float) -> bool:
    """Send half and twice of what the service can grade."""
    good = True
    pairs = rust_pairs(1000)
    room = max(8, int(capacity * 4))
    with meter() as counter, serving(counter, "--queue", str(room)) as service:
        with forgetest.Client(service.url) as client:  # cases are prepared, and what is bounded has grown
            for first in range(0, len(pairs), room):
                client.grade_many(pairs[first : first + room], as_code=True)
        if "latency" in parts:
            answers = send_at_rate(service, pairs, capacity / 2, min(20.0, seconds))
            show_percentiles(answers)
            good = {each[:2] for each in answers} == {(200, "judged")}
        if "overload" in parts:
            answers = send_at_rate(service, pairs, capacity * 2, seconds)
            show_percentiles(answers)
            good = {each[:2] for each in answers} <= {(200, "judged"), (429, "")} and good
            left = service.metric("forgetest_samples_in_service")
            print(f"still in service afterwards: {left:.0f}")
            good = left == 0 and good
    return good


def measure_load(python: int, rust: int) -> bool:
    """Grade a training step's worth of samples over HTTP."""
    good = True
    for title, pairs in (("Python", python_pairs(python)), ("Rust", rust_pairs(rust))):
        costs: list[Cost] = []
        with meter() as counter, serving(counter) as service, forgetest.Client(service.url) as client:
            most: list[float] = []
            over = threading.Event()

            def watch(service: Service = service, most: list[float] = most, over: threading.Event = over) -> None:
                while not over.wait(1):
                    most.append(service.memory_mb())

            watching = threading.Thread(target=watch)
            watching.start()
            before = own_cpu_s()
            with counter.round(costs):
                grades = client.grade_many(pairs, as_code=True)
            client_s = own_cpu_s() - before
            over.set()
            watching.join()
        outcomes = collections.Counter((grade.outcome, grade.correct) for grade in grades)
        good = good and all(grade.outcome == "judged" for grade in grades)
        cost = costs[0]
        print(f"{len(pairs)} {title} verdicts in {cost.wall_s:.1f} s, new cases included: {dict(outcomes)}")
        if cost.cpu_s is not None:
            print(
                f"  {cost.cpu_s / len(pairs) * 1000:.1f} ms of CPU time a verdict, "
                f"and {client_s / len(pairs) * 1000:.2f} ms of the client's; {max(most, default=0):.0f} MB at most"
            )
    return good


def main() -> None:
    """Measure, and print the results."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--parts", default=",".join(PARTS))
    arguments.add_argument("--samples", type=int, default=600)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--seconds", type=float, default=60.0, help="of overload")
    arguments.add_argument("--capacity", type=float, help="samples a second; measured by `throughput` otherwise")
    arguments.add_argument("--python", type=int, default=4096)
    arguments.add_argument("--rust", type=int, default=1024)
    arguments.add_argument("--grade-many", type=int, help=argparse.SUPPRESS)
    arguments.add_argument("--executor", default="local", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.grade_many is not None:
        grade_many_when_told(options.grade_many, options.executor)
        return
    parts = options.parts.split(",")
    good, capacity = True, options.capacity
    if "throughput" in parts:
        good, found = measure_throughput(options.samples, options.rounds)
        capacity = capacity or found
    if "latency" in parts or "overload" in parts:
        if capacity is None:
            raise SystemExit("--capacity is needed without the part `throughput`")
        good = measure_rates(capacity, parts, options.seconds) and good
    if "load" in parts:
        good = measure_load(options.python, options.rust) and good
    print(f"{'PASS' if good else 'FAIL'}: the goal is {GOAL:.0%} of grade_many, only 200 and 429, and nothing lost")
    sys.exit(not good)


if __name__ == "__main__":
    main()
