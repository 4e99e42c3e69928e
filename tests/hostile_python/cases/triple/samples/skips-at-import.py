# attempts: raise SkipTest while it is imported
# must: not correct

import unittest
raise unittest.SkipTest("not today")
