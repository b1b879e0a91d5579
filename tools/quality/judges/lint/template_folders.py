"""What the templates of a folder are for: pages, or text."""

from collections.abc import Set

_ONLY_TEXT = (".txt", ".text", ".md", ".sql", ".tex", ".csv", ".yaml", ".yml", ".conf", ".cfg", ".sh")
_PAGES = (".html", ".htm", ".xhtml", ".jinja", ".j2", ".jinja2")


def _is_below(path: str, folders: list[str]) -> bool:
    above = path.split("/")[:-1]
    return bool(folders) and all(any(part in above for part in folder.split("/") if part) for folder in folders)


def _is_text(path: str) -> bool:
    return path.endswith(_ONLY_TEXT)


def makes_pages(paths: Set[str], folders: list[str]) -> bool:
    """Return whether the folders hold pages, or nobody knows; those of texts alone need no escaping."""
    kept = [path for path in paths if _is_below(path, folders) and not path.endswith(".py")]
    return not kept or any(path.endswith(_PAGES) for path in kept) or not all(map(_is_text, kept))
