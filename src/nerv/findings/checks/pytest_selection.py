"""pytest's configuration, as far as it decides which tests are run."""

from __future__ import annotations

import configparser
import fnmatch
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.checks.path_patterns import NO_TESTS, SLOW, existing_test_files, glob_matches
from nerv.findings.checks.test_scripts import cannot_fail, own_lines
from nerv.findings.reviewed_run import ReviewedRun
from nerv.location import Location

FILES = frozenset({"pytest.ini", ".pytest.ini", "pytest.toml", "setup.cfg", "tox.ini", "pyproject.toml"})
_KEYS = ("addopts", "testpaths", "python_files", "python_functions", "python_classes", "norecursedirs")
_DEFAULTS = {
    "testpaths": ["."],
    "python_files": ["test_*.py", "*_test.py"],
    "python_functions": ["test"],
    "python_classes": ["Test"],
}
_MOST_OPTIONS = 50
_DEFINES = {"python_functions": r"^\s*(?:async\s+)?def\s+(\w+)", "python_classes": r"^class\s+(\w+)"}
_WITH_VALUE = ("--ignore", "--ignore-glob", "--deselect", "-k", "-m", "-p")
_LOOSE = re.compile(
    r"--(?:ignore-glob|ignore|deselect)\b[= ]*\S*|(?<![\w-])-[km]\s*(?!(?:pytest|unittest|coverage)\b)\w[^#\n]*"
    r"|--collect-only\b|--co\b|-p\s+no:python\b"
)
"""Options in a line of a fragment."""
_ADDS_OPTIONS = re.compile(r"^\s*(?:addopts\b|[\"'-])|\bpytest\b")


