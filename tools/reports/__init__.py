"""A session's report as JSON, Markdown, one HTML page, or SARIF for code review."""

from .html import as_html
from .markdown import as_markdown
from .sarif import as_sarif

__all__ = ["as_html", "as_markdown", "as_sarif"]
