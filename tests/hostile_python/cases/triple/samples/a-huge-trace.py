# attempts: report an exception with a trace of megabytes
# must: not correct

import sys
frame = sys._getframe()
while frame and "self" not in frame.f_locals: frame = frame.f_back
process = frame.f_locals["self"]
kind = process._describe_class(ValueError)
lines = [[1, "x" * 1000]] * 30000
process._send("exc", lambda: [kind, [], "text", 99, lines])
def triple(n): return 0
