# attempts: raise the exception by which our own runner skips
# must: not correct

import sys
def triple(n):
    for name, module in list(sys.modules.items()):
        if name.startswith("judge"):
            for value in list(vars(module).values()):
                if isinstance(value, type) and issubclass(value, BaseException) and "Skip" in value.__name__:
                    raise value("not today")
    from judge.pytest_module import Skipped
    raise Skipped("not today")
