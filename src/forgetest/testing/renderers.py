"""Contract suite for renderers.

A plugin's tests are three lines; one that writes further files beside its report also inherits `CompanionContract`:

    class TestMine(RendererContract):
        @pytest.fixture
        def renderer(self):
            return my_package.my_format
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import PurePath

import pytest

from forgetest.renderers import Accompanied, Renderer
from forgetest.report import Report
from forgetest.sample import Sample
from forgetest.testing.samples import (
    UNJUDGED_REASON,
    ReiterableSamples,
    a_refusal,
    a_report,
    a_sample,
    a_verdict,
    an_unjudged_sample,
)

AWKWARD = 'fn größe() -> &\'static str { "日本 🦀 | ``` </details> \\u{0}" } // \x1b[31m\t\r\n\n\n'


def every_kind_of_sample() -> list[Sample]:
    """Return samples that are correct, do not compile, fail tests, have no code, and were not judged."""
    return [
        a_sample("a", 1),
        a_sample("a", 2, verdict=a_verdict(compiled=False)),
        a_sample("a", 3, verdict=a_verdict(failed=2, lints=12)),
        a_refusal("b", 1),
        an_unjudged_sample("b", 2),
        a_sample("a", 1, eval_set="more", model="zeta/large"),
    ]


def render(renderer: Renderer, report: Report) -> str:
    """Return what the renderer writes."""
    stream = io.StringIO(newline="")
    renderer.write(report, stream)
    return stream.getvalue()


class RendererContract:
    """What every renderer must do."""

    @pytest.fixture
    def renderer(self) -> Renderer:
        """Return the renderer to test."""
        raise NotImplementedError("a subclass defines the fixture `renderer`")

    def test_its_file_has_a_plain_name(self, renderer: Renderer) -> None:
        assert PurePath(renderer.FILENAME).name == renderer.FILENAME

    def test_it_writes_a_report_without_results(self, renderer: Renderer) -> None:
        assert render(renderer, a_report([]))

    def test_its_file_states_the_version_of_its_format(self, renderer: Renderer) -> None:
        assert "format_version" in render(renderer, a_report(every_kind_of_sample()))

    def test_it_writes_samples_of_every_kind(self, renderer: Renderer) -> None:
        text = render(renderer, a_report(every_kind_of_sample(), pass_k=(1, 3)))
        assert "small" in text
        assert "large" in text

    def test_an_unjudged_sample_is_shown_with_its_reason(self, renderer: Renderer) -> None:
        assert UNJUDGED_REASON in render(renderer, a_report([an_unjudged_sample()]))

    def test_it_writes_code_and_reasons_in_any_script(self, renderer: Renderer) -> None:
        odd = a_sample("größe|`x`", code=AWKWARD, correct=False, reason=AWKWARD, model="acme/模型")
        text = render(renderer, a_report([odd]))
        assert "größe" in text
        assert "模型" in text
        text.encode("utf-8")

    def test_it_writes_the_same_bytes_twice(self, renderer: Renderer) -> None:
        report = a_report(ReiterableSamples(every_kind_of_sample()), pass_k=(1, 3))
        assert render(renderer, report) == render(renderer, report)

    def test_results_from_a_journal_give_the_same_bytes_as_a_list(self, renderer: Renderer) -> None:
        from_journal = a_report(ReiterableSamples(every_kind_of_sample()))
        assert render(renderer, from_journal) == render(renderer, a_report(every_kind_of_sample()))

    def test_it_writes_while_it_reads(self, renderer: Renderer) -> None:
        class Watched(ReiterableSamples):
            """Notes how much was written by the time each result is asked for."""

            def __iter__(self) -> Iterator[Sample]:
                self.written: list[int] = []
                for sample in super().__iter__():
                    self.written.append(stream.tell())
                    yield sample

        stream = io.StringIO()
        samples = Watched([a_sample("a", number, verdict=a_verdict(failed=1)) for number in range(1, 500)])
        renderer.write(a_report(samples), stream)
        assert samples.written[-1] > samples.written[0], "it holds all results before it writes any"

    def test_its_lines_and_the_file_end_in_a_newline(self, renderer: Renderer) -> None:
        text = render(renderer, a_report(every_kind_of_sample()))
        assert "\r" not in text
        assert text.endswith("\n")


class CompanionContract:
    """What a renderer must do that writes further files beside its report."""

    @pytest.fixture
    def renderer(self) -> Renderer:
        """Return the renderer to test."""
        raise NotImplementedError("a subclass defines the fixture `renderer`")

    def test_the_files_beside_the_report_stay_in_its_folder_and_have_different_names(self, renderer: Renderer) -> None:
        assert isinstance(renderer, Accompanied)
        odd = a_sample("../../etc", 2, model="../x/..\\y", eval_set="/root")
        companions = renderer.companions(a_report([*every_kind_of_sample(), odd]))
        paths = [PurePath(companion.path) for companion in companions]
        assert paths
        assert len(paths) == len(set(paths))
        assert not any(path.is_absolute() or ".." in path.parts for path in paths)
        assert renderer.FILENAME not in {str(path) for path in paths}
