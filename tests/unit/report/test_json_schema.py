"""The published schemas, checked against written reports and comparisons."""

import copy
import io
import json
from dataclasses import replace

import jsonschema
import pytest

from forgetest.comparison import compare
from forgetest.renderers import json as json_renderer
from forgetest.renderers.comparison import json as comparison_json
from forgetest.report import json_schema
from forgetest.report.read import read_report
from forgetest.sample import Recheck
from forgetest.verdict import Condition, Finding
from specimens import a_case, a_diagnostic, a_refusal, a_report, a_sample, a_verdict, an_eval_set, an_unjudged_sample

SETS = [
    an_eval_set(a_case("a", tags=["easy"]), a_case("b", tags=["easy", "hard"]), a_case("never-tried")),
    an_eval_set(a_case("a"), name="more"),
]
BEFORE = [
    *(a_sample("a", attempt, verdict=a_verdict(failed=attempt // 3, lints=2)) for attempt in (1, 2, 3)),
    replace(
        a_sample("b", 1, verdict=a_verdict(compiled=False)), recheck=Recheck(times=3, disagreeing=1, changes=("x",))
    ),
    a_refusal("b", 2),
    an_unjudged_sample("b", 3),
    a_sample("a", 1, eval_set="more", model="zeta/large"),
    a_sample(
        "a",
        2,
        eval_set="more",
        model="zeta/large",
        verdict=a_verdict(
            warnings=(a_diagnostic("unused", "warning", "unused_variables"),),
            conditions=(Condition(name="fn f", holds=False, detail="none"),),
            integrity=(
                Finding(kind="unsafe", detail="line 3", forbids=False),
                Finding(kind="shared_interpreter", detail="one process", forbids=False, concern="unsound"),
            ),
        ),
    ),
]
AFTER = [a_sample("a", 1), a_sample("a", 2, verdict=a_verdict(failed=2)), a_sample("b", 1)]


def written(report):
    stream = io.StringIO()
    json_renderer.write(report, stream)
    return stream.getvalue()


@pytest.fixture
def documents(tmp_path):
    """A report and a comparison as parsed JSON."""
    for name, samples in (("old", BEFORE), ("new", AFTER)):
        further = {"toolchains": {"rust": "rustc 1.95"}, "sandbox": "bwrap"}
        report = a_report(samples, SETS, pass_k=(1, 5), further=further)
        (tmp_path / f"{name}.json").write_text(written(report), encoding="utf-8")
    stream = io.StringIO()
    compared = compare(read_report(tmp_path / "old.json"), read_report(tmp_path / "new.json"), 0.05)
    comparison_json.write(compared, stream)
    return {
        "report": json.loads((tmp_path / "old.json").read_text(encoding="utf-8")),
        "comparison": json.loads(stream.getvalue()),
    }


def closed(schema):
    """The same schema, with every property that it does not name forbidden."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: closed(each) for name, each in schema.items()}
    if "properties" in found and found.get("type") == "object":
        found.setdefault("additionalProperties", False)
    return found


SCHEMAS = {"report": json_schema.report(), "comparison": json_schema.comparison()}


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_report_schemas_are_valid_json_schemas(name):
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])


@pytest.mark.parametrize("name", SCHEMAS)
def test_written_documents_are_valid_and_the_schema_names_every_field(documents, name):
    jsonschema.validate(documents[name], closed(SCHEMAS[name]), jsonschema.Draft202012Validator)


def test_an_empty_report_is_valid():
    jsonschema.validate(json.loads(written(a_report([]))), SCHEMAS["report"], jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report.pop("id"),
        lambda report: report.update(format_version=2),
        lambda report: report["results"][0].update(outcome="maybe"),
        lambda report: report["results"][0]["score"].update(overall=1.5),
        lambda report: report["results"][0]["compilation"].pop("errors"),
        lambda report: report["aggregate"]["per_model"]["acme/small"]["pass_at_k"].update(best=1.0),
        lambda report: report["aggregate"]["per_model"]["acme/small"]["intervals"].update(mean_score=[0.1]),
    ],
)
def test_a_wrong_document_is_not_valid(documents, change):
    report = copy.deepcopy(documents["report"])
    change(report)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, SCHEMAS["report"], jsonschema.Draft202012Validator)
