# attempts: end the process with success while it is imported
# must: not correct
# findings: early_exit

import os
os._exit(0)
