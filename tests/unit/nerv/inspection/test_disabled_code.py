"""Every function that the run wrote is made to fail, and the rest stays as it is."""

from __future__ import annotations

import pytest

from nerv.inspection.disabled_code import disable_code
from nerv.inspection.languages import language_of, parse, walk

PROGRAMS = {
    "a.py": ("def f(x):\n    '''Say.'''\n    for y in x:\n        yield y\n", 'raise RuntimeError("disabled")'),
    "b.py": ("class A:\n    def f(self): return 1\n", 'raise RuntimeError("disabled")'),
    "a.js": ("const f = (x) => x.map((y) => ({ y }));\n", 'throw new Error("disabled");'),
    "b.ts": ("export class A { m(): number { return 2; } }\n", 'throw new Error("disabled");'),
    "a.go": ("package a\n\nfunc (q *Queue) F() int {\n\treturn 1\n}\n", 'panic("disabled");'),
    "a.rs": ("impl A { pub fn g(&self) -> i32 { 1 } }\n", 'panic!("disabled");'),
    "A.java": ("class A { int f() { return 1; } }\n", 'if (true) throw new RuntimeException("disabled");'),
}


@pytest.mark.parametrize("path", PROGRAMS)
def test_functions_fail_and_the_program_stays_valid(path):
    text, failure = PROGRAMS[path]
    found = disable_code(path, text, range(1, 20))
    assert found is not None
    assert found.count(failure.encode()) == 1
    language = language_of(path)
    assert language is not None
    assert not any(node.type == "ERROR" or node.is_missing for node in walk(parse(language, found.decode())))


def test_functions_that_the_run_did_not_write_are_left_alone():
    text = "def old():\n    return 1\n\n\ndef new():\n    return 2\n"
    found = disable_code("a.py", text, {6})
    assert found is not None
    assert found.decode() == text.replace("return 2", 'raise RuntimeError("disabled")\n    return 2')


@pytest.mark.parametrize(("path", "text"), [("a.py", "LIMIT = 3\n"), ("a.txt", "def f(): pass\n")])
def test_a_file_without_functions_or_parser_cannot_be_disabled(path, text):
    assert disable_code(path, text, {1}) is None


def test_a_constructor_in_java_is_left_alone():
    assert disable_code("A.java", "class A { A() { super(); } }\n", {1}) is None
