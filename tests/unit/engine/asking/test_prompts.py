from __future__ import annotations

from dataclasses import replace

from forgetest.engine.asking import prompts
from forgetest.evalset import ContextFile
from specimens import a_case


def test_a_model_is_told_the_language_and_to_answer_with_code() -> None:
    assert "expert Rust programmer" in prompts.system(a_case())
    assert "one fenced code block" in prompts.system(a_case())


def test_a_prompt_without_context_stands_as_its_author_wrote_it() -> None:
    assert prompts.prompt(replace(a_case(), prompt="\nWrite `f`.\n\n  fn f()\n")) == "Write `f`.\n\n  fn f()"


def test_context_files_follow_the_prompt_under_their_names() -> None:
    files = (ContextFile(path="src/a.rs", content="fn a() {}\n"), ContextFile(path="src/b.rs", content="fn b() {}"))

    prompt = prompts.prompt(replace(a_case(), context=files))

    assert prompt.startswith("Write it.\n\nThe file `src/a.rs`:\n\n```\nfn a() {}\n```\n\nThe file `src/b.rs`:")


def test_braces_in_a_prompt_or_file_are_left_alone() -> None:
    case = replace(a_case(), prompt="{language}", context=(ContextFile(path="{path}", content="{content}"),))

    assert prompts.prompt(case) == "{language}\n\nThe file `{path}`:\n\n```\n{content}\n```"


def test_the_hash_names_our_words_and_no_case() -> None:
    assert prompts.template_hash() == prompts.template_hash()
    assert len(prompts.template_hash()) == 16
