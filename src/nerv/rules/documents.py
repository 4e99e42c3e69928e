"""The `ux_and_docs` criterion: README, documented interface, error messages, accessible pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from nerv.changes import SourceText, written_sources
from nerv.inspection.languages import language_of
from nerv.inspection.source import is_test_path
from nerv.location import Location
from nerv.matching.spec_names import SpecName, names_in_line, names_in_spec
from nerv.rules.criterion import at, count, no_evidence, not_applicable, not_recorded, scored
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import Criterion, Observation

_FOR_PEOPLE = re.compile(
    r"\b(readme|ui|ux|tui|pages?|forms?|buttons?|screens?|dashboards?|frontend|web ?sites?|web ?apps?|cli|"
    r"command[- ]line|commands?|api|endpoints?|documentation|docs?|apps?|interfaces?)\b",
    re.I,
)
_DOCUMENTS = re.compile(r"\b(?:readme|documentation|docs|manual|usage|help)\b", re.I)
"""Words of a spec that asks for documents. Without them, a change to a project owes none that the project lacks."""
_SUBJECT_MATTER = re.compile(r"pages?|forms?|screens?|commands?|api|apps?|interfaces?", re.I)
"""Those of these words that a library may be about: the pages of a list, the API of somebody else."""
_INTERFACE_CODE = re.compile(
    r"\b(?:argparse|sys\.argv|click|typer|process\.argv|commander|yargs|clap::|env::args|os\.Args|flag\.Parse)\b"
    r"|__main__|^\s*(?:func|fn|def) main\(|\bstatic void main\(|\.listen\(|ListenAndServe|\bFlask\(|\bFastAPI\(",
    re.M,
)
"""Code by which people or other programs reach what was built: a command line, or a server."""
_INTERFACE_FILE = re.compile(r"\.(?:html?|jsx|tsx|vue|svelte|css)$", re.I)
_PAGES = re.compile(
    r"\b(pages?|forms?|buttons?|frontend|web ?sites?|web ?apps?|dashboards?|responsive|css|react)\b", re.I
)
_README = re.compile(r"(^|/)README(\.\w+)?$", re.I)
_START = re.compile(
    r"\b(npm (?:install|ci|start|run|test)|yarn|pnpm|npx|pip3? install|uv (?:run|sync|pip)|python3? |poetry|"
    r"cargo (?:run|build|install)|go (?:run|build|install)|mvn|gradlew?|java -jar|docker|make\b|git clone)|\./[\w-]+"
)
_CODE = re.compile(r"```.*?```|`[^`\n]+`|^ {4}\S.*$|^\$ .*$", re.S | re.M)
_USAGE = re.compile(
    r"^#+\s.*\b(usage|api|commands?|endpoints?|interface|configuration|options|features?)\b", re.I | re.M
)
_GIVEN = re.compile(r"(^|/)README(\.\w+)?$|(^|/)docs?/", re.I)
_ENDINGS = (".md", ".rst", ".txt")
_GAP_PENALTY = 0.15
_SWALLOWED_AT_MOST = 0.5


@dataclass(frozen=True, slots=True)
class _DocsPart:
    name: str
    weight: float
    worth: float | None
    """None: it was not looked at, because the changes do not show it."""
    observation: Observation


def score_ux_and_docs(facts: RunFacts) -> Criterion:
    """Score the documentation and the user interface."""
    spec = facts.evidence.spec
    # the text of a session includes pasted output
    asked = spec.text if spec.given else " ".join(item.text for item in spec.items)
    asked = _CODE.sub(" ", asked)  # `docs/*.txt` asks for no documents
    if not _FOR_PEOPLE.search(asked) or _is_about_a_library(asked, facts):
        return not_applicable("ux_and_docs", "the spec asks for nothing that people use directly.")
    if not facts.has_code:
        return not_recorded("ux_and_docs", "this kind of source contains neither code nor documents.")
    if not facts.evidence.changes.written and not spec.given:
        return not_recorded("ux_and_docs", "the changes show neither code nor documents.")
    if not facts.evidence.changes.written:
        return no_evidence("ux_and_docs", "there are neither code nor documents.")
    documents = _documents(facts)
    readmes = sorted(
        (source for source in documents if _README.search(source.path)), key=lambda one: (one.path.count("/"), one.path)
    )
    readme = readmes[0] if readmes else None
    parts = [_readme(readme, facts), _interface(readme, documents, facts), _errors(facts)]
    if _changes_a_project(facts) and not _DOCUMENTS.search(asked):
        parts = [part if part.worth else replace(part, worth=None) for part in parts]
    if facts.inspection.pages or len({word.lower().rstrip("s") for word in _PAGES.findall(asked)}) > 1:
        parts.append(_accessibility(facts))
    known = [(part, part.worth) for part in parts if part.worth is not None]
    if not known:
        return not_recorded("ux_and_docs", "the changes contain neither documents nor error messages.")
    total = sum(part.weight for part, _ in known)
    summary = ", ".join(f"{part.name} {worth:.0%}" for part, worth in known)
    unseen = ", ".join(part.name for part in parts if part.worth is None)
    summary += f"; not looked at: {unseen}" if unseen else ""
    gaps = [
        at(f"{issue.kind}: {issue.text}", issue.location)
        for issue in facts.inspection.issues
        if issue.kind in ("accessibility", "swallowed error")
    ]
    return scored(
        "ux_and_docs",
        sum(part.weight * worth for part, worth in known) / total,
        facts.lacking_text(f"{summary[:1].upper()}{summary[1:]}."),
        observations=[
            *(part.observation for part in sorted(parts, key=lambda one: 2 if one.worth is None else one.worth)),
            *gaps[:10],
        ],
        certainty="inferred",
        at_most=facts.lacking_at_most,
    )


def _is_about_a_library(asked: str, facts: RunFacts) -> bool:
    """Return whether words such as "page" name what the code is about: a project without interface was changed."""
    changes = facts.evidence.changes
    if changes.repository is None or changes.repository.left_out or changes.diff is None:
        return False
    if not all(_SUBJECT_MATTER.fullmatch(match[0]) for match in _FOR_PEOPLE.finditer(asked)):
        return False
    if not _changes_a_project(facts):
        return False  # what it was to have may be missing
    return not any(
        _INTERFACE_FILE.search(file.path) or (language_of(file.path) and _INTERFACE_CODE.search(file.text))
        for file in changes.repository.files
        if not is_test_path(file.path)
    )


def _changes_a_project(facts: RunFacts) -> bool:
    """Return whether the run changed code that was there before, rather than to write all of it."""
    files = facts.evidence.changes.diff.files if facts.evidence.changes.diff is not None else ()
    changed = (change.path for change in files if change.kind == "modified")
    return any(language_of(path) and not is_test_path(path) for path in changed)


def _documents(facts: RunFacts) -> list[SourceText]:
    """Return the documents that the run wrote, and those of the project that it left as they were."""
    changes = facts.evidence.changes
    written = {source.path: source for source in changes.written}
    everything = written_sources(None, changes.repository) if changes.repository is not None else ()
    given = (source for source in everything if source.path not in written and _GIVEN.search(source.path))
    return [source for source in (*written.values(), *given) if source.path.lower().endswith(_ENDINGS)]


def _readme(readme: SourceText | None, facts: RunFacts) -> _DocsPart:
    if readme is None:
        if not facts.knows_whole_project:
            observation = Observation(text="no README among the changes; the project may have one")
            return _DocsPart("README", 0.4, None, observation)
        return _DocsPart("README", 0.4, 0.0, Observation(text="there is no README"))
    location = Location(file=readme.path, line=1)
    if not readme.whole:
        return _DocsPart(
            "README", 0.4, None, at("the README was changed, but only the changes are available", location)
        )
    code = "\n".join(_CODE.findall(readme.text))
    if not _START.search(code):
        return _DocsPart("README", 0.4, 0.5, at("the README does not say how to start it", location))
    wanted = [
        one
        for line in code.splitlines()
        for one in names_in_line(f"`{line.strip('` $')}`", location)
        if one.kind == "command"
    ]
    missing = [one.name for one in wanted if _is_missing(one, facts)]
    if missing:
        return _DocsPart("README", 0.4, 0.75, at(f"the README mentions {missing[0]}, which nothing defines", location))
    return _DocsPart("README", 0.4, 1.0, at("the README says how to start it", location))


def _is_missing(command: SpecName, facts: RunFacts) -> bool:
    kinds = {definition.name.split()[0] for definition in facts.inspection.definitions if definition.kind == "command"}
    return command.name.split()[0] in kinds and facts.definition_index.find(command) is None


def _interface(readme: SourceText | None, documents: list[SourceText], facts: RunFacts) -> _DocsPart:
    """Look for the names of the spec in the documents; without names, look for a section about usage."""
    text = "\n".join(source.text for source in documents)
    wanted = [one for one in names_in_spec(facts.evidence.spec) if one.kind in ("endpoint", "function")]
    location = Location(file=readme.path) if readme is not None else None
    if wanted:
        documented = [one for one in wanted if one.name.partition(" ")[2] in text and one.name.split()[-1] in text]
        if not documented and not facts.knows_whole_project:
            return _DocsPart("interface", 0.2, None, Observation(text="the changes document no name of the spec"))
        observation = at(
            f"{len(documented)} of {count(len(wanted), 'interface name')} in the spec are documented", location
        )
        return _DocsPart("interface", 0.2, len(documented) / len(wanted), observation)
    if (readme is None or not readme.whole) and not facts.knows_whole_project:
        return _DocsPart("interface", 0.2, None, Observation(text="the changes contain no complete document"))
    if _USAGE.search(text):
        return _DocsPart("interface", 0.2, 1.0, at("a document has a section about usage", location))
    worth = 0.5 if readme is not None else 0.0
    return _DocsPart("interface", 0.2, worth, at("no document has a section about usage", location))


def _errors(facts: RunFacts) -> _DocsPart:
    with_messages = facts.inspection.error_messages
    swallowed = [issue for issue in facts.inspection.issues if issue.kind == "swallowed error"]
    if not with_messages and not facts.knows_whole_project:
        text = "no error message among the changes; the project may have some"
        known = max(0.0, _SWALLOWED_AT_MOST - _GAP_PENALTY * len(swallowed)) if swallowed else None
        return _DocsPart("error messages", 0.2, known, Observation(text=text))
    if not with_messages:
        return _DocsPart("error messages", 0.2, 0.0, Observation(text="the code contains no error messages"))
    worth = max(0.0, 1 - _GAP_PENALTY * len(swallowed))
    dropped = f"; {count(len(swallowed), 'error is', 'errors are')} swallowed" if swallowed else ""
    text = f"{count(len(with_messages), 'file has', 'files have')} error messages{dropped}"
    return _DocsPart("error messages", 0.2, worth, at(text, Location(file=with_messages[0])))


def _accessibility(facts: RunFacts) -> _DocsPart:
    if not facts.inspection.pages and not facts.knows_whole_project:
        return _DocsPart("accessibility", 0.2, None, Observation(text="no page among the changes"))
    if not facts.inspection.pages:
        return _DocsPart("accessibility", 0.2, 0.0, Observation(text="the spec asks for pages, but there are none"))
    gaps = [issue for issue in facts.inspection.issues if issue.kind == "accessibility"]
    pages = [source for source in facts.evidence.changes.written if source.path in facts.inspection.pages]
    if not facts.knows_whole_project and not any(page.whole for page in pages):
        return _DocsPart("accessibility", 0.2, None, Observation(text="only parts of pages are among the changes"))
    worth = max(0.0, 1 - _GAP_PENALTY * len(gaps))
    text = f"{count(len(gaps), 'accessibility problem')} in {count(len(facts.inspection.pages), 'page')}"
    return _DocsPart("accessibility", 0.2, worth, at(text, Location(file=facts.inspection.pages[0])))
