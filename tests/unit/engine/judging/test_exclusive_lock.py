"""Who may run while somebody wants to be alone."""

from __future__ import annotations

import threading

from forgetest.engine.judging.exclusive_lock import Gate

PATIENCE_S = 60


class Visitor:
    """A thread that goes through a gate and stays inside until it is let out."""

    def __init__(self, gate: Gate, *, alone: bool) -> None:
        self.inside, self._leave = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._visit, args=(gate, alone))
        self._thread.start()

    def _visit(self, gate: Gate, alone: bool) -> None:
        with gate.passing(alone=alone):
            self.inside.set()
            self._leave.wait(PATIENCE_S)

    def leave(self) -> None:
        self._leave.set()
        self._thread.join(PATIENCE_S)


def test_many_are_inside_at_once():
    gate = Gate()
    visitors = [Visitor(gate, alone=False) for _ in range(3)]
    assert all(visitor.inside.wait(PATIENCE_S) for visitor in visitors)
    for visitor in visitors:
        visitor.leave()


def test_who_wants_to_be_alone_waits_for_the_others_and_keeps_them_out():
    gate = Gate()
    early = Visitor(gate, alone=False)
    assert early.inside.wait(PATIENCE_S)
    lonely = Visitor(gate, alone=True)
    while not gate._wanting:
        pass
    late = Visitor(gate, alone=False)
    assert not lonely.inside.is_set()
    early.leave()
    assert lonely.inside.wait(PATIENCE_S)
    assert not late.inside.is_set()
    lonely.leave()
    assert late.inside.wait(PATIENCE_S)
    late.leave()


def test_two_lonely_ones_are_never_inside_together():
    gate = Gate()
    first = Visitor(gate, alone=True)
    assert first.inside.wait(PATIENCE_S)
    second = Visitor(gate, alone=True)
    assert not second.inside.is_set()
    first.leave()
    assert second.inside.wait(PATIENCE_S)
    second.leave()


def test_an_error_inside_opens_the_gate_again():
    gate = Gate()
    for alone in (True, False):
        try:
            with gate.passing(alone=alone):
                raise ValueError("inside")
        except ValueError:
            pass
    with gate.passing(alone=True):
        pass
