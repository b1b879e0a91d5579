"""What manifests ask for: undeclared, unused, over, ended, or with a hole; nothing is looked up anywhere.

May import `known` and what is below it.
"""
