"""Runs for the tests of findings: files before and after, commands, last words."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

from nerv.actions import Actions, Command, Ending, Fetch, FileRead, Message
from nerv.changes import Repository, RepositoryFile
from nerv.evidence import Activity, Changes, Evidence, FileEdits, Subject, TestSuiteRun
from nerv.finding import LEVELS, Finding
from nerv.findings import find, find_outdated_tests
from nerv.findings.outdated.outdated_tests import OutdatedTests
from nerv.inspection import inspect
from nerv.location import Location, Moment
from nerv.readers.git import patch
from nerv.spec import markdown
from nerv.verification.result import SuiteResult, Verification

RECORDED: frozenset[Subject] = frozenset({"diff", "tests", "tools", "tokens"})


def moment(line: int) -> Moment:
    return Moment(location=Location(file="session.jsonl", line=line), ms=line * 1000)


def patch_text(before: Mapping[str, str], after: Mapping[str, str], context: int = 3) -> str:
    """Return the patch between two states of a repository, as git writes it."""
    lines: list[str] = []
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        lines.append(f"diff --git a/{path} b/{path}")
        if old is None:
            lines.append("new file mode 100644")
        elif new is None:
            lines.append("deleted file mode 100644")
        one, two = ("/dev/null" if old is None else f"a/{path}"), ("/dev/null" if new is None else f"b/{path}")
        texts = (old or "").splitlines(), (new or "").splitlines()
        lines += difflib.unified_diff(*texts, one, two, lineterm="", n=context)
    return "\n".join(lines) + "\n"


def a_command(line: int, text: str, output: str = "", exit_code: int | None = None) -> Command:
    failed = None if exit_code is None else exit_code != 0
    return Command(moment=moment(line), text=text, output=output, exit_code=exit_code, failed=failed)


def a_run(
    before: Mapping[str, str] | None = None,
    after: Mapping[str, str] | None = None,
    *,
    spec: str = "Make the shop work.",
    commands: Sequence[Command] = (),
    reads: Sequence[str] = (),
    fetches: Sequence[Fetch] = (),
    final: str | None = None,
    ending: Ending | None = None,
    runs: Sequence[TestSuiteRun] = (),
    edits: Sequence[tuple[str, int]] = (),
    whole: bool = True,
) -> Evidence:
    """Return the evidence of a run; with `whole`, the repository as it left it is at hand."""
    before, after = before or {}, after or {}
    text = patch_text(before, after)
    diff = patch.parse(((number, line.encode()) for number, line in enumerate(text.split("\n"), 1)), "git-diff.patch")
    repository = Repository(
        paths=tuple(sorted(after)),
        files=tuple(
            RepositoryFile(path=path, text=after[path], location=Location(file=path)) for path in sorted(after)
        ),
    )
    return Evidence(
        kind="claude-code",
        recorded=RECORDED,
        spec=markdown.parse(spec, "spec.md"),
        activity=Activity(
            test_runs=tuple(runs),
            edits=tuple(
                FileEdits(path=path, count=1, first=moment(line), moments=(moment(line),)) for path, line in edits
            ),
            actions=Actions(
                commands=tuple(commands),
                reads=tuple(FileRead(moment=moment(number), path=path) for number, path in enumerate(reads, 1)),
                fetches=tuple(fetches),
                final_message=None if final is None else Message(moment=moment(9_000), text=final),
                ending=ending,
            ),
        ),
        changes=Changes(diff=diff, repository=repository if whole else None),
    )


def found_in(evidence: Evidence, verification: Verification | None = None) -> tuple[Finding, ...]:
    return find(evidence, inspect(evidence.changes.written), verification)


def outdated(before: Mapping[str, str], after: Mapping[str, str], spec: str) -> OutdatedTests:
    """Return the tests before a change that cannot pass on what the spec asks for."""
    evidence = a_run(before, after, spec=spec)
    return find_outdated_tests(evidence, inspect(evidence.changes.written))


def kinds(evidence: Evidence, at_least: str = "likely", verification: Verification | None = None) -> set[str]:
    """Return the kinds of the findings of at least this level."""
    levels = LEVELS[LEVELS.index(at_least) :]  # type: ignore[arg-type]
    return {finding.kind for finding in found_in(evidence, verification) if finding.level in levels}


def our_run(broken: Sequence[str] = (), passing: Sequence[str] = (), **more: Sequence[str]) -> Verification:
    """Return a verification in which these tests of the base were run on the result."""
    outcomes = {**dict.fromkeys(broken, "failed"), **dict.fromkeys(passing, "passed")}
    suite = SuiteResult(tree="result", source="base", command="pytest", outcomes=outcomes)  # type: ignore[arg-type]
    return Verification(suites=(suite,), broken=tuple(broken), builds=True, **{k: tuple(v) for k, v in more.items()})  # type: ignore[arg-type]
