from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest.engine.journal import Finished, Journal, Session
from forgetest.engine.tool_versions import ToolVersions
from forgetest.errors import UserError
from forgetest.sample import Completion, Outcome, Usage
from specimens import PROVENANCE, a_verdict, an_attempt

SESSION = Session(run_id="r1", started_at="2026-01-02T03:04:05+00:00", forgetest="0.1.0")


def a_finished(number: int = 1, *, outcome: Outcome = "judged", elapsed_ms: float = 1.0) -> Finished:
    return Finished(
        attempt=an_attempt(attempt=number),
        outcome=outcome,
        reason=None if outcome == "judged" else "the sandbox failed",
        code="fn f() {}",
        verdict=a_verdict() if outcome == "judged" else None,
        usage=Usage(),
        latency_ms=None,
        total_ms=2.0,
        elapsed_ms=elapsed_ms,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    opened = Journal(path)
    opened.begin(SESSION)
    yield opened
    opened.close()


def test_what_was_noted_is_read_back(journal: Journal) -> None:
    answer = Completion(text="```rust\nfn f() {}\n```", usage=Usage(prompt_tokens=3), latency_ms=12.5)
    journal.answered(an_attempt(), answer)
    journal.finished(a_finished())

    assert journal.completion(an_attempt()) == answer
    assert journal.read(an_attempt()) == a_finished()
    assert journal.attempts() == [an_attempt()]


def test_what_was_noted_is_there_when_it_is_opened_again(journal: Journal, path: Path) -> None:
    journal.answered(an_attempt(), Completion(text="one"))
    journal.finished(a_finished())

    again = Journal(path, append=False)

    assert again.sessions == [SESSION]
    assert again.completion(an_attempt()).text == "one"
    assert again.is_judged(an_attempt())


def test_an_answer_longer_than_any_buffer_is_read_back(journal: Journal) -> None:
    journal.answered(an_attempt(), Completion(text="é" * 1_000_000))
    journal.answered(an_attempt(attempt=2), Completion(text="short"))

    assert journal.completion(an_attempt()).text == "é" * 1_000_000
    assert journal.completion(an_attempt(attempt=2)).text == "short"


def test_half_a_surrogate_pair_in_an_answer_does_not_end_the_run(journal: Journal) -> None:
    journal.answered(an_attempt(), Completion(text="a\ud800b"))

    assert journal.completion(an_attempt()).text == "a?b"


def test_what_was_not_judged_is_tried_again_and_its_answer_is_kept(journal: Journal) -> None:
    journal.answered(an_attempt(), Completion(text="one"))
    journal.finished(a_finished(outcome="unjudged"))

    assert journal.has_answer(an_attempt())
    assert journal.is_finished(an_attempt())
    assert not journal.is_judged(an_attempt())

    journal.finished(a_finished())
    assert journal.is_judged(an_attempt())
    assert journal.read(an_attempt()).outcome == "judged"


def test_a_line_that_is_damaged_inside_is_told_when_it_is_read(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.begin(SESSION)
        journal.answered(an_attempt(), Completion(text="fn one() {}"))
        journal.finished(a_finished())
    path.write_bytes(path.read_bytes().replace(b"fn one()", b"fn \xff\xfe()").replace(b"fn f()", b"fn \xff()"))

    with closing(Journal(path)) as again:
        with pytest.raises(UserError, match=r"journal\.jsonl: damaged at byte \d+ .*; --fresh starts over"):
            again.completion(an_attempt())
        with pytest.raises(UserError, match="damaged at byte"):
            again.read(an_attempt())


NOW = ToolVersions(toolchains={"rust": "rustc 2"}, sandbox="bubblewrap", sandbox_version=None)


def judged_by(toolchain: str, sandbox: str, number: int) -> Finished:
    verdict = a_verdict(provenance=replace(PROVENANCE, toolchain=toolchain, sandbox=sandbox))
    return msgspec.structs.replace(a_finished(number), verdict=verdict)


def test_what_other_tools_have_judged_counts_as_not_judged_until_it_is(path: Path) -> None:
    with closing(Journal(path)) as journal:
        journal.begin(SESSION)
        journal.finished(judged_by("rustc 2", "none", 1))
        journal.finished(judged_by("rustc 1", "bubblewrap", 2))
        journal.finished(judged_by("rustc 2", "bubblewrap", 3))
        journal.finished(msgspec.structs.replace(a_finished(4), verdict=None))  # no code: nothing was judged by tools

    with closing(Journal(path, tools=NOW)) as again:
        assert [again.is_judged(an_attempt(attempt=number)) for number in (1, 2, 3, 4)] == [False, False, True, True]
        assert again.is_finished(an_attempt(attempt=1))
        assert again.judged_by_others == {an_attempt(attempt=1), an_attempt(attempt=2)}

        again.finished(judged_by("rustc 2", "bubblewrap", 1))
        assert again.is_judged(an_attempt(attempt=1))
        assert again.judged_by_others == {an_attempt(attempt=2)}


def test_the_duration_is_that_of_all_sessions(journal: Journal, path: Path) -> None:
    journal.finished(a_finished(1, elapsed_ms=70.0))
    journal.finished(a_finished(2, elapsed_ms=50.0))
    journal.begin(SESSION)
    journal.finished(a_finished(3, elapsed_ms=5.0))

    assert journal.duration_ms == 75.0
    assert Journal(path, append=False).duration_ms == 75.0


def test_two_writers_are_refused_and_a_reader_is_not(journal: Journal, path: Path) -> None:
    with pytest.raises(UserError, match="another forgetest is working there"):
        Journal(path)
    Journal(path, append=False).close()


@pytest.mark.parametrize(
    "broken",
    [b"{}\n", b'{"kind":"sample"}\n', b"\xff\n", b"\0\0\0\n", b"\n", b"[" * 100_000 + b"\n"],
    ids=["no kind", "keys are missing", "not UTF-8", "zeros", "empty", "deep"],
)
def test_a_broken_line_in_the_middle_is_named_by_file_and_line(journal: Journal, path: Path, broken: bytes) -> None:
    with path.open("ab") as file:
        file.write(broken)
    journal.finished(a_finished())

    with pytest.raises(UserError, match=rf"{path}:2: not a line of a journal .*--fresh starts over"):
        Journal(path, append=False)


def test_a_journal_that_does_not_begin_with_a_session_is_none(journal: Journal, path: Path) -> None:
    journal.finished(a_finished())
    _, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(rest))

    with pytest.raises(UserError, match=":1: not a line of a journal"):
        Journal(path, append=False)


def test_a_journal_of_another_format_is_not_read(path: Path) -> None:
    path.write_text('{"kind":"session","format_version":99,"run_id":"r","started_at":"","forgetest":"9"}\n')

    with pytest.raises(UserError, match="format_version 99"):
        Journal(path)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No such file or directory"):
        Journal(tmp_path / "gone" / "journal.jsonl")


def test_where_there_is_no_room_for_a_line_none_of_it_is_written(journal: Journal, path: Path) -> None:
    journal.answered(an_attempt(attempt=1), Completion(text="one"))
    before, (soft, hard) = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, hard))
    try:
        with pytest.raises(UserError, match="free some space, and the same command resumes"):
            journal.answered(an_attempt(attempt=2), Completion(text="two" * 1000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert path.read_bytes() == before
    assert not journal.has_answer(an_attempt(attempt=2))
    journal.answered(an_attempt(attempt=3), Completion(text="three"))
    assert Journal(path, append=False).completion(an_attempt(attempt=3)).text == "three"


texts = st.text(max_size=80)


@given(st.lists(st.tuples(texts, st.booleans()), min_size=1, max_size=8), st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_a_kill_leaves_of_a_journal_opens_again_and_loses_at_most_the_torn_line(
    answers: list[tuple[str, bool]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "journal.jsonl")
        journal = Journal(path)
        journal.begin(SESSION)
        for number, (text, finished) in enumerate(answers, start=1):
            journal.answered(an_attempt(attempt=number), Completion(text=text))
            if finished:
                journal.finished(a_finished(number))
        journal.close()
        whole = path.read_bytes()
        left = whole[: data.draw(st.integers(0, len(whole)))]
        path.write_bytes(left)

        again = Journal(path)

        whole_lines = left[: left.rfind(b"\n") + 1]
        assert path.read_bytes() == whole_lines
        answered = [number for number in range(1, 9) if again.has_answer(an_attempt(attempt=number))]
        judged = [number for number in range(1, 9) if again.is_judged(an_attempt(attempt=number))]
        assert len(again.sessions) + len(answered) + len(judged) == whole_lines.count(b"\n")
        for number in answered:
            assert again.completion(an_attempt(attempt=number)).text == answers[number - 1][0]
        again.begin(SESSION)
        again.answered(an_attempt(attempt=99), Completion(text="more"))
        again.close()
        assert Journal(path, append=False).completion(an_attempt(attempt=99)).text == "more"


def test_what_is_noted_together_is_read_back_one_by_one(journal: Journal, path: Path) -> None:
    answers = [(an_attempt(attempt=number), Completion(text=f"{number} é" * number)) for number in (1, 2, 3)]
    assert journal.all_answered(answers) == [completion for _, completion in answers]
    sizes = journal.finished(*(a_finished(number) for number in (1, 2, 3)))

    assert sizes == [len(line) for line in path.read_bytes().splitlines(keepends=True)[-3:]]
    with closing(Journal(path, append=False)) as again:
        assert [again.completion(attempt) for attempt, _ in answers] == [completion for _, completion in answers]
        assert [again.read(an_attempt(attempt=number)) for number in (1, 2, 3)] == [a_finished(n) for n in (1, 2, 3)]


@pytest.mark.parametrize("append", [True, False])
def test_a_pipe_in_its_place_is_an_error_and_does_not_wait(path: Path, append: bool) -> None:
    os.mkfifo(path)
    with pytest.raises(UserError, match="in the way, because it is not a file"):
        Journal(path, append=append)
