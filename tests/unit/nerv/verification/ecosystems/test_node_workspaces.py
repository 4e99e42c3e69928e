"""Scripts of package.json, and packages of one repository that need each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nerv.verification.ecosystems import Host, node_packages, node_script, node_suite, node_workspaces
from nerv.verification.ecosystems.all import find_projects
from verified_projects import execution_of, tree_of

CONTROL = "control_0123456789ab"


def package(script: str = "", **more: object) -> str:
    return json.dumps({"scripts": {"test": script}, **more})


WORKSPACE = {
    "package.json": package("npm test --workspaces", workspaces=["packages/*"], devDependencies={"vitest": "^2"}),
    "packages/core/package.json": package("vitest run", name="@mono/core", dependencies={"ms": "^2"}),
    "packages/core/core.test.ts": "",
    "packages/app/package.json": package("vitest run", name="@mono/app", dependencies={"@mono/core": "^1"}),
    "packages/app/app.test.ts": "",
}


@pytest.mark.parametrize(
    "script",
    ["npm test --workspaces", "npm run test -ws", "pnpm -r test", "yarn workspaces run test", "turbo run test"],
)
def test_the_packages_of_a_workspace_have_the_tests_that_its_root_only_starts(script):
    tree = tree_of({**WORKSPACE, "package.json": package(script, workspaces=["packages/*"])})
    assert [project.folder for project in find_projects(tree)] == ["packages/app", "packages/core"]


def test_packages_of_the_repository_are_not_asked_of_the_registry(monkeypatch):
    asked: list[dict[str, str]] = []
    monkeypatch.setattr(node_packages, "_install", lambda packages, lock, host: asked.append(packages) or Path("/x"))
    monkeypatch.setattr(node_packages.shutil, "which", lambda *_args, **_kwargs: "/usr/bin/node")
    tree = tree_of(WORKSPACE)
    (app,) = (project for project in find_projects(tree) if project.folder == "packages/app")
    prepared = app.prepare(tree, Host(cache_folder=Path("/x"), environment={}, say=lambda _: None))
    assert asked == [{"vitest": "^2", "ms": "^2"}]
    assert prepared.environment[node_packages.LOCAL_PACKAGES] == "@mono/app=packages/app @mono/core=packages/core"


def test_names_and_folders_that_a_shell_could_read_otherwise_are_no_packages():
    files = {
        "package.json": '{"workspaces": []}',
        "a b/package.json": '{"name": "a"}',
        "c/package.json": '{"name": "$(x)"}',
    }
    assert node_workspaces.packages(tree_of(files)) == {}
    assert node_workspaces.packages(tree_of({"c/package.json": '{"name": "c"}'})) == {}


def test_links_to_packages_of_the_repository_are_taken_out_of_a_lock_file():
    entries = {
        "": {"workspaces": ["packages/*"]},
        "packages/core": {"version": "1.0.0"},
        "node_modules/@mono/core": {"resolved": "packages/core", "link": True},
        "node_modules/ms": {"resolved": "https://registry.npmjs.org/ms/-/ms-2.1.3.tgz"},
    }
    lock = node_workspaces.lock_without_links(json.dumps({"lockfileVersion": 3, "packages": entries}).encode())
    assert list(json.loads(lock)["packages"]) == ["node_modules/ms"]
    assert node_workspaces.lock_without_links(b"[") == b"["


@pytest.mark.parametrize(
    ("script", "runner", "options"),
    [
        ("npm run lint && jest --config config/jest.json --coverage", "jest", ["--config", "config/jest.json"]),
        (
            "nyc mocha -r ts-node/register --recursive 'test/**/*.ts' --timeout 5000",
            "mocha",
            ["-r", "ts-node/register", "--recursive"],
        ),
        ("vitest run --root=web --coverage", "vitest", ["--root=web"]),
        ("jest", "jest", []),
    ],
)
def test_options_that_a_runner_needs_to_find_its_tests_are_kept(script, runner, options):
    tree = tree_of({"package.json": package(script)})
    assert node_script.runner_options(tree, runner) == options
    assert set(options) <= set(node_suite.command(tree, tree, CONTROL).argv)


@pytest.mark.parametrize(
    "script",
    [
        "NODE_OPTIONS=--experimental-vm-modules jest",
        "cross-env NODE_OPTIONS='--experimental-vm-modules --inspect' jest",
        "node --experimental-vm-modules node_modules/jest/bin/jest.js",
    ],
)
def test_options_of_node_itself_are_kept_as_far_as_they_change_how_code_is_loaded(script):
    assert node_script.node_options(tree_of({"package.json": package(script)}), "jest") == ["--experimental-vm-modules"]


def test_tests_that_are_compiled_first_are_compiled():
    scripts = {"build": "tsc -p tsconfig.test.json", "pretest": "npm run build", "test": "node --test dist/"}
    tree = tree_of({"package.json": json.dumps({"scripts": scripts, "devDependencies": {"typescript": "^5"}})})
    assert node_script.compiles_first(tree) == ["-p", "tsconfig.test.json"]
    assert node_script.compiles_first(tree_of({"package.json": package("rm -rf x && jest")})) is None


def test_our_test_has_the_ending_that_the_configuration_names():
    jest = {"testRegex": ".*\\\\.check\\\\.js$"}
    tree = tree_of({"package.json": package("jest", jest=jest), "checks/a.check.js": "", "src/a.js": ""})
    assert list(node_suite.command(tree, tree, CONTROL).added) == [f"checks/{CONTROL}.check.js"]


def test_an_option_that_this_node_does_not_know_is_the_machine_s_lack():
    failed = execution_of(stderr="node: bad option: --experimental-strip-types", exit_code=9)
    report = node_suite.read_report({}, failed, CONTROL)
    assert report.unavailable
    assert "--experimental-strip-types" in report.problem
