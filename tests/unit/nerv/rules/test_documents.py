"""Documents of the project count, whether or not the run changed them."""

from __future__ import annotations

from dataclasses import replace

from finding_runs import a_run
from nerv.inspection import inspect
from nerv.rules.documents import score_ux_and_docs
from nerv.rules.run_facts import RunFacts

CODE = {"src/render.js": "exports.render = (template) => template;\n"}
README = {"README.md": "# Mailer\n\n    npm install mailer\n\n## Usage\n\n`render(template)` fills a template.\n"}


def scored(spec: str, before: dict[str, str]):
    run = a_run(before, {**before, **CODE}, spec=spec)
    return score_ux_and_docs(RunFacts.derive(run, inspect(run.changes.written)))


def test_a_readme_that_is_there_need_not_be_written_again():
    spec = "# Command line\n- [ ] `render(template)` is a command\n"
    with_readme, without = scored(spec, README).score, scored(spec, {}).score
    assert with_readme is not None
    assert without is not None
    assert with_readme > without


def test_html_as_a_format_asks_for_no_pages():
    assert scored("# Mailer\n- [ ] Values are escaped for HTML\n", {}).status == "not_applicable"


def test_words_in_code_ask_for_nothing():
    assert scored("- [ ] `docs/*.txt` matches `docs/a.txt`\n", {}).status == "not_applicable"


def test_pages_that_are_counted_are_no_pages_to_look_at():
    criterion = scored("- [ ] The command prints the pages with the most hits\n", {"README.md": "# Hits\n"})
    assert "accessibility" not in criterion.reason


def test_a_few_lines_of_a_page_say_nothing_about_the_page():
    """A log shows the lines that changed: whether the page is accessible is not known from them."""
    page = "export const Page = () => <button onClick={go}>Go</button>;\n"
    run = a_run(
        {"src/Page.tsx": page}, {"src/Page.tsx": page.replace("Go<", "Start<")}, spec="# A page with a button\n"
    )
    written = [replace(source, whole=False) for source in run.changes.written]
    known = replace(run, changes=replace(run.changes, repository=None))
    facts = RunFacts.derive(known, inspect(written))
    assert facts.inspection.pages
    assert "ccessibility" not in score_ux_and_docs(facts).reason.partition("not looked at")[0]
