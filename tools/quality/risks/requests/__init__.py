"""What comes in with a request, where it goes, whose rows it asks for, and who is let in.

May import `syntax` and `facts`; `protections` and `slips` stand on it.
"""
