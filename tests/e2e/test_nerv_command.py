"""The `nerv` command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nerv.cli.main import run
from results import SPEC, results

ROOT = Path(__file__).resolve().parents[2]


def start(*words, home, **environment):
    variables = {name: value for name, value in os.environ.items() if not name.startswith("NERV_")}
    return subprocess.Popen(
        [sys.executable, "-m", "nerv", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**variables, "NERV_HOME": str(home), "LANG": "C.UTF-8", **environment},
        cwd=ROOT,
    )


@pytest.fixture
def nerv(capfd, monkeypatch):
    """Call the command in this process; return its exit code, output and error output."""

    def called(*words, home, **environment):
        for name in ("NERV_MOCK_CLAUDE", "NERV_TEST_MODE"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {"NERV_HOME": str(home), **environment}.items():
            monkeypatch.setenv(name, value)
        code = run([str(word) for word in words])
        out, err = capfd.readouterr()
        return code, out, err

    return called


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def history(home):
    return [json.loads(line) for line in (home / "benchmarks" / "history.jsonl").read_text().splitlines()]


def test_a_run_is_scored_reported_and_remembered(tmp_path, home, nerv):
    folder = results(tmp_path / "run")
    code, out, err = nerv("benchmark", "score", folder, home=home)
    assert code == 1
    assert out.startswith("=" * 60 + "\n  NERV Benchmark Scores\n")
    assert "Result: FAIL" in out
    assert err == ""
    report = json.loads((folder / "score-report.json").read_text())
    assert report["mode"] == "rules"
    (entry,) = history(home)
    assert {key: entry[key] for key in ("benchmark_dir", "mode", "scores", "overall", "passed", "cycles")} == {
        "benchmark_dir": str(folder),
        "mode": "rules",
        "scores": report["scores"],
        "overall": report["overall"],
        "passed": False,
        "cycles": 2,
    }
    assert {"timestamp", "spec", "cost_usd", "duration_ms"} <= set(entry)
    assert entry["duration_ms"] == 18_100


def test_json_is_the_report_and_the_same_folder_gives_the_same_bytes(tmp_path, home, nerv):
    folder = results(tmp_path / "run")
    _, first, _ = nerv("benchmark", "score", folder, "--json", home=home)
    assert first == (folder / "score-report.json").read_text()
    _, second, _ = nerv("benchmark", "score", folder, "--json", "--no-history", home=home)
    created = json.loads(first)["created_at"], json.loads(second)["created_at"]
    assert first.replace(created[0], "") == second.replace(created[1], "")
    assert len(history(home)) == 1


def test_a_threshold_decides_the_exit_code(tmp_path, home, nerv):
    folder = results(tmp_path / "run")
    code, out, _ = nerv("benchmark", "score", folder, "--threshold", "1.5", "--no-history", home=home)
    assert code == 0
    assert "Pass threshold: 1.5/10\n  Result: PASS" in out
    code, _, err = nerv("benchmark", "score", folder, "--threshold", "11", home=home)
    assert (code, "between 1 and 10" in err) == (2, True)


def test_an_explanation_names_lines(tmp_path, home, nerv):
    _, out, _ = nerv("benchmark", "score", results(tmp_path / "run"), "--explain", "--no-history", home=home)
    assert "(event-log.jsonl:7)" in out
    assert "To raise it:" in out


@pytest.mark.parametrize(("name", "value"), [("NERV_MOCK_CLAUDE", "1"), ("NERV_TEST_MODE", "true")])
def test_mock_mode_computes_nothing_and_says_so(tmp_path, home, name, value, nerv):
    folder = results(tmp_path / "run", files={"event-log.jsonl": "nothing usable"})
    code, out, err = nerv("benchmark", "score", folder, home=home, **{name: value})
    assert code == 0
    assert "Implementation Quality   8/10  (30%)" in out
    assert "8.0/10" in out
    assert "mock" in err
    report = json.loads((folder / "score-report.json").read_text())
    assert (report["mode"], report["overall"], set(report["scores"].values())) == ("mock", 8.0, {8})
    assert "prove nothing" in report["notice"]
    assert history(home)[0]["mode"] == "mock"


def test_mock_mode_still_needs_the_files(tmp_path, home, nerv):
    code, _, err = nerv("benchmark", "score", results(tmp_path / "r", spec=None), home=home, NERV_MOCK_CLAUDE="1")
    assert (code, "spec.md: missing" in err) == (2, True)


def test_mock_mode_takes_every_log_that_the_rules_take(tmp_path, home, nerv):
    file = tmp_path / "rows.jsonl"
    rows = [{"id": one, "task": "Fix it.", "patch": "diff --git a/a b/a"} for one in "ab"]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    code, out, _ = nerv("benchmark", "score", f"{file}#b", "--no-report", home=home, NERV_MOCK_CLAUDE="1")
    assert (code, "8.0/10" in out) == (0, True)


@pytest.mark.parametrize("content", [b"", b"\0\1\2\3" * 5000, b"{", "ä".encode("utf-16")])
def test_a_broken_log_is_one_clear_message_and_overwrites_nothing(tmp_path, home, content, nerv):
    folder = results(tmp_path / "run", files={"score-report.json": "precious"})
    (folder / "event-log.jsonl").write_bytes(content)
    code, out, err = nerv("benchmark", "score", folder, home=home)
    assert (code, out) == (2, "")
    assert "event-log.jsonl" in err
    assert "Traceback" not in err
    assert (folder / "score-report.json").read_text() == "precious"
    assert not home.exists()


def test_a_bad_line_is_a_warning_with_its_number(tmp_path, home, nerv):
    folder = results(tmp_path / "run")
    with (folder / "event-log.jsonl").open("a") as log:
        log.write("half a li")
    code, out, err = nerv("benchmark", "score", folder, home=home)
    assert code == 1
    assert "event-log.jsonl: 1 line skipped, not JSON: line 21" in err
    assert "Result:" in out


def test_six_concurrent_scorers_write_six_intact_history_lines(tmp_path, home):
    folders = [results(tmp_path / f"run{number}") for number in range(6)]
    processes = [start("benchmark", "score", folder, home=home, NERV_MOCK_CLAUDE="1") for folder in folders]
    for process in processes:
        process.communicate(timeout=600)
        assert process.returncode == 0
    assert sorted(entry["benchmark_dir"] for entry in history(home)) == sorted(map(str, folders))


def test_a_read_only_folder_is_scored_with_a_warning(tmp_path, home, nerv):
    folder = results(tmp_path / "run")
    if os.geteuid() == 0:  # root may write to any folder, but even root cannot replace a folder by a file
        (folder / "score-report.json").mkdir()
    folder.chmod(0o555)
    code, out, err = nerv("benchmark", "score", folder, home=home)
    folder.chmod(0o755)
    assert code == 1
    assert "Result: FAIL" in out
    assert "score-report.json was not written" in err
    assert len(history(home)) == 1


def test_history_shows_the_latest_entries(tmp_path, home, nerv):
    for number in range(3):
        nerv("benchmark", "score", results(tmp_path / f"run{number}"), home=home, NERV_TEST_MODE="1")
    code, out, _ = nerv("benchmark", "history", "--limit", "2", home=home)
    assert code == 0
    assert "run0" not in out
    assert out.index("run1") < out.index("run2")
    assert "No run was scored yet" in nerv("benchmark", "history", home=tmp_path / "other")[1]


def test_compare_shows_where_two_runs_differ(tmp_path, home, nerv):
    good = results(tmp_path / "good")
    events = [json.loads(line) for line in (good / "event-log.jsonl").read_text().splitlines()]
    bad = results(
        tmp_path / "bad", [each for each in events if not each["event"].startswith(("review", "worktree_created"))]
    )
    code, out, _ = nerv("benchmark", "compare", good, bad, home=home)
    assert code == 0
    assert "  isolation" in out
    assert "  review" in out
    assert not (good / "score-report.json").exists()
    rows = json.loads(nerv("benchmark", "compare", good, bad, "--json", home=home)[1])["rows"]
    assert {row["criterion"] for row in rows if (row["change"] or 0) < 0} >= {"isolation", "review"}


def test_the_rubric_is_printed(home, nerv):
    code, out, _ = nerv("benchmark", "rubric", home=home)
    assert code == 0
    assert "requirements (35%)" in out
    assert "Efficiency (20%)" in out


def test_the_script_does_the_same(tmp_path, home):
    folder = results(tmp_path / "run", spec=None)
    spec = tmp_path / "given.md"
    spec.write_text(SPEC)
    script = ROOT / "scripts" / "score-benchmark.py"
    environment = {**os.environ, "NERV_HOME": str(home), "LANG": "C.UTF-8", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, script, folder, "--spec", spec], capture_output=True, text=True, env=environment, timeout=300
    )
    assert done.returncode == 1
    assert "NERV Benchmark Scores" in done.stdout
    assert (folder / "score-report.json").exists()


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_documented_command_of_node_does_the_same(tmp_path, home):
    folder = results(tmp_path / "run")
    words = ["node", ROOT / "scripts" / "score-benchmark.js", folder, "--json"]
    environment = {**os.environ, "NERV_HOME": str(home), "LANG": "C.UTF-8", "NERV_MOCK_CLAUDE": "1"}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0
    assert json.loads(done.stdout)["overall"] == 8.0


@pytest.mark.parametrize("name", ["node scripts/score-benchmark.js", "python scripts/score-benchmark.py"])
def test_the_scripts_print_the_usage_of_their_own_command(name, home):
    program, script = name.split()
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    start_with = sys.executable if program == "python" else program
    done = subprocess.run([start_with, ROOT / script], capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert f"Usage: {name} [OPTIONS] DIR" in done.stderr


def test_json_may_stand_before_the_command(tmp_path, home, nerv):
    folder = results(tmp_path / "run")
    _, after, _ = nerv("benchmark", "score", folder, "--json", "--no-history", home=home, NERV_TEST_MODE="1")
    _, before, _ = nerv("benchmark", "--json", "score", folder, "--no-history", home=home, NERV_TEST_MODE="1")
    assert json.loads(before)["scores"] == json.loads(after)["scores"]
    assert json.loads(nerv("benchmark", "--json", "compare", folder, folder, home=home)[1])["rows"]


@pytest.mark.parametrize("words", [("--output", "OUT"), ("--no-report",)])
def test_nothing_is_written_beside_the_input_if_the_options_say_so(tmp_path, home, nerv, words):
    folder = results(tmp_path / "run")
    before = sorted(path.name for path in folder.iterdir())
    chosen = [tmp_path / "out.json" if word == "OUT" else word for word in words]
    code, _, _ = nerv("benchmark", "score", folder, "--json", *chosen, home=home)
    assert code == 1
    assert sorted(path.name for path in folder.iterdir()) == before
    assert len(history(home)) == 1


def test_nervs_own_command_can_read_our_history(tmp_path, home, nerv, monkeypatch):
    results(tmp_path / "run")
    monkeypatch.chdir(tmp_path)
    nerv("benchmark", "score", "run", home=home, NERV_TEST_MODE="1")
    (entry,) = history(home)
    assert (entry["benchmarkDir"], entry["weightedTotal"], entry["passed"]) == (str(tmp_path / "run"), 8.0, True)
    assert entry["benchmark_dir"] == "run"


def test_history_shows_lines_of_nervs_own_programs(tmp_path, home, nerv):
    file = home / "benchmarks" / "history.jsonl"
    file.parent.mkdir(parents=True)
    lines = [
        {"benchmarkId": "bench-1", "timestamp": 1_767_225_600_000, "scores": {"overall": 7.5, "ux": 8}, "cost": 1},
        {"timestamp": "2026-01-02T00:00:00Z", "benchmarkDir": "/runs/b", "weightedTotal": 6.5, "passed": False},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, err = nerv("benchmark", "history", home=home)
    assert (code, err) == (0, "")
    script, command = out.splitlines()[1:]
    assert script.split()[:5] == ["2026-01-01", "00:00:00", "7.5", "n/a", "n/a"]
    assert command.split()[:4] == ["2026-01-02", "00:00:00", "6.5", "FAIL"]
    assert command.endswith("/runs/b")


def test_wrong_arguments_are_exit_code_two(home, nerv):
    code, _, err = nerv("benchmark", "scor", home=home)
    assert code == 2
    assert 'did you mean "score"?' in err
    assert nerv("benchmark", "score", "/nowhere", home=home)[0] == 2
    assert nerv("benchmark", "score", home=home)[0] == 2


def test_a_session_given_as_a_file_has_its_report_beside_it(tmp_path, home, nerv):
    lines = [
        {"type": "user", "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z", "message": {"content": "Add a page."}},
    ]
    session = tmp_path / "s1.jsonl"
    session.write_text("".join(json.dumps(each) + "\n" for each in lines))
    code, out, err = nerv("benchmark", "score", session, "--json", home=home)
    assert (code, err) == (1, "")
    assert sorted(path.name for path in tmp_path.glob("s1*")) == ["s1.jsonl", "s1.score-report.json"]
    assert (tmp_path / "s1.score-report.json").read_text() == out


def test_an_unwritable_output_and_a_missing_diff_are_exit_code_two(tmp_path, home, nerv):
    folder = results(tmp_path / "run")
    code, _, err = nerv("benchmark", "score", folder, "--output", tmp_path / "nowhere" / "x", home=home)
    assert code == 2
    assert "cannot be written: No such file or directory; choose another --output" in err
    code, _, err = nerv("benchmark", "score", folder, "--diff", tmp_path / "nowhere.patch", home=home)
    assert code == 2
    assert "nowhere.patch: missing; --diff names a patch file" in err


def test_a_folder_whose_name_is_not_utf8_is_scored_like_any_other(tmp_path, home, nerv):
    folder = results(tmp_path / os.fsdecode(b"run\xff"))
    code, out, _ = nerv("benchmark", "score", folder, "--json", home=home)
    assert code == 1
    assert json.loads(out)["benchmark_dir"].endswith("run\\xff")
    code, out, _ = nerv("benchmark", "compare", folder, folder, "--json", home=home)
    assert code == 0
    assert "run\\\\xff" in out
