"""The JSON report as text."""

import io
import json

from forgetest.renderers import json as renderer
from forgetest.report.encode import encode_aggregate, encode_header, encode_sample
from specimens import a_report, a_sample, a_verdict, an_unjudged_sample


def rendered(report):
    stream = io.StringIO()
    renderer.write(report, stream)
    return stream.getvalue()


def test_it_is_the_header_the_results_and_the_aggregate():
    report = a_report([a_sample("a"), a_sample("b", verdict=a_verdict(failed=1)), an_unjudged_sample("c")])
    assert json.loads(rendered(report)) == {
        **encode_header(report),
        "results": [json.loads(json.dumps(encode_sample(sample))) for sample in report.results],
        "aggregate": encode_aggregate(report.aggregate),
    }


def test_its_keys_come_in_the_order_of_the_specification():
    assert list(json.loads(rendered(a_report([a_sample()])))) == [
        *("format_version", "id", "created_at", "duration_ms", "eval_sets", "settings"),
        *("models_evaluated", "results", "aggregate"),
    ]


def test_it_is_indented_as_a_whole():
    text = rendered(a_report([a_sample("a"), a_sample("b", code="fn a() {\n}\n")]))
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"


def test_no_results_are_an_empty_list():
    assert '"results": [],' in rendered(a_report([]))


def test_code_stays_readable():
    assert "größe 🦀" in rendered(a_report([a_sample(code="// größe 🦀")]))


def test_a_sample_more_changes_only_its_own_lines_among_the_results():
    few = rendered(a_report([a_sample("a", 1), a_sample("a", 2)])).split('"aggregate"')[0].splitlines()
    more = rendered(a_report([a_sample("a", 1), a_sample("a", 2), a_sample("a", 3)]))
    lines = more.split('"aggregate"')[0].splitlines()
    assert lines[: len(few) - 4] == few[:-4]
