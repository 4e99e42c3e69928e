"""The HTML report in a real browser: its content, its controls, and that hostile text stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import browser as chromium
from browser import Visit, visiting, visiting_in
from forgetest.evalset import Case
from forgetest.renderers import html
from forgetest.report import Report
from forgetest.sample import Recheck
from forgetest.verdict import Diagnostic, Finding, Span, Verdict
from specimens import a_case, a_refusal, a_report, a_sample, a_verdict, an_eval_set, an_unjudged_sample

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"><b>bold</b>"
CODE = 'fn add(a: i32) -> i32 {\n    return a + "one";\n}\n\n/* spans\n   lines */\nfn unusual_name() {}\n'
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}


def a_broken_verdict() -> Verdict:
    span = Span(line_start=2, line_end=2, column_start=16, column_end=21)
    error = Diagnostic(level="error", code="E0277", message="cannot add `&str` to `i32`", spans=(span,))
    return replace(a_verdict(compiled=False), errors=(error,))


def a_failing_verdict(**further: object) -> Verdict:
    verdict = a_verdict(passed=2, failed=1, lints=1, **further)
    tests = [replace(test, stdout="printed by the test") if test.status == "failed" else test for test in verdict.tests]
    return replace(verdict, tests=tuple(tests))


def asked(name: str, tag: str) -> Case:
    return replace(a_case(name, tags=(tag,)), prompt=f"Please write `{name}`.")


def a_run() -> Report:
    """Two models: `acme/good` fails once, `acme/poor` fails in every possible way."""
    exits = Finding(kind="exit", detail="the sample called exit during a test")
    samples = [
        *(a_sample(case, number, model="acme/good", code=CODE) for case in ("add", "sort") for number in (1, 2)),
        a_sample("parse", 1, model="acme/good", code=CODE),
        a_sample("parse", 2, model="acme/good", code=CODE, verdict=a_failing_verdict()),
        a_sample("add", 1, model="acme/poor", code=CODE, verdict=a_broken_verdict()),
        a_sample("add", 2, model="acme/poor", code=CODE, verdict=a_failing_verdict(integrity=(exits,))),
        a_refusal("parse", 1, model="acme/poor"),
        an_unjudged_sample("parse", 2, model="acme/poor"),
        a_sample("sort", 1, model="acme/poor", code=CODE, verdict=a_failing_verdict()),
        a_sample("sort", 2, model="acme/poor", code=CODE),
    ]
    cases = (asked("add", "numbers"), asked("parse", "text"), asked("sort", "numbers"))
    return a_report(samples, [an_eval_set(*cases)], pass_k=(1, 2))


def written(report: Report, folder: Path) -> Path:
    path = folder / html.FILENAME
    with path.open("w", encoding="utf-8", newline="") as stream:
        html.write(report, stream)
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium.running() as started:
        yield started


@pytest.fixture(scope="module")
def report_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(a_run(), tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def page_of_the_report(browser: Browser, report_file: Path) -> Iterator[Visit]:
    with visiting(browser, report_file, viewport=DESKTOP) as started:
        yield started


@pytest.fixture
def visit(page_of_the_report: Visit) -> Iterator[Visit]:
    """The report, not opened yet. The tests must not change the window: a new one for each takes half a second."""
    page_of_the_report.leave()
    yield page_of_the_report
    page_of_the_report.check()


@pytest.fixture
def window(page_of_the_report: Visit) -> Iterator[Page]:
    """The window of the report, for another page. The tests must not change the window."""
    yield page_of_the_report.page
    page_of_the_report.leave()


@pytest.fixture
def own_visit(browser: Browser, report_file: Path) -> Iterator[Visit]:
    with visiting(browser, report_file, viewport=DESKTOP) as started:
        yield started


def rows(page: Page, table: str) -> list[str]:
    return page.locator(f"#{table} tbody th").all_inner_texts()


def test_models_are_ranked_with_intervals_and_a_heading_sorts_them(visit: Visit):
    page = visit.go()
    assert rows(page, "models") == ["acme/good", "acme/poor"]
    expect(page.locator("#models tbody tr").first).to_contain_text(re.compile(r"83\.3%.*\d+\.\.\d+", re.DOTALL))
    heading = page.locator("#models thead th", has_text="Score")
    expect(heading).to_have_attribute("aria-sort", "descending")
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    assert rows(page, "models") == ["acme/poor", "acme/good"]


def test_plots_are_embedded(visit: Visit):
    page = visit.go()
    expect(page.locator("#plot-pass-at-k svg")).to_be_visible()
    expect(page.locator("#plot-cost-against-score svg")).to_be_visible()
    page.locator("#by-case summary").click()
    expect(page.locator("#plot-score-by-case svg")).to_be_visible()


def test_the_matrix_shows_where_each_model_fails_and_links_to_the_samples(visit: Visit):
    page = visit.go()
    expect(page.get_by_label("parse, acme/good: 1 of 2 correct")).to_have_text(re.compile("1/2"))
    page.locator("#matrix-show").select_option("failing")
    expect(page.locator("#matrix-count")).to_have_text("3 cases")
    page.locator("#matrix-search").fill("sor")
    expect(page.locator("#matrix-count")).to_have_text("1 of 3 cases")
    page.get_by_label("sort, acme/poor: 1 of 2 correct").click()
    expect(page.locator("#samples-count")).to_have_text("2 of 12 samples of basics/sort")


def test_samples_are_filtered_sorted_and_searched_and_the_url_keeps_the_view(visit: Visit):
    page = visit.go("#/samples")
    count = page.locator("#samples-count")
    expect(count).to_have_text("12 samples")
    page.locator("#filter-kind").select_option("not compiled")
    expect(count).to_have_text("1 of 12 samples")
    page.locator("#filter-kind").select_option("wrong")
    expect(count).to_have_text("5 of 12 samples")
    page.locator("#filter-tag").select_option("text")
    expect(count).to_have_text("2 of 12 samples")
    page.get_by_role("button", name="Clear").click()
    expect(count).to_have_text("12 samples")
    page.locator("#filter-sort").select_option("score")
    expect(page.locator("#samples tbody tr").first).to_contain_text("0.000")
    page.locator("#search").fill("E0277")
    expect(count).to_have_text("1 of 12 samples")
    page.locator("#search").fill("unusual_name")
    expect(count).to_have_text("10 of 12 samples")
    page.reload()
    expect(count).to_have_text("10 of 12 samples")
    expect(page.locator("#filter-sort")).to_have_value("score")


def test_a_sample_is_shown_with_all_its_details(visit: Visit):
    page = visit.go("#/samples?kind=not+compiled")
    page.locator("#samples tbody a").click()
    sample = page.locator("#sample-view")
    expect(sample.locator("h2")).to_contain_text("add")
    expect(sample).to_contain_text("Please write `add`.")
    expect(sample).to_contain_text("75 ms")
    expect(sample.locator("#L1 .keyword").first).to_have_text("fn")
    expect(sample.locator("#L6 .comment")).to_have_text("   lines */")
    expect(sample.locator("#L2 + .note")).to_contain_text("error E0277 cannot add `&str` to `i32`")
    expect(sample.locator("#L2 .underlined")).to_have_text('"one"')
    page.get_by_role("link", name="attempt 2, integrity").click()
    expect(sample).to_contain_text("the sample called exit during a test")
    expect(sample.locator(".failure")).to_contain_text("left: 1, right: 2")
    expect(sample.locator(".failure")).to_contain_text("printed by the test")


def test_a_link_opens_a_sample_directly(visit: Visit):
    page = visit.go("#/sample/basics/parse/acme%2Fpoor/1")
    expect(page.locator("#sample-view")).to_contain_text("the model refused")


def test_a_link_to_a_missing_sample_shows_a_message(visit: Visit):
    page = visit.go("#/sample/basics/parse/acme%2Fpoor/99")
    expect(page.locator("#sample-view")).to_contain_text("There is no such sample here: basics/parse/acme/poor/99")


def test_the_page_can_be_used_by_keyboard_alone(visit: Visit):
    page = visit.go()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.type("gs")
    expect(page.locator("#samples-count")).to_have_text("12 samples")
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.type("sort")
    expect(page.locator("#samples-count")).to_have_text("4 of 12 samples")
    page.keyboard.press("Escape")
    page.locator("#samples").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#samples tbody a").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#samples tbody a").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#sample-view nav")).to_contain_text("2 of 4")
    page.keyboard.press("j")
    expect(page.locator("#sample-view nav")).to_contain_text("3 of 4")
    page.keyboard.press("k")
    expect(page.locator("#sample-view nav")).to_contain_text("2 of 4")
    page.keyboard.press("Escape")
    expect(page.locator("#samples-count")).to_have_text("4 of 12 samples")
    expect(page.locator("#samples tbody a").nth(1)).to_be_focused()
    expect(page.locator("#search")).to_have_value("sort")
    expect(page).to_have_url(re.compile(r"#/samples\?q=sort$"))


@pytest.mark.parametrize(
    ("size", "scheme"),
    [pytest.param(DESKTOP, "dark", id="desktop", marks=pytest.mark.slow), pytest.param(PHONE, "light", id="phone")],
)
def test_axe_finds_no_serious_accessibility_problem_and_nothing_is_wider_than_the_window(
    browser: Browser, report_file: Path, size: dict, scheme: str
):
    with visiting(browser, report_file, viewport=size, color_scheme=scheme) as visit:
        for place in ("#/", "#/samples", "#/sample/basics/add/acme%2Fpoor/1", "#/sample/basics/add/acme%2Fpoor/2"):
            page = visit.go(place)
            expect(page.locator("#overview:visible, #samples-view:visible, #sample-view:visible")).to_have_count(1)
            page.locator("details:visible").evaluate_all("found => found.forEach((each) => { each.open = true; })")
            assert visit.faults() == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_colours_follow_the_chosen_theme(own_visit: Visit):
    page = own_visit.go()
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.locator("#theme").click()
    expect(page.locator("#theme")).to_have_text("Theme: light")
    assert page.evaluate(ground) == light
    page.locator("#theme").click()
    expect(page.locator("#theme")).to_have_text("Theme: dark")
    assert page.evaluate(ground) != light


def test_a_printed_page_has_no_buttons_and_nothing_is_cut_off(own_visit: Visit):
    page = own_visit.go()
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print")
    expect(page.locator("#theme")).to_be_hidden()
    expect(page.locator("#models table")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hostile_text_stays_text(window: Page, tmp_path: Path):
    verdict = a_verdict(failed=1, integrity=(Finding(kind=HOSTILE, detail=HOSTILE),))
    verdict = replace(
        verdict,
        tests=tuple(replace(test, name=HOSTILE, message=HOSTILE, stdout=HOSTILE) for test in verdict.tests),
        lints=(Diagnostic(level="warning", code=HOSTILE, message=HOSTILE),),
    )
    odd = a_sample(HOSTILE, model=f"acme/{HOSTILE}", code=HOSTILE, reason=HOSTILE, verdict=verdict, correct=False)
    case = replace(a_case(HOSTILE, tags=(HOSTILE,)), prompt=HOSTILE)
    path = written(a_report([odd], [replace(an_eval_set(case), name=HOSTILE)]), tmp_path)
    with visiting_in(window, path) as visit:
        page = visit.go()
        expect(page.locator("#matrix tbody th")).to_have_text(HOSTILE)
        page.locator("#matrix tbody a").first.click()
        page.locator("#samples tbody a").click()
        expect(page.locator("#sample-view .code code")).to_have_text(HOSTILE)
        expect(page.locator("#sample-view .failure pre").first).to_have_text(HOSTILE)
        assert page.title() == f"forgetest: {HOSTILE}"
        assert page.locator("img, b").count() == 0


def test_a_flaky_sample_shows_what_changed(window: Page, tmp_path: Path):
    again = Recheck(times=5, disagreeing=2, changes=("test t1: passed, then failed",))
    path = written(a_report([a_sample("add", code=CODE, recheck=again)]), tmp_path)
    with visiting_in(window, path) as visit:
        page = visit.go("#/sample/basics/add/acme%2Fsmall/1")
        expect(page.locator("#sample-view")).to_contain_text("Judged again 5 times: 2 of these verdicts differ")
        expect(page.locator("#sample-view")).to_contain_text("test t1: passed, then failed")


def test_a_report_without_samples_can_be_opened(window: Page, tmp_path: Path):
    path = written(a_report([], [an_eval_set(asked("add", "numbers"))]), tmp_path)
    with visiting_in(window, path) as visit:
        page = visit.go()
        expect(page.locator("#run")).to_contain_text("basics (1 case)")
        page.locator("#nav-samples").click()
        expect(page.locator("#samples-count")).to_have_text("0 samples")


def test_thousands_of_samples_are_drawn_on_demand_and_the_page_says_which_it_contains(window: Page, tmp_path: Path):
    samples = [
        a_sample(f"case-{case:04}", number, verdict=a_verdict(failed=number % 2), code=CODE)
        for case in range(1300)
        for number in range(1, 6)
    ]
    path = written(a_report(samples, pass_k=(1, 5)), tmp_path)
    with visiting_in(window, path) as visit:
        page = visit.go("#/samples")
        expect(page.locator("#held")).to_contain_text(
            "holds 6,000 of 6,500 samples, evenly spread: 3,900 of 3,900 that failed or were not judged, 2,100 of 2,600"
        )
        expect(page.locator("#samples-count")).to_have_text("6,000 samples")
        drawn = page.locator("#samples tbody th")
        few = drawn.count()
        assert few < 1000
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.wait_for_function("few => document.querySelectorAll('#samples tbody th').length > few", arg=few)
        page.locator("#search").fill("case-1299")
        expect(drawn).to_have_count(5)
