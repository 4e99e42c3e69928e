"""What nerv takes from the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerv import config


def test_home_is_under_the_users_or_where_it_is_said():
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


def test_colour_is_for_those_who_want_it():
    assert config.wants_colour({})
    assert not config.wants_colour({"NO_COLOR": "1"})
    assert not config.wants_colour({"TERM": "dumb"})
