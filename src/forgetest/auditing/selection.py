"""Selection of the cases to examine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from forgetest.errors import UserError
from forgetest.evalset import EvalSet


def only(eval_sets: Sequence[EvalSet], case_ids: Sequence[str]) -> list[EvalSet]:
    """Return the eval sets with only these cases; as they are, if none is named."""
    if not case_ids:
        return list(eval_sets)
    known = {case.id for eval_set in eval_sets for case in eval_set.cases}
    for case_id in case_ids:
        if case_id not in known:
            raise UserError(f"--case {case_id}: no such case; there are: {', '.join(sorted(known))}")
    chosen = [
        replace(eval_set, cases=tuple(case for case in eval_set.cases if case.id in case_ids)) for eval_set in eval_sets
    ]
    return [eval_set for eval_set in chosen if eval_set.cases]
