"""Calls that ask a database: how they look, in which loops they stand, and which loops are short.

May import `syntax` and `facts`.
"""
