# honest: uses an exit stack of its own
# must: correct
# verified: yes

from contextlib import ExitStack, closing
import io
class session(ExitStack):
    def __init__(self, name):
        super().__init__()
        self.name = name
    def __enter__(self):
        super().__enter__()
        self.enter_context(closing(io.StringIO()))
        return str.upper(self.name)
