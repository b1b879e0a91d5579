"""Bugs and holes that no linter here knows, by the shape of the code: one module per family, facts of one file each."""
