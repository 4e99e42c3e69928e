"""Node projects: which runner, which packages, and the reports of four runners."""

from __future__ import annotations

import json

import pytest

from forgetest.verdict import Execution
from nerv.verification.ecosystems import UntrustedReport, node_packages, node_suite
from verified_projects import tree_of

CONTROL = "control_0123456789ab"


def package(script="", **more):
    return {"package.json": json.dumps({"scripts": {"test": script}, **more})}


def execution(report):
    text = report if isinstance(report, str) else json.dumps(report)
    return Execution(step="tests", ended="exited", exit_code=1, outputs={"reports/node.json": text.encode()})


@pytest.mark.parametrize(
    ("files", "runner"),
    [
        (package("node --test"), "node --test"),
        (package("jest --coverage"), "jest"),
        (package("tsc && vitest run"), "vitest"),
        (package("npm run unit", devDependencies={"mocha": "^10"}), "mocha"),
        ({**package(), "a.test.js": ""}, "node --test"),
    ],
)
def test_the_runner_is_the_one_that_the_script_names_or_the_project_requires(files, runner):
    tree = tree_of(files)
    assert node_suite.is_declared(tree)
    assert node_suite.command(tree, tree, CONTROL).shown == runner


def test_a_package_without_tests_declares_none():
    assert not node_suite.is_declared(tree_of(package("")))
    assert not node_suite.is_declared(tree_of({"package.json": "not JSON"}))


def test_the_control_is_beside_a_test_and_ends_like_it():
    tree = tree_of({**package("vitest"), "src/deep/a.spec.ts": ""})
    assert list(node_suite.command(tree, tree, CONTROL).added) == [f"src/deep/{CONTROL}.spec.ts"]


@pytest.mark.parametrize("script", ["node --test test/", "mocha test/*.js"])
def test_the_control_is_run_even_if_the_script_names_the_files(script):
    tree = tree_of({**package(script), "test/a.test.js": ""})
    command = node_suite.command(tree, tree, CONTROL)
    assert command.argv[-2:] == ("test/a.test.js", f"test/{CONTROL}.test.js")


def test_the_paths_of_the_script_are_those_that_exist():
    tree = tree_of(
        {**package("node --test 'tests/**/*.js' gone/"), "tests/a.js": "", "tests/b/c.js": "", "src/d.js": ""}
    )
    argv = node_suite.command(tree, tree, CONTROL).argv
    named = [word for word in argv if word.endswith(".js") and CONTROL not in word]
    assert named == ["tests/a.js", "tests/b/c.js"]


@pytest.mark.parametrize(
    "version", ["git+ssh://evil.example/x", "file:../x", "https://evil.example/x.tgz", "github:a/b", "a/b", "npm:x@1"]
)
def test_packages_of_other_places_than_the_registry_are_noted_and_not_installed(version):
    required, notes = node_packages._required({"dependencies": {"x": version, "good": "^1.0.0 || >=2 <3"}})
    assert required == {"good": "^1.0.0 || >=2 <3"}
    assert len(notes) == 1


def test_a_lock_file_with_another_address_is_left_out():
    good = '{"packages": {"a": {"resolved": "https://registry.npmjs.org/a/-/a-1.tgz"}}}'
    bad = '{"packages": {"a": {"resolved": "http://10.0.0.1/a.tgz"}}}'
    assert node_packages._usable_lock(tree_of({"package-lock.json": good})) == good.encode()
    assert node_packages._usable_lock(tree_of({"package-lock.json": bad})) is None


def node_line(file, *names, outcome="passed", **more):
    return json.dumps(
        {"file": f"/w/project/{file}", "names": names, "outcome": outcome, "is_suite": False, **more},
        separators=(",", ":"),
    )


def test_the_report_of_node_s_own_runner():
    lines = [
        node_line("a.test.js", "outer", "inner"),
        node_line("b.test.js", "/w/project/b.test.js", outcome="failed", message="SyntaxError: x"),
        node_line("c.test.js", CONTROL, outcome="failed"),
    ]
    report = node_suite.read_report({}, execution("\n".join(lines)), CONTROL)
    assert report.outcomes == {"a.test.js > outer > inner": "passed", "b.test.js": "failed"}
    assert report.unloadable == {"b.test.js"}


def test_the_reason_and_place_are_told_if_no_file_can_be_loaded():
    printed = (
        "file:///w/project/w.js:2\nexport function x(s {\n\nSyntaxError: Unexpected token '{'\n    at compile (x)\n"
    )
    lines = [
        node_line("b.test.js", "/w/project/b.test.js", outcome="failed", message=printed),
        node_line("c.test.js", CONTROL, outcome="failed"),
    ]
    report = node_suite.read_report({}, execution("\n".join(lines)), CONTROL)
    reason = "no test file can be loaded: /w/project/w.js:2; SyntaxError: Unexpected token '{'"
    assert (report.broken_build, report.problem) == (True, reason)


@pytest.mark.parametrize(
    ("stderr", "reason"),
    [
        ("npm error code E404\nnpm error 404 Not Found - GET x\nnpm error 404\n", "404 Not Found - GET x"),
        ("npm ERR! code ETARGET\nnpm ERR! notarget No matching version\n", "notarget No matching version"),
        ("npm warn old\nnpm error code EIO\n", "code EIO"),
        ("", "npm failed; is there a network?"),
    ],
)
def test_what_npm_says_is_the_reason(stderr, reason):
    assert node_packages.npm_reason(stderr) == reason


def jest(*cases, **more):
    return {"name": "/w/project/a.test.js", "assertionResults": list(cases), "status": "passed", **more}


def case(title, status, *ancestors):
    return {"title": title, "status": status, "ancestorTitles": list(ancestors)}


def test_the_report_of_jest_and_vitest():
    unloadable = {**jest(status="failed", message="SyntaxError: y"), "name": "/w/project/b.test.js"}
    control = {**jest(case(CONTROL, "failed")), "name": f"/w/project/{CONTROL}.test.js"}
    results = [jest(case("adds", "passed", "calc"), case("later", "pending")), unloadable, control]
    report = node_suite.read_report({}, execution({"testResults": results}), CONTROL)
    assert report.outcomes == {
        "a.test.js > calc > adds": "passed",
        "a.test.js > later": "skipped",
        "b.test.js": "failed",
    }


def test_the_report_of_mocha():
    found = {
        "passes": [{"fullTitle": "calc adds", "file": "/w/project/test/a.js"}],
        "failures": [{"fullTitle": CONTROL, "file": f"/w/project/test/{CONTROL}.js"}],
        "pending": [],
    }
    assert node_suite.read_report({}, execution(found), CONTROL).outcomes == {"test/a.js > calc adds": "passed"}


def test_a_report_without_the_control_s_failure_is_forged():
    with pytest.raises(UntrustedReport):
        node_suite.read_report({}, execution({"testResults": [jest(case("adds", "passed"))]}), CONTROL)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"testResults": [{"name": 1}]}', '{"file":1}'])
def test_what_is_no_report_is_a_problem(text):
    assert node_suite.read_report({}, execution(text), CONTROL).problem
