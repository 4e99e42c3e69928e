"""Conditions under which compilers build tests: whether they hold on Linux, without options that nobody passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

IsOn = Callable[[str], bool]
"""Whether a feature of a Rust package is on, or one that its code needs as well."""

_LONGEST = 400
"""Characters of a condition; somebody who writes a longer one does not mean it to be read."""
_RUST_TOKEN = re.compile(r'\s*(?:(?P<name>\w+)(?:\s*=\s*"(?P<value>[^"]*)")?|(?P<sign>[(),]))')
_RUST_TRUE = frozenset({"test", "unix", "debug_assertions", "panic"})
_RUST_VALUES = {
    "target_os": {"linux"},
    "target_family": {"unix"},
    "target_arch": {"x86_64", "aarch64"},
    "target_pointer_width": {"64"},
    "target_endian": {"little"},
    "target_env": {"gnu", "musl"},
    "panic": {"unwind"},
}
_GO_TOKEN = re.compile(r"\s*(?P<token>\|\||&&|[!()]|[\w.]+)")
_GO_TRUE = re.compile(r"linux|unix|amd64|arm64|cgo|gc|go1(?:\.\d+)?|true")
_GO_ELSEWHERE = re.compile(
    r"_(?:windows|darwin|freebsd|netbsd|openbsd|plan9|solaris|illumos|aix|android|ios|js|wasip1|dragonfly"
    r"|386|arm|mips\w*|ppc64\w*|riscv64|s390x|wasm|loong64)_test\.go$"
)
_GO_BUILD = re.compile(r"^//go:build\s+(.+)$", re.M)
_GO_OLDER = re.compile(r"^//\s*\+build\s+(.+)$", re.M)


def rust_holds(condition: str, is_on: IsOn) -> bool:
    """Return whether what stands between the brackets of `cfg(…)` holds; true for what is not understood."""
    if len(condition) > _LONGEST:
        return True
    tokens = [match.groupdict() for match in _RUST_TOKEN.finditer(condition)]
    try:
        return _rust_value(iter(tokens), is_on)
    except (StopIteration, RuntimeError):  # it ends early, or is nested too deeply
        return True


def _rust_value(tokens: Iterator[dict[str, str | None]], is_on: IsOn) -> bool:
    token = next(tokens)
    name = token["name"] or ""
    if name in ("all", "any", "not"):
        next(tokens)
        values = list(_rust_list(tokens, is_on))
        return all(values) if name == "all" else any(values) if name == "any" else not all(values)
    if token["value"] is None:
        return name in _RUST_TRUE
    return is_on(token["value"]) if name == "feature" else token["value"] in _RUST_VALUES.get(name, ())


def _rust_list(tokens: Iterator[dict[str, str | None]], is_on: IsOn) -> Iterator[bool]:
    """Yield the values up to the bracket that ends a list."""
    for token in tokens:
        if token["sign"] == ")":
            return
        if token["sign"] != ",":
            yield _rust_value(_with(token, tokens), is_on)


def _with(first: dict[str, str | None], rest: Iterator[dict[str, str | None]]) -> Iterator[dict[str, str | None]]:
    yield first
    yield from rest


def go_holds(text: str) -> bool:
    """Return whether the build constraints of a Go file hold."""
    match = _GO_BUILD.search(text)
    if match is not None and len(match[1]) > _LONGEST:
        return True
    if match is not None:
        return _go_or([each["token"] for each in _GO_TOKEN.finditer(match[1])])
    return all(
        any(all(_go_term(term) for term in option.split(",")) for option in line.split())
        for line in _GO_OLDER.findall(text)
    )


def is_built_elsewhere(path: str) -> bool:
    """Return whether a Go file is for another system or processor by its name."""
    return _GO_ELSEWHERE.search(path) is not None


def _go_term(term: str) -> bool:
    return (_GO_TRUE.fullmatch(term.lstrip("!")) is not None) != term.startswith("!")


def _go_or(tokens: list[str]) -> bool:
    value = _go_and(tokens)
    while tokens[:1] == ["||"]:
        tokens.pop(0)
        other = _go_and(tokens)
        value = value or other
    return value


def _go_and(tokens: list[str]) -> bool:
    value = _go_not(tokens)
    while tokens[:1] == ["&&"]:
        tokens.pop(0)
        other = _go_not(tokens)
        value = value and other
    return value


def _go_not(tokens: list[str]) -> bool:
    word = tokens.pop(0) if tokens else "true"
    if word == "!":
        return not _go_not(tokens)
    if word == "(":
        value = _go_or(tokens)
        if tokens[:1] == [")"]:
            tokens.pop(0)
        return value
    return _GO_TRUE.fullmatch(word) is not None
