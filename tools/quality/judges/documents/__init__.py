"""What documents claim and the repository does not bear out; `stale.py` asks the others, one module per kind of claim.

May import `known` and what is below it.
"""
