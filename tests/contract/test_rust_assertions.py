"""The trusted tests' assertions: the messages of std's, the same type inference, and choices at sites."""

from __future__ import annotations

import subprocess
from importlib import resources
from pathlib import Path

import pytest

ASSERTIONS = [
    "assert_eq!(1 + 1, 3)",
    "assert_eq!(1 + 1, 3,)",
    'assert_eq!("a".to_owned(), "b", "with {} and {x}", 1)',
    "assert_eq!(vec![1.5], [2.5])",
    "assert_eq!(Some('a'), None)",
    "assert_ne!(x, 7)",
    'assert_ne!(x, 7, "seven is {x:?}")',
    "assert!(x\n == 8)",
    "assert!(!(x == 7),)",
    'assert!(false, "no {x}")',
    'assert!(matches!(Some(x), Some(1 | 2)), "{}", x)',
    "assert!([x].contains(&8))",
    "assert!([1, 2].iter().any(|y| *y == x))",
    'assert!("{}".is_empty())',
    "debug_assert!(x == 8)",
    "debug_assert_eq!(x, 8)",
    "debug_assert_ne!(x, 7)",
]
INFERRED = [
    "assert_eq!(1u8, PICK(0, &[1, 2]));",
    "assert_eq!(-1i8, PICK(0, &[-1, -2]));",
    "assert_eq!(255u8, PICK(0, &[255, 254]));",
    "assert_eq!(i64::MIN, PICK(0, &[-9223372036854775808, -9223372036854775807]));",
    "assert_eq!(2.5f32, PICK(0, &[2.5, 3.5]));",
    'assert_eq!(String::from("a"), PICK(0, &["a", "b"]));',
    'assert_eq!(&String::from("a"), PICK(0, &["a", "b"]));',
    'assert_eq!("a".to_owned(), *PICK(0, &["a", "b"]));',
    "assert_eq!(vec![1u16, 2], [PICK(0, &[1, 0]), 2]);",
    "assert_eq!(vec![1u16, 2], vec![1, PICK(0, &[2, 3])]);",
    "assert_eq!([1usize, 2][..], [1, PICK(0, &[2, 3])]);",
    "assert_eq!(Some(&1u64), Some(&PICK(0, &[1, 0])));",
    "assert_eq!(Some(&[1u64, 2][..]), Some(&[1, PICK(0, &[2, 3])][..]));",
    "assert_eq!(Ok::<u8, String>(3), Ok(PICK(0, &[3, 2])));",
    'assert_eq!(Err::<u8, String>("no".into()), Err(PICK(0, &["no", "mo"]).to_string()));',
    'assert_eq!(std::borrow::Cow::from("a"), PICK(0, &["a", "b"]));',
    'assert_eq!(b"ab".to_vec(), PICK(0, &[b"ab", b"aa"]));',
    "assert_eq!('a', PICK(0, &['a', 'b']));",
    "assert_eq!(1u8 as char, PICK(0, &['\\u{1}', '\\0']));",
    "assert_eq!(true, PICK(0, &[true, false]));",
    "assert_eq!((1u8, -2i64), (1, PICK(0, &[-2, -1])));",
    'assert_eq!(HashMap::from([("a".to_string(), 1u8)]), HashMap::from([(PICK(0, &["a", "b"]).to_string(), 1)]));',
    "assert!((0.1f64 + 0.2 - PICK(0, &[0.3, 1.3])).abs() < 1e-9);",
    "assert!(7u32.pow(2) == PICK(0, &[49, 48]));",
    "assert_eq!(2i32.pow(3), PICK(0, &[2i32, 3]).pow(3));",
    "assert_eq!(3.to_string(), PICK(0, &[3, 2]).to_string());",
    'assert_eq!(vec!["a"; 2], vec![PICK(0, &["a", "b"]); 2]);',
]
HEAD = """#![allow(warnings)]
use std::collections::HashMap;
fn show(message: &str) -> ! { println!("{}", message.replace('\\n', "|")); std::process::exit(0) }
fn main() {
    let number: usize = std::env::args().nth(1).unwrap().parse().unwrap();
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the carrier library."""
    folder = tmp_path_factory.mktemp("carrier")
    source = resources.files("forgetest.toolchains.rust") / "native" / "carrier.rs"
    (folder / "carrier.rs").write_bytes(source.read_bytes())
    compile_(folder / "carrier.rs", "--crate-type=rlib")
    return folder


def compile_(file: Path, *options: str) -> None:
    subprocess.run(["rustc", "--edition=2021", f"--out-dir={file.parent}", *options, str(file)], check=True)


def run(program: Path, number: int) -> str:
    done = subprocess.run([str(program), str(number)], capture_output=True, text=True, check=False)
    return done.stdout or done.stderr.partition("\nnote:")[0].strip().partition("\n")[2]


