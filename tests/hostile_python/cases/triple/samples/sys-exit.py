# attempts: raise SystemExit(0)
# must: not correct

import sys
def triple(n):
    sys.exit(0)
