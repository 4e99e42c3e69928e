"""Rust: one compiler call makes a small object of sample and tests; a trusted launcher runs it.

Both functions of the seam are written as generators, in the order in which things happen, and replayed from
the executions so far. See docs/decisions/0005-verdict-channel.md.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from typing import TypeVar

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.rust import build, crates, elf, launch, signatures, syntax, testfile, tools
from forgetest.toolchains.rust.build import Built, Recipe, Variant
from forgetest.toolchains.rust.diagnostics import Remark
from forgetest.toolchains.rust.lexer import tokens
from forgetest.verdict import (
    Condition,
    Diagnostic,
    Execution,
    Finding,
    Mount,
    Provenance,
    Step,
    TestOutcome,
    Verdict,
)

_Result = TypeVar("_Result")
_Script = Generator[Step, Execution, _Result]

_UNRESOLVED = re.compile("E0(404|405|412|422|423|425|432|433|531|532|574)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A case, ready for samples."""

    version: str
    recipe: Recipe


def prepare(case: Case, executions: Sequence[Execution]) -> Step | Prepared:
    """Find the tools, build the launcher and the dependencies, learn what the tests take from a sample."""
    return _replay(_prepare(case), executions)


def next(  # noqa: A001  (the seam's name; a module is an object here)
    prepared: Prepared, case: Case, code: str, executions: Sequence[Execution]
) -> Step | Verdict:
    """Build, perhaps build again, run the tests, and say what was observed."""
    return _replay(_judge(prepared.recipe, case, code), executions)


def _replay(script: _Script[_Result], executions: Sequence[Execution]) -> Step | _Result:
    try:
        step = script.send(None)  # type: ignore[arg-type]  # how a generator is started
        for execution in executions:
            step = script.send(execution)
    except StopIteration as finished:
        result: _Result = finished.value
        return result
    return step


# ---- preparing a case ----


def _prepare(case: Case) -> _Script[Prepared]:
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
    found = tools.read((yield tools.LOCATE))
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
    return Prepared(version=found.version, recipe=replace(recipe, names=_missing_names(recipe, execution)))


def _runtime(found: tools.Tools) -> _Script[str]:
    """Build the carrier and the launcher; the folder they are kept in."""
    source = resources.files(__name__)
    files = {name: source.joinpath(name).read_bytes() for name in ("carrier.rs", "launcher.rs", "linker.rs")}
    key = hashlib.sha256(b"".join([*files.values(), _RUNTIME_SCRIPT.encode(), found.version.encode()])).hexdigest()[:16]
    execution = yield tools.wide(
        found, name="build the launcher", argv=("sh", "-c", _RUNTIME_SCRIPT), files=files, keep=f"rust-runtime-{key}"
    )
    if not execution.succeeded:
        raise tools.broken("the launcher could not be built", execution)
    return f"kept:rust-runtime-{key}"


def _check(found: tools.Tools, runtime: str) -> _Script[None]:
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
    verdict = yield from _judge(recipe, case, "fn answer() -> i32 { 42 }")
    if not verdict.compiled or any(test.status != "passed" for test in verdict.tests):
        told = [error.message for error in verdict.errors] + [test.message for test in verdict.tests]
        raise MachineryError(f"{found.version} cannot be used, a sample that is right does not pass: {told[0]}")


_RUNTIME_SCRIPT = """set -e
rustc --edition=2021 --crate-type=dylib --crate-name=carrier -O -Cprefer-dynamic carrier.rs -o libcarrier.so
rustc --edition=2021 -O -Cprefer-dynamic --extern=carrier=libcarrier.so launcher.rs -o launcher
rustc --edition=2021 -O linker.rs -o linker
for std in /toolchain/lib/rustlib/*/lib/libstd-*.so; do [ ! -e "$std" ] || cp "$std" .; done
"""


def _missing_names(recipe: Recipe, execution: Execution) -> tuple[str, ...]:
    """Which names the tests and signatures take from the sample: what is not found when there is none."""
    found = {name for remark in build.read("", execution).errors for name in _not_found(remark)}
    return tuple(sorted(found & _mentioned(recipe)))


