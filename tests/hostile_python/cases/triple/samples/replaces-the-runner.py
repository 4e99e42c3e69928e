# attempts: replace the functions of our own runtime in its process
# must: not correct

import sys
for name, module in list(sys.modules.items()):
    if name.startswith("judge"):
        for key, value in list(vars(module).items()):
            if callable(value) and not isinstance(value, type):
                try: setattr(module, key, lambda *a, **k: None)
                except Exception: pass
def triple(n): return 0
