"""Hundreds of samples that nobody wrote to deceive: published ones, reference solutions, and planted mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from external_data import external
from forgetest import evalset
from forgetest.evalset import Case
from grading import case_of
from workbench import json_lines

HUMANEVALPACK = "humanevalpack/humanevalpack_rust.jsonl"
GPT4 = "gpt4_humaneval_rs_hard50.jsonl"
MULTIPL_E = "multipl_e/humaneval-rs.jsonl"
_PLANTED = Path(__file__).parent / "planted"
_CRATES = re.compile(r"\b(rand|regex|md5)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class HonestSample:
    """A sample, and whether it is correct."""

    name: str
    case: Case
    code: str
    is_correct: bool | None
    """None where nobody recorded it."""


def of_humanevalpack() -> Iterator[HonestSample]:
    """HumanEvalPack's right and buggy solutions; those that need crates are left out."""
    for record in json_lines(external(HUMANEVALPACK)):
        texts = [record[key] for key in ("canonical_solution", "buggy_solution", "test")]
        if any(_CRATES.search(text) for text in texts):
            continue
        head = "".join(line for line in record["declaration"].splitlines(keepends=True) if not _CRATES.search(line))
        for kind, body in zip(("canonical", "buggy"), texts[:2], strict=True):
            yield HonestSample(
                name=f"{record['task_id'].replace('/', '-').lower()}-{kind}",
                case=case_of(texts[2]),
                code=f"fn main(){{}}\n{head}{body}",
                is_correct=kind == "canonical",
            )


def of_gpt4() -> Iterator[HonestSample]:
    """GPT-4's solutions of hard problems, with the recorded verdict of a compiler and an exit code."""
    for record in json_lines(external(GPT4)):
        yield HonestSample(
            name=f"gpt4-{record['name']}",
            case=case_of(record["test"]),
            code=record["solution"],
            is_correct=record["is_solved"],
        )


def of_multipl_e() -> Iterator[HonestSample]:
    """A model's answers to MultiPL-E's problems, whose verdicts nobody recorded."""
    for record in json_lines(external(MULTIPL_E)):
        code = re.search(r"```rust\n(.*?)```", record["gpt_solution"], re.DOTALL)
        if code is not None and not _CRATES.search(code[1]):
            tests = record["tests"].lstrip().removeprefix("}")
            yield HonestSample(name=f"multipl-e-{record['name']}", case=case_of(tests), code=code[1], is_correct=None)


def of_built_in_sets(*, with_crates: bool = True) -> Iterator[HonestSample]:
    """Reference solutions of the built-in sets, and the wrong ones that their tests must catch."""
    for name in sorted(evalset.built_in()):
        for case in (
            case for each in evalset.load(name) for case in each.cases if with_crates or not case.dependencies
        ):
            assert case.reference_solution is not None
            reference = case.reference_solution
            yield HonestSample(name=f"{name}-{case.id}", case=case, code=reference, is_correct=True)
            for path in sorted((_PLANTED / name / case.id).glob("*.rs")):
                code = path.read_text()
                yield HonestSample(name=f"{name}-{case.id}-{path.stem}", case=case, code=code, is_correct=False)
