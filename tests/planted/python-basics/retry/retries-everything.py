import functools


def retry(times: int, exceptions=(Exception,)):
    if times < 1:
        raise ValueError("times must be positive")

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for _ in range(times - 1):
                try:
                    return function(*args, **kwargs)
                except Exception:
                    continue
            return function(*args, **kwargs)

        return wrapper

    return decorate
