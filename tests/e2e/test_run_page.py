"""`nerv … --format html`: the run on one page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from nerv.cli.main import run
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
    page = Page(text)
    assert page.open == []
    assert "script" not in page.tags
    assert not [value for name, value in page.attributes if name in ("src", "srcset", "action", "background")]
    assert all(value.startswith("#") for name, value in page.attributes if name == "href")
    assert "default-src 'none'" in text
    assert not re.search(r"https?://", text)
    text = "".join(page.words)
    for words in (
        "Implementation Quality",
        "Spec completion over time",
        "compactions (1)",
        "event-log.jsonl:7",
        "FAIL",
    ):
        assert words in text
    assert page.tags.count("svg") == 2


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
    page = Page(page_of(tmp_path, monkeypatch))
    assert page.open == []
    assert not {"script", "img"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]


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


@pytest.mark.parametrize(
    "profile",
    [
        pytest.param({"viewport": {"width": 1200, "height": 900}}, id="wide", marks=pytest.mark.slow),
        pytest.param({"viewport": {"width": 375, "height": 700}, "color_scheme": "dark"}, id="small and dark"),
    ],
)
def test_a_real_browser_shows_the_page_without_errors(tmp_path, monkeypatch, profile):
    browser = pytest.importorskip("browser", reason="the browser's packages are not installed")
    metrics = {"inputTokens": 1000, "outputTokens": 50, "costUsd": 0.5}
    files = {"tasks/t1/metrics.json": metrics, "tasks/t2/metrics.json": metrics}
    results(tmp_path / "run", [*a_run(), event(19_000, "task_started", taskId="t3", title=HOSTILE)], files=files)
    page_of(tmp_path, monkeypatch)
    with browser.running() as chromium, browser.visiting(chromium, tmp_path / "page.html", **profile) as visit:
        visit.page.goto(visit.address)
        visit.page.locator("svg").first.wait_for()
        assert visit.page.locator("svg").count() == 3
        assert visit.page.locator("h1").inner_text() == "Notes"
        assert visit.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert visit.faults() == []
