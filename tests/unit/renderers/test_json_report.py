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


def test_the_json_report_is_the_header_the_results_and_the_aggregate():
    report = a_report([a_sample("a"), a_sample("b", verdict=a_verdict(failed=1)), an_unjudged_sample("c")])
    assert json.loads(rendered(report)) == {
        **encode_header(report),
        "results": [json.loads(json.dumps(encode_sample(sample))) for sample in report.results],
        "aggregate": encode_aggregate(report.aggregate),
    }


def test_the_keys_come_in_the_order_of_the_specification():
    assert list(json.loads(rendered(a_report([a_sample()])))) == [
        *("format_version", "id", "created_at", "duration_ms", "eval_sets", "settings"),
        *("models_evaluated", "results", "aggregate"),
    ]


def test_the_whole_document_is_indented_consistently():
    text = rendered(a_report([a_sample("a"), a_sample("b", code="fn a() {\n}\n")]))
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"


def test_without_results_the_list_is_empty():
    assert '"results": [],' in rendered(a_report([]))


def test_code_is_not_escaped_to_ascii():
    assert "größe 🦀" in rendered(a_report([a_sample(code="// größe 🦀")]))


def test_another_sample_adds_only_its_own_lines_to_the_results():
    few = rendered(a_report([a_sample("a", 1), a_sample("a", 2)])).split('"aggregate"')[0].splitlines()
    more = rendered(a_report([a_sample("a", 1), a_sample("a", 2), a_sample("a", 3)]))
    lines = more.split('"aggregate"')[0].splitlines()
    assert lines[: len(few) - 4] == few[:-4]
