"""Which test runs say something about the change: those that cover it, after its last edit."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from nerv.evidence import FileEdits, TestSuiteRun
from nerv.inspection.source import extension, is_test_path
from nerv.location import Moment

_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "testing", "unit", "integration", "e2e"})
_DOCUMENTS = frozenset({"", "md", "rst", "txt", "adoc", "png", "svg", "lock", "gitignore"})


def covers(run: TestSuiteRun, changed: Collection[str]) -> bool:
    """Return whether a run covers one of the changed files: it runs the whole suite, or tests that belong to them."""
    return not run.targets or not changed or any(_is_about(target, changed) for target in run.targets)


def last_source_edit(edits: Iterable[FileEdits], changed: Collection[str]) -> Moment | None:
    """Return when code other than tests was last edited, among the files of the result; None if that is not known."""
    last: Moment | None = None
    for edit in edits:
        own = not changed or any(_same(edit.path, path) for path in changed)
        if not own or not edit.exact or not edit.moments or is_test_path(edit.path):
            continue
        if extension(edit.path) not in _DOCUMENTS and (last is None or last.before(edit.moments[-1])):
            last = edit.moments[-1]
    return last


def _is_about(target: str, changed: Collection[str]) -> bool:
    named = _as_path(target)
    if not named or (PurePosixPath(named).suffix == "" and PurePosixPath(named).name in _TEST_FOLDERS):
        return True
    stem = _subject(named)
    package = _package(named)
    for path in changed:
        if _same(named, path) or path.startswith(f"{named}/") or f"/{named}/" in f"/{path}":
            return True
        if stem and (stem == _subject(path) or stem in path.split("/")):
            return True
        if package and f"/{path}".startswith(f"/{package}/"):
            return True
    return False


def _as_path(target: str) -> str:
    """Return the file or folder of a target: without test names, and a dotted module as a path."""
    path = (
        target.partition("::")[0]
        .partition("[")[0]
        .replace("\\", "/")
        .removeprefix("./")
        .removesuffix("...")
        .rstrip("/")
    )
    if "/" not in path and path.count(".") >= 1 and extension(path) not in _CODE:
        path = path.replace(".", "/")
    return path


_CODE = frozenset(
    {"py", "js", "jsx", "ts", "tsx", "mjs", "cjs", "go", "rs", "java", "rb", "php", "c", "cc", "cpp", "sh", "kt"}
)


def _subject(path: str) -> str:
    """Return the name of what a test file is about: `login` for `test_login.py` and `login.test.ts`."""
    name = PurePosixPath(path).name.partition(".")[0].lower()
    for affix in ("test_", "tests_", "spec_"):
        name = name.removeprefix(affix)
    for affix in ("_test", "_tests", "_spec", "tests", "test", "spec"):
        name = name.removesuffix(affix) or name
    return name.strip("_-")


def _package(path: str) -> str:
    """Return the folder that a test belongs to, without folders for tests; empty at the root."""
    parts = list(PurePosixPath(path).parts[:-1]) if PurePosixPath(path).suffix else list(PurePosixPath(path).parts)
    while parts and parts[-1].lower() in _TEST_FOLDERS:
        parts.pop()
    return "/".join(parts)


def _same(one: str, other: str) -> bool:
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")
