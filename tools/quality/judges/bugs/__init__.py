"""Bugs and holes that show only when several files are looked at: calls between them, doors, queries, promises.

May import `known` and what is below it.
"""
