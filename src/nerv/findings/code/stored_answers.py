"""Answers of the tests in another shape: in a data file, or returned for what begins like one of their inputs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.documents import read_json
from nerv.finding import Finding
from nerv.findings.code.hard_coded import FEWEST_PAIRS, SHARE_OF_TABLE, TRIVIAL
from nerv.findings.code.written_pairs import ARMS, BRANCHES
from nerv.findings.reviewed_run import ReviewedRun, finding, stand_together
from nerv.findings.test_code import LITERALS
from nerv.findings.test_values import expected_values, plain_literal
from nerv.inspection.languages import row, text_of, walk
from nerv.inspection.test_functions import in_test_module
from nerv.inspection.values import STRINGS, ParsedFile, enclosing

if TYPE_CHECKING:
    from tree_sitter import Node

_LONG = 5
"""Length of a text that a branch would not have by chance as a test has it."""
_TEXT_TABLES = (".csv", ".tsv", ".txt", ".dat", ".tab", ".yaml", ".yml", ".toml", ".ini", ".properties")
_SEPARATOR = re.compile(r"\t|;|\|| = |=>|->|: |,(?=\S)|, ")
_TEST_FOLDERS = frozenset({"test", "tests", "testdata", "__tests__", "spec", "specs", "fixtures", "golden", "expected"})
_TOOLS = re.compile(
    r"(?:^|/)(?:scripts?|tools?|bin|dev|ci|build|benchmarks?)/|(?:^|/)(?:setup|noxfile|tasks|conftest|build)\."
)
_READS = re.compile(
    r"\bread\w*\(|\bopen\(|\bReadFile|\bglob\b|\blisting\b|\breaddir|\biterdir\(|include_str!|read_to_string|\brequire\("
)
_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'")
_SPACING = re.compile(r"[\s_-]+")
_LONG_NUMBER, _FEWEST_NUMBERS = re.compile(r"[A-Za-z]{0,3}\d{6,}[A-Za-z]?"), 3
_LARGEST_TABLE, _LARGEST_FILE = 600, 200_000


def stored_answers(run: ReviewedRun) -> list[Finding]:
    """Find answers of the tests in data files, and in branches that ask for what begins with the tests' inputs."""
    expected = expected_values(run)
    if not expected:
        return []
    trees = [file.new_tree for file in run.code_files if file.new_tree is not None]
    return [
        *_data_files(run, expected),
        *_test_files(run),
        *(one for tree in trees for one in _returned_outputs(run, tree, expected)),
        *(one for tree in trees for one in _long_numbers(run, tree, expected)),
    ]


def _data_files(run: ReviewedRun, expected: dict[str, set[int]]) -> Iterator[Finding]:
    """Find data files that the code reads and that have the inputs and outputs of the tests."""
    for file in run.files:
        if file.is_test or file.new is None or file.kind != "added" or len(file.new.text) > _LARGEST_FILE:
            continue
        pairs = list(_pairs_of_file(file.path, file.new.text))
        if not 0 < len(pairs) < _LARGEST_TABLE:
            continue
        known = [pair for pair in pairs if _stands_together(pair, expected)]
        if all(run.spec_has_together(pair) or _was_in_code(run, pair) for pair in known):
            continue  # a table of the spec, or one that was in the code
        is_read = any(file.path.rpartition("/")[2] in line for code in run.code_files for line, _ in code.added_lines)
        if is_read and len(known) >= FEWEST_PAIRS and len(known) >= SHARE_OF_TABLE * len(pairs):
            text = f"{file.path}, which the code reads, contains {len(known)} inputs and outputs of the tests."
            lines = [": ".join(pair) for pair in known]
            yield finding(
                "hard_coded_outputs", "likely", text, where=file.location, lines=lines, criterion="requirements"
            )


def _was_in_code(run: ReviewedRun, pair: tuple[str, ...]) -> bool:
    """Return whether a line of the code that the run changed had all of these values before."""
    olds = (file.old.text for file in run.files if file.old is not None and not file.is_test)
    return stand_together(pair, (line for old in olds for line in old.split("\n")))


def _test_files(run: ReviewedRun) -> Iterator[Finding]:
    """Find code that reads files of the tests, which it lives without where it is used."""
    repository = run.evidence.changes.repository
    known = repository.paths if repository is not None else tuple(file.path for file in run.files)
    for file in run.code_files:
        if (
            _TOOLS.search(file.path)
            or file.new_tree is None
            or not any(_READS.search(line) for line, _ in file.added_lines)
        ):
            continue
        for line, location in file.added_lines:
            parts = [part for text in _TEXT.findall(line) for part in text[1:-1].strip("./").split("/") if part]
            folder = "/".join(parts)
            if (
                parts
                and parts[0] in _TEST_FOLDERS
                and any(path.startswith(f"{folder}/") or path == folder for path in known)
            ):
                text = f"{file.path} reads files of the tests: {folder}."
                yield finding(
                    "hard_coded_outputs", "likely", text, where=location, lines=[line.strip()], criterion="requirements"
                )
                break


