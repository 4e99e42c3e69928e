"""CodeContests: problems with public, private and generated tests, limits, and solutions right and wrong."""

from __future__ import annotations

from forgetest.datasets.imports.contest_problems import Test, contest_case, io_table
from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import Format, LeftOutError, Solution, Task, has_keys

# its enumerations
_SOURCES = ("", "CodeChef", "Codeforces", "HackerEarth", "CodeJam", "AtCoder", "Aizu")
_DIFFICULTIES = ("", "easy", "medium", "hard", "harder", "hardest", "external", *"abcdefghijklmnopqrstuv")
_LANGUAGES = {1: "python2", 2: "cpp", 3: "python", 4: "java"}


def _convert(row: Row) -> Task:
    if row.text("input_file", "") or row.text("output_file", ""):
        raise LeftOutError("reads or writes a file instead of standard input and output")
    tests: list[Test] = []
    for key in ("public_tests", "private_tests", "generated_tests"):
        part = row.inner(key, required=False)
        pairs = zip(part.texts("input", []), part.texts("output", []), strict=False)
        seen = {"visible": True} if key == "public_tests" else {}
        tests += [{**seen, "input": given, "output": expected} for given, expected in pairs]
    name = row.text("name")
    limit = row.inner("time_limit", required=False)
    seconds = limit.number("seconds", 0) + limit.number("nanos", 0) / 1e9
    memory = int(row.number("memory_limit_bytes", 0)) >> 20
    right = _solutions(row, "solutions", "correct")
    return Task(
        case=contest_case(
            row.identifier("id") if "id" in row else name,
            name,
            row.text("description"),
            {**io_table(tests), **({"memory_mb": memory} if memory else {})},
            tags=[*filter(None, [_enumerated(row, "difficulty", _DIFFICULTIES)]), *row.texts("cf_tags", [])],
            source=_enumerated(row, "source", _SOURCES),
            timeout_secs=seconds,
        ),
        references={each.language: each.text for each in reversed(right) if each.language},
        solutions=(*right, *_solutions(row, "incorrect_solutions", "incorrect")),
    )


def _enumerated(row: Row, key: str, names: tuple[str, ...]) -> str:
    """Return the member of an enumeration, which is written as its number or, as in some copies, its name."""
    if isinstance(row.values.get(key), str):
        return next((each for each in names if each.lower() == row.text(key).lower()), "")
    number = int(row.number(key, 0))
    return names[number] if 0 <= number < len(names) else ""


def _solutions(row: Row, key: str, model: str) -> list[Solution]:
    part = row.inner(key, required=False)
    codes = part.texts("solution", [])
    numbers = part.items("language") if codes else []
    languages = [_LANGUAGES.get(each, "") if isinstance(each, int) else "" for each in numbers]
    known = [pair for pair in zip(codes, languages, strict=False) if pair[0].strip()]
    return [Solution(model=model, text=code, language=language) for code, language in known]


CODE_CONTESTS = Format(
    name="code-contests",
    title="CodeContests",
    convert=_convert,
    recognises=lambda row: has_keys(row, "name", "description", "public_tests", "private_tests"),
    timeout_secs=10.0,
    any_language=True,
)
