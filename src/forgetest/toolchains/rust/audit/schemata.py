"""Mutant schemata: many mutants of a Rust program in one object, of which a number that is set at run time chooses one.

Each function that is changed has every changed body beside its own, as the arms of a `match`. The compiler sees what
they have in common only once, and so do the tests. Those whose body does not compile are invalid; about the others,
`mutant_runs` says what their tests show. About changes outside of functions, screening says nothing: such mutants are
judged like any sample.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, cast

from forgetest import mutation
from forgetest.evalset import Case
from forgetest.mutation import Mutation
from forgetest.toolchains import Prepared
from forgetest.toolchains.auditing import Screened
from forgetest.toolchains.rust.audit import together
from forgetest.toolchains.rust.audit.mutant_runs import MutantEntries, has_ended_unusually, run_mutants, single_tests
from forgetest.toolchains.rust.audit.operators import GRAMMAR
from forgetest.toolchains.rust.compile import build, diagnostics, glue
from forgetest.toolchains.rust.compile.adapt import adapted_options, build_adapted
from forgetest.toolchains.rust.compile.build import BuildResult
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.run import launch
from forgetest.toolchains.rust.run.run_tests import run_mounts
from forgetest.toolchains.scripts import Scripts
from forgetest.verdict import Execution, Limits, Step

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_BUILDS = 6
"""Each without the mutants that did not compile before: borrowing errors are reported only if all types are right."""
_NUMBER = "forgetest_mutant_number"


class _PreparedRust(Protocol):
    @property
    def case_build(self) -> CaseBuild: ...


@dataclass(frozen=True, slots=True)
class _Variant:
    """The changed body of a function."""

    number: int
    """Position of its mutant; the number 0 of an object is the program itself, so mutants are counted from 1 there."""
    start: int
    end: int
    """The original body, in bytes."""
    body: str


@dataclass(frozen=True, slots=True)
class _Program:
    """A program with many bodies, and the lines of each."""

    code: str
    lines: Mapping[int, tuple[int, int]]
    """First and last line of a mutant's body."""


def screen(
    prepared: Prepared, case: Case, mutants: Sequence[Mutation], executions: Sequence[Execution]
) -> Step | Sequence[Screened | None]:
    """Judge mutants of the reference solution in one object; None for those that need a judgement of their own."""
    case_build = cast("_PreparedRust", prepared).case_build
    return _scripts.answer((prepared, case, *mutants), lambda: _screen(case_build, case, mutants), executions)


def repeat(
    prepared: Prepared, case: Case, times: int, executions: Sequence[Execution]
) -> Step | Sequence[tuple[str, ...]]:
    """Build the reference solution once, and run its tests that many times."""
    case_build = cast("_PreparedRust", prepared).case_build
    return _scripts.answer((prepared, case, times), lambda: _repeat(case_build, case, times), executions)


def _repeat(case_build: CaseBuild, case: Case, times: int) -> Generator[Step, Execution, Sequence[tuple[str, ...]]]:
    reference = case.reference_solution or ""
    built = yield from build_adapted(case_build, case, reference)
    if built.result.object is None or not case_build.tests:
        return ()
    entry = glue.entry_symbol(case_build.secret_name(reference))
    part = single_tests(case_build, case, entry)
    mounts = run_mounts(case_build)
    execution = yield launch.run_step([part] * times, built.result.object, mounts)
    reports = launch.read_reports(execution, [part] * times)
    if all(any(has_ended_unusually(each) for each in report.outcomes) for report in reports):
        # programs that share a launch may not start threads, for example
        reports = []
        for _ in range(times):
            execution = yield launch.run_step([part], built.result.object, mounts)
            reports.append(launch.read_report(execution, part))
    return [tuple(test.name for test in report.outcomes if test.status == "failed") for report in reports]


def _screen(
    case_build: CaseBuild, case: Case, mutants: Sequence[Mutation]
) -> Generator[Step, Execution, Sequence[Screened | None]]:
    used = case_build.with_pairs
    reference = case.reference_solution or ""
    variants = _variants(reference, mutants)
    found: list[Screened | None] = [None] * len(mutants)
    options = BuildOptions()
    for _ in range(_MOST_BUILDS if used.tests else 0):
        if not variants:
            break
        program = _program(reference, variants)
        secret = used.secret_name(program.code)
        step = _build_step(used, case, program, variants, options)
        result = build.read(program.code, (yield step))
        if result.object is not None:
            entries = MutantEntries(
                case_build=used,
                case=case,
                object=result.object,
                reference=_entry(secret, 0),
                mutants={each.number: _entry(secret, each.number + 1) for each in variants},
            )
            for number, each in (yield from run_mutants(entries)).items():
                found[number] = each
            break
        wrong = _wrong_variants(program, result)
        ours = tuple(remark for remark in result.errors if remark.place != "sample")
        adapted = adapted_options(options, replace(result, remarks=ours), used, reference)
        if not wrong and adapted == options:
            break
        options = adapted
        for number in wrong:
            found[number] = Screened(status="invalid")
        variants = [each for each in variants if each.number not in wrong]
    return found


