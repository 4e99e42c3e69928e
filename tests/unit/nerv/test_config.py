"""The environment variables of nerv."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerv import config


def test_nerv_home_overrides_the_folder_under_the_users_home():
    assert config.home({"HOME": "/home/u"}) == Path("/home/u/.nerv")
    assert config.home({"HOME": "/home/u", "NERV_HOME": "/data"}) == Path("/data")


@pytest.mark.parametrize(
    ("variables", "mock"),
    [
        ({}, False),
        ({"NERV_MOCK_CLAUDE": "1"}, True),
        ({"NERV_MOCK_CLAUDE": "true"}, True),
        ({"NERV_TEST_MODE": "True"}, True),
        ({"NERV_MOCK_CLAUDE": "0"}, False),
        ({"NERV_MOCK_CLAUDE": "false", "NERV_TEST_MODE": ""}, False),
    ],
)
def test_mock_mode_is_one_or_true(variables, mock):
    assert config.mock_mode(variables) is mock


def test_colour_is_off_for_no_color_and_for_dumb_terminals():
    assert config.wants_colour({})
    assert not config.wants_colour({"NO_COLOR": "1"})
    assert not config.wants_colour({"TERM": "dumb"})


def test_git_gets_a_path_and_no_configuration_or_secrets_of_the_user():
    variables = config.git_environment(
        {"PATH": "/bin", "HOME": "/home/u", "API_KEY": "secret", "GIT_DIR": "/elsewhere"}
    )
    assert variables["PATH"] == "/bin"
    assert variables["HOME"] == "/nonexistent"
    assert variables["GIT_CONFIG_NOSYSTEM"] == "1"
    assert variables["GIT_ALLOW_PROTOCOL"] == "none"
    assert not variables.keys() & {"API_KEY", "GIT_DIR"}


def test_package_managers_get_their_registry_and_no_model_s_key():
    variables = config.preparation_environment(
        {"PATH": "/bin", "https_proxy": "http://p", "PIP_INDEX_URL": "https://i", "ANTHROPIC_API_KEY": "secret"}
    )
    assert variables == {"PATH": "/bin", "https_proxy": "http://p", "PIP_INDEX_URL": "https://i"}


def test_the_cache_of_verification_has_a_limit_that_the_user_may_set():
    assert config.verification_cache_bytes({}) == 10_000_000_000
    assert config.verification_cache_bytes({"NERV_VERIFY_CACHE_MB": "500"}) == 500_000_000
    assert config.verification_cache_bytes({"NERV_VERIFY_CACHE_MB": "much"}) == 10_000_000_000
