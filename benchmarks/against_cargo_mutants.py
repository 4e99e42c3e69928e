"""Our mutants of Rust against those of cargo-mutants, on the same functions of real crates.

    python benchmarks/against_cargo_mutants.py [--tools FOLDER] [--shard N]

Downloads three small crates from crates.io, and installs cargo-mutants there too, unless `--tools` has it. Both tools
judge their mutants by the crates' own unit tests, with two workers, in turn, crate by crate. cargo-mutants runs without
a sandbox and gets its first build for free; our figure includes preparing the case. `--shard N` lets cargo-mutants
judge only every Nth of its mutants, but twenty at least; a rate needs no more.

Of the mutants of cargo-mutants that compile:

- *the same*: one of ours has the same syntax tree, apart from comments and parentheses
- *subsumed*: every test that kills one of ours in the same function also kills this one, and there is such a test; who
  has that one of ours killed has this one killed
- *other*: neither

Our grader judges cargo-mutants' mutants too, which shows whether the two agree on a program. Exit code 1 where we
judge fewer than ten times as many mutants a second.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cargo_mutants
from cargo_mutants import CAUGHT, MISSED, TIMEOUT, Crate, Mutant
from measuring import Cost, Meter, meter
from tree_sitter import Node

import forgetest
from forgetest import mutation
from forgetest.auditing.subjects import mutants_limit_s
from forgetest.evalset import Case, Expectations
from forgetest.mutation import Mutation
from forgetest.toolchains.rust.audit.operators import GRAMMAR, mutations

CRATES = {"strsim": "0.11.1", "shell-words": "1.1.0", "roman": "0.2.2"}
GOAL = 10.0
WORKERS = 2
LEAST_JUDGED = 20
MOST_S = 60.0
"""For a test of the crate's own code."""


