"""Two reports side by side in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import browser as chromium
from browser import visiting, visiting_in
from forgetest.renderers import json as json_report
from forgetest.sample import Sample
from specimens import a_report, a_sample, a_verdict
from workbench import forgetest

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
OLD = "fn a() {}\nfn b() {}\nfn c() {}\n"
NEW = "fn a() {}\nfn d() {}\nfn c() {}\n"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium.running() as started:
        yield started


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page that the command prints."""
    folder = tmp_path_factory.mktemp("compared")

    def written(name: str, *samples: Sample) -> None:
        with (folder / name).open("w", encoding="utf-8") as stream:
            json_report.write(a_report(samples, pass_k=(1, 2)), stream)

    failing = a_verdict(failed=2)
    written(
        "old.json",
        *(a_sample(case, number, code=OLD) for case in ("worse", "same", HOSTILE) for number in (1, 2)),
        *(a_sample("better", number, verdict=failing) for number in (1, 2)),
        a_sample("gone"),
    )
    written(
        "new.json",
        a_sample("worse", 1, code=OLD),
        a_sample("worse", 2, code=NEW, verdict=failing),
        *(a_sample(HOSTILE, number, code=HOSTILE, reason=HOSTILE, verdict=failing) for number in (1, 2)),
        *(a_sample(case, number) for case in ("same", "better") for number in (1, 2)),
    )
    finished = forgetest("compare", "--baseline", "old.json", "--current", "new.json", "--format", "html", cwd=folder)
    assert finished.returncode == 0, finished.stderr
    page = folder / "changes.html"
    page.write_text(finished.stdout, encoding="utf-8")
    return page


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[Page]:
    """A window for all tests that do not change it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(chromium.PATIENCE_MS)
    yield context.new_page()
    context.close()


def test_changes_are_listed_filtered_and_searched(window: Page, compared: Path):
    with visiting_in(window, compared) as visit:
        page = visit.go()
        expect(page.locator("#headline")).to_contain_text("2 regressions, 1 improvement, 1 unchanged, 1 not comparable")
        expect(page.locator("#models tbody th")).to_have_text("acme/small")
        expect(page.locator("#count")).to_have_text("5 rows")
        page.locator("#filter-kind").select_option("improvement")
        expect(page.locator("#count")).to_have_text("1 of 5 rows")
        expect(page.locator("#cases tbody th")).to_have_text("basics/better")
        page.locator("#filter-kind").select_option("")
        page.locator("#search").fill("gone")
        expect(page.locator("#count")).to_have_text("1 of 5 rows")
        expect(page.locator("#cases tbody .badge")).to_have_text("gone")


def test_a_change_shows_both_samples_side_by_side_and_their_differing_lines(window: Page, compared: Path):
    with visiting_in(window, compared) as visit:
        page = visit.go()
        page.get_by_role("link", name="basics/worse").click()
        expect(page.locator("#change h2")).to_contain_text("basics/worse")
        expect(page.locator(".line.removed code")).to_have_text("fn b() {}")
        expect(page.locator(".line.added code")).to_have_text("fn d() {}")
        expect(page.locator("#change .sides > div").nth(1)).to_contain_text("Failing tests (2)")
        left, right = (page.locator("#change .sides > div").nth(number).bounding_box() for number in (0, 1))
        assert left is not None
        assert right is not None
        assert left["x"] + left["width"] <= right["x"]
        page.keyboard.press("Escape")
        expect(page.locator("#headline")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param((1280, 900), "light", id="desktop", marks=pytest.mark.slow),
        pytest.param((390, 844), "dark", id="phone"),
    ],
)
def test_axe_finds_no_serious_accessibility_problem(
    browser: Browser, compared: Path, size: tuple[int, int], scheme: str
):
    viewport = {"width": size[0], "height": size[1]}
    with visiting(browser, compared, viewport=viewport, color_scheme=scheme) as visit:
        for place in ("#/", "#/change/basics/worse/acme%2Fsmall"):
            page = visit.go(place)
            expect(page.locator("#overview:visible, #change:visible")).to_have_count(1)
            assert visit.faults() == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hostile_text_stays_text(window: Page, compared: Path):
    with visiting_in(window, compared) as visit:
        page = visit.go()
        page.get_by_role("link", name=f"basics/{HOSTILE}").click()
        expect(page.locator("#change .sides > div").nth(1).locator(".code code").first).to_have_text(HOSTILE)
        assert page.title() != "owned"
        assert page.locator("img").count() == 0
