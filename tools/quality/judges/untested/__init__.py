"""What no test names or runs.

May import `known` and what is below it.
"""
