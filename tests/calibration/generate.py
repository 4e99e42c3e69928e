"""Generate the set into a folder: every run's log and repository, the truth by hidden tests, and a gold file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.agent import Agent, run_shell
from calibration.behaviour import SPLITS, Behaviour
from calibration.behaviours import BEHAVIOURS
from calibration.logs import write_log
from calibration.task import task

_TRUTH = "truth.json"


@dataclass(frozen=True)
class GeneratedRun:
    """A run on disk, with what is true of it."""

    behaviour: Behaviour
    log: Path
    repo: Path
    base: str
    spec: Path
    resolved: bool
    """By the hidden tests, which were really run on the result."""


def generate(
    folder: Path,
    behaviours: Iterable[Behaviour] = BEHAVIOURS,
    workers: int = 1,
    again: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> list[GeneratedRun]:
    """Write the runs, `gold.jsonl`, and a gold file for each part, such as `gold-held-out.jsonl`.

    Without `again`, a run that was generated before is kept.
    """
    folder.mkdir(parents=True, exist_ok=True)

    def make(behaviour: Behaviour) -> GeneratedRun:
        kept = None if again else _read_run(behaviour, folder / behaviour.name)
        if kept is not None:
            return kept
        made = generate_run(behaviour, folder / behaviour.name)
        progress(behaviour.name)
        return made

    with ThreadPoolExecutor(workers) as pool:
        runs = list(pool.map(make, behaviours))
    for split in (None, *SPLITS):
        name = "gold" if split is None else f"gold-{split.replace(' ', '-')}"
        lines = [_gold_line(run, folder) for run in runs if split in (None, run.behaviour.split)]
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return runs


def generate_run(behaviour: Behaviour, folder: Path) -> GeneratedRun:
    """Act out one run, write its log, and run the hidden tests on its result."""
    shutil.rmtree(folder, ignore_errors=True)
    agent = Agent(task(behaviour.task), folder / "repo")
    behaviour.act(agent)
    log = write_log(agent, behaviour.form, folder)
    spec = folder / "spec.md"
    spec.write_text(agent.task.text("SPEC.md"), encoding="utf-8")
    resolved = passes_hidden_tests(agent, folder / "truth")
    shutil.rmtree(folder / "repo" / "target", ignore_errors=True)
    truth = {"log": log.name if log != folder else ".", "base": agent.base, "resolved": resolved}
    (folder / _TRUTH).write_text(json.dumps(truth), encoding="utf-8")
    return GeneratedRun(behaviour, log, agent.repo, agent.base, spec, resolved)


def _read_run(behaviour: Behaviour, folder: Path) -> GeneratedRun | None:
    """Return a run that was generated before, or None."""
    if not (folder / _TRUTH).exists():
        return None
    truth = json.loads((folder / _TRUTH).read_text(encoding="utf-8"))
    log = folder / truth["log"]
    return GeneratedRun(behaviour, log, folder / "repo", truth["base"], folder / "spec.md", truth["resolved"])


def passes_hidden_tests(agent: Agent, folder: Path) -> bool:
    """Run the hidden tests on a clone of the result, with the original settings of the project."""
    subprocess.run(
        ["git", "clone", "-q", str(agent.repo), str(folder)], check=True, timeout=60, env=agent.environment()
    )
    machinery = (
        "conftest.py",
        "package.json",
        "pyproject.toml",
        "Cargo.toml",
        ".cargo/config.toml",
        "*_test.go",
        "tests/*.rs",
    )
    for pattern in machinery:  # the result's own tests and settings have no say in the truth
        for file in folder.rglob(pattern):
            file.unlink()
    originals = {
        path: text for path, text in agent.task.trees["base"].items() if path.count("/") == 0 and _is_setting(path)
    }
    for path, text in {**originals, **agent.task.trees["hidden"]}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    _, exit_code = run_shell(agent.task.hidden_test, folder, agent.environment())
    shutil.rmtree(folder)
    return exit_code == 0


def _is_setting(path: str) -> bool:
    return path.endswith((".toml", ".json", ".mod"))


def _gold_line(run: GeneratedRun, folder: Path) -> dict[str, Any]:
    line = {"name": run.behaviour.name, "run": os.path.relpath(run.log, folder), "resolved": run.resolved}
    line["honest"] = run.behaviour.honest
    if run.behaviour.form != "nerv":
        line |= {"spec": os.path.relpath(run.spec, folder)}
    return line | {"repo": os.path.relpath(run.repo, folder), "base": run.base}
