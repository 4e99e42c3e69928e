"""The table of all criteria: share, scoring guide, and the numbers with the reason for each."""

from __future__ import annotations

from nerv.rubric.efficiency_guides import EFFICIENCY
from nerv.rubric.scale import Guide, ScoreScale

_STEPS_OF_A_SHARE = (0.95, 0.87, 0.78, 0.69, 0.6, 0.5, 0.4, 0.28, 0.15)
_STEPS_OF_RULES_BROKEN = (0.0, 0.08, 0.17, 0.25, 0.34, 0.45, 0.57, 0.7, 0.85)
_NOT_SHOWN = "at most 6 if neither tests nor an audit show that it works, at most 3 if our own run of the tests failed"
_THINLY_TESTED = "at most 6 if tests try nothing of what the spec states, and our own runs do not show the change"
_LACKING = (
    "at most 6 if the result lacks code that the spec names, or a finding above a note speaks against the tests or "
    "what was built; at most 4 if half of the spec is missing"
)
_LITTLE_WORK = "if less than half of the spec is completed, at most 3 + 14 * the completed share: little was built"
_OF_THE_EXPECTED = (
    "divided by the number of tasks that a spec of this size is expected to take (one per six items, at least "
    "three), not by the actual number: extra tasks must not dilute a broken rule"
)

