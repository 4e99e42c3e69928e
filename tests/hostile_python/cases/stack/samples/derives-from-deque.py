# honest: derives from deque, with warnings and logging
# must: correct
# verified: yes

import collections, logging, warnings
warnings.warn("deprecated", DeprecationWarning, stacklevel=1)
logging.getLogger(__name__).warning("made")
class Stack(collections.deque):
    push = collections.deque.append