STOPPED = "(a time limit)"
"""Stands for the tests that did not run after one that was stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A judged program."""

    compiled: bool
    killed_by: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one crate shows."""

    crate: str
    ours: int
    """Our mutants that compile."""
    our_cost: Cost
    theirs: int
    """Judged mutants of cargo-mutants that compile."""
    their_cost: Cost
    same: int
    subsumed: int
    other: tuple[str, ...]
    """Mutants that ours neither include nor subsume."""
    disagreements: tuple[str, ...]


def judge(place: Path) -> None:
    """Judge the programs of a file, and write what was found; called in a process of its own.

    They are screened first, as in an audit.
    """
    asked = json.loads(place.read_text())
    case = Case(
        id=asked["id"],
        name=asked["id"],
        prompt="",
        language="rust",
        options={"edition": cargo_mutants.EDITION},
        timeout_secs=MOST_S,
        expectations=Expectations(test_file=asked["tests"]),
    )
    programs: list[str] = asked["programs"]
    found: dict[str, dict[str, object]] = {}
    with forgetest.Grader(cache_mb=0, parallelism=WORKERS) as grader:
        original: str = asked["reference"]
        [reference] = grader.grade_many([(original, case)], as_code=True)
        slowest_ms = max(test.cpu_ms for test in reference.verdict.tests) if reference.verdict is not None else 0.0
        case = replace(case, timeout_secs=mutants_limit_s(slowest_ms), reference_solution=original)
        [(_, screened)] = grader.screen([(case, [changed(original, code) for code in programs])])
        for code, each in zip(programs, screened, strict=True):
            if each is not None:
                # the tests after one that ran out of time did not run: nothing can be concluded from the others
                names = [*each.killed_by, *([STOPPED] if each.timed_out else [])]
                found[code] = {"compiled": each.status != "invalid", "killed_by": names}
        left = [code for code in programs if code not in found]
        for code, grade in zip(left, grader.grade_many([(code, case) for code in left], as_code=True), strict=True):
            if grade.verdict is None:
                raise SystemExit(f"a mutant could not be judged: {grade.reason}")
            failed = [test.name for test in grade.verdict.tests if test.status == "failed"]
            found[code] = {"compiled": grade.verdict.compiled, "killed_by": failed}
    print(f"  {len(programs) - len(left)} of {len(programs)} programs screened", flush=True)
    place.with_suffix(".out").write_text(json.dumps([found[code] for code in programs]))


def changed(original: str, code: str) -> Mutation:
    """Return a program as a change of the original."""
    old, new = original.encode(), code.encode()
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    after = next((at for at in range(shorter - start) if old[-1 - at] != new[-1 - at]), shorter - start)
    end, line = len(old) - after, old[:start].count(b"\n") + 1
    return Mutation(operator="", line=line, start=start, end=end, before="", after="", code=code)


def judge_ours(crate: Crate, programs: Sequence[str], counter: Meter, costs: list[Cost]) -> list[Judged]:
    """Let our grader judge programs, as one round."""
    place = crate.folder / "programs.json"
    asked = {
        "id": crate.name,
        "tests": crate.case.expectations.test_file,
        "programs": programs,
        "reference": crate.case.reference_solution,
    }
    place.write_text(json.dumps(asked))
    counter.run([sys.executable, __file__, "--judge", str(place)], costs)
    found = json.loads(place.with_suffix(".out").read_text())
    return [Judged(compiled=each["compiled"], killed_by=frozenset(each["killed_by"])) for each in found]


def shape(code: str, original: str, function: tuple[int, int]) -> object:
    """Return the syntax tree of a function that a mutant changes, without comments and parentheses.

    `function` has its first and last line in the original.
    """

    def of_node(node: Node) -> object:
        children = [child for child in node.children if not child.type.endswith("_comment")]
        if node.type == "parenthesized_expression":
            return of_node(next(child for child in children if child.is_named))
        return (node.type, *map(of_node, children)) if children else (node.type, mutation.text_of(node))

    first, last = function
    lines = code.split("\n")
    longer = len(lines) - original.count("\n") - 1
    return of_node(mutation.parse(GRAMMAR, "\n".join(lines[first - 1 : last + longer])))


def compare(
    crate: Crate,
    ours: Mapping[str, tuple[int, Judged]],
    theirs: Mapping[Mutant, Judged],
) -> tuple[int, int, list[str]]:
    """Return how many mutants of cargo-mutants are also ours or subsumed by ours, and the names of the others."""
    reference = crate.case.reference_solution or ""
    same, subsumed, other = 0, 0, []
    shapes: dict[tuple[int, int], set[object]] = {}
    for mutant, judged in theirs.items():
        if not judged.compiled:
            continue
        first, last = mutant.function
        near = {code: each for code, (line, each) in ours.items() if first <= line <= last}
        if mutant.function not in shapes:
            shapes[mutant.function] = {shape(code, reference, mutant.function) for code in near}
        if shape(mutant.code, crate.source, mutant.function) in shapes[mutant.function]:
            same += 1
        elif any(each.killed_by and each.killed_by <= judged.killed_by for each in near.values()):
            subsumed += 1
        else:
            other.append(mutant.name)
    return same, subsumed, other


def disagreements(theirs: Mapping[Mutant, Judged], verdicts: Mapping[str, str]) -> list[str]:
    """Name the mutants of cargo-mutants that our grader judges otherwise than it does."""
    names = {CAUGHT: "killed", TIMEOUT: "killed", MISSED: "survived"}
    found = []
    for mutant, judged in theirs.items():
        theirs_is = names.get(verdicts.get(mutant.name, ""), "invalid")
        ours_is = "invalid" if not judged.compiled else "killed" if judged.killed_by else "survived"
        if mutant.name in verdicts and theirs_is != ours_is:
            found.append(f"{mutant.name}: {theirs_is} by cargo-mutants, {ours_is} by us")
    return found


def measure(program: Path, crate: Crate, shard: int, counter: Meter) -> Result:
    """Let both tools judge their mutants of a crate."""
    theirs = cargo_mutants.mutants(program, crate)
    functions = {mutant.function for mutant in theirs}
    ours = [
        each
        for each in mutations(crate.case.reference_solution or "")
        if any(first <= each.line <= last for first, last in functions)
    ]
    costs: list[Cost] = []
    shard = max(1, min(shard, len(theirs) // LEAST_JUDGED))
    print(f"{crate.name}: {len(ours)} mutants of ours, then {len(theirs) // shard} of cargo-mutants", flush=True)
    judged = judge_ours(crate, [each.code for each in ours], counter, costs)
    verdicts = cargo_mutants.judge(program, crate, WORKERS, f"0/{shard}", counter, costs)
    same_programs = [cargo_mutants.split_tests(mutant.code)[0] for mutant in theirs]
    by_us = dict(zip(theirs, judge_ours(crate, same_programs, counter, []), strict=True))
    found = {each.code: (each.line, result) for each, result in zip(ours, judged, strict=True) if result.compiled}
    same, subsumed, other = compare(crate, found, by_us)
    return Result(
        crate=crate.name,
        ours=len(found),
        our_cost=costs[0],
        theirs=sum(verdict in (CAUGHT, MISSED, TIMEOUT) for verdict in verdicts.values()),
        their_cost=costs[1],
        same=same,
        subsumed=subsumed,
        other=tuple(other),
        disagreements=tuple(disagreements(by_us, verdicts)),
    )


def show(result: Result) -> None:
    """Print what one crate shows."""
    total = result.same + result.subsumed + len(result.other)
    print(f"{result.crate}: {total} mutants of cargo-mutants, {result.ours} of ours in the same functions")
    print(f"  the same: {result.same}, subsumed: {result.subsumed}, other: {len(result.other)}")
    for name, count, cost in (
        ("forgetest", result.ours, result.our_cost),
        ("cargo-mutants", result.theirs, result.their_cost),
    ):
        cpu = f", {cost.cpu_s / count * 1000:.0f} ms of CPU time each" if cost.cpu_s is not None and count else ""
        print(f"  {name:<14} {count:4} judged in {cost.wall_s:6.1f} s: {count / cost.wall_s:6.2f} a second{cpu}")
    for line in (*(f"other: {each}" for each in result.other), *(f"disagree: {each}" for each in result.disagreements)):
        print(f"  {line}")


def summarize(results: Sequence[Result]) -> float:
    """Print the sums; return how many times as many mutants a second we judge."""
    same, subsumed, other = (
        sum(each) for each in zip(*((r.same, r.subsumed, len(r.other)) for r in results), strict=True)
    )
    total = same + subsumed + other
    print(f"in all: {same} of {total} the same ({same / total:.1%}), {subsumed} subsumed ({subsumed / total:.1%})")
    ours = sum(each.ours for each in results) / sum(each.our_cost.wall_s for each in results)
    theirs = sum(each.theirs for each in results) / sum(each.their_cost.wall_s for each in results)
    cpu = [(each.our_cost.cpu_s, each.their_cost.cpu_s) for each in results]
    if all(None not in pair for pair in cpu):
        our_cpu = sum(pair[0] or 0 for pair in cpu) / sum(each.ours for each in results)
        their_cpu = sum(pair[1] or 0 for pair in cpu) / sum(each.theirs for each in results)
        times = f"{their_cpu / our_cpu:.1f} times"
        print(f"CPU time: {our_cpu * 1000:.0f} against {their_cpu * 1000:.0f} ms a mutant, {times}")
    print(f"mutants a second: {ours:.2f} against {theirs:.2f}, {ours / theirs:.1f} times as many")
    return ours / theirs


def main() -> None:
    """Compare on each crate, and print the result."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tools", type=Path, help="folder with bin/cargo-mutants; installed there if it is missing")
    arguments.add_argument("--shard", type=int, default=1, metavar="N", help="cargo-mutants judges every Nth mutant")
    arguments.add_argument("--crate", action="append", choices=CRATES, help="only this one")
    arguments.add_argument("--judge", type=Path, help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.judge:
        return judge(options.judge)
    with tempfile.TemporaryDirectory() as folder, meter() as counter:
        program = cargo_mutants.install(options.tools or Path(folder, "tools"))
        wanted = {name: version for name, version in CRATES.items() if name in (options.crate or CRATES)}
        crates = cargo_mutants.download(wanted, Path(folder, "crates"))
        cargo_mutants.check_baseline(crates)
        results = []
        for crate in crates:
            results.append(measure(program, crate, options.shard, counter))
            show(results[-1])
            sys.stdout.flush()
    ratio = summarize(results)
    print(f"{'PASS' if ratio >= GOAL else 'FAIL'}: the goal is {GOAL:g} times as many mutants a second")
    sys.exit(ratio < GOAL)


if __name__ == "__main__":
    main()
