"""Contest problems: LiveCodeBench, CodeContests, APPS, TACO and PRIME's rows. Tests are inputs and outputs."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from forgetest.datasets.imports import pickled_text, rows
from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import Format, LeftOutError, Solution, Task, has_keys

_PROGRAM = "Write a program that reads from standard input and writes to standard output."
_DECIMAL = re.compile(r"(?<!\S)-?\d+\.\d+(?!\S)")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

# the enumerations of CodeContests
_SOURCES = ("", "CodeChef", "Codeforces", "HackerEarth", "Code Jam", "AtCoder", "Aizu")
_DIFFICULTIES = ("", "easy", "medium", "hard", "harder", "hardest", "external", *"abcdefghijklmnopqrstuv")
_CODE_CONTESTS_LANGUAGES = {1: "python2", 2: "cpp", 3: "python", 4: "java"}

Test = dict[str, Any]


def io_table(tests: list[Test], call: str | None = None) -> dict[str, Any]:
    """Return the `io` of a case. Outputs with decimal fractions are compared with a tolerance, others by words."""
    if call is not None:
        has_floats = any(_has_float(test["returns"]) for test in tests)
        return {"call": call, **({"checker": "floats"} if has_floats else {}), "tests": tests}
    has_fractions = any(_DECIMAL.search(test["output"]) for test in tests)
    return {"checker": "floats" if has_fractions else "tokens", "tests": tests}


def _has_float(value: object) -> bool:
    if isinstance(value, list):
        return any(map(_has_float, value))
    if isinstance(value, dict):
        return any(map(_has_float, value.values()))
    return isinstance(value, float)


def contest_case(
    case_id: str, name: str, prompt: str, io: Mapping[str, Any], starter: str = "", **further: Any
) -> dict[str, Any]:
    """Return a case; keys without a value are left out."""
    if "call" in io:
        code = f"\n\nUse this code to begin with:\n\n```python\n{starter.strip()}\n```" if starter.strip() else ""
        request = f"Write the function {io['call']}.{code}"
    else:
        request = _PROGRAM
    return {
        "id": case_id,
        "name": name or case_id,
        "prompt": f"{prompt.strip()}\n\n{request}\n",
        **{key: value for key, value in further.items() if value},
        "io": dict(io),
    }


# --- inputs and outputs ------------------------------------------------------------------------------------


def io_of(row: Row, starter: str = "") -> dict[str, Any]:
    """Return the `io` of a row with `inputs`, `outputs` and maybe `fn_name`, as APPS and its descendants have them."""
    inputs, outputs = row.items("inputs"), row.items("outputs")
    if len(inputs) != len(outputs):
        raise row.error("outputs", f"{len(outputs)} outputs for {len(inputs)} inputs")
    if not inputs:
        raise LeftOutError("no tests")
    name = row.values.get("fn_name")
    if not name:
        return io_table([_program_test(row, *pair) for pair in zip(inputs, outputs, strict=True)])
    call = f"Solution.{name}" if re.search(r"^class Solution\b", starter, re.MULTILINE) else str(name)
    expected = [_json(row, "outputs", each) for each in outputs]
    # APPS and TACO write every result into a list of its own; JSON in strings is never written so
    if not isinstance(outputs[0], str) and all(isinstance(each, list) and len(each) == 1 for each in expected):
        expected = [each[0] for each in expected]
    tests = [
        {"arguments": _arguments(row, given), "returns": result} for given, result in zip(inputs, expected, strict=True)
    ]
    return io_table(tests, call)


def _program_test(row: Row, given: Any, expected: Any) -> Test:
    return {"input": _lines(row, "inputs", given), "output": _lines(row, "outputs", expected)}


def _lines(row: Row, key: str, value: Any) -> str:
    """Return a text, which may be written as a list of lines."""
    if isinstance(value, list) and all(isinstance(each, (str, int, float)) for each in value):
        return "\n".join(map(str, value))
    if not isinstance(value, str):
        raise row.error(key, "must be texts, or lists of lines")
    return value


def _arguments(row: Row, given: Any) -> list[Any]:
    """Return the arguments of a call: a list of them, or text with the JSON of one on each line."""
    if isinstance(given, str):
        return [_json(row, "inputs", line) for line in given.split("\n") if line.strip()]
    if not isinstance(given, list):
        raise row.error("inputs", "must be lists of arguments, or texts with one in a line")
    return given


def _json(row: Row, key: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return rows.decode(value)
    except ValueError as error:
        raise row.error(key, str(error)) from None


# --- LiveCodeBench -----------------------------------------------------------------------------------------


def _convert_livecodebench(row: Row) -> Task:
    starter = row.text("starter_code", "")
    public, hidden = _lcb_tests(row, "public_test_cases"), _lcb_tests(row, "private_test_cases")
    function = row.inner("metadata", required=False).values.get("func_name")
    tests = [
        *(_lcb_test(row, test, visible=True) for test in public),
        *(_lcb_test(row, test, visible=False) for test in hidden),
    ]
    if not tests:
        raise LeftOutError("no tests")
    is_call = "arguments" in tests[0]
    if any(("arguments" in test) != is_call for test in tests) or (is_call and not function):
        raise row.error("metadata", "has no func_name, though a test is a call" if is_call else "tests of two kinds")
    call = None
    if is_call:
        call = f"Solution.{function}" if re.search(r"^class Solution\b", starter, re.MULTILINE) else str(function)
    platform, title = row.text("platform", ""), row.text("question_title", "")
    return Task(
        case=contest_case(
            row.identifier("question_id"),
            title,
            row.text("question_content"),
            io_table(tests, call),
            starter,
            tags=[each for each in (platform, row.text("difficulty", "")) if each],
            date=_day(row.text("contest_date", "")),
            source=" ".join(filter(None, [platform, row.text("contest_id", "")])),
        )
    )


def _lcb_tests(row: Row, key: str) -> list[Any]:
    """Return the tests under a key: JSON, or a packed pickle of it."""
    text = row.text(key, "[]").strip() or "[]"
    try:
        if not text.startswith("["):
            unpacked = pickled_text.unpack(text)
            if not isinstance(unpacked, str):
                raise ValueError("a pickle of something else than text")
            text = unpacked
        tests = rows.decode(text)
    except ValueError as error:
        raise row.error(key, str(error)) from None
    if not isinstance(tests, list):
        raise row.error(key, "must be a list of tests")
    return tests


def _lcb_test(row: Row, test: Any, *, visible: bool) -> Test:
    key = "public_test_cases" if visible else "private_test_cases"
    if not isinstance(test, dict) or not all(isinstance(test.get(side), str) for side in ("input", "output")):
        raise row.error(key, "must be tests with an input and an output, which are texts")
    seen = {"visible": True} if visible else {}
    if test.get("testtype") == "functional":
        return {**seen, "arguments": _arguments(row, test["input"]), "returns": _json(row, key, test["output"])}
    return {**seen, "input": test["input"], "output": test["output"]}


def _day(text: str) -> str:
    found = _DATE.match(text)
    return found[0] if found else ""


# --- CodeContests ------------------------------------------------------------------------------------------


def _convert_code_contests(row: Row) -> Task:
    if row.text("input_file", "") or row.text("output_file", ""):
        raise LeftOutError("reads or writes a file instead of standard input and output")
    tests: list[Test] = []
    for key in ("public_tests", "private_tests", "generated_tests"):
        part = row.inner(key, required=False)
        pairs = zip(part.texts("input", []), part.texts("output", []), strict=False)
        seen = {"visible": True} if key == "public_tests" else {}
        tests += [{**seen, "input": given, "output": expected} for given, expected in pairs]
    if not tests:
        raise LeftOutError("no tests")
    name = row.text("name")
    source = _enumerated(row, "source", _SOURCES)
    limit = row.inner("time_limit", required=False)
    seconds = limit.number("seconds", 0) + limit.number("nanos", 0) / 1e9
    memory = int(row.number("memory_limit_bytes", 0)) >> 20
    right = _code_contests_solutions(row, "solutions", "correct")
    return Task(
        case=contest_case(
            name,
            name,
            row.text("description"),
            {**io_table(tests), **({"memory_mb": memory} if memory else {})},
            tags=[*filter(None, [_enumerated(row, "difficulty", _DIFFICULTIES)]), *row.texts("cf_tags", [])],
            source=source,
            timeout_secs=seconds,
        ),
        references={each.language: each.text for each in reversed(right) if each.language},
        solutions=(*right, *_code_contests_solutions(row, "incorrect_solutions", "incorrect")),
    )


def _enumerated(row: Row, key: str, names: tuple[str, ...]) -> str:
    number = int(row.number(key, 0))
    return names[number] if 0 <= number < len(names) else ""


def _code_contests_solutions(row: Row, key: str, model: str) -> list[Solution]:
    part = row.inner(key, required=False)
    codes = part.texts("solution", [])
    languages = [_CODE_CONTESTS_LANGUAGES.get(each, "") for each in part.values.get("language") or []]
    known = [pair for pair in zip(codes, languages, strict=False) if pair[0].strip()]
    return [Solution(model=model, text=code, language=language) for code, language in known]


# --- APPS, TACO, PRIME -------------------------------------------------------------------------------------


def _convert_apps(row: Row) -> Task:
    if not row.values.get("input_output"):
        raise LeftOutError("no tests")
    starter = row.text("starter_code", "")
    right = _solutions(row)
    case_id = next((key for key in ("problem_id", "id", "task_id", "name", "url") if key in row), None)
    return Task(
        case=contest_case(
            row.identifier(case_id) if case_id else f"row {row.line or row.file}",
            row.text("name", ""),
            row.text("question"),
            {**io_of(row.inner("input_output"), starter), **_memory(row)},
            starter,
            tags=[each for each in (row.text("difficulty", "").lower(),) if each],
            date=_day(row.text("date", "")),
            source=row.text("url", "") or row.text("source", ""),
            timeout_secs=_seconds(row),
        ),
        references={"python": right[0].text} if right else {},
        solutions=tuple(right),
    )


def _solutions(row: Row) -> list[Solution]:
    """Return the solutions that Python 3 can parse; some are older."""
    found = row.decoded("solutions", [])
    codes = [each for each in found if isinstance(each, str) and each.strip()] if isinstance(found, list) else []
    return [Solution(model="correct", text=code, language="python") for code in codes if _is_python(code)]


def _is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _seconds(row: Row) -> float:
    """Return TACO's time limit, as in "2.0 seconds"; 0 where there is none."""
    found = re.match(r"\s*(\d+(?:\.\d+)?)\s*second", str(row.values.get("time_limit") or ""))
    return float(found[1]) if found else 0.0


