"""A cached proof is valid for this boot and this configuration only."""

from __future__ import annotations

from pathlib import Path

import pytest

from forgetest.sandboxes import Isolation
from forgetest.sandboxes.proof import cache, prove
from forgetest.testing.fakes import FakeSandbox


class Proving(FakeSandbox):
    """Counts how often it is probed."""

    def __init__(self, *, breaches: dict[str, list[str]] | None = None, configuration: str = "one") -> None:
        super().__init__()
        self.configuration = configuration
        self.probed = 0
        self._breaches = breaches or {"network": [], "files": []}

    def probe(self) -> Isolation:
        self.probed += 1
        return Isolation(kind="fake", version="1", breaches=self._breaches)


def test_a_proof_is_used_again(tmp_path: Path):
    first, second = Proving(), Proving()
    assert prove(first, tmp_path) == prove(second, tmp_path)
    assert (first.probed, second.probed) == (1, 0)


def test_another_configuration_is_probed(tmp_path: Path):
    prove(Proving(), tmp_path)
    other = Proving(configuration="two")
    prove(other, tmp_path)
    assert other.probed == 1


def test_after_a_restart_the_sandbox_is_probed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    prove(Proving(), tmp_path)
    boot = tmp_path / "boot_id"
    boot.write_text("another")
    monkeypatch.setattr(cache, "_BOOT_ID", boot)
    sandbox = Proving()
    prove(sandbox, tmp_path)
    assert sandbox.probed == 1
    assert len(list((tmp_path / "proofs").glob("*.json"))) == 1, "the old one is removed"


def test_a_sandbox_that_does_not_hold_is_probed_each_time(tmp_path: Path):
    sandbox = Proving(breaches={"network": ["IPv4"]})
    prove(sandbox, tmp_path)
    assert prove(sandbox, tmp_path).broken == ["network"]
    assert sandbox.probed == 2


def test_an_unreadable_proof_is_ignored(tmp_path: Path):
    sandbox = Proving()
    prove(sandbox, tmp_path)
    for file in (tmp_path / "proofs").glob("*.json"):
        file.write_text("{")
    prove(sandbox, tmp_path)
    assert sandbox.probed == 2


def test_probing_again_can_be_requested(tmp_path: Path):
    sandbox = Proving()
    prove(sandbox, tmp_path)
    prove(sandbox, tmp_path, again=True)
    assert sandbox.probed == 2


def test_a_breach_of_something_not_promised_is_shown_but_breaks_nothing():
    isolation = Isolation(kind="k", version="1", breaches={"a": ["x"], "b": []}, not_promised=("a",))
    assert (isolation.broken, isolation.level) == ([], "k -a")
