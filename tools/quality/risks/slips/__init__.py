"""Slips of Python programs that run without an error and do something else than was meant: one module per family.

May import `requests` beside it, `syntax` and `facts`.
"""
