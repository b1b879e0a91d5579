"""What nobody needs any more: definitions, branches, settings, pages that nothing asks for.

May import `known` and what is below it.
"""
