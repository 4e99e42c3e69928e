"""The composite action and the example workflow: valid by GitHub's schemas, and their commands run here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import workbench
from workbench import BROKEN, FORGETEST, RIGHT, needs_judging

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WORKFLOW_FILE = ROOT / "examples" / "github-actions" / "forgetest.yml"
# YAML 1.1 reads the key `on` as true
WORKFLOW = yaml.safe_load(re.sub("^on:", '"on":', WORKFLOW_FILE.read_text(encoding="utf-8"), flags=re.MULTILINE))
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def schema(name: str) -> Any:
    folder = files("check_jsonschema") / "builtin_schemas" / "vendor"
    return yaml.safe_load((folder / f"{name}.json").read_text(encoding="utf-8"))


@dataclass
class Runner:
    """Runs the shell steps of the action as GitHub's runner does, except the one that installs system packages."""

    folder: Path
    given: dict[str, str]
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    printed: str = ""

    def run(self) -> int:
        """Run the steps; return the status of the first that fails."""
        inputs = {name: each.get("default", "") for name, each in ACTION["inputs"].items()} | self.given
        for step in ACTION["runs"]["steps"]:
            if step["id"] == "setup":
                continue
            status = self._step(step, inputs)
            if status:
                return status
        return 0

    @property
    def summary(self) -> str:
        """The summary on the page of the job."""
        path = self.folder / "summary.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def output(self, name: str) -> str:
        """An output of the action."""
        return self._filled(ACTION["outputs"][name]["value"], {})

    def _step(self, step: dict[str, Any], inputs: dict[str, str]) -> int:
        outputs = self.folder / f"{step['id']}.out"
        outputs.touch()
        assert "${{" not in step["run"], "an input must not become part of a script"
        environment = {
            **workbench.environment(),
            **{name: self._filled(value, inputs) for name, value in step.get("env", {}).items()},
            "PATH": f"{Path(FORGETEST).parent}:{os.environ['PATH']}",
            "FORGETEST_ANSWERS": str(self.folder / ".answers"),
            "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md"),
            "GITHUB_ACTION_PATH": str(ROOT),
        }
        # these options are what GitHub's runner starts bash with
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        finished = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=800
        )
        self.printed += finished.stdout + finished.stderr
        lines = outputs.read_text(encoding="utf-8").splitlines()
        self.outputs[step["id"]] = dict(line.split("=", 1) for line in lines)
        return finished.returncode

    def _filled(self, text: str, inputs: dict[str, str]) -> str:
        def value(found: re.Match[str]) -> str:
            match found[1].split("."):
                case ["inputs", name]:
                    return inputs[name]
                case ["steps", step, "outputs", name]:
                    return self.outputs.get(step, {}).get(name, "")
            raise AssertionError(f"an expression that no runner of ours knows: {found[0]}")

        return EXPRESSION.sub(value, text)


def test_the_action_is_valid_by_githubs_schema():
    jsonschema.validate(ACTION, schema("github-actions"))


def test_the_example_workflow_is_valid_by_githubs_schema():
    jsonschema.validate(WORKFLOW, schema("github-workflows"))


def test_the_workflow_uses_only_inputs_and_outputs_that_the_action_has():
    [job] = WORKFLOW["jobs"].values()
    [use] = [step for step in job["steps"] if step.get("uses", "").startswith("forgetest/")]
    assert set(use["with"]) <= set(ACTION["inputs"])
    required = {name for name, each in ACTION["inputs"].items() if each.get("required")}
    assert required <= set(use["with"])
    text = WORKFLOW_FILE.read_text(encoding="utf-8")
    outputs, steps = re.findall(r"steps\.eval\.outputs\.([\w-]+)", text), re.findall(r"steps\.(\w+)\.outputs", text)
    assert outputs
    assert set(outputs) <= set(ACTION["outputs"])
    assert set(steps) <= {step.get("id") for step in job["steps"]}


def test_every_script_of_the_workflow_is_valid_bash():
    [job] = WORKFLOW["jobs"].values()
    scripts = [step["run"] for step in job["steps"] if "run" in step]
    assert scripts
    for script in scripts:
        assert "${{" not in script, "an expression must not become part of a script"
        subprocess.run(["bash", "-n", "-c", script], check=True)


def test_the_setup_script_of_the_action_exists():
    [step] = [step for step in ACTION["runs"]["steps"] if step["id"] == "setup"]
    called = re.findall(r"\$GITHUB_ACTION_PATH/([\w./-]+)\"?\n", step["run"])
    assert called == ["scripts/setup"]
    assert os.access(ROOT / called[0], os.X_OK)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    workbench.write_set(tmp_path / "set.toml", cases=2)
    for name, code in (("good", RIGHT), ("poor", BROKEN)):
        samples = [{"case_id": f"double-{number}", "code": code, "model": "acme/one"} for number in (1, 2)]
        workbench.write_samples(tmp_path / f"{name}.jsonl", samples)
    return tmp_path


@needs_judging
def test_the_action_runs_reports_compares_and_fails_on_a_regression(place: Path):
    first = Runner(place, {"eval-set": "set.toml", "samples-from": "good.jsonl"})
    assert first.run() == 0, first.printed
    for name in ("report", "sarif", "junit"):
        assert Path(first.output(name)).is_file()
    assert first.output("comparison") == ""
    assert "acme/one" in first.summary
    shutil.copy(first.output("report"), place / "baseline.json")

    given = {"eval-set": "set.toml", "samples-from": "poor.jsonl", "baseline": "baseline.json"}
    second = Runner(place, given)
    assert second.run() == 1, second.printed
    assert second.output("regressed") == "true"
    assert "2 regressions" in Path(second.output("comparison")).read_text(encoding="utf-8")
    assert "2 regressions" in second.summary

    tolerant = Runner(place, {**given, "fail-on-regression": "false"})
    assert tolerant.run() == 0, tolerant.printed
    assert tolerant.output("regressed") == "true"

    bound = Runner(place, {"eval-set": "set.toml", "samples-from": "poor.jsonl", "fail-under": "0.5"})
    assert bound.run() == 1, bound.printed
    assert Path(bound.output("report")).is_file()


@needs_judging
def test_the_action_fails_at_once_on_wrong_input(place: Path):
    wrong = Runner(place, {"eval-set": "set.toml", "samples-from": "nowhere.jsonl"})
    assert wrong.run() == 2
    assert "nowhere.jsonl" in wrong.printed
