"""Eval sets: the cases a model is asked to solve, and what its code must do."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Literal

import msgspec

from forgetest import language
from forgetest.errors import InvalidInput, Problem, UserError
from forgetest.evalset import generation, io_tests
from forgetest.evalset.data_files import CaseFiles
from forgetest.evalset.file import Checked, Located, read
from forgetest.evalset.file_names import from_file, to_file
from forgetest.evalset.generation import EMPTY, GenerationSettings
from forgetest.evalset.io_tests import IoTests
from forgetest.evalset.keys import DEFAULT_LANGUAGE, json_schema, lacks_tests
from forgetest.files.schema import nearest

__all__ = [
    "AcceptedMutant",
    "Case",
    "ContextFile",
    "Dependency",
    "EvalSet",
    "Expectations",
    "Weights",
    "built_in",
    "json_schema",
    "load",
]

_CONFIGURATION = "forgetest.toml"
"""The configuration file, which `init` writes into the same folder; not an eval set."""

DEFAULT_TIMEOUT_SECS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """A package of the case's language that its code may use."""

    name: str
    version: str
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextFile:
    """A file shown to the model along with the prompt."""

    path: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedMutant:
    """A change of the reference solution that no test needs to notice."""

    line: str
    """The changed lines of the reference solution, without indentation."""
    becomes: str
    """The lines in their place."""
    reason: str


