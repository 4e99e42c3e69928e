"""Line numbers of TOML keys, tested on generated documents whose lines are recorded while writing."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest.files.toml_lines import KeyPath, key_lines, nearest_line

SCALARS = [
    "1",
    "-0.5e3",
    "true",
    "inf",
    "1979-05-27 07:32:00Z",
    "07:32:00",
    '""',
    '"a # [no] = comment, \\" {"',
    "''",
    "'C:\\'",
    '"""\n[not.a.header]\nx = 1 # "" \\"""\n"""',
    '"""ends in quotes"""""',
    '"""\\\n   folded"""',
    "'''\n[[nor.this]]\n'' # ''\n'''",
    "'''ends in a quote''''",
]
GAPS = ["", " ", "\n", "\t\n  ", ' # a comment ] } = "\n', "\n\n# '''\n"]


class Writer:
    """Writes a document and records the line of everything in it."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.text = ""
        self.lines: dict[KeyPath, int] = {}
        self.names = 0

    def one_of(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def line(self) -> int:
        return self.text.count("\n") + 1

    def name(self) -> tuple[str, str]:
        """An unused key, and one of the ways to write it."""
        self.names += 1
        plain = f"k-{self.names}"
        odd = f"k.{self.names} # ]='"
        return self.draw(
            st.sampled_from(
                [
                    (plain, plain),
                    (plain, f'"{plain}"'),
                    (plain, f"'{plain}'"),
                    (odd, f'"{odd}"'),
                    (f'"é{plain}', f'"\\"\\u00e9{plain}"'),
                ]
            )
        )

    def pair(self, table: KeyPath, depth: int) -> None:
        keys = [self.name() for _ in range(self.draw(st.integers(1, 3)))]
        last = [self.name() for _ in range(self.draw(st.integers(1, 2)))] if depth == 0 else [keys.pop()]
        for final in last:  # `a.b.x = 1`, then `a.b.y = 2`
            line = self.line()
            path = table
            for key, _ in [*keys, final]:
                path = (*path, key)
                self.lines.setdefault(path, line)
            dot = self.one_of(".", " . ")
            self.text += dot.join(spelling for _, spelling in [*keys, final]) + self.one_of("=", " = ")
            self.value(path, depth)
            if depth == 0:
                self.text += self.one_of("\n", " # then = [\n", "\n\n")

    def value(self, path: KeyPath, depth: int) -> None:
        kind = self.one_of("scalar", "list", "table") if depth < 3 else "scalar"
        if kind == "scalar":
            self.text += self.one_of(*SCALARS)
        elif kind == "list":
            self.text += "["
            for position in range(self.draw(st.integers(0, 3))):
                self.text += ("," if position else "") + self.one_of(*GAPS)
                self.lines[*path, position] = self.line()
                self.value((*path, position), depth + 1)
                self.text += self.one_of(*GAPS)
            self.text += "]"
        else:
            self.text += "{ "
            for position in range(self.draw(st.integers(0, 3))):
                self.text += ", " if position else ""
                self.pair(path, depth + 1)
            self.text += "}"

    def header(self, outer: tuple[KeyPath, str]) -> tuple[KeyPath, str]:
        """A header for a new table inside `outer`, perhaps one of a list of tables."""
        path, spelling = outer
        key, written = self.name()
        dotted = f"{spelling}.{written}" if spelling else written
        times = self.draw(st.integers(0, 2))
        for position in range(times):
            line = self.line()
            self.lines.setdefault((*path, key), line)
            self.lines[*path, key, position] = line
            self.text += f"[[{dotted}]]\n"
            self.pair((*path, key, position), 0)
            if position < times - 1 and self.draw(st.booleans()):  # as [cases.expectations] in [[cases]]
                self.header(((*path, key, position), dotted))
        if times:
            return (*path, key, times - 1), dotted
        self.lines[*path, key] = self.line()
        self.text += f"[ {dotted} ]\n"
        return (*path, key), dotted


@st.composite
def documents(draw: st.DrawFn) -> Writer:
    writer = Writer(draw)
    writer.text += draw(st.sampled_from(["", "\n", "# a comment\n\n"]))
    for _ in range(draw(st.integers(0, 2))):
        writer.pair((), 0)
    tables: list[tuple[KeyPath, str]] = [((), "")]
    for _ in range(draw(st.integers(0, 4))):
        table = writer.header(draw(st.sampled_from(tables)))
        tables.append(table)
        for _ in range(draw(st.integers(0, 2))):
            writer.pair(table[0], 0)
    return writer


def paths(value: object, at: KeyPath = ()) -> set[KeyPath]:
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    else:
        return {at}
    return {at}.union(*(paths(each, (*at, key)) for key, each in inner))


@settings(max_examples=60)
@given(documents())
def test_every_key_is_found_on_the_line_where_it_was_written(document: Writer) -> None:
    lines = key_lines(document.text)
    assert lines == document.lines
    assert set(lines) == paths(tomllib.loads(document.text)) - {()}


@settings(max_examples=25)
@given(documents())
def test_windows_line_endings_do_not_change_line_numbers(document: Writer) -> None:
    assert key_lines(document.text.replace("\n", "\r\n")) == document.lines


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("[a.b]\nx = 1\n[a]\ny = 2\n", ("a",), 3),
        ("[[cases]]\n[cases.expectations]\nx = 1\n[[cases]]\n[cases.expectations]\ny = 2\n", ("cases", 1), 4),
        ("[[a]]\n[[a.b]]\n[[a.b]]\n[[a]]\n[[a.b]]\nx = 1\n", ("a", 1, "b", 0, "x"), 6),
        ("a = [\n  1,\n  [\n    2 ] ]\n", ("a", 1, 0), 4),
    ],
)
def test_a_table_has_the_line_of_its_header(text: str, path: KeyPath, line: int) -> None:
    assert key_lines(text)[path] == line


def test_a_missing_key_has_the_line_of_the_table_around_it() -> None:
    lines = key_lines("[a]\n[a.b]\nx = 1\n")
    assert nearest_line(lines, ("a", "b", "y", "z")) == 2
    assert nearest_line(lines, ("c",)) == 1
