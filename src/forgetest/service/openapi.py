"""The OpenAPI document, made of the types that requests are decoded into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from forgetest.evalset.inline import DEFAULTS
from forgetest.evalset.keys import DEFAULT_LANGUAGE, CaseInLanguage
from forgetest.service import wire
from forgetest.service.doors import forms
from forgetest.service.http.messages import JSON, PROBLEM
from forgetest.version import __version__

_REF = "#/components/schemas/{name}"
_ERRORS = {
    400: "Not JSON.",
    401: "No token, or a wrong one.",
    404: "No such path.",
    405: "Another method.",
    408: "Headers or body took too long.",
    413: "The body is too large, or has more samples than fit into the queue.",
    415: "Not `application/json`.",
    422: "Not a request of this kind; `detail` names the key.",
    429: "The queue is full; come back after `Retry-After` seconds.",
    500: "A bug in forgetest.",
    503: "The service is stopping.",
}
_OF_GET = (401, 422, 500)
_OF_POST = (400, 401, 408, 413, 415, 422, 429, 500, 503)

_FORMS: Sequence[type] = (
    wire.GradeOne,
    wire.GradeMany,
    wire.GradeForm,
    wire.GradesForm,
    wire.PrepareCase,
    wire.CasesForm,
    wire.HealthForm,
    forms.RunCodeRequest,
    forms.RunCodeResponse,
    forms.SubmitRequest,
    forms.EvalResult,
)

Schema = dict[str, Any]


def document() -> Schema:
    """Return the OpenAPI 3.1 document."""
    _, components = msgspec.json.schema_components(_FORMS, ref_template=_REF)
    components["Case"] = _case_schema()
    for name in ("SampleForm", "GradeOne", "PrepareCase"):
        components[name]["properties"]["case"] = {
            "description": "`SET/CASE` of a loaded set, a name of the request's `cases`, or the case itself.",
            "anyOf": [{"type": "string"}, _ref("Case")],
        }
    components["GradeMany"]["properties"]["cases"]["additionalProperties"] = _ref("Case")
    components["Problem"] = _problem_schema()
    return {
        "openapi": "3.1.0",
        "info": {"title": "forgetest", "version": __version__, "description": "Grades LLM-written code in a sandbox."},
        "paths": _paths(),
        "components": {"schemas": components, "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
        "security": [{"bearer": []}],
    }


def _paths() -> Schema:
    page = [_parameter("offset", 0), _parameter("limit", 1)]
    one_or_many = {"anyOf": [_ref("GradeOne"), _ref("GradeMany")]}
    grades = {"anyOf": [_ref("GradeForm"), _ref("GradesForm")]}
    stopping = {"description": _ERRORS[503], "content": {JSON: {"schema": _ref("HealthForm")}}}
    health = _operation("health", "The state of the service.", _ref("HealthForm"), errors=())
    return {
        "/v1/grade": {"post": _operation("grade", "Grade one answer, or many.", grades, request=one_or_many)},
        "/v1/prepare": {
            "post": _operation(
                "prepare", "Prepare a case before its first sample.", {"type": "object"}, request=_ref("PrepareCase")
            )
        },
        "/v1/cases": {
            "get": {
                **_operation("cases", "The cases of the loaded sets.", _ref("CasesForm"), errors=_OF_GET),
                "parameters": page,
            }
        },
        "/health": {"get": {**health, "security": [], "responses": {**health["responses"], "503": stopping}}},
        "/metrics": {"get": _operation("metrics", "Metrics for Prometheus.", None, errors=_OF_GET)},
        "/openapi.json": {"get": _operation("openapi", "This document.", {"type": "object"}, errors=_OF_GET)},
        "/run_code": {
            "post": _operation("run_code", "SandboxFusion's.", _ref("RunCodeResponse"), request=_ref("RunCodeRequest"))
        },
        "/submit": {
            "post": _operation("submit", "SandboxFusion's.", _ref("EvalResult"), request=_ref("SubmitRequest"))
        },
        "/common_evaluate_batch": {
            "post": _operation(
                "common_evaluate_batch", "ScaleBox's.", _ref("EvalResult"), request=_ref("SubmitRequest")
            )
        },
    }


def _operation(
    name: str,
    summary: str,
    answer: Schema | None,
    *,
    request: Schema | None = None,
    errors: Sequence[int] | None = None,
) -> Schema:
    content = {"text/plain": {"schema": {"type": "string"}}} if answer is None else {JSON: {"schema": answer}}
    statuses = errors if errors is not None else _OF_POST
    operation: Schema = {
        "operationId": name,
        "summary": summary,
        "responses": {
            "200": {"description": "Done.", "content": content},
            **{str(status): _error_response(status) for status in statuses},
        },
    }
    if request is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": request}}}
    return operation


def _error_response(status: int) -> Schema:
    response: Schema = {"description": _ERRORS[status], "content": {PROBLEM: {"schema": _ref("Problem")}}}
    if status == 429:
        response["headers"] = {"retry-after": {"required": True, "schema": {"type": "string"}}}
    return response


def _parameter(name: str, least: int) -> Schema:
    schema = {"type": "integer", "minimum": least, "maximum": 999_999_999}
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _case_schema() -> Schema:
    """Return the schema of a case, which in a request needs neither id nor name nor prompt, and names no file."""
    schema: Mapping[str, Any] = CaseInLanguage(DEFAULT_LANGUAGE).schema()
    required = [name for name in schema.get("required", []) if name not in DEFAULTS]
    return {**{key: value for key, value in schema.items() if key != "required"}, "required": required}


def _problem_schema() -> Schema:
    return {
        "description": "An error, in the form of RFC 9457.",
        "type": "object",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": {"type": "string"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string"},
        },
    }


def _ref(name: str) -> Schema:
    return {"$ref": _REF.format(name=name)}
