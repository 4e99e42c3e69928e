"""The scores and conditions of a report, as a comparison needs them."""

from forgetest.comparison.scores import ScoredCase, scores_of
from specimens import a_refusal, a_report, a_sample, a_verdict, an_unjudged_sample

FIB = ScoredCase("basics", "fibonacci", "acme/small")


def test_the_scores_of_judged_attempts_are_collected_by_case_and_model():
    samples = [
        a_sample(attempt=1),
        a_sample(attempt=2, verdict=a_verdict(passed=1, failed=1)),
        a_refusal(attempt=3),
        an_unjudged_sample(attempt=4),
    ]
    found = scores_of(a_report(samples, pass_k=(1, 3)))
    assert (found.id, found.created_at, found.pass_k) == ("report-1", "2026-01-02T03:04:05Z", (1, 3))
    assert found.cases[FIB].scores == (1.0, 0.75, 0.0)
    assert found.cases[FIB].correct == 1
    assert found.models == ["acme/small"]


def test_conditions_include_everything_that_scores_depend_on():
    report = a_report([a_sample()], prompt_template_hash="p1")
    assert scores_of(report).conditions == {
        "eval set basics": "hash-of-basics",
        "weights of basics": "compilation 0.4, tests 0.5, clippy 0.1",
        "toolchain": "rustc 1.95.0",
        "sandbox": "bwrap",
        "prompt template": "p1",
        "temperature": "0.8",
        "max tokens": "1024",
    }


def test_a_case_without_a_judged_attempt_has_no_mean_score():
    found = scores_of(a_report([an_unjudged_sample()]))
    assert found.cases[FIB].mean_score is None
