# honest: raises from causes, in groups and with notes
# must: correct
# verified: yes

class AppError(Exception):
    code = 1
    def __init__(self, message, *, hint=None):
        super().__init__(message)
        self.hint = hint
class NotFound(AppError, KeyError):
    code = 404
    def __str__(self):
        return f"[{self.code}] {self.args[0]}"
def load(name):
    try:
        return {"a": 1}[name]
    except KeyError as e:
        raise NotFound(f"no {name}", hint="try a") from e
def many():
    errors = []
    for x in ("1", "x", None):
        try:
            int(x)
        except (ValueError, TypeError) as e:
            errors.append(e)
    raise ExceptionGroup("bad", errors)
def noted():
    e = ValueError("v")
    e.add_note("first")
    raise e
def silent():
    try:
        1 / 0
    except ZeroDivisionError:
        raise RuntimeError("wrapped") from None
def cleanup(log):
    try:
        log.append("try")
        return "returned"
    finally:
        log.append("finally")
