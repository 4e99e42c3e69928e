"""What is run to judge a sample, and what was observed: Step, Execution, Verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from msgspec import UNSET, UnsetType

VERDICT_FORMAT = 3
"""Raised whenever the same sample could get another raw verdict from a newer forgetest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A read-only piece of the host that a step sees."""

    source: str
    """A path on the host, or `kept:NAME`, the folder that the step which keeps NAME left behind."""
    target: str
    optional: bool = False
    """Left out where the host has no such thing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a step may use before it is stopped."""

    cpu_s: float = 60.0
    wall_s: float = 180.0
    memory_bytes: int = 4 << 30
    """Of each process, and of all of them together."""
    file_bytes: int = 256 << 20
    output_bytes: int = 8 << 20
    """The longest stream that is read; what is longer is cut there, and the step has `ended` by it."""
    processes: int = 256
    open_files: int = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command to run. Decided by a toolchain, run by a sandbox that knows no language."""

    name: str
    argv: tuple[str, ...]
    stdin: bytes = b""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Laid into the work folder `/w` before the command starts."""
    outputs: tuple[str, ...] = ()
    """Files read back from `/w` after it ended, where they exist."""
    env: Mapping[str, str] = field(default_factory=dict)
    mounts: tuple[Mount, ...] = ()
    limits: Limits = Limits()
    workdir: bool = True
    """False: no folder of the host is writable; the command runs in an empty, private `/tmp`."""
    init: bool = False
    """The command is process 1 of its sandbox and looks after its children itself."""
    proc: bool = False
    """Has a `/proc` of its own, where build tools look themselves up. Only for preparation."""
    on_host: bool = False
    """Run outside any sandbox. Only for preparation, which never sees a sample."""
    keep: str | None = None
    """Keep the work folder under this name, for the mounts of later steps. Only for preparation; by the time a
    sandbox sees the step, the engine has put the path of an empty folder here, and of kept ones into mounts."""
    alone: bool = False
    """Run while nothing else is judged, because others may have been in its way."""
    stamped: bool = False
    """Depends on the host: kept only as long as the host's environment is the same, and every file named in a line
    `stamp=PATH SIZE SECONDS` of its output has that size and time of change. Without such lines it is never kept."""


Ending = Literal["exited", "signalled", "cpu_limit", "wall_limit", "memory_limit", "output_limit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """How a step went."""

    step: str
    ended: Ending
    exit_code: int
    """The exit code; the negative signal number where a signal ended it."""
    stdout: bytes = b""
    stderr: bytes = b""
    outputs: Mapping[str, bytes] = field(default_factory=dict)
    wall_ms: float = 0.0

    @property
    def succeeded(self) -> bool:
        """It ended by itself, with exit code 0."""
        return self.ended == "exited" and self.exit_code == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A place in the sample's own code; lines and columns count from 1."""

    line_start: int
    line_end: int
    column_start: int
    column_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """A compiler's or linter's remark about the sample's code."""

    level: str
    code: str | None
    message: str
    spans: tuple[Span, ...] = ()


TimedOut = Literal["cpu", "wall"]
"""What ran out: the CPU time of a test's own; or the time on the clock, also when the machine was left to it alone."""
TestStatus = Literal["passed", "failed", "ignored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestOutcome:
    """What became of one expected test. `passed` means that it is proved."""

    __test__ = False  # pytest: this is no test

    name: str
    status: TestStatus
    message: str = ""
    stdout: str = ""
    wall_ms: float = 0.0
    cpu_ms: float = 0.0
    timed_out: TimedOut | None = None
    """It was stopped by the clock; another day it might not be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A further wish of the case, and whether the sample fulfils it."""

    name: str
    holds: bool
    detail: str = ""


Concern = Literal["forgery", "unsafe", "foreign", "unsound"]
"""Why a finding matters: the sample tampers with its judgement; it has code that the compiler cannot vouch for, or
that reaches past the language's own means; or the language's promises do not protect the tests from the sample."""

_CONCERNS: Mapping[str, Concern] = {
    "unsafe": "unsafe",
    "unsound": "unsound",
    "assembly": "foreign",
    "export": "foreign",
    "foreign_symbol": "foreign",
    "raw_descriptor": "foreign",
}
"""Concerns of kinds that journals, caches and reports hold without a concern: those written before findings had one.
Any other kind is a forgery. A new kind must not be added here; its toolchain gives the concern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something in the sample, or in what it did, that bears on whether its verdict can be trusted."""

    kind: str
    detail: str
    forbids: bool = True
    """A sample with this finding cannot be correct; for unsafe and foreign code the case has the last word."""
    concern: Concern | UnsetType = UNSET
    """As the toolchain gives it. Unset where the kind implies it: files hold it only where it is needed."""

    def __post_init__(self) -> None:
        if self.concern == _CONCERNS.get(self.kind, "forgery"):
            object.__setattr__(self, "concern", UNSET)

    @property
    def is_about(self) -> Concern:
        """The concern, whether given or implied by the kind."""
        return _CONCERNS.get(self.kind, "forgery") if isinstance(self.concern, UnsetType) else self.concern


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Hashes and versions of all that led to a verdict."""

    source: str
    tests: str
    dependencies: str
    toolchain: str
    flags: str
    binary: str | None
    sandbox: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The raw observation: what the compiler, the linter and the tests said of one sample."""

    compiled: bool
    errors: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    """The compiler's own; the linter's are in `lints`."""
    lints: tuple[Diagnostic, ...] = ()
    tests: tuple[TestOutcome, ...] = ()
    """Every expected test, whether it ran or not, in the order of the case."""
    conditions: tuple[Condition, ...] = ()
    integrity: tuple[Finding, ...] = ()
    provenance: Provenance
    compile_ms: float = 0.0
    test_ms: float = 0.0

    @property
    def verified(self) -> bool:
        """Passed tests are proved: the sample had no way to reach past the language's own promises."""
        return all(finding.is_about == "forgery" for finding in self.integrity)
