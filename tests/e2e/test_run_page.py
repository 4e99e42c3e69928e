"""`nerv … --format html`: the run on one page."""

from __future__ import annotations

import json
import re
from functools import partial
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from nerv.actions import Actions, Ending, Message
from nerv.cli.main import run
from nerv.finding import LEVELS, Finding
from nerv.renderers.page import page
from nerv.scorecard.history import parse_line
from nerv.verification.result import Verification
from page_runs import diff, facts, moment, report, suite
from results import a_run, event, results

HOSTILE = "</title><script>alert(1)</script><img src=x onerror=alert(1)>"


class Page(HTMLParser):
    """The tags of a page, including those that are never closed."""

    VOID = frozenset({"meta", "line", "rect", "path", "circle", "br"})

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.words = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def page_of(folder, monkeypatch):
    monkeypatch.setenv("NERV_HOME", str(folder / "home"))
    target = folder / "page.html"
    assert run(["benchmark", "score", str(folder / "run"), "--format", "html", "--output", str(target)]) in (0, 1)
    return target.read_text(encoding="utf-8")


def test_the_page_is_well_formed_and_self_contained(tmp_path, monkeypatch):
    results(tmp_path / "run", [*a_run(), event(19_000, "compaction", taskId="t2")])
    text = page_of(tmp_path, monkeypatch)
    parsed = Page(text)
    assert parsed.open == []
    assert "script" not in parsed.tags
    assert not [value for name, value in parsed.attributes if name in ("src", "srcset", "action", "background")]
    assert all(value.startswith("#") for name, value in parsed.attributes if name == "href")
    assert "default-src 'none'" in text
    assert not re.search(r"https?://", text)
    text = "".join(parsed.words)
    for words in (
        "Implementation Quality",
        "Spec completion over time",
        "compactions (1)",
        "event-log.jsonl:7",
        "FAIL",
    ):
        assert words in text
    assert parsed.tags.count("svg") == 2


def test_marks_and_states_are_explained_once_and_only_where_they_occur(tmp_path, monkeypatch):
    asked = {
        "type": "user",
        "sessionId": "s",
        "timestamp": "2026-01-01T00:00:00Z",
        "message": {"content": "Add a page."},
    }
    call = {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "echo x > page.html && pytest"}}
    done = {"type": "tool_result", "tool_use_id": "1", "content": "3 passed in 1.0s"}
    ran = [{**asked, "type": "assistant", "message": {"content": [call]}}, {**asked, "message": {"content": [done]}}]
    log = "".join(f"{json.dumps(each)}\n" for each in (asked, *ran))
    (tmp_path / "run").write_text(log)
    text = "".join(Page(page_of(tmp_path, monkeypatch)).words)
    assert "◆ approved, or tests passed" in text
    assert "merge failed" not in text
    assert "not recorded scoping 25% This kind of source has no tasks." in text


def test_no_text_of_a_run_becomes_markup_on_the_page(tmp_path, monkeypatch):
    events = [
        event(0, "cycle_started", cycleNumber=1, goal=HOSTILE),
        event(1, "task_started", taskId=HOSTILE, title=HOSTILE),
        event(2, "review_decision", taskId=HOSTILE, label=f"approve {HOSTILE}"),
        event(3, "worktree_created", taskId=HOSTILE, path=HOSTILE, branch=HOSTILE),
        event(9, "task_completed", taskId=HOSTILE),
    ]
    patch = f"diff --git a/{HOSTILE} b/{HOSTILE}\n--- /dev/null\n+++ b/{HOSTILE}\n@@ -0,0 +1 @@\n+x\n"
    results(tmp_path / "run", events, spec=f"# {HOSTILE}\n- [ ] {HOSTILE}\n", files={"git-diff.patch": patch})
    for text in (page_of(tmp_path, monkeypatch), page_with_everything()):
        parsed = Page(text)
        assert parsed.open == []
        assert not {"script", "img"} & set(parsed.tags)
        assert not [name for name, _ in parsed.attributes if name.startswith("on")]


