"""Whether the tests of a case see types of std alone."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.compile import signatures, testfile
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.separation import tests_see_only_std as see_only_std
from forgetest.toolchains.rust.crates import Crates
from forgetest.toolchains.rust.tools import Tools

TOOLS = Tools(version="", sysroot="", host="", linker="", mounts=(), run_libraries=())


def case_with(*entries: str, names: tuple[str, ...] = ("f",), tests: str = "assert_eq!(f(1), 2);") -> CaseBuild:
    return CaseBuild(
        tools=TOOLS,
        crates=Crates(),
        runtime="",
        test_file=testfile.rewrite(f"#[test] fn t() {{ {tests} }}", (), "case"),
        functions=tuple(signatures.function(entry, (), "case", ("Own",)) for entry in entries),
        types=(),
        names=names,
    )


@pytest.mark.parametrize(
    "entry",
    [
        "fn f(n: u64) -> u64",
        "fn f<T: Ord + Clone>(items: &[T]) -> Option<Vec<T>>",
        "fn f(text: &str) -> std::collections::HashMap<String, usize>",
        "fn f(n: u64) -> impl Iterator<Item = u64>",
        "fn f(text: &str) -> Result<u8, Box<dyn std::error::Error>>",
    ],
)
def test_functions_of_std_types_are_all_that_the_tests_see(entry: str):
    case = case_with(entry)
    assert see_only_std(case, ())
    assert not see_only_std(case, case.functions), "the sample does not have the signature"


@pytest.mark.parametrize(
    "case",
    [
        case_with("f"),
        case_with("fn f(n: u64) -> Own"),
        case_with("fn f(n: u64) -> impl PartialEq<u64>"),
        case_with("fn f(n: u64) -> u64", names=("f", "g")),
        case_with("fn f(n: u64) -> u64", names=("f", "Own")),
        case_with("fn Own::f(&self) -> u64", names=("Own",)),
        case_with("fn f(n: u64) -> u64", tests="assert_eq!(f(1).doubled(), 2);"),
        case_with("fn f(n: u64) -> u64", tests="assert_eq!(largest!(f(1), 4), 4);"),
        case_with(names=(), tests="assert_eq!(largest!(4), 4);"),
    ],
)
def test_anything_else_may_be_a_type_of_the_samples_own(case: CaseBuild):
    assert not see_only_std(case, ())
