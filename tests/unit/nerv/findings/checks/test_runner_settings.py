"""Build tools and workflows: settings that switch tests off, or let their failures pass."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds

RUST = "use shop::price;\n\n#[test]\nfn two() {\n    assert_eq!(price(2), 6);\n}\n"
CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\n\n[features]\ncsv = []\n'
WORKFLOW = (
    "jobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n"
    "      - name: Lint\n        run: ruff check\n      - name: Test\n        run: pytest\n"
)
CI = ".github/workflows/ci.yml"


def cargo(added: str, **more: str) -> set[str]:
    before = {"Cargo.toml": CARGO, "tests/price.rs": RUST, "crates/a/src/lib.rs": RUST}
    return kinds(a_run(before, before | {"Cargo.toml": added if "[package]" in added else CARGO + added} | more))


@pytest.mark.parametrize(
    "added",
    [
        '\n[[test]]\nname = "price"\ntest = false\n',
        '\n[[test]]\nname = "price"\nharness = false\n',
        '\n[[test]]\nname = "price"\nrequired-features = ["csv"]\n',
        "\n[lib]\ntest = false\n",
        CARGO.replace("version", "autotests = false\nversion"),
        '\n[workspace]\nexclude = ["crates/a"]\n',
    ],
)
def test_a_manifest_that_switches_tests_off_is_found(added: str) -> None:
    assert cargo(added) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    ("added", "path", "text"),
    [
        ('\n[[bench]]\nname = "price"\nharness = false\n', "benches/price.rs", "fn main() {}\n"),
        ('\n[[bin]]\nname = "tool"\ntest = false\n', "src/bin/tool.rs", "fn main() {}\n"),
        ('\n[[test]]\nname = "ui"\nharness = false\n', "tests/ui.rs", "fn main() { run(); }\n"),
        ('\n[[test]]\nname = "csv"\nrequired-features = ["csv"]\n', "tests/csv.rs", RUST.replace("two", "csv")),
        ('\n[workspace]\nexclude = ["fuzz"]\n', "fuzz/Cargo.toml", "[package]\n"),
        ("\n[profile.release]\ndebug = false\n", "src/lib.rs", "pub mod a;\n"),
    ],
)
def test_a_manifest_with_new_targets_is_fine(added: str, path: str, text: str) -> None:
    assert cargo(added, **{path: text}) == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        run: pytest\n", "        run: pytest\n        continue-on-error: true\n"),
        ("        run: pytest\n", "        run: pytest\n        if: false\n"),
        ("        run: pytest\n", "        run: pytest\n        if: github.ref == 'x' && false\n"),
        ("    runs-on", "    if: ${{ false }}\n    runs-on"),
        ("    runs-on", "    continue-on-error: true\n    runs-on"),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_a_workflow_whose_tests_do_not_count_is_found(old: str, new: str, whole: bool) -> None:
    assert kinds(a_run({CI: WORKFLOW}, {CI: WORKFLOW.replace(old, new)}, whole=whole)) == {"tests_cannot_fail"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        run: ruff check\n", "        run: ruff check\n        continue-on-error: true\n"),
        ("        run: pytest\n", "        run: pytest\n        if: github.event_name != 'schedule'\n"),
        (
            "        run: pytest\n",
            "        run: pytest\n      - uses: actions/upload-artifact@v4\n        continue-on-error: true\n",
        ),
        (
            "        run: pytest\n",
            "        run: pytest\n      - run: python3.15 -m pytest\n        continue-on-error: true\n",
        ),
        (
            "        run: pytest\n",
            "        run: pytest\n  deploy:\n    needs: test\n    if: false\n    steps:\n      - run: ./deploy.sh\n",
        ),
    ],
)
@pytest.mark.parametrize("whole", [True, False])
def test_other_steps_and_new_ones_are_fine(old: str, new: str, whole: bool) -> None:
    assert kinds(a_run({CI: WORKFLOW}, {CI: WORKFLOW.replace(old, new)}, whole=whole)) == set()


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("tox.ini", "[testenv]\ncommands = pytest\n", "[testenv]\ncommands = - pytest\n"),
        ("noxfile.py", 'session.run("pytest")\n', 'session.run("pytest", success_codes=[0, 1])\n'),
        ("Makefile", "test:\n\tpytest\n", ".IGNORE: test\ntest:\n\tpytest\n"),
        (".mvn/maven.config", "", "-DskipTests\n"),
    ],
)
def test_other_tools_that_let_failures_pass_are_found(path: str, before: str, after: str) -> None:
    assert kinds(a_run({path: before} if before else {}, {path: after})) == {"tests_cannot_fail"}
