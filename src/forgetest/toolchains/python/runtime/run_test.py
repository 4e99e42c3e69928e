"""Runs one test: in the tests' process, against proxies; or inside the sample's process, where it must be."""

from __future__ import annotations

import builtins
import contextlib
import linecache
import os
import re
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from . import introspection
from .exports import TESTS_MODULE
from .link import Link, NotLoadedError
from .mirrors import MirrorType
from .pytest_module import Skipped, make_module

_FILE = "tests.py"
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_MOST_CHARS = 3900
_EXECUTING = {
    "pickle": ("load", "loads", "Unpickler"),
    "marshal": ("load", "loads"),
    "shelve": ("open",),
    "runpy": ("run_path", "run_module"),
    "importlib.util": ("spec_from_file_location", "module_from_spec"),
}
"""Functions of the library by which tests could execute what comes from the sample."""
_OF_IMPORTS = frozenset({"__path__", "__file__", "__cached__", "__wrapped__", "__warningregistry__"})
"""Attributes of a module that the import system and others ask for, and that the sample's has not."""


class Solution(types.ModuleType):
    """The sample's module, as the tests import it."""

    def __init__(self, name: str, link: Link, used: Sequence[str]) -> None:
        """`used`: names that the tests use, and that they may have from the sample."""
        super().__init__(name)
        self.__dict__.update(_link=link, __all__=list(used))

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        return self._link.request("global", "__doc__")

    def __getattr__(self, name: str) -> Any:
        if name in _OF_IMPORTS:
            raise AttributeError(name)
        return named_by_tests(self._link.request("global", name), name, self._link)

    def __setattr__(self, name: str, value: Any) -> None:
        self._link.give_up_separation("the tests patch the sample's module")

    def __delattr__(self, name: str) -> None:
        self._link.give_up_separation("the tests patch the sample's module")


def named_by_tests(value: Any, name: str, link: Link) -> Any:
    """Mark a class of the sample as one that the tests name; not one that has the place of a function."""
    if isinstance(value, MirrorType) and (name[:1].isupper() or link.may_compare(name)):
        type.__setattr__(value, "_is_named", True)
    return value


class TestSkippedError(Exception):
    """The test did not want to run."""

    __test__ = False


def run_separated(plan: Mapping[str, Any], test: Mapping[str, Any], code: str, link: Link) -> None:
    """Load the sample in its process and run a test here. Raises what the test raises.

    A sample that cannot be loaded ends the process.
    """
    names = (*plan["names"], *plan["expected"])
    values = load(link, code, plan["module"], names)
    defined = [name for name, value in zip(names, values, strict=True) if value is not ...]
    sys.modules[plan["module"]] = Solution(plan["module"], link, defined)
    pairs = zip(plan["names"], values, strict=False)
    found = {name: named_by_tests(value, name, link) for name, value in pairs if value is not ...}
    found |= _guard_execution(plan, link)
    _mirror_effects(plan["source"], link)
    if test["kind"] != "load":
        execute(plan, test, found)
    if (caught := link.observations.caught_assertion()) is not None:
        raise AssertionError(f"the sample caught a failure of the tests: {caught}") from caught


def load(link: Link, code: str, module: str, names: tuple[str, ...]) -> Any:
    """Load the sample in its process. If that fails, the test is over."""
    try:
        values = link.request("load", code, module, names, link.is_plain)
    except NotLoadedError:
        raise
    except BaseException as error:
        link.load_trace = vars(error).get("_remote_trace", [])
        link.finish("not_loaded", describe(error))
    if type(values) is not list or len(values) != len(names):
        link.finish("forged", "the sample answered in place of its process")
    link.on_loaded()
    link.missing = [name for name, value in zip(names, values, strict=True) if value is ...]
    return values


def run_inside(plan: Mapping[str, Any], test: Mapping[str, Any], module: types.ModuleType) -> None:
    """Run a test in the sample's own process."""
    found = {name: vars(module)[name] for name in plan["names"] if name in vars(module)}
    execute(plan, test, found)


def _mirror_effects(source: str, link: Link) -> None:
    """Do in the sample's process what tests do to their interpreter, or give up where that cannot be done."""
    from .monkeypatch import MonkeyPatch

    MonkeyPatch.on_environment = staticmethod(lambda name, value: link.request("environment", name, value))
    MonkeyPatch.on_attribute = staticmethod(link.give_up_separation)
    if "environ" in source:
        _mirror_environment(link)
    introspection.guard(source, link)
    if "caplog" in source:
        from .captured_logs import CapturedLogs

        CapturedLogs.ask_sample = staticmethod(lambda *values: link.request("logs", *values))
        CapturedLogs.refuse = staticmethod(lambda reason: link.finish("forged", reason))
    if "mock" in source:
        import unittest.mock

        for kind in (unittest.mock._patch, unittest.mock._patch_dict):
            kind.__enter__ = lambda _: link.give_up_separation("the tests patch a library")  # type: ignore[method-assign]
            kind.start = kind.__enter__  # type: ignore[method-assign]
    if "seed" in source:
        import random

        seed = random.seed

        def seed_both(*arguments: Any) -> None:
            seed(*arguments)
            link.request("seed", *arguments)

        vars(random)["seed"] = seed_both


def _mirror_environment(link: Link) -> None:
    """Set variables of the environment in the sample's process as well."""
    kind: Any = type(os.environ)
    set_item, delete_item = kind.__setitem__, kind.__delitem__

    def set_both(self: Any, name: str, value: str) -> None:
        set_item(self, name, value)
        link.request("environment", name, value)

    def delete_both(self: Any, name: str) -> None:
        delete_item(self, name)
        link.request("environment", name, None)

    kind.__setitem__, kind.__delitem__ = set_both, delete_both


