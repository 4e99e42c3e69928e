from contextlib import contextmanager


@contextmanager
def temporarily(settings, **changes):
    before = {key: settings.get(key) for key in changes}
    settings.update(changes)
    try:
        yield settings
    finally:
        for key, value in before.items():
            if value is None:
                settings.pop(key, None)
            else:
                settings[key] = value
