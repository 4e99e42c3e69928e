"""The machine itself, outside any sandbox: how much memory it has, and trusted steps that run on it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from forgetest.errors import UserError
from forgetest.sandboxes.filesystem import workdir
from forgetest.sandboxes.memory import cgroup_paths
from forgetest.sandboxes.process import supervise
from forgetest.verdict import Execution, Step


def run_on_host(step: Step, environment: Mapping[str, str]) -> Execution:
    """Run a trusted step of preparation as an ordinary process, in the folder it keeps or in `/`.

    Raises UserError where its program is not installed.
    """
    folder = Path(step.keep) if step.keep else Path("/")
    if step.keep:
        workdir.write_files(step, folder)
    try:
        finished = supervise.run(
            step.argv,
            env={**environment, **step.env},
            cwd=str(folder),
            stdin=step.stdin,
            wall_s=step.limits.wall_s,
            output_bytes=step.limits.output_bytes,
        )
    except FileNotFoundError as error:
        raise UserError(
            f"{step.name}: {step.argv[0]} was not found: install it; `forgetest doctor` shows what else is missing"
        ) from error
    return Execution(
        step=step.name,
        ended=finished.ended,
        exit_code=finished.exit_code,
        stdout=finished.stdout,
        stderr=finished.stderr,
        outputs=workdir.collect_from(step, folder) if step.keep else {},
        wall_ms=finished.wall_ms,
    )


def memory_bytes() -> int:
    """Return the memory that all sandboxes share: the machine's, or a container's where that is less; 0 if unknown."""
    return cgroup_paths.memory_bytes()
