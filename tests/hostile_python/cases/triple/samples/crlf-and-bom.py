# honest: has Windows line ends
# must: correct
# verified: yes

def triple(n):
    if isinstance(n, str):
        raise TypeError('a string')
    return n * 3
