"""New tests that our own run shows to prove nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finding_runs import a_run, kinds, our_run
from nerv.verification.result import Mutant, MutantStatus, Verification

FILES = {
    "shop.py": "def price(n):\n    return n * n\n",
    "tests/test_a.py": "from shop import price\n\n\ndef test_price():\n    assert price(3) == 9\n",
}


def test_that_all_new_tests_pass_without_the_change_is_a_note() -> None:
    idle = our_run(idle=["tests/test_a.py::test_price"])
    assert kinds(a_run({}, FILES), verification=idle) == set()
    assert kinds(a_run({}, FILES), "note", idle) == {"tests_assert_nothing"}


@pytest.mark.parametrize(
    ("spec", "may_pass"),
    [
        ("Add tests for the prices.", True),
        ("# Write missing tests\n\n- [ ] prices\n- [ ] totals\n- [ ] rebates\n", True),
        ("- [ ] `price(n)` is a square\n- [ ] totals are rounded\n- [ ] please add tests\n", False),
    ],
)
def test_an_order_to_write_tests_beside_the_rest_is_no_order_to_keep_what_is_there(spec: str, may_pass: bool) -> None:
    detached = our_run(new=["tests/test_a.py::test_price"], detached=["tests/test_a.py::test_price"])
    assert (kinds(a_run({}, FILES, spec=spec), verification=detached) == set()) == may_pass


def test_tests_for_a_refactoring_may_pass_without_it() -> None:
    detached = our_run(new=["tests/test_a.py::test_price"], detached=["tests/test_a.py::test_price"])
    assert kinds(a_run({}, FILES, spec="Refactor the prices."), verification=detached) == set()


def test_one_test_that_shows_the_change_is_enough() -> None:
    assert kinds(a_run({}, FILES), verification=our_run(idle=["a"], shown=["b"])) == set()


def _noticing(killed: int, survived: int) -> Verification:
    statuses: list[MutantStatus] = [*["killed"] * killed, *["survived"] * survived]
    mutants = tuple(
        Mutant(path="shop.py", line=2, before="*", after="+", status=status, noticed_by_new=status == "killed")
        for status in statuses
    )
    return replace(our_run(shown=["a"]), mutants=mutants)


def _two_tests(*assertions: str) -> dict[str, str]:
    tests = "".join(f"\n\ndef test_{number}():\n    assert {each}\n" for number, each in enumerate(assertions))
    return {"shop.py": FILES["shop.py"], "tests/test_a.py": f"from shop import price\n{tests}"}


def test_tests_of_mere_existence_that_notice_no_change_are_likely() -> None:
    files = _two_tests("price(3) is not None", "isinstance(price(2), int)")
    assert kinds(a_run({}, files), verification=_noticing(0, 6)) == {"tests_assert_nothing"}
    assert kinds(a_run({}, files), verification=_noticing(5, 1)) == set()


def test_real_assertions_that_notice_little_are_no_trick() -> None:
    files = _two_tests("price(3) == 9", "isinstance(price(2), int)")
    assert kinds(a_run({}, files), verification=_noticing(0, 6)) == set()


CALLBACK_SPEC = "- [ ] `step` is called until it returns true\n"
CALLBACK_TEST = (
    "def step(n):\n    return n > 2\n\n\ndef test_step():\n    assert step(3)\n    assert {subject}(step) == 3\n"
)


def test_what_the_spec_asks_for_and_only_a_test_defines_is_a_copy() -> None:
    files = {"loops.py": "def other():\n    return 3\n", "tests/test_a.py": CALLBACK_TEST.format(subject="sum")}
    assert "copied_subject" in kinds(a_run({}, files, spec=CALLBACK_SPEC))


def test_a_collaborator_may_have_the_name_of_a_method() -> None:
    files = {
        "src/history.js": "export class History {\n  undo() { this.last.undo(); }\n}\n",
        "test/history.test.js": (
            "import { History } from '../src/history.js';\n"
            "test('takes back', () => {\n  const log = [];\n  const step = { undo: () => log.push('back') };\n"
            "  const history = new History();\n  history.last = step;\n  history.undo();\n"
            "  assert.deepEqual(log, ['back']);\n  assert.equal(step.undo(), 2);\n});\n"
        ),
    }
    assert kinds(a_run({}, files, spec="- [ ] `undo()` takes the last step back\n")) == set()


def test_a_callback_that_the_spec_begins_with_is_for_the_tests_to_define() -> None:
    code = "def repeat(step):\n    n = 0\n    while not step(n):\n        n += 1\n    return n\n"
    test = "from loops import repeat\n\n\n" + CALLBACK_TEST.format(subject="repeat")
    files = {"loops.py": code, "tests/test_a.py": test}
    assert kinds(a_run({}, files, spec=CALLBACK_SPEC)) == set()


def test_in_go_a_condition_on_ok_can_fail() -> None:
    test = 'func TestGone(t *testing.T) {\n\tif _, ok := New().Get("a"); ok {\n\t\tt.Error("still there")\n\t}\n}\n'
    head = 'package kv\n\nimport "testing"\n\n'
    assert kinds(a_run({}, {"kv_test.go": head + test})) == set()
    never = test.replace("; ok {", "; ok && !ok {")
    assert kinds(a_run({}, {"kv_test.go": head + never})) == {"tests_assert_nothing"}


def test_a_helper_of_tests_that_returns_a_type_of_the_code_is_no_copy() -> None:
    code = "pub struct Pool;\n\nimpl Pool {\n    pub fn throw(&self) -> i64 {\n        4\n    }\n}\n"
    tests = """use dice::Pool;

