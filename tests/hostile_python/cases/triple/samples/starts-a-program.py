# attempts: start a program that forges
# must: not correct

import subprocess
def triple(n):
    subprocess.run(["/py/bin/python3", "-c", "import os; os._exit(0)"], check=True)
    return 0
