"""The spec of a results folder, with the boxes that the run ticked."""

from __future__ import annotations

from forgetest.errors import UserError
from nerv.changes import Repository
from nerv.evidence import SpecCompletion
from nerv.location import Moment
from nerv.readers import is_old_results, results_log
from nerv.readers.run_record import RunRecord
from nerv.readers.source_files import RunSource, SourceFiles
from nerv.spec import Spec, markdown

SPEC = "spec.md"


def read_spec(source: RunSource, files: SourceFiles) -> Spec:
    """Return the given spec, or else the folder's own, with the ticks of the run's own copy."""
    own = files.content(source.path / SPEC, SPEC)
    if source.spec is None:
        log = results_log(source.path)
        if own is None and log is not None and is_old_results(log):
            return Spec(file="", title="", text="", items=(), given=False)
        if own is None:
            raise UserError(f"{source.path / SPEC}: missing; name the spec with --spec FILE")
        return _usable(markdown.parse(own.decode("utf-8", "replace"), SPEC), str(source.path / SPEC))
    named = source.spec.name
    try:
        content = source.spec.read_bytes()
    except OSError as error:
        raise UserError(f"{source.spec}: cannot be read: {error.strerror}") from error
    files.inputs[str(source.spec)] = files.digest(content)
    spec = _usable(markdown.parse(content.decode("utf-8", "replace"), named), str(source.spec))
    return markdown.with_ticks_of(spec, markdown.parse(own.decode("utf-8", "replace"), SPEC)) if own else spec


def _usable(spec: Spec, name: str) -> Spec:
    if not spec.items:
        raise UserError(f"{name}: contains no requirements; a spec lists what to build")
    return spec


def with_repository_ticks(spec: Spec, repository: Repository | None, record: RunRecord) -> Spec:
    """Add the ticks in the repository's own SPEC.md, from which nerv counts completed items after each merge."""
    file = next((each for each in repository.files if each.path.lower() == SPEC), None) if repository else None
    if file is None:
        return spec
    own = markdown.parse(file.text, file.location.file)
    boxes = [item for item in own.items if item.kind == "checkbox"]
    ticked = sum(item.ticked for item in boxes)
    if boxes and (ticked or record.completion):
        last = record.completion[-1] if record.completion else None
        if last is None or (last.checked, last.total) != (ticked, len(boxes)):
            point = SpecCompletion(
                moment=Moment(location=file.location),
                checked=ticked,
                total=len(boxes),
                cycle=max(record.cycles, default=None),
            )
            record.completion.append(point)
    return markdown.with_ticks_of(spec, own)
