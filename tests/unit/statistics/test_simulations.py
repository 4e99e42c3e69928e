"""Simulated runs with known true rates: a small version of `benchmarks/simulated_runs.py` with a fixed seed."""

import importlib.util
import random
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "simulated_runs.py"
RUNS = 200
"""Of the default lane; the slow one has more, and so leaves less to chance."""

pytestmark = pytest.mark.parametrize("runs", [RUNS, pytest.param(500, marks=pytest.mark.slow)])


@pytest.fixture(scope="module")
def simulated():
    spec = importlib.util.spec_from_file_location("simulated_runs", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_intervals_cover_the_truth_in_95_of_100_runs(simulated, runs):
    worlds = [simulated.World(50, 1, 0.5, 0.3), simulated.World(20, 5, 0.5, 0.3), simulated.World(30, 10, 3.0, 0.3)]
    found = list(simulated.coverage(runs, random.Random(1), worlds))
    assert len(found) == 20
    assert [str(each) for each in found if each.share < 0.95 - 3.5 * each.error] == []
    # the coverage must not come from needlessly wide intervals
    assert sum(each.share for each in found) / len(found) < 0.98


@pytest.mark.parametrize("models", [1, 3])
def test_the_gate_calls_noise_a_regression_at_most_5_times_in_100(simulated, models, runs):
    worlds = [simulated.World(40, 1, 0.6, 0.4), simulated.World(20, 5, 0.5, 0.3), simulated.World(8, 12, 1.0, 1.0)]
    for found in simulated.gate(runs, random.Random(2), 0.0, models, worlds):
        assert found.regressed <= 0.05 + 3.5 * found.error, found


def test_the_gate_finds_a_drop_of_10_points_with_the_stated_power(simulated, runs):
    worlds = [simulated.World(160, 1, 0.6, 0.4), simulated.World(20, 5, 0.5, 0.3), simulated.World(50, 5, 0.3, 0.3)]
    for found in simulated.gate(runs, random.Random(3), 0.1, worlds=worlds):
        assert found.regressed == pytest.approx(found.stated, abs=0.05 + 3.5 * found.error), found
        assert found.regressed > 0.4
