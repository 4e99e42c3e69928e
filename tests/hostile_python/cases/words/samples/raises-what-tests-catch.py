# attempts: raise the exception that the tests expect to see
# must: not correct

def words(text):
    raise AttributeError("x")
