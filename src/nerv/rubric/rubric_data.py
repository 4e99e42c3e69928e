"""The table of all criteria: share, scoring guide, and the numbers with the reason for each."""

from __future__ import annotations

from nerv.rubric.scale import Guide, ScoreScale

_STEPS_OF_A_SHARE = (0.95, 0.87, 0.78, 0.69, 0.6, 0.5, 0.4, 0.28, 0.15)
_STEPS_OF_RULES_BROKEN = (0.0, 0.08, 0.17, 0.25, 0.34, 0.45, 0.57, 0.7, 0.85)
_LITTLE_WORK = "where less than half of the spec is completed, at most 3 + 14 * the share that is: little was built"
_OF_THE_EXPECTED = (
    "divided by the tasks that a spec of this size is expected to take (one for six items, at least three), not by "
    "those there were: more tasks do not thin out the one that broke a rule"
)

GUIDES: tuple[Guide, ...] = (
    Guide(
        category="implementation_quality",
        key="requirements",
        share=35,
        looks_at="the spec's items, by how well each is shown to be met; what the spec names and the code defines",
        bands=(
            "nearly every item is verified by tests or found met by an audit, and the code defines all that is named",
            "most items are verified or audited, the rest at least ticked off",
            "everything is ticked off, and little of it shown otherwise; or half of it is shown to be met",
            "a third is met, or much is claimed that nothing shows",
            "hardly anything is met, or the evidence contradicts what is claimed",
        ),
        scale=ScoreScale(
            figure="share of the spec shown to be met: verified 1, audited 0.85, ticked 0.55, claimed 0.3, "
            "contradicted -0.2; a quarter of it is what the spec names and the code defines",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="boxes alone (0.55) end in the middle, as nobody but the run says so; an audit alone earns 8",
        ),
        advice="show that each item is met: a test about it that passes, or an audit that names it",
    ),
    Guide(
        category="implementation_quality",
        key="tests",
        share=25,
        looks_at="tests for what was built, and how their last recorded run ended",
        bands=(
            "tests are about nearly all that was asked for, and are recorded to pass",
            "tests for most of it, recorded to pass",
            "tests for half of it that pass",
            "few tests, or tests that fail or were never recorded to run",
            "no tests, or claims of passing tests that the record contradicts",
        ),
        scale=ScoreScale(
            figure="0.6 * items that tests are about (60% of the items count as all, and a failing or unrecorded run "
            "halves them) + 0.4 * pass rate of the last run",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="tests that were never seen to run earn at most 4, as those that all fail do: silence is no better. "
            "Much of a spec (looks, documents, how it starts) is not for unit tests, so 60% of its items are enough",
        ),
        advice="write tests about the items that have none, and leave the last run of the suite passing",
    ),
    Guide(
        category="implementation_quality",
        key="organisation",
        share=25,
        looks_at="size and complexity of functions and files, names, type safety",
        bands=(
            "functions and files of a size that one holds in the head, names by the language, types throughout",
            "a few places that a reviewer would remark on",
            "about a remark for every item of the spec",
            "two or three remarks for every item",
            "no structure to speak of, or no code at all",
        ),
        scale=ScoreScale(
            figure="remarks (a function over 60 lines or of complexity over 15 counts 1 and more, a name 0.5, "
            "an untyped "
            "function 0.3, any, cast or unwrap 0.2 to 0.5) for each item of the spec",
            bounds=(0.2, 0.45, 0.8, 1.15, 1.6, 2.3, 3.2, 4.5, 6.5),
            more_is_better=False,
            reason="per item of the spec, not per line: more code must not thin out bad code. This program's own "
            "packages (30,600 lines of Python, Rust, JavaScript) have 0.76 in 100 lines, and an item that took 100 of "
            "them would have an 8",
        ),
        caps=(_LITTLE_WORK,),
        advice="mend the places named, the weightiest first",
    ),
    Guide(
        category="implementation_quality",
        key="repetition",
        share=15,
        looks_at="copied blocks, dead and commented-out code, things left over",
        bands=(
            "nothing is said twice and nothing is left over",
            "a copied block or two",
            "copies and leftovers here and there",
            "whole functions copied, code commented out",
            "copied throughout, or no code at all",
        ),
        scale=ScoreScale(
            figure="remarks (ten copied lines 1, unreachable or unused code 1, a leftover 0.5) for each item of "
            "the spec",
            bounds=(0.1, 0.25, 0.45, 0.7, 1.0, 1.5, 2.2, 3.2, 4.5),
            more_is_better=False,
            reason="per item of the spec, as for organisation; the same packages have 0.07 in 100 lines: a copy is "
            "easier to do without than a long function",
        ),
        caps=(_LITTLE_WORK,),
        advice="bring copies together and take out what is left over",
    ),
    Guide(
        category="workflow_quality",
        key="progression",
        share=30,
        looks_at="spec completion, from cycle to cycle",
        bands=(
            "every cycle raises it, up to all of the spec",
            "nearly every cycle raises it, up to most of the spec",
            "it rises to about half, or stands still in some cycles",
            "a third is reached, or it falls again",
            "no progress is recorded",
        ),
        scale=ScoreScale(
            figure="0.6 * share of the spec ticked off in the end (a quarter of it hangs on tests or audits that "
            "back it) + 0.4 * share of cycles that raised it - what was lost on the way",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="where it ends counts more than how evenly it got there",
        ),
        advice="plan each cycle so that it ends with more of the spec done than it began with",
    ),
    Guide(
        category="workflow_quality",
        key="scoping",
        share=25,
        looks_at="tasks that finish without time-outs, errors and loops, of sizes of one order",
        bands=(
            "tasks finish as planned and are of like size",
            "an error here and there",
            "some tasks fail, time out or are far larger than others",
            "trouble in about every second item",
            "hardly a task finishes as planned, or none is recorded",
        ),
        scale=ScoreScale(
            figure="trouble (an unfinished task, time-out or loop 1, an error 0.5, a tool error 0.03, sizes "
            "apart by more "
            "than 10, 30, 100 times 1, 2, 3) for each completed item",
            bounds=(0.03, 0.08, 0.15, 0.24, 0.35, 0.5, 0.7, 1.0, 1.5),
            more_is_better=False,
            reason="per completed item: splitting tasks must not pay. A tool error is everyday: 21 of 101, 3 of "
            "26 and "
            "6 of 32 calls in the three example sessions",
        ),
        advice="cut what timed out or failed into tasks that can be finished in one go",
    ),
    Guide(
        category="workflow_quality",
        key="delivery",
        share=25,
        looks_at="every cycle merges something that moves the spec",
        bands=(
            "every cycle merges work and raises the spec's completion",
            "nearly every cycle does",
            "about half of the cycles do both",
            "few cycles do, or they do only one of the two",
            "nothing is delivered",
        ),
        scale=ScoreScale(
            figure="mean over cycles (merged and moved 1, moved only 0.4, merged only 0.3, neither 0), in full where "
            "half of the spec is done in the end and tests or audits back it (three quarters without)",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="a merge that moves nothing and a box ticked without a merge are each less than half of it",
        ),
        advice="end each cycle with merged work that ticks off items of the spec",
    ),
    Guide(
        category="workflow_quality",
        key="alignment",
        share=20,
        looks_at="every task serves some requirement, every requirement has some task",
        bands=(
            "the tasks are the spec, cut into pieces",
            "most requirements have a finished task, and hardly a task is beside the point",
            "half of the requirements have a task",
            "few requirements have a task, or many tasks serve none",
            "tasks and spec do not speak of the same things",
        ),
        scale=ScoreScale(
            figure="share of the items with a finished task (80% count as all), less up to 0.6 for tasks that "
            "serve none",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="80%: what the text measure finds of 113 labelled pairs of task and item in the six example "
            "specs is "
            "86%, with 92% of what it finds right",
        ),
        advice="name in each task the requirements that it is for",
    ),
    Guide(
        category="efficiency",
        key="tokens",
        share=30,
        looks_at="tokens per completed item, relative to the spec's size",
        bands=(
            "up to 35,000 tokens an item",
            "up to 90,000 tokens an item, as in a good session",
            "up to 190,000 tokens an item",
            "up to 420,000 tokens an item",
            "more, or not recorded, or nothing completed",
        ),
        scale=ScoreScale(
            figure="tokens (in, out, cache writes; cache reads at a tenth, as they are billed) for each completed item",
            bounds=(20_000, 35_000, 60_000, 90_000, 130_000, 190_000, 280_000, 420_000, 640_000),
            more_is_better=False,
            reason="the three example sessions took 126,000, 203,000 and 897,000 so counted, for two, three and six "
            "requests: 63,000 to 150,000 each",
        ),
        advice="spend less on each item: smaller contexts, fewer attempts",
    ),
    Guide(
        category="efficiency",
        key="cost",
        share=30,
        looks_at="dollars per completed task; what completed no requirement does not count as one",
        bands=(
            "up to $0.20 an item",
            "up to $0.50 an item, as in a good session",
            "up to $1.10 an item",
            "up to $2.40 an item",
            "more, or not recorded, or nothing completed",
        ),
        scale=ScoreScale(
            figure="dollars for each completed item of the spec",
            bounds=(0.1, 0.2, 0.35, 0.5, 0.75, 1.1, 1.6, 2.4, 3.6),
            more_is_better=False,
            reason="the example sessions' tokens at the list price of their model ($3 a million in, $15 out) "
            "come to $0.2 "
            "to $0.5 a request; per item, as splitting tasks must not pay",
        ),
        advice="use a cheaper model for simple tasks, and cut failed attempts",
    ),
    Guide(
        category="efficiency",
        key="compaction",
        share=20,
        looks_at="compactions per completed requirement",
        bands=(
            "none, or one in twenty items",
            "up to one in five items",
            "up to one in two items",
            "up to one an item",
            "more, or nothing is recorded",
        ),
        scale=ScoreScale(
            figure="compactions for each completed item",
            bounds=(0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5),
            more_is_better=False,
            reason="a compaction forgets what was known; none of the three example sessions had one, in up to "
            "six requests",
        ),
        caps=("at most 8 where no source says how many there were: the log only shows none",),
        advice="smaller tasks, so that each fits into one context",
    ),
    Guide(
        category="efficiency",
        key="speed",
        share=20,
        looks_at="working time per completed requirement",
        bands=(
            "up to 3 minutes an item",
            "up to 8 minutes an item",
            "up to 18 minutes an item",
            "up to 40 minutes an item",
            "more, or not recorded, or nothing completed",
        ),
        scale=ScoreScale(
            figure="minutes of work for each completed item",
            bounds=(1.5, 3, 5, 8, 12, 18, 27, 40, 60),
            more_is_better=False,
            reason="the example sessions took 16 and 27 minutes for three and six requests, about 5 each; the third "
            "waited for its user",
        ),
        advice="let independent tasks run side by side, and stop those that go in circles",
    ),
    Guide(
        category="user_experience",
        key="ux_and_docs",
        share=30,
        looks_at="a README that starts the thing, a documented interface, error messages, accessibility of pages",
        bands=(
            "the README starts it, the interface is documented, errors speak, pages are accessible",
            "one of these has gaps",
            "one of these is missing",
            "hardly documented",
            "nothing for those who come next",
        ),
        scale=ScoreScale(
            figure="README 0.4 (there, says how to start, with commands that exist), interface 0.2, error "
            "messages 0.2, "
            "accessibility 0.2 where the spec asks for pages",
            bounds=_STEPS_OF_A_SHARE,
            more_is_better=True,
            reason="the README is what everybody needs first; its length counts for nothing",
        ),
        advice="write down how to start it and what its interface is, and try that",
    ),
    Guide(
        category="user_experience",
        key="isolation",
        share=20,
        looks_at="a worktree of its own for every task",
        bands=(
            "every task has its own",
            "one task has none, or shares one",
            "a third of the expected number of tasks have none",
            "most have none",
            "no worktrees",
        ),
        scale=ScoreScale(
            figure=f"tasks without a worktree of their own, {_OF_THE_EXPECTED}",
            bounds=_STEPS_OF_RULES_BROKEN,
            more_is_better=False,
            reason="a rule that is kept or broken: one exception costs two points or more in a small run",
        ),
        advice="give each task a worktree before it starts",
    ),
    Guide(
        category="user_experience",
        key="review",
        share=20,
        looks_at="every merge after an approving review of the same task; rejected work changed before the next review",
        bands=(
            "every merge was approved before",
            "one was not",
            "a third of the expected number were not",
            "most were not",
            "no reviews, or nothing merged",
        ),
        scale=ScoreScale(
            figure=f"merges without an approval before them, and half of approvals of unchanged work, "
            f"{_OF_THE_EXPECTED}",
            bounds=_STEPS_OF_RULES_BROKEN,
            more_is_better=False,
            reason="a rule that is kept or broken",
        ),
        advice="merge only what a review of the same task has approved",
    ),
    Guide(
        category="user_experience",
        key="merges",
        share=15,
        looks_at="clean merges, no failed ones, nothing committed straight to main",
        bands=(
            "all clean, nothing straight to main",
            "one failed, or one commit straight to main",
            "a third of the expected number in trouble",
            "most in trouble",
            "nothing merged",
        ),
        scale=ScoreScale(
            figure=f"failed merges, half of commits straight to main and of started tasks never merged, "
            f"{_OF_THE_EXPECTED}",
            bounds=_STEPS_OF_RULES_BROKEN,
            more_is_better=False,
            reason="a rule that is kept or broken; a commit to main is undone more easily than a broken merge",
        ),
        advice="bring main into a branch before merging it, and commit on branches only",
    ),
    Guide(
        category="user_experience",
        key="permissions",
        share=15,
        looks_at="asked, decided, respected; not bypassed wholesale",
        bands=(
            "all that was asked was decided and respected",
            "a request left undecided, or a tool allowed for good",
            "several of these",
            "something denied was done all the same",
            "switched off wholesale, denials ignored, or nothing recorded",
        ),
        scale=ScoreScale(
            figure="trouble: denied and done all the same 4, switched off wholesale 8, a decision or a request "
            "without the "
            "other 0.5, a tool allowed for good 0.5 (at most 1.5)",
            bounds=(0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0),
            more_is_better=False,
            reason="doing what was denied is worse than all negligence together",
        ),
        advice="decide every request, and let no denied call through",
    ),
)
