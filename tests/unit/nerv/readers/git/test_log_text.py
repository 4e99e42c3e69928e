"""git-log.txt in the forms that `git log` prints."""

from __future__ import annotations

from nerv.readers.clock import Clock
from nerv.readers.git.log_text import parse

FULL = b"""commit 1111111111111111111111111111111111111111 (HEAD -> main)
Merge: aaaaaaa bbbbbbb
Author: A <a@example.com>
Date:   Thu Jan 1 00:00:02 2026 +0000

    Merge branch 'task/t1'

    with more words

commit 2222222222222222222222222222222222222222
Author: A <a@example.com>
Date:   2026-01-01T00:00:01+00:00

    Add notes
"""


def parsed(content, clock=None):
    return parse(enumerate(content.split(b"\n"), 1), "git-log.txt", clock or Clock())


def test_the_full_form():
    first, second = parsed(FULL, Clock(start_ms=1_767_225_600_000))
    assert (first.subject, first.parents, first.moment.ms, first.moment.location.line) == ("Add notes", 0, 1_000, 10)
    assert (second.subject, second.parents, second.moment.ms) == ("Merge branch 'task/t1'", 2, 2_000)


def test_one_line_each_with_and_without_a_graph():
    graph = b"*   1111111 (HEAD -> main) Merge branch 'x'\n|\\  \n| * 2222222 Add x\n|/  \n* 3333333 Scaffold\n"
    assert [(commit.id, commit.subject, commit.parents) for commit in parsed(graph)] == [
        ("3333333", "Scaffold", 0),
        ("2222222", "Add x", 0),
        ("1111111", "Merge branch 'x'", 2),
    ]


def test_text_that_is_not_a_git_log_has_no_commits():
    assert parsed(b"hello\nworld\n") == ()
    assert parsed(bytes(range(256))) == ()
