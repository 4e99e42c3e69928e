"""A small project that generated runs are about: its spec, its tasks, and good and bad code for it."""

from __future__ import annotations

SPEC = """# Notes service
## 1. Notes API (Cycle 1)
- [ ] POST /notes stores a note and returns its number
- [ ] GET /notes lists all notes
- [ ] Unknown notes answer 404 with an error message
- [ ] Titles longer than 80 characters are rejected
## 2. Search (Cycle 2)
- [ ] Search finds notes by a word in the title
- [ ] Search ignores upper and lower case
- [ ] Archived notes are left out of search results
- [ ] README says how to start the service
"""
TITLES = (
    "Store a note with POST /notes",
    "List all notes",
    "Answer 404 for unknown notes",
    "Reject titles longer than 80 characters",
    "Search notes by title word",
    "Ignore case in search",
    "Leave archived notes out of search results",
    "Write the README",
    "Rename the office printers",
)

CODE = {
    "notes/store.py": '''"""Notes, kept in memory."""


@app.post("/notes")
def store_note(title: str) -> int:
    """Store a note."""
    if len(title) > 80:
        raise ValueError(f"the title has more than 80 characters: {title[:20]}")
    return archive.add(title)


@app.get("/notes")
def list_notes() -> list[str]:
    """All notes."""
    return archive.titles()
''',
    "notes/search.py": '''"""Finding notes."""


def search_notes(word: str, titles: list[str]) -> list[str]:
    """The titles with this word in them, whatever its case."""
    return [title for title in titles if word.lower() in title.lower()]
''',
}
BAD_CODE = {
    "notes/untyped.py": "def Handle(a, b):\n    return b\n    print(a)\n",
    "notes/left.py": "# total = price * 2\n# print(total)\nlimit: int = 1  # TODO: ask\n",
    "notes/long.py": "def price_of(price: int) -> int:\n    sold = 0\n"
    + "".join(f"    if price == {number}:\n        sold += {number}\n" for number in range(45))
    + "    return sold\n",
    "notes/copy.py": CODE["notes/store.py"].replace("/notes", "/copies") * 2,
    "notes/swallow.py": "def read(path: str) -> str:\n    try:\n        return load(path)\n"
    "    except OSError:\n        pass\n    return ''\n",
}
TESTS = {
    "tests/test_store.py": """def test_post_notes_stores_a_note_and_returns_its_number():
    assert client.post("/notes", title="a").number == 1


def test_get_notes_lists_all_notes():
    assert client.get("/notes").titles == ["a"]


def test_titles_longer_than_80_characters_are_rejected():
    assert client.post("/notes", title="a" * 81).status == 400


def test_unknown_notes_answer_404_with_an_error_message():
    assert client.get("/notes/9").status == 404
""",
    "tests/test_search.py": """def test_search_finds_notes_by_a_word_in_the_title():
    assert search_notes("milk", ["buy milk"]) == ["buy milk"]


def test_search_ignores_upper_and_lower_case():
    assert search_notes("MILK", ["buy milk"]) == ["buy milk"]
""",
}
README = "# Notes\n\n## Usage\n\n```\npip install notes\npython -m notes\n```\n\nPOST /notes, GET /notes\n"
