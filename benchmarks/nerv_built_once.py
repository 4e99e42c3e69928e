"""How much faster nerv's test runs are because crates and imported packages are built once.

    python benchmarks/nerv_built_once.py [--rounds N]

Verifies one small change in Rust (serde, proptest) and one in Go (net/http): four runs of a suite each. In turn: every
run builds everything, as it was before; built once, for the first time; and built before. Fetching is not measured.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from nerv.verification.ecosystems import cargo_crates, go_packages
from nerv.verification.repository import RepositorySource
from nerv.verification.verify import VerificationOptions, verify
from verified_projects import make_repository

RUST = {
    "Cargo.toml": (
        '[package]\nname = "calc"\nversion = "0.1.0"\nedition = "2021"\n\n'
        '[dependencies]\nserde = { version = "1", features = ["derive"] }\nserde_json = "1"\n\n'
        '[dev-dependencies]\nproptest = "1"\n'
    ),
    "src/lib.rs": "pub fn add(a: u32, b: u32) -> u32 {\n    a.wrapping_add(b)\n}\n",
    "tests/add.rs": (
        "use proptest::prelude::*;\n\nproptest! {\n    #[test]\n    fn commutes(a: u32, b: u32) {\n"
        "        prop_assert_eq!(calc::add(a, b), calc::add(b, a));\n    }\n}\n"
    ),
}
RUST_CHANGE = {
    "src/lib.rs": RUST["src/lib.rs"] + "\npub fn sub(a: u32, b: u32) -> u32 {\n    a.saturating_sub(b)\n}\n",
    "tests/sub.rs": "#[test]\nfn subtracts() {\n    assert_eq!(calc::sub(2, 3), 0);\n}\n",
}
GO = {
    "go.mod": "module calc\n\ngo 1.20\n",
    "calc.go": (
        'package calc\n\nimport "net/http"\n\n'
        'func Answer(w http.ResponseWriter, _ *http.Request) {\n\tw.Write([]byte("3"))\n}\n'
    ),
    "calc_test.go": (
        'package calc\n\nimport (\n\t"net/http/httptest"\n\t"testing"\n)\n\nfunc TestAnswer(t *testing.T) {\n'
        "\tr := httptest.NewRecorder()\n\tAnswer(r, nil)\n"
        '\tif r.Body.String() != "3" {\n\t\tt.Fatal()\n\t}\n}\n'
    ),
}
GO_CHANGE = {
    "calc.go": GO["calc.go"] + "\nfunc Twice(a int) int {\n\treturn 2 * a\n}\n",
    "twice_test.go": (
        'package calc\n\nimport "testing"\n\nfunc TestTwice(t *testing.T) {\n'
        "\tif Twice(2) != 4 {\n\t\tt.Fatal()\n\t}\n}\n"
    ),
}
PROJECTS = {"Rust": (RUST, RUST_CHANGE, cargo_crates, "built-crates")}
PROJECTS["Go"] = (GO, GO_CHANGE, go_packages, "built-imported-packages")


def main() -> None:
    """Measure the three in turn, and print the medians and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1)
    rounds = parser.parse_args().rounds
    print(
        "| project | every run builds | built once, first | built before | first | later |\n|---|---|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FORGETEST_CACHE"] = f"{folder}/cache"
        for name, (base, change, packages, built) in PROJECTS.items():
            source = make_repository(Path(folder, name), base, change)
            kept = Path(folder, "cache", "verification", built)
            with mock.patch.object(packages, "build_once", return_value=None):
                _seconds(source)  # proves the sandbox, fetches crates, builds the common part of the standard library
            every, first, later = [], [], []
            for _ in range(rounds):
                with mock.patch.object(packages, "build_once", return_value=None):
                    every.append(_seconds(source))
                shutil.rmtree(kept, ignore_errors=True)
                first.append(_seconds(source))
                later.append(_seconds(source))
            a, b, c = map(statistics.median, (every, first, later))
            print(f"| {name} | {a:.1f} s | {b:.1f} s | {c:.1f} s | {a / b:.1f} times | {a / c:.1f} times |", flush=True)


def _seconds(source: RepositorySource) -> float:
    """Verify, with nothing known of the base's tests."""
    shutil.rmtree(Path(os.environ["FORGETEST_CACHE"], "verification", "suites"), ignore_errors=True)
    started = time.monotonic()
    found = verify(source, VerificationOptions(), lambda _: None)
    assert found.verified is True, found
    return time.monotonic() - started


if __name__ == "__main__":
    main()
