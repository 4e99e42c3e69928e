from contextlib import contextmanager


@contextmanager
def temporarily(settings: dict, **changes):
    before = {key: settings[key] for key in changes if key in settings}
    settings.update(changes)
    yield settings
    for key in changes:
        settings.pop(key, None)
    settings.update(before)
