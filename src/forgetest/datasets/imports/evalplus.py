"""EvalPlus's HumanEval+ and MBPP+: inputs for a function, whose outputs must be those of the canonical solution.

The tests hold the canonical solution and compute what they expect; the sample runs in another process and sees
neither. How outputs are compared is what EvalPlus 0.3 does, except that a tolerance which it applies to an output of
floats does not stay in force for later outputs that have none.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from forgetest.datasets.imports.rows import Row
from forgetest.datasets.imports.task import Format, Solution, Task, has_keys

PLUS_TAG = "evalplus"
"""Tag of cases whose tests are `test_base` and `test_plus`."""
_TUPLES = "[tuple(each) for each in inputs]"
_LISTS_OF_TUPLES = "[[tuple(item) for item in each] for each in inputs]"
_TUPLES_OF_TUPLES = "[tuple(tuple(item) for item in each) for each in inputs]"
_ALL_TUPLES = "nested_tuples(inputs)"

_CONVERSIONS = {
    _TUPLES: (
        *(2, 116, 132, 143, 222, 261, 273, 394, 399, 421, 424),
        *(429, 470, 560, 579, 596, 616, 630, 726, 740, 744, 809),
    ),
    _LISTS_OF_TUPLES: (63, 64, 70, 94, 120, 237, 272, 299, 400, 409, 417, 438, 473, 614, 780),
    "[[tuple(item) for item in inputs[0]], inputs[1]]": (75, 413, 444, 753),
    "[inputs[0], tuple(inputs[1])]": (106, 750),
    "[[set(item) if isinstance(item, list) and item else {} for item in inputs[0]]]": (115,),
    "[float(inputs[0]), complex(inputs[1])]": (124,),
    "[tuple(inputs[0]), inputs[1]]": (250, 405, 446, 617, 720, 763, 808),
    _TUPLES_OF_TUPLES: (259, 401, 445),
    "[tuple(tuple(item) if isinstance(item, list) else item for item in each) for each in inputs]": (278,),
    "[tuple(inputs[0]), *inputs[1:]]": (307,),
    "[{key: tuple(value) for key, value in inputs[0].items()}, *inputs[1:]]": (722,),
    "[complex(inputs[0])]": (252,),
    _ALL_TUPLES: (580, 615, 791),
}
"""How inputs of MBPP+ are rebuilt from JSON, which has neither tuples nor sets nor complex numbers, by task."""
_RESTORE = {number: how for how, numbers in _CONVERSIONS.items() for number in numbers}

_SETS = (
    *("similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly"),
    *("larg_nnum", "intersection_array", "find_dissimilar", "Diff"),
)
_NOT_NONE = ("check_str", "text_match_three", "text_starta_endb")
_MBPP_COMPARISONS = {
    "are_equivalent": "True",
    "sum_div": "found == expected or found == 0",
    "surface_Area": "found == expected or abs(found - surface_of_pyramid(*inputs)) <= TOLERANCE",
    "digit_distance_nums": "found == expected or found == distance_of_padded_digits(*inputs)",
    **dict.fromkeys(_SETS, "set(found) == set(expected)"),
    **dict.fromkeys(_NOT_NONE, "(found if isinstance(found, bool) else found is not None) == (expected is not None)"),
}
"""MBPP+'s comparisons of its own, by function."""
_HUMANEVAL_COMPARISONS = {"find_zero": "abs(sum(c * math.pow(found, i) for i, c in enumerate(*inputs))) <= TOLERANCE"}

