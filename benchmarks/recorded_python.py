"""CodeGen-16B's samples for HumanEval, with the verdicts that were recorded for them; data beside the repository."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "humaneval_codegen16b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A sample and its recorded verdict."""

    task: dict[str, Any]
    """The task as HumanEval has it."""
    number: int
    """Which of the task's samples, from 1."""
    completion: str
    passed: bool

    @property
    def code(self) -> str:
        """The whole program."""
        return str(self.task["prompt"]) + self.completion


def read(per_task: int = 100) -> list[Recorded]:
    """Return the first samples of every task, the first of each before the second of any."""
    if not FOLDER.exists():
        raise SystemExit(f"{FOLDER} is absent")
    with gzip.open(FOLDER / "HumanEval.jsonl.gz", "rt") as lines:
        tasks = {task["task_id"]: task for task in map(json.loads, lines)}
    with gzip.open(FOLDER / "samples.jsonl.gz", "rt") as lines:
        answers = list(map(json.loads, lines))
    verdicts = list(map(json.loads, (FOLDER / "verdicts.jsonl").read_text().splitlines()))
    return [
        Recorded(
            task=tasks[verdict["task_id"]],
            number=index + 1,
            completion=answer["samples"][index],
            passed=bool(verdict["passed"][index]),
        )
        for index in range(per_task)
        for answer, verdict in zip(answers, verdicts, strict=True)
    ]


def write_set(folder: Path, samples: Iterable[Recorded], *, timeout_secs: float, lint: bool = True) -> None:
    """Write the samples' tasks as an eval set."""
    tasks = {sample.task["task_id"]: sample.task for sample in samples}
    with (folder / "cases.jsonl").open("w") as file:
        for task in tasks.values():
            case = {
                "id": task["task_id"],
                "name": task["task_id"],
                "language": "python",
                "prompt": task["prompt"],
                "entry_point": task["entry_point"],
                "timeout_secs": timeout_secs,
                "expectations": {"test_file": task["test"]},
            }
            file.write(json.dumps(case if lint else case | {"lint": False}) + "\n")
    (folder / "set.toml").write_text('[eval_set]\nid = "humaneval"\nname = "HumanEval"\ncases_from = "cases.jsonl"\n')


def write_samples(path: Path, samples: Sequence[Recorded], times: int = 1) -> None:
    """Write the samples for `--samples-from`, each the given number of times."""
    with path.open("w") as file:
        for line in _lines(samples, times):
            file.write(json.dumps(line) + "\n")


def _lines(samples: Sequence[Recorded], times: int) -> Iterator[dict[str, Any]]:
    most = max(sample.number for sample in samples)
    for turn in range(times):
        for sample in samples:
            attempt = turn * most + sample.number
            yield {
                "case_id": sample.task["task_id"],
                "model": "recorded/codegen-16b",
                "attempt": attempt,
                "code": sample.code,
            }
