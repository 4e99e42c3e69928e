"""The report card of HumanEval, in Python and Rust, and what the suggested tests do for it.

    python benchmarks/audit_humaneval.py [--language python|rust] [--limit N] [--mutants N] [--folder FOLDER]

HumanEvalPack is imported by `forgetest import`, and audited with `--suggest --write` on a copy, which is audited again.
Each `buggy_solution` is an extra mutant, written by people. For Rust, GPT-4's recorded solutions are judged by both
versions of the tests: those that were right and are no longer are printed with the test that they fail, because either
they are wrong or the new test asks for something that the prompt leaves open. They were written for other signatures
(MultiPL-E's), so `gpt4_answers.py` puts a function in front that converts arguments and results.

With `--folder`, files and a journal are kept there, and an interrupted run resumes. Exit code 1 where fewer than half
of the survivors are killed by the suggested tests, or a reference solution fails one.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import gpt4_answers

from forgetest.auditing.examine import examine
from forgetest.auditing.journal import Journal
from forgetest.auditing.results import AuditOptions, CaseAudit, MutantResult, SetAudit, changed_lines
from forgetest.auditing.source_lines import case_lines
from forgetest.auditing.write_tests import write_tests
from forgetest.evalset import EvalSet
from forgetest.grade import Grade
from forgetest.grading import Grader
from forgetest.loading import load_eval_sets

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FORGETEST = str(Path(sys.executable).with_name("forgetest"))
BUGGY = "humanevalpack/buggy"
WEAKEST = 10
GOAL = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """An eval set as published, and the copy with the suggested tests."""

    published: EvalSet
    stricter: EvalSet


def import_set(language: str, limit: int | None, folder: Path) -> tuple[Path, list[tuple[str, str]]]:
    """Import HumanEvalPack twice; return the copy, and the buggy solutions with the ids of their cases."""
    source, samples = DATA / "humanevalpack" / f"humanevalpack_{language}.jsonl", folder / "samples.jsonl"
    words = [FORGETEST, "import", str(source), "--out", str(folder / "published.toml"), "--samples", str(samples)]
    words += ["--quiet", "--force", *(["--limit", str(limit)] if limit else [])]
    subprocess.run(words, check=True)
    for path in folder.glob("published.*"):
        text = path.read_text().replace('"published.cases.jsonl"', '"stricter.cases.jsonl"')
        (folder / path.name.replace("published", "stricter")).write_text(text)
    rows = [json.loads(line) for line in samples.read_text().splitlines()]
    return folder / "stricter.toml", [(row["case_id"], row["code"]) for row in rows if row["model"] == BUGGY]


def audit(eval_set: EvalSet, grader: Grader, options: AuditOptions, journal: Journal) -> SetAudit:
    """Audit one set, and tell what is going on."""

    def progress(what: str, done: int, total: int) -> None:
        if done == total or done % 500 == 0:
            print(f"{what}: {done} of {total}", file=sys.stderr)

    [audited] = examine([eval_set], grader, options, progress, journal=journal).eval_sets
    return audited


def write_suggestions(eval_set: EvalSet, audited: SetAudit) -> EvalSet:
    """Add the suggested tests to a set's file, and load it again."""
    lines = case_lines(eval_set)
    cases = {case.id: case for case in eval_set.cases}
    new = {
        each.id: (cases[each.id], lines[each.id], each.suggested_test_file)
        for each in audited.cases
        if each.suggested_test_file is not None
    }
    refused = write_tests(Path(eval_set.path), new)
    print(f"suggested tests added to {len(new) - len(refused)} of {len(cases)} cases")
    [written] = load_eval_sets([eval_set.path])
    return written


def show_card(name: str, audited: SetAudit, buggy: Sequence[Grade]) -> None:
    """Print the report card; buggy solutions count as mutants."""
    killed, survived = audited.count("killed"), audited.count("survived")
    passed = sum(grade.correct for grade in buggy)
    rate = (killed + len(buggy) - passed) / max(1, killed + survived + len(buggy))
    print(f"{name}: grade {audited.letter}, {rate:.1%} killed with buggy solutions ({audited.errors} errors)")
    counts = ("killed", "survived", "equivalent", "invalid", "unjudged")
    print("  mutants: " + ", ".join(f"{audited.count(status)} {status}" for status in counts))  # type: ignore[arg-type]
    print(f"  buggy solutions: {len(buggy) - passed} killed, {passed} survived")
    wrong = [case.id for case in audited.cases if case.reference is None or not case.reference.correct]
    print(f"  reference solutions that fail: {', '.join(wrong) or 'none'}")
    for kind in ("lazy", "forgery"):
        believed = [
            f"{case.id} ({each.impostor.name})"
            for case in audited.cases
            for each in case.impostors
            if each.impostor.kind == kind and each.status == "believed"
        ]
        print(f"  {kind}: {len(believed)} believed{': ' if believed else ''}{', '.join(believed)}")


