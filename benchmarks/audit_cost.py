"""What an audit costs: 150 cases with 40 mutants each, on two cores, and the same once more.

    python benchmarks/audit_cost.py [--cases N] [--mutants N]

The cases are those of HumanEvalPack (Python and Rust) and of Exercism's Rust track whose reference solutions have at
least that many mutants, taken in turn. Lazy answers and forgeries are judged as in any audit. The first run begins with
an empty cache; the second finds every verdict there except those of samples that ran out of time and the repeated ones
of reference solutions. Between the two, the machine must be quiet for the times to mean something.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from measuring import Cost, Meter, meter

from forgetest import plugins
from forgetest.toolchains.auditing import auditing

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SOURCES = ("humanevalpack/humanevalpack_python.jsonl", "humanevalpack/humanevalpack_rust.jsonl", "exercism_rust.jsonl")
FORGETEST = str(Path(sys.executable).with_name("forgetest"))
WORKERS = 2


def imported(source: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Import a data set, and yield its cases."""
    path = folder / f"{Path(source).stem}.toml"
    subprocess.run([FORGETEST, "import", str(DATA / source), "--out", str(path), "--quiet"], check=True)
    for line in path.with_suffix(".cases.jsonl").read_text().splitlines():
        case = json.loads(line)
        # an id must be the only one of its kind in the set
        yield {"language": "python", **case, "id": f"{path.stem}/{case['id']}"}


def has_mutants(case: dict[str, Any], least: int) -> bool:
    """Return whether a case's reference solution has at least that many mutants."""
    language = auditing(plugins.find("toolchains", case["language"]))
    solution = case.get("reference_solution")
    return language is not None and solution is not None and len(language.mutations(solution)) >= least


def write_set(folder: Path, cases: int, mutants: int) -> Path:
    """Write the eval set, with a part of each data set in turn."""
    found = [[case for case in imported(source, folder) if has_mutants(case, mutants)] for source in SOURCES]
    chosen = [case for case in chain.from_iterable(zip_longest(*found)) if case is not None][:cases]
    if len(chosen) < cases:
        raise SystemExit(f"only {len(chosen)} cases have {mutants} mutants; give fewer --cases")
    path = folder / "set.toml"
    path.write_text('[eval_set]\nid = "set"\nname = "Set"\ncases_from = "set.jsonl"\n')
    path.with_suffix(".jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in chosen))
    return path


def audit(path: Path, mutants: int, counter: Meter, costs: list[Cost]) -> tuple[dict[str, Any], float]:
    """Audit the set as one round; return what was found, and the peak memory of forgetest's process in MB."""
    words = [FORGETEST, "audit", "--eval-set", str(path), "--mutants", str(mutants), "--repeat", "2"]
    words += ["--parallelism", str(WORKERS), "--output", str(path.parent / "audit"), "--format", "json"]
    variables = {**os.environ, "FORGETEST_CACHE": str(path.parent / "cache")}
    with counter.round(costs):
        process = subprocess.Popen(counter.argv(words), env=variables, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the audit ended with {process.returncode}")
    return json.loads((path.parent / "audit" / "audit.json").read_text()), usage.ru_maxrss / 1024


def show(name: str, audited: dict[str, Any], cost: Cost, peak_mb: float) -> None:
    """Print what one run took."""
    cases = [case for eval_set in audited["eval_sets"] for case in eval_set["cases"]]
    mutants = [mutant["status"] for case in cases for mutant in case["mutants"]]
    samples = len(mutants) + sum(len(case["impostors"]) for case in cases)
    cpu = f", {cost.cpu_s:.0f} s of CPU time" if cost.cpu_s is not None else ""
    print(f"{name}: {cost.wall_s:.1f} s{cpu}, at most {peak_mb:.0f} MB; {samples / cost.wall_s:.1f} samples a second")
    counts = ", ".join(f"{mutants.count(status)} {status}" for status in dict.fromkeys(mutants))
    print(
        f"  {len(cases)} cases, {len(mutants)} mutants ({counts}), {samples - len(mutants)} lazy answers and forgeries"
    )


def main() -> None:
    """Audit twice, and print both."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--cases", type=int, default=150)
    arguments.add_argument("--mutants", type=int, default=40)
    options = arguments.parse_args()
    if not DATA.is_dir():
        raise SystemExit(f"the data sets are not in {DATA}")
    costs: list[Cost] = []
    with tempfile.TemporaryDirectory() as folder, meter() as counter:
        path = write_set(Path(folder), options.cases, options.mutants)
        for name in ("first audit", "second audit"):
            audited, peak_mb = audit(path, options.mutants, counter, costs)
            show(name, audited, costs[-1], peak_mb)


if __name__ == "__main__":
    main()
