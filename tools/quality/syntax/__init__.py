"""Walks over the trees of Python and of tree-sitter, which all that read code ask for.

May import `facts`.
"""