def show_weakest(audited: SetAudit) -> None:
    """Print the cases of which the tests notice least, each with a survivor that an input shows to be wrong."""
    proved = [(case, found) for case in audited.cases if (found := _proved_survivors(case))]
    proved.sort(key=lambda each: (each[0].kill_rate or 0, each[0].id))
    print(f"the weakest {min(WEAKEST, len(proved))} cases of those with a survivor that an input shows to be wrong:")
    for case, survivors in proved[:WEAKEST]:
        mutant = survivors[0]
        line, becomes = changed_lines(case.code or "", mutant.mutation.code)
        suggestion = case.suggestion_for(mutant)
        assert suggestion is not None
        print(
            f"  {case.id}: {case.count('killed')} of {case.count('killed') + case.count('survived')} killed; survives:"
        )
        print(f"    {_one_line(line)}  →  {_one_line(becomes)}")
        print(f"    though {suggestion.call} is {suggestion.expected}")


def _proved_survivors(case: CaseAudit) -> list[MutantResult]:
    return [each for each in case.mutants if each.status == "survived" and case.suggestion_for(each) is not None]


def _one_line(text: str) -> str:
    return " ⏎ ".join(text.split("\n"))


def show_gpt4(versions: Versions, grader: Grader) -> None:
    """Print the recorded answers that the suggested tests reject though the published ones do not."""
    answers = gpt4_answers.read(DATA / "gpt4_humaneval_rs_hard50.jsonl", versions.published)
    grades = []
    for eval_set in (versions.published, versions.stricter):
        cases = {case.id: case for case in eval_set.cases}
        grades.append(grader.grade_many([(each.code, cases[each.case_id]) for each in answers], as_code=True))
    right = [(each, after) for each, before, after in zip(answers, *grades, strict=True) if before.correct]
    rejected = [(each, after) for each, after in right if not after.correct]
    solved = sum(each.is_solved for each in answers)
    print(
        f"GPT-4: {len(answers)} answers fit a case, {solved} recorded as right, {len(right)} right by published tests"
    )
    print(f"  {len(rejected)} of these fail a suggested test{':' if rejected else ''}")
    for each, after in rejected:
        failed = [test for test in (after.verdict.tests if after.verdict else ()) if test.status == "failed"]
        print(f"  {each.name} (recorded as {'right' if each.is_solved else 'wrong'}): {after.reason}")
        for test in failed:
            print(f"    {test.name}: {_one_line(test.message or '')}")


def report(language: str, options: argparse.Namespace, folder: Path) -> bool:
    """Audit one language; return whether the goals are met."""
    copy, buggy = import_set(language, options.limit, folder)
    [published], [stricter] = (load_eval_sets([path]) for path in (folder / "published.toml", copy))
    asked = AuditOptions(mutants=options.mutants, repeat=1, suggest=True, inputs=options.inputs)
    journal = Journal(folder.with_suffix(".journal.jsonl"))
    with Grader(announce=lambda message: print(message, file=sys.stderr)) as grader:
        before = audit(stricter, grader, asked, journal)
        stricter = write_suggestions(stricter, before)
        after = audit(stricter, grader, AuditOptions(mutants=options.mutants, repeat=1), journal)
        for name, audited, eval_set in (("published", before, published), ("stricter", after, stricter)):
            cases = {case.id: case for case in eval_set.cases}
            grades = grader.grade_many([(code, cases[case]) for case, code in buggy], as_code=True)
            show_card(f"HumanEval in {language}, {name} tests", audited, grades)
        show_weakest(before)
        if language == "rust":
            show_gpt4(Versions(published=published, stricter=stricter), grader)
    survived, left = before.count("survived"), after.count("survived")
    killed = 1 - left / survived if survived else 1.0
    probably = sum(case.is_probably_equivalent(each) for case in before.cases for each in case.mutants)
    broken = [case.id for case, old in zip(after.cases, before.cases, strict=True) if _is_broken(old, case)]
    print(f"of {survived} survivors, the suggested tests kill {survived - left} ({killed:.1%});", end=" ")
    print(f"for {probably}, no input was found")
    print(f"reference solutions that fail a suggested test: {', '.join(broken) or 'none'}")
    return killed >= GOAL and not broken


def _is_broken(before: CaseAudit, after: CaseAudit) -> bool:
    was, now = before.reference, after.reference
    return was is not None and was.correct and (now is None or not now.correct)


def main() -> None:
    """Audit, and print the report card."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--language", choices=("python", "rust"), action="append")
    arguments.add_argument("--limit", type=int, help="only the first cases")
    arguments.add_argument("--mutants", type=int, default=AuditOptions.mutants, help="most mutants of a case")
    arguments.add_argument("--inputs", type=int, default=AuditOptions.inputs, help="inputs that suggestions may try")
    arguments.add_argument("--folder", type=Path, help="keep files here")
    options = arguments.parse_args()
    if not DATA.is_dir():
        raise SystemExit(f"the data sets are not in {DATA}")
    met = True
    with tempfile.TemporaryDirectory() as temporary:
        for language in options.language or ("python", "rust"):
            folder = (options.folder or Path(temporary)) / language
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            met = report(language, options, folder) and met
    print(f"{'PASS' if met else 'FAIL'}: at least half of the survivors killed, and every reference solution passes")
    sys.exit(not met)


if __name__ == "__main__":
    main()
