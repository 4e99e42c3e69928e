"""The tests' end of the wire, against a peer that says whatever it likes."""

from __future__ import annotations

import json
import os
import threading
import unittest
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest

from forgetest.toolchains.python.runtime import link as links
from forgetest.toolchains.python.runtime.link import Link

NO_CHAIN = [None, None, False, []]
"""The end of an exception's description: cause, context, whether the context is suppressed, notes."""


class Finished(BaseException):
    """The test is over: here an exception, in reality the end of the process."""


class Peer:
    """Answers each request with the next of its replies."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.replies: list[dict[str, Any] | bytes] = []
        self._reader, writer = os.pipe()
        reader, self._writer = os.pipe()
        self.link = Link(reader, writer, finish, frozenset({"Named"}))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while size := os.read(self._reader, 4):
            request = json.loads(os.read(self._reader, int.from_bytes(size, "big")))
            self.requests.append(request)
            reply = self.replies.pop(0) if self.replies else b""
            if not reply:
                os.close(self._writer)
                return
            if isinstance(reply, dict):
                message = {"o": "ret", "n": request["n"], "u": [], "v": [None], "g": [], "w": ["", ""]} | reply
                reply = json.dumps(message).encode()
                reply = len(reply).to_bytes(4, "big") + reply
            os.write(self._writer, reply)

    def ask(self, *replies: dict[str, Any] | bytes) -> Any:
        self.replies += replies
        return self.link.request("global", "f")


def finish(ending: str, message: str) -> NoReturn:
    raise Finished(ending, message)


@pytest.fixture
def peer() -> Iterator[Peer]:
    made = Peer()
    yield made
    os.close(made.link._writer)


def value(node: Any) -> dict[str, Any]:
    return {"v": [node]}


LIAR = ["K", 11, "Liar", [["B", "object"]], ["__eq__", "__bool__", "__sub__", "__contains__", "__hash__"], "solution"]


def test_a_value_arrives(peer: Peer):
    assert peer.ask(value(["t", [1, "x"]])) == (1, "x")
    assert peer.requests[0]["o"] == "global"


@pytest.mark.parametrize(
    "reply",
    [
        {"n": "0"},
        {"more": 1},
        {"o": "eval"},
        {"o": "call", "v": [2, ["t", []], ["t", []]]},
        {"o": "get", "v": [2, "x"]},
        {"o": ["ret"]},
        {"v": [1, 2]},
        {"v": []},
        {"v": "x"},
        {"v": [["h", 1, ["B", "int"], []]]},
        {"v": [["h", "1", LIAR, []]]},
        {"v": [["K", 1, "X", [], [], "m"]]},
        {"v": [["K", 1, "X", [3], [], "m"]]},
        {"v": [["k", 1]]},
        {"v": [["o", 2]]},
        {"v": [["nt", "a b", [], []]]},
        {"v": [["nt", "A", ["x;y"], [1]]]},
        {"u": [[2, "l", []]]},
        {"o": "exc", "v": []},
        {"o": "exc", "v": ["own", 2]},
        {"o": "exc", "v": [["B", "int"], [], "", 1, [], NO_CHAIN]},
        {"o": "exc", "v": [["B", "ValueError"], [], "", 1, [], [[], None, False, []]]},
        {"w": ["x"]},
        b"\0\0\0\2[]",
        b"\0\0\0\4\xff\xff\xff\xff",
    ],
    ids=str,
)
def test_anything_unexpected_ends_the_test_as_failed(peer: Peer, reply: dict[str, Any] | bytes):
    with pytest.raises(Finished) as over:
        peer.ask(reply)
    assert over.value.args[0] == "forged"


def test_a_peer_that_is_gone_or_says_too_much_ends_the_test(peer: Peer):
    with pytest.raises(Finished) as over:
        peer.ask((links.MOST_BYTES + 1).to_bytes(4, "big"))
    assert over.value.args[0] == "too_large"
    with pytest.raises(Finished) as over:
        Peer().ask(b"")
    assert over.value.args[0] == "died"


def test_what_says_skip_over_there_is_an_ordinary_exception_here(peer: Peer):
    described = ["K", 1, "SkipTest", [["B", "Exception"]], [], "unittest.case"]
    with pytest.raises(Exception, match="later") as raised:
        peer.ask({"o": "exc", "v": [described, ["later"], "later", 3, [], NO_CHAIN]})
    assert not isinstance(raised.value, unittest.SkipTest)


def test_an_object_of_a_class_that_the_tests_do_not_name_is_not_asked_to_judge(peer: Peer):
    liar = peer.ask(value(["h", 1, LIAR, []]))
    assert liar != 6
    assert liar
    with pytest.raises(TypeError):
        _ = liar - 1
    with pytest.raises(TypeError):
        _ = 6 in liar
    with pytest.raises(AttributeError):
        liar.startswith("x")
    assert len(peer.requests) == 1
    assert "opaque_object" in peer.link.observations.notes


def test_an_object_of_a_named_class_is_asked_and_that_is_noted(peer: Peer):
    named = peer.ask(value(["h", 1, [*LIAR[:2], "Named", *LIAR[3:]], []]))
    type.__setattr__(type(named), "_is_named", True)
    peer.replies.append(value(True))
    assert named == 6
    assert "sample_comparison" in peer.link.observations.doubts


def test_an_int_of_a_derived_class_is_compared_by_value(peer: Peer):
    described = ["K", 1, "Lie", [["B", "int"]], ["__eq__", "__sub__"], "solution"]
    lie = peer.ask(value(["h", 3, described, [0]]))
    assert lie != 6
    assert lie - 6 == -6
    assert isinstance(lie, int)
    assert len(peer.requests) == 1


def test_a_list_of_a_derived_class_is_compared_by_what_it_holds(peer: Peer):
    described = ["K", 1, "Lie", [["B", "list"]], ["__eq__"], "solution"]
    lie = peer.ask(value(["h", 3, described, []]))
    peer.replies += [value(["l", 5, [1]]), value(["l", 7, [1]])]
    assert lie == [1]
    assert lie != [2]
    assert isinstance(lie, list)


def test_tests_that_cannot_be_separated_end_at_once(peer: Peer):
    function = peer.ask(value(["fn", 1]))
    mirror = peer.ask(value(LIAR))
    for use in (lambda: function.__code__, lambda: type("Mine", (mirror,), {}), lambda: function(threading.Lock())):
        with pytest.raises(Finished) as over:
            use()
        assert over.value.args[0] == "inseparable"


def test_only_what_was_handed_over_can_be_called(peer: Peer):
    seen: list[int] = []
    function = peer.ask(value(["fn", 1]))
    peer.replies += [{"o": "call", "v": [2, ["t", [5]], ["t", []]]}, value(7)]
    assert function(lambda item: seen.append(item)) == 7
    assert seen == [5]
    peer.replies.append({"o": "get", "v": [2, "__globals__"]})
    peer.replies.append(value(None))
    function(len)
    assert peer.requests[-1]["o"] == "exc"


def test_an_exit_does_not_swallow_a_failed_assertion(peer: Peer):
    manager = peer.ask(value(["h", 13, ["K", 11, "M", [["B", "object"]], ["__enter__", "__exit__"], "m"], []]))
    peer.replies += [value(None), value(True)]
    with pytest.raises(AssertionError, match="of the tests"), manager:
        raise AssertionError("of the tests")
    assert peer.link.observations.caught_assertion() is None


def test_what_else_an_exit_swallows_is_doubted(peer: Peer):
    manager = peer.ask(value(["h", 13, ["K", 11, "M", [["B", "object"]], ["__enter__", "__exit__"], "m"], []]))
    peer.replies += [value(None), value(True)]
    with manager:
        raise TypeError
    assert peer.link.observations.caught_assertion() is None
    assert "caught_exception" in peer.link.observations.doubts


def test_a_failed_assertion_in_a_callback_is_known_if_the_sample_catches_it(peer: Peer):
    def check(_: int) -> None:
        raise AssertionError("wrong item")

    function = peer.ask(value(["fn", 1]))
    peer.replies += [{"o": "call", "v": [2, ["t", [5]], ["t", []]]}, value(None)]
    function(check)
    caught = peer.link.observations.caught_assertion()
    assert caught is not None
    assert caught.args == ("wrong item",)


def test_a_failed_assertion_in_a_callback_may_come_back(peer: Peer):
    def check(_: int) -> None:
        raise AssertionError("wrong item")

    function = peer.ask(value(["fn", 1]))
    peer.replies += [{"o": "call", "v": [2, ["t", [5]], ["t", []]]}, {"o": "exc", "v": ["own", 4]}]
    with pytest.raises(AssertionError, match="wrong item"):
        function(check)
    assert peer.link.observations.caught_assertion() is None


@pytest.mark.parametrize("node", [["fn", 1], ["it", 1], LIAR, ["h", 13, LIAR, []]], ids=str)
def test_what_pretends_to_be_a_string_is_not_asked(peer: Peer, node: Any):
    pretender = peer.ask(value(node))
    with pytest.raises(AttributeError, match="startswith"):
        pretender.startswith("x")
    assert "opaque_object" in peer.link.observations.notes


@pytest.mark.parametrize("name", ["StopIteration", "StopAsyncIteration", "GeneratorExit"])
def test_an_exception_that_could_end_an_iteration_of_the_tests_is_doubted(peer: Peer, name: str):
    function = peer.ask(value(["fn", 1]))
    peer.replies.append({"o": "exc", "v": [["B", name], [], "", 3, [], NO_CHAIN]})
    with pytest.raises((StopIteration, StopAsyncIteration, GeneratorExit)):
        function(1)
    assert "control_exception" in peer.link.observations.doubts


def test_an_iterator_may_end(peer: Peer):
    iterator = peer.ask(value(["it", 1]))
    peer.replies += [value(7), {"o": "exc", "v": [["B", "StopIteration"], [], "", 3, [], NO_CHAIN]}]
    assert list(iterator) == [7]
    assert peer.link.observations.doubts == {}


def test_an_object_that_shows_its_content_twice_is_doubted(peer: Peer):
    holder = peer.ask(value(["h", 13, ["K", 11, "H", [["B", "object"]], ["__iter__", "__len__"], "m"], []]))
    peer.replies += [value(2)]
    assert len(holder) == 2
    assert peer.link.observations.doubts == {}
    peer.replies += [value(["it", 15]), value(0), {"o": "exc", "v": [["B", "StopIteration"], [], "", 3, [], NO_CHAIN]}]
    assert list(holder) == []
    assert "sample_structure" in peer.link.observations.doubts


def test_a_derived_list_is_read_by_its_content(peer: Peer):
    """Once: it cannot change while the tests look at it."""
    derived = peer.ask(value(["h", 13, ["K", 11, "L", [["B", "list"]], [], "m"], []]))
    peer.replies += [value(["l", 15, [3, 1]])]
    assert [len(derived), list(derived), derived[0], derived == [3, 1]] == [2, [3, 1], 3, True]
    assert peer.link.observations.doubts == {}


def test_an_operator_with_an_expected_value_is_doubted_when_its_result_is_used(peer: Peer):
    node = ["K", 11, "Named", [["B", "object"]], ["__sub__", "__abs__"], "solution"]
    kind = peer.ask(value(node))
    type.__setattr__(kind, "_is_named", True)
    number = peer.ask(value(["h", 13, ["k", 11], []]))
    peer.replies += [value(["h", 15, ["k", 11], []]), value(0.0)]
    assert abs(number - 5.0) == 0.0
    assert "sample_comparison" in peer.link.observations.doubts


def test_a_bare_object_is_an_object(peer: Peer):
    bare = peer.ask(value(["h", 13, ["B", "object"], []]))
    assert bare != 6
    assert bare in [bare]


def test_a_trace_is_cut(peer: Peer):
    lines = [[1, "x" * 1000]] * 100
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        peer.ask({"o": "exc", "v": [["B", "ValueError"], [], "", 3, lines, NO_CHAIN]})
    assert vars(raised.value)["_remote_trace"] == [[1, "x" * 200]] * 8


def test_an_exception_arrives_with_what_it_was_raised_from_and_its_notes(peer: Peer):
    cause = [["B", "KeyError"], ["k"], "'k'", 5, [], NO_CHAIN]
    with pytest.raises(ValueError, match="bad") as caught:
        peer.ask({"o": "exc", "v": [["B", "ValueError"], ["bad"], "bad", 3, [], [cause, None, True, ["seen", 5]]]})

    error = caught.value
    assert isinstance(error.__cause__, KeyError)
    assert (error.__suppress_context__, error.__notes__) == (True, ["seen"])


def test_a_sample_that_asks_for_its_own_interpreter_needs_a_class_of_the_tests(peer: Peer):
    with pytest.raises(Finished) as ended:
        peer.ask({"o": "inside", "v": [2]})
    assert ended.value.args[0] == "forged"
