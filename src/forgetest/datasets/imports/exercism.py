"""Exercism's tracks and Aider's polyglot benchmark: a folder of exercises, each with instructions, stub and tests.

    exercises/practice/SLUG/.docs/instructions.md, introduction.md, instructions.append.md
    exercises/practice/SLUG/.meta/config.json       which files are the solution, the tests and the example
    exercises/practice/SLUG/…                       those files

A file of JSON lines with `slug`, `instructions`, `stub`, `tests`, `example` (files by name) is read as well.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from forgetest.datasets.imports import rows
from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import (
    Format,
    LeftOutError,
    Solution,
    Task,
    has_keys,
    judged_language,
    with_starter,
)
from forgetest.errors import UserError

_DOCUMENTS = ("introduction.md", "introduction.append.md", "instructions.md", "instructions.append.md")
_LARGEST_FILE = 4 << 20
_LANGUAGES = {".rs": "rust", ".py": "python"}
_RUST_IGNORE = re.compile(r"^[ \t]*#\[ignore(?:\s*=\s*\"[^\"]*\")?\][ \t]*\n", re.MULTILINE)
_RUST_OPTIONAL = re.compile(
    r"^([ \t]*)(?:#\[[^\n]*\]\n\1)*#\[cfg\(feature\s*=\s*\"[^\"]*\"\)\]\n\1(?:#\[[^\n]*\]\n\1)*"
    r"(?:use [^;]*;|(?:fn|mod) .*?^\1\})\n\n?",
    re.MULTILINE | re.DOTALL,
)
"""A test, module or import for a feature that learners may add; no feature is on."""
_PACKAGE_NAME = re.compile(r"^name\s*=\s*\"([\w-]+)\"", re.MULTILINE)
_SKIPPED = re.compile(r"^[ \t]*@(?:unittest\.|pytest\.mark\.)skip\b.*\n", re.MULTILINE)


def read(path: Path) -> Iterator[Row]:
    """Yield a row for each exercise in a folder, or of a file of JSON lines."""
    if not path.is_dir():
        yield from rows.read(path)
        return
    folders = sorted({file.parent.parent for file in path.glob("**/.meta/config.json")})
    if not folders:
        raise UserError(f"{path}: no exercise in it, that is, no folder with .meta/config.json")
    for folder in folders:
        yield _row(folder)


def _row(folder: Path) -> Row:
    settings = folder / ".meta" / "config.json"
    problem = Row(values={}, file=str(settings))
    try:
        config = rows.decode(_content(settings, problem))
    except ValueError as error:
        raise problem.error("", str(error)) from None
    named = config.get("files") if isinstance(config, dict) else None
    files = named if isinstance(named, dict) else {}
    documents = [folder / ".docs" / name for name in _DOCUMENTS]
    values = {
        "slug": folder.name,
        "track": folder.parent.parent.parent.name,
        "instructions": "\n\n".join(_content(each, problem) for each in documents if each.is_file()),
        "stub": _named(folder, files.get("solution"), problem),
        "tests": _named(folder, files.get("test"), problem),
        "example": _named(folder, files.get("example") or files.get("exemplar"), problem),
        "editor": _named(folder, files.get("editor"), problem),
        "cargo_toml": _content(folder / "Cargo.toml", problem) if (folder / "Cargo.toml").is_file() else None,
    }
    return Row(values=values, file=str(folder))


def _named(folder: Path, names: object, problem: Row) -> dict[str, str]:
    found = {}
    for name in names if isinstance(names, list) else []:
        file = folder / str(name)
        if not file.resolve().is_relative_to(folder.resolve()):
            raise problem.error("files", f"{name} leads out of the exercise's folder")
        if file.is_file():
            found[str(name)] = _content(file, problem)
    return found


def _content(file: Path, problem: Row) -> str:
    try:
        if file.stat().st_size > _LARGEST_FILE:
            raise problem.error("", f"{file} is larger than {_LARGEST_FILE >> 20} MiB")
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise problem.error("", f"{file} cannot be read: {error}") from None


def _convert(row: Row) -> Task:
    slug = row.identifier("slug")
    stub, tests, examples = (_files(row, key) for key in ("stub", "tests", "example"))
    tests = {name: text for name, text in tests.items() if Path(name).suffix in _LANGUAGES}
    if not tests:
        suffixes = sorted({Path(name).suffix for name in _files(row, "tests")})
        raise LeftOutError(f"no toolchain for tests in {', '.join(suffixes) or 'no file'}")
    if len(tests) > 1:
        raise LeftOutError("tests in several files")
    if row.values.get("editor"):
        raise LeftOutError("tests that need further files")
    [(name, test_file)] = tests.items()
    language = judged_language(_LANGUAGES[Path(name).suffix])
    stub = {name: text for name, text in stub.items() if Path(name).suffix in _LANGUAGES}
    if len(stub) > 1:
        raise LeftOutError("a solution of several files")
    example = [text for name, text in examples.items() if Path(name).suffix in _LANGUAGES]
    # Exercism shows learners one test at a time: the others are skipped until they remove that
    own = _rust(row, slug, test_file, examples) if language == "rust" else _python(stub, test_file)
    return Task(
        case={
            "id": slug,
            "name": slug,
            "prompt": with_starter(row.text("instructions").strip(), next(iter(stub.values()), ""), language) + "\n",
            "language": language,
            **own,
            **({"reference_solution": example[0]} if len(example) == 1 else {}),
        },
        solutions=tuple(Solution(model="example", text=text) for text in example[:1]),
    )


def _files(row: Row, key: str) -> dict[str, str]:
    value = row.values.get(key) or {}
    if not isinstance(value, dict) or not all(isinstance(each, str) for pair in value.items() for each in pair):
        raise row.error(key, "must be texts by the name of their file")
    return value


def _python(stub: Mapping[str, str], test_file: str) -> dict[str, Any]:
    module = Path(next(iter(stub), "solution.py")).stem
    return {"module": module, "expectations": {"test_file": _SKIPPED.sub("", test_file)}}


def _rust(row: Row, slug: str, test_file: str, examples: Mapping[str, str]) -> dict[str, Any]:
    manifests = [row.text("cargo_toml", ""), *(text for name, text in examples.items() if name.endswith(".toml"))]
    names = {slug.replace("-", "_"), *(each.replace("-", "_") for each in _PACKAGE_NAME.findall("\n".join(manifests)))}
    # the tests are those of another crate, which imports the solution by its name
    tests = _RUST_OPTIONAL.sub("", _RUST_IGNORE.sub("", test_file))
    crate = "|".join(sorted(map(re.escape, names)))
    names |= set(re.findall(rf"\buse (?:{crate}) as (\w+);", tests))
    tests = re.sub(rf"\buse (?:{crate}) as \w+;|\bextern crate (?:{crate});", "", tests)
    tests = re.sub(rf"(?<!:)\b(?:{'|'.join(sorted(map(re.escape, names)))})::", "crate::", tests)
    needed = _crates(row, manifests)
    edition = next((found[1] for text in manifests if (found := re.search(r'^edition\s*=\s*"(\d+)"', text, re.M))), "")
    return {
        **({"edition": edition} if edition else {}),
        **({"dependencies": needed} if needed else {}),
        "expectations": {"test_file": tests},
    }


def _crates(row: Row, manifests: list[str]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for text in manifests:
        try:
            manifest = tomllib.loads(text)
        except ValueError as error:
            raise row.error("cargo_toml", f"not TOML: {error}") from None
        for section in ("dependencies", "dev-dependencies"):
            table = manifest.get(section, {})
            for name, wanted in table.items() if isinstance(table, dict) else ():
                version = wanted.get("version") if isinstance(wanted, dict) else wanted
                if not isinstance(version, str):
                    raise LeftOutError("a crate without a version")
                features = wanted.get("features", []) if isinstance(wanted, dict) else []
                found[name] = {"name": name, "version": version, **({"features": features} if features else {})}
    return list(found.values())


def _is_exercise(row: Row) -> bool:
    return has_keys(row, "slug", "instructions", "tests")


EXERCISM = Format(
    name="exercism",
    title="the practice exercises of an Exercism track: Rust or Python; a folder",
    convert=_convert,
    recognises=_is_exercise,
    timeout_secs=60.0,
    read=read,
)

AIDER_POLYGLOT = Format(
    name="aider-polyglot",
    title="Aider's polyglot benchmark: its Rust and Python exercises; a folder",
    convert=lambda row: _with_track(row, _convert(row)),
    recognises=lambda _row: False,  # its folders are those of tracks
    timeout_secs=60.0,
    read=read,
)


def _with_track(row: Row, task: Task) -> Task:
    """Return the task with its track in its id: the benchmark has the same exercises in several languages."""
    track = str(row.values.get("track") or task.case["language"])
    return Task(case={**task.case, "id": f"{track}/{task.case['id']}"}, solutions=task.solutions)
