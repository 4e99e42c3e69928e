"""Hostile neighbours: samples that try to change the verdicts of those that are judged with them.

In groups of sixteen, as the engine forms them, with a verdict cache; and below the lexer, as if it had been deceived.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from company import WRONG, Table, numbered
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.judging.submissions import CachedVerdicts, Submission, Submissions
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import glue
from forgetest.toolchains.rust.integrity import object_file
from forgetest.toolchains.rust.sharing import code_map, shared_judging
from forgetest.toolchains.rust.sharing.shared_judging import SharedSample
from forgetest.verdict import Verdict
from grading import TRIPLE, cases_with, judge_with, one_test

SHOUT = one_test('assert_eq!(shout("abc"), "ABC!");', "fn shout(text: &str) -> String")
LOUD = 'pub fn shout(text: &str) -> String { text.to_uppercase() + "!" }\n'
QUIET = 'pub fn shout(text: &str) -> String { text.to_uppercase() + "?" }\n'

RETURNS_ONE = {"x86_64": ("mov eax, 1", "ret"), "aarch64": ("mov w0, #1", "ret")}
RETURNS_ZERO = {"x86_64": ("xor eax, eax", "ret"), "aarch64": ("mov w0, #0", "ret")}
MACHINE = platform.machine()


USED = 'pub fn shout(text: &str) -> String { std::hint::black_box(own as usize); text.to_uppercase() + "!" }\n'
"""Refers to its own machine code: what nothing refers to is not in the object."""


def naked(*lines: str) -> str:
    """A right sample with machine code of its own."""
    quoted = ", ".join(f'"{line}"' for line in lines)
    return f'{USED}#[unsafe(naked)]\nextern "C" fn own() {{ core::arch::naked_asm!({quoted}) }}\n'


def own_memcmp(instructions: Sequence[str]) -> str:
    """A right sample with a `memcmp` of its own, which the linker would take for everybody's."""
    return naked(".globl memcmp", ".hidden memcmp", "memcmp:", *instructions)


def behind_a_shebang(code: str) -> str:
    return f"#!/*\n{code}// */\n"


def behind_an_escape(code: str) -> str:
    return "pub const HIDE: (char, char, &str) = ('\\u{4_______________1}','\"',\"/*\");\n" + code + '// */ "\n'


HIDDEN = {"in the open": str, "behind a shebang": behind_a_shebang, "behind an escape": behind_an_escape}


@dataclass
class Bench:
    """Judges groups as a run does, with a verdict cache."""

    step_runner: StepRunner
    cache: VerdictCache

    def judge(self, samples: Sequence[tuple[str, Case]]) -> tuple[dict[str, Verdict], int]:
        """The verdicts by code, and how many of them were cached."""
        verdicts = CachedVerdicts(self.cache, cases_with(self.step_runner), "bubblewrap", sharing=True)
        submissions = Submissions[str](verdicts)
        known, tasks = submissions.submit([Submission(code, case, code) for code, case in samples])
        judge = judge_with(self.step_runner, "bubblewrap")
        results = known + [settled for judged in judge.judge(tasks) for settled in submissions.settle(judged)]
        return {code: judged.verdict for code, judged in results if judged.verdict}, len(known)


@pytest.fixture
def bench(step_runner: StepRunner, tmp_path: Path) -> Iterator[Bench]:
    cache = VerdictCache(tmp_path, max_bytes=1 << 30)
    yield Bench(step_runner, cache)
    cache.close()


def passed(verdict: Verdict) -> bool:
    return all(test.status == "passed" for test in verdict.tests)


