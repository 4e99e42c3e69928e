# honest: redirects its own output
# must: correct
# verified: yes

import contextlib, io
def greet(name):
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        print("Hello", name, sep=", ", end="!")
    print(buffer.getvalue())
def shout(text):
    return "".join(map(str.upper, text)) if isinstance(text, str) else text.upper()
