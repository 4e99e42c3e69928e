"""Verification of small projects in six languages: passing, failing, not buildable, and with dependencies."""

from __future__ import annotations

import re
import shutil

import pytest

from forgetest import config
from nerv.verification import sandboxed
from verified_languages import SAMPLES, Sample
from verified_projects import verify_project

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.timeout(1800),
]


@pytest.fixture(params=sorted(SAMPLES))
def sample(request) -> Sample:
    found = SAMPLES[request.param]
    for tool in found.tools:
        if shutil.which(tool, path=config.host_environment()["PATH"]) is None:
            pytest.skip(f"{tool} is not installed")
    return found


def test_a_change_that_keeps_the_tests_is_verified_by_the_test_that_needs_it(tmp_path, sample):
    found = verify_project(tmp_path / "r", sample.base, sample.good)
    assert found.verified is True, found
    assert found.shown == ((sample.shown,) if sample.shown else ())


def test_a_change_that_breaks_a_test_is_not(tmp_path, sample):
    found = verify_project(tmp_path / "r", sample.base, sample.bad)
    assert (found.verified, found.broken) == (False, (sample.broken,)), found


def test_a_change_that_does_not_build_is_told_with_the_compiler_s_reason(tmp_path, sample):
    if sample.unbuildable is None:
        pytest.skip("this runner cannot tell a failed build from a failed test")
    found = verify_project(tmp_path / "r", sample.base, sample.unbuildable)
    assert (found.verified, found.builds) == (False, False), found
    assert sample.reason in found.vetoes[0]


_JS_CALC = {"calc.js": "module.exports = { add: (a, b) => a + b };\n"}
_JS_TEST = 'const { add } = require("./calc.js");\n\ntest("adds", () => expect(add(1, 2)).toBe(3));\n'
NEEDING = {
    "python": (
        "pip",
        {
            "pyproject.toml": '[project]\nname = "calc"\nversion = "1"\ndependencies = ["iniconfig>=2"]\n',
            "calc.py": "import iniconfig\n\n\ndef add(a, b):\n    return a + b\n",
            "test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
        },
    ),
    "rust": (
        "rustc",
        {
            "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\n\n[dependencies]\nitoa = "1"\n',
            "src/lib.rs": "pub fn text(a: i64) -> String {\n    itoa::Buffer::new().format(a).to_string()\n}\n",
            "tests/text.rs": '#[test]\nfn text() {\n    assert_eq!(calc::text(12), "12");\n}\n',
        },
    ),
    "go": (
        "go",
        {
            "go.mod": "module calc\n\ngo 1.20\n\nrequire golang.org/x/exp v0.0.0-20240103183307-be819d1f06fc\n",
            "calc.go": (
                'package calc\n\nimport "golang.org/x/exp/constraints"\n\n'
                "func Add[T constraints.Integer](a, b T) T { return a + b }\n"
            ),
            "calc_test.go": (
                'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n'
                "\tif Add(1, 2) != 3 {\n\t\tt.Fatal()\n\t}\n}\n"
            ),
        },
    ),
    "jest": (
        "npm",
        {
            "package.json": '{"name": "calc", "scripts": {"test": "jest"}, "devDependencies": {"jest": "^29.7.0"}}\n',
            **_JS_CALC,
            "calc.test.js": _JS_TEST,
        },
    ),
    "vitest": (
        "npm",
        {
            "package.json": '{"scripts": {"test": "vitest"}, "devDependencies": {"vitest": "^2.0.0"}}\n',
            "calc.ts": "export const add = (a: number, b: number): number => a + b;\n",
            "calc.test.ts": (
                'import { expect, test } from "vitest";\nimport { add } from "./calc";\n\n'
                'test("adds", () => expect(add(1, 2)).toBe(3));\n'
            ),
        },
    ),
    "mocha": (
        "npm",
        {
            "package.json": '{"name": "calc", "scripts": {"test": "mocha"}, "devDependencies": {"mocha": "^10.0.0"}}\n',
            **_JS_CALC,
            "test/calc.js": (
                'const assert = require("assert");\nconst { add } = require("../calc.js");\n\n'
                'it("adds", () => assert.equal(add(1, 2), 3));\n'
            ),
        },
    ),
    "java": (
        "mvn",
        {
            "build.gradle": (
                "dependencies {\n    implementation 'org.apache.commons:commons-lang3:3.14.0'\n"
                "    testImplementation 'junit:junit:4.13.2'\n}\n"
            ),
            "src/main/java/Calc.java": (
                "public class Calc {\n    public static String twice(String text) {\n"
                "        return org.apache.commons.lang3.StringUtils.repeat(text, 2);\n    }\n}\n"
            ),
            "src/test/java/CalcTest.java": (
                "import static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\npublic class CalcTest {\n"
                '    @Test\n    public void twice() {\n        assertEquals("aa", Calc.twice("a"));\n    }\n}\n'
            ),
        },
    ),
}


@pytest.mark.parametrize("name", sorted(NEEDING))
def test_dependencies_are_prepared_before_the_offline_run(tmp_path, name):
    tool, base = NEEDING[name]
    if shutil.which(tool, path=config.host_environment()["PATH"]) is None:
        pytest.skip(f"{tool} is not installed")
    found = verify_project(tmp_path / "r", base, {})
    problems = [suite.problem for suite in found.suites if suite.problem]
    if problems and all(re.search("could not be (installed|fetched)|mod download", each) for each in problems):
        assert (found.verified, found.vetoes) == (None, ())  # no network: that is not the run's failure
        pytest.skip(problems[0])
    assert found.verified is True, found
    assert [suite.count("passed") for suite in found.suites] == [1, 1]


