# honest: makes its function at run time
# must: correct
# verified: yes

namespace = {}
exec("def triple(n):\n    if isinstance(n, str): raise TypeError('string')\n    return eval('n * 3')", namespace)
triple = namespace["triple"]
