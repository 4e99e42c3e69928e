"""The docs agree with the commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_commands_has_the_text_that_help_prints():
    script = "import runpy; print(runpy.run_path('scripts/write-docs')['commands_page'](), end='')"
    written = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == written.stdout, "run scripts/write-docs"


def test_the_published_schemas_are_those_that_the_command_prints():
    files = {file.name.removesuffix(".schema.json"): file for file in ROOT.glob("docs/schemas/*.json")}
    assert set(files) == {"report", "comparison", "eval-set"}
    for name, file in files.items():
        words = [sys.executable, "-m", "forgetest", "schema", name]
        printed = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT).stdout
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


PAGES = [page for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))] if page.name != "plugins.md"]
"""The pages whose Python is run. The blocks of plugins.md are files of packages that do not exist."""


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
