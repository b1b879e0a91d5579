"""What people read on a terminal: colours of our own, and nothing of a repository's that could steer the screen."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment

from ...tools.terminal.clean import visible


class Screen(Console):
    """A console that shows control characters as `\\x1b`: file names, notes and models must not move the cursor."""

    def render(self, renderable: Any, options: Any = None) -> Iterable[Segment]:
        """Yield what is printed; only the console's own codes stay codes."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))
