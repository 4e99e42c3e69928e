"""Two tests of a shop in five languages, for tests of what a run did to existing tests."""

from __future__ import annotations

from finding_runs import a_run
from nerv.evidence import Evidence

PYTHON = """import pytest
from shop import price


def test_one_item():
    assert price(2) == 4


def test_many_items():
    total = price(3)
    assert total == 9
    assert total > 0
"""
JAVASCRIPT = """import { price } from "../src/price";

describe("price", () => {
  it("prices one item", () => {
    expect(price(2)).toBe(4);
  });

  it("prices many items", () => {
    const total = price(3);
    expect(total).toEqual(9);
    expect(total).toBeGreaterThan(0);
  });
});
"""
RUST = """use shop::price;

#[test]
fn prices_one_item() {
    assert_eq!(price(2), 4);
}

#[test]
fn prices_many_items() {
    let total = price(3);
    assert_eq!(total, 9);
    assert!(total > 0);
}
"""
GO = """package shop

import "testing"

func TestOneItem(t *testing.T) {
	if Price(2) != 4 {
		t.Errorf("wrong")
	}
}

func TestManyItems(t *testing.T) {
	total := Price(3)
	if total != 9 {
		t.Fatalf("got %d", total)
	}
}
"""
JAVA = """class ShopTest {
  @Test
  void oneItem() {
    assertEquals(4, price(2));
  }

  @Test
  void manyItems() {
    int total = price(3);
    assertEquals(9, total);
    assertTrue(total > 0);
  }
}
"""
TESTS = {
    "tests/test_shop.py": PYTHON,
    "tests/price.test.ts": JAVASCRIPT,
    "tests/price.rs": RUST,
    "shop_test.go": GO,
    "src/test/ShopTest.java": JAVA,
}


def changed(path: str, old: str, new: str, *, spec: str = "Make the shop work.", whole: bool = True) -> Evidence:
    before = TESTS[path]
    assert old in before
    return a_run({path: before}, {path: before.replace(old, new)}, spec=spec, whole=whole)


def last_test(path: str) -> str:
    """Return the second test of a file, with its mark."""
    starts = {
        "tests/test_shop.py": "def test_many",
        "tests/price.test.ts": '  it("prices many',
        "tests/price.rs": "#[test]\nfn prices_many",
        "shop_test.go": "func TestMany",
        "src/test/ShopTest.java": "  @Test\n  void many",
    }
    text = TESTS[path]
    end = len(text.removesuffix("});\n").removesuffix("}\n")) if path.endswith((".ts", ".java")) else len(text)
    return text[text.index(starts[path]) : end]
