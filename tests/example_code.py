"""Code that the agents of the example runs wrote: a small lending service, task by task, well and badly."""

from __future__ import annotations

SPEC = """# Bookshelf

A service that lends books, with an HTTP API and a README.

## 1. Catalogue (Cycle 1)

- [ ] POST /books adds a book and answers with its number
- [ ] GET /books lists all books
- [ ] A book without a title is rejected with an error message
- [ ] Books are kept in a file between starts

## 2. Lending (Cycle 2)

- [ ] POST /loans lends a book to a reader
- [ ] A book that is lent cannot be lent again
- [ ] DELETE /loans/:id brings a lent book back
- [ ] A reader has at most five loans

## 3. Search and documents (Cycle 3)

- [ ] Search finds books by words in title or author
- [ ] Search ignores upper and lower case
- [ ] Search results are sorted by title
- [ ] README says how to start the service and lists its endpoints
"""

TASKS = {
    "catalogue": ("Add books with POST /books and list them with GET /books, rejecting books without a title", 1),
    "storage": ("Keep books in a file between starts", 1),
    "lending": ("Lend books with POST /loans, never a lent book again, at most five loans a reader", 2),
    "returning": ("Bring a lent book back with DELETE /loans/:id", 2),
    "search": ("Search books by words in title or author, ignoring case, sorted by title", 3),
    "documents": ("README says how to start the service and lists its endpoints", 3),
}
SERVES = {"catalogue": 3, "storage": 1, "lending": 3, "returning": 1, "search": 3, "documents": 1}

GOOD = {
    "catalogue": {
        "bookshelf/catalogue.py": '''"""The books that the shelf holds."""

from bookshelf.errors import Rejected
from bookshelf.web import router


@router.post("/books")
def add_book(title: str, author: str) -> int:
    """Add a book; its number is the answer."""
    if not title.strip():
        raise Rejected("a book needs a title: send one in the field `title`")
    return shelf.add(title, author)


@router.get("/books")
def list_books() -> list[str]:
    """All books, in the order they came."""
    return [book.title for book in shelf.books()]
''',
    },
    "storage": {
        "bookshelf/storage.py": '''"""Books in a file."""

from pathlib import Path


def load(file: Path) -> list[str]:
    """The books that were kept; none at the first start."""
    if not file.exists():
        return []
    return file.read_text().splitlines()


def keep(file: Path, books: list[str]) -> None:
    """Keep them until the next start."""
    file.write_text("\\n".join(books))
''',
    },
    "lending": {
        "bookshelf/lending.py": '''"""Who has which book."""

from bookshelf.errors import Rejected
from bookshelf.web import router

MOST_LOANS = 5


@router.post("/loans")
def lend(book: int, reader: str) -> int:
    """Lend a book to a reader."""
    if loans.holder(book) is not None:
        raise Rejected(f"book {book} is lent already: wait until it is back")
    if loans.count(reader) >= MOST_LOANS:
        raise Rejected(f"{reader} has {MOST_LOANS} loans: bring one back first")
    return loans.add(book, reader)
''',
    },
    "returning": {
        "bookshelf/returning.py": '''"""Books that come back."""

from bookshelf.errors import Rejected
from bookshelf.web import router


@router.delete("/loans/:id")
def bring_back(loan: int) -> None:
    """End a loan."""
    if loan not in loans.open():
        raise Rejected(f"there is no loan {loan}: GET /loans lists them")
    loans.end(loan)
''',
    },
    "search": {
        "bookshelf/search.py": '''"""Finding books."""


def search(words: str, books: list[tuple[str, str]]) -> list[str]:
    """Titles of the books with all these words in title or author, whatever their case, sorted."""
    wanted = words.casefold().split()
    return sorted(
        title for title, author in books if all(word in f"{title} {author}".casefold() for word in wanted)
    )
''',
    },
    "documents": {
        "README.md": """# Bookshelf

A service that lends books.

## Start

```
pip install .
python -m bookshelf
```

## Endpoints

- `POST /books` adds a book
- `GET /books` lists them
- `POST /loans` lends one
- `DELETE /loans/:id` brings it back
""",
    },
}
TESTS = {
    "catalogue": {
        "tests/test_catalogue.py": """def test_post_books_adds_a_book_and_answers_with_its_number(client):
    assert client.post("/books", title="Emma", author="Austen").number == 1


def test_get_books_lists_all_books(client):
    assert client.get("/books").titles == ["Emma"]


def test_a_book_without_a_title_is_rejected_with_an_error_message(client):
    assert "title" in client.post("/books", title="", author="Austen").message
""",
    },
    "storage": {
        "tests/test_storage.py": """from bookshelf.storage import keep, load


def test_books_are_kept_in_a_file_between_starts(tmp_path):
    keep(tmp_path / "books", ["Emma"])
    assert load(tmp_path / "books") == ["Emma"]
""",
    },
    "lending": {
        "tests/test_lending.py": """def test_post_loans_lends_a_book_to_a_reader(client):
    assert client.post("/loans", book=1, reader="Ann").number == 1


def test_a_book_that_is_lent_cannot_be_lent_again(client):
    client.post("/loans", book=1, reader="Ann")
    assert client.post("/loans", book=1, reader="Bob").status == 409


def test_a_reader_has_at_most_five_loans(client):
    loans = [client.post("/loans", book=number, reader="Ann") for number in range(6)]
    assert loans[5].status == 409
""",
    },
    "returning": {
        "tests/test_returning.py": """def test_delete_loans_brings_a_lent_book_back(client):
    client.post("/loans", book=1, reader="Ann")
    assert client.delete("/loans/1").status == 204
""",
    },
    "search": {
        "tests/test_search.py": """from bookshelf.search import search


def test_search_finds_books_by_words_in_title_or_author():
    assert search("austen", [("Emma", "Austen")]) == ["Emma"]


def test_search_ignores_upper_and_lower_case():
    assert search("EMMA", [("Emma", "Austen")]) == ["Emma"]


def test_search_results_are_sorted_by_title():
    assert search("a", [("Persuasion", "Austen"), ("Emma", "Austen")]) == ["Emma", "Persuasion"]
""",
    },
    "documents": {},
}
ROUGH = {
    "catalogue": {
        "bookshelf/catalogue.py": GOOD["catalogue"]["bookshelf/catalogue.py"]
        .replace("(title: str, author: str) -> int", "(title, author)")
        .replace("list_books() -> list[str]", "list_books()"),
    },
}
"""Tests as a hurried agent writes them."""


def _copied(name: str) -> str:
    branches = "".join(
        f"    elif kind == {number}:\n        result = result + {number}\n        print(result)\n"
        for number in range(24)
    )
    return f"""def {name}(book, reader, kind):
    result = 0
    if book == None:
        return 0
        print("never")
    # result = old_{name.lower()}(book)
    # print(result)
    if kind == -1:
        result = 1
{branches}    try:
        save(book, reader)
    except Exception:
        pass
    return result  # TODO: make this work
"""


CHAOS = {
    "catalogue": {"books.py": _copied("AddBook") + "\n\n" + _copied("ListBooks")},
    "lending": {"loans.py": _copied("LendBook") + "\n\n" + _copied("doit2")},
    "search": {"more.py": _copied("FindStuff")},
}
