"""Samples from a file: numbering attempts, reading samples back, reporting problems."""

import gc
import gzip
import io
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest.datasets import recorded
from forgetest.errors import InvalidInput, MachineryError, UserError
from forgetest.evalset import Case, EvalSet
from forgetest.sample import Attempt, Completion, Usage

PROMPT = "fn add(a: i32, b: i32) -> i32 {\n"
BASICS = EvalSet(
    id="basics",
    name="Basics",
    cases=tuple(Case(id=name, name=name, prompt=PROMPT) for name in ("add", "HumanEval/0", "shared")),
)
MORE = EvalSet(id="more", name="More", cases=(Case(id="shared", name="shared", prompt="// more\n"),))
SETS = [BASICS, MORE]


@pytest.fixture
def samples(tmp_path, monkeypatch):
    """Write lines into a file in an empty working folder and return its name."""
    monkeypatch.chdir(tmp_path)

    def write(*lines: object, name: str = "samples.jsonl") -> str:
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        Path(name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        return name

    return write


def sample(**keys: object) -> dict[str, object]:
    return {"case_id": "add", "code": "fn add() {}"} | keys


def only(path: str | Path) -> tuple[Attempt, Completion]:
    recording = recorded.read(path, SETS)
    (attempt,) = recording.attempts
    return attempt, recording.completion(attempt)


def problems(path: str) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        recorded.read(path, SETS)
    return str(caught.value).split("\n")


def test_a_line_needs_only_case_model_and_code(samples):
    attempt, completion = only(samples(sample()))
    assert attempt == Attempt("basics", "add", "recorded", "samples", 1)
    assert completion == Completion(text="fn add() {}", verbatim=True)


def test_every_field_of_a_line_is_read(samples):
    line = sample(
        model="openai/gpt-5", attempt=7, tokens=12, cost_usd=0.5, latency_ms=3, eval_set="basics", other=["ignored"]
    )
    attempt, completion = only(samples(line))
    assert attempt == Attempt("basics", "add", "openai", "gpt-5", 7)
    assert completion.usage == Usage(completion_tokens=12, cost_usd=0.5)
    assert completion.latency_ms == 3


@pytest.mark.parametrize(
    ("tokens", "usage"),
    [
        (5, Usage(completion_tokens=5)),
        ({"prompt": 3, "completion": 5}, Usage(prompt_tokens=3, completion_tokens=5)),
        ({"prompt_tokens": 3, "completion_tokens": 5, "total": 8}, Usage(prompt_tokens=3, completion_tokens=5)),
        ({"prompt": None, "completion": 5}, Usage(completion_tokens=5)),
        (None, Usage()),
    ],
)
def test_tokens_are_read_in_several_forms(samples, tokens, usage):
    assert only(samples(sample(tokens=tokens)))[1].usage == usage


@pytest.mark.parametrize(
    ("model", "provider_and_model"),
    [
        ("openai/gpt-5", ("openai", "gpt-5")),
        ("openrouter/meta/llama", ("openrouter", "meta/llama")),
        ("gpt-5", ("recorded", "gpt-5")),
        (None, ("recorded", "gpt-4.1")),
    ],
)
def test_a_model_is_named_by_the_line_or_by_the_file(samples, model, provider_and_model):
    attempt, _ = only(samples(sample(model=model), name="gpt-4.1.jsonl"))
    assert (attempt.provider, attempt.model) == provider_and_model


def test_a_completion_continues_the_prompt(samples):
    _, completion = only(samples({"task_id": "HumanEval/0", "completion": "    a + b\n}"}))
    assert completion == Completion(text=PROMPT + "    a + b\n}", verbatim=True)


def test_a_solution_does_not_continue_the_prompt(samples):
    assert only(samples({"task_id": "add", "solution": "fn a() {}"}))[1].text == "fn a() {}"


@pytest.mark.parametrize("key", ["code", "solution", "completion"])
def test_text_that_begins_with_a_fence_is_a_raw_answer(samples, key):
    answer = "\n```rust\nfn add() {}\n```\n"
    assert only(samples({"case_id": "add", key: answer}))[1] == Completion(text=answer, verbatim=False)


def test_a_fence_further_down_does_not_make_it_a_raw_answer(samples):
    code = "/// ```\n/// add(1, 2);\n/// ```\nfn add() {}\n"
    assert only(samples(sample(code=code)))[1].verbatim


def test_empty_code_is_a_valid_sample(samples):
    assert only(samples(sample(code="")))[1] == Completion(text="", verbatim=True)


def test_attempts_are_numbered_in_order_for_each_case_and_model(samples):
    lines = [
        sample(code="1"),
        sample(code="2", model="m"),
        sample(code="3", case_id="HumanEval/0"),
        sample(code="4"),
        sample(code="5", attempt=1),
        sample(code="6", attempt=3),
        sample(code="7"),
    ]
    recording = recorded.read(samples(*lines), SETS)
    assert [(*each[1:4:2], each.attempt, recording.completion(each).text) for each in recording.attempts] == [
        ("HumanEval/0", "samples", 1, "3"),
        ("add", "m", 1, "2"),
        ("add", "samples", 1, "5"),
        ("add", "samples", 2, "1"),
        ("add", "samples", 3, "6"),
        ("add", "samples", 4, "4"),
        ("add", "samples", 5, "7"),
    ]
    assert recording.attempts == sorted(recording.attempts)


def test_a_case_id_of_two_sets_needs_the_name_of_the_set(samples):
    attempt, completion = only(samples({"case_id": "shared", "eval_set": "more", "completion": "x"}))
    assert (attempt.eval_set_id, completion.text) == ("more", "// more\nx")
    assert problems(samples({"case_id": "shared", "code": "x"})) == [
        'samples.jsonl:1: eval_set: missing key: "shared" is a case of basics and more'
    ]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (sample(case_id="ad"), 'case_id: no case "ad" in the eval sets; did you mean "add"?'),
        ({"task_id": "xyz", "code": ""}, 'task_id: no case "xyz" in the eval sets'),
        ({"code": ""}, "case_id: missing key"),
        ({"case_id": None, "code": ""}, "case_id: missing key"),
        (sample(case_id=3), "case_id: must be a string, not the number 3"),
        (sample(eval_set="more"), 'eval_set: "more" has no case "add"; it is in basics'),
        ({"case_id": "add"}, "code: missing key; the code stands in code, solution, or (continuing the prompt)"),
        (sample(completion=""), "code: code and completion are here; which is the sample? Keep one"),
        (sample(code=["x"]), "code: must be a string, not a list"),
        (sample(model=""), "model: must be provider/model, or a model's name"),
        (sample(model="openai/"), "model: must be provider/model, or a model's name"),
        (sample(model="/gpt"), "model: must be provider/model, or a model's name"),
        (sample(attempt=0), "attempt: must be at least 1, not 0"),
        (sample(attempt="1"), "attempt: must be a whole number, not a string"),
        (sample(tokens="many"), "tokens: must be a whole number, not a string"),
        (sample(tokens={"prompt": -1}), "tokens.prompt: must be at least 0, not -1"),
        (sample(cost_usd=True), "cost_usd: must be a number, not true"),
        (sample(latency_ms=-1), "latency_ms: must be at least 0, not -1"),
        ("[]", "must be an object, { … }, as every line"),
        ('{"case_id": "add"', "not JSON: Input data was truncated"),
    ],
)
def test_a_problem_is_named_by_file_line_and_key(samples, line, problem):
    (found,) = problems(samples(sample(), line))
    assert found.startswith(f"samples.jsonl:2: {problem}")


