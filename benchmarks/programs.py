"""Tests by input and output: the CPU time of one more test, in each language that runs programs.

    python benchmarks/programs.py [TIMES]

A trivial program is judged with one test and with two hundred, in turn, without a cache. What is printed is the
difference of the two minima for each further test, in milliseconds of CPU time of launcher and sample.
"""

from __future__ import annotations

import resource
import sys

from forgetest import config
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.evalset import Case
from forgetest.evalset.io_tests import IoTest, IoTests
from forgetest.executors import JudgeTask
from forgetest.sandboxes.factory import open_sandbox

MANY = 200
PROGRAMS = {
    "python": "import sys\n\nprint(sum(map(int, sys.stdin.read().split())))\n",
    "rust": """fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum::<i64>());
}
""",
}


def case_of(language: str, count: int) -> Case:
    """Return a case with so many tests."""
    tests = tuple(IoTest(name=str(n), input=f"{n} {n}", output=str(2 * n)) for n in range(count))
    return Case(id="-", name="-", prompt="-", language=language, timeout_secs=2.0, io=IoTests(tests=tests))


def cpu_ms() -> float:
    """Return the CPU time of this process and of all that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return 1000 * sum(each.ru_utime + each.ru_stime for each in used)


def judge_once(judge: Judge, case: Case) -> float:
    """Judge the program, and return the CPU time that it took."""
    before = cpu_ms()
    [[judged]] = judge.judge([JudgeTask(number=0, case=case, code=PROGRAMS[case.language])])
    assert judged.verdict is not None, judged.reason
    assert all(test.status == "passed" for test in judged.verdict.tests)
    return cpu_ms() - before


def main(times: int) -> None:
    """Print a line for each language."""
    sandbox = open_sandbox("bubblewrap")
    steps = StepRunner(sandbox, config.cache_folder(), config.host_environment())
    cases = PreparedCases(steps)
    judge = Judge(steps, cases, "bubblewrap")
    for language in PROGRAMS:
        one, many = case_of(language, 1), case_of(language, MANY)
        for case in (one, many):
            cases.prepare(case)
        rounds = [(judge_once(judge, one), judge_once(judge, many)) for _ in range(times)]
        first, all_ = (min(values) for values in zip(*rounds, strict=True))
        print(f"{language}: {(all_ - first) / (MANY - 1):.2f} ms for each further test")
    sandbox.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
