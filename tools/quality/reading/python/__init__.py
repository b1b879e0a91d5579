"""What a syntax tree of Python says: `facts.py` puts together what the modules beside it find.

May import `queries` beside it, `risks`, `syntax` and `facts`.
"""
