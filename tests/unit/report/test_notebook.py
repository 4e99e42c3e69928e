"""The HTML that notebooks show for reports and comparisons."""

from __future__ import annotations

from html.parser import HTMLParser

from forgetest.comparison import compare
from specimens import a_report, a_sample, a_verdict, an_unjudged_sample


class Cells(HTMLParser):
    """The texts of a table's cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.texts.append(data)


def test_a_report_is_a_table_of_its_models():
    report = a_report([a_sample("a", 1), a_sample("a", 2, verdict=a_verdict(failed=1)), an_unjudged_sample("a", 3)])
    texts = Cells(report._repr_html_()).texts
    assert texts[:5] == ["forgetest report report-1", "Model", "Judged", "Pass@1", "Score"]
    assert texts[5:8] == ["acme/small", "2 of 3", "50.0%"]


def test_an_unknown_value_is_shown_as_not_available():
    assert Cells(a_report([an_unjudged_sample()])._repr_html_()).texts[-2:] == ["n/a", "n/a"]


def test_a_comparison_is_a_table_of_its_changes():
    before = a_report([a_sample("a"), a_sample("b")])
    after = a_report([a_sample("a"), a_sample("b", verdict=a_verdict(compiled=False))])
    texts = Cells(compare(before, after)._repr_html_()).texts
    assert "1 worse, 0 better, 1 unchanged, 0 not comparable" in texts[0]
    assert texts[-6:] == ["worse", "basics/b", "acme/small", "1.000", "0.000", "-100.0"]


def test_names_from_outside_cannot_add_markup():
    html = a_report([a_sample("a", model="acme/<script>alert(1)</script>")])._repr_html_()
    cells = Cells(html)
    assert "script" not in cells.tags
    assert "acme/<script>alert(1)</script>" in cells.texts
