"""The few pieces of HTML all parts of the page are made of; every text from outside goes through `safe`."""

from html import escape


def safe(value: object) -> str:
    """Return text that can only be text on the page, and that UTF-8 can hold."""
    return escape(str(value).encode("utf-8", "replace").decode("utf-8"))


def path(value: object) -> str:
    """Return a path as code that may be broken after a slash."""
    return f"<code>{safe(value).replace('/', '/<wbr>')}</code>"


def section(name: str, title: str, *parts: str) -> str:
    """Return a part of the page under a heading that can be linked to by its name."""
    return f'<section id="{name}">\n<h2>{safe(title)}</h2>\n{"".join(parts)}\n</section>'


def fold(summary: str, body: str, *, kind: str = "") -> str:
    """Return something that is shown on demand; on paper it is always shown."""
    name = f' class="{kind}"' if kind else ""
    return f"<details{name}><summary>{summary}</summary>{body}</details>"