_TESTS = """\
import json
import math

TOLERANCE = {tolerance!r}
BASE = {base!r}
PLUS = {plus!r}


{reference}


def restored(inputs):
    return {restored}


def agrees(found, expected, inputs):
    return {agrees}
{further}

def equal_or_close(found, expected):
    if found == expected:
        return True
    tolerance = TOLERANCE or (1e-6 if is_floats(expected) else 0)
    return bool(tolerance) and type(found) is type(expected) and close(found, expected, tolerance)


def is_floats(value):
    if isinstance(value, (list, tuple)) and value:
        return all(isinstance(each, float) for each in value)
    return isinstance(value, float)


def close(found, expected, tolerance):
    if isinstance(expected, (list, tuple)):
        return (
            isinstance(found, (list, tuple))
            and len(found) == len(expected)
            and all(close(f, e, tolerance) for f, e in zip(found, expected))
        )
    numbers = isinstance(found, (int, float, complex)) and isinstance(expected, (int, float, complex))
    return numbers and (found == expected or abs(found - expected) <= tolerance + 1e-7 * abs(expected))


def check(function, inputs):
    reference = make_reference()
    for of_sample, of_reference, shown in zip(json.loads(inputs), json.loads(inputs), json.loads(inputs)):
        expected = reference(*restored(of_reference))
        found = function(*restored(of_sample))
        assert agrees(found, expected, restored(shown)), f"{{shown}}: {{found!r}}, not {{expected!r}}"


def test_base():
    check({entry_point}, BASE)
"""
_PLUS_TEST = """

def test_plus():
    check({entry_point}, PLUS)
"""
_FURTHER = {
    "nested_tuples": """

def nested_tuples(value):
    return tuple(map(nested_tuples, value)) if isinstance(value, list) else value
""",
    "surface_of_pyramid": """

def surface_of_pyramid(base, height):
    return round(base**2 + 4 * (base * math.sqrt((base / 2) ** 2 + height**2)) / 2)
""",
    "distance_of_padded_digits": """

def distance_of_padded_digits(first, second):
    length = max(len(str(first)), len(str(second)))
    return sum(abs(int(a) - int(b)) for a, b in zip(str(first).zfill(length), str(second).zfill(length)))
""",
}
"""Functions that some of the expressions above call."""


def _convert(row: Row) -> Task:
    task_id, prompt, entry_point = row.identifier("task_id"), row.text("prompt"), row.text("entry_point")
    if not entry_point.isidentifier():
        raise row.error("entry_point", "is not the name of a function")
    reference = prompt + row.text("canonical_solution")
    return Task(
        case={
            "id": task_id,
            "name": f"{task_id} {entry_point}",
            "prompt": prompt,
            "language": "python",
            "tags": [PLUS_TAG],
            "reference_solution": reference,
            "expectations": {"test_file": _test_file(row, task_id, entry_point, reference)},
        },
        solutions=(Solution(model="canonical", text=reference),),
    )


def _test_file(row: Row, task_id: str, entry_point: str, reference: str) -> str:
    kind, _, number = task_id.partition("/")
    is_mbpp = kind.lower() == "mbpp"
    comparisons = _MBPP_COMPARISONS if is_mbpp else _HUMANEVAL_COMPARISONS
    restored = _RESTORE.get(int(number), "inputs") if is_mbpp and number.isdecimal() else "inputs"
    agrees = comparisons.get(entry_point)
    # MBPP+ compares exactly or closely even where it has a comparison of its own; HumanEval+ does not
    if agrees is None:
        agrees = "equal_or_close(found, expected)"
    elif is_mbpp:
        agrees = f"({agrees}) or bool(TOLERANCE) and equal_or_close(found, expected)"
    plus = row.items("plus_input")
    text = _TESTS + (_PLUS_TEST if plus else "")
    return text.format(
        tolerance=row.number("atol", 0),
        base=_inputs(row, "base_input"),
        plus=_inputs(row, "plus_input"),
        reference=_reference_function(row, entry_point, reference),
        restored=restored,
        agrees=agrees,
        further="".join(code for name, code in _FURTHER.items() if re.search(rf"\b{name}\b", restored + agrees)),
        entry_point=entry_point,
    )


def _reference_function(row: Row, entry_point: str, reference: str) -> str:
    """Return a function that makes the canonical one, whose names must not be mixed up with the sample's."""
    try:
        body = ast.parse(reference).body
    except (SyntaxError, ValueError, RecursionError) as error:
        raise row.error("canonical_solution", f"cannot be parsed after the prompt: {error}") from None
    function = ast.parse(f"def make_reference():\n    return {entry_point}").body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = [*body, *function.body]
    return ast.unparse(function)


def _inputs(row: Row, key: str) -> str:
    inputs: list[Any] = row.items(key)
    if not all(isinstance(each, list) for each in inputs):
        raise row.error(key, "must be a list of lists of arguments")
    return json.dumps(inputs, ensure_ascii=False)


EVALPLUS = Format(
    name="evalplus",
    title="EvalPlus: HumanEval+ and MBPP+, whole or mini",
    convert=_convert,
    recognises=lambda row: has_keys(row, "task_id", "prompt", "entry_point", "base_input", "plus_input"),
    timeout_secs=10.0,
)
