# attempts: have causes and notes computed by the exception itself
# must: not correct

class AppError(Exception):
    @property
    def __cause__(self):
        return KeyError()

    @property
    def __notes__(self):
        raise KeyboardInterrupt

    hint, code = "try a", 404


class NotFound(AppError, KeyError):
    pass


def load(name):
    error = NotFound("no z")
    raise error


many = noted = silent = cleanup = load
