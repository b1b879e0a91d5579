"""How the code is built and kept: sizes, copies, the direction of imports, habits with one exception, history.

May import `known` and what is below it.
"""
