"""`forgetest run` with a model: its requests, and the ones that are not repeated."""

from __future__ import annotations

import json
from pathlib import Path

import workbench
from forgetest.providers.retry import MAX_TRIES
from workbench import forgetest, json_lines, needs_judging, report_in

pytestmark = needs_judging


def test_the_same_command_again_asks_nothing_and_judges_nothing(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)
    words = ("run", "--eval-set", "set.toml", "--models", "acme/steady", "--format", "all")
    assert forgetest(*words, cwd=tmp_path).returncode == 0
    folder = tmp_path / "forgetest-results" / "latest"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert len(json_lines(log)) == 2

    again = forgetest(*words, cwd=tmp_path)

    assert again.returncode == 0
    assert "2 of 2 are in the journal already" in again.stderr
    assert len(json_lines(log)) == 2
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_more_samples_and_another_choice_of_cases_continue_the_same_run(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)
    words = ("run", "--eval-set", "set.toml", "--models", "acme/steady", "--seed", "0")
    forgetest(*words, "--filter", "odd", cwd=tmp_path)
    assert len(json_lines(log)) == 1

    forgetest(*words, "--samples", "2", cwd=tmp_path)

    assert len(json_lines(log)) == 4
    assert len(list((tmp_path / "forgetest-results").iterdir())) == 2  # the run, and `latest`


def test_a_model_named_twice_is_asked_once(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml")
    forgetest("run", "--eval-set", "set.toml", "--models", "acme/steady,acme/steady", cwd=tmp_path)

    assert len(json_lines(log)) == 1
    assert len(report_in(tmp_path / "forgetest-results")["results"]) == 1


def test_a_bare_name_is_a_model_of_the_default_provider(tmp_path: Path) -> None:
    (tmp_path / "forgetest.toml").write_text('default_provider = "acme"\n')
    workbench.write_set(tmp_path / "set.toml")

    finished = forgetest("run", "--eval-set", "set.toml", "--models", "steady,acme/steady", "--dry-run", cwd=tmp_path)

    assert finished.returncode == 0, finished.stderr
    assert "models      acme/steady\n" in finished.stdout


def test_the_folder_of_a_run_has_everything_needed_to_repeat_it(tmp_path: Path) -> None:
    workbench.configure_acme(tmp_path)
    (tmp_path / "forgetest.toml").write_text('[providers.acme]\napi_key = "a-secret"\n')
    workbench.write_set(tmp_path / "set.toml")
    forgetest("run", "--eval-set", "set.toml", "--models", "acme/steady", "--seed", "5", cwd=tmp_path)

    folder = tmp_path / "forgetest-results" / "latest"
    described = json.loads((folder / "run.json").read_text())
    assert described["eval_sets"][0]["hash"] == report_in(tmp_path / "forgetest-results")["eval_sets"][0]["hash"]
    assert described["models"] == ["acme/steady"]
    assert described["generation"]["seed"] == 5
    assert "rustc" in described["toolchains"]["rust"]
    assert not [path for path in folder.iterdir() if b"a-secret" in path.read_bytes()]


def test_a_dry_run_shows_what_would_happen_and_does_nothing(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)

    finished = forgetest(
        "run", "--eval-set", "set.toml", "--models", "acme/steady", "--samples", "3", "--dry-run", cwd=tmp_path
    )

    assert finished.returncode == 0
    assert "acme/steady" in finished.stdout
    assert "doubles (2 cases)" in finished.stdout
    assert "asked       6" in finished.stdout
    assert not log.exists()
    assert not (tmp_path / "forgetest-results").exists()


def test_a_dry_run_leaves_out_what_the_journal_already_has(tmp_path: Path) -> None:
    workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)
    words = ("run", "--eval-set", "set.toml", "--models", "acme/steady")
    forgetest(*words, cwd=tmp_path)

    finished = forgetest(*words, "--samples", "3", "--dry-run", cwd=tmp_path)

    assert "asked       4\n" in finished.stdout
    assert "judged      4 samples; 2 are in the journal already" in finished.stdout


def test_samples_of_a_provider_that_gives_up_are_unjudged_and_asked_for_again(tmp_path: Path) -> None:
    log = workbench.configure_acme(tmp_path)
    workbench.write_set(tmp_path / "set.toml", cases=2)
    words = ("run", "--eval-set", "set.toml", "--models", "acme/busy,acme/steady")

    finished = forgetest(*words, cwd=tmp_path)

    assert finished.returncode == 0
    assert "warning: acme/busy: 2 of 2 samples could not be judged" in finished.stderr
    report = report_in(tmp_path / "forgetest-results")
    busy = [each for each in report["results"] if each["model"] == "busy"]
    assert {each["reason"] for each in busy} == {f"the service is busy (asked {MAX_TRIES} times)"}
    assert {each["outcome"] for each in busy} == {"unjudged"}
    assert [each["score"] for each in busy] == [None, None]
    assert [each["correct"] for each in busy] == [None, None]
    assert report["aggregate"]["per_model"]["acme/busy"]["pass_at_k"] == {"1": None}
    assert report["aggregate"]["per_model"]["acme/steady"]["pass_at_k"] == {"1": 1.0}
    log.unlink()
    forgetest(*words, cwd=tmp_path)
    assert len(json_lines(log)) == 2 * MAX_TRIES
