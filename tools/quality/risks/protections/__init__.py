"""Protections of Python programs that are switched off, left out or undone: one module per family.

May import `requests` beside it, `syntax` and `facts`.
"""
