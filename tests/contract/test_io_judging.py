"""Judging by input and output, with real programs in a real sandbox."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from typing import Any

import pytest

from forgetest import evalset, plugins
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.evalset import Case
from forgetest.evalset.io_tests import CheckerProgram, IoTest, IoTests
from forgetest.executors import JudgeTask
from forgetest.verdict import Verdict


@pytest.fixture(scope="module")
def judge(step_runner) -> Iterator[Judge]:
    return Judge(step_runner, PreparedCases(step_runner), "bubblewrap")


def io_case(*tests: IoTest, timeout_secs: float = 2.0, language: str = "python", **given: Any) -> Case:
    io = IoTests(tests=tests, **given)
    return Case(id="-", name="-", prompt="-", language=language, timeout_secs=timeout_secs, io=io)


def judged(judge: Judge, case: Case, code: str) -> Verdict:
    [[result]] = judge.judge([JudgeTask(number=0, case=case, code=code)])
    assert result.verdict is not None, result.reason
    return result.verdict


SEARCH = """
import gc, os, sys
secret = "".join(["zq", "17"])
places = [str(os.environ), repr(sys.argv)]
for folder, _, names in os.walk("/"):
    for name in names:
        path = os.path.join(folder, name)
        if not folder.startswith(("/py/", "/lib", "/dev")):
            try:
                places.append(open(path, errors="replace").read(1 << 20))
            except OSError:
                pass
places += [each for each in gc.get_objects() if isinstance(each, str)]
places += [repr(each) for each in gc.get_objects() if isinstance(each, (dict, list))][:20000]
import ctypes
try:
    for descriptor in range(3, 64):
        places.append(os.pread(descriptor, 1 << 20, 0).decode(errors="replace"))
except OSError:
    pass
print("found" if any(secret in place.replace(repr(secret), "") for place in places) else "nothing")
"""


def test_the_expected_output_is_nowhere_in_the_sandbox_of_the_sample(judge):
    """It is looked for in files, environment, arguments, descriptors and objects."""
    tests = [IoTest(name=f"{n}", input="1", output="zq17 secret") for n in range(2)]
    assert [test.stdout for test in judged(judge, io_case(*tests), SEARCH).tests] == ["nothing\n"] * 2


def test_the_expected_output_is_in_no_step_of_the_sample(step_runner):
    """Neither in what it is given, nor in what is mounted, nor in its limits."""
    seen = []

    class Watching:
        def run(self, step):
            seen.append(repr(step))
            return step_runner.run(step)

        def prepare(self, *given):
            return step_runner.prepare(*given)

    judge = Judge(Watching(), PreparedCases(step_runner), "bubblewrap")
    verdict = judged(judge, io_case(IoTest(name="a", input="1", output="zq17 secret")), "print('zq17', 'secret')")
    assert [test.status for test in verdict.tests] == ["passed"]
    without_code = [text.replace("print('zq17', 'secret')", "") for text in seen]
    assert len(seen) == 3
    assert not any("zq17 secret" in text for text in without_code)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def f(a, b):\n    print('noise')\n    return (a, [b])\n", None),
        ("def f(a, b):\n    return [a, {b}]\n", "TypeError: Object of type set is not JSON serializable"),
        ("def f(a, b):\n    return [a, b]\n", "wrong output at result[1]: expected [2], found 2"),
        ("def f(a, b):\n    raise ValueError(a)\n", 'line 2, in f\n    raise ValueError(a)\nValueError: 1'),
        ("def g(a, b):\n    return 1\n", "AttributeError: module 'solution' has no attribute 'f'"),
        ("def f(a, b):\n    import os\n    os._exit(0)\n", "wrong output at result: expected [1, [2]], found no JSON"),
        ("print('[1, [2]]')\nraise SystemExit\n", "wrong output at result: expected [1, [2]], found no JSON value"),
    ],
)  # fmt: skip
def test_a_call_is_judged_by_what_the_function_returns(judge, code, message):
    case = io_case(IoTest(name="a", visible=True, input="[1, 2]", output="[1, [2]]"), call="f")
    (test,) = judged(judge, case, code).tests
    assert (test.status, message or "") == ("failed" if message else "passed", message or "")
    assert (message or "") in test.message


CHECKER = CheckerProgram(
    language="python",
    code="""
