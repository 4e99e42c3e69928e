"""Nothing shows who runs the tests, and afterwards everything is as it was."""

from __future__ import annotations

import os
import sys

from nerv.verification.ecosystems.in_sandbox.hidden_runner import hidden


def test_the_runner_is_hidden_and_can_still_be_imported():
    with hidden():
        assert "pytest" not in sys.modules
        assert sys.modules.get("_pytest") is None
        assert "pytest" not in list(sys.modules)
        assert "PYTEST_CURRENT_TEST" not in os.environ
        assert not any("pytest" in word for word in sys.argv)
        from unittest import mock

        import pytest

        assert pytest
        assert mock
    assert "pytest" in sys.modules
    assert "PYTEST_CURRENT_TEST" in os.environ


def test_modules_that_are_loaded_meanwhile_stay():
    sys.modules.pop("colorsys", None)
    with hidden():
        import colorsys

        assert sys.modules["colorsys"] is colorsys
    assert sys.modules["colorsys"] is colorsys


def test_a_test_may_exchange_the_environment(monkeypatch):
    real = os.environ
    with hidden():
        monkeypatch.setattr(os, "environ", {"A": "1"})
    assert os.environ == {"A": "1"}
    assert "PYTEST_CURRENT_TEST" in real
