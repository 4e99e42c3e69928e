"""Issues that users notice: swallowed errors, error messages, basic accessibility of web pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from nerv.changes import SourceText
from nerv.inspection.languages import text_of
from nerv.inspection.source import is_written
from nerv.inspection.values import COMMENTS, Issue, ParsedFile

if TYPE_CHECKING:
    from tree_sitter import Node


def swallowed_errors(parsed: ParsedFile) -> Iterator[Issue]:
    """Find errors that are caught and dropped without a message."""
    if parsed.is_test:
        return
    for node in parsed.nodes:
        if node.type in ("except_clause", "catch_clause") and parsed.own(node) and _empty(node):
            yield parsed.issue("swallowed error", node, "an error is caught and dropped", 1)


def _empty(clause: Node) -> bool:
    body = clause.child_by_field_name("body") or (clause.named_children[-1] if clause.named_children else None)
    if body is None:
        return False
    statements = [child for child in body.named_children if child.type not in COMMENTS]
    return all(
        child.type in ("pass_statement", "expression_statement") and text_of(child) in ("pass", "...")
        for child in statements
    )


def has_error_message(parsed: ParsedFile) -> bool:
    """Return whether the file has error messages: errors with a sentence."""
    return not parsed.is_test and _MESSAGE.search(parsed.source.text) is not None


_MESSAGE = re.compile(
    r"""(?:raise\s+\w[\w.]*\(|throw\s+new\s+\w*Error\(|Error::\w+\(|Errorf?\(|errors\.New\(|(?:error|message|detail)["']?\s*[:=]\s*|
    \bdie\(|fail\(|console\.error\(|fmt\.Fprint\w*\(os\.Stderr,|log\.Fatal\w*\(|stderr\.write\(|parser\.error\(|toast\.error\(|sys\.exit\(|eprintln!\(|status\(4\d\d\)\.json\()\s*[^"'`\n]{0,40}f?["'`][^"'`\n]{8,}
    |\bprint\(\s*f?["'][^"'\n]{8,}["'][^\n]*file\s*=\s*sys\.stderr""",
    re.X,
)


def accessibility_issues(source: SourceText) -> Iterator[Issue]:
    """Find images without alternative text, fields without a label, and pages without a language or title."""
    markup = _Markup(source)
    text = source.text
    if not source.path.endswith((".html", ".htm")):
        text = re.sub(r"=\{[^{}]*\}", '="x"', text)  # JSX: the value of an attribute is code
        text = re.sub(r"=>", "", text)
    markup.feed(text)
    markup.close()
    yield from markup.found()


class _Markup(HTMLParser):
    """Parser for tags, as lenient as a browser."""

    def __init__(self, source: SourceText) -> None:
        super().__init__(convert_charrefs=True)
        self.source = source
        self.issues: list[Issue] = []
        self.labels = 0
        self.label_for: set[str] = set()
        self.fields: list[tuple[int, str]] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check one tag."""
        given = {name.lower(): value or "" for name, value in attrs}
        index = self.getpos()[0] - 1
        self.tags.add(tag)
        if tag == "label":
            self.labels += 1
            self.label_for.update(given[key] for key in ("for", "htmlfor") if key in given)
        elif tag == "img" and "alt" not in given:
            self._add_issue(index, "an image without a text for those who cannot see it (alt)")
        elif tag in ("input", "select", "textarea") and given.get("type", "") not in ("hidden", "submit", "button"):
            if not {"aria-label", "aria-labelledby", "title"} & given.keys() and not self.labels:
                self.fields.append((index, given.get("id", "")))
        elif tag == "html" and "lang" not in given:
            self._add_issue(index, "the page does not say its language (lang)")
        elif tag in ("div", "span") and "onclick" in given and "role" not in given:
            self._add_issue(index, f"a {tag} that is clicked, which a keyboard cannot reach")

    def handle_endtag(self, tag: str) -> None:
        """End a label: it does not apply to later fields."""
        if tag == "label" and self.labels:
            self.labels -= 1

    def found(self) -> Iterator[Issue]:
        """Yield all issues."""
        for index, name in self.fields:
            if not name or (name not in self.label_for and name != "x"):
                self._add_issue(index, "a field without a label")
        if "html" in self.tags and "title" not in self.tags:
            self._add_issue(0, "the page has no title")
        yield from self.issues

    def _add_issue(self, index: int, text: str) -> None:
        if is_written(self.source, index):
            location = self.source.at(index)
            self.issues.append(Issue(kind="accessibility", text=text, location=location, weight=1))
