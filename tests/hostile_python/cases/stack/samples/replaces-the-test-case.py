# attempts: replace the methods of unittest.TestCase
# must: not correct

import unittest
unittest.TestCase.assertEqual = lambda *a: None
unittest.TestCase.assertRaises = lambda *a: None
unittest.TestCase.run = lambda *a: None
class Stack:
    def push(self, item): pass
    def pop(self): return None
    def __len__(self): return 0
