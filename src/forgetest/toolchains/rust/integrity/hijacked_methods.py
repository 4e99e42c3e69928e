"""Methods of a sample that take the place of std's in the tests.

A trait in scope of the tests, with a method that takes `self` and has a name of std's, comes before the method of std
if that one needs a reference or a dereference. A case may ask for such a trait: its reference solution has it, too.

And a type in the place of an `Option` or a `Result` can have an `is_none()` that says whatever it likes, which no
control shows: nothing is expected of it but a truth.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from forgetest.toolchains.rust.source.lexer import Token, tokens
from forgetest.toolchains.rust.source.outline import OutlineItem, outline
from forgetest.verdict import Finding

# fmt: off
STD_METHODS = frozenset(
    {
        "abs", "abs_diff", "add", "all", "all_equal", "and", "and_then", "any", "append", "as_bytes",
        "as_deref", "as_micros", "as_millis", "as_mut", "as_mut_slice", "as_nanos", "as_ref", "as_secs",
        "as_secs_f32", "as_secs_f64", "as_slice", "as_str", "back", "back_mut", "binary_search",
        "binary_search_by", "bits", "borrow", "borrow_mut", "by_ref", "bytes", "capacity", "ceil", "chain",
        "char_indices", "chars", "checked_add", "checked_div", "checked_mul", "checked_sub", "chunks",
        "chunks_exact", "clamp", "clear", "clone", "cloned", "cmp", "cmp_by", "collect", "concat", "contains",
        "contains_key", "copied", "copy_from_slice", "cos", "count", "count_ones", "cycle", "dedup", "deref",
        "deref_mut", "difference", "div", "drain", "duration_since", "elapsed", "ends_with", "entry",
        "enumerate", "eq", "eq_ignore_ascii_case", "err", "escape_debug", "exp", "expect", "expect_err",
        "extend", "extend_from_slice", "fill", "filter", "filter_map", "find", "find_map", "first", "first_mut",
        "flat_map", "flatten", "floor", "fmt", "fold", "for_each", "from", "front", "front_mut", "ge", "get",
        "get_mut", "get_or_insert", "get_or_insert_with", "gt", "hash", "hypot", "insert", "insert_str",
        "inspect", "intersection", "into", "into_boxed_str", "into_bytes", "into_inner", "into_iter",
        "into_keys", "into_string", "into_values", "is_alphabetic", "is_alphanumeric", "is_ascii",
        "is_char_boundary", "is_digit", "is_disjoint", "is_empty", "is_eq", "is_err", "is_finite", "is_gt",
        "is_infinite", "is_lowercase", "is_lt", "is_nan", "is_ne", "is_negative", "is_none", "is_numeric",
        "is_ok", "is_positive", "is_some", "is_some_and", "is_sorted", "is_subset", "is_superset",
        "is_uppercase", "is_whitespace", "iter", "iter_mut", "join", "keys", "last", "last_mut", "le",
        "leading_zeros", "len", "lines", "ln", "load", "lock", "log", "log10", "log2", "lt", "map", "map_err",
        "map_or", "map_or_else", "map_while", "match_indices", "matches", "max", "max_by", "max_by_key", "min",
        "min_by", "min_by_key", "mul", "ne", "neg", "next", "next_back", "not", "nth", "ok", "ok_or",
        "ok_or_else", "or", "or_default", "or_else", "or_insert", "or_insert_with", "parse", "partial_cmp",
        "partition", "peek", "peekable", "poll", "pop", "pop_back", "pop_front", "position", "pow", "powf",
        "powi", "product", "ptr_eq", "push", "push_back", "push_front", "push_str", "range", "read", "recv",
        "reduce", "rem", "rem_euclid", "remove", "repeat", "replace", "replacen", "reserve", "resize", "retain",
        "rev", "reverse", "rfind", "rotate_left", "rotate_right", "round", "rsplit", "saturating_add",
        "saturating_mul", "saturating_sub", "scan", "send", "set", "signum", "sin", "skip", "skip_while",
        "sort", "sort_by", "sort_by_key", "sort_unstable", "sort_unstable_by", "splice", "split", "split_at",
        "split_first", "split_last", "split_off", "split_once", "split_whitespace", "splitn", "sqrt",
        "starts_with", "step_by", "store", "strip_prefix", "strip_suffix", "strong_count", "sub", "sum", "swap",
        "swap_remove", "symmetric_difference", "take", "take_while", "tan", "then", "then_some",
        "to_ascii_lowercase", "to_ascii_uppercase", "to_be_bytes", "to_bits", "to_digit", "to_le_bytes",
        "to_lowercase", "to_owned", "to_string", "to_uppercase", "to_vec", "total_cmp", "trailing_zeros",
        "trim", "trim_end", "trim_matches", "trim_start", "trunc", "truncate", "try_borrow", "try_from",
        "try_into", "try_lock", "try_recv", "union", "unwrap", "unwrap_err", "unwrap_or", "unwrap_or_default",
        "unwrap_or_else", "unzip", "update", "upgrade", "values", "values_mut", "weak_count", "windows",
        "with_capacity", "wrapping_add", "wrapping_mul", "wrapping_sub", "write", "zip",
    }
)
# fmt: on
"""Methods of std that tests use to look at results."""


_OF_OPTION_AND_RESULT = frozenset({"is_none", "is_some", "is_some_and", "is_ok", "is_err", "unwrap_err"})
"""Methods that only say what a value is, and that no other type of std has."""
_MARKS_OF_STAND_INS = frozenset(
    spelling for word in (*_OF_OPTION_AND_RESULT, "Deref") for spelling in (word, f"r#{word}")
)
"""Words without which a sample has none of these methods of its own."""


def stand_ins(found: Sequence[Token], test_text: str, reference: str | None) -> Iterator[Finding]:
    """Find types that tests could take for an `Option` or a `Result`, unless the reference solution has one, too.

    Such a sample may be right, so it is not refused; but its word is all there is, so it is not verified.
    """
    if _MARKS_OF_STAND_INS.isdisjoint(token.text for token in found):
        return
    called = _uses_of_tests(test_text)[0] & _OF_OPTION_AND_RESULT
    if not called:
        return
    own = _own_answers(found, called)
    if reference is not None:
        own -= _own_answers(tokens(reference), called)
    if own:
        detail = f"has its own {', '.join(sorted(own))}, which the tests take for std's"
        yield Finding(kind="own_answers", concern="unsound", detail=detail, forbids=False)


def _own_answers(found: Sequence[Token], called: Collection[str]) -> set[str]:
    """Return the methods of these names that a sample defines, be it by a macro, or hands on by `Deref`."""
    words = [token.text.removeprefix("r#") for token in found]
    own = {word for before, word in pairwise(words) if word in called and before not in (".", "::")}
    targets = re.findall(r"\btype Target = ([^;{}]{0,200});", " ".join(words)) if "Deref" in words else []
    if any(re.search(r"\b(?:Option|Result)\b", target) for target in targets):
        own |= set(called)
    return own


def findings(
    found: Sequence[Token], test_text: str, in_scope: Collection[str], reference: str | None
) -> Iterator[Finding]:
    """Find traits with methods that take precedence over std's, and implementations for types that are not its own.

    Only one that the tests see, and that the reference solution does without, makes a sample incorrect.
    """
    if not any(token.text == "trait" for token in found):
        return
    called, has_globs = _uses_of_tests(test_text)
    if not called:
        return
    items = outline(found)
    known = {} if reference is None else _trait_methods(outline(tokens(reference)))
    own = {after.text for token, after in pairwise(found) if token.text in ("struct", "enum", "union")}
    methods = {name: found_methods & called for name, found_methods in _trait_methods(items).items()}
    for item in items:
        if item.keyword == "trait" and (item.holds_macros or "$" in _names(item)):
            detail = "puts a trait together by macros, where nobody sees its methods"
            yield Finding(kind="shadowed_method", detail=detail, forbids=False)
        if item.keyword != "impl" or (target := _foreign_target(item, methods, own)) is None:
            continue
        name, is_blanket = target
        taken = methods[name] - known.get(name, set())
        is_seen = name in in_scope or has_globs
        if taken and (is_blanket or is_seen):
            detail = f"the trait {name} brings other people's types its own {', '.join(sorted(taken))}"
            yield Finding(kind="shadowed_method", detail=detail, forbids=is_seen and reference is not None)


def _names(item: OutlineItem) -> set[str]:
    return {item.name, *(function.name for function in item.functions)}


@functools.lru_cache(maxsize=256)  # samples of a case are often judged one after the other
def _uses_of_tests(test_text: str) -> tuple[frozenset[str], bool]:
    """Return the methods of std that the tests call, and whether they import everything from a module."""
    tested = tokens(test_text)
    return frozenset(called_methods(tested) & STD_METHODS), _has_module_globs(tested)


def called_methods(tested: Sequence[Token]) -> set[str]:
    """Return the names of the methods that a text calls."""
    return {after.text for token, after in pairwise(tested) if token.text == "." and after.is_name}


def _has_module_globs(tested: Sequence[Token]) -> bool:
    """Return whether the tests import everything from a module, which may be the sample's: all but `super::*`."""
    words = " ".join(token.text for token in tested)
    return (
        re.search(r"\w+ :: \*|\} :: \*", re.sub(r"\bsuper :: \*|\b(?:std|core|alloc) (?::: \w+ )*:: \*", "", words))
        is not None
    )


def _trait_methods(items: Sequence[OutlineItem]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for item in items:
        if item.keyword == "trait":
            found.setdefault(item.name, set()).update(function.name for function in item.functions)
    return found


def _foreign_target(item: OutlineItem, methods: dict[str, set[str]], own: Collection[str]) -> tuple[str, bool] | None:
    """Return the trait of an implementation for another's type, and whether it is for every type; else None."""
    head = item.head
    if "for" not in head:
        return None
    at = len(head) - 1 - head[::-1].index("for")
    name = next((word.removeprefix("r#") for word in head[:at] if methods.get(word.removeprefix("r#"))), None)
    target = head[at + 1 : head.index("where", at) if "where" in head[at:] else len(head)]
    if name is None or (set(own) - set(head[:at])) & set(target):
        return None
    is_blanket = len([word for word in target if word.isidentifier()]) == 1 and target[-1] in head[:at]
    return name, is_blanket
