"""The history file: every line stays intact when others write too."""

from __future__ import annotations

import threading

from nerv.scorecard.history import HistoryLine, append_line, parse_line


def test_a_history_that_is_a_link_stays_one(tmp_path):
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("a\n")
    link.symlink_to(real)
    append_line(link, b"b")
    assert link.is_symlink()
    assert real.read_text() == "a\nb\n"


def test_a_line_after_a_torn_one_begins_on_a_new_line(tmp_path):
    file = tmp_path / "h.jsonl"
    file.write_bytes(b'{"a":1}\n{"torn')
    append_line(file, b'{"b":2}')
    assert file.read_bytes() == b'{"a":1}\n{"torn\n{"b":2}\n'


def test_many_threads_lose_no_line(tmp_path):
    file = tmp_path / "h.jsonl"
    threads = [threading.Thread(target=append_line, args=(file, b"line %d" % number)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(file.read_bytes().splitlines()) == sorted(b"line %d" % number for number in range(40))


def test_a_line_of_nervs_own_command_is_read():
    line = parse_line(
        {
            "timestamp": "2026-01-01T12:00:00.000Z",
            "benchmarkDir": "/runs/a",
            "scores": {
                "implementationQuality": 9,
                "workflowQuality": 8,
                "efficiency": 7,
                "userExperience": 6,
                "overall": 7.7,
            },
            "weightedTotal": 7.7,
            "passed": True,
        }
    )
    assert line == HistoryLine(
        timestamp="2026-01-01T12:00:00.000Z",
        overall=7.7,
        passed=True,
        scores=(9, 8, 7, 6),
        mode="",
        cycles=None,
        cost_usd=None,
        spec="",
        run="/runs/a",
    )


def test_a_line_of_nervs_scoring_script_has_no_result():
    """It has no `passed`: that is not known, and not a failure."""
    line = parse_line(
        {
            "benchmarkId": "bench-20260101",
            "timestamp": 1_767_225_600_000,
            "nervVersion": "1.0.0",
            "spec": "specs/todo-app.md",
            "outcome": "success",
            "scores": {"implementation": 8, "workflow": 7, "efficiency": 6, "ux": None, "overall": 7.5},
            "duration": 60_000,
            "cost": 1.25,
            "tokens": 9_000,
        }
    )
    assert (line.passed, line.overall, line.scores, line.cost_usd) == (None, 7.5, (8, 7, 6, None), 1.25)
    assert (line.timestamp, line.run) == ("2026-01-01T00:00:00+00:00", "bench-20260101")


def test_a_line_of_any_other_form_is_shown_as_far_as_it_goes():
    assert parse_line({"scores": 5, "timestamp": True, "overall": "high"}).overall is None
    assert parse_line({"timestamp": 1e300}).timestamp == ""
