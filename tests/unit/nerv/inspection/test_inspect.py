"""The inspection finds what a reviewer would find, in five languages."""

from __future__ import annotations

import pytest

from nerv.changes import SourceText
from nerv.inspection import Inspection, inspect
from nerv.location import Location


def a_file(path: str, text: str, written: set[int] | None = None) -> SourceText:
    lines = tuple(range(1, text.count("\n") + 2))
    own = None if written is None else frozenset(written)
    return SourceText(path=path, text=text, whole=True, lines=lines, written=own, location=Location(file=path))


def look(path: str, text: str) -> Inspection:
    return inspect([a_file(path, text)])


def kinds(found: Inspection) -> list[str]:
    return sorted(issue.kind for issue in found.issues)


CLEAN = {
    "a.py": "def total(prices: list[int]) -> int:\n    # the shop rounds up\n    return sum(prices)\n",
    "a.ts": "export function total(prices: number[]): number {\n  // the shop rounds up\n  return prices.length;\n}\n",
    "a.js": "export function total(prices) {\n  return prices.length;\n}\n",
    "a.rs": "/// The sum.\npub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n",
    "a.go": "package shop\n\n// Total is the sum.\nfunc Total(prices []int) int {\n\treturn len(prices)\n}\n",
    "A.java": "class Shop {\n  int total(int[] prices) {\n    return prices.length;\n  }\n}\n",
}


@pytest.mark.parametrize("path", CLEAN)
def test_clean_code_has_no_issues(path: str) -> None:
    assert look(path, CLEAN[path]).issues == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "def TotalPrice(a: int) -> int:\n    return a\n"),
        ("a.ts", "export function total_price(a: number): number { return a; }\n"),
        ("a.rs", "pub fn totalPrice(a: u32) -> u32 { a }\n"),
        ("a.go", "package a\nfunc total_price(a int) int { return total_price(a) }\n"),
        ("A.java", "class shop_a { }\n"),
        ("a.py", "class shopping_cart:\n    size = 1\n"),
        ("a.py", "def foo2(a: int) -> int:\n    return a\n"),
    ],
)
def test_names_are_checked_against_the_convention_of_their_language(path: str, text: str) -> None:
    assert kinds(look(path, text)) == ["name"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "def total(prices) -> int:\n    return sum(prices)\n"),
        ("a.py", "def total(prices: list[int]):\n    return sum(prices)\n"),
        ("a.py", "from typing import Any\n\ndef total(prices: Any) -> int:\n    return sum(prices)\n"),
        ("a.py", "total: int = 'a'  # type: ignore\n"),
        ("a.ts", "export const prices: any[] = [];\n"),
        ("a.ts", "export const price = (input as unknown as number);\n"),
        ("a.ts", "export const price = basket!.price;\n"),
        ("a.ts", "// @ts-ignore\nexport const price: number = 'a';\n"),
        ("a.rs", "pub fn price(text: &str) -> u32 { text.parse().unwrap() }\n"),
        ("a.rs", "pub fn price(text: u64) -> u32 { text as u32 }\n"),
        ("a.go", "package a\nfunc Price(of interface{}) int { return 1 }\n"),
        ("a.go", "package a\nfunc Price(of string) int { n, _ := Atoi(of); return n }\n"),
        ("A.java", "class Shop { int price(Number of) { return (Integer) of; } }\n"),
    ],
)
def test_places_where_a_type_error_could_hide_are_found(path: str, text: str) -> None:
    assert set(kinds(look(path, text))) == {"types"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", 'TEXT = "the type is Any, said unwrap() as any"\n'),
        ("a.ts", "export const text = 'const x: any = y as any';\n"),
        ("a.rs", "#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() { assert_eq!(super::f().unwrap(), 1); }\n}\n"),
        ("tests/test_a.py", "def helper(prices):\n    return prices\n"),
    ],
)
def test_strings_and_tests_are_exempt_from_type_safety(path: str, text: str) -> None:
    assert "types" not in kinds(look(path, text))


@pytest.mark.parametrize(
    ("path", "comment"),
    [
        ("a.py", "# total = price * 2\n# print(total)\n"),
        ("a.ts", "// const total = price * 2;\n// send(total);\n"),
        ("a.rs", "// let total = price * 2;\n"),
        ("a.go", "package a\n\n// total := price * 2\n// send(total)\n"),
        ("A.java", "// int total = price * 2;\n// send(total);\n"),
        ("a.js", "/* if (price > 2) {\n  send(price);\n} */\n"),
    ],
)
def test_commented_out_code_is_code_that_parses(path: str, comment: str) -> None:
    assert kinds(look(path, comment)) == ["commented-out code"]


