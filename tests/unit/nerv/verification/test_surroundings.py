"""Other surroundings for a test run."""

from __future__ import annotations

import pytest

from nerv.verification.ecosystems import TestCommand
from nerv.verification.surroundings import HIDE_RUNNER, looks_around, names_marks, switched, unwatched, variables_read


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ('if os.environ.get("CI"):', {"CI"}),
        ('os.environ["SLOW"]', {"SLOW"}),
        ("if 'NIGHTLY' not in os.environ:", {"NIGHTLY"}),
        ('"NIGHTLY" not in __import__("os").environ', {"NIGHTLY"}),
        ('if os.Getenv("EDGE") == "" {', {"EDGE"}),
        ('std::env::var("FULL").is_err()', {"FULL"}),
        ('env::var_os("FULL")', {"FULL"}),
        ("process.env.E2E", {"E2E"}),
        ("process.env['E2E']", {"E2E"}),
        ('System.getenv("FULL")', {"FULL"}),
        ('os.environ["PATH"]', set()),
        ("environment = read()", set()),
    ],
)
def test_variables_are_found_by_their_names(line, names):
    assert variables_read([line]) == names


@pytest.mark.parametrize(
    ("line", "looks"),
    [
        ('"pytest" in sys.modules', True),
        ('std::env::var_os("CARGO_MANIFEST_DIR")', True),
        ("if strings.HasSuffix(os.Args[0], x) {", True),
        ("const mode = process.env.NODE_ENV;", True),
        ("if sys.stdout is sys.__stdout__:", True),
        ("caller = inspect.stack()[1].function", True),
        ('"pytest" in getattr(__main__, "__file__", "")', True),
        ("_, file, _, _ := runtime.Caller(1)", True),
        ("const stack = new Error().stack;", True),
        ("def environment(settings):", False),
        ("threads = threading_level(settings)", False),
        ("return modules", False),
    ],
)
def test_code_that_looks_around_is_found(line, looks):
    assert looks_around(["x = 1", line]) is looks


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ('if os.environ.get("CI"):', True),
        ('std::env::var_os("CARGO_MANIFEST_DIR")', True),
        ("any(name.startswith('PYTEST') for name in os.environ)", True),
        ("sys.exit(main(sys.argv[1:]))", True),
        ("def parse(text, environ=None):", False),
        ('os.environ.get("FEED_TIMEOUT", "10")', False),
    ],
)
def test_marks_are_found_by_their_names(line, names):
    assert names_marks([line]) is names


def test_what_is_set_is_hidden_and_what_is_not_is_set():
    changed = switched(["CI", "SLOW"]).change(TestCommand(argv=("make",), shown="make"), "make")
    assert changed.hidden == {"CI"}
    assert changed.environment == {"SLOW": "1"}


def test_a_mark_that_spec_or_tests_name_stays():
    plain, with_spec = unwatched(["Count the votes."]), unwatched(["No colours if CI is set."])
    assert "CI" in plain.hidden
    assert "CI" not in with_spec.hidden
    assert plain.hides_runner
    assert not unwatched(['root = env!("CARGO_MANIFEST_DIR")']).hides_runner
    assert not unwatched(['Command::cargo_bin("hits")']).hides_runner


@pytest.mark.parametrize(
    ("runner", "argv", "word"),
    [
        ("pytest", ("python", "-m", "pytest", "."), "hidden_runner"),
        (
            "go",
            ("/bin/sh", "-c", "exec go test -json ./..."),
            'exec go test -exec "/bin/sh /w/run_elsewhere.sh" -json ./...',
        ),
        ("node", ("sh", "node", "--test", "a.js"), "/w/hidden_runner.mjs"),
    ],
)
def test_each_runner_is_hidden_in_its_own_way(runner, argv, word):
    changed = unwatched([]).change(TestCommand(argv=argv, shown=""), runner)
    assert word in changed.argv
    assert changed.files


def test_our_own_programs_are_told_to_hide_the_runner():
    changed = unwatched([]).change(TestCommand(argv=("python", "run_cargo.py"), shown=""), "cargo")
    assert changed.environment[HIDE_RUNNER] == "1"