import sys
given, output, answer = (open(path).read() for path in sys.argv[1:])
if output == "crash":
    raise RuntimeError("the checker crashed")
print("accepted" if sorted(output.split()) == sorted(answer.split()) else f"rejected want {given.strip()} words")
""",
)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("print('b a')", ""),
        ("print('b b')", "rejected by the checker: want 2 words"),
        ("print('accepted')", "rejected by the checker: want 2 words"),
        ("open('argument2', 'w').write('x')\nprint('x')", "rejected by the checker: want 2 words"),
    ],
)
def test_a_checker_program_decides_about_the_output(judge, code, message):
    case = io_case(IoTest(name="a", input="2\n", output="a b"), checker="program", checker_program=CHECKER)
    assert judged(judge, case, code).tests[0].message == message


def test_a_checker_that_crashes_leaves_the_sample_unjudged(judge):
    case = io_case(IoTest(name="a", input="2\n", output="a b"), checker="program", checker_program=CHECKER)
    [[result]] = judge.judge([JudgeTask(number=0, case=case, code="print('crash', end='')")])
    assert result.verdict is None
    assert "RuntimeError: the checker crashed" in result.reason


def test_after_three_time_outs_the_rest_is_not_run(judge):
    tests = [IoTest(name=f"{n}", input="1", output="1") for n in range(50)]
    verdict = judged(judge, io_case(*tests, timeout_secs=0.2), "while True:\n    pass\n")
    messages = [test.message for test in verdict.tests]
    assert messages == [
        *["stopped: it used up its CPU time"] * 3,
        *["not run: several tests before it ran out of time"] * 47,
    ]
    assert not verdict.tests[10].cpu_ms


def test_memory_is_limited_for_each_test(judge):
    code = "print(len(bytearray(int(input()) << 20)) >> 20)"
    tests = [IoTest(name=size, input=size, output=size) for size in ("50", "500")]
    verdict = judged(judge, io_case(*tests, memory_mb=200), code)
    assert [test.status for test in verdict.tests] == ["passed", "failed"]
    assert "MemoryError" in verdict.tests[1].message


RUST_ENDINGS = """
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let code: u8 = line.trim().parse().expect("a number");
    print!("{code}");
    ExitCode::from(code)
}
"""


def test_a_rust_program_is_judged_by_what_it_prints_and_how_it_ends(judge):
    """Its runtime is that of a binary: what is left to print is printed, and a panic is exit code 101."""
    tests = [IoTest(name=given, input=given, output=given) for given in ("0", "7", "no")]
    verdict = judged(judge, io_case(*tests, language="rust"), RUST_ENDINGS)
    messages = [test.message.partition("\n")[0] for test in verdict.tests]
    assert messages == ["", "exit code 7", "exit code 101"]
    assert "a number: ParseIntError" in verdict.tests[2].message
    assert verdict.verified


RUST_CHECKER = CheckerProgram(
    language="rust",
    code="""
fn main() {
    let files: Vec<String> = std::env::args().skip(1).map(|path| std::fs::read_to_string(path).unwrap()).collect();
    println!("{} {:?}", if files[1].trim() == files[2].trim() { "accepted" } else { "rejected" }, files);
}
""",
)


RUST_RECURSION = """
fn deep(n: u64) -> u64 {
    if n == 0 { 0 } else { deep(n - 1) + std::hint::black_box(n) }
}

