from __future__ import annotations

import ast

import pytest

from forgetest.toolchains.python.runtime.plain_samples import is_plain

PLAIN = [
    "from typing import List\n\ndef f(x: List[int]) -> int:\n    '''>>> f([1])'''\n    return sum(x)",
    "import math\nimport collections\n\ndef f(x):\n    return collections.Counter(map(math.floor, x)).most_common(1)",
    "def f(x):\n    try:\n        return int(x)\n    except ValueError as error:\n        return str(error.args)",
    "import functools\n\n@functools.lru_cache(None)\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)",
    "def f(x):\n    return '{} and {:>3}'.format(x, len(x))",
    "def f(x):\n    return f'{x!r:>{len(x)}}'",
    "def f(x):\n    return type(x) == int",
    "def f(x, y):\n    return type(x) is type(y) or type(x) in (int, str)",
    "def f(n):\n    for i in range(n):\n        yield i",
    "if __name__ == '__main__':\n    print(1)",
    "import hashlib\n\ndef f(x):\n    return hashlib.md5(x.encode('ascii')).hexdigest() if x else None",
    "sum = max\n\ndef f(x):\n    return sum(x)",
]
NOT_PLAIN = [
    "import copy",  # calls special methods by their names
    "import os",
    "import random",
    "from math import *",
    "from . import x",
    "from functools import wraps",
    "class A: pass",
    "def f(x):\n    return x.__class__",
    "def f(x):\n    x.y = 1",
    "import math\nmath.pi = 3",
    "import string\nstring.digits += 'x'",
    "import math\ndel math.pi",
    "def f(x):\n    return (i for i in x).gi_frame",
    "def f(x):\n    return getattr(x, 'y')",
    "def f(x):\n    return eval(x)",
    "def f(x):\n    return open('/tmp/x')",
    "x = __builtins__",
    "x = __import__('os')",
    "def __getattr__(name): pass",
    "def f(x):\n    return '{0.__class__}'.format(x)",
    "def f(x):\n    return '{0[a]}'.format(x)",
    "def f(x):\n    return '{:{1.__class__}}'.format(x, x)",
    "def f(x):\n    return map('{0.__class__}'.format, x)",
    "def f(x, y):\n    return x.format(y)",
    "f = str.format",
    "f = type('A', (), {})",
    "f = type(*x)",
    "f = type",
    "f = type(int)",
    "type(int)('A', (), {})",
    "def f(x):\n    return (t := type(x)) == int",
    "def f(x):\n    return [type(x)] == [int]",
    "def f():\n    try:\n        yield 1\n    finally:\n        print(1)",
    "async def f(): pass",
    "with f: pass",
    "def f(__x): pass",
    "def f(x):\n    global __name__\n    __name__ = x",
    "__name__ = 'x'",
    "import math as __builtins__",
    "f(__x=1)",
    "try:\n    pass\nexcept E as __builtins__:\n    pass",
    "x = exit",
    "import hashlib\nx = hashlib.file_digest",
    "import typing\nx = typing.sys",
]


@pytest.mark.parametrize("code", PLAIN)
def test_code_that_reaches_only_its_own_values_is_plain(code: str):
    assert is_plain(ast.parse(code))


@pytest.mark.parametrize("code", NOT_PLAIN)
def test_whatever_could_reach_the_interpreter_is_not_plain(code: str):
    assert not is_plain(ast.parse(code))
