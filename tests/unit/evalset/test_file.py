"""Loading eval sets: finding their files, and those of their cases."""

import json
import os
from pathlib import Path

import pytest

from eval_set_texts import CASE, HEADER, problems
from forgetest import evalset
from forgetest.errors import InvalidInput, UserError


def test_more_cases_come_from_a_file_beside_the_set(write):
    line = {"id": "b", "name": "B", "prompt": "p", "expectations": {"test_file": "t"}, "timeout_secs": 2}
    write(f"{json.dumps(line)}\n\n", "sets/more/cases.jsonl")
    (loaded,) = evalset.load(write(HEADER + 'cases_from = "more/cases.jsonl"\n' + CASE, "sets/x.toml"))
    assert [(case.id, case.language, case.timeout_secs) for case in loaded.cases] == [
        ("a", "rust", 60),
        ("b", "rust", 2),
    ]


def test_a_file_without_cases_is_not_an_eval_set(write):
    write("\n", "cases.jsonl")
    assert problems(write(HEADER + 'cases_from = "cases.jsonl"\n')) == [
        "x.toml:4: eval_set.cases_from: no case, neither there nor here"
    ]


def test_cases_are_never_read_from_outside_the_folder_of_the_set(write):
    write("{}", "secret.jsonl")
    name = write(HEADER + 'cases_from = "link.jsonl"\n', "sets/x.toml")
    Path("sets/link.jsonl").symlink_to("../secret.jsonl")
    assert problems(name) == ["sets/x.toml:4: eval_set.cases_from: sets/link.jsonl leads out of the eval set's folder"]


def test_cases_are_never_read_from_a_pipe(write):
    name = write(HEADER + 'cases_from = "pipe"\n', "sets/x.toml")
    os.mkfifo("sets/pipe")
    assert problems(name) == ["sets/x.toml:4: eval_set.cases_from: sets/pipe is not a file"]


def test_a_folder_stands_for_every_eval_set_in_it(write):
    write(HEADER.replace('"s"', '"two"') + CASE, "sets/b.toml")
    write(HEADER.replace('"s"', '"one"') + CASE, "sets/a.toml")
    write("not even TOML", "sets/.b.toml")
    write("nor this", "sets/readme.md")
    assert [loaded.id for loaded in evalset.load("sets")] == ["one", "two"]
    assert [loaded.path for loaded in evalset.load(Path("sets"))] == ["sets/a.toml", "sets/b.toml"]


def test_an_empty_folder_is_an_error(tmp_path):
    with pytest.raises(UserError, match=r"no eval set \(\*\.toml\) in this folder"):
        evalset.load(tmp_path)


def test_a_bare_name_is_a_built_in_set():
    (loaded,) = evalset.load("quickstart")
    assert loaded.id == "quickstart"
    assert loaded.path == str(evalset.built_in()["quickstart"])


def test_a_built_in_name_wins_over_a_file_of_the_same_name(write):
    write("#!/bin/sh\n", "quickstart")
    assert evalset.load("quickstart")[0].id == "quickstart"
    with pytest.raises(InvalidInput):
        evalset.load("./quickstart")


def test_an_unknown_name_is_an_error_that_lists_the_known_ones(write):
    write("")
    with pytest.raises(UserError) as caught:
        evalset.load("quikstart.toml")
    assert 'no built-in eval set of that name; did you mean "quickstart"? (built in: ' in str(caught.value)