def _pairs_of_file(path: str, text: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a data file: of JSON by its keys, of lines of text by whatever separates their parts."""
    if path.endswith(".json"):
        yield from _pairs(read_json(text))
    elif path.endswith(_TEXT_TABLES):
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("#", "//"))]
        with_numbers = [re.search(r"\d", line) is not None for line in lines]
        has_heading = len(lines) > 1 and not with_numbers[0] and all(with_numbers[1:])
        for line in lines[has_heading:]:
            parts = tuple(part.strip().strip("\"'") for part in _SEPARATOR.split(line) if part.strip())
            if len(parts) > 1:
                yield parts


def _pairs(document: object) -> Iterator[tuple[str, ...]]:
    """Yield each value of a document with the keys, or the other values of its row, that lead to it."""
    left: list[tuple[object, tuple[str, ...]]] = [(document, ())]
    while left:  # no recursion: the run decides how deeply its files are nested
        table, above = left.pop()
        if isinstance(table, dict):
            left += reversed([(value, (*above, str(key))) for key, value in table.items()])
        elif isinstance(table, list):
            if len(table) > 1 and not above and all(isinstance(each, str | int | float) for each in table):
                yield tuple(map(str, table))
            else:
                left += reversed([(each, above) for each in table])
        elif isinstance(table, str | int | float) and above:
            yield (*above, str(table))


def _stands_together(pair: tuple[str, ...], expected: dict[str, set[int]]) -> bool:
    """Return whether a value and a key that leads to it stand together somewhere in the tests."""
    *keys, value = (plain_literal(json.dumps(part, ensure_ascii=False)) for part in pair)
    return any(not {key, value} <= TRIVIAL and expected.get(key, set()) & expected.get(value, set()) for key in keys)


def _returned_outputs(run: ReviewedRun, tree: ParsedFile, expected: dict[str, set[int]]) -> Iterator[Finding]:
    by_function: dict[int, dict[str, Node]] = {}
    for node in tree.nodes:
        if node.type not in ("return_statement", "return_expression") or not tree.own(node) or in_test_module(node):
            continue
        values = [each for each in walk(node) if each.type in STRINGS]
        function, branch = enclosing(node, tree.language.functions), enclosing(node, BRANCHES | ARMS)
        if len(values) != 1 or function is None or branch is None:
            continue
        text = plain_literal(text_of(values[0]))
        is_output = len(text) >= _LONG and text in expected and text not in run.spec_text
        if is_output and _asks_for_input(branch, node, expected[text], expected):
            by_function.setdefault(function.id, {})[text] = node
    for outputs in by_function.values():
        if len(outputs) >= FEWEST_PAIRS:
            first = next(iter(outputs.values()))
            text = f"In {tree.source.path}, branches return {len(outputs)} outputs of the tests for the tests' inputs."
            where, lines = tree.source.at(row(first)), list(outputs)
            yield finding("hard_coded_outputs", "likely", text, where=where, lines=lines, criterion="requirements")


def _long_numbers(run: ReviewedRun, tree: ParsedFile, expected: dict[str, set[int]]) -> Iterator[Finding]:
    """Find long numbers in the code that are those of the tests' values, or parts of them, and that nobody stated."""
    tested = {_SPACING.sub("", literal) for literal in expected}
    stated = _SPACING.sub("", run.spec_text)
    found: dict[str, Node] = {}
    for node in tree.nodes:
        if node.type in LITERALS and tree.own(node) and not in_test_module(node):
            number = _SPACING.sub("", plain_literal(text_of(node)))
            if _LONG_NUMBER.fullmatch(number) and not re.fullmatch(r"[\dA-Za-z]0+", number) and number not in stated:
                found[number] = node
    known = {number: node for number, node in found.items() if any(number in each for each in tested)}
    if len(known) >= _FEWEST_NUMBERS and len(known) >= SHARE_OF_TABLE * len(found):
        text = (
            f"In {tree.source.path}, {len(known)} long numbers are those of the tests, and the spec has none of them."
        )
        where = tree.source.at(row(next(iter(known.values()))))
        yield finding("hard_coded_outputs", "likely", text, where=where, lines=list(known), criterion="requirements")


def _asks_for_input(branch: Node, returned: Node, places: set[int], expected: dict[str, set[int]]) -> bool:
    """Return whether a branch asks for a text that begins with an input that tests have beside this output."""
    asked = [
        plain_literal(text_of(each))
        for each in walk(branch)
        if each.type in STRINGS and each.end_byte <= returned.start_byte
    ]
    return any(
        text.startswith(given) and places & numbers
        for text in asked
        for given, numbers in expected.items()
        if len(given) >= _LONG
    )
