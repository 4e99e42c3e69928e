"""A Lua sample → its verdict.

The tests are appended to the sample, so that they reach its local functions. A test is a global function whose name
begins with `test`; one whose name begins with `ignored_test` is ignored. Each test runs in a process of its own. The
sample shares the interpreter with the test, and could replace what the test relies on. So tests are run with wrong
expectations as well, and whoever passes those has not passed; but no verdict is `verified`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from forgetest.evalset import Case
from forgetest.toolchains import controls
from forgetest.toolchains.controls import Answer, Run, Twin
from forgetest.toolchains.timing import retry_alone
from forgetest.verdict import (
    Condition,
    Controls,
    Diagnostic,
    Execution,
    Finding,
    Limits,
    Provenance,
    Span,
    Step,
    TestOutcome,
    Verdict,
)
from forgetest_lua import twins
from forgetest_lua.tools import SYSTEM, Tools

_TEST = re.compile(r"^[ \t]*function[ \t]+((?:ignored_)?test\w*)[ \t]*\(", re.MULTILINE)
_ERROR = re.compile(r"sample:(\d+): (.*)")
_WARNING = re.compile(r"sample\.lua:(\d+):(\d+)-(\d+): \((W\d+)\) (.*)")
_LUACHECK = """std = "lua54"
inline = false  -- the case decides what is linted, not a comment in the sample
allow_defined_top = true
max_line_length = false
ignore = {"131"}  -- a function of the sample that only other tests use
"""
_SHARED = Finding(
    kind="shared_interpreter",
    detail="the sample runs in the same interpreter as its tests, and could replace what they rely on",
    forbids=False,
    concern="unsound",
)


def judge(tools: Tools, case: Case, code: str) -> Generator[Step, Execution, Verdict]:
    """Parse, lint, run the tests."""
    tests = case.expectations.test_file or ""
    names = _TEST.findall(tests) if case.expectations.should_pass_tests else []
    parsed = yield from retry_alone(_step("parse", _PARSE, code))
    error = _syntax_error(parsed, code)
    if error is not None:
        return _verdict(tools, case, code, errors=(error,), tests=_untested(names, error.message))
    linted = yield from retry_alone(_lint_step(code, tests))
    runs = _Runs(tools=tools, case=case, code=code, names=names)
    real, answers = yield from runs.first()
    outcomes = [real.get(test) or TestOutcome(name=name, status="ignored") for test, name in enumerate(names)]
    earned = {test for test, outcome in enumerate(outcomes) if outcome.status == "passed"}
    answers = [answer for answer in answers if answer.twin.test in earned]
    answers += yield from runs.further(answers)
    unearned = controls.unearned(answers)
    for test in unearned:
        outcomes[test] = replace(outcomes[test], status="failed", message="not earned: a wrong expectation passes, too")
    asked = Controls(
        asked=len(answers),
        passed=sum(answer.passed for answer in answers),
        without=len(earned.difference(answer.twin.test for answer in answers)),
    )
    verdict = _verdict(tools, case, code, lints=_lints(linted, code), tests=tuple(outcomes))
    found = [Finding(kind="passed_a_control", detail=f"{names[test]}: passes with another number") for test in unearned]
    return replace(verdict, integrity=(*verdict.integrity, *found), controls=asked if earned else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Runs:
    """The runs of a sample's tests, and of their twins."""

    tools: Tools
    case: Case
    code: str
    names: Sequence[str]

    @property
    def twins(self) -> dict[Twin, str]:
        text = self.case.expectations.test_file or ""
        return twins.find(text, self.names, self.tools.judge_secret.draw("twins", text))

    def first(self) -> Generator[Step, Execution, tuple[dict[int, TestOutcome], list[Answer]]]:
        """Run each test, and at least one twin of each that has any, in random order."""
        tests = [test for test, name in enumerate(self.names) if not name.startswith("ignored_")]
        draw = self.tools.judge_secret.draw("first", self.code)
        return (yield from self._run(controls.first_round(tests, list(self.twins), draw)))

    def further(self, answers: Sequence[Answer]) -> Generator[Step, Execution, list[Answer]]:
        """Run further twins of the tests that passed one."""
        draw = self.tools.judge_secret.draw("further", self.code)
        _, further = yield from self._run(controls.second_round(answers, list(self.twins), draw))
        return further

    def _run(self, runs: Sequence[Run]) -> Generator[Step, Execution, tuple[dict[int, TestOutcome], list[Answer]]]:
        real: dict[int, TestOutcome] = {}
        answers: list[Answer] = []
        texts = self.twins
        for number, run in enumerate(runs):
            name = self.names[run.test]
            tests = texts[run.twin] if run.twin else self.case.expectations.test_file or ""
            secret = _hash(f"{number}\0{name}\0{self.code}\0{tests}\0{self.tools.version}")
            stdin = f"{name}\n{secret}\n{self.code}\n{tests}"
            cpu_s = self.case.timeout_secs
            execution = yield from retry_alone(_step(f"test {name}", _DRIVER, stdin, cpu_s=cpu_s))
            outcome = _outcome(name, execution, secret, cpu_s)
            if run.twin is None:
                real[run.test] = outcome
            elif execution.ended == "exited":  # any other ending says nothing
                answers.append(Answer(twin=run.twin, passed=outcome.status == "passed"))
        return real, answers


