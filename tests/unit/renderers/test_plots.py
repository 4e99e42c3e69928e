"""The plots of a report."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from forgetest.renderers import plots
from forgetest.renderers.plots.svg import Scale
from forgetest.report import Report
from forgetest.sample import Usage
from specimens import a_report, a_sample, a_verdict, an_unjudged_sample

SVG = "{http://www.w3.org/2000/svg}"


def drawn(name: str, report: Report) -> ElementTree.Element:
    picture = plots.PICTURES[name](report)
    assert picture is not None
    return ElementTree.fromstring(plots.standalone(picture))


def words(picture: ElementTree.Element) -> list[str]:
    return [each.text or "" for each in picture.iter(f"{SVG}text")]


def a_run(costs: tuple[float | None, float | None] = (0.001, 0.1)) -> Report:
    samples = [
        a_sample(case, number, model=model, verdict=a_verdict(failed=failed), usage=Usage(cost_usd=cost))
        for model, cost, failed in (("acme/good", costs[0], 0), ("acme/poor", costs[1], 1))
        for case in ("a", "b", "c")
        for number in (1, 2, 3)
    ]
    return a_report(samples, pass_k=(1, 3))


@pytest.mark.parametrize("name", sorted(plots.PICTURES))
def test_without_judged_samples_no_plot_is_drawn(name: str):
    assert plots.PICTURES[name](a_report([an_unjudged_sample()])) is None
    assert plots.PICTURES[name](a_report([])) is None


@pytest.mark.parametrize("name", sorted(plots.PICTURES))
def test_hostile_names_stay_text(name: str):
    odd = a_sample("</svg><script>1</script>\x1b", model='acme/<b onload="x">&\x00')
    picture = drawn(name, a_report([odd]))
    assert picture.tag == f"{SVG}svg"
    assert not list(picture.iter(f"{SVG}script"))
    assert any("<b onload" in each for each in words(picture))


@pytest.mark.parametrize("name", sorted(plots.PICTURES))
def test_every_model_is_named(name: str):
    assert {"acme/good", "acme/poor"} <= set(words(drawn(name, a_run())))


def test_pass_at_k_has_a_line_and_a_band_for_each_model():
    picture = drawn("pass-at-k", a_run())
    assert len(list(picture.iter(f"{SVG}polyline"))) == 2
    assert len([each for each in picture.iter(f"{SVG}polygon") if "band" in each.get("class", "")]) == 2
    assert {"1", "2", "3"} <= set(words(picture))


def test_pass_at_k_of_one_sample_per_case_is_a_point():
    picture = drawn("pass-at-k", a_report([a_sample("a"), a_sample("b", verdict=a_verdict(failed=1))]))
    assert not list(picture.iter(f"{SVG}polyline"))
    [title] = picture.findall(f"{SVG}circle/{SVG}title")[:1]
    assert title.text == "acme/small: Pass@1 50.0%"


def test_a_case_with_fewer_judged_attempts_does_not_bend_the_line():
    samples = [a_sample(f"c{case}", number) for case in range(20) for number in (1, 2)]
    samples[1] = an_unjudged_sample("c0", 2)
    picture = drawn("pass-at-k", a_report(samples, pass_k=(1, 2)))
    assert "acme/small (19 of 20 cases)" in words(picture)
    assert "2" in words(picture)


def test_a_model_of_unknown_cost_is_labelled_as_such():
    picture = drawn("cost-against-score", a_run((0.001, None)))
    assert "acme/poor (cost not known)" in words(picture)


@pytest.mark.parametrize("costs", [(0.0, 0.0), (None, 0.0), (None, None)])
def test_without_any_cost_there_is_no_cost_plot(costs: tuple[float | None, float | None]):
    assert plots.PICTURES["cost-against-score"](a_run(costs)) is None


def test_costs_far_apart_are_drawn_on_a_logarithmic_axis():
    assert any("logarithmic" in each for each in words(drawn("cost-against-score", a_run())))
    assert not any("logarithmic" in each for each in words(drawn("cost-against-score", a_run((0.05, 0.1)))))


def test_a_plot_of_very_many_cases_shows_the_hardest():
    easy = [a_sample(f"easy-{number}") for number in range(60)]
    hard = a_sample("hard", verdict=a_verdict(compiled=False))
    picture = drawn("score-by-case", a_report([*easy, hard]))
    assert "Mean score by case: the 40 hardest of 61" in words(picture)
    assert "hard" in words(picture)


def test_everything_is_drawn_inside_the_plot():
    for name in plots.PICTURES:
        picture = drawn(name, a_run())
        width, height = float(picture.get("width", "")), float(picture.get("height", ""))
        for each in picture.iter(f"{SVG}text"):
            assert 0 <= float(each.get("x", "")) <= width
            assert 0 <= float(each.get("y", "")) <= height
        for each in [*picture.iter(f"{SVG}polyline"), *picture.iter(f"{SVG}polygon")]:
            places = [float(number) for number in re.split("[ ,]", each.get("points", ""))]
            assert all(0 <= x <= width for x in places[::2])
            assert all(0 <= y <= height for y in places[1::2])


def test_ticks_are_round_and_within_the_scale():
    assert Scale(low=0, high=1, start=0, end=100).ticks() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert Scale(low=0, high=0.37, start=0, end=100).ticks() == pytest.approx([0, 0.1, 0.2, 0.3])
