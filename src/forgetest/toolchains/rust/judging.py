"""One sample: built, perhaps built again, run by the launcher; and what was observed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import build, expected_items
from forgetest.toolchains.rust.compile.adapt import Fitted, fitted, in_sample, made
from forgetest.toolchains.rust.compile.build import Built, Recipe, Variant
from forgetest.toolchains.rust.integrity import object_file, soundness, source_text
from forgetest.toolchains.rust.language import edition
from forgetest.toolchains.rust.run.launch import Report
from forgetest.toolchains.rust.run.run_tests import Trial, tested
from forgetest.toolchains.rust.source.lexer import dangling, tokens
from forgetest.verdict import (
    Diagnostic,
    Execution,
    Finding,
    Provenance,
    Step,
    TestOutcome,
    Verdict,
)


def script(recipe: Recipe, case: Case, code: str) -> Generator[Step, Execution, Verdict]:
    """What happens to one sample."""
    fit = yield from fitted(recipe, case, code)
    variant, built, compile_ms = fit.variant, fit.built, fit.wall_ms
    told = built  # the build that speaks for the sample's own code
    # what an attribute or `pub` at its end would lay hold of, we put there; by itself it is no Rust
    unsaid = built.object is None and not in_sample(built) and not built.stopped
    if unsaid or variant.capped or dangling(code):
        without = Variant(tests=False, cfg_test=variant.cfg_test)
        told, took_ms = yield from made(recipe, case, code, without, "build without tests")
        compile_ms += took_ms
    dangers = unsafe_uses(code, told)
    if built.object is not None and dangers and not told.errors:
        variant = replace(variant, plain_rustc=True)
        built, took_ms = yield from made(recipe, case, code, variant, "checked build")
        compile_ms += took_ms
        told = replace(told, remarks=(*told.remarks, *in_sample(built)), failure=built.failure)

    best = replace(fit, variant=variant, built=built, wall_ms=compile_ms)
    verdict = observed(recipe, case, code, best, told)
    verdict = replace(verdict, integrity=(*verdict.integrity, *dangers))
    if verdict.errors or built.object is None:
        return replace(verdict, tests=_untested(recipe, built if built.errors or built.failure else told))

    hidden = build.secret(code, recipe)
    foreign = any(token.text == "extern" for token in tokens(code))
    in_object = object_file.findings(built.object, (build.entry(hidden),), foreign=foreign)
    dangers = (*dangers, *in_object)
    verdict = replace(verdict, integrity=(*verdict.integrity, *in_object))
    if not recipe.tests:
        return verdict
    trial = Trial(recipe=recipe, case=case, code=code, object=built.object, control=bool(dangers))
    report = yield from tested(trial)
    return with_tests(verdict, report)


def observed(recipe: Recipe, case: Case, code: str, fit: Fitted, told: Built) -> Verdict:
    """What is known of a sample once it is built; `told` is the build that speaks for its own code."""
    variant, unmet = fit.variant, fit.unmet
    errors = _diagnostics([remark.diagnostic for remark in told.errors])
    if told.failure:
        errors = (*errors, Diagnostic(level="error", code=None, message=told.failure))
    # only of what compiles: the syntax tree of text made for that would take minutes
    defined = [] if errors else expected_items.conditions(code, recipe.functions, recipe.types)
    conditions = [unmet.get(item.entry, condition) if condition.holds else condition for item, condition in defined]
    warnings = [r.diagnostic for r in told.remarks if not r.is_error and r.place == "sample"]
    in_scope = {path.removesuffix(" as _").rpartition("::")[2] for path in variant.imports}
    in_scope |= {*recipe.names, *variant.further_names}
    return Verdict(
        compiled=not errors,
        errors=errors,
        warnings=_diagnostics([w for w in warnings if not _is_clippy(w) and w.code != "unsafe_code"]),
        lints=_diagnostics([w for w in warnings if _is_clippy(w)]),
        conditions=tuple(conditions),
        integrity=tuple(source_text.findings(code, recipe.test_file.body, in_scope, compiles=not errors)),
        provenance=_provenance(recipe, case, code, fit),
        compile_ms=fit.wall_ms,
    )


def with_tests(verdict: Verdict, report: Report) -> Verdict:
    """The verdict, with what the tests said."""
    found = (*verdict.integrity, *report.findings)
    return replace(verdict, tests=report.outcomes, integrity=found, test_ms=report.wall_ms)


def unsafe_uses(code: str, told: Built) -> tuple[Finding, ...]:
    """What takes a sample out of reach of the compiler's promises; allowed, judged by the stricter path."""
    uses = {r.diagnostic.message for r in told.remarks if r.diagnostic.code == "unsafe_code" and r.place == "sample"}
    words = " ".join(token.text for token in tokens(code))
    found = [Finding(kind="unsafe", concern="unsafe", detail=use, forbids=False) for use in sorted(uses)]
    found += soundness.findings(words)
    # `unsafe_code` does not see naked functions; and what assembly does to the tests' own frames, nobody sees
    if re.search(r"\b(naked_asm|global_asm)\b|\basm (!|as\b)|\bunsafe \( naked\b", words):
        found.append(Finding(kind="assembly", concern="foreign", detail="has machine code of its own"))
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


def _provenance(recipe: Recipe, case: Case, code: str, fit: Fitted) -> Provenance:
    expectations = case.expectations
    asked = [expectations.test_file or "", *expectations.expected_functions, *expectations.expected_types]
    return Provenance(
        source=_hash(code),
        tests=_hash("\0".join(asked)),
        dependencies=recipe.crates.lock,
        toolchain=recipe.tools.version,
        flags=_hash(" ".join(build.call(recipe, edition(case), fit.variant))),
        binary=fit.built.object_hash,
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