def test_failures_read_as_those_of_std(folder: Path):
    # the two programs differ in the path of the macros only, and the lines of the assertions are the same
    arms = "".join(f"        {number} => {{\nPATH{text}; }}\n" for number, text in enumerate(ASSERTIONS))
    body = f"    let x = 7;\n    match number {{\n{arms}        _ => {{}}\n    }}\n}}\n"
    hook = "std::panic::set_hook(Box::new(|info| show(&info.to_string())));\n"
    begin = "carrier::begin(&[], show);\n"
    for name, start, path in (("expected", hook, "std::    "), ("ours____", begin, "carrier::")):
        (folder / f"{name}.rs").write_text(HEAD + start + body.replace("PATH", path))
        compile_(folder / f"{name}.rs", f"-L{folder}", "--extern=carrier")
    for number, assertion in enumerate(ASSERTIONS):
        expected, ours = run(folder / "expected", number), run(folder / "ours____", number)
        assert ours.replace("ours____", "expected") == expected != "", assertion


def test_a_picked_literal_has_the_type_that_it_has_alone(folder: Path):
    arms = "".join(
        f"        {number} => {{ {text.replace('PICK', 'carrier::pick').replace('assert', 'carrier::assert', 1)} }}\n"
        for number, text in enumerate(INFERRED)
    )
    for name, choices in (("first", 0), ("second", 1)):
        start = f"carrier::begin(&[{choices}], show);\n"
        (folder / f"{name}.rs").write_text(f"{HEAD}{start}    match number {{\n{arms}        _ => {{}}\n    }}\n}}\n")
        compile_(folder / f"{name}.rs", f"-L{folder}", "--extern=carrier")
    for number, assertion in enumerate(INFERRED):
        assert run(folder / "first", number) == "", assertion
        assert "assertion" in run(folder / "second", number), assertion


def test_sites_of_truth_and_of_the_end_fail_by_choice(folder: Path):
    arms = """
        0 => { carrier::assert!(@0, true; number == 0); }
        1 => { carrier::assert!(@1, false; number == 1, "why {}", 5); }
        2 => { carrier::assert_ne!(@2, true; number, 7); }
        3 => { carrier::end(3, false); }
        4 => { carrier::end(4, true); }
        _ => {}
"""
    # only the last bit of a byte counts
    wanted = {"right": [2, 1, 0, 254, 255], "wrong": [1, 2, 3, 255, 254]}
    for name, choices in wanted.items():
        start = f"carrier::begin(&{choices}, show);\n"
        (folder / f"{name}.rs").write_text(f"{HEAD}{start}    match number {{{arms}    }}\n}}\n")
        compile_(folder / f"{name}.rs", f"-L{folder}", "--extern=carrier")
    assert [run(folder / "right", number) for number in range(5)] == [""] * 5
    told = [run(folder / "wrong", number).partition("|")[2].strip() for number in range(5)]
    assert told == [
        "assertion failed: number == 0",
        "why 5",
        "assertion `left != right` failed|  left: 2| right: 7",
        "the test reached its end",
        "the test reached its end",
    ]


def test_a_choice_picks_one_of_several_values(folder: Path):
    arms = """
        0 => show(&carrier::pick(0, &[5, 6, 7, 8, 9, 10, 11, 12]).to_string()),
        1 => show(&carrier::pick(1, &["a", "bc", ""]).to_string()),
        2 => show(&carrier::pick_owned(2, [Kind::One, Kind::Two("t".into()), Kind::Three]).name()),
        _ => show("no choice: the first"),
"""
    kind = """enum Kind { One, Two(String), Three }
impl Kind { fn name(self) -> String { match self { Kind::One => "1".into(), Kind::Two(n) => n, _ => "3".into() } } }
"""
    start = "carrier::begin(&[250, 4, 7], show);\n"
    head = HEAD.replace("fn main", f"{kind}fn main")
    (folder / "several.rs").write_text(f"{head}{start}    match number {{{arms}    }}\n}}\n")
    compile_(folder / "several.rs", f"-L{folder}", "--extern=carrier")
    assert [run(folder / "several", number).strip() for number in range(3)] == ["7", "bc", "t"]


def test_an_assertion_takes_a_bool_and_nothing_else(folder: Path):
    (folder / "liar.rs").write_text(
        "struct Liar; impl std::ops::Not for Liar { type Output = bool; fn not(self) -> bool { false } }\n"
        "fn main() { carrier::assert!(Liar); }\n"
    )
    done = subprocess.run(
        ["rustc", "--edition=2021", f"-L{folder}", "--extern=carrier", "-o/dev/null", str(folder / "liar.rs")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "mismatched types" in done.stderr


def test_assertions_panic_where_the_tests_catch_panics(folder: Path):
    (folder / "catching.rs").write_text(
        HEAD + "carrier::begin(&[], show); carrier::let_assertions_panic();\n"
        'let caught = std::panic::catch_unwind(|| carrier::assert!(number == 1, "no {}", 1)).unwrap_err();\n'
        'println!("caught {}", caught.downcast_ref::<String>().unwrap()); }\n'
    )
    compile_(folder / "catching.rs", f"-L{folder}", "--extern=carrier")
    assert run(folder / "catching", 0) == "caught no 1\n"