def test_all_problems_are_named_at_once(samples):
    assert [line.split(": ")[0] for line in problems(samples("x", sample(), sample(code=1, attempt=0)))] == [
        "samples.jsonl:1",
        "samples.jsonl:3",
        "samples.jsonl:3",
    ]


def test_problems_beyond_fifty_are_only_counted(samples):
    found = problems(samples(*["x"] * 60))
    assert len(found) == 51
    assert found[-1] == "samples.jsonl: … and 10 more"


def test_the_same_attempt_twice_is_a_problem(samples):
    assert problems(samples(sample(attempt=2), "", sample(attempt=2))) == [
        "samples.jsonl:3: attempt: line 1 is this attempt of recorded/samples at the case already"
    ]


def test_a_line_that_is_not_utf8_is_named(samples):
    name = samples(sample())
    with Path(name).open("ab") as file:
        file.write(b'{"case_id": "add", "code": "\xff"}\n')
    assert problems(name) == ["samples.jsonl:2: not UTF-8"]


def test_a_compressed_file_is_read_like_a_plain_one(samples):
    plain = recorded.read(samples(sample()), SETS)
    Path("samples.jsonl.gz").write_bytes(gzip.compress(Path("samples.jsonl").read_bytes()))
    packed = recorded.read("samples.jsonl.gz", SETS)
    assert packed.attempts == plain.attempts
    assert packed.hash == plain.hash
    assert packed.completion(packed.attempts[0]) == plain.completion(plain.attempts[0])


def test_a_truncated_compressed_file_is_refused(samples):
    Path("x.gz").write_bytes(gzip.compress(json.dumps(sample()).encode())[:-12])
    with pytest.raises(UserError, match=r"x\.gz: cannot be unpacked"):
        recorded.read("x.gz", SETS)


def test_standard_input_is_read(samples, monkeypatch):
    content = io.BytesIO(json.dumps(sample()).encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(content))
    assert only("-")[0] == Attempt("basics", "add", "recorded", "stdin", 1)


