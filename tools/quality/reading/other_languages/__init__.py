"""What trees of JavaScript, TypeScript, Java and Go say: `facts.py` puts it together.

May import `queries` beside it, `risks`, `syntax` and `facts`.
"""
