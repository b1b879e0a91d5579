"""What the analyzers need to know of one file: read once, kept by content, plain enough for JSON.

Plain data without a function; imports nothing of the house.
"""
