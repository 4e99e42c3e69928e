# honest: catches exceptions of what it calls, and raises them again
# must: correct
# verified: yes

import sys
def visit(items, call):
    count = -1
    try:
        for count, item in enumerate(items):
            try:
                call(index := count, item)
            except Exception:
                print("failed at", index, file=sys.stderr)
                raise
    finally:
        count += 1
    return count
