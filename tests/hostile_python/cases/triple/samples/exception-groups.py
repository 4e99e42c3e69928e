# honest: raises from another exception, with notes
# must: correct
# verified: yes

def triple(n):
    try:
        return (n + 0) * 3
    except TypeError as cause:
        error = TypeError("a string cannot be tripled")
        error.add_note("give a number")
        raise error from cause
