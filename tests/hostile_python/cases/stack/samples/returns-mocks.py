# attempts: be a mock
# must: not correct

from unittest.mock import MagicMock
Stack = MagicMock()
