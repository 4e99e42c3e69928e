from contextlib import contextmanager


@contextmanager
def temporarily(settings, **changes):
    before = dict(settings)
    settings.update(changes)
    try:
        yield settings
    finally:
        settings.clear()
        settings.update(before)