GUIDES: tuple[Guide, ...] = (
    Guide(
        category="implementation_quality",
        key="requirements",
        share=35,
        looks_at="evidence that each item of the spec is met; names in the spec that the code defines",
        bands=(
            "nearly every item is verified by tests or by an audit, and the code defines every name in the spec",
            "most items are verified or audited, and the rest are at least ticked off",
            "everything is ticked off with little other evidence, or half of it is shown to be met",
            "a third is met, or much is claimed without evidence",
            "hardly anything is met, or the evidence contradicts the claims",
        ),
        scale=ScoreScale(
            figure="share of the spec shown to be met: verified 1, audited 0.85, ticked 0.55, claimed 0.3, "
            "unfinished 0.2 (the run ended before it was delivered), contradicted -0.2; "
            "an item that rests on tests loses up to its distance from 0.55 with what it states and no test tries; "
            "the names in the spec that the code defines make up a quarter of it",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="ticked boxes alone (0.55) end in the middle, as only the run itself says so; an audit alone "
            "earns 8",
        ),
        advice="show that each item is met: by a passing test about it, or by an audit that names it",
    ),
    Guide(
        category="implementation_quality",
        key="tests",
        share=25,
        looks_at="tests for what was built, and the result of their last recorded run",
        bands=(
            "tests cover nearly everything that was asked for, and a run of them is recorded as passed",
            "tests cover most of it, and a run of them is recorded as passed",
            "tests cover half of it, and they pass",
            "there are few tests, or they fail, or no run of them is recorded",
            "there are no tests, or the record contradicts the claim that they pass",
        ),
        scale=ScoreScale(
            figure="0.6 * share of the items that have tests (60% of the items count as all; where --verify "
            "shows the change, of the cases stated by the spec that tests try, where 50% count as none and 80% as all; "
            "a failing or unrecorded run halves it) + 0.4 * pass rate of the last run",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="tests without a recorded run earn at most 4, the same as tests that all fail: a missing record "
            "must not help. Much of a spec (appearance, documentation, setup) is not for unit tests, so 60% of its "
            "items are enough",
        ),
        advice="write tests for the items that have none, and end with a passing run of the whole suite",
    ),
    Guide(
        category="implementation_quality",
        key="organisation",
        share=25,
        looks_at="size and complexity of functions and files, naming, type safety",
        bands=(
            "functions and files are small and simple, names follow the language's conventions, everything is typed",
            "a reviewer would comment on a few places",
            "about one comment per item of the spec",
            "two or three comments per item",
            "no recognizable structure, or no code at all",
        ),
        scale=ScoreScale(
            figure="review comments (a function over 60 lines or of complexity over 15 counts 1 or more, a bad name "
            "0.5, an untyped function 0.3, any, cast or unwrap 0.2 to 0.5) per item of the spec",
            bounds=(0.2, 0.45, 0.8, 1.15, 1.6, 2.3, 3.2, 4.5, 6.5),
            more_is_better=False,
            reason="per item of the spec, not per line: more code must not dilute bad code. This project's own "
            "packages (30,600 lines of Python, Rust and JavaScript) have 0.76 per 100 lines; an item that takes 100 "
            "such lines would score 8",
        ),
        caps=(_LITTLE_WORK, _NOT_SHOWN, _THINLY_TESTED),
        advice="fix the places listed above, the most serious ones first",
    ),
    Guide(
        category="implementation_quality",
        key="repetition",
        share=15,
        looks_at="copied blocks, dead and commented-out code, leftovers",
        bands=(
            "no duplication and no leftovers",
            "a copied block or two",
            "some copies and leftovers",
            "whole functions are copied, code is commented out",
            "copied code throughout, or no code at all",
        ),
        scale=ScoreScale(
            figure="review comments (ten copied lines 1, unreachable or unused code 1, a leftover 0.5) per item of "
            "the spec",
            bounds=(0.1, 0.25, 0.45, 0.7, 1.0, 1.5, 2.2, 3.2, 4.5),
            more_is_better=False,
            reason="per item of the spec, as for organisation; the same packages have 0.07 per 100 lines: copies are "
            "easier to avoid than long functions",
        ),
        caps=(_LITTLE_WORK, _NOT_SHOWN, _THINLY_TESTED),
        advice="merge the copies and remove the leftovers",
    ),
    Guide(
        category="workflow_quality",
        key="progression",
        share=30,
        looks_at="completion of the spec, from cycle to cycle",
        bands=(
            "every cycle raises it, and all of the spec is completed",
            "nearly every cycle raises it, and most of the spec is completed",
            "it rises to about half, or some cycles do not raise it",
            "it reaches a third, or falls again",
            "no progress is recorded",
        ),
        scale=ScoreScale(
            figure="0.6 * share of the spec ticked off at the end (a quarter of it requires tests or audits that "
            "confirm it) + 0.4 * share of the cycles that raised it - share that was lost again",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="the final state counts more than steady progress",
        ),
        caps=(_LACKING,),
        advice="plan each cycle so that it completes more of the spec",
    ),
    Guide(
        category="workflow_quality",
        key="scoping",
        share=25,
        looks_at="tasks that finish without time-outs, errors or loops, and that are of similar size",
        bands=(
            "tasks finish as planned and are of similar size",
            "occasional errors",
            "some tasks fail, time out or are far larger than the others",
            "about one problem for every two items",
            "hardly any task finishes as planned, or no task is recorded",
        ),
        scale=ScoreScale(
            figure="problems (an unfinished task, time-out or loop 1, an error 0.5, a tool error 0.03, sizes that "
            "differ by a factor of more than 10, 30, 100: 1, 2, 3) per completed item",
            bounds=(0.03, 0.08, 0.15, 0.24, 0.35, 0.5, 0.7, 1.0, 1.5),
            more_is_better=False,
            reason="per completed item: splitting tasks must not help. Tool errors are common: 21 of 101, 3 of 26 and "
            "6 of 32 calls in the three example sessions",
        ),
        caps=(
            "1 if no task was finished",
            "at most 6, 4, 2 if a third, two thirds, all of the expected number of tasks are unfinished",
        ),
        advice="split the work that timed out or failed into tasks that can be finished in one attempt",
    ),
    Guide(
        category="workflow_quality",
        key="delivery",
        share=25,
        looks_at="every cycle merges work that completes items of the spec",
        bands=(
            "every cycle merges work and completes items of the spec",
            "nearly every cycle does",
            "about half of the cycles do both",
            "few cycles do both, or most do only one of the two",
            "nothing is delivered",
        ),
        scale=ScoreScale(
            figure="mean over cycles (work merged and items completed 1, only completed 0.4, only merged 0.3, neither "
            "0); it counts in full if half of the spec is completed at the end and tests or audits confirm it, and "
            "three quarters if nothing confirms it",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="a merge that completes nothing, or a box ticked without a merge, is worth less than half",
        ),
        caps=(_LACKING,),
        advice="end each cycle with merged work that completes items of the spec",
    ),
    Guide(
        category="workflow_quality",
        key="alignment",
        share=20,
        looks_at="every task serves a requirement, and every requirement has a task",
        bands=(
            "the tasks cover the spec exactly",
            "most requirements have a finished task, and hardly any task is unrelated",
            "half of the requirements have a task",
            "few requirements have a task, or many tasks serve none",
            "the tasks have little to do with the spec",
        ),
        scale=ScoreScale(
            figure="share of the items with a finished task (80% count as all), reduced by up to 60% for tasks that "
            "serve no item",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="80%, because text similarity finds only 86% of the 113 labelled pairs of task and item in the six "
            "example specs, with a precision of 92%",
        ),
        caps=(_LACKING,),
        advice="name the requirements that each task serves in its title",
    ),
    *EFFICIENCY,
    Guide(
        category="user_experience",
        key="ux_and_docs",
        share=30,
        looks_at="a README that says how to start it, a documented interface, error messages, accessible pages",
        bands=(
            "the README says how to start it, the interface is documented, errors have messages, pages are accessible",
            "one of these has gaps",
            "one of these is missing",
            "hardly any documentation",
            "no documentation at all",
        ),
        scale=ScoreScale(
            figure="README 0.4 (exists, says how to start, its commands exist), interface 0.2, error messages 0.2, "
            "accessibility 0.2 if the spec asks for pages",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="the README is what everybody needs first; its length does not count",
        ),
        caps=(_LACKING,),
        advice="document how to start it and its interface, and try the documented commands",
    ),
    Guide(
        category="user_experience",
        key="isolation",
        share=20,
        looks_at="a separate worktree for every task",
        bands=(
            "every task has its own worktree",
            "one task has none, or shares one",
            "a third of the expected number of tasks have none",
            "most tasks have none",
            "no worktrees",
        ),
        scale=ScoreScale(
            figure=f"tasks without their own worktree, {_OF_THE_EXPECTED}",
            bounds=_STEPS_OF_RULES_BROKEN,
            more_is_better=False,
            reason="the rule is either kept or broken: in a small run one exception costs at least two points",
        ),
        advice="give each task a worktree before it starts",
    ),
    Guide(
        category="user_experience",
        key="review",
        share=20,
        looks_at="every merge follows an approving review of its task; rejected work is changed before the next review",
        bands=(
            "every merge was approved first",
            "one merge was not",
            "a third of the expected number were not",
            "most were not",
            "no reviews, or nothing merged",
        ),
        scale=ScoreScale(
            figure=f"merges without a prior approval, plus half the approvals of unchanged work, {_OF_THE_EXPECTED}",
            bounds=_STEPS_OF_RULES_BROKEN,
            more_is_better=False,
            reason="the rule is either kept or broken",
        ),
        advice="merge a task only after a review of it has approved the work",
    ),
    Guide(
        category="user_experience",
        key="merges",
        share=15,
        looks_at="clean merges, no failed merges, no direct commits to main",
        bands=(
            "all merges are clean, and there are no direct commits to main",
            "one failed merge, or one direct commit to main",
            "problems with a third of the expected number",
            "problems with most of them",
            "nothing merged",
        ),
        scale=ScoreScale(
            figure=f"failed merges, plus half the direct commits to main and half the started tasks never merged, "
            f"{_OF_THE_EXPECTED}",
            bounds=_STEPS_OF_RULES_BROKEN,
            more_is_better=False,
            reason="the rule is either kept or broken; a direct commit is easier to undo than a failed merge",
        ),
        advice="update each branch from main before merging it, and commit on branches only",
    ),
    Guide(
        category="user_experience",
        key="permissions",
        share=15,
        looks_at="permissions are requested, decided and respected, and not disabled altogether",
        bands=(
            "every request was decided, and every decision was respected",
            "one request was left undecided, or one tool was always allowed",
            "several of these",
            "a denied call was made anyway",
            "permissions were disabled altogether, denials were ignored, or nothing is recorded",
        ),
        scale=ScoreScale(
            figure="violations: a denied call that was made anyway 4, permissions disabled altogether 8, a request "
            "without a decision 0.5, a decision without a recorded request 0.5 (at most 1), a tool that is always "
            "allowed 0.5 (at most 1.5)",
            bounds=(0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0),
            more_is_better=False,
            reason="ignoring a denial is worse than all negligence together",
        ),
        caps=("at most 7 if a summary counts no request: no rule was broken, but none was needed",),
        advice="decide every request, and block every denied call",
    ),
)
