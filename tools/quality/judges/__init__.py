"""One module per kind of problem, a function from the project to findings; a folder per subject.

May import `known`, what `reading` and `risks` know of their subject, `syntax` and `facts`; no judge knows of ranking or
words.
"""
