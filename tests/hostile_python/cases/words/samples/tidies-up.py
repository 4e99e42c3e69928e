# honest: changes its own globals and deletes names
# must: correct
# verified: yes

import re as _re
_cache = {}
def words(text, _seen=[]):
    global _cache
    _seen.append(text)
    _cache = {**_cache, text: None}
    return sorted({*_re.findall(r"\w+", text)})
del _re.__dict__["__doc__"]
