"""Exit codes and their messages: 0 done, 1 gate failed, 2 wrong input, 3 a bug."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

import workbench
from workbench import RIGHT, WRONG, forgetest, forgetest_here, needs_judging

RUN = ("run", "--eval-set", "set.toml")
RECORDED = (*RUN, "--samples-from", "samples.jsonl")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)
    workbench.write_samples(tmp_path / "samples.jsonl", [{"case_id": "double-1", "code": WRONG}])
    return tmp_path


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---- 1: a gate ----


@needs_judging
@pytest.mark.parametrize(("least", "code"), [("0.75", 0), ("0.76", 1)])
def test_a_mean_score_below_fail_under_is_exit_code_1(place: Path, least: str, code: int) -> None:
    finished = forgetest(*RECORDED, "--fail-under", least, cwd=place)

    assert finished.returncode == code
    assert ("mean score 0.750 is below --fail-under 0.76" in finished.stderr) == (code == 1)
    assert (place / "forgetest-results" / "latest" / "report.json").exists()


@needs_judging
def test_an_unjudged_sample_is_exit_code_1_with_fail_on_unjudged(place: Path) -> None:
    finished = forgetest(*RUN, "--models", "acme/busy", "--fail-on-unjudged", cwd=place)

    assert finished.returncode == 1
    assert "2 of 2 samples could not be judged" in finished.stderr


@needs_judging
def test_a_model_without_any_judged_sample_is_below_every_minimum(place: Path) -> None:
    finished = forgetest(*RUN, "--models", "acme/busy", "--fail-under", "0", cwd=place)

    assert finished.returncode == 1
    assert "mean score n/a" in finished.stderr


@needs_judging
def test_a_wrong_reference_solution_is_exit_code_1(place: Path) -> None:
    text = (place / "set.toml").read_text()
    (place / "set.toml").write_text(text.replace("{ x * 2 }", "{ x + 2 }", 1))

    finished = forgetest("validate", "--eval-set", "set.toml", "--solve", cwd=place)

    assert finished.returncode == 1
    assert "FAIL  doubles/double-1\n      scores 0.75\n" in finished.stdout
    assert "three_is_doubled" in finished.stdout
    assert "ok    doubles/double-2" in finished.stdout
    assert "1 of 2 reference solutions score 1.0" in finished.stdout


# ---- 2: the input ----


WRONG_INPUT = {
    "no such command": (("rum",), 'no such command: rum; did you mean "run"?'),
    "an unknown option": (("run", "--evalset", "x"), "--eval-set"),
    "no eval set": (("run",), "Missing option '--eval-set'"),
    "an unknown set": (("run", "--eval-set", "rust-basic"), 'did you mean "rust-basics"?'),
    "a folder without sets": (("run", "--eval-set", "empty"), "no eval set (*.toml) in this folder"),
    "a set given twice": ((*RUN, "--eval-set", "set.toml"), "two sets have the id doubles"),
    "broken TOML": (("run", "--eval-set", "broken.toml"), "broken.toml:2"),
    "a set with mistakes": (("run", "--eval-set", "mistakes.toml"), 'unknown key; did you mean "prompt"?'),
    "no whole k": ((*RUN, "--pass-k", "1,x"), "'1,x' is not like 1,5,10"),
    "k of zero": ((*RUN, "--pass-k", "0"), "k counts from 1"),
    "fewer samples than k": ((*RUN, "--pass-k", "1,5", "--samples", "3"), "Pass@5 needs at least 5 samples"),
    "no samples": ((*RUN, "--samples", "0"), "--samples"),
    "a temperature out of range": ((*RUN, "--temperature", "3"), "--temperature"),
    "a bar out of range": ((*RUN, "--fail-under", "80"), "--fail-under"),
    "a bar that is no number": ((*RUN, "--fail-under", "nan"), "nan is not a number that can be compared"),
    "a temperature that is no number": ((*RUN, "--temperature", "nan"), "nan is not a number that can be compared"),
    "a cost without end": ((*RUN, "--max-cost", "inf"), "inf is not a number that can be compared"),
    "k beyond all reason": ((*RUN, "--pass-k", "99999999"), "more than 100000"),
    "models that name none": ((*RUN, "--models", ","), "names nothing"),
    "tags that name none": ((*RUN, "--filter", ""), "names nothing"),
    "an unknown sandbox": ((*RUN, "--sandbox", "jail"), "sandbox jail: not installed"),
    "a set that never ends": (("validate", "--eval-set", "/dev/zero"), "/dev/zero: a device, not a file"),
    "an unknown format": ((*RUN, "--format", "json,pdf"), "pdf is none of"),
    "samples from nowhere": ((*RUN, "--samples-from", "nowhere.jsonl"), "nowhere.jsonl: no such file"),
    "samples that are no JSON": ((*RUN, "--samples-from", "set.toml"), "set.toml:1: not JSON"),
    "samples of no case": ((*RUN, "--samples-from", "other.jsonl"), 'did you mean "double-1"?'),
    "an empty file of samples": ((*RUN, "--samples-from", "nothing.jsonl"), "there is no sample in it"),
    "a device for samples": ((*RUN, "--samples-from", "/dev/zero"), "/dev/zero: a device, not a file"),
    "a pipe for samples": ((*RUN, "--samples-from", "pipe"), "pipe: a pipe, not a file; to read from it, write: "),
    "a folder for samples": ((*RUN, "--samples-from", "empty"), "empty: cannot be read: Is a directory"),
    "samples and models": ((*RECORDED, "--models", "acme/steady"), "--samples-from excludes --models"),
    "samples and their number": ((*RECORDED, "--samples", "3"), "--samples-from excludes --samples"),
    "samples and a temperature": ((*RECORDED, "--temperature", "0"), "--samples-from excludes --temperature"),
    "samples and a seed": ((*RECORDED, "--seed", "0"), "--samples-from excludes --seed"),
    "samples and a length": ((*RECORDED, "--max-tokens", "9"), "--samples-from excludes --max-tokens"),
    "samples of other cases": ((*RECORDED, "--case", "double-2"), "no sample is for a case that is to be judged"),
    "an unknown case": ((*RUN, "--case", "duoble-1"), 'there is no such case; did you mean "double-1"?'),
    "an unknown tag": ((*RUN, "--filter", "sorting"), "no case has such a tag; there are: even, odd"),
    "a case without the tag": ((*RUN, "--case", "double-1", "--filter", "even"), "no case of --case double-1 has"),
    "a provider and no model": ((*RUN, "--models", "acme/"), "which model?"),
    "a provider without a model": ((*RUN, "--models", "acme"), "which model?"),
    "an unknown provider": ((*RUN, "--models", "acne/steady"), 'did you mean "acme"?'),
    "an output that is a file": ((*RECORDED, "--output", "set.toml"), "--output"),
    "an output below a file": ((*RECORDED, "--output", "set.toml/x"), "choose another --output"),
    "no baseline": (("compare", "--baseline", "gone.json", "--current", "a.json"), "gone.json: no such file"),
    "a report that is none": (("compare", "--baseline", "set.toml", "--current", "a.json"), "set.toml"),
    "a folder without a report": (("compare", "--baseline", "empty", "--current", "a.json"), "no report.json"),
    "a threshold out of range": (("compare", "--baseline", "a.json", "--current", "a.json", "--threshold", "5"), "5"),
    "nothing to validate": (("validate",), "nothing to validate: give --eval-set"),
    "validate with mistakes": (("validate", "--eval-set", "mistakes.toml"), "mistakes.toml:7"),
    "init over what is there": (("init",), "forgetest.toml exists already"),
    "init into a file": (("init", "set.toml"), "set.toml"),
    "regrade of no run": (("regrade", "empty"), "not the folder of a run"),
    "broken configuration": (("list-models",), "default_temperatur"),
}


@pytest.fixture
def crowded(place: Path) -> Path:
    """A folder with every kind of wrong input."""
    (place / "empty").mkdir()
    (place / "nothing.jsonl").touch()
    os.mkfifo(place / "pipe")
    (place / "broken.toml").write_text("[eval_set]\nid = \n")
    (place / "mistakes.toml").write_text(
        '[eval_set]\nid = "m"\nname = "M"\n[[cases]]\nid = "c"\nname = "C"\npromt = "p"\n'
    )
    workbench.write_samples(place / "other.jsonl", [{"case_id": "duoble-1", "code": RIGHT}])
    sample = {"provider": "p", "attempt": 1, "outcome": "judged", "correct": True}
    score = {"compilation": 1, "tests": 1, "clippy": 1, "overall": 1}
    for name in ("a", "b"):
        results = [{**sample, "eval_set_id": name, "case_id": name, "model": "m", "score": score}]
        report = {"format_version": 1, "id": name, "created_at": "2026-01-01T00:00:00Z", "results": results}
        report |= {"eval_sets": [], "settings": {"pass_k": [1]}, "models_evaluated": ["p/m"]}
        (place / f"{name}.json").write_text(json.dumps(report))
    return place


@needs_judging
@pytest.mark.parametrize("mistake", WRONG_INPUT)
def test_wrong_input_is_exit_code_2_with_one_clear_message_and_nothing_is_written(crowded: Path, mistake: str) -> None:
    words, message = WRONG_INPUT[mistake]
    if mistake == "broken configuration":
        (crowded / "forgetest.toml").write_text("default_temperatur = 1\n")
    before = everything_in(crowded)

    finished = forgetest_here(*words, cwd=crowded)

    assert finished.returncode == 2, finished.stderr
    assert message in finished.stderr
    assert "Traceback" not in finished.stderr
    assert finished.stdout == ""
    assert everything_in(crowded) == before


def test_wrong_input_is_exit_code_2_of_the_started_program(place: Path) -> None:
    before = everything_in(place)

    finished = forgetest(*RUN, "--models", "acne/steady", cwd=place)

    assert (finished.returncode, finished.stdout) == (2, "")
    assert 'did you mean "acme"?' in finished.stderr
    assert everything_in(place) == before


def test_a_small_archive_of_a_huge_line_is_exit_code_2_and_takes_little_memory(place: Path) -> None:
    (place / "bomb.jsonl.gz").write_bytes(gzip.compress(bytes(300 << 20), 1))

    finished = forgetest(*RUN, "--samples-from", "bomb.jsonl.gz", cwd=place, through='ulimit -v 400000; "$@"')

    assert finished.returncode == 2
    assert "bomb.jsonl.gz:1: longer than 16 MiB, the longest line that is read" in finished.stderr


def test_endless_standard_input_is_exit_code_2(place: Path) -> None:
    finished = forgetest(*RUN, "--samples-from", "-", cwd=place, through='"$@" </dev/zero')

    assert finished.returncode == 2
    assert "-:1: longer than 16 MiB" in finished.stderr


@needs_judging
def test_an_output_folder_without_write_permission_is_exit_code_2(place: Path) -> None:
    finished = forgetest(*RECORDED, "--output", "/proc/results", cwd=place)

    assert finished.returncode == 2
    assert "choose another --output" in finished.stderr


@needs_judging
def test_a_run_in_use_by_another_process_is_not_touched(place: Path) -> None:
    words = (*RUN, "--models", "acme/hanging")
    process = workbench.start(*words, cwd=place)
    try:
        workbench.wait_until((place / "asked.jsonl").exists, process)
        for further in ((), ("--fresh",)):
            second = forgetest(*words, *further, cwd=place)
            assert second.returncode == 2
            assert "another forgetest is working there" in second.stderr
    finally:
        process.kill()
        process.communicate()
    assert [path.name for path in (place / "forgetest-results").glob("*.1")] == []


@needs_judging
def test_a_broken_journal_is_reported_with_its_line_and_can_be_set_aside(place: Path) -> None:
    assert forgetest(*RECORDED, cwd=place).returncode == 0
    journal = place / "forgetest-results" / "latest" / "journal.jsonl"
    first, second, *rest = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join([first, second[:40] + "\n", *rest]))

    finished = forgetest(*RECORDED, cwd=place)

    assert finished.returncode == 2
    assert "journal.jsonl:2: not a line of a journal" in finished.stderr
    assert "--fresh starts over" in finished.stderr
    assert forgetest(*RECORDED, "--fresh", cwd=place).returncode == 0


def test_without_bubblewrap_nothing_is_run_and_the_missing_package_is_named(place: Path) -> None:
    finished = forgetest(*RECORDED, cwd=place, env=workbench.without("bwrap", place))

    assert finished.returncode == 2
    assert "install the package `bubblewrap`" in finished.stderr
    assert not (place / "forgetest-results").exists()


# ---- 3: a bug ----


@needs_judging
def test_a_plugin_that_crashes_is_exit_code_3_with_its_traceback_and_where_to_report(place: Path) -> None:
    finished = forgetest(*RUN, "--models", "acme/crashing", cwd=place)

    assert finished.returncode == 3
    assert "ZeroDivisionError: a bug in the plugin" in finished.stderr
    assert "please report it" in finished.stderr


# ---- output that cannot be written ----


def test_standard_output_closed_before_the_start_is_not_a_bug(tmp_path: Path) -> None:
    finished = forgetest("schema", "report", cwd=tmp_path, through='"$@" >&-')

    assert finished.returncode == 0
    assert finished.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_standard_output_is_an_error(tmp_path: Path) -> None:
    finished = forgetest("schema", "report", cwd=tmp_path, through='"$@" >/dev/full')

    assert finished.returncode == 2
    assert "writing failed: No space left on device" in finished.stderr


@needs_judging
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_standard_error_neither_ends_a_run_nor_changes_its_exit_code(place: Path) -> None:
    finished = forgetest(*RECORDED, cwd=place, through='"$@" 2>/dev/full')
    assert finished.returncode == 0
    assert "Report: forgetest-results" in finished.stdout

    wrong = forgetest("run", "--eval-set", "nowhere.toml", cwd=place, through='"$@" 2>/dev/full')
    assert wrong.returncode == 2


@needs_judging
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_ctrl_c_is_exit_code_130_though_a_full_disk_is_behind_standard_error(place: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        process = subprocess.Popen(
            [workbench.FORGETEST, *RUN, "--models", "acme/hanging"],
            cwd=place,
            env=workbench.environment(),
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
        )
    workbench.wait_until((place / "asked.jsonl").exists, process)

    process.send_signal(signal.SIGINT)

    assert process.communicate(timeout=60) == ("", None)
    assert process.returncode == 130
