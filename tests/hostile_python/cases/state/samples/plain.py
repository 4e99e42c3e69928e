# honest: a module with state, a version and attributes made on demand
# must: correct
# verified: no

"""Module doc."""
__version__ = "1.2"
__all__ = ["counter", "bump", "CONFIG"]
counter = 0
CONFIG = {"debug": False, "level": [1]}
_private = 5
def bump():
    global counter
    counter += 1
    return counter
def level():
    return CONFIG["level"], CONFIG["debug"]
def __getattr__(name):
    if name == "lazy":
        return 99
    raise AttributeError(name)
if __name__ == "__main__":
    raise SystemExit(1)
