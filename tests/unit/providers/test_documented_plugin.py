"""The provider in docs/plugins.md, installed and used as it stands there, and the settings in docs/providers.md."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from forgetest import config, plugins

DOCS = Path(__file__).parents[3] / "docs"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def python_file(name: str) -> str:
    """Return the block of docs/plugins.md whose first line names the file."""
    (code,) = (block for block in blocks("plugins.md", "python") if block.startswith(f"# {name}\n"))
    return code


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages with the documented distribution in it."""
    (description,) = (block for block in blocks("plugins.md", "toml") if "forgetest-canned" in block)
    project = tomllib.loads(description)["project"]
    (points,) = project["entry-points"].items()
    described = tmp_path / "forgetest_canned-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n")
    lines = [f"{name} = {target}" for name, target in points[1].items()]
    (described / "entry_points.txt").write_text("\n".join([f"[{points[0]}]", *lines, ""]))
    (tmp_path / "forgetest_canned.py").write_text(python_file("forgetest_canned.py"))
    return tmp_path


def run(site: Path, script: str) -> str:
    opening = (
        "from forgetest import plugins\n"
        "from forgetest.errors import ProviderError, UserError\n"
        "from forgetest.sample import Request\n"
        "create = plugins.find('providers', 'canned')\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", opening + script],
        env={"PYTHONPATH": str(site)},
        cwd=site,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout


def test_the_documented_provider_is_found_by_its_entry_point_and_answers(site: Path) -> None:
    (site / "answers").mkdir()
    (site / "answers" / "hello.md").write_text("fn main() {}")
    script = """
provider = create({})
print([model.id for model in provider.models()])
print(provider.generate(Request(model="hello", system="", prompt="Hi")).text)
try:
    provider.generate(Request(model="nobody", system="", prompt="Hi"))
except ProviderError as error:
    print(error, error.final)
"""
    assert run(site, script) == "['hello']\nfn main() {}\ncanned has no model \"nobody\" True\n"


def test_it_passes_the_contract_suite_as_documented(site: Path) -> None:
    (site / "test_canned.py").write_text(python_file("tests/test_canned.py"))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", site, "test_canned.py"]
    done = subprocess.run(command, env={"PYTHONPATH": str(site)}, cwd=site, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "8 passed" in done.stdout


def test_wrong_settings_are_reported_to_the_user(site: Path) -> None:
    script = "try:\n    create({'folder': 'nowhere'})\nexcept UserError as error:\n    print(error)\n"
    assert "nowhere: no such folder" in run(site, script)


def test_the_documented_settings_are_accepted(tmp_path: Path) -> None:
    settings, prices = (block for block in blocks("providers.md", "toml") if "[providers." in block)
    (tmp_path / "forgetest.toml").write_text(f"{settings}\n{prices}")
    loaded = config.load(tmp_path, {"ANTHROPIC_API_KEY": "none"})
    assert {name: loaded.provider(name)[0] for name in loaded.providers} == {
        "anthropic": "anthropic",
        "openai": "openai",
        "workstation": "openai",
    }
    for name in loaded.providers:
        kind, table = loaded.provider(name)
        pytest.importorskip(kind)
        assert plugins.find("providers", kind)({"api_key": "none", **table}).concurrency >= 1
