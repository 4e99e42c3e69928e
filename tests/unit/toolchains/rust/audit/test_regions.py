"""Regions of Rust programs, and the programs that end in them."""

from __future__ import annotations

from forgetest.evalset import Case, Expectations
from forgetest.toolchains.reaching import Region
from forgetest.toolchains.rust.audit.regions import regions

CODE = """\
const N: u8 = { 3 };
fn f(a: u8) -> Option<u8> {
    if a > N { return None; }
    let b = a.checked_add(1)?;
    match b {
        0 => None,
        1 => { g(); Some(2) }
        7 => unreachable!(),
        _ => Some(if b > 3 { 1 } else { 2 }),
    }
}
#[cfg(test)]
mod tests { fn t() { f(1); } }
"""


def of(code: str, tests: str = "") -> list[Region]:
    return regions(
        Case(
            id="c",
            name="c",
            prompt="p",
            language="rust",
            reference_solution=code,
            expectations=Expectations(test_file=tests),
        )
    )


def test_blocks_arms_and_what_follows_a_way_out_are_regions():
    assert [(each.line, each.last_line, each.is_branch, each.has_code) for each in of(CODE)] == [
        (3, 10, False, True),
        (3, 3, True, True),
        (3, 3, True, False),
        (4, 10, False, True),
        (5, 10, False, True),
        (6, 6, True, True),
        (7, 7, True, True),
        (9, 9, True, True),
        (9, 9, True, True),
        (9, 9, True, True),
    ]


def test_an_arm_keeps_its_value_so_that_types_stay_known():
    assert "0 => { panic!(); None }," in {
        line.strip() for each in of(CODE) for line in each.ending_program.splitlines()
    }


def test_the_process_ends_where_a_panic_may_be_expected():
    assert all("std::process::abort()" in each.ending_program for each in of(CODE, "#[test]\n#[should_panic]"))