def _memory(row: Row) -> dict[str, int]:
    """Return TACO's memory limit, as in "256.0 megabytes"."""
    found = re.match(r"\s*(\d+)(?:\.\d+)?\s*megabyte", str(row.values.get("memory_limit") or ""))
    return {"memory_mb": int(found[1])} if found and int(found[1]) else {}


def _convert_prime(row: Row) -> Task:
    if row.text("ability", "code") != "code":
        raise LeftOutError("no task about code")
    messages = row.items("prompt")
    texts = [
        str(each.get("content") or "") for each in messages if isinstance(each, dict) and each.get("role") == "user"
    ]
    extra = row.inner("extra_info", required=False)
    source = row.text("data_source", "")
    index = extra.identifier("index") if "index" in extra else str(row.line or row.file)
    split = extra.text("split", "")
    return Task(
        case=contest_case(
            "-".join(filter(None, [source, split, index])),
            "",
            "\n\n".join(filter(None, texts)),
            io_of(row.inner("reward_model").inner("ground_truth")),
            source=source,
        )
    )


LIVECODEBENCH = Format(
    name="livecodebench",
    title="LiveCodeBench's code generation, whole or lite",
    convert=_convert_livecodebench,
    recognises=lambda row: has_keys(row, "question_id", "question_content", "public_test_cases", "private_test_cases"),
    timeout_secs=6.0,
    any_language=True,
)

CODE_CONTESTS = Format(
    name="code-contests",
    title="CodeContests",
    convert=_convert_code_contests,
    recognises=lambda row: has_keys(row, "name", "description", "public_tests", "private_tests"),
    timeout_secs=10.0,
    any_language=True,
)

PRIME = Format(
    name="prime",
    title="PRIME's and verl's rows with a ground truth of inputs and outputs",
    convert=_convert_prime,
    recognises=lambda row: has_keys(row, "data_source", "prompt", "reward_model"),
    timeout_secs=10.0,
    any_language=True,
)

TACO = Format(
    name="taco",
    title="TACO",
    convert=_convert_apps,
    recognises=lambda row: has_keys(row, "question", "input_output", "solutions", "raw_tags"),
    timeout_secs=4.0,
    any_language=True,
)

APPS = Format(
    name="apps",
    title="APPS",
    convert=_convert_apps,
    recognises=lambda row: has_keys(row, "question", "input_output", "solutions"),
    timeout_secs=4.0,
    any_language=True,
)