def _not_found(remark: Remark) -> set[str]:
    """The names that the compiler does not find."""
    if not _UNRESOLVED.fullmatch(remark.diagnostic.code or ""):
        return set()
    paths = re.findall(r"`([^`]+)`", remark.diagnostic.message.split("` in `")[0])
    return {path.rpartition("::")[2].strip() for path in paths}


def _mentioned(recipe: Recipe) -> set[str]:
    """The names in our text that could be the sample's."""
    texts = [recipe.test_file.body, *(item.pin or "" for item in recipe.pins)]
    names = {token.text for text in texts for token in tokens(text) if token.is_name}
    return names - {"super", "self", "crate", "Self"}


# ---- judging a sample ----


def _judge(recipe: Recipe, case: Case, code: str) -> _Script[Verdict]:
    variant = Variant()
    execution = yield build.step(case, code, recipe, variant)
    spent = [execution.wall_ms]
    built = build.read(code, execution)
    unmet: dict[str, Condition] = {}
    while (refined := _refined(variant, built, recipe, code)) != variant:
        unmet |= _unmet_signatures(recipe, built)
        variant = refined
        execution = yield build.step(case, code, recipe, variant)
        spent.append(execution.wall_ms)
        built = build.read(code, execution)

    told = built  # the build that speaks for the sample's own code
    if (built.object is None and not _in_sample(built)) or variant.capped:
        alone = yield build.step(case, code, recipe, Variant(tests=False, cfg_test=variant.cfg_test), name="alone")
        spent.append(alone.wall_ms)
        told = build.read(code, alone)
    dangers = _unsafe_uses(code, told)
    if built.object is not None and dangers and not told.errors:
        execution = yield build.step(case, code, recipe, replace(variant, plain_rustc=True), name="checked build")
        spent.append(execution.wall_ms)
        built = build.read(code, execution)
        told = replace(told, remarks=(*told.remarks, *_in_sample(built)), failure=built.failure)

    errors = _diagnostics([remark.diagnostic for remark in told.errors])
    if told.failure:
        errors = (*errors, Diagnostic(level="error", code=None, message=told.failure))
    # only of what compiles: the syntax tree of text made for that would take minutes
    defined = [] if errors else syntax.conditions(code, recipe.functions, recipe.types)
    conditions = [unmet.get(item.entry, condition) if condition.holds else condition for item, condition in defined]
    warnings = [r.diagnostic for r in told.remarks if not r.is_error and r.place == "sample"]
    verdict = Verdict(
        compiled=not errors,
        errors=errors,
        warnings=_diagnostics([w for w in warnings if not _is_clippy(w) and w.code != "unsafe_code"]),
        lints=_diagnostics([w for w in warnings if _is_clippy(w)]),
        conditions=tuple(conditions),
        integrity=dangers,
        provenance=_provenance(recipe, case, code, built),
        compile_ms=sum(spent),
    )
    if errors or built.object is None:
        return replace(verdict, tests=_untested(recipe, built))

    hidden = build.secret(code, recipe)
    foreign = any(token.text == "extern" for token in tokens(code))
    dangers = (*dangers, *elf.findings(built.object, build.entry(hidden), foreign=foreign))
    if not recipe.tests:
        return replace(verdict, integrity=dangers)
    mounts = (Mount(source=recipe.runtime, target="/rt"), *recipe.tools.run_libraries)
    execution = yield launch.run_step(
        recipe.tests, build.entry(hidden), built.object, mounts, case.timeout_secs, control=bool(dangers)
    )
    report = launch.read(execution, recipe.tests)
    return replace(verdict, tests=report.outcomes, integrity=(*dangers, *report.findings), test_ms=execution.wall_ms)


