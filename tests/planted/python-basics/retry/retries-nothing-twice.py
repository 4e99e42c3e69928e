import functools


def retry(times, exceptions=(Exception,)):
    if times < 1:
        raise ValueError
    left = [times]

    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            while True:
                left[0] -= 1
                try:
                    return function(*args, **kwargs)
                except exceptions:
                    if left[0] <= 0:
                        raise
        return wrapper
    return decorate
