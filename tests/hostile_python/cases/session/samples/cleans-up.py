# honest: looks at the exception, and raises it again
# must: correct
# verified: yes

from contextlib import contextmanager
log = []
@contextmanager
def session(name):
    log.append(name)
    try:
        yield name.upper()
    except Exception as error:
        log.append(repr(error))
        raise
    finally:
        log.pop()
