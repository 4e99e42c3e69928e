"""Test files in which the code of the run is where tests have put a double of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from nerv.inspection.undone_doubles import replaceable_names, undo_doubles
from small_suites import passed_by_pytest

ALL = range(1, 200)
SHOP = """
import os
from urllib.request import urlopen


def price(n):
    return n * n


def total(items):
    return sum(price(each) for each in items) + int(os.environ.get("SHOP_FEE", "0"))


def ask(name):
    return urlopen(name)


def rate():
    return ask("rate")


class Till:
    def count(self, n):
        return n + 1
"""
TESTS = """
import os
from unittest.mock import patch

import shop
from shop import Till


class OwnTill(Till):
    def count(self, n):
        return 9


class Noting(Till):
    def count(self, n):
        return super().count(n)


def test_subclass():
    assert OwnTill().count(3) == 9


def test_patch():
    with patch("shop.price", return_value=5):
        assert shop.total([1]) == 5


@patch("shop.price", side_effect=[5])
def test_decorator(price):
    assert shop.total([1]) == 5
    assert price.call_count == 1


@patch("shop.price", lambda n: 5)
def test_new():
    assert shop.total([1]) == 5


def test_setattr(monkeypatch):
    monkeypatch.setattr(shop, "price", lambda n: 5)
    assert shop.total([1]) == 5


def test_variable(monkeypatch):
    monkeypatch.setenv("SHOP_FEE", "4")
    assert shop.total([1]) == 5


def test_outside(monkeypatch):
    monkeypatch.setattr(shop, "ask", lambda name: 7)
    assert shop.rate() == 7


def test_noting():
    assert Noting().count(3) == 4


def test_assigned():
    kept = shop.price
    shop.price = lambda n: 5
    try:
        assert shop.total([1]) == 5
    finally:
        shop.price = kept
"""


def test_what_reaches_for_the_world_outside_may_be_replaced() -> None:
    names = replaceable_names([("shop.py", SHOP, ALL)])
    assert names == {"price", "count", "Till", "$SHOP_FEE"}
    assert replaceable_names([("shop.py", SHOP, {6})]) == {"price"}


def test_python(tmp_path: Path) -> None:
    names = replaceable_names([("shop.py", SHOP, ALL)])
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "test_shop.py").write_bytes(undo_doubles("test_shop.py", TESTS, names) or b"")
    assert passed_by_pytest(tmp_path / "test_shop.py") == {"test_outside", "test_noting"}


JAVASCRIPT = """
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { shop, Till } from "./shop.mjs";

class OwnTill extends Till { count(n) { return 9; } }

test("subclass", () => assert.equal(new OwnTill().count(3), 9));
test("method", () => {
  mock.method(shop, "price", () => 5);
  assert.equal(shop.price(3), 5);
});
test("assigned", () => {
  shop.price = () => 5;
  assert.equal(shop.price(3), 5);
});
test("variable", () => {
  process.env.SHOP_FEE = "4";
  assert.equal(shop.fee(), 4);
});
test("real", () => assert.equal(new Till().count(3), 4));
"""
SHOP_JS = """
export const shop = {
  price(n) { return n * n; },
  fee() { return Number(process.env.SHOP_FEE ?? 0); },
};
export class Till { count(n) { return n + 1; } }
"""


def test_javascript(tmp_path: Path) -> None:
    names = replaceable_names([("shop.mjs", SHOP_JS, ALL)])
    assert names == {"price", "count", "Till", "$SHOP_FEE"}
    (tmp_path / "shop.mjs").write_text(SHOP_JS)
    (tmp_path / "a.test.mjs").write_bytes(undo_doubles("a.test.mjs", JAVASCRIPT, names) or b"")
    command = [shutil.which("node") or "node", "--test", "--test-reporter=tap", "a.test.mjs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    lines = {line.strip().rpartition(" - ")[2]: line.strip().startswith("ok") for line in done.stdout.splitlines()}
    shown = [lines[name] for name in ("subclass", "method", "assigned", "variable", "real")]
    assert shown == [False, False, False, False, True], done.stdout


SHOP_GO = """package shop

import "os"

type finder func(n int) int

var find finder = scan

func scan(n int) int { return n * n }

func Fee() string { return os.Getenv("SHOP_FEE") }

type Till struct{}

func (t Till) Count(n int) int { return n + 1 }
"""
GO = """package shop

import (
	"os"
	"testing"
)

type ownTill struct{ Till }

func (t ownTill) Count(n int) int { return 9 }

type noting struct{ Till }

func (t noting) Count(n int) int { return t.Till.Count(n) }

func TestVariable(t *testing.T) {
	previous := find
	find = func(int) int { return 5 }
	defer func() { find = previous }()
	if find(3) != 5 {
		t.Error(find(3))
	}
}

func TestEmbedded(t *testing.T) {
	if got := (ownTill{}).Count(3); got != 9 {
		t.Error(got)
	}
}

func TestNoting(t *testing.T) {
	if got := (noting{}).Count(3); got != 4 {
		t.Error(got)
	}
}

func TestFee(t *testing.T) {
	t.Setenv("SHOP_FEE", "4")
	os.Setenv("SHOP_FEE", "4")
	if Fee() != "4" {
		t.Error(Fee())
	}
}
"""


def test_go(tmp_path: Path) -> None:
    names = replaceable_names([("shop.go", SHOP_GO, ALL)])
    assert names == {"finder", "find", "scan", "Till", "Count", "$SHOP_FEE"}
    (tmp_path / "shop.go").write_text(SHOP_GO)
    (tmp_path / "go.mod").write_text("module shop\n\ngo 1.21\n")
    undone = (undo_doubles("shop_test.go", GO, names) or b"").replace(b'\t"os"\n', b"")
    (tmp_path / "shop_test.go").write_bytes(undone)
    command = [shutil.which("go") or "go", "test", "-v", "./..."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    found = {line.split()[2]: line.split()[1] for line in done.stdout.splitlines() if line.startswith("---")}
    expected = {"TestVariable": "FAIL:", "TestEmbedded": "FAIL:", "TestNoting": "PASS:", "TestFee": "FAIL:"}
    assert found == expected, done.stdout + done.stderr


@pytest.mark.parametrize(("path", "text"), [("a.rs", "fn a() {}"), ("test_a.py", "def test_a():\n    assert 1\n")])
def test_without_doubles_nothing_is_changed(path: str, text: str) -> None:
    assert undo_doubles(path, text, {"price"}) is None
