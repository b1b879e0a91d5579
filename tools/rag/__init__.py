"""The repository's code and documents, searched by words and by meaning."""
