"""Acceptance tests: a command of the user's, run in the result."""

from __future__ import annotations

from pathlib import Path

from forgetest.verdict import Execution, Mount
from nerv.verification.ecosystems import PROJECT, REPORTS, Preparation, TestCommand, junit, python_packages, unreported
from nerv.verification.result import SuiteResult, TestOutcome
from nerv.verification.sandboxed import TestSandbox
from nerv.verification.trees import Tree

TESTS_FOLDER = "/tests"
_REPORT = "acceptance.xml"
_NOT_STARTED = (126, 127)


def run(
    tree: Tree, command: str, tests_folder: Path | None, sandbox: TestSandbox, preparation: Preparation
) -> tuple[SuiteResult, bool | None]:
    """Run the command by a shell in the result; return its suite, and whether the result is accepted.

    Exit code 0 accepts. If `{report}` in the command made it write a JUnit file, every test in it must pass as well.
    """
    mounts = [Mount(source=str(tests_folder.resolve()), target=TESTS_FOLDER)] if tests_folder else []
    known = {mount.target for mount in preparation.mounts}
    mounts += [mount for mount in python_packages.interpreter_mounts() if mount.target not in known]
    started = TestCommand(
        argv=("/bin/sh", "-c", command.replace("{report}", f"{REPORTS}/{_REPORT}")),
        shown=command,
        environment={
            "PATH": f"{Path(python_packages.interpreter()).parent}:/usr/local/bin:/usr/bin:/bin",
            "PYTHONPATH": f"{python_packages.PACKAGES}:{PROJECT}/src:{PROJECT}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "TESTS": TESTS_FOLDER,
            **preparation.environment,
        },
        reports=(_REPORT,),
    )
    prepared = Preparation(mounts=(*preparation.mounts, *mounts), environment=preparation.environment)
    execution = sandbox.run(tree, "", started, prepared)
    outcomes = _outcomes(execution, command)
    problem = _problem(execution, command, outcomes)
    accepted = None if problem else execution.succeeded and "failed" not in outcomes.values()
    suite = SuiteResult(
        tree="result",
        source="acceptance",
        command=command,
        outcomes=outcomes,
        problem=problem,
        last_line=_last_line(execution) if accepted is False else "",
    )
    return suite, accepted


def _outcomes(execution: Execution, command: str) -> dict[str, TestOutcome]:
    document = execution.outputs.get(f"reports/{_REPORT}")
    cases = junit.parse(document) if document is not None else None
    if cases:
        return junit.worst_by_name((f"{case.classname}.{case.name}".strip("."), case.outcome) for case in cases)
    return {command: "passed" if execution.succeeded else "failed"}


def _last_line(execution: Execution) -> str:
    """Return the last line of the output, so that a mistake in the command itself shows; or the limit that it met."""
    if execution.ended != "exited":
        return unreported(execution)
    lines = (execution.stderr.strip() or execution.stdout.strip()).decode("utf-8", "replace").splitlines()
    return lines[-1].strip()[:200] if lines else ""


def _problem(execution: Execution, command: str, outcomes: dict[str, TestOutcome]) -> str:
    """Return why the tests could not be run, as opposed to failed."""
    if execution.ended == "exited" and execution.exit_code in _NOT_STARTED and len(outcomes) == 1:
        lines = execution.stderr.decode("utf-8", "replace").strip().splitlines()
        return f"the command could not be started: {(lines[-1] if lines else command)[:200]}"
    return ""
