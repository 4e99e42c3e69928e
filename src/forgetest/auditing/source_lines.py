"""Lines of an eval set's file, for findings that point to them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from forgetest.evalset import EvalSet
from forgetest.evalset.file import Located, read


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLines:
    """Where a case and its parts are."""

    file: str
    case: int
    reference: int
    tests: int
    texts: tuple[str, ...] = ()
    """The lines of the file."""

    def of_test(self, line: int, text: str) -> int:
        """Return the line of the file that has a line (from 1) of the tests; `text` is what it says.

        The line on which the tests begin, where they are not written line by line.
        """
        return self._line_of(self.tests, line, text)

    def of_reference(self, line: int, text: str) -> int:
        """Return the line of the file that has a line (from 1) of the reference solution, like `of_test`."""
        return self._line_of(self.reference, line, text)

    def _line_of(self, key: int, line: int, text: str) -> int:
        wanted = key + line
        return wanted if wanted <= len(self.texts) and self.texts[wanted - 1] == text else key


def case_lines(eval_set: EvalSet) -> dict[str, CaseLines]:
    """Return the lines of each case, by id; the first line for a set that was not read from a file."""
    path = Path(eval_set.path)
    if not eval_set.path or not path.is_file():
        return {case.id: CaseLines(file=eval_set.path, case=1, reference=1, tests=1) for case in eval_set.cases}
    texts = tuple(path.read_text(encoding="utf-8-sig").splitlines())
    located = {str(each.table.get("id")): each for each in read(path).cases}
    return {case.id: _lines(located[case.id], str(path), texts) for case in eval_set.cases if case.id in located}


def _lines(case: Located, path: str, texts: tuple[str, ...]) -> CaseLines:
    tests = ("io", "tests") if "io" in case.table else ("expectations", "test_file")
    return CaseLines(
        file=case.file,
        case=case.line(),
        reference=case.line("reference_solution"),
        tests=case.line(*tests),
        texts=texts if case.file == path else (),
    )