def test_what_a_shell_has_opened_is_read(samples):
    reading, writing = os.pipe()
    writer = threading.Thread(target=lambda: Path(f"/dev/fd/{writing}").write_text(json.dumps(sample())))
    writer.start()
    writer.join()
    os.close(writing)
    assert only(f"/dev/fd/{reading}")[1].text == "fn add() {}"
    os.close(reading)


@pytest.mark.parametrize(("content", "message"), [("", "there is no sample in it"), (None, "no such file")])
def test_a_missing_or_empty_file_is_an_error(samples, content, message):
    if content is not None:
        samples(name="none.jsonl")
    with pytest.raises(UserError, match=f"none.jsonl: {message}"):
        recorded.read("none.jsonl", SETS)


def test_a_folder_is_not_accepted_as_a_file(samples, tmp_path):
    with pytest.raises(UserError, match="cannot be read: Is a directory"):
        recorded.read(tmp_path, SETS)


def test_a_file_that_changes_during_the_run_is_an_error(samples):
    recording = recorded.read(samples(sample()), SETS)
    samples(sample(case_id="shared", code="fn add() {"))
    with pytest.raises(MachineryError, match="line 1 of the samples"):
        recording.completion(recording.attempts[0])


def test_many_threads_may_read_at_once(samples):
    recording = recorded.read(samples(*(sample(code=f"// {number}\n" * 50) for number in range(1, 401))), SETS)
    with ThreadPoolExecutor(8) as threads:
        texts = list(threads.map(lambda attempt: recording.completion(attempt).text, recording.attempts))
    assert texts == [f"// {attempt.attempt}\n" * 50 for attempt in recording.attempts]


def test_the_file_is_closed_with_the_recording(samples):
    path = samples(sample())

    def times_open() -> int:
        return [os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()].count(os.path.realpath(path))

    assert times_open() == 0
    recording = recorded.read(path, SETS)
    assert times_open() == 1
    del recording
    gc.collect()
    assert times_open() == 0


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(["add", "HumanEval/0"]), st.text(), st.booleans()), min_size=1))
def test_every_sample_comes_back_as_it_was_written(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("samples") / "s.jsonl"
    lines = [json.dumps({"case_id": case, "code": code}, ensure_ascii=ascii_only) for case, code, ascii_only in rows]
    path.write_bytes("\n\n".join(lines).encode())
    recording = recorded.read(path, SETS)
    read = [(attempt.case_id, recording.completion(attempt).text) for attempt in recording.attempts]
    assert read == sorted(((case, code) for case, code, _ in rows), key=lambda row: row[0])


_VALUES = st.one_of(st.text(max_size=3), st.integers(-2, 3), st.floats(), st.booleans(), st.just({"prompt": -1}))
_SAMPLES = st.dictionaries(
    st.sampled_from(["case_id", "task_id", "eval_set", "model", "attempt", "tokens", "cost_usd", "code", "solution"]),
    _VALUES,
)


@settings(max_examples=40, deadline=None)
@given(st.lists(_SAMPLES, max_size=3))
def test_the_problems_of_a_line_do_not_depend_on_the_lines_before_it(tmp_path_factory, rows):
    right = {"case_id": "add", "model": "acme/one", "code": "fn f() {}"}
    path = tmp_path_factory.mktemp("samples") / "s.jsonl"
    lines = [right, *rows, *(right | row for row in rows)]
    alone = [problem for number, line in enumerate(lines, 1) for problem in problems_of(path, {number: line})]
    assert problems_of(path, dict(enumerate(lines, 1))) == alone


def problems_of(path, lines):
    """The problems of lines at these numbers, except that an attempt is there already."""
    texts = [json.dumps(lines[number]) if number in lines else "" for number in range(1, max(lines) + 1)]
    path.write_text("\n".join(texts))
    try:
        recorded.read(path, SETS)
    except InvalidInput as error:
        return [problem for problem in error.problems if "is this attempt of" not in problem.message]
    return []


@pytest.mark.parametrize("answer", ["```rust\nfn add() {}\n```", "Sure!\n```rust\nfn add() {}\n```", "fn add() {}"])
def test_an_answer_is_a_models_whole_response_with_or_without_prose(samples, answer):
    _, completion = only(samples({"case_id": "add", "answer": answer}))
    assert completion == Completion(text=answer, verbatim=False)


def test_an_answer_beside_code_is_ignored(samples):
    _, completion = only(samples(sample(answer=42)))
    assert completion == Completion(text="fn add() {}", verbatim=True)


def test_an_answer_that_is_not_text_is_a_problem(samples):
    (problem,) = problems(samples({"case_id": "add", "answer": 42}))
    assert "answer: must be a string" in problem
