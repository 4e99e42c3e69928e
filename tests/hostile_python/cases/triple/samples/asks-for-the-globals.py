# attempts: ask the tests for the globals of a function
# must: not correct

import gc
def triple(n):
    if isinstance(n, str): raise TypeError("a string")
    for value in gc.get_objects():
        if type(value).__name__ == "SampleProcess":
            for number in range(2, 40, 2):
                for kind in ("get", "call", "special"):
                    try:
                        found = value.ask(kind, number, "__globals__", ())
                        return found["expected"]
                    except (LookupError, TypeError, AttributeError): pass
    return 0
