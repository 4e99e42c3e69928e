"""forgetest grades LLM-written code: compiled, tested and linted in a sandbox, scored honestly.

What other programs may rely on. Importing the package does nothing; each name is fetched when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forgetest.auditing import Audit, audit
    from forgetest.client import Client
    from forgetest.comparison import Comparison, compare
    from forgetest.errors import ForgetestError, MachineryError, ProviderError, UserError
    from forgetest.evalset import Case, Dependency, EvalSet, Expectations, Weights, load
    from forgetest.evalset.io_tests import IoTest, IoTests
    from forgetest.evaluation import RunOptions, run
    from forgetest.extraction import extract
    from forgetest.grade import Grade, SupportsGrading
    from forgetest.grading import Grader
    from forgetest.loading import load_case
    from forgetest.report import Report
    from forgetest.report.read import read_report
    from forgetest.sample import Attempt, Completion, Request, Sample, Score
    from forgetest.scoring import score, shortcomings
    from forgetest.statistics.intervals import pass_at_k
    from forgetest.verdict import Execution, Step, Verdict

from forgetest.version import __version__

__all__ = [
    "Attempt",
    "Audit",
    "Case",
    "Client",
    "Comparison",
    "Completion",
    "Dependency",
    "EvalSet",
    "Execution",
    "Expectations",
    "ForgetestError",
    "Grade",
    "Grader",
    "IoTest",
    "IoTests",
    "MachineryError",
    "ProviderError",
    "Report",
    "Request",
    "RunOptions",
    "Sample",
    "Score",
    "Step",
    "SupportsGrading",
    "UserError",
    "Verdict",
    "Weights",
    "__version__",
    "audit",
    "compare",
    "extract",
    "load",
    "load_case",
    "pass_at_k",
    "read_report",
    "run",
    "score",
    "shortcomings",
]

_MODULES = {
    "auditing": ("Audit", "audit"),
    "client": ("Client",),
    "comparison": ("Comparison", "compare"),
    "errors": ("ForgetestError", "MachineryError", "ProviderError", "UserError"),
    "evalset": ("Case", "Dependency", "EvalSet", "Expectations", "Weights", "load"),
    "evalset.io_tests": ("IoTest", "IoTests"),
    "evaluation": ("RunOptions", "run"),
    "extraction": ("extract",),
    "grade": ("Grade", "SupportsGrading"),
    "grading": ("Grader",),
    "loading": ("load_case",),
    "report": ("Report",),
    "report.read": ("read_report",),
    "sample": ("Attempt", "Completion", "Request", "Sample", "Score"),
    "scoring": ("score", "shortcomings"),
    "statistics.intervals": ("pass_at_k",),
    "verdict": ("Execution", "Step", "Verdict"),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"forgetest.{module}"), name)
    raise AttributeError(f"module 'forgetest' has no attribute {name!r}")