@pytest.mark.skipif(shutil.which("rustc", path=config.host_environment()["PATH"]) is None, reason="rustc is missing")
def test_a_weakened_test_in_a_source_file_of_rust_is_replaced_by_the_base_s(tmp_path):
    base = SAMPLES["rust"].base
    weakened = base["src/lib.rs"].replace("a + b", "a + b + 1").replace("add(1, 2), 3", "add(1, 2), 4")
    found = verify_project(tmp_path / "r", base, {"src/lib.rs": weakened})
    assert found.broken == ("src/lib::tests::adds", "tests/whole::zero")
    assert found.rewritten == ("src/lib::tests::adds",)


_GO_SERVER_TEST = """\
package calc

import (
\t"io"
\t"net/http"
\t"net/http/httptest"
\t"testing"
)

func TestServes(t *testing.T) {
\tserver := httptest.NewServer(http.HandlerFunc(Answer))
\tdefer server.Close()
\tanswer, err := http.Get(server.URL)
\tif err != nil {
\t\tt.Fatal(err)
\t}
\tif text, _ := io.ReadAll(answer.Body); string(text) != "3" {
\t\tt.Fatal(string(text))
\t}
}
"""
_RUST_SERVER_TEST = """\
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

#[test]
fn serves() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    std::thread::spawn(move || server.accept().unwrap().0.write_all(calc::answer().as_bytes()).unwrap());
    let mut text = String::new();
    TcpStream::connect(address).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "3");
}
"""
_PYTHON_SERVER = """\
from http.server import BaseHTTPRequestHandler


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"3")
"""
_PYTHON_SERVER_TEST = """\
import threading
import urllib.request
from http.server import HTTPServer

from calc import Answer


def test_serves():
    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert urllib.request.urlopen(f"http://localhost:{server.server_port}/").read() == b"3"
        server.shutdown()
"""
_NODE_SERVER_TEST = """\
const assert = require("node:assert");
const { createServer } = require("node:http");
const test = require("node:test");
const { answer } = require("./calc.js");

test("serves", async () => {
  const server = createServer((request, response) => response.end(answer()));
  await new Promise((listening) => server.listen(0, listening));
  const response = await fetch(`http://localhost:${server.address().port}/`);
  assert.equal(await response.text(), "3");
  server.close();
});
"""
SERVERS = {
    "python": ("python3", {"calc.py": _PYTHON_SERVER, "test_calc.py": _PYTHON_SERVER_TEST}, "calc.py"),
    "node": (
        "npm",
        {
            "package.json": '{"scripts": {"test": "node --test"}}\n',
            "calc.js": 'module.exports = { answer: () => "3" };\n',
            "calc.test.js": _NODE_SERVER_TEST,
        },
        "calc.js",
    ),
    "go": (
        "go",
        {
            "go.mod": "module calc\n\ngo 1.20\n",
            "calc.go": (
                'package calc\n\nimport "net/http"\n\n'
                'func Answer(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("3")) }\n'
            ),
            "calc_test.go": _GO_SERVER_TEST,
        },
        "calc.go",
    ),
    "rust": (
        "rustc",
        {
            "Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\n',
            "src/lib.rs": 'pub fn answer() -> &\'static str {\n    "3"\n}\n',
            "tests/serves.rs": _RUST_SERVER_TEST,
        },
        "src/lib.rs",
    ),
}


@pytest.mark.parametrize("language", sorted(SERVERS))
def test_tests_talk_to_servers_that_they_start(tmp_path, language):
    tool, base, code = SERVERS[language]
    if shutil.which(tool, path=config.host_environment()["PATH"]) is None:
        pytest.skip(f"{tool} is not installed")
    found = verify_project(tmp_path / "same", base, {"README.md": "Adds.\n"})
    assert (found.verified, found.suites[1].count("passed")) == (True, 1), found
    found = verify_project(tmp_path / "wrong", base, {code: base[code].replace("3", "4")})
    assert (found.verified, len(found.broken)) == (False, 1), found


def test_a_failed_test_that_leaves_its_server_behind_is_reported_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(sandboxed, "_IDLE_S", 5)
    test = """\
import threading
from http.server import HTTPServer

from calc import Answer, answer


def test_serves():
    server = HTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever).start()
    assert answer() == 3
    server.shutdown()
"""
    base = {"calc.py": f"{_PYTHON_SERVER}\n\ndef answer():\n    return 3\n", "test_calc.py": test}
    found = verify_project(tmp_path / "r", base, {"calc.py": base["calc.py"].replace("return 3", "return 4")})
    assert (found.verified, found.broken) == (False, ("test_calc.py::test_serves",)), found


def test_lints_that_a_crate_makes_errors_do_not_keep_its_tests_from_running(tmp_path):
    if shutil.which("rustc", path=config.host_environment()["PATH"]) is None:
        pytest.skip("Rust is not installed")
    code = "#![deny(warnings)]\n\n#[cfg(old_name)]\nfn old() {}\n\npub fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\n"
    test = "#[test]\nfn adds() {\n    assert_eq!(calc::add(1, 2), 3);\n}\n"
    base = {"Cargo.toml": '[package]\nname = "calc"\nversion = "0.1.0"\n', "src/lib.rs": code, "tests/adds.rs": test}
    found = verify_project(tmp_path / "same", base, {"README.md": "Adds.\n"})
    assert (found.verified, found.suites[1].count("passed")) == (True, 1), found
    found = verify_project(tmp_path / "wrong", base, {"src/lib.rs": code.replace("a + b", "a + c")})
    assert (found.verified, found.builds) == (False, False), found