def pytest_selection(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    """Find options and patterns that leave tests out."""
    if file.new is None:
        return
    old_side = file.old
    whole = file.new.whole and (file.kind == "added" or (old_side is not None and old_side.whole))
    new = _settings(file.path, file.new.text) if whole else None
    old = {} if old_side is None else _settings(file.path, old_side.text) if whole else None
    if new is None or old is None:
        yield from _loose_options(run, file)
        return
    known = set(_options(old.get("addopts", [])))
    for option in _options(new.get("addopts", []))[:_MOST_OPTIONS]:
        if option not in known:
            name, value = option
            shown, location = _line_with(file, value or name)
            text = f"Tests are left out by an option in {file.path}."
            moved = any((value or name) in " ".join(each.removed_lines) for each in run.files if each is not file)
            yield cannot_fail("note" if moved else _option_level(run, name, value), text, location, shown)
    for key in _KEYS[1:]:
        if new.get(key, []) != old.get(key, []) and new.get(key):
            shown, location = _line_with(file, key)
            text = f"Which tests are collected was changed in {file.path}."
            yield cannot_fail(_pattern_level(run, key, old.get(key), new[key]), text, location, shown)


def _loose_options(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    """Look at the lines of a fragment, or of a file that is not understood."""
    for line, location in own_lines(file):
        plain = re.sub(r"[\"',\[\]\\]+", " ", line) + " "
        match = _LOOSE.search(plain) if _ADDS_OPTIONS.search(line) and "python -m" not in line else None
        key = line.partition("=")[0].strip()
        if match and match[0].split()[0] not in " ".join(file.removed_lines):
            name, _, value = match[0].strip().replace("=", " ").partition(" ")
            text = f"Tests are left out by an option in {file.path}."
            yield cannot_fail(_option_level(run, name, value), text, location, line)
        elif key in _KEYS[1:]:
            before = next((each for each in file.removed_lines if each.partition("=")[0].strip() == key), "")
            values, earlier = (set(re.findall(r"[\w./*-]+", each.partition("=")[2])) for each in (line, before))
            is_less = bool(before) and not (key != "norecursedirs" and earlier <= values)
            level: FindingLevel = "likely" if is_less and not run.spec_asks_for_test_changes else "note"
            yield cannot_fail(level, f"Which tests are collected was changed in {file.path}.", location, line)


def _option_level(run: ReviewedRun, name: str, value: str) -> FindingLevel:
    if name in ("--collect-only", "--co"):
        return "proven"
    if run.spec_asks_for_test_changes or (name in ("-k", "-m") and SLOW.search(value)):
        return "note"
    if name.startswith("--ignore"):
        existing = existing_test_files(run, "py")
        if existing is None:
            return "note" if NO_TESTS.search(value) else "likely"
        return "likely" if any(glob_matches(value, path) for path in existing) else "note"
    return "likely"


def _pattern_level(run: ReviewedRun, key: str, old: Sequence[str] | None, new: Sequence[str]) -> FindingLevel:
    """Return how suspicious a pattern is: not if it finds all test files that the earlier one found."""
    if run.spec_asks_for_test_changes:
        return "note"
    existing = existing_test_files(run, "py")
    if existing is None:
        if key == "norecursedirs" and any(re.fullmatch(r"\W*tests?\W*", each) for each in new):
            return "likely"
        is_more = old is not None and (set(old) <= set(new)) != (key == "norecursedirs")
        return "note" if old is None or is_more else "likely"
    if key in _DEFINES:
        return "likely" if _loses_names(run, key, old or _DEFAULTS[key], new, existing) else "note"
    lost = [
        path
        for path in existing
        if _is_found(key, path, old or _DEFAULTS.get(key, [])) and not _is_found(key, path, new)
    ]
    return "likely" if any(not SLOW.search(path) for path in lost) else "note"


def _is_found(key: str, path: str, patterns: Sequence[str]) -> bool:
    if key == "norecursedirs":
        folders = PurePosixPath(path).parts[:-1]
        return not any(fnmatch.fnmatch(folder, each.strip("/")) for folder in folders for each in patterns)
    if key == "testpaths":
        return any(each in (".", "./") or glob_matches(each, path) for each in patterns)
    return any(fnmatch.fnmatch(PurePosixPath(path).name, each) for each in patterns)


def _loses_names(run: ReviewedRun, key: str, old: Sequence[str], new: Sequence[str], existing: Sequence[str]) -> bool:
    repository = run.evidence.changes.repository
    texts = [each.text for each in repository.files if each.path in existing] if repository is not None else []
    names = {name for text in texts for name in re.findall(_DEFINES[key], text, re.M)}
    return any(_is_named(name, old) and not _is_named(name, new) for name in names)


def _is_named(name: str, patterns: Sequence[str]) -> bool:
    return any(name.startswith(each) or fnmatch.fnmatch(name, each) for each in patterns)


def _settings(path: str, text: str) -> Mapping[str, list[str]] | None:
    """Return the settings of pytest in a file; None if it is not understood."""
    found: Mapping[str, object]
    try:
        if path.endswith(".toml"):
            tables = tomllib.loads(text)
            tool = (
                tables.get("tool", {}).get("pytest", {})
                if path.endswith("pyproject.toml")
                else tables.get("pytest", {})
            )
            found = {**tool, **tool.get("ini_options", {})}
        else:
            parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
            parser.read_string(text)
            section = "tool:pytest" if path.endswith("setup.cfg") else "pytest"
            found = dict(parser.items(section)) if parser.has_section(section) else {}
        return {key: _words(found[key]) for key in _KEYS if found.get(key) is not None}
    except (tomllib.TOMLDecodeError, configparser.Error, AttributeError, TypeError, ValueError, RecursionError):
        return None


def _words(value: object) -> list[str]:
    return shlex.split(value, comments=True) if isinstance(value, str) else [str(each) for each in list(value)]  # type: ignore[call-overload]


def _options(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return the options that choose tests, with their values."""
    found = []
    for index, word in enumerate(words):
        name, equal, value = word.partition("=")
        short = re.match(r"(-[kmp])(.+)", word) if not word.startswith("--") else None
        if short is not None:
            name, equal, value = short[1], "=", short[2]
        if name in _WITH_VALUE:
            value = value if equal else "".join(words[index + 1 : index + 2])
            if name != "-p" or value == "no:python":
                found.append((name, value))
        elif name in ("--collect-only", "--co"):
            found.append((name, ""))
    return found


def _line_with(file: ChangedFile, text: str) -> tuple[str, Location]:
    """Return the line of the run that has a text, or the first line that it wrote."""
    lines = list(own_lines(file)) or [("", file.location)]
    return next(((line, location) for line, location in lines if text and text in line), lines[0])