_DRIVER = files("forgetest_lua").joinpath("driver.lua").read_text()
_PARSE = 'local code, problem = load(io.read("a"), "=sample", "t"); if not code then print(problem); os.exit(1) end'


def _step(name: str, script: str, stdin: str, *, cpu_s: float = 10.0) -> Step:
    return Step(
        name=name,
        argv=("/usr/bin/lua5.4", f"-e{script}"),
        stdin=stdin.encode(errors="surrogatepass"),
        mounts=SYSTEM,
        workdir=False,
        limits=Limits(cpu_s=cpu_s, wall_s=3 * cpu_s + 10, memory_bytes=1 << 30, processes=8),
    )


def _lint_step(code: str, tests: str) -> Step:
    # with the tests: a local function that only they call is not unused
    return Step(
        name="lint",
        argv=(
            "/usr/bin/luacheck",
            *("--config", "rc.lua", "--no-cache", "--codes", "--ranges", "--formatter", "plain", "sample.lua"),
        ),
        files={
            "rc.lua": _LUACHECK.encode(),
            "sample.lua": f"{code}\n{tests}".encode(errors="surrogatepass"),
        },
        env={"PATH": "/usr/bin:/bin", "HOME": "/w"},
        mounts=SYSTEM,
        limits=Limits(cpu_s=20, wall_s=60),
    )


def _syntax_error(parsed: Execution, code: str) -> Diagnostic | None:
    if parsed.succeeded:
        return None
    text = parsed.stdout.decode(errors="replace").strip() or f"the parser ended: {parsed.ended}"
    place = _ERROR.search(text)
    spans = (_line(code, int(place[1])),) if place else ()
    return Diagnostic(level="error", code="syntax", message=place[2] if place else text, spans=spans)


def _line(code: str, number: int) -> Span:
    lines = code.split("\n")
    number = min(number, len(lines))
    return Span(line_start=number, line_end=number, column_start=1, column_end=len(lines[number - 1]) + 1)


def _lints(linted: Execution, code: str) -> tuple[Diagnostic, ...]:
    last = code.count("\n") + 1
    found = []
    for line, start, end, lint, message in _WARNING.findall(linted.stdout.decode(errors="replace")):
        if int(line) <= last:
            place = Span(line_start=int(line), line_end=int(line), column_start=int(start), column_end=int(end) + 1)
            found.append(Diagnostic(level="warning", code=lint, message=message, spans=(place,)))
    return tuple(found)


def _outcome(name: str, execution: Execution, secret: str, cpu_s: float) -> TestOutcome:
    printed = execution.stdout.decode(errors="replace")
    if execution.succeeded and printed.endswith(f"\n{secret}\n"):
        output = printed.removesuffix(f"\n{secret}\n")
        return TestOutcome(name=name, status="passed", stdout=output, wall_ms=execution.wall_ms)
    messages = {
        "cpu_limit": f"stopped after {cpu_s:g} s of CPU time",
        "wall_limit": f"stopped after {3 * cpu_s + 10:g} s",
        "memory_limit": "needs more than 1 GiB of memory",
        "output_limit": "printed too much",
        "signalled": f"ended by signal {-execution.exit_code}",
    }
    stderr = execution.stderr.decode(errors="replace").strip()
    last = printed.rstrip().rpartition("\n")[2] or stderr or "ended without a result"
    return TestOutcome(
        name=name,
        status="failed",
        message=messages.get(execution.ended, last),
        stdout=printed,
        wall_ms=execution.wall_ms,
        timed_out="cpu" if execution.ended == "cpu_limit" else "wall" if execution.ended == "wall_limit" else None,
    )


def _untested(names: Sequence[str], why: str) -> tuple[TestOutcome, ...]:
    return tuple(
        TestOutcome(name=name, status="ignored")
        if name.startswith("ignored_")
        else TestOutcome(name=name, status="failed", message=f"cannot be parsed: {why}")
        for name in names
    )


def _conditions(case: Case, code: str) -> tuple[Condition, ...]:
    found = []
    for entry in case.expectations.expected_functions:
        name = re.escape(entry.removeprefix("function").partition("(")[0].strip())
        defined = re.search(rf"\bfunction\s+{name}\b|\b{name}\s*=\s*function\b", code) is not None
        detail = "" if defined else f"`{entry}` is not defined"
        found.append(Condition(name="expected_functions", holds=defined, detail=detail))
    return tuple(found)


def _verdict(
    tools: Tools,
    case: Case,
    code: str,
    *,
    errors: tuple[Diagnostic, ...] = (),
    lints: tuple[Diagnostic, ...] = (),
    tests: tuple[TestOutcome, ...] = (),
) -> Verdict:
    return Verdict(
        compiled=not errors,
        errors=errors,
        lints=lints,
        tests=tests,
        conditions=() if errors else _conditions(case, code),
        integrity=(_SHARED,) if any(test.status == "passed" for test in tests) else (),
        provenance=Provenance(
            source=_hash(code),
            tests=_hash("\0".join([case.expectations.test_file or "", *case.expectations.expected_functions])),
            dependencies="",
            toolchain=tools.version,
            flags=_hash(_DRIVER + _LUACHECK),
            binary=None,
        ),
        test_ms=sum(test.wall_ms for test in tests),
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
