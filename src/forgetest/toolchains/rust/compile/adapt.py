"""Builds a sample, and builds it again with adapted glue as long as it is our own text that did not compile."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import build
from forgetest.toolchains.rust.compile.build import BuildResult
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.compile.expected_items import is_settled
from forgetest.toolchains.rust.compile.glue import FIRST_SIGNATURE_LINE
from forgetest.toolchains.rust.compile.signatures import ExpectedItem
from forgetest.toolchains.rust.compile.trusted_paths import trusted_import
from forgetest.toolchains.timing import retry_alone
from forgetest.verdict import Condition, Execution, Step

_MOST_ADAPTATIONS = 6
"""An honest sample needs two or three."""
_PLAIN = BuildOptions()

TimedBuild = tuple[BuildResult, float]
"""The result of one build, and the milliseconds it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptedBuild:
    """The last build of a sample, and the options that led to it."""

    options: BuildOptions
    result: BuildResult
    unmet: Mapping[ExpectedItem, Condition]
    """Signatures and types that the sample turned out not to have."""
    wall_ms: float


def build_adapted(
    case_build: CaseBuild, case: Case, code: str, *, first: TimedBuild | None = None
) -> Generator[Step, Execution, AdaptedBuild]:
    """Build a sample with the tests of its case. `first`: the build that it begins with, if that has been made."""
    options = _PLAIN
    result, wall_ms = first or (yield from build_once(case_build, case, code, options))
    unmet: dict[ExpectedItem, Condition] = {}
    for _ in range(_MOST_ADAPTATIONS):
        adapted = adapted_options(options, result, case_build, code)
        if adapted == options:
            adapted, refused = _without_derived(options, result, case_build)
            unmet |= {item: _unmet(item, "the tests do not compile with it") for item in refused}
            if not refused:
                break
        unmet |= _unmet_items(case_build, result)
        options = adapted
        result, took_ms = yield from build_once(case_build, case, code, options)
        wall_ms += took_ms
    return AdaptedBuild(options=options, result=result, unmet=unmet, wall_ms=wall_ms)


def build_once(
    case_build: CaseBuild, case: Case, code: str, options: BuildOptions = _PLAIN, name: str = "build"
) -> Generator[Step, Execution, TimedBuild]:
    """Build once, and return the result and the milliseconds it took.

    A compiler that runs out of disk or memory is a failure of the machine, unless it still builds an empty sample and
    fails on this one again.
    """
    step = build.step(case, code, case_build, options, name=name)
    execution = yield from retry_alone(step)
    try:
        return build.read(code, execution), execution.wall_ms
    except MachineryError as error:
        empty = build.step(case, "", case_build, BuildOptions(tests=False), name="build of nothing")
        if not (yield from retry_alone(empty)).succeeded:
            raise
        again = yield from retry_alone(step)
        wall_ms = execution.wall_ms + again.wall_ms
        try:
            return build.read(code, again), wall_ms
        except MachineryError:
            return BuildResult(remarks=(), object=None, failure=str(error)), wall_ms


def adapted_options(options: BuildOptions, result: BuildResult, case_build: CaseBuild, code: str) -> BuildOptions:
    """Return the options to build again with; the same if our text compiled, or the sample's did not."""
    if result.object is not None or not result.errors or result.sample_errors:
        return options
    names, crates = set(case_build.names), dict(case_build.crates.libraries)
    missing, further, imports = set(options.without_names), set(options.further_names), set(options.imports)
    for remark in result.errors:
        if remark.place == "tests":
            further |= remark.unresolved_names & case_build.mentioned_names - names
        else:
            missing |= remark.unresolved_names & {*names, *options.further_names}
        if remark.diagnostic.code == "E0599":  # no such method: a trait is not in scope
            imports |= {f"{trusted_import(path, crates)} as _" for path in remark.suggested_imports}
        elif remark.diagnostic.code is None:  # no such macro
            imports |= {trusted_import(path, crates) for path in remark.suggested_imports}
    unmet = {remark.line - FIRST_SIGNATURE_LINE for remark in result.errors if remark.place == "signatures"}
    return replace(
        options,
        further_names=frozenset(further),
        without_names=frozenset(missing),
        imports=tuple(sorted(imports)),
        without_signatures=options.without_signatures | unmet,
        cfg_test=options.cfg_test or re.search(r"cfg_attr\s*\([^\]]{0,500}?\btest\b", code) is not None,
        capped=options.capped or any(remark.is_lint or remark.diagnostic.code == "E0453" for remark in result.errors),
    )


def _without_derived(
    options: BuildOptions, result: BuildResult, case_build: CaseBuild
) -> tuple[BuildOptions, list[ExpectedItem]]:
    """Return the options without the reference's signatures, and those: a right sample need not fit them."""
    first = len(case_build.checked_items) - len(case_build.derived)
    left = {first + index: item for index, item in enumerate(case_build.derived)}
    left = {index: item for index, item in left.items() if index not in options.without_signatures}
    if result.object is not None or not result.errors or result.sample_errors or not left:
        return options, []
    return replace(options, without_signatures=options.without_signatures | left.keys()), list(left.values())


def _unmet_items(case_build: CaseBuild, result: BuildResult) -> dict[ExpectedItem, Condition]:
    unmet = {}
    items = case_build.checked_items
    for remark in result.errors:
        index = remark.line - FIRST_SIGNATURE_LINE
        if remark.place == "signatures" and index < len(items):
            item = items[index]
            if item.signature_check is None and is_settled(remark):
                continue
            unmet[item] = _unmet(item, remark.diagnostic.message)
    return unmet


def _unmet(item: ExpectedItem, reason: str) -> Condition:
    key = "expected_functions" if item.signature_check else "expected_types"
    return Condition(name=key, holds=False, detail=f"`{item.entry}`: {reason}")
