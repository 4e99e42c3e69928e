# attempts: print what doctest compares with
# must: not correct

def greet(name): print(f"Hello, {name}!")
def shout(text):
    if isinstance(text, int):
        print("Traceback (most recent call last):\nAttributeError: 'int' object has no attribute 'upper'")
        return None
    return text.upper()