def _variants(reference: str, mutants: Sequence[Mutation]) -> list[_Variant]:
    """Return the changed bodies of mutants whose change is inside of one function."""
    bodies = _function_bodies(mutation.parse(GRAMMAR, reference))
    length = len(reference.encode("utf-8", "replace"))
    found = []
    for number, mutant in enumerate(mutants):
        for body in bodies:
            if body.start_byte <= mutant.start and mutant.end <= body.end_byte:
                content = mutant.code.encode("utf-8", "replace")
                changed = content[body.start_byte : body.end_byte + len(content) - length].decode("utf-8", "replace")
                if changed.startswith("{") and changed.endswith("}"):
                    found.append(_Variant(number, body.start_byte, body.end_byte, changed))
    return found


def _function_bodies(root: Node) -> list[Node]:
    """Return the bodies of functions that are not inside of another one, and may have several."""
    found = []
    for node in mutation.walk(root, lambda node: node.parent is not None and node.parent.type == "function_item"):
        body = node.child_by_field_name("body") if node.type == "function_item" else None
        if body is not None and _may_have_variants(node, body):
            found.append(body)
    return found


def _may_have_variants(function: Node, body: Node) -> bool:
    head = (function.text or b"")[: body.start_byte - function.start_byte].decode("utf-8", "replace")
    # two bodies have two types behind `impl`, and a constant function cannot ask for a number
    is_fixed = "impl" in head.partition("->")[2] or "const" in head.split("fn")[0].split()
    return not is_fixed and not any(child.type == "inner_attribute_item" for child in body.named_children)


def _program(reference: str, variants: Sequence[_Variant]) -> _Program:
    """Return the program in which a number chooses between the bodies of a function."""
    content = reference.encode("utf-8", "replace")
    of_body: dict[tuple[int, int], list[_Variant]] = {}
    for each in variants:
        of_body.setdefault((each.start, each.end), []).append(each)
    pieces: list[str] = []
    lines: dict[int, tuple[int, int]] = {}
    line, at = 1, 0

    def add(text: str) -> None:
        nonlocal line
        pieces.append(text)
        line += text.count("\n")

    for (start, end), own in sorted(of_body.items()):
        add(content[at:start].decode("utf-8", "replace"))
        add(f"{{ match crate::{_NUMBER}::get() {{\n")
        for each in own:
            first = line
            add(f"{each.number + 1} => {each.body}\n")
            lines[each.number] = (first, line - 1)
        add(f"_ => {content[start:end].decode('utf-8', 'replace')} }} }}")
        at = end
    add(content[at:].decode("utf-8", "replace"))
    return _Program("".join(pieces), lines)


def _build_step(
    case_build: CaseBuild, case: Case, program: _Program, variants: Sequence[_Variant], options: BuildOptions
) -> Step:
    """Return the compiler call: the usual one, with an entry point for each mutant."""
    # lints are about samples, and a reference solution may forbid what our entry points need
    compiler = replace(options, plain_rustc=True, capped=True)
    secret = case_build.secret_name(program.code)
    root, files = glue.write(case, program.code, case_build, compiler)
    numbers = [0, *(each.number + 1 for each in variants)]
    atomic = "::core::sync::atomic"
    root += (
        f"pub(crate) mod {_NUMBER} {{\n"
        f"static NUMBER: {atomic}::AtomicU32 = {atomic}::AtomicU32::new(0);\n"
        f"pub fn get() -> u32 {{ NUMBER.load({atomic}::Ordering::Relaxed) }}\n"
        f"fn set(number: u32) {{ NUMBER.store(number, {atomic}::Ordering::Relaxed) }}\n"
    )
    root += together.function(case_build.tests, secret)
    root += "".join(
        f"#[unsafe(no_mangle)] pub fn {_entry(secret, number)}(index: usize) -> bool "
        f"{{ set({number}); {together.NAME}(index) }}\n"
        for number in numbers
    )
    cpu_s = 20.0 + 0.2 * len(variants)
    return Step(
        name="build of mutants",
        argv=(
            *build.compiler_call(case_build, case, compiler),
            *build.file_flags(secret, diagnostics.SINGLE_SAMPLE),
            *case_build.crates.arguments(secret),
            "-",
        ),
        stdin=f"{root}}}\n".encode(errors="replace"),
        files=files,
        outputs=(build.OBJECT,),
        env=build.ENVIRONMENT,
        mounts=build.mounts(case_build),
        limits=Limits(cpu_s=cpu_s, wall_s=10 * cpu_s + 30),
    )


def _entry(secret: str, number: int) -> str:
    return f"{glue.entry_symbol(secret)}_{number}"


def _wrong_variants(program: _Program, result: BuildResult) -> set[int]:
    """Return the mutants that do not compile; none where an error in the program belongs to no mutant."""
    wrong = set()
    for remark in result.sample_errors:
        if remark.line == 0 and remark.diagnostic.message.startswith("aborting"):
            continue
        owners = {number for number, (first, last) in program.lines.items() if first <= remark.line <= last}
        if not owners:
            return set()
        wrong |= owners
    return wrong


_scripts = Scripts()
