"""Verification of projects whose tests take longer than they may."""

from __future__ import annotations

import secrets
import shutil

import pytest

from nerv.verification.verify import VerificationOptions, verify
from verified_projects import make_repository

pytestmark = [
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.timeout(600),
]

BASE = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = "."\n',
    "shop/price.py": "def price():\n    return 1\n",
    "tests/test_price.py": "from shop.price import price\n\n\ndef test_price():\n    assert price() > 0\n",
    **{f"shop/part{number}.py": "def part():\n    return 1\n" for number in range(10)},
    **{
        f"tests/test_part{number}.py": f"from shop.part{number} import part\n\n\ndef test_part():\n    assert part()\n"
        for number in range(10)
    },
    "tests/test_endurance.py": "def test_endurance():\n    while True:\n        pass\n",
}
CHANGE = {
    "shop/price.py": "def price():\n    return 1\n\n\ndef sale():\n    return price() / 2\n",
    "tests/test_sale.py": "from shop.price import sale\n\n\ndef test_sale():\n    assert sale() == 0.5\n",
}


def test_only_the_tests_that_the_change_is_about_are_run(tmp_path):
    said: list[str] = []
    source = make_repository(tmp_path / "r", BASE, CHANGE)
    options = VerificationOptions(cpu_s=4.0, tests="test -f tests/test_endurance.py && test -f tests/test_part1.py")
    found = verify(source, options, said.append)
    assert (found.verified, found.vetoes, found.removed) == (True, (), ())
    assert found.shown == ("tests/test_sale.py::test_sale",)
    assert found.accepted  # acceptance tests see all files
    ran = [set(suite.outcomes) for suite in found.suites if suite.source == "base"]
    assert ran == [{"tests/test_price.py::test_price"}] * 2
    note = "the base's tests did not end within the time limit (--test-timeout 4), so only 2 of 13 test files, those "
    assert found.notes == (f"{note}that the change is about, were run",)
    assert any(message.endswith("trying 2 of 13 test files, those that the change is about") for message in said)


@pytest.mark.slow
def test_what_breaks_them_cannot_pass_and_the_late_base_is_not_run_twice(tmp_path):
    broken = {**CHANGE, "shop/price.py": "def price():\n    return 0\n\n\ndef sale():\n    return 0.5\n"}
    base = {**BASE, "README.md": secrets.token_hex()}  # never seen before
    for folder, result, verified in (("r", CHANGE, True), ("s", broken, False)):
        said: list[str] = []
        found = verify(make_repository(tmp_path / folder, base, result), VerificationOptions(cpu_s=4.0), said.append)
        assert found.verified is verified
        assert found.broken == (() if verified else ("tests/test_price.py::test_price",))
        on_base = [message for message in said if "the base's tests on the base (" in message]
        assert len(on_base) == (2 if verified else 0)  # both suites of the base are known by then


@pytest.mark.slow
def test_if_the_tests_about_the_change_take_as_long_all_are_run(tmp_path):
    endless = {**BASE, "tests/test_price.py": BASE["tests/test_endurance.py"]}
    found = verify(make_repository(tmp_path / "r", endless, CHANGE), VerificationOptions(cpu_s=3.0), lambda _: None)
    assert found.verified is None
    assert found.notes == ()
    assert [suite.problem for suite in found.suites[:1]] == ["the tests did not end within the time limit"]
