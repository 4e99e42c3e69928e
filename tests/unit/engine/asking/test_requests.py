"""What is asked for an attempt, and who decides it."""

from __future__ import annotations

from dataclasses import replace

from forgetest.engine.asking.requests import request_for
from forgetest.engine.plan import Generation, for_models
from forgetest.evalset import ContextFile
from forgetest.evalset.generation import GenerationSettings
from specimens import a_case, an_attempt, an_eval_set

USUAL = Generation(temperature=0.8, settings=GenerationSettings(max_tokens=100), prompt_template_hash="h")
ITS_OWN = GenerationSettings(
    max_tokens=50, top_p=0.5, stop=("END",), seed=7, reasoning_effort="high", system_prompt="Only code."
)


def usual(**settings):
    return replace(USUAL, settings=replace(USUAL.settings, **settings))


def asked(generation=USUAL, own=None, **changes):
    eval_set = replace(an_eval_set(a_case()), generation=own or GenerationSettings())
    return request_for(an_attempt(), eval_set, replace(a_case(), **changes), generation)


def test_an_eval_set_may_have_generation_settings_of_its_own():
    request = asked(own=ITS_OWN)
    assert (request.max_tokens, request.top_p, request.stop, request.seed) == (50, 0.5, ("END",), 7)
    assert (request.reasoning_effort, request.system, request.temperature) == ("high", "Only code.", 0.8)


def test_the_command_line_overrides_the_eval_set_which_overrides_the_configuration():
    generation = replace(usual(max_tokens=20, top_p=0.1), from_command_line=("max_tokens",))
    request = asked(generation, own=ITS_OWN)
    assert (request.max_tokens, request.top_p) == (20, 0.5)
    assert asked(generation).top_p == 0.1


def test_the_token_limit_of_a_case_overrides_all_others():
    assert asked(replace(USUAL, from_command_line=("max_tokens",)), own=ITS_OWN, max_tokens=9).max_tokens == 9


def test_each_attempt_has_a_seed_of_its_own():
    eval_set = replace(an_eval_set(a_case()), generation=ITS_OWN)
    seeds = [request_for(an_attempt(attempt=n), eval_set, a_case(), USUAL).seed for n in (1, 2, 3)]
    assert seeds == [7, 8, 9]


def test_a_template_is_filled_with_the_prompt_the_language_and_the_files():
    file = ContextFile(path="a.rs", content="fn a() {}")
    generation = usual(prompt_template="In {language}: {prompt} { {x} }\n---{context}")
    request = asked(generation, prompt="Do {context}.", context=(file,))
    assert request.prompt == "In Rust: Do {context}. { {x} }\n---\n\nThe file `a.rs`:\n\n```\nfn a() {}\n```"


def test_files_are_appended_to_a_template_without_a_placeholder_for_them():
    file = ContextFile(path="a.rs", content="fn a() {}")
    request = asked(usual(prompt_template="Please: {prompt}"), prompt="Do.", context=(file,))
    assert request.prompt.startswith("Please: Do.\n\nThe file `a.rs`")


def test_an_empty_system_prompt_means_none():
    assert asked(usual(system_prompt="")).system == ""


def test_other_generation_settings_make_another_run_and_the_defaults_keep_its_name():
    eval_set = an_eval_set(a_case())

    def name(generation, own=None):
        sets = [replace(eval_set, generation=own or GenerationSettings())]
        return for_models(sets, sets, [("acme", "small")], (1,), 1, generation).name

    others = [
        usual(top_p=0.5),
        usual(stop=("END",)),
        usual(reasoning_effort="low"),
        usual(system_prompt=""),
        usual(prompt_template="{prompt}"),
        replace(USUAL, provider_options={"acme": {"top_k": 3}}),
    ]
    assert len({name(USUAL), *map(name, others), name(USUAL, ITS_OWN)}) == 8
    assert name(replace(USUAL, from_command_line=("max_tokens",))) == name(USUAL)
    assert name(replace(USUAL, from_command_line=("max_tokens",)), ITS_OWN) != name(USUAL, ITS_OWN)
