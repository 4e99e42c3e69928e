"""What every renderer does, ours and a plugin's. A new one joins by its entry point."""

from __future__ import annotations

import io
from importlib.metadata import entry_points
from pathlib import PurePath

import pytest

from forgetest.renderers import Accompanied, Renderer
from forgetest.report import Report
from specimens import Anew, a_refusal, a_report, a_sample, a_verdict, an_unjudged_sample

RENDERERS = {point.name: point for point in entry_points(group="forgetest.renderers")}

AWKWARD = 'fn größe() -> &\'static str { "日本 🦀 | ``` </details> \\u{0}" } // \x1b[31m\t\r\n\n\n'


@pytest.fixture(params=sorted(RENDERERS))
def renderer(request: pytest.FixtureRequest) -> Renderer:
    return RENDERERS[request.param].load()


def rendered(renderer: Renderer, report: Report) -> str:
    stream = io.StringIO(newline="")
    renderer.write(report, stream)
    return stream.getvalue()


def a_bit_of_everything() -> list:
    return [
        a_sample("a", 1),
        a_sample("a", 2, verdict=a_verdict(compiled=False)),
        a_sample("a", 3, verdict=a_verdict(failed=2, lints=12)),
        a_refusal("b", 1),
        an_unjudged_sample("b", 2),
        a_sample("a", 1, eval_set="more", model="zeta/large"),
    ]


def test_the_formats_of_the_command_line_are_there():
    assert {"csv", "html", "json", "junit", "markdown", "sarif"} <= set(RENDERERS)


def test_its_file_has_a_plain_name(renderer: Renderer):
    assert PurePath(renderer.FILENAME).name == renderer.FILENAME


def test_no_two_write_the_same_file():
    names = [point.load().FILENAME for point in RENDERERS.values()]
    assert len(names) == len(set(names))


def test_it_writes_a_report_without_results(renderer: Renderer):
    assert rendered(renderer, a_report([]))


def test_its_file_says_which_format_it_is(renderer: Renderer):
    assert "format_version" in rendered(renderer, a_report(a_bit_of_everything()))


def test_it_writes_samples_of_every_kind(renderer: Renderer):
    text = rendered(renderer, a_report(a_bit_of_everything(), pass_k=(1, 3)))
    assert "small" in text
    assert "large" in text


def test_an_unjudged_sample_is_shown_with_its_reason(renderer: Renderer):
    assert "the provider did not answer" in rendered(renderer, a_report([an_unjudged_sample()]))


def test_it_writes_code_and_reasons_in_any_script(renderer: Renderer):
    odd = a_sample("größe|`x`", code=AWKWARD, correct=False, reason=AWKWARD, model="acme/模型")
    text = rendered(renderer, a_report([odd]))
    assert "größe" in text
    assert "模型" in text
    text.encode("utf-8")


def test_it_writes_the_same_bytes_twice(renderer: Renderer):
    report = a_report(Anew(a_bit_of_everything()), pass_k=(1, 3))
    assert rendered(renderer, report) == rendered(renderer, report)


def test_it_reads_the_results_as_they_come(renderer: Renderer):
    # a journal that is read anew each time gives what a list in memory gives
    assert rendered(renderer, a_report(Anew(a_bit_of_everything()))) == rendered(
        renderer, a_report(a_bit_of_everything())
    )


def test_it_writes_while_it_reads(renderer: Renderer):
    class Watched(Anew):
        """Notes how much was written by the time each result is asked for."""

        def __iter__(self):
            self.written = []
            for sample in super().__iter__():
                self.written.append(stream.tell())
                yield sample

    stream = io.StringIO()
    samples = Watched([a_sample("a", number, verdict=a_verdict(failed=1)) for number in range(1, 500)])
    renderer.write(a_report(samples), stream)
    # no writer waits until it has them all
    assert samples.written[-1] > samples.written[0]


def test_its_lines_end_alike_and_so_does_the_file(renderer: Renderer):
    text = rendered(renderer, a_report(a_bit_of_everything()))
    assert "\r" not in text
    assert text.endswith("\n")


def test_the_files_beside_it_stay_in_its_folder_and_none_is_written_twice(renderer: Renderer):
    if not isinstance(renderer, Accompanied):
        return
    odd = a_sample("../../etc", 2, model="../x/..\\y", eval_set="/root")
    paths = [PurePath(each.path) for each in renderer.companions(a_report([*a_bit_of_everything(), odd]))]
    assert paths
    assert len(paths) == len(set(paths))
    assert not any(path.is_absolute() or ".." in path.parts for path in paths)
    assert renderer.FILENAME not in {str(path) for path in paths}
