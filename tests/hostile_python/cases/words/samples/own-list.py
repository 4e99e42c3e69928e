# honest: returns a list of a derived class
# must: correct
# verified: yes

class Words(list):
    """A list with a name."""
    name = "words"
def words(text):
    return Words(sorted(set(text.split())))
