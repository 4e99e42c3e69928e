"""Audits of eval sets: is the exam any good?

Mutants of the reference solution, lazy answers and forgeries are judged like any sample; what passes shows what the
tests do not notice. See docs/audit.md.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from forgetest.auditing.results import Audit, AuditOptions, CaseAudit, SetAudit

if TYPE_CHECKING:
    from forgetest.auditing.progress import Progress
    from forgetest.evalset import EvalSet
    from forgetest.grading import Grader

__all__ = ["Audit", "AuditOptions", "CaseAudit", "SetAudit", "audit"]


def audit(
    eval_set: str | Path | EvalSet,
    *,
    mutants: int = AuditOptions.mutants,
    seed: int = AuditOptions.seed,
    repeat: int = AuditOptions.repeat,
    suggest: bool = AuditOptions.suggest,
    inputs: int = AuditOptions.inputs,
    samples_from: str | Path | None = None,
    grader: Grader | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Examine an eval set: a file, a folder, a built-in set, or a set that was loaded.

    `mutants`: most of each case. `seed`: decides which. `repeat`: how many times a reference solution is judged.
    `suggest`: search tests for survivors. `inputs`: how many inputs are tried for each case. `samples_from`: a file
    of recorded answers, which are judged beside.
    """
    from forgetest.auditing import recorded
    from forgetest.auditing.examine import examine
    from forgetest.auditing.progress import show_nothing
    from forgetest.evalset import EvalSet
    from forgetest.grading import Grader
    from forgetest.loading import check_cases, load_eval_sets

    found = [eval_set] if isinstance(eval_set, EvalSet) else load_eval_sets([eval_set])
    check_cases(found)
    answers = recorded.read(samples_from, found) if samples_from is not None else {}
    options = AuditOptions(mutants=mutants, seed=seed, repeat=repeat, suggest=suggest, inputs=inputs)
    with contextlib.ExitStack() as resources:
        opened = grader or resources.enter_context(Grader())
        return examine(found, opened, options, progress or show_nothing, answers)
