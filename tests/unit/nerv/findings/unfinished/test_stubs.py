"""Code that is not there, and code about todos, which is."""

from __future__ import annotations

import pytest

from finding_runs import a_run, kinds

ADD = """export function addTodo(list, title) {
  if (!title.trim()) throw new Error(%s);
  return [...list, { title, done: false }];
}
"""


@pytest.mark.parametrize("message", ['"A todo needs a title"', "'Todo not found'", "`todo ${title} is a duplicate`"])
def test_an_error_about_a_todo_of_the_program_is_no_stub(message: str) -> None:
    assert kinds(a_run({}, {"src/todos.js": ADD % message}), "note") == set()


@pytest.mark.parametrize("message", ['"TODO"', '"TODO: check the title"', "'todo'", '"todo: empty titles"'])
def test_an_error_that_puts_a_part_off_is_a_stub(message: str) -> None:
    assert kinds(a_run({}, {"src/todos.js": ADD % message})) == {"stub"}


def test_an_empty_function_with_a_todo_as_its_parameter_is_no_placeholder() -> None:
    code = "export class List {\n  onAdd(todo) {}\n  count() { return this.items.length; }\n}\n"
    assert kinds(a_run({}, {"src/list.js": code}), "note") == set()
    noted = code.replace("onAdd(todo) {}", "count2() {\n    // todo count the open ones\n  }")
    assert kinds(a_run({}, {"src/list.js": noted}, spec="- `count2()` counts the open ones")) == {"stub"}


def test_last_words_about_todos_admit_nothing() -> None:
    stub = "export function low(stock) {\n  throw new Error('not implemented');\n}\n"
    assert kinds(a_run({}, {"src/low.js": stub}, final="You can add a todo and delete it.")) == {"stub"}
    assert kinds(a_run({}, {"src/low.js": stub}, final="TODO: low of the stock.")) == set()


def test_a_constant_that_the_spec_asks_for_is_no_stub() -> None:
    code = {"wrap.py": "def keep(word, room):\n    return None\n"}
    assert kinds(a_run({}, code, spec="The default `keep(word, room)` always answers None."), "note") == set()
    assert kinds(a_run({}, code, spec="`keep(word, room)` says where a word is split.")) == {"stub"}


@pytest.mark.parametrize(
    "body",
    [
        "    # TODO: restore the jobs\n    return queue\n",
        "    return queue  # for now\n",
        "    return queue  # not handled yet, placeholder\n",
    ],
)
def test_a_result_that_a_comment_puts_off_is_a_stub(body: str) -> None:
    code = "def load(path):\n    queue = make(path)\n    if not queue:\n        return None\n%s"
    assert kinds(a_run({}, {"jobs.py": code % body})) == {"stub"}
    assert kinds(a_run({}, {"jobs.py": code % body}, final="Loading is not implemented yet.")) == set()
    assert kinds(a_run({}, {"jobs.py": code % "    # TODO: cache this\n    return queue\n"})) == set()


@pytest.mark.parametrize(
    "code",
    [
        "export const filters = {\n  upper: (value) => value.toUpperCase(),\n  escape: (value) => String(value),\n};\n",
        "export const escape = (value) => value;\n",
        "export function escape(value) {\n  return String(value);\n}\n",
    ],
)
def test_a_filter_that_gives_back_its_text_is_a_stub(code: str) -> None:
    assert kinds(a_run({}, {"src/filters.js": code}, spec="- `escape`: `&` as an entity")) == {"stub"}


def test_an_option_that_is_handed_to_a_function_without_such_a_parameter_is_ignored() -> None:
    code = """function quote(value, mark%s) {
  return mark + value + mark;
}

export function format(rows, { mark = '"', quoteAll = false } = {}) {
  return rows.map((value) => quote(value, mark, quoteAll)).join('');
}
"""
    spec = (
        "`format(rows, { mark, quoteAll })` takes options:\n\n- `quoteAll`: quotes every field\n- `mark`: the quote\n"
    )
    assert kinds(a_run({}, {"src/format.js": code % ""}, spec=spec)) == {"stub"}
    assert kinds(a_run({}, {"src/format.js": code % ", all"}, spec=spec)) == set()


def test_a_check_that_says_it_raises_and_gives_back_its_input_is_a_stub() -> None:
    code = 'def _check_cycles(data):\n    """Raise ValueError when references form a cycle."""\n    return data\n'
    assert kinds(a_run({}, {"ini.py": code}, spec="- a cycle raises `ValueError`")) == {"stub"}
    assert kinds(a_run({}, {"ini.py": code.replace("Raise ValueError when", "Say whether")}, spec="- cycles")) == set()


def test_what_was_not_implemented_before_either_is_no_stub_in_other_words() -> None:
    code = """class Parser:
    def read(self, text):
        if text.startswith("@"):
            raise NotImplementedError(%s)
        return text.strip()

    def write(self, value):
        raise NotImplementedError(%s)
"""
    old = {"parser.py": code % ('"At-rule in {}".format(text)', '"no writing"')}
    new = {"parser.py": code % ('f"At-rule in {text}"', '"writing is for others"')}
    assert kinds(a_run(old, new)) == set()
    assert kinds(a_run(old, new, spec="- `write(value)` gives the text of a value.")) == {"stub"}
    more = code.replace(
        "        return", '        if not text:\n            raise NotImplementedError("empty")\n        return'
    )
    assert kinds(a_run(old, {"parser.py": more % ('f"At-rule in {text}"', '"no writing"')})) == {"stub"}