@pytest.mark.parametrize(
    "comment",
    [
        "# The price is a sum (with tax), see the shop's page.",
        "# one process a test: exit(0) must not end the others",
        "# returns nothing; raises KeyError",
        "# Note: this is O(n)",
        "# ------------------------------",
        "# pylint: disable=W0212",
    ],
)
def test_prose_is_not_commented_out_code(comment: str) -> None:
    assert look("a.py", f"{comment}\nprice: int = 1\n").issues == ()


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("a.py", "def price() -> int:\n    return 1\n    print(2)\n", "dead code"),
        ("a.ts", "export function price(): number { return 1; send(); }\n", "dead code"),
        ("a.py", "def _price() -> int:\n    return 1\n", "dead code"),
        ("a.rs", "fn price() -> u32 { 1 }\n", "dead code"),
        ("a.py", "import os\n\nprice: int = 1\n", "dead code"),
        ("a.ts", "import { send } from './send';\nexport const price = 1;\n", "dead code"),
        ("a.py", "price: int = 1  # TODO: ask the shop\n", "leftover"),
        ("a.ts", "export function price(): number { console.log(1); return 1; }\n", "leftover"),
        ("a.rs", "pub fn price() -> u32 { todo!() }\n", "leftover"),
        ("a.py", "def price() -> int:\n    raise NotImplementedError\n", "leftover"),
        ("a.test.ts", "it.skip('adds', () => { expect(add(1)).toBe(2); });\n", "leftover"),
        ("a.py", "try:\n    price: int = read()\nexcept ValueError:\n    pass\n", "swallowed error"),
        ("a.ts", "try { send(); } catch (error) {}\n", "swallowed error"),
        ("page.html", "<html lang='en'><title>Shop</title><img src='a.png'></html>", "accessibility"),
        ("page.html", "<html><title>Shop</title></html>", "accessibility"),
        ("Form.tsx", "export const Form = () => <input type='text' value={name} />;\n", "accessibility"),
    ],
)
def test_leftover_code_is_found(path: str, text: str, kind: str) -> None:
    assert kinds(look(path, text)) == [kind]


def test_a_long_and_complex_function_has_both_issues() -> None:
    branches = "".join(f"    if price == {number}:\n        sold += {number}\n" for number in range(40))
    found = look("a.py", f"def price_of(price: int) -> int:\n    sold = 0\n{branches}    return sold\n")
    assert kinds(found) == ["complex function", "long function"]
    assert {str(issue.location) for issue in found.issues} == {"a.py:1"}


BLOCK = """def {name}({argument}: list[int]) -> int:
    result = 0
    for value in {argument}:
        if value > 10:
            result += value * 2
        elif value < 0:
            result -= abs(value)
        else:
            result += min(value, 5)
    send(result, len({argument}))
    return result
"""


def test_a_copied_block_is_found_with_both_locations() -> None:
    text = BLOCK.format(name="first", argument="values") + "\n" + BLOCK.format(name="second", argument="values")
    (found,) = look("a.py", text).issues
    assert (found.kind, found.location.line) == ("duplicate", 13)
    assert "a.py:1" in found.text


def test_a_copy_in_another_file_is_found_whatever_the_order_of_files() -> None:
    one, two = (
        a_file("a.py", BLOCK.format(name="first", argument="a")),
        a_file("b.py", BLOCK.format(name="x", argument="a")),
    )
    assert inspect([one, two]) == inspect([two, one])
    assert [issue.location.file for issue in inspect([one, two]).issues] == ["b.py"]


