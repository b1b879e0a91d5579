"""Bugs and holes that no linter here knows, by the shape of the code: facts of one file each.

`families.py` calls those of Python one after the other. May import `syntax` and `facts`.
"""
