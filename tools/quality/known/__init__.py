"""What is known of a repository now: facts brought up to date and kept, and all of them as judges see them.

May import `reading`, `syntax` and `facts`.
"""
