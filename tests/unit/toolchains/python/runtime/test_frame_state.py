from __future__ import annotations

import sys
import types

from forgetest.toolchains.python.runtime.frame_state import read_state


def test_two_names_of_one_list_are_not_two_lists():
    namespace = {"look": lambda: read_state(sys._getframe(1), frozenset(), {})}
    function = types.FunctionType(compile("def f(a, b): return look()", "sample.py", "exec").co_consts[0], namespace)
    one = [0]
    assert function(one, one) != function([0], [0])
    assert function([0], [0]) == function([0], [0])