@pytest.mark.skipif(MACHINE not in RETURNS_ONE, reason="its machine code is for other machines")
@pytest.mark.parametrize("hide", HIDDEN.values(), ids=HIDDEN)
@pytest.mark.parametrize(
    ("neighbour", "instructions"), [(LOUD, RETURNS_ONE), (QUIET, RETURNS_ZERO)], ids=["poisoned", "lifted"]
)
def test_fifteen_neighbours_of_a_hostile_sample_keep_their_verdicts_and_the_cache_stays_clean(
    bench: Bench, neighbour: str, instructions: dict[str, tuple[str, ...]], hide: type[str]
) -> None:
    hostile = hide(own_memcmp(instructions[MACHINE]))
    company = [(numbered(neighbour, number), SHOUT) for number in range(15)]
    verdicts, _ = bench.judge([(hostile, SHOUT), *company])
    later, cached = bench.judge(company)

    assert [passed(verdicts[code]) for code, _ in company] == [neighbour is LOUD] * 15
    assert cached == 15
    assert [passed(later[code]) for code, _ in company] == [neighbour is LOUD] * 15
    assert not passed(verdicts[hostile]) or verdicts[hostile].integrity


@pytest.mark.skipif(MACHINE not in RETURNS_ONE, reason="its machine code is for other machines")
def test_neighbours_of_another_case_keep_their_verdicts(bench: Bench) -> None:
    hostile = behind_an_escape(own_memcmp(RETURNS_ONE[MACHINE]))
    greet = one_test('assert_eq!(greet(), ["hello", "world"]);', "fn greet() -> Vec<&'static str>")
    greetings = [numbered('pub fn greet() -> Vec<&\'static str> { vec!["hello", "world"] }\n', n) for n in range(7)]
    triples = [numbered(WRONG, number) for number in range(7)]
    verdicts, _ = bench.judge(
        [(hostile, SHOUT), *((code, greet) for code in greetings), *((code, TRIPLE) for code in triples)]
    )

    assert [passed(verdicts[code]) for code in greetings] == [True] * 7
    assert [passed(verdicts[code]) for code in triples] == [False] * 7


BELOW_THE_LEXER = {
    "machine code that replaces memcmp": own_memcmp(["ret"]),
    "machine code that replaces a function of std": naked(
        ".globl _RNvNtCsgEmfK2I1SDS_4core9panicking5panic", "_RNvNtCsgEmfK2I1SDS_4core9panicking5panic:", "ret"
    ),
    "machine code under the name of a sample": naked(".globl _RNvCs1_6sample4evil", "_RNvCs1_6sample4evil:", "ret"),
    "machine code with a label": naked("evil:", "ret"),
    "machine code in a section of its own": naked("ret", '.pushsection .evil, \\"axR\\"', "ret", ".popsection"),
    "machine code without a label": naked("ret"),
    "an exported function": LOUD + '#[unsafe(no_mangle)]\npub extern "C" fn memcmp() -> i32 { 1 }\n',
    "a constructor": LOUD + 'extern "C" fn first() {}\n#[used]\n#[unsafe(link_section = ".init_array")]\n'
    'static FIRST: extern "C" fn() = first;\n',
}


@pytest.mark.parametrize("code", BELOW_THE_LEXER.values(), ids=BELOW_THE_LEXER)
def test_an_object_with_code_of_nobody_is_not_used_even_if_the_lexer_was_deceived(
    step_runner: StepRunner, code: str
) -> None:
    table = Table(step_runner)
    case_build = table.case_build(SHOUT)
    group = [
        SharedSample(case_build=case_build, case=SHOUT, code=text, secret=case_build.secret_name(text))
        for text in (code, numbered(LOUD, 1), numbered(LOUD, 2))
    ]
    object_ = table.run(shared_judging.shared_step(group)).outputs["sample.so"]

    found = object_file.findings(object_, [glue.entry_symbol(sample.secret) for sample in group], foreign=False)
    if not found:
        with pytest.raises(code_map.UnknownCode):
            code_map.read(object_, [sample.secret for sample in group])


HEIR = """use std::os::unix::fs::MetadataExt;
pub fn triple(_: i64) -> i64 {
    std::fs::write("/tmp/mine", "").unwrap();
    std::fs::metadata("/tmp/mine").unwrap().ino() as i64
}
"""
"""The number of its own file tells how many files were made before in the same folder."""


def test_an_heir_that_counts_what_its_neighbours_did_is_judged_alone(step_runner: StepRunner) -> None:
    verdicts, _ = Table(step_runner).together(
        [(code, TRIPLE) for code in (HEIR, numbered(WRONG, 1), numbered(WRONG, 2))]
    )

    assert [verdict is None for verdict in verdicts] == [True, False, False]
