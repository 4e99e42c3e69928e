"""The launcher's plan and its report: which tests are run, and what was observed of each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from forgetest.errors import MachineryError
from forgetest.toolchains.python.discovery import ExpectedTest
from forgetest.toolchains.python.preparation import PreparedCase
from forgetest.verdict import Execution, Limits, Mount, Step

MEMORY_BYTES = 1 << 30
"""The address space that a sample's process may use."""

_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from judge import launcher; "
    "launcher.main(sys.argv[3:], sys.argv[2].split())"
)
_WALL_FACTOR, _WALL_S = 10, 30.0
"""A run that computes gets ten times its CPU time on the clock: a busy machine must not make a test slow."""
_REPORTED_BYTES = 512 << 10
"""More than the launcher reports of one run: it cuts texts, and a character takes up to six bytes in JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRun:
    """One test of one sample."""

    __test__ = False

    prepared: PreparedCase
    code: str
    test: ExpectedTest
    cpu_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The launcher's observation of one run."""

    ending: str
    """As the runtime spells it: `passed`, `failed`, `not_loaded`, `died`, a limit, …"""
    message: str = ""
    output: str = ""
    status: int = 0
    """The status of the sample's process as `wait` gives it."""
    wall_ms: float = 0.0
    cpu_ms: float = 0.0
    has_loaded: bool = False
    """The sample could be parsed and imported."""
    missing: tuple[str, ...] = ()
    """Expected names that the sample does not define."""
    place: tuple[int, ...] = ()
    """Where in the sample loading failed: the line, or line, column, last line, last column."""
    notes: Mapping[str, str]
    doubts: Mapping[str, str]
    inseparable: str = ""
    """Why the test had to be run inside the sample's process."""
    is_clean: bool = True
    """The sample left nothing behind."""


def run_step(runs: Sequence[TestRun], *, alone: bool = False, is_shared: bool = False) -> Step:
    """Return the step that makes these runs. All of them need the same tools.

    `is_shared`: the runs are of several samples. Test files that leave nothing behind then use one interpreter for all
    of them, and a run that is not over after a moment is stopped.
    """
    cases: dict[int, int] = {}
    plan: dict[str, Any] = {"memory_bytes": MEMORY_BYTES, "is_shared": is_shared, "cases": [], "runs": []}
    for run in runs:
        if id(run.prepared) not in cases:
            cases[id(run.prepared)] = len(cases)
            plan["cases"].append(_case(run.prepared))
        test = {"kind": run.test.kind, "target": run.test.target, "parameters": run.test.parameters}
        wall_s = _wall_s(run.cpu_s)
        plan["runs"].append(
            {
                "case": cases[id(run.prepared)],
                "code": run.code,
                "test": test,
                "cpu_s": run.cpu_s,
                "wall_s": wall_s,
            }
        )
    prepared = runs[0].prepared
    imported = {name.partition(".")[0] for run in runs for name in run.prepared.test_file.imports}
    warm = sorted(imported.intersection(prepared.tools.packages.modules))
    # a test that has to be run inside the sample's process is run twice; the tests' process computes, too
    return Step(
        name="test",
        argv=(*prepared.tools.interpreter, "-c", _START, "/rt", " ".join(warm), "/tmp", "/x"),
        stdin=json.dumps(plan).encode(),
        mounts=(*prepared.tools.mounts, Mount(source=prepared.runtime, target="/rt")),
        env=prepared.tools.environment,
        limits=Limits(
            cpu_s=60 + sum(8 * run.cpu_s + 20 for run in runs),
            wall_s=60 + sum(2 * _wall_s(run.cpu_s) for run in runs),
            memory_bytes=4 * MEMORY_BYTES,
            output_bytes=(1 << 20) + _REPORTED_BYTES * len(runs),
        ),
        workdir=False,
        init=True,
        alone=alone,
    )


def _wall_s(cpu_s: float) -> float:
    return _WALL_FACTOR * cpu_s + _WALL_S


def _case(prepared: PreparedCase) -> dict[str, Any]:
    test_file = prepared.test_file
    return {
        "source": test_file.source,
        "module": prepared.module,
        "entry": test_file.entry,
        "names": test_file.names,
        "expected": prepared.expected,
        "compiles": test_file.is_python,
        "imports": test_file.imports,
        "comparable": test_file.comparable,
        "is_stateless": test_file.is_stateless,
        "packages": prepared.tools.packages.modules,
    }


def read_results(execution: Execution, runs: Sequence[TestRun]) -> list[RunResult | None]:
    """Return what happened in each run; None for one that was not made because an earlier sample left files behind.

    Only the launcher writes the report, so an incomplete one is a failure of ours.
    """
    lines = execution.stdout.decode("ascii", errors="replace").splitlines()
    if not execution.succeeded or lines[:1] != ["ready"] or lines[-1:] != ["end"]:
        reason = execution.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(
            f"the launcher did not finish ({execution.ended}): {reason[-1] if reason else 'no reason'}"
        )
    results: list[RunResult | None] = [
        _result(json.loads(line), run) for line, run in zip(lines[1:-1], runs, strict=False)
    ]
    return results + [None] * (len(runs) - len(results))


def _result(found: Mapping[str, Any], run: TestRun) -> RunResult:
    ending = str(found["ending"])
    if ending == "broken":
        raise MachineryError(f"{run.test.name} could not be started: {found['message']}")
    trace = found.get("trace") or []
    place = [part for part in trace[-1] if isinstance(part, int)] if trace else []
    return RunResult(
        ending=ending,
        message=found["message"],
        output=found["output"],
        status=found["status"],
        wall_ms=found["wall_ms"],
        cpu_ms=found["cpu_ms"],
        has_loaded=found["loaded"],
        missing=tuple(found.get("missing", ())),
        place=tuple(place),
        notes=found["notes"],
        doubts=found["doubts"],
        inseparable=found.get("inseparable", ""),
        is_clean=found["is_clean"],
    )