fn main() {
    println!("{}", deep(u64::MAX));
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("#![forbid(unsafe_code)]\nfn main() {\n    println!(\"5\")\n}\n#[derive(Debug)]\nstruct Last;", ""),
        ("fn main() -> Result<(), String> {\n    Err(\"why\".into())\n}\n", 'exit code 1\nError: "why"'),
        ("fn main() -> ! {\n    std::process::abort()\n}\n", "ended by a signal: aborted"),
        (RUST_RECURSION, "ended by a signal: segmentation fault (or a stack that overflowed)"),
        ("unsafe extern \"C\" { fn _exit(code: i32) -> !; }\nfn main() {\n    unsafe { _exit(0) }\n}\n",
         "rejected by the checker: [\"4\", \"\", \"5\"]"),
        ("fn start() {}\n", "`main` function not found in crate `sample`"),
    ],
)  # fmt: skip
def test_whatever_a_rust_program_does_its_output_decides(judge, code, message):
    case = io_case(
        IoTest(name="a", input="4", output="5"), language="rust", checker="program", checker_program=RUST_CHECKER
    )
    verdict = judged(judge, case, code)
    assert verdict.tests[0].message.partition("\nthread")[0].partition("\n\n")[0] == message
    assert verdict.verified


COUNTING = {
    "python": """
import sys

size, first = 0, sys.stdin.buffer.readline(10)
while chunk := sys.stdin.buffer.read(1 << 16):
    size += len(chunk)
print(size + len(first), 0.5)
""",
    "rust": """
use std::io::Read;

fn main() {
    let (mut size, mut chunk) = (0, [0; 1 << 16]);
    loop {
        match std::io::stdin().read(&mut chunk).unwrap() {
            0 => break,
            found => size += found,
        }
    }
    println!("{size} 0.5");
}
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("language", COUNTING)
def test_large_files_beside_the_set_are_judged_by_every_checker_without_copies_in_memory(judge, tmp_path, language):
    with (tmp_path / "large.in").open("wb") as large:
        large.truncate(100 << 20)
    (tmp_path / "small.in").write_bytes(b"12\n45")
    (tmp_path / "large.out").write_text(f"{100 << 20} 0.5\n")
    (tmp_path / "small.out").write_text("5 0.5\n")
    (tmp_path / "check.py").write_text(
        "import os, sys\n"
        "size, output = os.path.getsize(sys.argv[1]), open(sys.argv[2]).read()\n"
        "is_right = output == open(sys.argv[3]).read() == f'{size} 0.5\\n'\n"
        "print('accepted' if is_right else 'rejected')\n"
    )
    cases = "".join(
        _case_with_files(language, each) for each in ("exact", "tokens", "floats", "unordered_lines", "program")
    )
    path = tmp_path / "set.toml"
    path.write_text(f'[eval_set]\nid = "files"\nname = "Files"\n{cases}')
    [eval_set] = evalset.load(path, plugins.names("toolchains"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for case in eval_set.cases:
        right = judged(judge, case, COUNTING[language])
        assert {test.status for test in right.tests} == {"passed"}, (case.id, right.tests)
        wrong = judged(judge, case, COUNTING[language].replace("0.5", "0.6"))
        assert {test.status for test in wrong.tests} == {"failed"}, (case.id, wrong.tests)

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 << 10


def _case_with_files(language: str, checker: str) -> str:
    large = '[[cases.io.tests]]\ninput_file = "large.in"\noutput_file = "large.out"\n' if checker == "exact" else ""
    program = '[cases.io.checker_program]\nlanguage = "python"\nfile = "check.py"\n' if checker == "program" else ""
    return (
        f'[[cases]]\nid = "{checker}"\nname = "-"\nlanguage = "{language}"\nprompt = "-"\ntimeout_secs = 10\n'
        f'[cases.io]\nchecker = "{checker}"\n{program}{large}'
        '[[cases.io.tests]]\ninput_file = "small.in"\noutput_file = "small.out"\n'
    )
