"""Mistakes in the projects of the sixth held-out part, as replacements in the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

_FREE_NUMBER = """        count = 0
        while target in taken:
            count += 1
            target = f"{wanted}-{count}"
        taken.add(target)
"""
_NUMBER_OF_THE_SAME = """        if wanted in taken:
            target = f"{wanted}-{taken.count(wanted)}"
        taken.append(wanted)
"""
_APPEND_EACH = """    for item in added:
        if item not in items:
            items.append(copy.deepcopy(item))
"""
_VALUE_OVER_SECTION = """        elif isinstance(section.get(name), dict):
            raise MergeError(f"{'.'.join(here)}: a value cannot replace a section")
"""
_END_OF_RUN = """    this.#undone = [];
    this.#changed();
  }

  /** Runs a function"""

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    "toc": {
        # breaks a test of the base
        "loses_umlauts": ((r"[^\w\- ]", r"[^a-z0-9_\- ]"),),
        "any_fence_closes": (("if mark and mark[1].startswith(fence) and not mark[2].strip():", "if mark:"),),
        "drops_the_sharp": ((r"(?:[ \t]+#+)?", r"(?:[ \t]*#+)?"),),
        "counts_what_is_listed": (
            (
                "return _render(_outline(text), min_",
                "return _render(_outline(text, range(0), range(min_level, 7)), min_",
            ),
            ("def _outline(text, skipped=range(0)):", "def _outline(text, skipped=range(0), levels=range(1, 7)):"),
            ("if level == 0 or number in skipped:", "if level not in levels or number in skipped:"),
        ),
        "numbers_collide": (("    taken = set()\n", "    taken = []\n"), (_FREE_NUMBER, _NUMBER_OF_THE_SAME)),
    },
    "layers": {
        # breaks a test of the base
        "empty_text_deletes": (("        if value is None:\n", '        if value is None or value == "":\n'),),
        "first_layer_as_it_is": (
            (
                "    result = {}\n    for layer in layers:\n",
                "    result = copy.deepcopy(layers[0]) if layers else {}\n    for layer in layers[1:]:\n",
            ),
        ),
        "appends_duplicates": (
            (_APPEND_EACH, "    items += [copy.deepcopy(item) for item in added if item not in items]\n"),
        ),
        "true_is_one": (("_text(before[path]) != _text(after[path])", "before[path] != after[path]"),),
        "values_replace_sections": ((_VALUE_OVER_SECTION, ""),),
    },
    "buildorder": {
        # breaks a test of the base
        "counts_twice": (("open[target] = len(needs)", "open[target] = len(g[target])"),),
        "first_come": (
            ("\tfor len(ready) > 0 {\n\t\tsort.Strings(ready)\n", "\tsort.Strings(ready)\n\tfor len(ready) > 0 {\n"),
            (
                "\t\tfor _, user := range users[next] {\n",
                "\t\tsort.Strings(users[next])\n\t\tfor _, user := range users[next] {\n",
            ),
        ),
    },
    "undo": {
        # breaks a test of the base
        "remembers_first": (
            ("    command.do();\n    if (this.#group) {\n", "    if (this.#group) {\n      command.do();\n"),
            (_END_OF_RUN, f"    command.do();\n{_END_OF_RUN}"),
        ),
        "undoes_forwards": (("step.commands.toReversed()", "step.commands"),),
        "counts_steps": (
            ("#saved = this.#start;", "#saved = 0;"),
            ("this.#top !== this.#saved", "this.#done.length !== this.#saved"),
            ("this.#saved = this.#top;", "this.#saved = this.#done.length;"),
        ),
        "takes_back_the_outer_group": (("const before = commands.length;", "const before = 0;"),),
    },
    "ballots": {
        # breaks a test of the base
        "blanks_matter": (("votes.entry(name.trim())", "votes.entry(name)"),),
        "half_of_all": (("count * 2 > total", "count * 2 > ballots.len()"),),
        "the_first_has_to_go": (("    losers.split_off(losers.len() - 1)\n", "    losers.truncate(1);\n    losers\n"),),
        "looks_at_the_first_round": (("earlier.iter().rev()", "earlier.iter()"),),
        "one_at_a_time": (("    if fewest == 0 {\n        return losers;\n    }\n", ""),),
        "skips_empty_lines": (
            ("text.lines().enumerate()", "text.lines().filter(|line| !line.trim().is_empty()).enumerate()"),
        ),
    },
}
