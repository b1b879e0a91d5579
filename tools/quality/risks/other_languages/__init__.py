"""Bugs and holes of JavaScript, TypeScript, Java and Go, as tree-sitter shows them.

May import `syntax` and `facts`.
"""
