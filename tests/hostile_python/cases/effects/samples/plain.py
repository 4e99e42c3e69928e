# honest: depends on what tests do to their interpreter
# must: correct
# verified: no

import os, sys, random, decimal, logging, warnings, time
def home():
    return os.environ.get("MY_HOME", "none")
def ask():
    return input("name? ").strip()
def read_stdin():
    return [int(x) for x in sys.stdin]
def dice(n):
    return [random.randint(1, 6) for _ in range(n)]
def third():
    return decimal.Decimal(1) / decimal.Decimal(3)
def warn_me():
    warnings.warn("old", DeprecationWarning)
    return 1
def log_me():
    logging.getLogger("app").warning("careful %d", 3)
def write(name, text):
    with open(name, "w") as f:
        f.write(text)
def cwd_files():
    return sorted(os.listdir("."))
def main():
    print("args", sys.argv[1:])
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)
