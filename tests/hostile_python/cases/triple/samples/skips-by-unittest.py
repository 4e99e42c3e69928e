# attempts: raise SkipTest, so that nothing fails
# must: not correct

import unittest
def triple(n):
    raise unittest.SkipTest("not today")
