"""The markdown report, made for job summaries and pull-request comments."""

import io
import re

import pytest

from forgetest.renderers import markdown
from forgetest.sample import Recheck
from forgetest.verdict import Finding
from specimens import a_report, a_sample, a_verdict, an_unjudged_sample


def rendered(*samples, **further):
    stream = io.StringIO()
    markdown.write(a_report(samples, **further), stream)
    return stream.getvalue()


BROKEN = a_verdict(compiled=False)


def test_the_table_of_models_comes_first():
    text = rendered(a_sample("a"), a_sample("b"), pass_k=(1, 2))
    assert "| Model | Pass@1 | Pass@2 | Compile % | Tests % | Score | Cost | Latency |" in text
    assert "| `acme/small` | 100.0%<br><sub>34..100</sub> | n/a |" in text
    assert text.index("| Model") < text.index("### Cases")


def test_cases_are_named_with_their_eval_set():
    text = rendered(a_sample("a", 1), an_unjudged_sample("a", 2))
    assert "| `basics/a` | `acme/small` | 100.0% | 1.000 | 1/2 |" in text


def test_unjudged_samples_are_counted():
    text = rendered(a_sample("a", 1), an_unjudged_sample("a", 2))
    assert "- **Not judged**: `acme/small`: 1 of 2 samples not judged, and in no rate" in text


def test_failures_are_folded_with_what_was_observed_and_the_code():
    text = rendered(a_sample("a", verdict=BROKEN))
    folded = text[text.index("<details>") : text.index("</details>")]
    assert "<summary><code>basics/a</code> · <code>acme/small</code> · attempt 1: failed</summary>" in folded
    assert "error[E0308]: mismatched types (line 2)" in folded
    assert "fn fibonacci(n: u64)" in folded


def test_code_that_does_not_compile_is_one_failure_and_not_one_per_test():
    text = rendered(a_sample("a", verdict=a_verdict(compiled=False, tests=a_verdict(failed=3).tests)))
    assert "error[E0308]: mismatched types" in text
    assert "test t4" not in text


def test_a_failed_test_is_shown_with_its_message():
    assert "test t4: left: 1, right: 2" in rendered(a_sample(verdict=a_verdict(failed=1)))


def test_correct_samples_are_not_listed_as_failures():
    assert "### Failures" not in rendered(a_sample("a"), a_sample("b"))


def test_code_cannot_break_out_of_its_fence():
    text = rendered(a_sample(verdict=BROKEN, code="```\n</details>\n@somebody `````"))
    fence = "`" * 6
    assert f"{fence}\n```\n</details>\n@somebody `````\n{fence}" in text


def test_names_cannot_break_out_of_their_cells():
    text = rendered(a_sample("a|b`<i>", verdict=BROKEN))
    assert "``basics/a\\|b`<i>``" in text
    assert "<summary><code>basics/a|b`&lt;i&gt;</code> ·" in text


def test_many_failures_still_fit_a_comment_and_the_rest_is_counted():
    text = rendered(*(a_sample(f"case-{number}", verdict=BROKEN) for number in range(1000)))
    assert len(text) < 65_536
    shown = text.count("<details>")
    assert 0 < shown < 1000
    assert re.search(rf"^{1000 - shown} more are in `report.json`", text, re.MULTILINE)
    assert "800 more are in `report.json`." in text


def test_long_code_is_truncated():
    text = rendered(a_sample(verdict=BROKEN, code="x" * 100_000))
    assert len(text) < 10_000
    assert "…" in text


def test_a_report_without_samples_says_so():
    assert "No samples." in rendered()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("`a", "`` `a ``"),
        ("a\nb", "`a b`"),
        ("", "` `"),
        ("a\x1b[8m\u202eb", "`a\\x1b[8m\\u202eb`"),
    ],
)
def test_any_text_can_become_a_code_span(text, expected):
    assert markdown.code(text) == expected


LURE = "[click](http://evil) @octocat ![p](http://evil/p.png) <img src=x>"


def test_names_are_code_in_the_remarks_and_in_summaries_too():
    forger = a_verdict(integrity=(Finding(kind="early_exit", detail="exited"),))
    unsafe = a_verdict(integrity=(Finding(kind="unsafe", detail="a block", forbids=False),))
    again = Recheck(times=1, disagreeing=1, changes=("-",))
    text = rendered(
        a_sample("a", 1, model=f"acme/{LURE}", verdict=forger),
        a_sample("a", 2, model=f"acme/{LURE}", verdict=unsafe),
        an_unjudged_sample("a", 3, model=f"acme/{LURE}"),
        a_sample("b", 1, model=f"acme/{LURE}", recheck=again),
    )
    for remark in ("Not judged", "Integrity", "Flaky"):
        (line, *_) = re.findall(rf"^- \*\*{remark}\*\*: .*$", text, re.MULTILINE)
        assert LURE in line
        assert LURE not in re.sub(r"`[^`]*`", "", line)
    for summary in re.findall("<summary>.*</summary>", text):
        outside = re.sub("<code>.*?</code>", "", summary)
        assert "@octocat" in summary
        assert "@octocat" not in outside
        assert "<img" not in summary
    outside_of_code = re.sub(r"<code>.*?</code>|`+[^`]*`+", "", text)
    assert "octocat" not in outside_of_code


def test_what_a_terminal_would_obey_is_escaped_everywhere():
    text = rendered(
        a_sample("a", verdict=BROKEN, model="acme/\x1b]0;x\x07\u202e", code="// \u202e\x1b[8m\r\n", reason="\x9b8m")
    )
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)
    assert "// \\u202e\\x1b[8m\\r" in text