def _refined(variant: Variant, built: Built, recipe: Recipe, code: str) -> Variant:
    """How to build again, where it is our text and not the sample's that did not compile; else the same."""
    if built.object is not None or not built.errors or _in_sample(built):
        return variant
    missing, further, wanted = set(variant.without_names), set(variant.further_names), set(variant.imports)
    for remark in built.errors:
        if remark.place == "tests":
            further |= _not_found(remark) & _mentioned(recipe) - set(recipe.names)
        else:
            missing |= _not_found(remark) & {*recipe.names, *variant.further_names}
        if remark.diagnostic.code == "E0599":
            wanted |= {f"{_trusted_path(path, recipe)} as _" for path in remark.suggested_imports}
        elif remark.diagnostic.code is None:
            wanted |= {_trusted_path(path, recipe) for path in remark.suggested_imports}
    return replace(
        variant,
        further_names=frozenset(further),
        without_names=frozenset(missing),
        imports=tuple(sorted(wanted)),
        without_pins=variant.without_pins
        | {remark.line - build.FIRST_PIN for remark in built.errors if remark.place == "pins"},
        cfg_test=variant.cfg_test or re.search(r"cfg_attr\s*\([^\]]{0,500}?\btest\b", code) is not None,
        capped=variant.capped or any(r.is_lint or r.diagnostic.code == "E0453" for r in built.errors),
    )


def _trusted_path(path: str, recipe: Recipe) -> str:
    """A proposed import, by a way on which the sample cannot stand."""
    root = path.partition("::")[0]
    if root in ("std", "core", "alloc"):
        return f"::{testfile.HOLE}::{path}"
    return f"::{testfile.HOLE}_{path}" if root in dict(recipe.crates.libraries) else path


def _in_sample(built: Built) -> tuple[Remark, ...]:
    return tuple(remark for remark in built.errors if remark.place == "sample")


def _unmet_signatures(recipe: Recipe, built: Built) -> dict[str, Condition]:
    unmet = {}
    for remark in built.errors:
        if remark.place == "pins" and remark.line - build.FIRST_PIN < len(recipe.pins):
            entry = recipe.pins[remark.line - build.FIRST_PIN].entry
            detail = f"`{entry}`: {remark.diagnostic.message}"
            unmet[entry] = Condition(name="expected_functions", holds=False, detail=detail)
    return unmet


def _unsafe_uses(code: str, told: Built) -> tuple[Finding, ...]:
    """What takes a sample out of reach of the compiler's promises; allowed, judged by the stricter path."""
    uses = {r.diagnostic.message for r in told.remarks if r.diagnostic.code == "unsafe_code" and r.place == "sample"}
    words = " ".join(token.text for token in tokens(code))
    if re.search(r"& '\w+ (mut )?& '\w+", words):
        uses.add("nested lifetimes, which can defeat the borrow checker (rust-lang/rust#25860)")
    found = [Finding(kind="unsafe", detail=use, forbids=False) for use in sorted(uses)]
    # `unsafe_code` does not see naked functions; and what assembly does to the tests' own frames, nobody sees
    if re.search(r"\b(naked_asm|global_asm)\b|\basm (!|as\b)|\bunsafe \( naked\b", words):
        found.append(Finding(kind="assembly", detail="has machine code of its own"))
    return tuple(found)


def _untested(recipe: Recipe, built: Built) -> tuple[TestOutcome, ...]:
    """Every expected test failed, because there was nothing to run."""
    first = built.errors[0].diagnostic.message if built.errors else built.failure or "it did not compile"
    return tuple(
        TestOutcome(name=test.name, status="ignored")
        if test.kind == "ignored"
        else TestOutcome(name=test.name, status="failed", message=f"did not compile: {first}")
        for test in recipe.tests
    )


def _diagnostics(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(dict.fromkeys(diagnostics))  # a lint may be told twice


def _is_clippy(diagnostic: Diagnostic) -> bool:
    return (diagnostic.code or "").startswith("clippy::")


def _provenance(recipe: Recipe, case: Case, code: str, built: Built) -> Provenance:
    expectations = case.expectations
    asked = [expectations.test_file or "", *expectations.expected_functions, *expectations.expected_types]
    flags = [*build.FLAGS, *build.LINTS, f"--edition={case.edition}"]
    return Provenance(
        source=_hash(code),
        tests=_hash("\0".join(asked)),
        dependencies=recipe.crates.lock,
        toolchain=recipe.tools.version,
        flags=_hash(" ".join(flags)),
        binary=hashlib.sha256(built.object).hexdigest() if built.object is not None else None,
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
