"""The code index: which lines of a repository answer a question."""
