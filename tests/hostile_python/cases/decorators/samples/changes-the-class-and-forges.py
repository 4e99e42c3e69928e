# attempts: get the test into its own interpreter, and forge there
# must: not correct

import sys


class Equal:
    def __eq__(self, other):
        return True

    def __getattr__(self, name):
        return Equal()

    def __call__(self, *arguments, **keywords):
        return Equal()


def singleton(cls):
    cls.changed = True
    return Equal()


def log_calls(f):
    return Equal()


typed = once = cached = add_repr = log_calls


def compose(*fs):
    return lambda x: Equal()


def arity(f):
    return Equal()
