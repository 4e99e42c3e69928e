"""One sample: built, perhaps built again, run by the launcher; and what was observed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from forgetest.evalset import Case
from forgetest.toolchains.rust import build, elf, launch, syntax, tells, testfile
from forgetest.toolchains.rust.build import Built, Recipe, Variant
from forgetest.toolchains.rust.diagnostics import Remark
from forgetest.toolchains.rust.lexer import dangling, tokens
from forgetest.toolchains.rust.names import mentioned, not_found
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

_MOST_BUILDS = 6
"""How often our own text is fitted to a sample; an honest one needs two or three."""


def script(recipe: Recipe, case: Case, code: str) -> Generator[Step, Execution, Verdict]:
    """What happens to one sample."""
    variant = Variant()
    execution = yield build.step(case, code, recipe, variant)
    spent = [execution.wall_ms]
    built = build.read(code, execution)
    unmet: dict[str, Condition] = {}
    for _ in range(_MOST_BUILDS):
        refined = _refined(variant, built, recipe, code)
        if refined == variant:
            break
        unmet |= _unmet_signatures(recipe, built)
        variant = refined
        execution = yield build.step(case, code, recipe, variant)
        spent.append(execution.wall_ms)
        built = build.read(code, execution)

    told = built  # the build that speaks for the sample's own code
    # what an attribute or `pub` at its end would lay hold of, we put there; by itself it is no Rust
    if (built.object is None and not _in_sample(built)) or variant.capped or dangling(code):
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
    seen = {path.removesuffix(" as _").rpartition("::")[2] for path in variant.imports}
    seen |= {*recipe.names, *variant.further_names}
    noted = tells.findings(code, recipe.test_file.body, seen, compiles=not errors)
    verdict = Verdict(
        compiled=not errors,
        errors=errors,
        warnings=_diagnostics([w for w in warnings if not _is_clippy(w) and w.code != "unsafe_code"]),
        lints=_diagnostics([w for w in warnings if _is_clippy(w)]),
        conditions=tuple(conditions),
        integrity=(*noted, *dangers),
        provenance=_provenance(recipe, case, code, built),
        compile_ms=sum(spent),
    )
    if errors or built.object is None:
        return replace(verdict, tests=_untested(recipe, built if built.errors else told))

    hidden = build.secret(code, recipe)
    foreign = any(token.text == "extern" for token in tokens(code))
    dangers = (*dangers, *elf.findings(built.object, build.entry(hidden), foreign=foreign))
    if not recipe.tests:
        return replace(verdict, integrity=(*noted, *dangers))
    mounts = (Mount(source=recipe.runtime, target="/rt"), *recipe.tools.run_libraries)
    execution = yield launch.run_step(
        recipe.tests, build.entry(hidden), built.object, mounts, case.timeout_secs, control=bool(dangers)
    )
    report = launch.read(execution, recipe.tests)
    return replace(
        verdict, tests=report.outcomes, integrity=(*noted, *dangers, *report.findings), test_ms=execution.wall_ms
    )


def _refined(variant: Variant, built: Built, recipe: Recipe, code: str) -> Variant:
    """How to build again, where it is our text and not the sample's that did not compile; else the same."""
    if built.object is not None or not built.errors or _in_sample(built):
        return variant
    missing, further, wanted = set(variant.without_names), set(variant.further_names), set(variant.imports)
    for remark in built.errors:
        if remark.place == "tests":
            further |= not_found(remark) & mentioned(recipe) - set(recipe.names)
        else:
            missing |= not_found(remark) & {*recipe.names, *variant.further_names}
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
