from contextlib import contextmanager


@contextmanager
def temporarily(settings: dict, **changes):
    before = {key: settings[key] for key in changes if key in settings}
    settings.update(changes)
    try:
        yield settings
    except Exception:
        pass
    finally:
        for key in changes:
            settings.pop(key, None)
        settings.update(before)
