"""Prepares a case: the tools, the launcher, the crates, the names that its tests take from a sample, and controls."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import NamedTuple

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.controls import SECRET_STEP, JudgeSecret
from forgetest.toolchains.host_tools import preparation_error
from forgetest.toolchains.rust import control_sites, crates, judging, reference_check, tools
from forgetest.toolchains.rust.compile import build, derived, signatures, testfile
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.compile.free_names import free_names
from forgetest.toolchains.rust.compile.signatures import ExpectedItem
from forgetest.toolchains.rust.compile.testfile import TestFile, WantedSites
from forgetest.toolchains.rust.language import edition
from forgetest.toolchains.scripts import SharedPart
from forgetest.verdict import Execution, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """What all cases have in common."""

    tools: tools.Tools
    runtime: str
    judge_secret: JudgeSecret


def prepare(case: Case) -> Generator[Step, Execution, CaseBuild]:
    """Do everything that must happen before the first sample of a case."""
    case = reference_check.explicit(case)
    expected = read(case)  # before anything runs: it raises what is wrong with tests and signatures
    case_build = draft(expected, (yield from equip()))
    case_build = replace(case_build, crates=(yield from crates.prepare(case.dependencies, case_build.tools)))
    if case.io is not None:  # its tests are data
        return case_build
    names = known_names(case, case_build)
    if names is None:
        # built with an empty sample, so that the compiler lists every name that a sample has to bring
        execution = yield build.step(case, "", case_build, BuildOptions(), name="names")
        unresolved = {name for remark in build.read("", execution).errors for name in remark.unresolved_names}
        names = tuple(sorted(unresolved & case_build.mentioned_names))
    case_build = replace(case_build, names=names)
    return _read_off(case_build, case) or (yield from reference_check.try_on_reference(case_build, case))


def _read_off(case_build: CaseBuild, case: Case) -> CaseBuild | None:
    """Return the case with signatures and sites that its texts tell; None if the reference solution has to be run."""
    if not case_build.tests or case.reference_solution is None:
        return None
    names = crates.code_names(case.dependencies)
    with_sites = control_sites.with_certain_sites(case_build, case, names)
    if with_sites is None:
        return None
    read_off = derived.with_all_derived(with_sites, case, names)
    return replace(read_off, unchecked=bool(read_off.derived or read_off.test_file.sites))


def _equip() -> Generator[Step, Execution, Equipment]:
    """Find the tools, build the launcher, check both, and make the judge's secret."""
    found = yield from tools.locate()
    runtime = yield from _build_runtime(found)
    yield from _check_tools(found, runtime)
    return Equipment(tools=found, runtime=runtime, judge_secret=JudgeSecret.read((yield SECRET_STEP)))


equip = SharedPart(_equip)


def draft(expected: Expected, equipment: Equipment) -> CaseBuild:
    """Return all of a case that needs no compiler, without its crates."""
    return CaseBuild(
        tools=equipment.tools,
        runtime=equipment.runtime,
        crates=crates.Crates(),
        test_file=expected.test_file,
        functions=expected.functions,
        types=expected.types,
        judge_secret=equipment.judge_secret,
    )


class Expected(NamedTuple):
    """What a case expects of its samples."""

    test_file: TestFile
    functions: tuple[ExpectedItem, ...]
    types: tuple[ExpectedItem, ...]


def read(case: Case) -> Expected:
    """Read what a case expects of its samples."""
    expectations, dependencies = case.expectations, crates.code_names(case.dependencies)
    test_file = testfile.NO_TESTS
    if expectations.test_file is not None and expectations.should_compile and expectations.should_pass_tests:
        test_file = testfile.rewrite(expectations.test_file, dependencies, case.id, edition=edition(case))
    types = tuple(signatures.type_(entry, case.id) for entry in expectations.expected_types)
    own = {item.name for item in types}
    entries = expectations.expected_functions
    functions = tuple(signatures.function(entry, dependencies, case.id, own) for entry in entries)
    return Expected(test_file, functions, types)


def known_names(case: Case, case_build: CaseBuild) -> tuple[str, ...] | None:
    """Return the names that the tests take from a sample; None if only the compiler can tell."""
    if case_build.checked_signatures:
        return None
    if not case_build.tests:
        return ()
    names = free_names(case.expectations.test_file or "", edition(case))
    if names is None:
        return None
    # names of crates are no longer in the text
    return tuple(sorted(names & case_build.mentioned_names if case.dependencies else names))


def _build_runtime(found: tools.Tools) -> Generator[Step, Execution, str]:
    """Build the carrier library, the launcher and the linker wrapper; return the folder that keeps them."""
    files = _runtime_sources()
    key = hashlib.sha256(b"".join([*files.values(), _RUNTIME_SCRIPT.encode(), found.version.encode()])).hexdigest()[:16]
    execution = yield tools.preparation_step(
        found, name="build the launcher", argv=("sh", "-c", _RUNTIME_SCRIPT), files=files, keep=f"rust-runtime-{key}"
    )
    if not execution.succeeded:
        raise preparation_error("the launcher could not be built", execution)
    return f"kept:rust-runtime-{key}"


@functools.cache
def _runtime_sources() -> Mapping[str, bytes]:
    source = resources.files(__package__) / "native"
    folders = {"": source, **{f"source/{name}/": source / name for name in ("common", "launcher", "programs")}}
    return {
        f"{prefix}{file.name}": file.read_bytes()
        for prefix, folder in folders.items()
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".rs")
    }


def _check_tools(found: tools.Tools, runtime: str) -> Generator[Step, Execution, None]:
    """Judge a correct sample: a compiler that cannot do that must not be held against a model."""
    case_build = CaseBuild(
        tools=found,
        runtime=runtime,
        crates=crates.Crates(),
        test_file=_check_tests(),
        functions=(),
        types=(),
        names=("answer",),
    )
    case = Case(id="check", name="check", prompt="-")
    verdict = yield from judging.judge(case_build, case, "fn answer() -> i32 { 42 }")
    if not verdict.verified or any(test.status != "passed" for test in verdict.tests):
        messages = [error.message for error in verdict.errors] + [test.message for test in verdict.tests]
        raise MachineryError(f"{found.version} cannot be used: a correct sample does not pass: {messages[0]}")


@functools.cache
def _check_tests() -> testfile.TestFile:
    wanted = WantedSites(secret=JudgeSecret(key=b"check"), most=1, certain=True)
    return testfile.rewrite("#[test] fn answers() { assert_eq!(answer(), 42); }", (), "check", wanted=wanted)


# the first run of all waits for this, so two compilers work at a time
_RUNTIME_SCRIPT = """set -e
rustc --edition=2021 -O linker.rs -o linker & linker=$!
rustc --edition=2021 --crate-type=dylib --crate-name=carrier -O -Cprefer-dynamic carrier.rs -o libcarrier.so
use_carrier="-O -Cprefer-dynamic --extern=carrier=libcarrier.so"
{ rustc --edition=2021 $use_carrier source/programs/main.rs -o programs &&
  rustc --edition=2021 --crate-type=dylib $use_carrier calls.rs -o libcalls.so; } & others=$!
rustc --edition=2021 $use_carrier source/launcher/main.rs -o launcher
wait $linker
wait $others
for std in /toolchain/lib/rustlib/*/lib/libstd-*.so; do [ ! -e "$std" ] || cp "$std" .; done
"""
