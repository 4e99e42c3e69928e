"""Reports of 100,000 samples: the CPU time and peak memory of every format, of `compare` and of `merge`.

    python benchmarks/large_reports.py [SAMPLES]

Each step is a separate process, which runs with a tenth of the samples and with all of them: peak memory must not grow
with the number of samples. There are ten attempts per case and two models; code, diagnostics and failures have their
usual lengths.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forgetest.sample import Sample

SAMPLES = 100_000
ATTEMPTS, MODELS = 10, ("acme/small", "acme/large")
GROWTH = 2.5
"""Limit on the growth of memory for ten times the samples: some is kept per case, next to nothing per sample."""

CODE = "".join(f"fn step_{n}(x: i64) -> i64 {{\n    let y = x * {n};\n    y + {n}\n}}\n" for n in range(12))
FORMATS = ("json", "csv", "junit", "sarif", "markdown", "html")


def samples(count: int) -> Iterator[Sample]:
    """Yield samples as a report orders them: a tenth does not compile, a fifth fails a test, a third has a lint."""
    from forgetest import scoring
    from forgetest.evalset import Expectations, Weights
    from forgetest.sample import Attempt, Sample, Usage
    from forgetest.verdict import Diagnostic, Provenance, Span, TestOutcome, Verdict

    span = Span(line_start=2, line_end=2, column_start=5, column_end=9)
    lint = Diagnostic(
        level="warning", code="clippy::let_and_return", message="returning a `let` binding", spans=(span,)
    )
    error = Diagnostic(level="error", code="E0308", message="mismatched types: expected `i64`", spans=(span,))
    provenance = Provenance(
        source="0" * 64,
        tests="1" * 64,
        dependencies="2" * 64,
        toolchain="rustc 1.95.0",
        flags="3" * 64,
        binary="4" * 64,
    )
    number = 0
    for case in range(count // (ATTEMPTS * len(MODELS))):
        for model in sorted(MODELS):
            provider, name = model.split("/")
            for attempt in range(1, ATTEMPTS + 1):
                number += 1
                compiled = number % 10 != 0
                failed = number % 5 == 0
                tests = tuple(
                    TestOutcome(
                        name=f"tests::checks_{test}",
                        status="failed" if failed and test == 0 else "passed",
                        message="assertion `left == right` failed\n  left: 1\n right: 2"
                        if failed and test == 0
                        else "",
                    )
                    for test in range(6)
                )
                verdict = Verdict(
                    compiled=compiled,
                    errors=() if compiled else (error,),
                    lints=(lint,) if compiled and number % 3 == 0 else (),
                    tests=tests if compiled else (),
                    provenance=provenance,
                    compile_ms=75.0,
                    test_ms=6.0,
                )
                reasons = scoring.shortcomings(verdict, Expectations())
                yield Sample(
                    attempt=Attempt("large", f"case-{case:06}", provider, name, attempt),
                    run_id="0123456789abcdef",
                    outcome="judged",
                    reason="; ".join(reasons) or None,
                    code=f"// {number}\n{CODE}",
                    verdict=verdict,
                    score=scoring.score(verdict, Expectations(), Weights()),
                    correct=not reasons,
                    usage=Usage(prompt_tokens=200, completion_tokens=150, cost_usd=0.001),
                    latency_ms=800.0,
                    total_ms=90.0,
                )


class GeneratedSamples:
    """The samples, made again for each iteration."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __iter__(self) -> Iterator[Sample]:
        return samples(self._count)


def write_first(count: int, folder: Path) -> None:
    """Write the samples' report as JSON."""
    from forgetest.evalset import Case, EvalSet
    from forgetest.renderers import json as renderer
    from forgetest.report import RunSettings, summarise

    cases = tuple(
        Case(id=f"case-{case:06}", name=f"Case {case}", prompt="Write the steps.", tags=(f"tag-{case % 7}",))
        for case in range(count // (ATTEMPTS * len(MODELS)))
    )
    report = summarise(
        GeneratedSamples(count),
        [EvalSet(id="large", name="Large", cases=cases, hash="5" * 64)],
        RunSettings(pass_k=(1, 5), samples=ATTEMPTS, temperature=0.8, max_tokens=1024),
        report_id="0123456789abcdef",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        duration_ms=1.0,
    )
    with (folder / "report.json").open("w", encoding="utf-8") as stream:
        renderer.write(report, stream)


def write_again(name: str, _: int, folder: Path) -> None:
    """Write a format from the report's file."""
    from forgetest.cli.output import write_reports
    from forgetest.report.read import read_report

    out = folder / name
    out.mkdir()
    write_reports(read_report(folder / "report.json"), out, [name])


def compare(folder: Path, format_: str) -> None:
    """Compare the report with itself, so that every case is compared."""
    from forgetest import comparison
    from forgetest.renderers.comparison import WRITERS
    from forgetest.report.read import read_content

    report = read_content(folder / "report.json")
    again = replace(read_content(folder / "report.json"), path="again")
    with (folder / f"comparison.{format_}").open("w", encoding="utf-8") as stream:
        WRITERS[format_](comparison.compare(report, again, 0.05), stream)


def merge(folder: Path) -> None:
    """Merge the report with itself."""
    from forgetest.cli.output import write_reports
    from forgetest.report.merge import Shard, merge
    from forgetest.report.read import read_report

    out = folder / "merged"
    out.mkdir()
    shards = [Shard(name=name, report=read_report(folder / "report.json")) for name in ("one", "two")]
    write_reports(merge(shards), out, ["json"])


STEPS: dict[str, Callable[[int, Path], None]] = {
    "json": write_first,
    **{name: partial(write_again, name) for name in FORMATS if name != "json"},
    "compare": lambda _, folder: compare(folder, "text"),
    "compare as json": lambda _, folder: compare(folder, "json"),
    "merge": lambda _, folder: merge(folder),
}


@dataclass(frozen=True)
class Measured:
    """The cost of a step in CPU time, because wall time is meaningless on a busy machine."""

    seconds: float
    peak_mb: float


def measured(step: str, count: int, folder: Path) -> Measured:
    """Run a step in a separate process, and return its cost."""
    words = [sys.executable, __file__, "--step", step, str(count), str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env={**os.environ})
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Print the table; exit with 1 if memory grows with the samples."""
    if sys.argv[1:2] == ["--step"]:
        step, number, place = sys.argv[2:5]
        STEPS[step](int(number), Path(place))
        used = resource.getrusage(resource.RUSAGE_SELF)
        print(json.dumps({"seconds": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024}))
        return
    whole = int(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES
    counts = (whole // 10, whole)
    failures = []
    with tempfile.TemporaryDirectory() as place:
        folders = {count: Path(place) / str(count) for count in counts}
        for folder in folders.values():
            folder.mkdir()
        print(f"{'':18}" + "".join(f"{f'{count:,} samples':>26}" for count in counts))
        for step in STEPS:
            few, many = (measured(step, count, folders[count]) for count in counts)
            cells = "".join(f"{each.seconds:14.1f} s {each.peak_mb:6.0f} MB" for each in (few, many))
            grew = many.peak_mb / few.peak_mb
            print(f"{step:18}{cells}   memory x {grew:.2f}", flush=True)
            if grew > GROWTH:
                failures.append(step)
        size = (folders[whole] / "report.json").stat().st_size / 1e6
    print(f"report.json: {size:.0f} MB")
    print(f"FAIL: grows with the samples: {', '.join(failures)}" if failures else "PASS")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
