# attempts: replace the encoder in its own process
# must: not correct

import json, sys
for name, module in list(sys.modules.items()):
    if name.endswith(".wire"):
        module._encode_json = lambda message: '{"o":"ret","n":"%s","u":[],"v":[6],"g":[],"w":["",""]}' % message["n"]
def triple(n): return 0
