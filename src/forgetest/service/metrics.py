"""Metrics in the text format of Prometheus."""

from __future__ import annotations

import math
import resource
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)


@dataclass(slots=True)
class Histogram:
    """Counts of observations in buckets."""

    bounds: Sequence[float] = _SECONDS
    counts: list[int] = field(default_factory=lambda: [0] * (len(_SECONDS) + 1))
    total: float = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        place = next((place for place, bound in enumerate(self.bounds) if value <= bound), len(self.bounds))
        self.counts[place] += 1
        self.total += value


@dataclass(slots=True)
class Metrics:
    """What the service has done so far. Only the event loop changes it."""

    requests: dict[tuple[str, int], int] = field(default_factory=dict)
    """By path and status."""
    durations: dict[str, Histogram] = field(default_factory=dict)
    """Of answered requests, by path."""
    samples: dict[str, int] = field(default_factory=lambda: {"judged": 0, "unjudged": 0})
    """Graded samples by outcome."""
    correct: int = 0
    refused: int = 0
    """Samples that found the queue full."""
    abandoned: int = 0
    """Samples whose client went away before they had a grade."""
    expired: int = 0
    """Samples that did not have a grade by their deadline."""
    runs: dict[str, int] = field(default_factory=dict)
    """Programs run for `/run_code`, by status."""

    def count_request(self, path: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self.requests[path, status] = self.requests.get((path, status), 0) + 1
        self.durations.setdefault(path, Histogram()).observe(seconds)

    def text(self, gauges: Mapping[str, float]) -> str:
        """Return everything in Prometheus' format. `gauges`: values of this moment by name."""
        return "\n".join([*self._lines(), *_gauge_lines(gauges), ""])

    def _lines(self) -> Iterator[str]:
        yield from _head("forgetest_http_requests_total", "counter", "Answered requests.")
        for (path, status), count in sorted(self.requests.items()):
            yield f'forgetest_http_requests_total{{path="{path}",status="{status}"}} {count}'
        yield from _head("forgetest_http_request_duration_seconds", "histogram", "Time from request to answer.")
        for path, histogram in sorted(self.durations.items()):
            yield from _histogram_lines("forgetest_http_request_duration_seconds", f'path="{path}"', histogram)
        yield from _head("forgetest_samples_total", "counter", "Graded samples.")
        for outcome, count in sorted(self.samples.items()):
            yield f'forgetest_samples_total{{outcome="{outcome}"}} {count}'
        yield from _head("forgetest_runs_total", "counter", "Programs run for /run_code.")
        for ending, count in sorted(self.runs.items()):
            yield f'forgetest_runs_total{{status="{ending}"}} {count}'
        for name, value, text in (
            ("correct", self.correct, "Samples that were correct."),
            ("refused", self.refused, "Samples that found the queue full."),
            ("abandoned", self.abandoned, "Samples whose client went away."),
            ("expired", self.expired, "Samples that had no grade by their deadline."),
        ):
            yield from _head(f"forgetest_samples_{name}_total", "counter", text)
            yield f"forgetest_samples_{name}_total {value}"


def process_gauges() -> dict[str, float]:
    """Return memory and CPU time of this process and its children."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "process_resident_memory_bytes": pages * resource.getpagesize(),
        "process_cpu_seconds": own.ru_utime + own.ru_stime,
        "forgetest_children_cpu_seconds": children.ru_utime + children.ru_stime,
    }


def _head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"


def _histogram_lines(name: str, label: str, histogram: Histogram) -> Iterator[str]:
    so_far = 0
    for bound, count in zip((*histogram.bounds, math.inf), histogram.counts, strict=True):
        so_far += count
        shown = "+Inf" if bound == math.inf else f"{bound:g}"
        yield f'{name}_bucket{{{label},le="{shown}"}} {so_far}'
    yield f"{name}_sum{{{label}}} {histogram.total:.6f}"
    yield f"{name}_count{{{label}}} {so_far}"


def _gauge_lines(gauges: Mapping[str, float]) -> Iterator[str]:
    for name, value in gauges.items():
        yield f"# TYPE {name} gauge"
        yield f"{name} {value:g}" if value < 1e6 else f"{name} {value:.0f}"