def test_the_page_shows_earlier_scores_of_the_same_spec_and_not_its_own(tmp_path, monkeypatch):
    results(tmp_path / "run")
    assert "Earlier scores" not in page_of(tmp_path, monkeypatch)
    history = tmp_path / "home" / "benchmarks" / "history.jsonl"
    (line,) = history.read_text().splitlines()
    other = json.dumps({**json.loads(line), "spec": "Something else"})
    history.write_text(f"{line}\nnot JSON\n{other}\n")
    assert "1 earlier score of the same spec" in "".join(Page(page_of(tmp_path, monkeypatch)).words)


def test_a_mock_page_says_that_it_is_one(tmp_path, monkeypatch):
    results(tmp_path / "run")
    monkeypatch.setenv("NERV_TEST_MODE", "1")
    text = page_of(tmp_path, monkeypatch)
    assert "prove nothing about the code" in text
    assert Page(text).open == []


@pytest.fixture(scope="module")
def visiting():
    """Open pages in one browser."""
    browser = pytest.importorskip("browser", reason="the browser's packages are not installed")
    with browser.running() as chromium:
        yield partial(browser.visiting, chromium)


@pytest.mark.parametrize(
    "profile",
    [
        pytest.param({"viewport": {"width": 1200, "height": 900}}, id="wide", marks=pytest.mark.slow),
        pytest.param({"viewport": {"width": 375, "height": 700}, "color_scheme": "dark"}, id="small and dark"),
    ],
)
def test_a_real_browser_shows_the_page_without_errors(tmp_path, monkeypatch, profile, visiting):
    metrics = {"inputTokens": 1000, "outputTokens": 50, "costUsd": 0.5}
    files = {"tasks/t1/metrics.json": metrics, "tasks/t2/metrics.json": metrics}
    results(tmp_path / "run", [*a_run(), event(19_000, "task_started", taskId="t3", title=HOSTILE)], files=files)
    page_of(tmp_path, monkeypatch)
    with visiting(tmp_path / "page.html", **profile) as visit:
        visit.page.goto(visit.address)
        visit.page.locator("svg").first.wait_for()
        assert visit.page.locator("svg").count() == 3
        assert visit.page.locator("h1").inner_text() == "Notes"
        assert visit.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert visit.faults() == []


@pytest.mark.parametrize(
    "profile",
    [
        pytest.param({"viewport": {"width": 1200, "height": 900}}, id="wide", marks=pytest.mark.slow),
        pytest.param({"viewport": {"width": 375, "height": 700}, "color_scheme": "dark"}, id="small and dark"),
        pytest.param({"viewport": {"width": 375, "height": 700}}, id="small and light", marks=pytest.mark.slow),
    ],
)
def test_a_page_with_findings_claims_and_a_trend_is_readable_everywhere(tmp_path, profile, visiting):
    (tmp_path / "page.html").write_text(page_with_everything(), encoding="utf-8")
    with visiting(tmp_path / "page.html", **profile) as visit:
        visit.page.goto(visit.address)
        levels = visit.page.locator("h1, h2, h3").evaluate_all("found => found.map(each => Number(each.tagName[1]))")
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))
        assert visit.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert visit.page.locator("#findings article").count() == 3
        assert visit.faults() == []


def page_with_everything():
    """A page with every section, and words longer than any screen."""
    endless = f"{HOSTILE}{'x' * 400}"
    verification = Verification(
        suites=(suite(a="failed", b="passed"),), broken=(endless,), idle=("test_b",), removed=("test_c",), builds=True
    )
    actions = Actions(
        final_message=Message(moment=moment(40), text=f"All done.\n{endless}\n" + "more words " * 200),
        ending=Ending(kind="turn_limit", moment=moment(41), text=endless),
        corrections=(Message(moment=moment(20), text=endless),),
    )
    found = facts(endless, "Write a page", actions=actions, changed=diff(endless, "b.py"), verification=verification)
    findings = [
        Finding(kind="printed_success", level=level, text=endless, location=moment(7).location, lines=(endless, "\tb"))
        for level in LEVELS
    ]
    lines = [parse_line({"overall": score, "passed": False, "timestamp": endless}) for score in (3.2, 4.5, None)]
    return page(report(found, *findings, vetoes=(endless,), warnings=(endless,)), found, lines)
