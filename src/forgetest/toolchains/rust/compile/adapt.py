"""Our own text, fitted to a sample: built, and built again as long as it is ours that did not compile."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import build, testfile
from forgetest.toolchains.rust.compile.build import Built, Recipe, Variant
from forgetest.toolchains.rust.compile.diagnostics import Remark
from forgetest.toolchains.rust.compile.names import mentioned, not_found
from forgetest.toolchains.timing import retry_alone
from forgetest.verdict import Condition, Execution, Step

_MOST_BUILDS = 6
"""How often our own text is fitted to a sample; an honest one needs two or three."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The build that fits best."""

    variant: Variant
    built: Built
    unmet: Mapping[str, Condition]
    """Signatures that the sample turned out not to have, by their entries."""
    wall_ms: float


def fitted(recipe: Recipe, case: Case, code: str) -> Generator[Step, Execution, Fitted]:
    """Build a sample with the tests of its case."""
    variant = Variant()
    built, wall_ms = yield from made(recipe, case, code, variant)
    unmet: dict[str, Condition] = {}
    for _ in range(_MOST_BUILDS):
        refined = _refined(variant, built, recipe, code)
        if refined == variant:
            break
        unmet |= _unmet_signatures(recipe, built)
        variant = refined
        built, took_ms = yield from made(recipe, case, code, variant)
        wall_ms += took_ms
    return Fitted(variant=variant, built=built, unmet=unmet, wall_ms=wall_ms)


def made(
    recipe: Recipe, case: Case, code: str, variant: Variant, name: str = "build"
) -> Generator[Step, Execution, tuple[Built, float]]:
    """One build and what it took. A compiler without room fails us, unless it has room for anything but this sample."""
    step = build.step(case, code, recipe, variant, name=name)
    execution = yield from retry_alone(step)
    try:
        return build.read(code, execution), execution.wall_ms
    except MachineryError as error:
        nothing = yield from retry_alone(build.step(case, "", recipe, Variant(tests=False), name="build of nothing"))
        if not nothing.succeeded:
            raise
        again = yield from retry_alone(step)
        try:
            return build.read(code, again), execution.wall_ms + again.wall_ms
        except MachineryError:
            return Built(remarks=(), object=None, failure=str(error)), execution.wall_ms + again.wall_ms


def in_sample(built: Built) -> tuple[Remark, ...]:
    """The errors in the sample's own code."""
    return tuple(remark for remark in built.errors if remark.place == "sample")


def _refined(variant: Variant, built: Built, recipe: Recipe, code: str) -> Variant:
    """How to build again, where it is our text and not the sample's that did not compile; else the same."""
    if built.object is not None or not built.errors or in_sample(built):
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


def _unmet_signatures(recipe: Recipe, built: Built) -> dict[str, Condition]:
    unmet = {}
    for remark in built.errors:
        if remark.place == "pins" and remark.line - build.FIRST_PIN < len(recipe.pins):
            entry = recipe.pins[remark.line - build.FIRST_PIN].entry
            detail = f"`{entry}`: {remark.diagnostic.message}"
            unmet[entry] = Condition(name="expected_functions", holds=False, detail=detail)
    return unmet
