"""Blocks of Rust, put together."""

import pytest

from forgetest.toolchains.rust.answer.items import items
from forgetest.toolchains.rust.answer.program import combine_blocks

TRAIT_IMPL = "struct A;\n\nimpl Trait for A {\n    fn a(&self) {}\n    fn b(&self) {}\n}\n"


def program(*blocks: str) -> str | None:
    assembled = combine_blocks([items(block) for block in blocks])
    return None if assembled is None else "".join(item.text for item in assembled).rstrip("\n") + "\n"


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        pytest.param(["fn a() {}\n"], "fn a() {}\n", id="one"),
        pytest.param(["fn a() {}\n", "fn b() {}\n"], "fn a() {}\n\nfn b() {}\n", id="complementary"),
        pytest.param(["fn a() { 1 }\n", "fn a() { 2 }\n"], "fn a() { 2 }\n", id="new-version"),
        pytest.param(["struct A;\n", "enum A {}\n"], "enum A {}\n", id="same-name-other-kind"),
        pytest.param(["fn a() { 1 }\nfn main() {}\n", "fn a() { 2 }\n"], "fn a() { 2 }\n", id="main-is-incidental"),
        pytest.param(["fn a() { 1 }\n\nfn b() {}\n", "fn a() { 2 }\n"], "fn b() {}\n\nfn a() { 2 }\n", id="patch"),
        pytest.param(
            ["fn a() { 1 }\n", "fn a() { todo!() }\nfn c() {}\n"], "fn a() { 1 }\n\nfn c() {}\n", id="outline"
        ),
        pytest.param(["fn a() {}\n", "let x = a();\n"], "fn a() {}\n", id="statements"),
        pytest.param(["fn a() {}\n", "fn b() {\n"], "fn a() {}\n", id="cut-off"),
        pytest.param(["use k::a;\nfn main() {}\n", "pub fn a() {}\n"], "pub fn a() {}\n", id="another-file-first"),
        pytest.param(
            ["use x::B;\nfn a() { B }\n", "fn a() { B; B }\n"], "use x::B;\n\nfn a() { B; B }\n", id="import-kept"
        ),
        pytest.param(["use x::B;\nfn a() { B }\n", "fn a() { 1 }\n"], "fn a() { 1 }\n", id="import-not-needed"),
        pytest.param([TRAIT_IMPL, "impl Trait for A {\n    fn a(&self) { 1 }\n}\n"], TRAIT_IMPL, id="part-of-a-trait"),
        pytest.param(
            ["struct A;\nimpl A {\n    fn a() {}\n}\n", "impl A {\n    fn a() { 1 }\n    fn b() {}\n}\n"],
            "struct A;\n\nimpl A {\n    fn a() { 1 }\n    fn b() {}\n}\n",
            id="fuller-impl",
        ),
        pytest.param(["let x = 1;\n"], None, id="no-items"),
        pytest.param(["fn a() {}\nlet x = a();\n", "fn main() {}\n"], None, id="what-matters-is-not-whole"),
    ],
)
def test_blocks_become_one_program(blocks, expected):
    assert program(*blocks) == expected
