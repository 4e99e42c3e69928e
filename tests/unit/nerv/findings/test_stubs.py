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
