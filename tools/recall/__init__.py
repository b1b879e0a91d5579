"""Recall over all turns of a session's own line of ancestors, and what a context is given of them."""
