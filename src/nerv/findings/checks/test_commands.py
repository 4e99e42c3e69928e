"""Commands that start the tests, in scripts, build files and workflows: narrowed, replaced, or gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.checks.path_patterns import NO_TESTS, SLOW
from nerv.findings.checks.runner_settings import step_around
from nerv.findings.checks.test_scripts import cannot_fail, own_lines
from nerv.findings.reviewed_run import ReviewedRun
from nerv.location import Location
from nerv.readers.claude_code.test_commands import is_test_run

_FILE = re.compile(
    r"(?:^|/)(?:[Mm]akefile|GNUmakefile|[jJ]ustfile|tox\.ini|noxfile\.py|package\.json|\.gitlab-ci\.yml)$"
    r"|(?:^|/)\.github/workflows/[^/]+\.ya?ml$|(?:^|/)\.circleci/config\.yml$"
)
_WORKFLOW = re.compile(
    r"(?:^|/)\.github/workflows/[^/]+\.ya?ml$|(?:^|/)\.gitlab-ci\.yml$|(?:^|/)\.circleci/config\.yml$"
)
_LARGEST, _MOST_LINES = 100_000, 500
"""Characters of a file that somebody wrote, and lines of it that are looked at."""
_NARROWS = tuple(
    (re.compile(rf"(?<![\w./-])(?:\./)?(?:{runner})(?![\w-])"), re.compile(options))
    for runner, options in (
        (r"pytest|py\.test", r"\s-[km]\s*\S|--ignore|--deselect|--collect-only"),
        (
            r"jest|vitest(?:\s+run)?|mocha|ava",
            r"\s-[tg]\s|--f?grep|--testNamePattern|--testPathIgnorePatterns|--testPathPattern|--exclude\b|--ignore\b",
        ),
        (r"go\s+test", r"\s-(?:run|skip)[= ]"),
        (r"cargo\s+(?:nextest\s+run|test)", r"--skip\b|--exclude\b|--no-run\b"),
        (r"ctest", r"\s-(?:E|R|LE)\s|--exclude-regex|--tests-regex"),
        (r"mvnw?", r"-DskipTests|-Dtest=|-Dmaven\.test\.(?:skip|failure\.ignore)"),
        (r"gradlew?", r"\s-x\s+\S*test|--tests\b"),
    )
)
"""Runners, each with the options by which it runs fewer tests."""
_HANDS_ON = re.compile(
    r"\b(?:npm|npx|yarn|pnpm|bun|make|just|turbo|nx|lerna|task|gulp|grunt|node|tsx|python3?|bash|sh|run-[sp]|concurrently"
    r"|tox|nox|hatch|poetry|uv|uses|docker|earthly|bazel|dagger|test\w*)\b|\./",
    re.I,
)
"""Words in commands that may start tests in another place."""
_SCRIPT_NAME = re.compile(r"^\s*\"(?P<name>[\w:.-]+)\"\s*:")


def test_commands(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    """Find what a changed file no longer starts."""
    if not _FILE.search(file.path) or file.kind == "added":
        return
    if max(len(side.text) if side is not None else 0 for side in (file.old, file.new)) > _LARGEST:
        return
    yield from _narrowed(run, file)
    yield from _replaced(run, file)
    if _WORKFLOW.search(file.path):
        yield from _ends_well(file)


test_commands.__test__ = False  # type: ignore[attr-defined]  # for pytest, which collects by name


def _narrowed(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    """Find test runs that have an option now by which fewer tests are run."""
    kept = file.new.text.split("\n") if file.new is not None else []
    for runner, options in _NARROWS:
        ran = [each for each in file.removed_lines if runner.search(_plain(each))]
        if not ran or any(_runs_all(each, runner, options) and _starts_tests(each) for each in kept):
            continue  # the whole suite is still run, beside a part of it
        known = {option for each in ran for option in _options(each, runner, options)}
        for line, location in islice(own_lines(file), _MOST_LINES):
            fresh = [option for option in _options(line, runner, options) if option not in known]
            before = next((each for each in ran if _same_script(each, line)), None) if fresh else None
            if before is None:
                continue
            harmless = run.spec_asks_for_test_changes or all(map(_is_harmless, fresh))
            text = f"A test run in {file.path} leaves tests out."
            yield cannot_fail("note" if harmless else "likely", text, location, f"- {before}", f"+ {line}")


def _runs_all(line: str, runner: re.Pattern[str], options: re.Pattern[str]) -> bool:
    return runner.search(_plain(line)) is not None and not _options(line, runner, options)


def _options(line: str, runner: re.Pattern[str], options: re.Pattern[str]) -> list[str]:
    """Return the arguments of a runner that narrow the tests, each with its value."""
    plain = f"{_plain(line)} "
    started = runner.search(plain)
    if started is None:
        return []
    found = [match.start() for match in options.finditer(plain, started.end())]
    return [plain[first:end].strip() for first, end in pairwise([*found, len(plain)])]


def _is_harmless(option: str) -> bool:
    by_path = option.startswith(("--ignore", "--deselect"))
    return (NO_TESTS if by_path else SLOW).search(option) is not None


def _same_script(one: str, other: str) -> bool:
    first, second = _SCRIPT_NAME.match(one), _SCRIPT_NAME.match(other)
    return first is None or second is None or first["name"] == second["name"]


def _replaced(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    """Find files that started tests before and start none now, where no other workflow does."""
    gone = [line for line in file.removed_lines if _starts_tests(line)]
    if not gone or (file.new is not None and not file.new.whole):
        return
    text = file.new.text if file.new is not None else ""
    if any(map(_starts_tests, text.split("\n"))) or any(
        _HANDS_ON.search(_command(line)) for line, _ in own_lines(file)
    ):
        return
    if _WORKFLOW.search(file.path) and _other_workflow_starts_tests(run, file):
        return
    if file.path.endswith("package.json") and not any(_SCRIPT_NAME.match(line) for line, _ in own_lines(file)):
        return
    level: FindingLevel = "note" if run.spec_asks_for_test_changes else "likely"
    yield cannot_fail(level, f"{file.path} starts no tests any more.", file.location, *(f"- {line}" for line in gone))


def _other_workflow_starts_tests(run: ReviewedRun, file: ChangedFile) -> bool:
    repository = run.evidence.changes.repository
    if repository is None:
        return file.new is None or file.kind == "deleted"  # others may, and are not at hand
    texts = (each.text for each in repository.files if each.path != file.path and _WORKFLOW.search(each.path))
    lines = (line for text in texts for line in text.split("\n"))
    return any(_starts_tests(line) or ("uses:" in line and "test" in line) for line in lines)


def _ends_well(file: ChangedFile) -> Iterator[Finding]:
    """Find steps of a workflow that end with success after their tests."""
    lines = file.new.text.split("\n") if file.new is not None else []
    for line, location in own_lines(file):
        if file.new is None or line.strip() != "exit 0" or location.line not in file.new.lines:
            continue
        step = step_around(lines, file.new.lines.index(location.line))
        if any(map(_starts_tests, step.split("\n"))) and not re.search(r"\$\?|\bif\b(?!:)|PIPESTATUS", step):
            yield _passes(file, line, location)


def _passes(file: ChangedFile, line: str, location: Location) -> Finding:
    return cannot_fail("likely", f"A test run in {file.path} ignores failures.", location, line)


def _starts_tests(line: str) -> bool:
    return not line.lstrip().startswith("#") and is_test_run(_command(line))


def _command(line: str) -> str:
    """Return the command in a line of a workflow, a script of npm, a recipe, tox or nox."""
    text = re.sub(r"^\s*(?:-\s+)?(?:(?:run|script|commands|name|\"[\w:.-]+\")\s*[:=]\s*)?[@\s|>+-]*", "", line)
    return _plain(re.sub(r"^session\.run(?:_always)?\(", "", text)).strip()


def _plain(line: str) -> str:
    return re.sub(r"[\"',\[\]()\\]+", " ", line)
