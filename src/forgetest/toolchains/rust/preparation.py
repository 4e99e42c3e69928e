"""Before the first sample of a case: the tools, the launcher, the crates, and what the tests take from a sample."""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from dataclasses import replace
from importlib import resources

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.host_tools import preparation_error
from forgetest.toolchains.rust import crates, judging, tools
from forgetest.toolchains.rust.compile import build, signatures, testfile
from forgetest.toolchains.rust.compile.build import Recipe, Variant
from forgetest.toolchains.rust.compile.names import mentioned, not_found
from forgetest.verdict import Execution, Step


def script(case: Case) -> Generator[Step, Execution, Recipe]:
    """What happens before the first sample of a case."""
    expectations = case.expectations
    crate_names = [crates.code_name(dependency) for dependency in case.dependencies]
    test_file = None
    if expectations.test_file is not None and expectations.should_compile and expectations.should_pass_tests:
        test_file = testfile.rewrite(expectations.test_file, crate_names, case.id)
    types = tuple(signatures.type_(entry, case.id) for entry in expectations.expected_types)
    own = {item.name for item in types}
    functions = tuple(
        signatures.function(entry, crate_names, case.id, own) for entry in expectations.expected_functions
    )
    found = yield from tools.locate()
    runtime = yield from _runtime(found)
    yield from _check(found, runtime)
    recipe = Recipe(
        tools=found,
        runtime=runtime,
        crates=(yield from crates.prepare(case.dependencies, found)),
        test_file=test_file or testfile.NO_TESTS,
        functions=functions,
        types=types,
    )
    execution = yield build.step(case, "", recipe, Variant(), name="names")
    return replace(recipe, names=_missing_names(recipe, execution))


def _runtime(found: tools.Tools) -> Generator[Step, Execution, str]:
    """Build the carrier and the launcher; the folder they are kept in."""
    source = resources.files(__package__) / "native"
    files = {name: source.joinpath(name).read_bytes() for name in ("carrier.rs", "linker.rs")}
    parts = ("main", "child", "filter", "libc", "parent", "plan")
    files |= {f"source/{part}.rs": source.joinpath("launcher", f"{part}.rs").read_bytes() for part in parts}
    key = hashlib.sha256(b"".join([*files.values(), _RUNTIME_SCRIPT.encode(), found.version.encode()])).hexdigest()[:16]
    execution = yield tools.wide(
        found, name="build the launcher", argv=("sh", "-c", _RUNTIME_SCRIPT), files=files, keep=f"rust-runtime-{key}"
    )
    if not execution.succeeded:
        raise preparation_error("the launcher could not be built", execution)
    return f"kept:rust-runtime-{key}"


def _check(found: tools.Tools, runtime: str) -> Generator[Step, Execution, None]:
    """Judge a sample that is right: a compiler that cannot do that must not be held against a model."""
    test_file = testfile.rewrite("#[test] fn answers() { assert_eq!(answer(), 42); }", (), "check")
    recipe = Recipe(
        tools=found,
        runtime=runtime,
        crates=crates.Crates(),
        test_file=test_file,
        functions=(),
        types=(),
        names=("answer",),
    )
    case = Case(id="check", name="check", prompt="-")
    verdict = yield from judging.script(recipe, case, "fn answer() -> i32 { 42 }")
    if not verdict.compiled or any(test.status != "passed" for test in verdict.tests):
        told = [error.message for error in verdict.errors] + [test.message for test in verdict.tests]
        raise MachineryError(f"{found.version} cannot be used, a sample that is right does not pass: {told[0]}")


_RUNTIME_SCRIPT = """set -e
rustc --edition=2021 --crate-type=dylib --crate-name=carrier -O -Cprefer-dynamic carrier.rs -o libcarrier.so
rustc --edition=2021 -O -Cprefer-dynamic --extern=carrier=libcarrier.so source/main.rs -o launcher
rustc --edition=2021 -O linker.rs -o linker
for std in /toolchain/lib/rustlib/*/lib/libstd-*.so; do [ ! -e "$std" ] || cp "$std" .; done
"""


def _missing_names(recipe: Recipe, execution: Execution) -> tuple[str, ...]:
    """Which names the tests and signatures take from the sample: what is not found when there is none."""
    found = {name for remark in build.read("", execution).errors for name in not_found(remark)}
    return tuple(sorted(found & mentioned(recipe)))
