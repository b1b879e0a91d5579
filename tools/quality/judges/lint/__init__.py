"""What ruff said, where it matters: `context.py` asks the code around each place.

May import `known` and what is below it.
"""
