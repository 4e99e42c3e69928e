"""A real Chromium for tests of pages: one browser; a window of its own for a page takes most of a test's time."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

PATIENCE_MS = 90_000
"""Time limit for a condition to come true on a busy machine."""


@contextlib.contextmanager
def running() -> Iterator[Browser]:
    """The system's Chromium, started once."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium: run scripts/setup --dev as root, or install chromium")
    expect.set_options(timeout=PATIENCE_MS)
    # Chromium's own sandbox refuses to work for root; the pages are ours and have no network
    arguments = ["--disable-gpu", "--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments, timeout=PATIENCE_MS)
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """One opened page, with everything that it requested or complained about."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.address = file.as_uri()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on(
            "console",
            lambda message: self.complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def go(self, place: str = "") -> Page:
        """Open the page at a place, and wait until its script has drawn it."""
        self.page.goto(self.address + place)
        self.page.locator("html[data-ready]").wait_for(state="attached")
        return self.page

    def leave(self) -> None:
        """Close the page, so that the next `go` opens it again in the same window."""
        self.page.goto("about:blank")
        self.requests.clear()

    def check(self) -> None:
        """Check that the page fetched nothing and complained about nothing."""
        assert self.complaints == []
        assert {address.split("#")[0] for address in self.requests} <= {self.address, "data:,"}

    def faults(self) -> list[str]:
        """Serious accessibility problems that axe-core finds."""
        asked = {"resultTypes": ["violations"]}  # the other results would be written down in full, too
        found: list[dict[str, Any]] = Axe().run(self.page, options=asked).response["violations"]
        return [
            f"{each['id']}: {node['html']}: {node.get('failureSummary')}"
            for each in found
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ]


@contextlib.contextmanager
def visiting(browser: Browser, file: Path, **profile: Any) -> Iterator[Visit]:
    """Visit a page; check at the end that it fetched nothing and complained about nothing."""
    context = browser.new_context(**profile)
    context.set_default_timeout(PATIENCE_MS)
    visit = Visit(context.new_page(), file)
    try:
        yield visit
    finally:
        context.close()
    visit.check()


@contextlib.contextmanager
def visiting_in(window: Page, file: Path) -> Iterator[Visit]:
    """Visit a page in a window that is open; the same checks at the end."""
    visit = Visit(window, file)
    yield visit
    visit.check()
