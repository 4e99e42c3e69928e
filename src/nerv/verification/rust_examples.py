"""The spec's examples in Rust: a test of ours beside the functions, with each call written out by their signatures."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from nerv.spec.examples import Example, Value
from nerv.verification.ecosystems import REPORTS, TestCommand, cargo_suite
from nerv.verification.trees import Tree, TreeFile

_MODULE = """
#[cfg(test)]
#[allow(warnings)]
mod {control}_examples {{
    use super::*;

    fn told(text: &str) -> String {{
        let mut found = String::from("\\"");
        for letter in text.chars() {{
            match letter {{
                '"' | '\\\\' => {{
                    found.push('\\\\');
                    found.push(letter);
                }}
                letter if (letter as u32) < 32 => found.push_str(&format!("\\\\u{{:04x}}", letter as u32)),
                letter => found.push(letter),
            }}
        }}
        found.push('"');
        found
    }}

    #[test]
    fn {control}() {{
        let mut found: Vec<String> = Vec::new();
{calls}
        std::fs::write("{report}", format!("[{{}}]", found.join(","))).unwrap();
    }}
}}
"""
_CALL = """        found.push(match std::panic::catch_unwind(|| {{ {call} }}) {{
            Ok(value) => {told},
            Err(_) => String::from("{{\\"raised\\": \\"panic\\"}}"),
        }});
"""
_TOLD = 'format!("{{\\"debug\\": {}}}", told(&format!("{:?}", value)))'
_TOLD_ERROR = 'format!("{{\\"raised\\": \\"error\\", \\"text\\": {}}}", told(&format!("{:?}", error)))'
_TOLD_RESULT = f"match value {{ Ok(value) => {_TOLD}, Err(error) => {_TOLD_ERROR} }}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signature:
    path: str
    parameters: tuple[str, ...]
    """Their types."""
    returns: str
    has_self: bool
    made_by: str
    """The expression of a new object, for a method."""


def can_be_called(files: Tree, example: Example) -> bool:
    """Return whether one function has this name, and its parameters take such values."""
    signature = _signature(files, example)
    if signature is None or example.keywords or len(signature.parameters) != len(example.arguments):
        return False
    pairs = zip(example.arguments, signature.parameters, strict=True)
    return all(_expression(value, kind) is not None for value, kind in pairs)


def command(files: Tree, examples: Sequence[Example], report: str) -> TestCommand | None:
    """Return a run of the project's tests with one of ours, which writes the report; all calls are in one file."""
    signatures = [(example, found) for example in examples if (found := _signature(files, example)) is not None]
    paths = {signature.path for _, signature in signatures}
    if len(paths) != 1:
        return None
    control = f"control_{secrets.token_hex(6)}"
    calls = "".join(_call(example, signature) for example, signature in signatures)
    text = _MODULE.format(control=control, calls=calls, report=f"{REPORTS}/{report}")
    path = paths.pop()
    tests = cargo_suite.command(files, files, control)
    content = tests.added.get(path, files[path]).content + text.encode()
    return replace(
        tests,
        shown="the spec's examples",
        added={**tests.added, path: TreeFile(content=content)},
        reports=(*tests.reports, report),
    )


def _signature(files: Tree, example: Example) -> _Signature | None:
    """Return the signature of the only function of this name outside tests; generic ones are left alone."""
    pattern = re.compile(
        rf"^[ \t]*pub(?:\([^)]*\))? (?:const )?fn {re.escape(example.function)}\s*\((?P<parameters>[^{{;]*?)\)"
        r"\s*(?:->\s*(?P<returns>[^{;]+?))?\s*\{",
        re.M,
    )
    found = [
        (path, match)
        for path, file in files.items()
        if path.endswith(".rs") and "src/" in path and not cargo_suite.is_test_file(path)
        for match in pattern.finditer(file.text)
    ]
    if len(found) != 1:
        return None
    path, match = found[0]
    parameters = [each.strip() for each in re.split(r",(?![^<(\[]*[>)\]])", match["parameters"]) if each.strip()]
    has_self = bool(parameters) and re.fullmatch(r"&?(?:mut )?self", parameters[0]) is not None
    if has_self != bool(example.owner) or any("impl " in each for each in parameters):
        return None
    made_by = _made_by(files[path].text, example.owner) if has_self else ""
    if has_self and not made_by:
        return None
    return _Signature(
        path=path,
        parameters=tuple(each.partition(":")[2].strip() for each in parameters[has_self:]),
        returns=(match["returns"] or "").strip(),
        has_self=has_self,
        made_by=made_by,
    )


def _made_by(text: str, owner: str) -> str:
    if re.search(r"pub (?:const )?fn new\(\)", text):
        return f"{owner}::new()"
    derives = re.search(
        rf"derive\([^)]*\bDefault\b[^)]*\)\]\s*(?:#\[[^\]]*\]\s*)*pub struct {re.escape(owner)}\b", text
    )
    return f"{owner}::default()" if derives else ""


def _call(example: Example, signature: _Signature) -> str:
    values = zip(example.arguments, signature.parameters, strict=True)
    arguments = ", ".join(_expression(value, kind) or "" for value, kind in values)
    called = f"{example.function}({arguments})"
    if signature.has_self:
        called = f"let mut made = {signature.made_by}; made.{called}"
    told = _TOLD_RESULT if re.match(r"(?:\w+::)*Result\b", signature.returns) else _TOLD
    return _CALL.format(call=called, told=told)


def _expression(value: Value, kind: str) -> str | None:
    """Return a value as an argument of a type; None if it does not take such values."""
    plain = re.sub(r"&(?:'\w+ )?(?:mut )?", "", kind).strip()
    if isinstance(value, bool):
        return str(value).lower() if plain == "bool" else None
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False).replace("\\u00", "\\x")
        if plain == "str":
            return text
        return (
            f"&String::from({text})"
            if kind.startswith("&") and plain == "String"
            else (f"String::from({text})" if plain == "String" else None)
        )
    if isinstance(value, int | float):
        if re.fullmatch(r"f(?:32|64)", plain):
            return f"{float(value)!r}"
        is_whole = isinstance(value, int) and re.fullmatch(r"[iu](?:8|16|32|64|128|size)", plain)
        return f"{value}" if is_whole and (value >= 0 or plain.startswith("i")) else None
    inner = re.fullmatch(r"(?:Vec<(.+)>|\[(.+?)\])", plain)
    if isinstance(value, list) and inner is not None:
        parts = [_expression(each, (inner[1] or inner[2]).strip()) for each in value]
        if None in parts:
            return None
        listed = ", ".join(part or "" for part in parts)
        return f"vec![{listed}]" if inner[1] and not kind.startswith("&") else f"&vec![{listed}]"
    return None


def value_of(debug: str) -> Any:
    """Return the value that Rust's `{:?}` shows, as far as JSON has it; `Some("a")` is "a", and `None` is None."""
    some = re.fullmatch(r"(?:Some|Ok)\((.*)\)", debug, re.S)
    text = some[1] if some else debug
    if text in ("None", "()"):
        return None
    try:
        return json.loads(re.sub(r"\\u\{([0-9a-f]+)\}", lambda match: f"\\u{int(match[1], 16):04x}", text))
    except ValueError:
        return {"other": text[:300]}
