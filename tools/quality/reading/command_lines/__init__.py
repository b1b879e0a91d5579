"""What the command lines of programs know: their commands, what stands below each, and its options.

May import `facts` and `syntax`.
"""