def _guard_execution(plan: Mapping[str, Any], link: Link) -> dict[str, Any]:
    """Return functions that give up where tests execute text, which may be the sample's."""

    def give_up(*_: Any, **__: Any) -> NoReturn:
        link.give_up_separation("the tests execute or unpickle something, which may come from the sample")

    for module, names in _EXECUTING.items():
        if module in plan["imports"] or module.partition(".")[0] in plan["imports"]:
            __import__(module)
            vars(sys.modules[module]).update(dict.fromkeys(names, give_up))
    return {name: give_up for name in ("eval", "exec", "compile") if f"{name}(" in plan["source"]}


def execute(plan: Mapping[str, Any], test: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Execute the tests' module with what was found in the sample, and then one test of it."""
    sys.modules["pytest"] = make_module()
    module = sys.modules[TESTS_MODULE] = types.ModuleType(TESTS_MODULE)
    namespace = vars(module)
    namespace.update(found, __builtins__=builtins, __file__=_FILE)
    source = plan["source"]
    linecache.cache[_FILE] = (len(source), None, source.splitlines(True), _FILE)
    if test["kind"] == "text":
        _run_doctest(source, "tests", namespace)
        return
    exec(plan.get("code") or compile(source, _FILE, "exec", dont_inherit=True), namespace)  # noqa: S102
    _RUNNERS[test["kind"]](plan, test, namespace)


def _run_module(_plan: Mapping[str, Any], _test: Mapping[str, Any], _namespace: dict[str, Any]) -> None:
    """The assertions of the module have held."""


def _run_check(plan: Mapping[str, Any], _test: Mapping[str, Any], namespace: dict[str, Any]) -> None:
    """Call HumanEval's `check` with the function that the case asks for."""
    entry = plan["entry"]
    if entry not in namespace:
        raise NameError(f"name {entry!r} is not defined")
    namespace["check"](namespace[entry])


def _run_function(_plan: Mapping[str, Any], test: Mapping[str, Any], namespace: dict[str, Any]) -> None:
    from .fixtures import call_test

    call_test(namespace[test["target"]], namespace, None, test["parameters"])


def _run_method(_plan: Mapping[str, Any], test: Mapping[str, Any], namespace: dict[str, Any]) -> None:
    from .fixtures import call_test

    class_name, _, method = test["target"].partition(".")
    owner = namespace[class_name]()
    with contextlib.ExitStack() as ends:
        for begin, end in (("setup_class", "teardown_class"), ("setup_method", "teardown_method")):
            ends.callback(_call_hook, owner, end, method)
            _call_hook(owner, begin, method)
        call_test(getattr(owner, method), namespace, owner, test["parameters"])


def _call_hook(owner: Any, name: str, method: str) -> None:
    hook: Callable[..., Any] | None = getattr(owner, name, None)
    if hook is not None:
        takes_argument = hook.__code__.co_argcount > 1
        hook(*([getattr(owner, method)] if takes_argument else []))


def _run_unittest(_plan: Mapping[str, Any], test: Mapping[str, Any], namespace: dict[str, Any]) -> None:
    from .unittest_result import Result

    class_name, _, method = test["target"].partition(".")
    result = Result()
    result.run(namespace[class_name](method))
    if result.error is not None:
        raise result.error
    if result.unexpectedSuccesses:
        raise AssertionError("passed, though a failure was expected")
    if result.skipped:
        raise TestSkippedError(result.skipped[0][1])
    if result.testsRun != 1:
        raise AssertionError("the test was not run")


def _run_documented(_plan: Mapping[str, Any], test: Mapping[str, Any], namespace: dict[str, Any]) -> None:
    """Run the examples in a docstring of the tests."""
    owner: Any = namespace.get(test["target"]) if test["target"] else None
    _run_doctest(namespace["__doc__"] if owner is None else owner.__doc__, test["target"] or "tests", namespace)


def _run_doctest(text: str, name: str, namespace: dict[str, Any]) -> None:
    import doctest

    examples = doctest.DocTestParser().get_doctest(text, namespace, name, _FILE, 0)
    for example in examples.examples:
        if example.exc_msg is not None:  # or doctest would accept a printed traceback
            example.want = f"{example.exc_msg.strip()} ({os.urandom(8).hex()})\n"
    lines: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(examples, out=lines.append, clear_globs=False)
    if results.failed or not results.attempted:
        raise AssertionError("".join(lines).strip() or "no example was found")


_RUNNERS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any], dict[str, Any]], None]] = {
    "module": _run_module,
    "check": _run_check,
    "function": _run_function,
    "method": _run_method,
    "unittest": _run_unittest,
    "doctest": _run_documented,
}


def is_skip(error: BaseException) -> bool:
    """Return whether the tests themselves raised this to skip a test; a sample cannot raise these classes here."""
    return type(error) in (Skipped, TestSkippedError) or (
        "unittest.case" in sys.modules and type(error) is sys.modules["unittest.case"].SkipTest
    )


def describe(error: BaseException) -> str:
    """Return an exception's class, its text, and where it comes from in the tests and in the sample."""
    try:
        text = str(error)
    except BaseException:
        text = ""
    lines = [f"{type(error).__name__}: {text}" if text else type(error).__name__]
    trace = vars(error).get("_remote_trace") or ()
    lines += [f"  sample, line {line} in {name}" for line, name in [entry[:2] for entry in trace] if name]
    step, line = error.__traceback__, None
    while step is not None:
        if step.tb_frame.f_code.co_filename == _FILE:
            line = step.tb_lineno
        step = step.tb_next
    if line is not None:
        lines.append(f"  tests, line {line}: {linecache.getline(_FILE, line).strip()}")
    return _ADDRESS.sub(" at 0x…", "\n".join(lines))[:_MOST_CHARS]
