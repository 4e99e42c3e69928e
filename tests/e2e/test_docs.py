"""The docs agree with the commands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from workbench import forgetest_here

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_commands_has_the_text_that_help_prints():
    script = "import runpy; print(runpy.run_path('scripts/write-docs')['commands_page'](), end='')"
    written = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == written.stdout, "run scripts/write-docs"


def test_the_published_schemas_are_those_that_the_command_prints():
    files = {file.name.removesuffix(".schema.json"): file for file in ROOT.glob("docs/schemas/*.json")}
    assert set(files) == {"report", "comparison", "eval-set", "audit"}
    for name, file in files.items():
        printed = forgetest_here("schema", name, cwd=ROOT).stdout
        assert file.read_text(encoding="utf-8") == printed, "run scripts/write-docs"


def test_every_link_in_the_docs_leads_somewhere():
    links = [
        (page, target)
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
        if "://" not in target
    ]
    assert links
    assert [f"{page.name}: {target}" for page, target in links if not (page.parent / target).exists()] == []


PLUGINS = ROOT / "docs" / "plugins.md"
PAGES = [
    ROOT / "README.md",
    *sorted(page for page in [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/rewards/*.md")] if page != PLUGINS),
]
EXAMPLES = {
    "forgetest_lua": ("lua-toolchain", "[forgetest.toolchains]\nlua = forgetest_lua\n"),
    "forgetest_process_executor": ("process-executor", ""),
}
"""Packages of examples/ that plugins.md shows the tests of: folder and entry points."""


def python_blocks(page: Path) -> list[tuple[int, str]]:
    """The Python blocks of a page, each with its line. A fence inside of a block's string does not end it."""
    blocks: list[tuple[int, str]] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        if lines[number] == "```python":
            first = number + 1
            end = next(
                end
                for end in range(first, len(lines))
                if lines[end] == "```" and is_complete("\n".join(lines[first:end]))
            )
            blocks.append((first + 1, "\n".join(lines[first:end]) + "\n"))
            number = end
        number += 1
    return blocks


def is_complete(code: str) -> bool:
    try:
        compile(code, "block", "exec")
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=lambda page: page.name)
def test_every_python_block_of_a_page_runs(page: Path, tmp_path: Path):
    """The blocks of a page run one after the other in one process, as a reader would type them."""
    padded = "".join(
        f"exec(compile('\\n' * {line - 1} + {code!r}, {page.name!r}, 'exec'))\n" for line, code in python_blocks(page)
    )
    ran = subprocess.run([sys.executable, "-c", padded], capture_output=True, text=True, cwd=tmp_path, timeout=600)
    assert ran.returncode == 0, ran.stderr


def is_file(code: str) -> bool:
    """Return whether a block is a file: then its first line is a comment with the path."""
    return bool(re.match(r"# \S+\.py\n", code))


def test_every_python_block_of_the_page_on_plugins_that_is_not_a_file_runs():
    blocks = [code for _, code in python_blocks(PLUGINS) if not is_file(code)]
    assert blocks
    for code in blocks:
        exec(compile(code, PLUGINS.name, "exec"), {})


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("lua5.4") and shutil.which("bwrap")),
    reason="lua5.4 or bwrap is not installed: run scripts/setup --dev",
)
def test_the_plugins_of_the_page_pass_the_tests_of_the_page(tmp_path: Path):
    for _, code in python_blocks(PLUGINS):
        if is_file(code):
            file = tmp_path / code.split()[1]
            file.parent.mkdir(exist_ok=True)
            file.write_text(code)
    tests = sorted(file.name for file in (tmp_path / "tests").iterdir())
    for package, (folder, entry_points) in EXAMPLES.items():
        shutil.copytree(ROOT / "examples" / folder / "src" / package, tmp_path / package)
        metadata = tmp_path / f"{package}-1.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        (metadata / "entry_points.txt").write_text(entry_points)

    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", "tests"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=900)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    passed = {line.split("/")[1].split("::")[0] for line in ran.stdout.splitlines() if line.startswith("PASSED tests/")}
    assert sorted(passed) == tests, ran.stdout
