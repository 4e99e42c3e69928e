"""Efficiency, organisation and repetition count for what is shown to work; what was not looked at is not recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nerv import rules
from nerv.finding import Finding
from nerv.readers import RunSource, read
from nerv.scorecard import Criterion
from nerv.verification.result import Verification

HEADER = {"format": "nerv-log", "format_version": 1, "model": "claude-sonnet-4-20250514"}
ASK = {"type": "prompt", "text": "Add a command that prints the total."}
ANSWER = {"type": "answer", "text": "Done.", "usage": {"input_tokens": 900, "output_tokens": 100}}
PASSING = {"type": "command", "command": "pytest", "output": "3 passed in 0.1s", "exit_code": 0}
FAILING = {"type": "command", "command": "pytest", "output": "3 failed in 0.1s", "exit_code": 1}
CODE = "def total(prices: list[int]) -> int:\n    return sum(prices)\n"
EFFICIENCY = ("tokens", "cost")


def patch(path: str, text: str, *, new: bool = True) -> str:
    lines = text.splitlines()
    old = "/dev/null" if new else f"a/{path}"
    body = "".join(f"+{line}\n" for line in lines)
    mode = "new file mode 100644\n" if new else ""
    return f"diff --git a/{path} b/{path}\n{mode}--- {old}\n+++ b/{path}\n@@ -0,0 +1,{len(lines)} @@\n{body}"


def criteria(
    folder: Path, *lines: object, path: str = "shop.py", text: str = CODE, verification: Verification | None = None
) -> dict[str, Criterion]:
    file = folder / "log.jsonl"
    edit, end = {"type": "edit", "path": path}, {"type": "end", "patch": patch(path, text, new=path.endswith(".py"))}
    file.write_text("".join(f"{json.dumps(line)}\n" for line in (HEADER, ASK, edit, *lines, ANSWER, end)))
    categories = rules.score(read(RunSource(path=file)), verification=verification)
    return {criterion.key: criterion for category in categories for criterion in category.criteria}


def test_work_whose_tests_pass_may_be_efficient_and_tidy(tmp_path: Path) -> None:
    found = criteria(tmp_path, PASSING)

    assert {key: found[key].score for key in (*EFFICIENCY, "organisation", "repetition")} == {
        "tokens": 10,
        "cost": 10,
        "organisation": 10,
        "repetition": 10,
    }


@pytest.mark.parametrize("runs", [(), (FAILING,)])
def test_cheap_work_that_nothing_shows_to_work_is_not_efficient(tmp_path: Path, runs: tuple[object, ...]) -> None:
    found = criteria(tmp_path, *runs)

    assert [found[key].score for key in EFFICIENCY] == [5, 5]
    assert [found[key].score for key in ("organisation", "repetition")] == [6, 6]
    assert found["tokens"].reason == (
        "2,000 tokens per completed item (1 completed item, counted as 0.5); at most 5, as nothing shows that it works."
    )


def test_work_that_our_own_run_shows_to_be_broken_has_no_result(tmp_path: Path) -> None:
    found = criteria(tmp_path, PASSING, verification=Verification(broken=("test_a",)))

    assert [found[key].score for key in EFFICIENCY] == [1, 1]
    assert (found["organisation"].score or 0) <= 3
    assert found["cost"].reason.endswith("but what was built does not work.")


def test_code_without_a_parser_is_not_looked_at(tmp_path: Path) -> None:
    found = criteria(tmp_path, PASSING, path="shop.rb", text="def total(prices)\n  prices.sum\nend\n")

    assert found["organisation"].status == found["repetition"].status == "not_recorded"
    assert found["organisation"].reason == "Not recorded: code in Ruby is not looked at."
    assert found["tests"].score == 7  # the run alone decides
    assert found["tests"].reason == "The code of the tests is not looked at; the last recorded run passed."


def test_documents_alone_are_no_bad_code(tmp_path: Path) -> None:
    found = criteria(tmp_path, path="NOTES.md", text="# Notes\n")

    assert found["organisation"].status == "not_recorded"


def test_parts_of_the_documentation_that_the_changes_do_not_show_are_left_out(tmp_path: Path) -> None:
    found = criteria(tmp_path, path="shop.rb", text="puts 1\n")["ux_and_docs"]

    assert found.status == "not_recorded"
    assert "50%" not in found.reason


def test_an_older_model_has_its_last_list_price(tmp_path: Path) -> None:
    found = criteria(tmp_path, PASSING)["cost"]

    assert (
        found.observations[0].text == "$0.00 in total, estimated from list prices"
    )  # 900 * $3 + 100 * $15 per million


def test_names_that_the_rest_of_the_project_may_document_are_not_missed(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    ask = {"type": "prompt", "text": "Fix the command-line function `print_total()` so that it prints cents."}
    end = {"type": "end", "patch": patch("shop.py", CODE, new=False)}
    file.write_text("".join(f"{json.dumps(line)}\n" for line in (HEADER, ask, ANSWER, end)))
    categories = rules.score(read(RunSource(path=file)))
    found = {criterion.key: criterion for category in categories for criterion in category.criteria}

    assert found["ux_and_docs"].status == "not_recorded"
    assert "names in the spec" not in found["requirements"].reason


def test_what_a_finding_speaks_against_is_not_well_documented(tmp_path: Path) -> None:
    ask = {"type": "prompt", "text": "Add a command `shop total` and document it in the README."}
    file = tmp_path / "log.jsonl"
    code = CODE.replace("    return", '    if not prices:\n        raise ValueError("no prices to add up")\n    return')
    changes = patch("shop.py", code) + patch("README.md", "# Shop\n\nRun `python shop.py total`.\n")
    lines = (HEADER, ask, {"type": "edit", "path": "shop.py"}, PASSING, ANSWER, {"type": "end", "patch": changes})
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    against = Finding(kind="stub", level="likely", text="A stub.", location=None, lines=(), criterion="requirements")

    def documented(findings: tuple[Finding, ...]) -> Criterion:
        categories = rules.score(read(RunSource(path=file)), findings=findings)
        return next(each for one in categories for each in one.criteria if each.key == "ux_and_docs")

    assert (documented(()).score or 0) > 6
    assert documented((against,)).score == 6
    assert documented((against,)).reason.endswith("; at most 6, as a finding speaks against it.")
