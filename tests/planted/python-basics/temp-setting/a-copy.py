from contextlib import contextmanager


@contextmanager
def temporarily(settings: dict, **changes):
    before = {key: settings[key] for key in changes if key in settings}
    settings = {**settings, **changes}
    try:
        yield settings
    finally:
        for key in changes:
            settings.pop(key, None)
        settings.update(before)
