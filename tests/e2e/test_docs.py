"""What the docs say is what the commands do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_commands_is_what_help_prints():
    script = "import runpy; print(runpy.run_path('scripts/write-docs')['commands_page'](), end='')"
    written = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == written.stdout, "run scripts/write-docs"


def test_the_published_schemas_are_those_of_the_command():
    for file in ROOT.glob("docs/schemas/*.json"):
        words = [sys.executable, "-m", "forgetest", "schema", file.name.removesuffix(".schema.json")]
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
