"""What the mutations of every language share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forgetest import mutation
from forgetest.mutation import Edit, Mutation, replaced


def a_mutation(number: int, operator: str = "constant", line: int = 1) -> Mutation:
    return Mutation(operator=operator, line=line, start=0, end=1, before="a", after="b", code=f"code {number}")


def test_edits_are_applied_at_bytes_and_not_at_characters():
    assert mutation.apply('é = "ü"', [Edit(5, 9, "1")]) == "é = 1"


def test_a_change_to_the_same_text_is_no_mutation():
    root = mutation.parse("tree_sitter_python", "x = 1\n")
    same = {"same": lambda node: [replaced(node, "1")] if node.type == "integer" else []}

    assert mutation.mutations("x = 1\n", root, same, lambda _: False) == []


def test_operators_that_make_the_same_program_make_one_mutation():
    root = mutation.parse("tree_sitter_python", "\nx = 1\n")
    change = {name: lambda node: [replaced(node, "2")] if node.type == "integer" else [] for name in ("one", "other")}

    [found] = mutation.mutations("\nx = 1\n", root, change, lambda _: False)

    assert (found.operator, found.line, found.before, found.after, found.code) == ("one", 2, "1", "2", "\nx = 2\n")


def test_a_selection_has_every_operator_before_any_has_two():
    found = [a_mutation(n, "constant", n) for n in range(20)] + [
        a_mutation(20, "twin", 3),
        a_mutation(21, "boolean", 4),
    ]

    chosen = mutation.select(found, 4, seed=0)

    assert sorted(each.operator for each in chosen) == ["boolean", "constant", "constant", "twin"]


def test_a_selection_is_spread_over_lines():
    found = [a_mutation(n, line=1) for n in range(20)] + [a_mutation(n, line=n) for n in range(20, 23)]

    assert {each.line for each in mutation.select(found, 4, seed=0)} == {1, 20, 21, 22}


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 5)), unique=True), st.integers(1, 20), st.integers(0, 9)
)
def test_a_selection_is_the_same_each_time_and_as_large_as_possible(kinds: list[tuple[str, int]], most: int, seed: int):
    found = [a_mutation(number, *kind) for number, kind in enumerate(kinds)]

    chosen = mutation.select(found, most, seed)

    assert chosen == mutation.select(found, most, seed)
    assert len(chosen) == min(most, len(found))
    assert chosen == sorted(chosen, key=found.index)


def test_functions_are_found_in_containers_but_not_in_functions():
    code = "class C:\n    def m(self):\n        def inner():\n            pass\n\ndef f():\n    pass\n"
    root = mutation.parse("tree_sitter_python", code)
    found = mutation.functions(root, "function_definition", ("class_definition", "block"))
    assert [mutation.text_of(node.child_by_field_name("name")) for node, _ in found] == ["m", "f"]
