"""Answers that are kept between runs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from forgetest.engine.answers import Answers, key_of
from forgetest.errors import ProviderError
from forgetest.sample import Completion, Request, Usage
from specimens import an_attempt

REQUEST = Request(model="small", system="Be brief.", prompt="Write it.", temperature=0.0, seed=3)
ANSWER = Completion(text="fn f() {}", finish="length", usage=Usage(cost_usd=0.01, cached_tokens=3), latency_ms=12.5)
KEY = key_of("openai", {}, REQUEST, 1)


class Model:
    def __init__(self, *answers: Completion | ProviderError) -> None:
        self.left = list(answers)

    def __call__(self, attempt):
        answer = self.left.pop(0)
        if isinstance(answer, ProviderError):
            raise answer
        return answer


def key(attempt):
    return key_of("openai", {}, REQUEST, attempt.attempt)


def test_the_same_request_is_asked_once_and_the_answer_says_where_it_is_from(tmp_path):
    ask = Answers(tmp_path).keeping(Model(ANSWER), key)
    assert ask(an_attempt()) == ANSWER
    later = Answers(tmp_path)
    assert later.keeping(Model(), key)(an_attempt()) == replace(ANSWER, from_cache=True)
    assert later.used == 1


def test_each_attempt_has_an_answer_of_its_own(tmp_path):
    ask = Answers(tmp_path).keeping(Model(ANSWER, replace(ANSWER, text="another")), key)
    assert [ask(an_attempt(attempt=number)).text for number in (1, 2, 1, 2)] == ["fn f() {}", "another"] * 2


def test_a_failure_is_not_kept(tmp_path):
    ask = Answers(tmp_path).keeping(Model(ProviderError("busy"), ANSWER), key)
    with pytest.raises(ProviderError):
        ask(an_attempt())
    assert ask(an_attempt()) == ANSWER


def test_asking_anew_replaces_what_is_there(tmp_path):
    Answers(tmp_path).put(KEY, ANSWER)
    newer = replace(ANSWER, text="newer")
    assert Answers(tmp_path, asking_anew=True).keeping(Model(newer), key)(an_attempt()) == newer
    kept = Answers(tmp_path).get(KEY)
    assert kept is not None
    assert kept.text == "newer"


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"format_version": 1}', b'{"format_version":2,"completion":{"text":""}}']
)
def test_what_cannot_be_read_is_asked(tmp_path, content):
    answers = Answers(tmp_path)
    answers.put(KEY, ANSWER)
    (path,) = tmp_path.rglob("*.json")
    path.write_bytes(content)
    assert answers.get(KEY) is None
    answers.put(KEY, ANSWER)
    assert answers.get(KEY) == replace(ANSWER, from_cache=True)


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    answers = Answers(tmp_path / "file")
    answers.put(KEY, ANSWER)
    assert answers.get(KEY) is None


def test_many_writers_of_one_answer_leave_one_whole_file(tmp_path):
    long = replace(ANSWER, text="x" * 200_000)
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(lambda number: (Answers(tmp_path).put(KEY, long), Answers(tmp_path).get(KEY))[1], range(64))
        )
    assert found == [replace(long, from_cache=True)] * 64
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def test_all_that_an_answer_depends_on_is_in_its_key():
    changed = [
        ("anthropic", {}, REQUEST, 1),
        ("openai", {"base_url": "http://localhost"}, REQUEST, 1),
        ("openai", {"options": {"top_k": 3}}, REQUEST, 1),
        ("openai", {}, REQUEST, 2),
        *(
            ("openai", {}, replace(REQUEST, **change), 1)
            for change in (
                {"model": "large"},
                {"system": ""},
                {"prompt": "Write it!"},
                {"temperature": 0.5},
                {"max_tokens": 5},
                {"seed": None},
                {"top_p": 0.5},
                {"stop": ("END",)},
                {"reasoning_effort": "low"},
                {"options": {"x": 1}},
            )
        ),
    ]
    assert len({KEY, *(key_of(*each) for each in changed)}) == 1 + len(changed)


def test_what_an_answer_does_not_depend_on_is_not():
    settings = {"api_key": "secret", "concurrency": 3, "timeout_secs": 5, "prices": {}, "type": "openai"}
    assert key_of("openai", settings, REQUEST, 1) == KEY
