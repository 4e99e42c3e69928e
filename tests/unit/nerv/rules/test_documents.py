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


PAGER = {"src/pager.js": "exports.next = (page) => page + 1;\n"}
NEXT = {"src/pager.js": "exports.next = (page) => page + 2;\n"}
ABOUT_PAGES = "# The API cuts lists into pages\n- [ ] Every second page is left out\n"


def documents_of_a_change(before: dict[str, str], after: dict[str, str], spec: str):
    run = a_run(before, after, spec=spec)
    return score_ux_and_docs(RunFacts.derive(run, inspect(run.changes.written)))


def test_a_library_about_pages_has_no_pages():
    assert documents_of_a_change(PAGER, NEXT, ABOUT_PAGES).status == "not_applicable"


def test_a_project_that_people_use_is_looked_at():
    """It has a command line or pages, or the spec asks for documents in words that mean nothing else."""
    program = {"bin/pager.js": "console.log(next(process.argv[2]));\n", "README.md": "Pages."}
    page = {"index.html": "<html></html>", "README.md": "Pages."}
    for rest, spec in ((program, ABOUT_PAGES), (page, ABOUT_PAGES), ({}, f"{ABOUT_PAGES}- [ ] A README\n")):
        assert documents_of_a_change({**PAGER, **rest}, {**NEXT, **rest}, spec).status == "scored"


def test_a_change_owes_no_documents_that_the_project_lacks_and_nobody_asks_for():
    """A word such as "doc comment" asks for no README."""
    spec = "# Pager\n- [ ] An example in the doc comment of `next`\n"
    assert documents_of_a_change(PAGER, NEXT, spec).status == "not_recorded"
    assert documents_of_a_change(PAGER, NEXT, f"{spec}- [ ] The documentation says so\n").score == 1


def test_a_new_project_owes_the_pages_that_it_was_to_have():
    assert documents_of_a_change({}, PAGER, ABOUT_PAGES).status == "scored"
