"""Step, Execution, Verdict: a command to run, its outcome, and the observation made from several of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from msgspec import UNSET, UnsetType

VERDICT_FORMAT = 4
"""Raised whenever the same sample could get another raw verdict from a newer forgetest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mount:
    """A read-only file or folder of the host that a step sees."""

    source: str
    """A path on the host, or `kept:NAME`, the work folder of the step with `keep=NAME`."""
    target: str
    optional: bool = False
    """Skip the mount if the source does not exist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Resources a step may use before it is stopped."""

    cpu_s: float = 60.0
    wall_s: float = 180.0
    idle_s: float | None = None
    """Wall time in which hardly any CPU time is used: a step that waits for something that never comes ends with
    `wall_limit` as well. None: it may wait as long as it likes."""
    memory_bytes: int = 4 << 30
    """For each process, and for all of them together."""
    address_space_bytes: int | None = None
    """For each process, where programs reserve far more than they use; None: `memory_bytes`."""
    file_bytes: int = 256 << 20
    output_bytes: int = 8 << 20
    """Longest output stream; a longer one is cut, and ends the step with `output_limit`."""
    processes: int = 256
    open_files: int = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command to run: chosen by a toolchain, run by a sandbox that knows no language."""

    name: str
    argv: tuple[str, ...]
    stdin: bytes = b""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files put into the work folder `/w` before the command starts."""
    outputs: tuple[str, ...] = ()
    """Files read back from `/w` afterwards, where they exist."""
    env: Mapping[str, str] = field(default_factory=dict)
    mounts: tuple[Mount, ...] = ()
    limits: Limits = Limits()
    workdir: bool = True
    """False: no folder of the host is writable; the command runs in an empty, private `/tmp`."""
    init: bool = False
    """The command is process 1 of its sandbox, and reaps its children itself."""
    proc: bool = False
    """Mount a private `/proc`, which some tools need. For preparation and whole repositories, not for samples."""
    loopback: bool = False
    """May open TCP and UDP sockets, which reach the sandbox itself alone, where it has a network of its own. For whole
    repositories, whose tests start servers; not for samples."""
    on_host: bool = False
    """Run outside any sandbox. Only for preparation, which never sees a sample."""
    keep: str | None = None
    """Keep the work folder under this name, for the mounts of later steps. Only for preparation; by the time a
    sandbox sees the step, the engine has put the path of an empty folder here, and of kept ones into mounts."""
    must_succeed: bool = False
    """A failure is the machine's, and the step is run again next time. Only for preparation, where other failures are
    answers, which are kept."""
    alone: bool = False
    """Run while nothing else is judged: other work may have slowed it down."""
    stored: bool = False
    """A step of judging that is about the case, not the sample: run once, and stored as steps of preparation are."""
    stamped: bool = False
    """Depends on the host: kept only as long as the host's environment is the same, and every file named in a line
    `stamp=PATH SIZE SECONDS` of its output has that size and time of change. Without such lines it is never kept."""


Ending = Literal["exited", "signalled", "cpu_limit", "wall_limit", "memory_limit", "output_limit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """Outcome of a step."""

    step: str
    ended: Ending
    exit_code: int
    """The exit code; the negative signal number where a signal ended it."""
    stdout: bytes = b""
    stderr: bytes = b""
    outputs: Mapping[str, bytes] = field(default_factory=dict)
    wall_ms: float = 0.0
    cpu_ms: float = 0.0
    """CPU time of all its processes together, as it was seen ten times a second: what comes at the end is missing, and
    all of a step that is over at once."""

    @property
    def succeeded(self) -> bool:
        """The command exited with code 0."""
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
"""The limit that was reached: the test's own CPU time; or wall-clock time, even while nothing else was judged."""
TestStatus = Literal["passed", "failed", "ignored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestOutcome:
    """Outcome of one expected test. `passed` means that it is proved."""

    __test__ = False  # pytest: this is no test

    name: str
    status: TestStatus
    message: str = ""
    stdout: str = ""
    wall_ms: float = 0.0
    cpu_ms: float = 0.0
    timed_out: TimedOut | None = None
    """The time limit that stopped it; such an outcome is not cached."""
    visible: bool | UnsetType = UNSET
    """Of a test by input and output: whether the model has seen it. Files hold it only for such tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A further requirement of the case, and whether the sample meets it."""

    name: str
    holds: bool
    detail: str = ""


Concern = Literal["forgery", "unsafe", "foreign", "unsound"]
"""Why a finding matters: the sample tampers with its judgement; it has code that the compiler cannot vouch for, or
that reaches past the language's own means; or the language's promises do not protect the tests from the sample."""

NOT_LINTED = "written_in_macros"
"""Kind of the finding that a sample has code where no linter looks; not correct where lint warnings are limited."""

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
    """Hashes and versions of everything that led to a verdict."""

    source: str
    tests: str
    dependencies: str
    toolchain: str
    flags: str
    binary: str | None
    sandbox: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """Runs of passed tests with an expectation made wrong, which a sample that earned its passes fails."""

    asked: int
    passed: int
    without: int = 0
    """Passed tests that were asked none, though they might have been forged: nothing in them can be made wrong."""
    guessable: bool = False
    """Code of the sample's own decides which expected values it equals. However many controls it fails, it may have
    guessed: the odds at a single value are better than one in a thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The raw observation of one sample by compiler, linter and tests."""

    compiled: bool
    errors: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    """The compiler's warnings; the linter's are in `lints`."""
    lints: tuple[Diagnostic, ...] = ()
    tests: tuple[TestOutcome, ...] = ()
    """Every expected test, whether it ran or not, in the order of the case."""
    conditions: tuple[Condition, ...] = ()
    integrity: tuple[Finding, ...] = ()
    provenance: Provenance
    compile_ms: float = 0.0
    test_ms: float = 0.0
    controls: Controls | None = None
    """None where the toolchain has none, and where no test passed."""

    @property
    def verified(self) -> bool:
        """Passed tests are proved: nothing reaches past the language's own promises, and every pass was earned.

        That is, each passed test failed with an expectation made wrong, and not by a lucky guess.
        """
        is_protected = all(finding.is_about == "forgery" for finding in self.integrity)
        controls = self.controls
        earned = controls is None or (controls.passed == 0 and controls.without == 0 and not controls.guessable)
        return is_protected and earned
