"""The summary at the end of a run."""

from forgetest.renderers.terminal import summary, table
from forgetest.sample import Usage
from forgetest.verdict import Controls, Finding
from specimens import a_report, a_sample, a_verdict, an_unjudged_sample


def test_each_model_has_a_row_with_its_intervals_below():
    samples = [
        a_sample("a", 1),
        a_sample("a", 2, verdict=a_verdict(compiled=False)),
        a_sample("b", 1, latency_ms=2500.0),
        a_sample("b", 2, latency_ms=2500.0),
        a_sample("a", 1, model="zeta/large"),
        a_sample("b", 1, model="zeta/large"),
    ]
    assert summary(a_report(samples, pass_k=(1, 2))) == (
        "Model        Pass@1   Pass@2  Compile %  Tests %       Score     Cost      Latency\n"
        "acme/small    75.0%   100.0%      75.0%    75.0%       0.750  $0.0040        1.5 s\n"
        "             1..100  34..100     1..100   1..100  0.01..1.00           0.0..14.2 s\n"
        "zeta/large   100.0%      n/a     100.0%   100.0%       1.000  $0.0020       500 ms\n"
        "            34..100             34..100  34..100  0.34..1.00              500..500\n"
        "\n"
        "Under each value: its 95% interval.\n"
    )


def test_an_unknown_value_is_never_shown_as_0():
    (_, row, *_) = summary(a_report([a_sample(usage=Usage(), latency_ms=None)])).splitlines()
    assert row.split()[-2:] == ["n/a", "n/a"]


def test_a_value_known_for_only_some_samples_shows_for_how_many():
    text = summary(a_report([a_sample("a"), an_unjudged_sample("b")]))
    assert "100.0% (1/2)" in text
    assert "$0.0010 (1/2)" in text


def test_unjudged_samples_are_counted_under_the_table():
    text = summary(a_report([a_sample("a"), an_unjudged_sample("b")]))
    assert text.endswith("acme/small: 1 of 2 samples not judged, and in no rate\n")


def test_without_judged_samples_no_interval_is_mentioned():
    text = summary(a_report([an_unjudged_sample("a"), an_unjudged_sample("b")]))
    assert len(text.splitlines()) == 3
    assert "interval" not in text


def test_a_tiny_cost_is_not_shown_as_0():
    assert "<$0.0001" in summary(a_report([a_sample(usage=Usage(cost_usd=0.00000001))]))


def test_a_large_cost_is_shown_with_cents():
    assert "$12.35 " in summary(a_report([a_sample(usage=Usage(cost_usd=12.3456))]))


def test_a_run_without_samples_says_so():
    assert summary(a_report([])) == "no samples\n"


def test_columns_are_aligned_text_to_the_left_numbers_to_the_right():
    assert table(["A", "B", "C"], [["long name", "x", "1"], ["n", "yy", "22"]], left=2) == [
        "A          B    C",
        "long name  x    1",
        "n          yy  22",
    ]


def test_samples_with_forbidden_findings_and_unverified_successes_are_named():
    forger = a_verdict(integrity=(Finding(kind="early_exit", detail="exited with code 0"),))
    unsafe = a_verdict(integrity=(Finding(kind="unsafe", detail="an `unsafe` block", forbids=False),))
    samples = [a_sample("a", 1), a_sample("a", 2, verdict=forger), a_sample("a", 3, verdict=unsafe)]
    assert summary(a_report(samples)).splitlines()[-2:] == [
        "1 sample not correct by integrity findings, whatever tests say: basics/a acme/small attempt 2",
        "1 sample correct but not verified, because of unsafe code: basics/a acme/small attempt 3",
    ]


def test_samples_that_could_have_reached_their_tests_are_named():
    shared = Finding(kind="shared_interpreter", detail="one process", forbids=False, concern="unsound")
    last = summary(a_report([a_sample("a", 1, verdict=a_verdict(integrity=(shared,)))])).splitlines()[-1]
    assert last == (
        "1 sample correct but not verified, because the sample shared an interpreter with its tests, or its own "
        "methods answered for its values: basics/a acme/small attempt 1"
    )


def test_samples_that_passed_a_control_are_named():
    doubtful = a_verdict(controls=Controls(asked=2, passed=1))
    last = summary(a_report([a_sample("a", 1, verdict=doubtful)])).splitlines()[-1]
    assert last == (
        "1 sample correct but not verified, because a control was passed, a passed test has none, "
        "or the sample itself decides what it equals: basics/a acme/small attempt 1"
    )


def test_names_cannot_move_the_cursor_hide_or_reorder_text():
    lines = summary(
        a_report([a_sample(model="acme/\x1b[8m\u202e\nx"), an_unjudged_sample(model="b/\x9b2J")])
    ).splitlines()
    assert lines[1].startswith("acme/\\x1b[8m\\u202e\\nx  ")
    assert lines[-1].startswith("b/\\x9b2J: 1 of 1 sample not judged")
    assert len(lines[0]) == len(lines[1])


def test_a_table_shows_what_a_terminal_would_obey():
    assert table(["A", "B"], [["\x1b[1A", "1"]]) == ["A        B", "\\x1b[1A  1"]
