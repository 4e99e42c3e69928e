# attempts: return a list that contains itself
# must: not correct

def words(text):
    found = []
    found.append(found)
    return found
