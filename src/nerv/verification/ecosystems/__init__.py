"""Ecosystems: one module per kind of test suite, each answering the same questions.

A module of this package is an `Ecosystem`: which files declare it, which files are its tests, what it needs beforehand,
how its tests are started, and how the runner's machine-readable report is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from forgetest.verdict import Execution, Mount
from nerv.verification.kept_folders import FoldersInUse, get_or_make
from nerv.verification.result import TestOutcome
from nerv.verification.trees import Tree

WORK, PROJECT, REPORTS = "/w", "/w/project", "/w/reports"
"""Folders in the sandbox: the work folder, the repository in it, and the runner's reports."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """Everything that a test run needs beyond the tree: prepared before it, outside of it, and read-only in it."""

    mounts: tuple[Mount, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """Requirements that were left out, each in one sentence."""


class NotPrepared(Exception):  # noqa: N818  (a reason, not an error of ours)
    """Why a suite cannot be run on this machine, in one sentence; not the agent's failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCommand:
    """How the tests of one tree are started."""

    __test__ = False  # pytest: this is no test

    argv: tuple[str, ...]
    shown: str
    """As a person would type it."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files of ours in `/w`, beside the project."""
    added: Tree = field(default_factory=dict)
    """Files of ours in the project: the control, a test that must fail."""
    environment: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    """Variables of the ordinary environment that the tests do not see."""
    reports: tuple[str, ...] = ()
    """Report files, below `/w/reports`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """The machine as preparation uses it."""

    cache_folder: Path
    environment: Mapping[str, str]
    """For tools on the host, which reach registries and run no code of the repository."""
    say: Say
    build: Build | None = None
    """Builds in the sandbox what all runs need; None: each run builds it."""
    repository: Tree = field(default_factory=dict)
    """All files beside those of the project that is prepared: its packages may need each other."""
    in_use: FoldersInUse = field(default_factory=FoldersInUse)
    """Folders of the cache that are not removed as long as this verification needs them."""

    def keep(self, kind: str, key: str, make: Callable[[Path], Path]) -> Path:
        """Return a folder of the cache, which `make` makes in an empty folder unless it was made before."""
        return get_or_make(self.cache_folder / "verification", kind, key, self.in_use, make)


class Build(Protocol):
    """Runs a command on a tree in the sandbox, and keeps everything that it leaves in its work folder."""

    def __call__(self, tree: Tree, folder: str, command: TestCommand, preparation: Preparation, keep: Path) -> object:
        """`keep`: an empty folder of the host, which becomes the work folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteReport:
    """What the runner's machine-readable report says."""

    outcomes: Mapping[str, TestOutcome] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """The file of each test, relative to the project's folder, where the report tells it."""
    problem: str = ""
    """Why there are no outcomes, in one sentence."""
    broken_build: bool = False
    """The code, or all of its tests, do not build or cannot be loaded."""
    unavailable: bool = False
    """The machine lacks something for it: that there are no outcomes is nobody's failure."""
    is_forged: bool = False
    """The control is reported as passed: something turns failures into passes."""
    timed_out: bool = False
    """The run met its time limit, which costs too much to be tried once more."""
    notes: tuple[str, ...] = ()
    """Tests that count as skipped, because the sandbox lacks what they need; in one sentence."""
    unloadable: frozenset[str] = frozenset()
    """Entries of `outcomes` that are no tests, but files whose tests could not be loaded."""


class Ecosystem(Protocol):
    """A kind of test suite."""

    NAME: str

    def is_declared(self, tree: Tree) -> bool:
        """Return whether a project declares such tests. Paths are relative to the project's folder."""

    def is_test_file(self, path: str) -> bool:
        """Return whether a file belongs to the tests: tests, their fixtures, the configuration of their runner."""

    def prepare(self, tree: Tree, host: Host) -> Preparation:
        """Prepare what the tests need. Raises NotPrepared."""

    def command(self, tree: Tree, tests: Tree, control: str) -> TestCommand:
        """Return how the tests of `tree` are started, as the tree that the tests come from declares it.

        `control` is a fresh word for the name of a test that must fail.
        """

    def read_report(self, tree: Tree, execution: Execution, control: str) -> SuiteReport:
        """Read the report; raises UntrustedReport if the control is not reported as failed."""


TIME_LIMITS = ("cpu_limit", "wall_limit")
_LARGEST_REPORT = 64 << 20


def report_of(execution: Execution, name: str) -> bytes | None:
    """Return a report file; None if there is none, or it is larger than any report."""
    content = execution.outputs.get(f"reports/{name}")
    return None if content is None or len(content) > _LARGEST_REPORT else content


def unreported(execution: Execution) -> str:
    """Return why a test run has no report, in one sentence."""
    if execution.ended in TIME_LIMITS:
        return "the tests did not end within the time limit"
    if execution.ended == "memory_limit":
        return "the tests used more than the memory limit"
    if execution.ended == "output_limit":
        return "the tests printed more than the output limit"
    lines = (execution.stderr or execution.stdout).decode("utf-8", "replace").strip().splitlines()
    return f"the tests ended without a report: {(lines[-1] if lines else 'no output')[:200]}"


def error_lines(text: str, pattern: str, most: int = 1) -> str:
    """Return the first lines of a build's output that match a pattern, or else its last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = [line for line in lines if re.search(pattern, line)][:most] or lines[-1:]
    return "; ".join(found)[:300] or "no output"


_SERVICES = "5432|6379|3306|27017|9200|5672|11211|9092|2181|2379"
"""Ports of PostgreSQL, Redis, MySQL, MongoDB, Elasticsearch, RabbitMQ, Memcached, Kafka, ZooKeeper and etcd."""
_NOT_IN_SANDBOX = re.compile(
    r"\b(gaierror|ENETUNREACH|EAI_AGAIN|ENOTFOUND|Name or service not known|Temporary failure in name resolution"
    r"|[Nn]etwork is unreachable|UnknownHostException|lookup \S+: no such host)\b"
    rf"|\b(ECONNREFUSED\b.*:|ECONNREFUSED'?, .*port'?: )({_SERVICES})\b|\b({_SERVICES})\b[\s\S]*\brefused\b"
    # a sandbox without namespaces allows no socket, not even for a server of the test's own
    r"|(listen|connect|bind) EPERM|\bsocket: operation not permitted|SocketException: Operation not permitted"
    r"|code: 1, kind: PermissionDenied|\bsocket\b[\s\S]*PermissionError: \[Errno 1\] Operation not permitted"
    r"|out of pty devices|/dev/ptmx|\bopenpty\b[\s\S]*(?:FileNotFoundError|OSError)"
)


def needs_host(details: str) -> bool:
    """Return whether a failure's text says that there is no network, no service on this machine, or no terminal."""
    return _NOT_IN_SANDBOX.search(details) is not None


def host_note(names: Iterable[str]) -> tuple[str, ...]:
    """Return a note about tests that need what the sandbox does not have; none if there are no such tests."""
    found = sorted(names)
    if not found:
        return ()
    lack = "the sandbox has no network, no services and no terminal"
    return (f"counted as skipped, because {lack}: {', '.join(found[:5])}"[:300],)


class UntrustedReport(Exception):  # noqa: N818
    """The report does not show the failure of the control, a test that must fail."""

    def __init__(self, *, passed: bool) -> None:
        """`passed`: it is reported as passed; otherwise it was left out."""
        super().__init__("a test that must fail is reported as passed" if passed else "a test of ours is not reported")
        self.passed = passed


def check_control(outcomes: Iterable[TestOutcome]) -> None:
    """Raise UntrustedReport unless the control, or each of several, is reported as failed."""
    found = set(outcomes)
    if found != {"failed"}:
        raise UntrustedReport(passed="passed" in found)
