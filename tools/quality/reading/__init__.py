"""One file to facts: `file.py` is the way in; here is what is read from the text of every language.

`python/`, `queries/` and `other_languages/` read trees. May import `risks`, `syntax` and `facts`.
"""
