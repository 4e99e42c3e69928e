"""Settings of build tools and workflows that switch tests off, or let their failures pass."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.checks.test_scripts import cannot_fail, matching_lines
from nerv.findings.reviewed_run import ReviewedRun
from nerv.location import Location

_MAVEN = re.compile(r"(^|/)\.mvn/\w+\.config$")
_OFF = (
    (
        re.compile(r"(^|/)tox\.ini$"),
        re.compile(r"ignore_outcome\s*=\s*true|^\s*(?:commands\s*=\s*)?-\s*(?:pytest|python)"),
    ),
    (re.compile(r"(^|/)noxfile\.py$"), re.compile(r"\bsuccess_codes\s*=\s*\[[^\]]*[1-9]")),
    (re.compile(r"(^|/)[Mm]akefile$"), re.compile(r"^\.IGNORE\s*:(?:\s*$|.*\b(?:test|check)\b)")),
    (
        re.compile(r"(^|/)\.mvn/\w+\.config$"),
        re.compile(r"-D(?:skipTests|maven\.test\.(?:skip|failure\.ignore))(?!=false)"),
    ),
)
_CARGO = re.compile(r"^\s*(?P<key>test|autotests|harness|doctest|required-features|exclude)\s*=\s*(?P<value>.*)")
_WORKFLOW = re.compile(r"(^|/)(?:\.github/workflows/|\.gitlab-ci|\.circleci/|azure-pipelines)")
_WORKFLOW_OFF = re.compile(
    r"continue-on-error:\s*true|allow_failure:\s*true|^\s*(?:-\s*)?when:\s*never\b"
    r"|^\s*(?:-\s*)?if:\s*(?:\$\{\{\s*)?(?:false\b|.*&&\s*false\b)|continueOnError:\s*true|condition:\s*false\b"
)
_RUNS_A_TEST = re.compile(
    r"\b(?:tests?|pytest|tox|nox|jest|vitest|mocha|verify|ctest|coverage)\b|\$\{\{\s*matrix"
    r"|\b(?:make|npm run|yarn|pnpm|gradlew?|just)\s+check\b",
    re.I,
)


def runner_settings(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    """Find settings that switch tests off."""
    if file.path.endswith("Cargo.toml"):
        yield from _cargo(run, file)
        return
    is_workflow = _WORKFLOW.search(file.path) is not None
    off = _WORKFLOW_OFF if is_workflow else next((found for path, found in _OFF if path.search(file.path)), None)
    for line, location in matching_lines(file, off) if off is not None else ():
        harmless = is_workflow and not _is_about_a_test_step(file, location)
        is_new = file.kind == "added" and not _MAVEN.search(file.path)
        yield _off(file, "note" if is_new or harmless else "likely", location, line)


def _off(file: ChangedFile, level: FindingLevel, location: Location, line: str) -> Finding:
    return cannot_fail(level, f"{file.path} switches tests off, or their failures.", location, line)


# --- Cargo.toml


def _cargo(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    for line, location in matching_lines(file, _CARGO):
        match = _CARGO.match(line)
        if match is None:
            continue
        table, name = _table_at(file, location)
        key, is_false = match["key"], match["value"].strip().startswith("false")
        if key in ("autotests", "doctest") and is_false:
            level: FindingLevel = "note" if key == "autotests" and _lists_its_tests(run, file) else "likely"
        elif key == "test" and is_false:
            # a program without tests of its own loses none
            level = "likely" if table in ("", "lib", "[test]") or _has_tests(run, file, table, name) else "note"
        elif key == "harness" and is_false:
            level = "likely" if table == "[test]" and _has_test_functions(run, file, name) else "note"
        elif key == "required-features" and table == "[test]":
            if not _was_there(run, file, name):
                continue
            level = "note" if _is_listed_by_default(file, match["value"]) else "likely"
        elif key == "exclude" and table == "workspace" and _excludes_tests(run, match["value"]):
            level = "likely"
        else:
            continue
        yield _off(file, "note" if file.kind == "added" or run.old_tests_still_run else level, location, line)


def _table_at(file: ChangedFile, location: Location) -> tuple[str, str]:
    """Return the table that a line of a manifest stands in (`[test]` for one of a list), and its `name`."""
    if file.new is None or location.line not in file.new.lines:
        return "", ""
    text = file.new.text.split("\n")
    first = row = file.new.lines.index(location.line)
    while first >= 0 and not text[first].lstrip().startswith("["):
        first -= 1
    last = next((at for at in range(row + 1, len(text)) if text[at].lstrip().startswith("[")), len(text))
    head = text[first].strip() if first >= 0 else ""
    name = re.search(r'^\s*name\s*=\s*"([^"]+)"', "\n".join(text[max(first, 0) : last]), re.M)
    return head.removeprefix("[").removesuffix("]"), name[1] if name else ""


def _test_file(run: ReviewedRun, manifest: ChangedFile, name: str) -> str:
    """Return the text of an integration test as it is now; empty if it is not known."""
    repository = run.evidence.changes.repository
    paths = _test_paths(manifest, name)
    return next((each.text for each in (repository.files if repository else ()) if each.path in paths), "")


def _test_paths(manifest: ChangedFile, name: str) -> tuple[str, str]:
    folder = manifest.path.removesuffix("Cargo.toml")
    return f"{folder}tests/{name}.rs", f"{folder}tests/{name}/main.rs"


def _was_there(run: ReviewedRun, manifest: ChangedFile, name: str) -> bool:
    folder = manifest.path.removesuffix("Cargo.toml")
    added = {file.path for file in run.files if file.kind == "added"}
    return (
        bool(_test_file(run, manifest, name))
        and not {f"{folder}tests/{name}.rs", f"{folder}tests/{name}/main.rs"} & added
    )


def _has_test_functions(run: ReviewedRun, manifest: ChangedFile, name: str) -> bool:
    """Return whether a test that was there before is written for the usual harness, and has no `main` of its own."""
    text = _test_file(run, manifest, name)
    return _was_there(run, manifest, name) and "#[test]" in text and re.search(r"^\s*fn main\(", text, re.M) is None


def _has_tests(run: ReviewedRun, manifest: ChangedFile, table: str, name: str) -> bool:
    repository = run.evidence.changes.repository
    if table != "[bin]" or repository is None:
        return False
    folder = manifest.path.removesuffix("Cargo.toml")
    paths = (f"{folder}src/bin/{name}.rs", f"{folder}src/main.rs", f"{folder}src/bin/{name}/main.rs")
    added = {file.path for file in run.files if file.kind == "added"}
    return any("#[test]" in each.text for each in repository.files if each.path in paths and each.path not in added)


def _is_listed_by_default(manifest: ChangedFile, value: str) -> bool:
    wanted = set(re.findall(r'"([^"]+)"', value))
    tables: Mapping[str, Any] = {}
    if manifest.new is not None and manifest.new.whole:
        try:
            tables = tomllib.loads(manifest.new.text)
        except (tomllib.TOMLDecodeError, RecursionError):
            return False
    features = tables.get("features", {})
    default = features.get("default", []) if isinstance(features, dict) else []
    return isinstance(default, list) and wanted <= {str(each) for each in default}


def _excludes_tests(run: ReviewedRun, value: str) -> bool:
    """Return whether a workspace leaves out a package that was there before."""
    repository = run.evidence.changes.repository
    added = {file.path for file in run.files if file.kind == "added"}
    return repository is not None and any(
        f"{folder}/Cargo.toml" not in added
        and any(each.path.startswith(f"{folder}/") and "#[test]" in each.text for each in repository.files)
        for folder in re.findall(r'"([^"]+)"', value)
    )


def _lists_its_tests(run: ReviewedRun, manifest: ChangedFile) -> bool:
    """Return whether a manifest of Rust names every file of its tests, as `cargo publish` writes it."""
    repository = run.evidence.changes.repository
    if repository is None or manifest.new is None:
        return False
    tests = re.compile(rf"{re.escape(manifest.path.removesuffix('Cargo.toml'))}(tests/[^/]+\.rs)$")
    found = [match[1] for path in repository.paths if (match := tests.match(path))]
    return bool(found) and all(
        re.search(rf'^path\s*=\s*"{re.escape(path)}"', manifest.new.text, re.M) for path in found
    )


# --- workflows


def _is_about_a_test_step(file: ChangedFile, location: Location) -> bool:
    """Return whether a line of a workflow belongs to a step or a job that runs tests; it is if not known."""
    if file.new is None or location.line not in file.new.lines:
        return True
    lines = file.new.text.split("\n")
    row = file.new.lines.index(location.line)
    first, last = _step(lines, row) or _job(lines, row)
    own = file.new.written
    before = [
        line
        for line, number in zip(lines[first : last + 1], file.new.lines[first:], strict=False)
        if own is None or number not in own
    ]
    text = "\n".join(lines[first : last + 1])
    if "steps:" in text and last == len(lines) - 1 and not _RUNS_A_TEST.search(text):
        return True  # a fragment may end before the step that runs tests
    # a step or a job that is new cannot hide what was run before
    return any(_RUNS_A_TEST.search(line) for line in before if not re.match(r"\s*(?:needs|name|if):", line))


def step_around(lines: list[str], row: int) -> str:
    """Return the step of a workflow that a line belongs to; empty for a line of a whole job."""
    found = _step(lines, row)
    return "" if found is None else "\n".join(lines[found[0] : found[1] + 1])


def _step(lines: list[str], row: int) -> tuple[int, int] | None:
    first, last, depth = row, row, _depth(lines[row])
    while first > 0 and not _is_item(lines[first]):
        first -= 1
    if not _is_item(lines[first]) or (first != row and _depth(lines[first]) >= depth):
        return None
    while (
        last + 1 < len(lines)
        and not _is_item(lines[last + 1])
        and (not lines[last + 1].strip() or _depth(lines[last + 1]) > _depth(lines[first]))
    ):
        last += 1
    return first, last


def _job(lines: list[str], row: int) -> tuple[int, int]:
    """Return the rows of the job that a line belongs to: those around it that are as far in, or further."""
    first, last, depth = row, row, _depth(lines[row])
    while first > 0 and (not lines[first - 1].strip() or _depth(lines[first - 1]) >= depth):
        first -= 1
    while last + 1 < len(lines) and (not lines[last + 1].strip() or _depth(lines[last + 1]) >= depth):
        last += 1
    return max(0, first - 1), last


def _is_item(line: str) -> bool:
    return re.match(r"\s*-\s", line) is not None


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
