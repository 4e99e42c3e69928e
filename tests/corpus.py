"""The hostile corpus: cases, the samples that each of them is given, and the verdict that each sample's header demands.

    tests/hostile/cases/NAME/case.toml       an eval set with one case; or
    tests/hostile/cases/NAME/built-in        the name of a case of a built-in set: `rust-basics/bank-account`
    tests/hostile/cases/NAME/samples/*.rs    its samples, each with a header

A new sample is one new file. `test_hostile.py` says what its header holds.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from forgetest import evalset
from forgetest.evalset import Case
from forgetest.loading import load_case
from grading import Graded

_CASES = Path(__file__).with_name("hostile") / "cases"
SAMPLES = sorted(_CASES.glob("*/samples/*.rs"))
"""Every sample of every case."""
CLASSES = {
    "lexer": "text that rustc and our lexer read differently",
    "machine-code": "code that rustc did not write",
    "link": "names that the linker resolves to the sample",
    "neighbours": "samples that share a compiler call or a sandbox",
    "soundness": "holes in the compiler: safe code that reaches any memory",
    "types": "types of its own, with operators and methods that lie",
    "constructors": "functions, modules and parameters in the place of types and constructors",
    "macros": "macros that the tests use",
    "traits": "traits and globs that the tests bring into scope",
    "second-try": "what one process learns, another one uses",
    "clock": "time that passes for the tests only",
    "lints": "code that is not linted",
    "plan": "memory of the launcher",
    "hooks": "panic hooks",
    "exits": "leaving a test before its end",
    "output": "text like the judge's own",
    "resources": "memory, time, descriptors and processes used up",
}
"""Classes of attacks, for `class:` in a header: what stops such a sample is not the header's business."""
_HEADER = re.compile(r"\ufeff?(?:#!(?!\[).*\n)?((?://! \w+: .+\n)*)")
_MUST = {"correct": True, "not correct": False}


def samples_of(name: str) -> list[Path]:
    """The samples of one case."""
    return [path for path in SAMPLES if path.parts[-3] == name]


def name_of(path: Path) -> str:
    """CASE/SAMPLE, as tests and tables show it."""
    return f"{path.parts[-3]}/{path.stem}"


@cache
def case_named(name: str) -> Case:
    """The case of that folder; its id is the folder's name."""
    folder = _CASES / name
    if (folder / "built-in").exists():
        case = load_case((folder / "built-in").read_text().strip())
    else:
        [eval_set] = evalset.load(folder / "case.toml")
        [case] = eval_set.cases
    return replace(case, id=name)


def case_of_sample(path: Path) -> Case:
    """The case that a sample is an answer to."""
    return case_named(path.parts[-3])


def header(path: Path) -> dict[str, str]:
    """The `//! key: value` lines at the top, below a shebang if there is one."""
    text = path.read_bytes().decode().replace("\r\n", "\n")
    found = _HEADER.match(text)
    assert found is not None
    return dict(line.removeprefix("//! ").split(": ", 1) for line in found[1].splitlines())


def check(path: Path, found: Graded) -> None:
    """Check that the grade of a sample is the one that its header demands."""
    expected = header(path)
    seen = [*found.shortcomings, *found.verdict.integrity, found.messages]
    assert found.correct == _MUST[expected["must"]], seen
    assert found.findings >= set(filter(None, expected.get("findings", "").split(", "))), seen
    if "verified" in expected:
        assert found.verdict.verified == {"yes": True, "no": False}[expected["verified"]], seen