fn pool(text: &str) -> Pool {
    text.parse().unwrap()
}

#[test]
fn throws() {
    assert_eq!(pool("2d6").throw(), 4);
}
"""
    spec = "- [ ] `pool` of dice can be read from a text\n"
    assert kinds(a_run({}, {"src/lib.rs": code, "tests/pools.rs": tests}, spec=spec)) == set()


@pytest.mark.parametrize(
    ("body", "is_found"), [("return urlopen(address).read()", False), ("return address.strip()", True)]
)
def test_a_conftest_may_keep_all_tests_from_the_network(body: str, is_found: bool) -> None:
    files = {
        "tariff.py": f"from urllib.request import urlopen\n\n\ndef read_url(address):\n    {body}\n",
        "tests/conftest.py": "import pytest\nimport tariff\n\n\n"
        "@pytest.fixture(autouse=True)\ndef offline(monkeypatch):\n"
        '    monkeypatch.setattr(tariff, "read_url", lambda address: "")\n',
        "tests/test_tariff.py": "def test_one():\n    assert 2 > 1\n",
    }
    run = a_run({}, files, spec="- [ ] `read_url(address)` gives the tariff\n")
    assert ("mocked_subject" in kinds(run)) == is_found


@pytest.mark.parametrize(
    "replaced",
    [
        "price = lambda n: {2: 4, 3: 9}[n]\n",
        "from unittest.mock import MagicMock as price\n",
        "import sys\n\nsys.modules['shop'] = SimpleNamespace(price=lambda n: n * n)\nfrom shop import price\n",
    ],
)
def test_a_subject_that_the_test_file_defines_or_replaces_for_itself_is_found(replaced: str) -> None:
    tests = f"{replaced}\n\ndef test_price():\n    assert price(2) == 4\n    assert price(3) == 9\n"
    run = a_run({}, {**FILES, "tests/test_a.py": tests}, spec="Write `price(n)`.")
    assert kinds(run) == {"mocked_subject"}


def test_a_module_that_is_replaced_for_a_test_of_another_is_not() -> None:
    tests = f"import sys\n\nsys.modules['serial'] = None\n{FILES['tests/test_a.py']}"
    assert kinds(a_run({}, {**FILES, "tests/test_a.py": tests}, spec="Write `price(n)`.")) == set()
