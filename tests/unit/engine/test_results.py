"""The samples of a plan, from memory and from the journal."""

from __future__ import annotations

import msgspec
import pytest

from forgetest.engine import results as module
from forgetest.engine.journal import Finished, Journal
from forgetest.engine.plan import Generation, Plan, for_models
from forgetest.engine.results import Results
from forgetest.evalset.generation import GenerationSettings
from forgetest.sample import Usage
from specimens import a_case, a_verdict, an_eval_set

SET = an_eval_set(a_case("add"), a_case("sort"))
GENERATION = Generation(temperature=1.0, settings=GenerationSettings(max_tokens=100), prompt_template_hash="h")
PLAN: Plan = for_models([SET], [SET], [("acme", "small")], (1,), 3, GENERATION)


def lines() -> list[Finished]:
    found = []
    for number, attempt in enumerate(PLAN.attempts):
        verdict = None if number % 3 == 2 else a_verdict(failed=number % 2, lints=number)
        found.append(
            Finished(
                attempt=attempt,
                outcome="unjudged" if number == 5 else "judged",
                reason=None if verdict else "the answer has no code",
                code=f"fn f{number}() {{}}",
                verdict=verdict,
                usage=Usage(cost_usd=0.1),
                latency_ms=1.5,
                total_ms=0.1 + 0.2,
                elapsed_ms=number / 3,
            )
        )
    return found


@pytest.mark.parametrize("kept_bytes", [0, 1000, 1 << 20])
def test_kept_or_not_samples_are_those_of_the_journal(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, kept_bytes: int
) -> None:
    monkeypatch.setattr(module, "_KEPT_BYTES", kept_bytes)
    results = Results(PLAN, journal)
    first, second, *others = lines()
    added = [*results.add(*others), *results.add(second), *results.add(first)]

    assert list(results) == list(Results(PLAN, journal)) == sorted(added, key=lambda sample: sample.attempt)
    assert [sample.correct for sample in results] == [True, False, False, False, True, None]
    assert [sample.score is None for sample in results] == [False] * 5 + [True]


@pytest.mark.parametrize("kept_bytes", [3000, 1 << 20])
def test_the_last_line_of_an_attempt_counts(journal: Journal, monkeypatch: pytest.MonkeyPatch, kept_bytes: int) -> None:
    monkeypatch.setattr(module, "_KEPT_BYTES", kept_bytes)
    results = Results(PLAN, journal)
    line = lines()[0]
    for number in range(5):
        results.add(msgspec.structs.replace(line, code=f"fn later{number}() {{}}"))

        assert [sample.code for sample in results] == [f"fn later{number}() {{}}"]
