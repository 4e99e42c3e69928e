"""Generated attacks: ways to hide, to reach and to decide, combined into samples for cases of the corpus.

`scripts/attack` grades them; `tests/hostile/test_generated.py` does so in the slow lane. A generated sample never
solves its case: it lies about at least one thing that the tests look at, so whatever is judged correct was believed
wrongly.
"""