UnsafeCode = Literal["forbidden", "checked", "allowed"]
"""A case's policy for code that the compiler cannot vouch for. `forbidden`: it makes a sample incorrect. `checked`: it
is judged more strictly, and foreign code makes a sample incorrect. `allowed`: foreign functions, exports and assembly
may be used, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectations:
    """Requirements of a case."""

    should_compile: bool = True
    should_pass_tests: bool = True
    test_file: str | None = None
    expected_functions: tuple[str, ...] = ()
    expected_types: tuple[str, ...] = ()
    max_lint_warnings: int | None = None
    custom_check: str | None = None
    unsafe_code: UnsafeCode = "checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One task: a prompt, and how an answer is judged. Defaults of the eval set are filled in."""

    id: str
    name: str
    prompt: str
    description: str = ""
    language: str = DEFAULT_LANGUAGE
    tags: tuple[str, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    timeout_secs: float = DEFAULT_TIMEOUT_SECS
    max_tokens: int | None = None
    context: tuple[ContextFile, ...] = ()
    reference_solution: str | None = None
    expectations: Expectations = Expectations()
    options: Mapping[str, Any] = field(default_factory=dict)
    """Values of the language's own keys (`edition`) that differ from their defaults; see `Language.option`."""
    io: IoTests | None = None
    """Tests by input and output, in place of a test file."""
    date: str | None = None
    """The day on which the task was published, as in 2024-05-31."""
    source: str | None = None
    """Where the task comes from."""
    accepted_mutants: tuple[AcceptedMutant, ...] = ()
    """For `forgetest audit`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of the components of a score; they sum to 1."""

    compilation: float = 0.4
    tests: float = 0.5
    lint: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSet:
    """A named list of cases."""

    id: str
    name: str
    description: str = ""
    weights: Weights = Weights()
    generation: GenerationSettings = EMPTY
    """Generation settings of its own, before those of forgetest.toml."""
    cases: tuple[Case, ...] = field(default_factory=tuple)
    path: str = ""
    """The file it was read from, for messages."""
    hash: str = ""
    """SHA-256 over its content; comments, layout and spelt-out defaults do not change it."""


def load(
    path_or_name: str | Path,
    languages: Collection[str] | None = None,
    *,
    warn: Callable[[Problem], None] | None = None,
) -> list[EvalSet]:
    """Read the eval sets in a file, in a folder of `*.toml`, or built in under a name.

    A name wins over a path; `./quickstart` is a path. With `languages`, a case in any other language is a problem.
    `warn` gets what is accepted but hardly meant, such as a case without tests. Raises InvalidInput with all problems
    of all files, or UserError where there is nothing to read.
    """
    files = _eval_set_files(path_or_name)
    checked = [read(file) for file in files]
    problems = [problem for each in checked for problem in each.problems]
    problems += _repeated_set_ids(checked)
    if languages is not None:
        problems += [problem for each in checked for problem in unknown_languages(each, languages)]
        if not problems:
            problems = [problem for each in checked for problem in unsupported_io(each)]
    if problems:
        raise InvalidInput(sorted(problems, key=lambda problem: (problem.file, problem.line or 0)))
    if warn is not None:
        for problem in (problem for each in checked for problem in _missing_tests(each)):
            warn(problem)
    return [_build_eval_set(each, file) for each, file in zip(checked, files, strict=True)]


def _missing_tests(checked: Checked) -> Iterator[Problem]:
    message = "missing, though the case asks for tests, so no sample can be correct; or set should_pass_tests = false"
    for case in checked.cases:
        if lacks_tests(case.table):
            yield case.problem("expectations", "test_file", message=message)


def built_in() -> dict[str, Path]:
    """Return the eval sets that come with forgetest, as files by name."""
    return {path.stem: path for path in _sets_in(Path(__file__).parents[1] / "eval_sets")}


def _eval_set_files(path_or_name: str | Path) -> list[Path]:
    known, name = built_in(), str(path_or_name)
    if name in known:
        return [known[name]]
    path = Path(path_or_name)
    if path.is_dir():
        files = _sets_in(path)
        if not files:
            raise UserError(f"{path}: no eval set (*.toml) in this folder")
        return files
    if path.exists():
        return [path]
    guess = nearest(path.stem, known)
    meant = f'; did you mean "{guess}"?' if guess else ""
    raise UserError(
        f"{name}: no such file or folder, and no built-in eval set of that name{meant} "
        f"(built in: {', '.join(known) or 'none'})"
    )


def _sets_in(folder: Path) -> list[Path]:
    # editors keep their own half-written copies as hidden files
    return sorted(
        path
        for path in folder.glob("*.toml")
        if path.is_file() and not path.name.startswith(".") and path.name != _CONFIGURATION
    )


def _repeated_set_ids(checked: list[Checked]) -> list[Problem]:
    problems = []
    first: dict[str, Located] = {}
    for header in (each.header for each in checked):
        set_id = header.table.get("id")
        if isinstance(set_id, str) and (earlier := first.setdefault(set_id, header)) is not header:
            message = f'"{set_id}" is the id of another eval set already ({earlier.file})'
            problems.append(header.problem("id", message=message))
    return problems


def unknown_languages(checked: Checked, languages: Collection[str]) -> list[Problem]:
    """Return a problem for each language of a file that is not among those given."""
    problems = []
    named = [(checked.header, "default_language"), *((case, "language") for case in checked.cases)]
    for located, key in named:
        name = located.table.get(key)
        if isinstance(name, str) and name not in languages:
            guess = nearest(name, languages)
            advice = f'did you mean "{guess}"?' if guess else f"known: {', '.join(sorted(languages))}"
            problems.append(located.problem(key, message=f'unknown language "{name}"; {advice}'))
    return problems


def unsupported_io(checked: Checked) -> Iterator[Problem]:
    """Yield a problem for each case whose language cannot be tested by input and output, or not in its form."""
    for case in checked.cases:
        if "io" not in case.table:
            continue
        default = checked.header.table.get("default_language", DEFAULT_LANGUAGE)
        form: language.IoForm = "call" if "call" in case.table["io"] else "program"
        yield from _unsupported_form(case, case.table.get("language", default), form, ("io",))
        if "checker_program" in case.table["io"]:
            key = ("io", "checker_program", "language")
            yield from _unsupported_form(case, case.table["io"]["checker_program"]["language"], "program", key)


def _unsupported_form(case: Located, name: str, form: language.IoForm, key: tuple[str, ...]) -> Iterator[Problem]:
    if form not in language.find(name).io_forms:
        able = [each.name for each in language.installed() if form in each.io_forms]
        what = "programs" if form == "program" else "functions by `call`"
        message = (
            f'the toolchain of "{name}" does not run {what}; use a language that does: {", ".join(able) or "none"}'
        )
        yield case.problem(*key, message=message)


def _build_eval_set(checked: Checked, path: Path) -> EvalSet:
    header = checked.header.table
    defaults = {
        "language": header.get("default_language", DEFAULT_LANGUAGE),
        "timeout_secs": header.get("default_timeout_secs", DEFAULT_TIMEOUT_SECS),
    }
    expected = {"unsafe_code": header.get("default_unsafe_code", Expectations().unsafe_code)}
    cases = (build_case({**defaults, **case.table}, expected, case.files) for case in checked.cases)
    eval_set = EvalSet(
        id=header["id"],
        name=header["name"],
        description=header.get("description", ""),
        weights=msgspec.convert(from_file(header.get("weights", {})), Weights),
        cases=tuple(cases),
        generation=generation.read(header.get("generation", {})),
        path=str(path),
    )
    return replace(eval_set, hash=_content_hash(eval_set))


def build_case(table: Mapping[str, Any], expected: Mapping[str, Any], files: CaseFiles) -> Case:
    """Return the case of a table that has been checked. `expected`: defaults of its expectations."""
    case_language = language.find(table["language"])
    own = {each.key.name for each in case_language.case_keys} | {"io"}
    plain = {key: value for key, value in table.items() if key not in own}
    expectations = from_file({**expected, **table.get("expectations", {})})
    if "date" in table:
        plain["date"] = str(table["date"])
    if "dependencies" in table:
        plain["dependencies"] = [_dependency_table(each) for each in table["dependencies"]]
    built = msgspec.convert({**plain, "expectations": expectations, "options": case_language.options(table)}, Case)
    return replace(built, io=io_tests.build(table["io"], files.data, files.code)) if "io" in table else built


def _dependency_table(written: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a dependency as a table; a text, as in `numpy[extra]>=2`, has name, features and versions."""
    if not isinstance(written, str):
        return written
    found = re.fullmatch(r"([\w.-]+)\s*(?:\[(.*)\])?\s*(.*)", written)
    assert found, "checked by the language's dependency_text"
    features = [each.strip() for each in (found[2] or "").split(",") if each.strip()]
    return {"name": found[1], "version": found[3] or "*", "features": features}


def _content_hash(eval_set: EvalSet) -> str:
    content = non_default_content(replace(eval_set, path="", hash=""))
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def non_default_content(value: object) -> Any:
    """Return a value as JSON, without fields at their defaults: a key added in a later version changes no hash."""
    if is_dataclass(value):
        content_fields = [key for key in fields(value) if key.name != "options" and key.metadata.get("hashed", True)]
        held = {key.name: (getattr(value, key.name), key.default) for key in content_fields}
        content = to_file(
            {name: non_default_content(each) for name, (each, default) in held.items() if each != default}
        )
        return {**content, **value.options} if isinstance(value, Case) else content
    if isinstance(value, tuple):
        return [non_default_content(each) for each in value]
    return value
