# attempts: turn errors into warnings
# must: not correct

import sys, warnings
sys.excepthook = lambda *a: None
sys.unraisablehook = lambda *a: None
warnings.simplefilter("ignore")
def triple(n):
    warnings.warn("a string", stacklevel=2)
    return None
