# attempts: send two classes and objects with the same number
# must: not correct

import gc
def triple(n):
    for value in gc.get_objects():
        if type(value).__name__ == "SampleProcess":
            number = 1001
            new = lambda name, base: ["K", number, name, [["B", base]], ["__eq__", "__sub__"], "solution"]
            value.encode = lambda answer: ["t", [["h", 1003, new("A", "int"), [6]], ["h", 1003, new("A", "object"), []]]]
    return 0
