"""Score the real runs that docs/nerv-real-runs.md lists, and bring its figures up to date.

python benchmarks/real_runs.py DATA [--write]

DATA is the folder with `claude_code/` and `agent_logs/`. Without `--write` the new lines are only printed. The columns
of the person who read the logs are kept; nothing is written beside the logs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from forgetest.errors import UserError
from nerv.readers import RunSource
from nerv.renderers.page.headline import headline
from nerv.renderers.text import result
from nerv.score import GradingOptions, ScoredRun, score

DOCUMENT = Path(__file__).parent.parent / "docs" / "nerv-real-runs.md"
_OUTCOMES = {True: "pass", False: "fail", None: "open"}


def main() -> int:
    """Score every run of the table, and print or write its lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true", help="write the document instead of printing its table")
    arguments = parser.parse_args()
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    updated = [update(line, arguments.data) if line.startswith("| `") else line for line in lines]
    if arguments.write:
        DOCUMENT.write_text("\n".join(updated) + "\n", encoding="utf-8")
    else:
        print("\n".join(line for line in updated if line.startswith("| `")))
    return 0


def update(line: str, data: Path) -> str:
    """Return a line of the table with the figures of today."""
    run, _, _, _, *person = (cell.strip() for cell in line.strip("| \n").split(" | "))
    try:
        found = score(RunSource(path=data / run.strip("`")), GradingOptions(), lambda _: None)
    except UserError as error:
        print(f"{run}: {error}", file=sys.stderr)
        return f"| {' | '.join([run, 'not read', 'none', 'none', *person])} |"
    return f"| {' | '.join([run, *figures(found), *person])} |"


def figures(found: ScoredRun) -> tuple[str, str, str]:
    """Return score and result, the result of the tests, and the findings."""
    card, facts = found.report.card, found.facts
    if card.overall is None:
        return "nothing to grade", "none", "none"
    tests = headline(found.report, facts)
    kinds = sorted({f"{finding.level}: {finding.kind}" for finding in found.report.findings}, reverse=True)
    outcome = "unknown" if tests.basis == "unknown" else f"{_OUTCOMES[tests.passed]}, {tests.basis}"
    shown = result(found.report)
    shown = shown if shown.startswith("PASS") else shown.partition(" (")[0]
    return f"{card.overall:.1f} {shown}", outcome, "; ".join(kinds) or "none"


if __name__ == "__main__":
    sys.exit(main())
