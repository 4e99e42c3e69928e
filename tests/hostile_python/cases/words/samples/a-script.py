# honest: has a byte order mark's worth of oddities: tabs, form feeds, a main part
# must: correct
# verified: yes

import sys

def words(text, *, seen=None):
	seen = {} if seen is None else seen
	for word in text.split():
		seen.setdefault(word, len(seen))
	return sorted(seen)
def main(argv=None):
	print(*words(" ".join(argv or sys.argv[1:])))
if __name__ == "__main__":
	sys.exit(main())