def test_only_the_lines_that_the_run_wrote_count() -> None:
    text = "def old(prices):\n    return prices\n\n\ndef new(prices):\n    return prices\n"
    (found,) = inspect([a_file("a.py", text, written={5, 6})]).issues
    assert found.location.line == 5


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("tests/test_a.py", "def test_adds():\n    assert add(1, 2) == 3\n", ["test_adds"]),
        ("a.test.ts", "describe('add', () => { it('adds', () => { expect(add(1, 2)).toBe(3); }); });", ["adds"]),
        (
            "a.rs",
            "mod t {\n    #[test]\n    fn adds() { assert_eq!(add(1, 2), 3); }\n}\n",
            ["adds"],
        ),
        ("a_test.go", 'package a\nfunc TestAdds(t *testing.T) { if Add(1) != 2 { t.Error("no") } }\n', ["TestAdds"]),
        ("ATest.java", "class ATest { @Test void adds() { assertEquals(3, add(1, 2)); } }", ["adds"]),
        ("a.test.js", 'test("adds", () => { assert.equal(add(1, 2), 3); });\n', ["adds"]),
        ("a.test.js", 'test("refuses", () => { assert.throws(() => add("x"), TypeError); });\n', ["refuses"]),
        ("a.test.js", 'test("nothing", () => { add(1, 2); assert.ok(true); });\n', []),
        ("tests/a.rs", '#[test]\n#[should_panic(expected = "no")]\nfn panics() {\n    add(1);\n}\n', ["panics"]),
        ("tests/a.rs", "#[test]\nfn nothing() {\n    add(1);\n}\n", []),
        ("tests/test_a.py", "def test_nothing():\n    add(1, 2)\n", []),
        ("tests/test_a.py", "def test_true():\n    assert True\n", []),
        ("tests/test_a.py", "def test_constant():\n    assert 1 + 1 == 2\n", []),
        ("a.test.ts", "it('is true', () => { expect(true).toBe(true); });", []),
        ("a.test.ts", "it.skip('adds', () => { expect(add(1, 2)).toBe(3); });", []),
        ("a.rs", "#[test]\n#[ignore]\nfn adds() { assert_eq!(add(1, 2), 3); }\n", []),
        ("ATest.java", "class ATest { @Test @Disabled void adds() { assertEquals(3, add(1, 2)); } }", []),
    ],
)
def test_only_a_test_that_can_fail_counts(path: str, text: str, names: list[str]) -> None:
    assert [test.name for test in look(path, text).tests] == names


def test_the_table_of_a_parametrised_test_is_part_of_what_it_mentions() -> None:
    text = '@pytest.mark.parametrize("text", [("1h30m", 5_400)])\ndef test_parse(text):\n    assert parse(text)\n'
    (test,) = look("tests/test_a.py", text).tests
    assert "1h30m 5400" in test.mentions


def test_copies_of_a_test_under_other_names_count_once() -> None:
    text = "".join(f"def test_{number}():\n    assert add(1, 2) == 3\n\n" for number in range(10))
    assert len(look("tests/test_a.py", text).tests) == 1


@pytest.mark.parametrize(
    ("path", "text", "endpoint"),
    [
        ("a.ts", "router.post('/api/todos/:id', create);", "POST /api/todos/:id"),
        ("a.py", "@app.get('/api/todos')\ndef todos() -> list[int]:\n    return []\n", "GET /api/todos"),
        ("a.py", "@app.route('/api/todos', methods=['POST'])\ndef todos() -> int:\n    return 1\n", "POST /api/todos"),
        ("a.rs", 'fn main() { Router::new().route("/api/todos", get(todos)); }', "GET /api/todos"),
        ("a.go", 'package a\nfunc main() { mux.HandleFunc("GET /api/todos", todos) }', "GET /api/todos"),
        ("A.java", 'class A { @GetMapping("/api/todos") int todos() { return 1; } }', "GET /api/todos"),
        ("src/app/api/todos/route.ts", "export async function GET() { return 1; }", "ANY /api/todos"),
    ],
)
def test_endpoints_are_found_in_routes(path: str, text: str, endpoint: str) -> None:
    found = [definition.name for definition in look(path, text).definitions if definition.kind == "endpoint"]
    assert found == [endpoint]


def test_text_that_is_not_code_causes_no_error(capfd: pytest.CaptureFixture[str]) -> None:
    for text in ("", "\x00\x01", "((((" * 1_000, "if(a){" * 200, "a" + ".b()" * 200, "\ufffd" * 100, "/*", '"""'):
        for path in CLEAN:
            look(path, text)
    assert capfd.readouterr() == ("", "")


def test_the_constants_that_a_test_uses_are_part_of_what_it_mentions() -> None:
    code = 'CASES = {"1h30m": 5400}\nOTHERS = ["7w"]\n\n\ndef test_parse():\n    for text, seconds in CASES.items():\n'
    (test,) = look("tests/test_durations.py", f"{code}        assert parse(text) == seconds\n").tests
    assert "1h30m 5400" in test.mentions
    assert "7w" not in test.mentions


@pytest.mark.parametrize("expression", ["(" * 2_000 + "1" + ")" * 2_000, " + ".join(["a"] * 2_000)])
def test_code_that_is_nested_thousands_of_levels_deep_is_left_out(expression: str) -> None:
    assert look("a.py", f"def price(a: int) -> int:\n    return {expression}\n").not_looked_at == 1


def test_a_sum_of_a_hundred_terms_is_looked_at() -> None:
    assert look("a.py", f"def price(a: int) -> int:\n    return {' + '.join(['a'] * 100)}\n").not_looked_at == 0
