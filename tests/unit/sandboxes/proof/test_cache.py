"""A proof is kept for this boot and this configuration, and for nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from fakes import FakeSandbox
from forgetest.sandboxes import Isolation
from forgetest.sandboxes.proof import cache


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


def test_what_was_proved_once_is_believed(tmp_path: Path):
    first, second = Proving(), Proving()
    assert cache.of(first, tmp_path) == cache.of(second, tmp_path)
    assert (first.probed, second.probed) == (1, 0)


def test_another_configuration_is_proved_by_itself(tmp_path: Path):
    cache.of(Proving(), tmp_path)
    other = Proving(configuration="two")
    cache.of(other, tmp_path)
    assert other.probed == 1


def test_another_boot_is_another_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    cache.of(Proving(), tmp_path)
    boot = tmp_path / "boot_id"
    boot.write_text("another")
    monkeypatch.setattr(cache, "_BOOT_ID", boot)
    sandbox = Proving()
    cache.of(sandbox, tmp_path)
    assert sandbox.probed == 1
    assert len(list((tmp_path / "proofs").glob("*.json"))) == 1, "the old one is forgotten"


def test_a_sandbox_that_does_not_hold_is_tried_each_time(tmp_path: Path):
    sandbox = Proving(breaches={"network": ["IPv4"]})
    cache.of(sandbox, tmp_path)
    assert cache.of(sandbox, tmp_path).broken == ["network"]
    assert sandbox.probed == 2


def test_a_kept_proof_that_cannot_be_read_is_none(tmp_path: Path):
    sandbox = Proving()
    cache.of(sandbox, tmp_path)
    for file in (tmp_path / "proofs").glob("*.json"):
        file.write_text("{")
    cache.of(sandbox, tmp_path)
    assert sandbox.probed == 2


def test_it_can_be_asked_for_anew(tmp_path: Path):
    sandbox = Proving()
    cache.of(sandbox, tmp_path)
    cache.of(sandbox, tmp_path, anew=True)
    assert sandbox.probed == 2


def test_what_is_not_promised_is_told_and_breaks_nothing():
    isolation = Isolation(kind="k", version="1", breaches={"a": ["x"], "b": []}, not_promised=("a",))
    assert (isolation.broken, isolation.level) == ([], "k -a")
